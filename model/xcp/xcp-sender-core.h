// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_SENDER_CORE_H
#define XCP_SENDER_CORE_H

#include "xcp-controller.h"

#include "ns3/data-rate.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The window of an XCP sender and what its packets ask for (Katabi et al., section 3.4;
 * draft-falk-xcp-spec-03, section 4.1).
 *
 * Pure arithmetic: without packets, sockets and simulator. Times are in seconds, sizes in bytes,
 * and the window has fractions. TCP keeps a window of its own, in whole bytes, which loss recovery
 * changes at will; SetWindow() takes that over.
 */
class XcpSenderCore
{
  public:
    static constexpr double MAX_WINDOW = 1U << 30; //!< the largest that TCP can offer, [B]

    /** @brief What the law depends on in addition to its own state. */
    struct Sight
    {
        double now{0};           //!< time, [s]
        double srtt{0};          //!< smoothed RTT, [s]; 0: unknown
        double mss{0};           //!< a segment's payload, [B]
        double inFlight{0};      //!< sent and not acknowledged since the last call, [B]
        double initialWindow{0}; //!< what a connection begins with, [B]
    };

    /** @brief What the flow demands, and how fast it gives up what it does not use. */
    struct Settings
    {
        DataRate desiredRate{0}; //!< rate that the application could use
        double agingWeight{0};   //!< p of allowed = (1 - p) allowed + p actual, 0 to 1
        bool isUndivided{false}; //!< all of desiredRate is asked for with each packet
    };

    /** @brief Set the settings. */
    void Configure(const Settings& settings);

    /** @brief Begin again. */
    void Reset();

    /**
     * @brief Take over a window that somebody else has set.
     * @param bytes the window, [B]
     */
    void SetWindow(double bytes);

    /** @brief Get the window. @return its size with fractions, [B] */
    double GetWindow() const;

    /**
     * @brief Time has passed: close the rounds of an RTT that are over, and after each in which the
     * window was never full let it shrink towards what was used, but not below the initial window:
     * that much a flow may send without having received the path (RFC 5681, section 4.1).
     * @param sight what is known; inFlight is what it has been since the last call
     */
    void Advance(const Sight& sight);

    /**
     * @brief Begin a new round; what the last one used does not count. The window counts as grown
     * for two rounds: what a recovery leaves in flight stands in bursts, and would stay so.
     * @param sight what is known
     */
    void RestartRound(const Sight& sight);

    /**
     * @brief Obey feedback.
     * @param feedback change of throughput, [B/s]
     * @param sight what is known
     */
    void OnFeedback(double feedback, const Sight& sight);

    /**
     * @brief Check whether the window has grown fast since the round before the present one began:
     * what was granted then may have come with few acknowledgements, and would leave as a burst.
     * @param share growth that is fast, over the window
     * @return true when it has grown by more
     */
    bool IsGrowing(double share) const;

    /**
     * @brief Check whether the application, or the receiver's window, holds the flow back.
     * @param sight what is known; inFlight without the packet to be sent
     * @return true when the window was not full in this round nor the one before
     */
    bool IsApplicationLimited(const Sight& sight) const;

    /**
     * @brief Get what the header of the packet to be sent says.
     * @param sight what is known; inFlight without that packet
     * @param receiverWindow the receiver's window, [B]
     * @return X, RTT and Delta_Throughput; all 0 before the first RTT sample
     */
    XcpDemand MakeDemand(const Sight& sight, double receiverWindow) const;

  private:
    /**
     * @brief Let the window shrink.
     * @param used what was used of it, [B]
     * @param rounds for how many rounds
     * @param least window that may always be kept, [B]
     */
    void Age(double used, double rounds, double least);

    Settings m_settings;        //!< see Configure()
    double m_window{0};         //!< allowed in flight, [B]
    double m_roundStart{-1};    //!< of the present round, [s]; negative: none yet
    double m_peak{0};           //!< most in flight in this round, [B]
    bool m_wasFull{false};      //!< the window was full in this round
    bool m_wasFullBefore{true}; //!< and in the one before; a new flow is taken for greedy
    double m_roundWindow{0};    //!< the window as this round began, [B]
    double m_formerWindow{0};   //!< as the one before began, [B]
};

} // namespace ns3::lfn

#endif // XCP_SENDER_CORE_H
