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
 * @brief Vegas as atou has it (section 3.7): once a round trip it computes delta, the segments that
 *        wait in queues, and says what to do about them.
 *
 * delta = flight - sent minrtt / R: what is under way less what would be at the actual rate. It
 * differs from Brakmo's and ns-2's: R is of a choosable kind, delta is no whole number, gamma is
 * looked at every round trip and until the first loss only, the window shrinks by the increment
 * spread over a round trip.
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
     * @brief See an ACK; the one that ends an epoch gives a new delta.
     * @param state the sender's state, una not yet advanced
     * @param ack the acknowledgement
     */
    void Observe(const AtouState& state, const AtouAck& ack);

    /** @brief A loss: be off until the end of the recovery, and leave slow starts alone. */
    void TakeLoss();

    /** @brief A timeout: leave slow starts alone from now on. */
    void TakeTimeout();

    /**
     * @brief Recovery is over: count epochs anew.
     * @param nxt the next segment to send
     */
    void EndRecovery(uint32_t nxt);

    /**
     * @brief Tell whether Vegas has a say in slow start: its first one, gamma exceeded now or
     * before.
     * @return true when SlowStart() is to be used
     */
    bool HasLeftSlowStart() const;

    /**
     * @brief Do what is to be done in slow start when gamma is exceeded.
     * @param state the sender's state: cwnd changes, ssthresh too unless slow start goes on limited
     */
    void SlowStart(AtouState& state);

    /**
     * @brief Steer congestion avoidance.
     * @param increment growth a round trip, segments
     * @return the growth to take: the same, 0, or as much less than 0
     */
    double Steer(double increment) const;

    /** @brief Count an ACK that made the window shrink. */
    void CountDecrease();

    /**
     * @brief Get the latest delta.
     * @return segments
     */
    double GetDelta() const;

    /**
     * @brief Get the largest delta.
     * @return segments
     */
    double GetMaxDelta() const;

    /**
     * @brief Get the round-trip time that the latest delta was computed with.
     * @return R, s
     */
    double GetRtt() const;

    /**
     * @brief Count the ACKs in slow start after gamma was exceeded.
     * @return vsscnt
     */
    uint64_t GetSlowStarts() const;

    /**
     * @brief Count the ACKs that made the window shrink.
     * @return vdecr
     */
    uint64_t GetDecreases() const;

  private:
    /**
     * @brief Get the chosen kind of round-trip time of the epoch.
     * @return R, s
     */
    double ChooseRtt() const;

    Settings m_settings;      //!< what holds for the whole transfer
    AtouEpoch m_epoch;        //!< the round trip under way
    Time m_base{Time::Max()}; //!< smallest round-trip time of the run
    double m_delta{0};        //!< latest, segments
    double m_maxDelta{0};     //!< largest, segments
    double m_rtt{0};          //!< R of the latest, s
    bool m_isOn;              //!< it is used, and no recovery is under way
    bool m_isFirst{true};     //!< no loss yet
    bool m_hasFired{false};   //!< gamma was exceeded in slow start
    bool m_skips{false};      //!< slow start was just left: no steering before the next delta
    uint64_t m_slowStarts{0}; //!< vsscnt
    uint64_t m_decreases{0};  //!< vdecr
};

} // namespace ns3::lfn

#endif // ATOU_VEGAS_H
