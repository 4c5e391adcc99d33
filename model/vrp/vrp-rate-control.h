// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_RATE_CONTROL_H
#define VRP_RATE_CONTROL_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <deque>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief How fast a sender may send when competing with TCP: TFRC (RFC 5348), computed at the
 * sender.
 *
 * The report has no congestion control (section 4.3). TFRC sends no faster than a TCP would at the
 * same RTT and rate of loss events, and changes its rate smoothly. The receiver of VRP
 * reports the sender every loss it sees, by a NACK or as an accepted loss, so the sender counts
 * loss events itself (RFC 5348, section 1: "sender-based variant"); timers that expire count as
 * well. One object serves all frames of a sender.
 *
 * Left out: the optional damping of oscillations (section 4.5) and ECN.
 */
class VrpRateControl
{
  public:
    /**
     * @brief Start at the initial rate: 4 packets or 4380 bytes per RTT (section 4.2).
     * @param packetBytes s, size of a full packet, B
     * @param rtt first round-trip time
     * @param now the time
     */
    void Start(uint32_t packetBytes, Time rtt, Time now);

    /**
     * @brief Space the packets: book the departure of the next one.
     * @param bytes its size, B
     * @param now the time
     * @return when it may leave, not before now
     */
    Time Depart(uint32_t bytes, Time now);

    /** @brief A data packet has left. @return its place among all that have left, from 1 */
    uint64_t Sent();

    /**
     * @brief There is data that may not leave yet: the rate, the window or the host holds it back.
     *
     * An interval without such a moment is data-limited (section 8.2.1).
     *
     * @param now the time
     */
    void HeldBack(Time now);

    /**
     * @brief A data packet has come.
     * @param order what Sent() gave
     * @param bytes its size, B
     * @param sent when it was sent
     */
    void Came(uint64_t order, uint32_t bytes, Time sent);

    /**
     * @brief A data packet is lost: a new loss event, or part of the last one when it was sent
     *        within an RTT of that one's first packet (section 5.2).
     * @param order what Sent() gave
     * @param sent when it was sent
     * @param now the time
     */
    void Lost(uint64_t order, Time sent, Time now);

    /**
     * @brief Something was received: compute the rate again (section 4.3).
     * @param rtt R, smoothed round-trip time
     * @param now the time
     */
    void OnFeedback(Time rtt, Time now);

    /** @brief Get the allowed sending rate. @return X, B/s */
    double GetRate() const;

    /** @brief Get the loss event rate (section 5.4). @return p; 0 before the first loss */
    double GetLossEventRate() const;

    /**
     * @brief TCP's throughput equation with b = 1 and t_RTO = 4 R (section 3.1).
     * @param packetBytes s, B
     * @param rtt R, s
     * @param lossEventRate p, above 0
     * @return X_Bps, B/s
     */
    static double Throughput(double packetBytes, double rtt, double lossEventRate);

    /**
     * @brief Get the loss event rate at which the equation gives a rate (section 6.3.1).
     * @param packetBytes s, B
     * @param rtt R, s
     * @param rate X_Bps, B/s
     * @return p, between 1e-8 and 1
     */
    static double FindLossEventRate(double packetBytes, double rtt, double rate);

  private:
    /** @brief Get the least rate: a packet in 64 s (section 4.3, t_mbi). */
    double GetLeast() const;

    /** @brief Get the initial rate (section 4.2). */
    double GetInitial() const;

    /** @brief Get the largest rate of X_recv_set; 0 when not known. */
    double GetReceiveRate() const;

    /**
     * @brief Take a new X_recv: the limit that it sets, by whether the interval was data-limited.
     * @param rate X_recv, B/s
     * @param now the time
     */
    void OnReceiveRate(double rate, Time now);

    /** @brief Check whether nothing was held back between two packets that came. */
    bool IsDataLimited() const;

    double m_packetBytes{1};        //!< s, B
    double m_rtt{1};                //!< R, s
    double m_rate{0};               //!< X, B/s
    Time m_free;                    //!< when the next packet may leave
    uint64_t m_sent{0};             //!< packets that have left
    uint64_t m_came{0};             //!< the last of them that is known to have come
    bool m_lossSeen{false};         //!< there was a loss event
    uint64_t m_eventOrder{0};       //!< first packet of the last loss event
    Time m_eventSent;               //!< when it was sent
    std::deque<double> m_intervals; //!< closed loss intervals, packets, latest first
    std::deque<double> m_received;  //!< X_recv_set, rates at which packets came, B/s, latest first
    double m_receiveLimit{0};       //!< recv_limit, B/s; 0 when not known
    bool m_isNewLoss{false};        //!< a loss event began since the last X_recv
    double m_lastLossRate{0};       //!< p at the last X_recv
    Time m_cameSent;                //!< t_recvdata: when the newest packet that came was sent
    Time m_covered;                 //!< t_new: m_cameSent at the last X_recv
    Time m_covering;                //!< t_next: when the last X_recv was taken
    std::array<Time, 2> m_heldBack; //!< not_limited1 and not_limited2
    uint64_t m_cameBytes{0};        //!< what came since m_measured, B
    Time m_measured;                //!< when the last of these rates was taken
    Time m_doubled;                 //!< when slow start doubled last
    Time m_lastReceived;            //!< when something was received last
};

} // namespace ns3::lfn

#endif // VRP_RATE_CONTROL_H
