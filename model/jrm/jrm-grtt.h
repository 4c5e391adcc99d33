// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_GRTT_H
#define JRM_GRTT_H

#include "ns3/lfn-drop-reason.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief A sender's estimate of the longest RTT to its group (option; RFC 5740, section
 *        5.5.1; deviation JRM-D19).
 *
 * The sender sends probes, receivers answer and say how long they held the answer back. The
 * estimate follows the largest RTT at once when it rises; when it falls, by a tenth at most
 * from probe to probe, down to the largest one that was answered since the probe before. Probes
 * carry the estimate to the group.
 */
class JrmGrtt
{
  public:
    /** Reported in a probe where nothing is known yet. */
    static constexpr uint16_t UNKNOWN = 0;
    /** The largest number that reports an estimate. */
    static constexpr uint16_t MOST = 256;

    /** @brief How often is probed, and what is believed. */
    struct Settings
    {
        Time firstWait{MilliSeconds(100)}; //!< between the first two probes; doubles
        Time longestWait{Seconds(10)};     //!< where doubling ends
        Time longest{Seconds(2)};          //!< an RTT that took longer counts as this
    };

    /** @brief Nothing is known; a probe is due, with the default settings. */
    JrmGrtt() = default;

    /**
     * @brief Nothing is known; a probe is due.
     * @param settings how often is probed, and what is believed
     */
    explicit JrmGrtt(const Settings& settings);

    /**
     * @brief Check whether a probe is due.
     * @param now the time
     * @return true when the wait after the last one is over
     */
    bool IsDue(Time now) const;

    /**
     * @brief A probe is sent: the estimate falls if it should, and the next wait begins.
     * @param number a number that nobody can guess, which answers have to carry
     * @param now the time
     * @return what the probe reports the estimate: Quantise()d, or UNKNOWN
     */
    uint16_t Probe(uint32_t number, Time now);

    /**
     * @brief Take an answer.
     * @param number the number that it carries
     * @param held how long the receiver says that it held it back
     * @param now the time
     * @return nothing when it was of use; otherwise why not: UNEXPECTED for a number that was not
     *         sent, or long ago; OUT_OF_RANGE when it was held longer than the probe is out
     */
    std::optional<DropReason> OnAnswer(uint32_t number, Time held, Time now);

    /** @brief Get the estimate. @return the longest RTT; nothing before the first answer */
    std::optional<Time> Get() const;

    /**
     * @brief Make a number of an RTT, as RFC 5740 does, and one more: steps of 8 %, of 1 us
     *        below 33 us.
     * @param rtt 1 us to 1000 s; what is beyond counts as that
     * @return 1 to MOST; of the next step that is no shorter
     */
    static uint16_t Quantise(Time rtt);

    /**
     * @brief Get the RTT that a number stands for.
     * @param number from a probe
     * @return nothing for UNKNOWN, and above MOST
     */
    static std::optional<Time> Restore(uint16_t number);

  private:
    /** @brief A probe that may be answered. */
    struct Sent
    {
        uint32_t number{0}; //!< its number
        Time at;            //!< when it was sent
    };

    Settings m_settings;            //!< how often is probed, and what is believed
    std::deque<Sent> m_probes;      //!< the newest probes
    Time m_wait;                    //!< after the last one
    std::optional<Time> m_estimate; //!< the longest RTT
    std::optional<Time> m_peak;     //!< the longest one since the last probe
};

} // namespace ns3::lfn

#endif // JRM_GRTT_H
