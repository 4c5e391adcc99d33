// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_EXPIRATION_H
#define UDT_EXPIRATION_H

#include "udt-estimates.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief The EXP timer of both ends, and when a silent end looks at its timers (UDT-17, UDT-36).
 */
class UdtExpiration
{
  public:
    /** @brief What can be set. */
    struct Settings
    {
        Time syn{MilliSeconds(10)};      //!< SYN
        Time minimum{MilliSeconds(300)}; //!< least time, times the number of expirations
        uint32_t deadCount{16};          //!< expirations that are borne
        Time deadTime{Seconds(5)};       //!< and a silence that is borne
        Time patience{0};                //!< UDT3: deadTime is of the whole silence, and this
                                         //!< silence ends the connection in any case; 0: UDT4
        Time check{MilliSeconds(100)};   //!< a silent end looks at its timers; 0: exact timers
        bool restarts{true};             //!< an expiration begins another wait; otherwise all
                                         //!< waits begin at the last arrival (SRT)
        Time each{0};                    //!< added to RTT + 4 RTTVar
    };

    /** @brief What has become of the timer. */
    enum class Outcome : uint8_t
    {
        WAITING, //!< it runs
        EXPIRED, //!< it has expired and runs again
        DEAD     //!< the peer is gone
    };

    /** @brief An EXP timer with the default settings. */
    UdtExpiration() = default;

    /**
     * @brief An EXP timer that starts.
     * @param settings what was set
     * @param now the time
     */
    UdtExpiration(const Settings& settings, Time now);

    /**
     * @brief A packet of the peer arrives.
     * @param now the time
     */
    void OnArrival(Time now);

    /**
     * @brief Look at the timer.
     * @param now the time
     * @param rtt the round-trip time
     * @return what has become of it
     */
    Outcome Check(Time now, const UdtRttEstimator& rtt);

    /**
     * @brief Get when to look at the timers if nothing arrives before.
     * @param exact next of the end's other timers, which counts with check 0 only
     * @param rtt the round-trip time
     * @return the time
     */
    Time GetNextCheck(Time exact, const UdtRttEstimator& rtt) const;

  private:
    /**
     * @brief Whether the silence has lasted too long.
     * @param now the time
     * @param rtt the round-trip time
     * @return whether the peer is gone
     */
    bool IsDead(Time now, const UdtRttEstimator& rtt) const;

    /**
     * @brief Get when the timer expires.
     * @param rtt the round-trip time
     * @return the time
     */
    Time GetExpiry(const UdtRttEstimator& rtt) const;

    Settings m_settings; //!< what was set
    uint32_t m_count{1}; //!< n of the expiration that is awaited
    Time m_lastResponse; //!< last arrival, or last expiration
    Time m_lastCheck;    //!< when the timers were looked at
};

} // namespace ns3::lfn

#endif // UDT_EXPIRATION_H
