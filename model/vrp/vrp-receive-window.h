// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_RECEIVE_WINDOW_H
#define VRP_RECEIVE_WINDOW_H

#include "vrp-tolerance.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * The receiver's loss accounting: what both algorithms share (report, sections 2.2.2 and 2.3.4).
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief Packets of one incoming frame: which came, which losses are accepted, which are demanded.
 *
 * Names are the report's. The state array grows with the highest packet received, not with what
 * the frame header announces.
 */
class VrpReceiveWindow
{
  public:
    /** @brief What does not change during a frame. */
    struct Limits
    {
        uint32_t packets{0};                     //!< packets of the frame
        uint32_t historyWindow{64};              //!< window_size: the history window, packets
        uint32_t maxLosses{0};                   //!< accepted losses in a history window
        std::optional<uint32_t> maxBurst;        //!< accepted consecutive losses
        std::vector<VrpPacketInterval> critical; //!< required packets, ascending, disjoint
        uint32_t maxGap{4096};      //!< packets further than this after next_exp are refused
        bool ackAcceptedLoss{true}; //!< SINGLE_ACK for accepted losses (ambiguity C6)
        bool ackRepeats{true};      //!< SINGLE_ACK also for what came by NACK or came twice
        bool takeLateLoss{true};    //!< an accepted loss that comes late is taken (ambiguity C2)
        bool nackWholeGap{false};   //!< basic algorithm: NACK all of a gap that is too large
    };

    /** @brief What to do with a packet that has come. */
    enum class Outcome
    {
        STORE,        //!< its data belong into the frame
        DUPLICATE,    //!< they are there already, or the frame is complete without them
        REFUSED,      //!< the basic algorithm takes it neither as wait_point nor as new
        OUT_OF_RANGE, //!< its number lies outside the frame, or too far ahead
    };

    /** @brief What to answer; collects over several packets until it is cleared. */
    struct Answer
    {
        std::vector<uint32_t> nacks;        //!< packets to demand, ascending
        std::vector<uint32_t> acceptedAcks; //!< SINGLE_ACK for losses just accepted, ascending
        std::vector<uint32_t> singleAcks;   //!< SINGLE_ACK for packets that came
    };

    /**
     * @brief A window for a frame.
     * @param limits what does not change
     */
    explicit VrpReceiveWindow(const Limits& limits);
    virtual ~VrpReceiveWindow() = default;

    /**
     * @brief Take the arrival of a packet into account.
     * @param packet its number
     * @param answer gets what to answer
     * @return what to do with its data
     */
    virtual Outcome OnPacket(uint32_t packet, Answer& answer) = 0;

    /**
     * @brief Check whether every packet is there or accepted as lost.
     * @return true when wait_point has reached the end
     */
    bool IsComplete() const;

    /** @brief Get wait_point. @return the lowest outstanding packet, or next_exp when none is */
    uint32_t GetWaitPoint() const;

    /** @brief Get next_exp. @return the packet after the highest one received */
    uint32_t GetNextExpected() const;

    /**
     * @brief Get loss_cnt.
     * @return accepted losses among the history window's packets: before next_exp (anticipating)
     *         or before wait_point (basic)
     */
    uint32_t GetLossCount() const;

    /**
     * @brief Get the value of the cumulative ACK (ambiguity C5).
     * @return wait_point - 1, inclusive; nothing while wait_point is 0
     */
    std::optional<uint32_t> GetCumulativeAck() const;

    /**
     * @brief Check whether a packet has been received.
     * @param packet its number
     * @return true if it has
     */
    bool IsReceived(uint32_t packet) const;

    /**
     * @brief Check whether a packet is received or an accepted loss.
     * @param packet its number
     * @return true if it is
     */
    bool IsValid(uint32_t packet) const;

    /**
     * @brief Check whether a packet has been demanded and has not come yet.
     * @param packet its number
     * @return true if it has
     */
    bool IsWaiting(uint32_t packet) const;

    /**
     * @brief Check whether a packet must not be lost.
     * @param packet its number
     * @return true if it is critical
     */
    bool IsRequired(uint32_t packet) const;

    /**
     * @brief Get the number of accepted losses of the whole frame.
     * @return packets that are valid and have not been received
     */
    uint32_t GetAcceptedLosses() const;

    /**
     * @brief List the accepted losses; to be asked once, when the frame is complete.
     * @return ascending intervals, touching ones merged
     */
    std::vector<VrpPacketInterval> GetLostPackets() const;

    /** @brief Get the size of the state array. @return bytes */
    uint64_t GetMemory() const;

  protected:
    /** @brief State of a packet (section 2.3.4). */
    struct Cell
    {
        bool received : 1; //!< it has come
        bool valid : 1;    //!< it has come or may be missing
        bool waiting : 1;  //!< it has been demanded
    };

    /**
     * @brief Refuse what lies outside the frame or too far ahead; otherwise make its cell.
     * @param packet its number
     * @return false when it is refused
     */
    bool Admit(uint32_t packet);

    /**
     * @brief Take an accepted loss that comes after all (ambiguity C2).
     * @param packet its number, valid but not received
     * @param counted whether loss_cnt still counts it
     * @return what to do with its data
     */
    Outcome OnLatePacket(uint32_t packet, bool counted);

    /**
     * @brief Check whether a packet is critical, without a search.
     * @param packet its number, never lower than at the call before
     * @return true if it is
     */
    bool Require(uint32_t packet);

    Limits m_limits;              //!< what does not change
    std::vector<Cell> m_cells;    //!< a packet each, up to the highest admitted
    uint32_t m_waitPoint{0};      //!< wait_point
    uint32_t m_nextExpected{0};   //!< next_exp
    uint32_t m_lossCount{0};      //!< loss_cnt
    uint32_t m_acceptedLosses{0}; //!< of the whole frame
    std::size_t m_criticalAt{0};  //!< interval that Require() looked at last
};

} // namespace ns3::lfn

#endif // VRP_RECEIVE_WINDOW_H
