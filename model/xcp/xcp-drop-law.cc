// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-drop-law.h"

namespace ns3::lfn
{

NS_OBJECT_ENSURE_REGISTERED(XcpDropLaw);

TypeId
XcpDropLaw::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::XcpDropLaw").SetParent<Object>().SetGroupName("Lfn");
    return tid;
}

} // namespace ns3::lfn
