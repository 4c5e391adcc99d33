// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-make-socket.h"

#include "ns3/socket-factory.h"

namespace ns3::lfn
{

Ptr<Socket>
MakeSocket(Ptr<Node> node, TypeId factory)
{
    const auto found = node->GetObject<SocketFactory>(factory);
    return found ? found->CreateSocket() : nullptr;
}

} // namespace ns3::lfn
