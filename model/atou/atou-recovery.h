// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_RECOVERY_H
#define ATOU_RECOVERY_H

#include "atou-congestion.h"
#include "atou-options.h"
#include "atou-output.h"
#include "atou-state.h"
#include "atou-statistics.h"
#include "atou-timer.h"

#include <cstdint>
#include <functional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Loss detection and recovery: what a sender does on an ACK and after a timeout.
 *
 * It works on the parts of the sender that it is given. The rule of sending (section 3.1) is here,
 * since it depends on what is thought to be under way.
 */
class AtouRecovery
{
  public:
    /** @brief The parts of a sender. */
    struct Parts
    {
        AtouState& state;                             //!< its state
        const AtouOptions& options;                   //!< its options
        AtouCongestion& congestion;                   //!< its congestion control
        AtouStatistics& statistics;                   //!< its counters
        AtouOutput& output;                           //!< takes what is to be sent
        AtouTimer& timer;                             //!< its retransmission timer
        std::function<void(const AtouEvent&)> report; //!< takes events; fills in time and delta
    };

    /**
     * @brief Constructor.
     * @param parts the parts of the sender; they outlive the recovery
     */
    explicit AtouRecovery(Parts parts);
    virtual ~AtouRecovery() = default;

    AtouRecovery(const AtouRecovery&) = delete;
    AtouRecovery& operator=(const AtouRecovery&) = delete;

    /**
     * @brief Take an ACK at una.
     * @param ack the acknowledgement
     */
    virtual void OnDuplicateAck(const AtouAck& ack) = 0;

    /**
     * @brief Take an ACK above una, before una moves and the window grows.
     * @param ack the acknowledgement
     */
    virtual void OnNewAck(const AtouAck& ack) = 0;

    /** @brief Recover after a timeout; the window was cut. */
    virtual void OnTimeout() = 0;

    /** @brief Check whether the window is not to grow now. @return true in SACK recovery */
    virtual bool FreezesWindow() const;

    /** @brief Send what the window allows (section 3.1). */
    void Send();

  protected:
    /** @brief Compute how much more the window allows. @return segments; may be negative */
    virtual double GetUsable() const;

    /** @brief Send one segment. @return false when there is nothing to send */
    virtual bool SendOne();

    /**
     * @brief Report a segment that is retransmitted, and count it.
     * @param segment its number
     * @param kind the event
     */
    void ReportRetransmission(uint32_t segment, AtouEvent::Kind kind) const;

    /** @brief Go back N: retransmit from una on. */
    void GoBack();

    Parts m_parts; //!< of the sender
};

} // namespace ns3::lfn

#endif // ATOU_RECOVERY_H
