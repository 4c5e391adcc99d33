// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_FLOW_TABLE_H
#define XCP_FLOW_TABLE_H

#include "tcp-xcp.h"
#include "xcp-rtt-timer.h"
#include "xcp-teardown.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/nstime.h"
#include "ns3/tcp-socket-base.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Names a connection on a host: addresses and ports of both ends.
 */
class XcpFlowKey
{
  public:
    /**
     * @brief Name a connection over IPv4.
     * @param local address of this host
     * @param peer address of the other
     * @param localPort port of this host
     * @param peerPort port of the other
     */
    XcpFlowKey(Ipv4Address local, Ipv4Address peer, uint16_t localPort, uint16_t peerPort);

    /**
     * @brief Name a connection over IPv6.
     * @param local address of this host
     * @param peer address of the other
     * @param localPort port of this host
     * @param peerPort port of the other
     */
    XcpFlowKey(const Ipv6Address& local,
               const Ipv6Address& peer,
               uint16_t localPort,
               uint16_t peerPort);

    /** @brief Compare with another one. @return whether both name the same connection */
    bool operator==(const XcpFlowKey& other) const = default;

    /** @return the hash */
    std::size_t GetHash() const;

  private:
    std::array<uint64_t, 5> m_words; //!< local, peer, ports
};

/** @brief What a host remembers of a connection. */
struct XcpFlow
{
    Ptr<const TcpSocketBase> socket; //!< the XCP socket of this host; null when there is none
    Ptr<TcpXcp> ops;                 //!< its congestion control; null likewise
    double pending{0};               //!< granted to the peer and not yet reported, [B/s]
    bool peerSpeaks{false};          //!< a congestion header has come from the peer
    bool isOpened{false};            //!< and the latest packet that had one was its SYN
    uint32_t syns{0};                //!< SYNs with a congestion header that were sent
    XcpRttTimer timer;               //!< of what the XCP socket sends
    XcpTeardown teardown;            //!< how far its end has come
    Time lastUse;                    //!< when a packet with a congestion header last came
};

/**
 * @ingroup lfn-xcp
 * @brief The connections that a host remembers.
 *
 * A connection goes when its last packet has come, and for those whose end nobody has seen there
 * are sweeps: as soon as as many have come as the last sweep left (at least 64), and now and then
 * while packets come. In a sweep those go whose socket is closed, and those without a socket that
 * are over or have been idle. So the table is never larger than 64 and twice what was alive at the
 * last sweep, and a connection costs the same however many there have been. A flow that is
 * forgotten too early loses nothing but the feedback that waits.
 */
class XcpFlowTable
{
  public:
    /**
     * @brief Look for a connection.
     * @param key its name
     * @return what is remembered, until the next Obtain() or Erase(); null when there is nothing
     */
    XcpFlow* Find(const XcpFlowKey& key);

    /**
     * @brief Look for a connection, and begin to remember it when it is new.
     * @param key its name
     * @param now the time
     * @param timeout how long a flow without a socket is remembered when nothing comes
     * @return what is remembered, until the next Obtain() or Erase()
     */
    XcpFlow& Obtain(const XcpFlowKey& key, Time now, Time timeout);

    /**
     * @brief Forget a connection.
     * @param key its name
     */
    void Erase(const XcpFlowKey& key);

    /**
     * @brief Forget a connection if it is over.
     * @param key its name
     */
    void EraseIfOver(const XcpFlowKey& key);

    /**
     * @brief A packet has come: look for the dead if the last look was long ago.
     * @param now the time
     * @param timeout how long a flow without a socket is remembered when nothing comes
     */
    void Tend(Time now, Time timeout);

    /** @brief Forget everything. */
    void Clear();

    /** @brief Get the size. @return connections that are remembered */
    std::size_t GetSize() const;

  private:
    /** @brief Hash of a key. */
    struct Hash
    {
        /** @return the hash */
        std::size_t operator()(const XcpFlowKey& key) const
        {
            return key.GetHash();
        }
    };

    /**
     * @brief Look for the dead.
     * @param now the time
     * @param timeout how long a flow without a socket is remembered when nothing comes
     */
    void Sweep(Time now, Time timeout);

    std::unordered_map<XcpFlowKey, XcpFlow, Hash> m_flows; //!< by name
    std::size_t m_newcomers{0};                            //!< since the last sweep
    std::size_t m_survivors{0};                            //!< of the last sweep
    Time m_lastSweep;                                      //!< when it was
};

} // namespace ns3::lfn

#endif // XCP_FLOW_TABLE_H
