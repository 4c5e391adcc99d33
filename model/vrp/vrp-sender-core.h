// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_SENDER_CORE_H
#define VRP_SENDER_CORE_H

#include "vrp-header-packet.h"
#include "vrp-header.h"
#include "vrp-outgoing-frame.h"
#include "vrp-rtt-estimator.h"
#include "vrp-tolerance.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The frames of a sender: their numbers, their turns, their ends (sections 2.4.1 to 2.4.3).
 *
 * Frames take turns packet by packet, so that a small frame overtakes a big one. The numbers of
 * frames that have ended are kept until a frame header with their FRAME_CLOSE has arrived.
 */
class VrpSenderCore
{
  public:
    /** @brief What holds for all frames. */
    struct Settings : VrpOutgoingFrame::Settings
    {
        uint16_t packetSize{2048}; //!< data bytes of a packet
        uint32_t maxHeaderSize{0}; //!< largest frame header packet, B; 0: that of a data packet
        bool combineSmall{false};  //!< header and data in one packet where they fit
        uint32_t lifeTries{0};     //!< what is retransmitted, so often in a life at least; 0: any
        uint16_t firstNumber{0};   //!< number of the first frame (random)
    };

    /** @brief A frame under way. */
    struct Frame
    {
        std::unique_ptr<VrpOutgoingFrame> core; //!< its window and timers
        VrpHeaderPacket header;                 //!< its frame header
        bool ready{false};                      //!< it is in the queue of those to be asked
    };

    /** @brief What Next() found. */
    struct Turn
    {
        /** @brief What the frame whose turn it is requests. */
        enum class Kind
        {
            SEND, //!< send the step's packet
            WAIT, //!< be asked again at its deadline, unless something is received before
            END,  //!< be taken out: it has ended
        };

        Kind kind{Kind::WAIT};       //!< what it requests
        uint16_t number{0};          //!< the frame
        VrpOutgoingFrame::Step step; //!< the packet
    };

    /**
     * @brief Start again, without frames.
     * @param settings what holds for all frames
     * @param timeout the adaptive timeout that they share
     * @param rate the rate control that they share, or null
     */
    void Start(const Settings& settings,
               Ptr<VrpRttEstimator> timeout,
               std::shared_ptr<VrpRateControl> rate = nullptr);

    /**
     * @brief Create a frame.
     * @param bytes its size, B
     * @param tolerance what may be lost
     * @return its number; nothing when every number is in use
     */
    std::optional<uint16_t> Create(uint32_t bytes, const VrpTolerance& tolerance);

    /**
     * @brief Take the tags of a control packet; PONG is not for frames and is ignored.
     * @param number frame number of its header
     * @param tags the tags
     * @param now the time
     * @return false when none of them concerned a frame under way
     */
    bool OnTags(uint16_t number, std::span<const VrpTag> tags, Time now);

    /**
     * @brief Have a frame asked, since its deadline has come.
     * @param number the frame; one that has gone is ignored
     */
    void MakeReady(uint16_t number);

    /**
     * @brief Ask the frame whose turn it is.
     * @return what it requests; nothing when there is no frame to ask
     */
    std::optional<Turn> Next(Time now);

    /**
     * @brief What Next() said leaves only now.
     * @param number the frame; one that has gone is ignored
     * @param step its packet
     * @param now the time
     */
    void MarkLeft(uint16_t number, const VrpOutgoingFrame::Step& step, Time now);

    /**
     * @brief Take out a frame that has ended.
     * @param number the frame
     * @return the frame
     */
    Frame TakeOut(uint16_t number);

    /**
     * @brief Get a frame under way.
     * @param number its number; there must be one
     * @return the frame
     */
    const Frame& GetFrame(uint16_t number) const;

    /**
     * @brief End all frames badly; they are to be taken out by Next().
     * @param reason why, one line
     */
    void Abort(const std::string& reason);

    /** @brief Count the frames taken out. @return frames delivered or failed */
    uint64_t GetEnded() const;

    /**
     * @brief Count the frames taken out that failed.
     * @return frames refused, in error or timed out
     */
    uint64_t GetFailed() const;

    /**
     * @brief Say how many frames failed, and why the first one did.
     * @return one line; empty when none did
     */
    std::string GetFailure() const;

    /**
     * @brief Sum up what happened to all frames, those that have ended included.
     * @return the sum
     */
    VrpOutgoingFrame::Counters GetTotals() const;

    /**
     * @brief Make FRAME_CLOSE tags for ended frames, without a frame header (C17).
     * @param room bytes that the tags may take
     * @return the tags; those frames are then forgotten
     */
    std::vector<VrpTag> TakeCloses(uint32_t room);

  private:
    /**
     * @brief Take a tag that concerns a frame.
     * @param frame the frame
     * @param tag the tag
     * @param accepted a SINGLE_ACK stands for an accepted loss
     * @param now the time
     */
    static void OnTag(Frame& frame, const VrpTag& tag, bool accepted, Time now);

    /** @brief Find a frame number that is not in use. @return the number, or nothing */
    std::optional<uint16_t> FindNumber();

    Settings m_settings;                          //!< what holds for all frames
    Ptr<VrpRttEstimator> m_timeout;               //!< the adaptive timeout
    std::shared_ptr<VrpRateControl> m_rate;       //!< the rate control, or null
    std::unordered_map<uint16_t, Frame> m_frames; //!< frames under way
    std::deque<uint16_t> m_ready;                 //!< frames to be asked, in turn
    std::deque<uint16_t> m_unclosed;              //!< ended frames, FRAME_CLOSE to be sent
    uint16_t m_nextNumber{0};                     //!< number of the next frame
    VrpOutgoingFrame::Counters m_totals;          //!< of ended frames
    uint64_t m_ended{0};                          //!< frames taken out
    uint64_t m_failed{0};                         //!< those of them that failed
    std::string m_firstFailure;                   //!< why the first of them did
};

} // namespace ns3::lfn

#endif // VRP_SENDER_CORE_H
