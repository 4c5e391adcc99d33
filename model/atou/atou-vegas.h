// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_VEGAS_H
#define ATOU_VEGAS_H

#include "atou-epoch.h"
#include "atou-options.h"
#include "atou-state.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Vegas as atou has it (section 3.7): once per RTT it computes delta, the segments that
 *        wait in queues, and says what to do about them.
 *
 * delta = flight - sent minrtt / R: what is under way less what would be at the actual rate. It
 * differs from Brakmo's and ns-2's: R is of a choosable kind, delta is no whole number, gamma is
 * looked at every RTT and until the first loss only, the window shrinks by the increment
 * spread over an RTT. delta is computed when Vegas is off as well, with the last RTT, and is
 * reported.
 */
class AtouVegas
{
  public:
    /** @brief What holds for the whole transfer. */
    struct Settings
    {
        AtouOptions::VegasRtt rtt{AtouOptions::VegasRtt::OFF};       //!< the kind of R
        double alpha{1};                                             //!< grow up to it, segments
        double beta{3};                                              //!< shrink above it, segments
        double gamma{1};                                             //!< leave slow start, segments
        AtouOptions::VegasExit exit{AtouOptions::VegasExit::EIGHTH}; //!< how
    };

    /**
     * @brief Constructor.
     * @param settings what holds for the whole transfer
     */
    explicit AtouVegas(const Settings& settings);

    /**
     * @brief Go on with other settings.
     * @param settings what holds from now on
     */
    void SetSettings(const Settings& settings);

    /**
     * @brief Compute delta again: an RTT has ended.
     * @param state the sender's state, una not yet advanced
     * @param epoch the RTT, with its last time
     */
    void OnEpoch(const AtouState& state, const AtouEpoch& epoch);

    /** @brief RTTs are measured again, after a loss or an exit: leave slow starts alone. */
    void Resume();

    /**
     * @brief Check whether Vegas has a say in slow start: its first one, gamma exceeded now or
     * before.
     * @param state the sender's state
     * @return true when SlowStart() is to be used
     */
    bool HasLeftSlowStart(const AtouState& state) const;

    /**
     * @brief Do what is to be done in slow start when gamma is exceeded.
     * @param state the sender's state: cwnd changes; unless slow start goes on limited, ssthresh
     *        too, and RTTs are not measured until the next ACK
     */
    void SlowStart(AtouState& state);

    /**
     * @brief Steer congestion avoidance.
     * @param state the sender's state
     * @param increment growth per RTT, segments
     * @return the growth to take: the same, 0, or as much less than 0
     */
    double Steer(const AtouState& state, double increment);

    /** @brief Get the latest delta. @return segments */
    double GetDelta() const;

    /** @brief Get the largest delta. @return segments */
    double GetMaxDelta() const;

    /** @brief Get the round-trip time that the latest delta was computed with. @return R, s */
    double GetRtt() const;

    /** @brief Count how often gamma was exceeded in slow start. @return vsscnt */
    uint64_t GetSlowStarts() const;

    /** @brief Count the ACKs that made the window shrink. @return vdecr */
    uint64_t GetDecreases() const;

    /** @brief Count the ACKs that made the window stay. @return v0 */
    uint64_t GetHolds() const;

  private:
    /**
     * @brief Get the chosen kind of round-trip time.
     * @param epoch the RTT
     * @return R, s
     */
    double ChooseRtt(const AtouEpoch& epoch) const;

    Settings m_settings;      //!< what holds for the whole transfer
    double m_delta{0};        //!< latest, segments
    double m_maxDelta{0};     //!< largest, segments
    double m_rtt{0};          //!< R of the latest, s
    bool m_isOn;              //!< it is used
    bool m_isFirst{true};     //!< no loss yet, nor an exit
    bool m_hasFired{false};   //!< gamma was exceeded in this slow start
    uint64_t m_slowStarts{0}; //!< vsscnt
    uint64_t m_decreases{0};  //!< vdecr
    uint64_t m_holds{0};      //!< v0
};

} // namespace ns3::lfn

#endif // ATOU_VEGAS_H
