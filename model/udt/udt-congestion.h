// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_CONGESTION_H
#define UDT_CONGESTION_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief A connection's state for a congestion control.
 */
struct UdtPathState
{
    uint32_t rttUs{100000};    //!< smoothed round-trip time, us
    uint32_t arrivalRate{16};  //!< R, packets/s at the receiver, smoothed
    uint32_t capacity{1};      //!< L of the link, packets/s, smoothed
    uint32_t mss{1500};        //!< packet with IP and UDP headers, B
    uint32_t peerWindow{8192}; //!< largest flow window, packets
    uint32_t initial{0};       //!< sequence number of packet 0
    int64_t largestSent{-1};   //!< largest packet sent
    uint32_t flowWindow{8192}; //!< flow window that the last acknowledgement gave, packets
    int64_t lost{0};           //!< packets that wait for their retransmission
    uint32_t leastGapUs{0};    //!< least time between two departures so far, us; 0 for unknown
};

/**
 * @ingroup lfn-udt
 * @brief A congestion control of UDT: turns events into a sending period and a window (draft,
 *        section 7; UDT-54).
 *
 * Independent of sockets and simulator.
 */
class UdtCongestion
{
  public:
    virtual ~UdtCongestion() = default;

    /**
     * @brief The connection stands.
     * @param now the time
     */
    virtual void OnStart([[maybe_unused]] Time now)
    {
    }

    /**
     * @brief A full acknowledgement arrives.
     * @param now the time
     * @param next packet that the receiver expects next
     * @param path the connection, the acknowledgement taken into account
     */
    virtual void OnAck(Time now, int64_t next, const UdtPathState& path) = 0;

    /**
     * @brief A loss report arrives.
     * @param first first packet in it
     * @param path the connection
     * @return how long to send nothing; 0 for no pause
     */
    virtual Time OnLoss(int64_t first, const UdtPathState& path) = 0;

    /**
     * @brief The peer has been silent for too long.
     * @param path the connection
     */
    virtual void OnTimeout(const UdtPathState& path) = 0;

    /** @brief Get P, the time between two packets. @return us */
    virtual double GetPeriod() const = 0;

    /** @brief Get W, the congestion window. @return packets */
    virtual double GetWindow() const = 0;
};

} // namespace ns3::lfn

#endif // UDT_CONGESTION_H
