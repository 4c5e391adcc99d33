// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_RESPONSE_H
#define ATOU_RESPONSE_H

#include <cstddef>
#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief How fast the window grows and how far it falls: increment and multiplier, fixed (AIMD) or
 *        looked up from the window (HighSpeed TCP), and Scalable TCP's growth an ACK.
 *
 * What was looked up last holds until the window leaves the row, whose edges both belong to it, as
 * in the original. The first row has the configured increment and multiplier until it is left.
 */
class AtouResponse
{
  public:
    /** @brief What holds for the whole transfer. */
    struct Settings
    {
        double increment{1};    //!< growth per RTT, segments
        double multiplier{0.5}; //!< cwnd times this on loss
        bool floyd{false};      //!< both are looked up from cwnd (RFC 3649)
        double kai{0};          //!< Scalable TCP's growth an ACK, segments; 0: off
    };

    /**
     * @brief Constructor.
     * @param settings what holds for the whole transfer
     */
    explicit AtouResponse(const Settings& settings);

    /**
     * @brief Look the parameters up, if they depend on the window.
     * @param cwnd the window, segments
     * @return true when they have changed
     */
    bool LookUp(double cwnd);

    /** @brief Get the growth per RTT. @return segments */
    double GetIncrement() const;

    /** @brief Get what a loss leaves. @return a factor */
    double GetMultiplier() const;

    /**
     * @brief Get the row of the HighSpeed table that the parameters are from.
     * @return its number, from 1
     */
    uint32_t GetRow() const;

    /**
     * @brief Grow for an ACK in congestion avoidance.
     * @param cwnd the window, segments
     * @param increment growth per RTT; Vegas makes it 0 or negative
     * @return what it grows by, segments; kai overrides any smaller growth, Vegas' shrinking too
     */
    double Step(double cwnd, double increment) const;

  private:
    Settings m_settings;  //!< with what was looked up last
    std::size_t m_row{0}; //!< of the table, from 0
};

} // namespace ns3::lfn

#endif // ATOU_RESPONSE_H
