// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TIMER_H
#define ATOU_TIMER_H

#include "ns3/nstime.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief The retransmission timer (section 3.9).
 *
 * The original program waits for an ACK for a tick at most, and looks at its timer after that: on
 * a silent path a retransmission waits for the first tick, from the last ACK, that is not before
 * the timer. An exact timer is looked at when it is due.
 */
class AtouTimer
{
  public:
    /** @brief What holds for the whole transfer. */
    struct Settings
    {
        Time timeout;        //!< from a restart to the expiry
        Time tick;           //!< longest wait for an ACK before the timer is looked at
        bool isExact{false}; //!< looked at when due, never later
    };

    /**
     * @brief Begin: restarted and looked at.
     * @param settings what holds for the whole transfer
     * @param now the time
     */
    void Start(const Settings& settings, Time now);

    /**
     * @brief Go on with other settings; the timeout under way stays.
     * @param settings what holds from now on
     */
    void SetSettings(const Settings& settings);

    /** @brief Wait for the timeout from now. */
    void Restart(Time now);

    /** @brief Wait for twice the timeout, as after an expiry; it is never backed off further. */
    void BackOff(Time now);

    /** @brief Look at the timer. @return true when it has expired */
    bool Look(Time now);

    /**
     * @brief Get the time of the next look.
     * @return when it is due, or a tick from the last look
     */
    Time GetNextCheck() const;

  private:
    Settings m_settings; //!< what holds for the whole transfer
    Time m_due;          //!< when it expires
    Time m_checked;      //!< when it was looked at last
};

} // namespace ns3::lfn

#endif // ATOU_TIMER_H
