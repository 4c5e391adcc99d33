// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_METER_H
#define ATOU_METER_H

#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Keeps account of the congestion window of an AtouClient, or of the TcpSource that it is
 * compared with, over time; in segments.
 */
class AtouMeter
{
  public:
    /**
     * @brief Constructor: listens to a sender.
     * @param sender an AtouClient or a TcpSource
     * @param full what the receiver's window limits the window to [segments]
     */
    AtouMeter(Ptr<TransferApplication> sender, double full);

    AtouMeter(const AtouMeter&) = delete;
    AtouMeter& operator=(const AtouMeter&) = delete;

    /** @brief Get the present window [segments]. */
    double GetWindow() const;

    /**
     * @brief Get the mean window from the simulation's start to a time.
     * @param until the time, at which the window is the present one
     * @return segments
     */
    double GetMean(Time until) const;

    /** @brief Get the largest window [segments]. */
    double GetLargest() const;

    /** @brief Get when the window first was full [s]; negative when it was not. */
    double GetFullAt() const;

    /** @brief Get the last round-trip time; 0 before the first. */
    Time GetRtt() const;

  private:
    /** @brief atou's window has changed [segments]. */
    void OnSegments(double before, double now);

    /** @brief TCP's window has changed [B]. */
    void OnBytes(uint32_t before, uint32_t now);

    /** @brief There is a sample of the round-trip time. */
    void OnRtt(Time before, Time now);

    double m_full;            //!< limit of the window
    double m_segmentBytes{1}; //!< user bytes of TCP's segments
    double m_window{0};       //!< the window
    double m_since{0};        //!< since when, s
    double m_integral{0};     //!< segments times seconds
    double m_largest{0};      //!< the largest window
    double m_fullAt{-1};      //!< when the limit was reached, s
    Time m_rtt;               //!< the last round-trip time
};

} // namespace ns3::lfn

#endif // ATOU_METER_H
