// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_RENDEZVOUS_H
#define UDT_RENDEZVOUS_H

#include "udt-connection.h"
#include "udt-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Connection set-up between two ends that both connect (draft, section 5.2; UDT-14): both
 *        send requests of type 0, then -1, and the one that is connected answers with -2.
 *
 * Independent of sockets and simulator.
 */
class UdtRendezvous
{
  public:
    /** @brief Where an end stands. */
    enum class State : uint8_t
    {
        REQUESTED, //!< awaits a request of the peer
        CONFIRMED, //!< has got one, awaits a confirmation
        CONNECTED, //!< the peer has confirmed
        FAILED     //!< no answer in time
    };

    /**
     * @brief An end that is about to send its first request.
     * @param own what it offers: initial sequence number, MSS, window and socket ID
     * @param now the time
     * @param ipHeaders of IP and UDP, in each MSS, B
     */
    UdtRendezvous(const UdtHandshake& own, Time now, uint32_t ipHeaders = UDT_IPV4_HEADERS);

    /** @brief Get how long an end waits for its peer. @return the time */
    static Time GetPatience();

    /** @brief Get when the next request leaves. @return the time; nothing at the end */
    std::optional<Time> GetNextRequest() const;

    /**
     * @brief Take the request that is due.
     * @param now the time
     * @return the request; nothing when the time is over, and the state is FAILED
     */
    std::optional<UdtHandshake> Request(Time now);

    /**
     * @brief A packet of the peer arrives.
     * @param now the time
     * @param packet the packet
     * @return what to answer at once; nothing when GetNextRequest() gives it, or nothing is due
     */
    std::optional<UdtHandshake> OnHandshake(Time now, const UdtHandshake& packet);

    /** @brief Get where the end stands. @return the state */
    State GetState() const;

    /** @brief Get what the peer offers. @return it; what this end offers before CONNECTED */
    const UdtHandshake& GetPeer() const;

  private:
    UdtHandshake m_request;          //!< what leaves next
    UdtHandshake m_peer;             //!< the peer's
    uint32_t m_headers;              //!< of IP, UDP and UDT, B
    State m_state{State::REQUESTED}; //!< where the end stands
    Time m_start;                    //!< of the set-up
    std::optional<Time> m_next;      //!< next request
};

} // namespace ns3::lfn

#endif // UDT_RENDEZVOUS_H
