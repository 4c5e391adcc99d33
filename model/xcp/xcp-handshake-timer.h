// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_HANDSHAKE_TIMER_H
#define XCP_HANDSHAKE_TIMER_H

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief RTTs of TCP connections, measured by a router that sees one direction only.
 *
 * A host answers its peer's SYN at once (RFC 9293, section 3.5), so from a SYN's departure to the
 * next packet of the same direction it takes one RTT without the queue of this router. Where
 * the SYN is the answer of a server, that packet is its answer to the first request. A SYN that is
 * retransmitted is timed again.
 *
 * Memory and work a packet are bounded: a connection has one place, and a place whose connection
 * was received within IDLE_TIME is not given to another one, which stays unknown then.
 */
class XcpHandshakeTimer
{
  public:
    static constexpr double MAX_RTT = 10.0;   //!< more is no RTT, [s]
    static constexpr double IDLE_TIME = 60.0; //!< after that a place is free, [s]
    static constexpr uint32_t PLACES = 4096;  //!< connections that can be known

    /**
     * @brief A SYN arrives.
     * @param connection hash of addresses, ports and protocol
     * @param now the time, [s]
     * @param wait how long it is going to wait here, [s]
     */
    void OnSyn(uint64_t connection, double now, double wait);

    /**
     * @brief Another packet of a connection arrives.
     * @param connection as above
     * @param now the time, [s]
     * @return the RTT of its handshake without this router's queue, [s]; 0: not known
     */
    double OnPacket(uint64_t connection, double now);

  private:
    /** @brief What is kept of a connection. */
    struct Place
    {
        uint64_t connection{0}; //!< its hash
        double sent{0};         //!< when its SYN left, [s]
        double lastPacket{0};   //!< when its latest packet came, [s]
        double rtt{0};          //!< its RTT, [s]; 0: not known
        bool isOpening{false};  //!< its SYN is the latest packet
        bool isTaken{false};    //!< by any connection so far
    };

    std::vector<Place> m_places; //!< by hash; empty until a SYN comes
};

} // namespace ns3::lfn

#endif // XCP_HANDSHAKE_TIMER_H
