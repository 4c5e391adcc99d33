// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_NS3_H
#define LONG_FAT_TCP_NS3_H

#include "ns3/ptr.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string_view>

/**
 * @file
 * @ingroup lfn-tcp
 * What differs between the releases of ns-3, 3.44 to the development head, for LongFatTcpSocket.
 */

#ifndef LFN_NS3_VERSION
#define LFN_NS3_VERSION "unknown"
#endif

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Compare a version of ns-3 with a release 3.x.
 * @param version as ns-3's VERSION file has it, such as "3.48", "3.48.1" or "3-dev"
 * @param minor x
 * @return true if it is this release or a later one; what is no release is the development head,
 * and later than all
 */
constexpr bool
IsNs3AtLeast(std::string_view version, uint32_t minor)
{
    if (!version.starts_with("3."))
    {
        return true;
    }
    uint32_t found = 0;
    for (const char digit : version.substr(2))
    {
        if (digit < '0' || digit > '9')
        {
            break;
        }
        found = 10 * found + static_cast<uint32_t>(digit - '0');
    }
    return found >= minor;
}

/// From 3.48 on ns-3 informs a congestion control of CA_CWR, too.
constexpr bool NS3_REPORTS_CWR = IsNs3AtLeast(LFN_NS3_VERSION, 48);

/**
 * @ingroup lfn-tcp
 * @brief TcpSocketBase under the name of the class derived from it.
 *
 * From ns-3 3.45 on Object knows which class it is. In 3.44 TcpSocketBase says so itself, and takes
 * every derived class for a TcpSocketBase, whose Attributes are then the only ones.
 *
 * @tparam T the derived class
 * @tparam Method type of the GetInstanceTypeId() that TcpSocketBase has
 */
template <typename T, typename Method = decltype(&TcpSocketBase::GetInstanceTypeId)>
class NamedTcpSocketBase : public TcpSocketBase
{
};

/**
 * @ingroup lfn-tcp
 * @brief The same with ns-3 3.44.
 * @tparam T the derived class
 */
template <typename T>
class NamedTcpSocketBase<T, TypeId (TcpSocketBase::*)() const> : public TcpSocketBase
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return T::GetTypeId();
    }
};

/**
 * @brief Whether ns-3's socket has FACK, from 3.47 on, and it is on.
 * @param socket the socket
 * @return true if so
 */
template <typename T>
bool
IsFack(const T& socket)
{
    if constexpr (requires { socket.GetFackEnabled(); })
    {
        return socket.GetFackEnabled();
    }
    return false;
}

/**
 * @brief Begin a recovery; after 3.48 ns-3's method takes the SACKed bytes as well.
 * @param ops the recovery algorithm
 * @param state of the congestion control
 * @param duplicates duplicate ACKs
 * @param unacknowledgedBytes sent and not acknowledged, [B]
 * @param deliveredBytes newly acknowledged or SACKed, [B]
 * @param sackedBytes SACKed, [B]
 */
template <typename Ops>
void
EnterRecoveryOf(Ptr<Ops> ops,
                Ptr<TcpSocketState> state,
                uint32_t duplicates,
                uint32_t unacknowledgedBytes,
                uint32_t deliveredBytes,
                uint32_t sackedBytes)
{
    if constexpr (requires { ops->EnterRecovery(state, 0, 0, 0, 0); })
    {
        ops->EnterRecovery(state, duplicates, unacknowledgedBytes, deliveredBytes, sackedBytes);
    }
    else
    {
        ops->EnterRecovery(state, duplicates, unacknowledgedBytes, deliveredBytes);
    }
}

} // namespace ns3::lfn

#endif // LONG_FAT_TCP_NS3_H
