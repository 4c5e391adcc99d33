// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_BLOCK_TABLE_H
#define VRP_BLOCK_TABLE_H

#include "vrp-frame-header.h"
#include "vrp-header.h"
#include "vrp-incoming-frame.h"
#include "vrp-received-frame.h"

#include "ns3/address.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ns3::lfn
{

/** @brief What a sender's frames came to at the receiver. */
struct VrpPeerTotals
{
    TransferReport report;         //!< bytes and times; control packets are the receiver's
    uint64_t frames{0};            //!< frames delivered
    uint64_t packets{0};           //!< packets of delivered frames
    uint64_t acceptedLosses{0};    //!< packets given up in delivered frames
    uint64_t nacks{0};             //!< packets demanded in delivered frames
    uint64_t duplicates{0};        //!< data packets that arrived redundantly, of all frames
    uint64_t longestBurstBytes{0}; //!< longest gap of a delivered frame, B
};

/**
 * @ingroup lfn-vrp
 * @brief The blocks of a receiver: incoming frames by sender and number, their lives and memory
 *        (sections 2.4.3 and 3.2.2).
 *
 * A block lives until its FRAME_CLOSE or until nothing was received of it for the life timeout. A
 * frame that was delivered is remembered for a while after that, so that what still comes of it is
 * answered and not delivered again (C18). Where all blocks are in use, that of the frame which was
 * delivered first makes room: what is remembered of it answers as well (VRP-D24).
 */
class VrpBlockTable
{
  public:
    /** @brief What holds for all blocks. */
    struct Settings
    {
        std::size_t maxIncoming{64};   //!< frames of a sender that are coming at once
        std::size_t maxBlocks{1024};   //!< blocks of all senders, delivered frames included
        uint32_t maxFrameSize{0};      //!< larger frames are refused, B
        Time frameTimeout;             //!< life timeout
        Time rememberTime;             //!< how long delivered frames are remembered
        VrpIncomingFrame::Rules rules; //!< the loss accounting
    };

    /** @brief Identity of a frame. */
    using Key = std::pair<Address, uint16_t>;

    /** @brief A block. */
    struct Block
    {
        std::unique_ptr<VrpIncomingFrame> frame; //!< the frame
        Time lastArrival;                        //!< when a packet of it came last
        std::list<Key>::iterator life;           //!< its place among the blocks
        std::list<Key>::iterator kept;           //!< its place among the delivered ones, if it is
        uint64_t memory{0};                      //!< what was counted for it, B
    };

    /** @brief A frame that is gone. */
    struct Finished
    {
        uint16_t number{0}; //!< number of the frame
        Time forget;        //!< when to forget it
    };

    /** @brief A sender. */
    struct Peer
    {
        Address address;                             //!< where it is
        std::unordered_map<uint16_t, Block> blocks;  //!< its frames
        std::unordered_map<uint16_t, uint32_t> done; //!< packets of frames remembered, by number
        std::deque<Finished> finished;               //!< the same, oldest first
        std::size_t incoming{0};                     //!< those of its frames that are coming
        uint16_t newest{0};                          //!< number of the newest frame
        VrpPeerTotals totals;                        //!< what its frames came to
    };

    /** @brief Set what holds for all blocks. */
    void SetSettings(const Settings& settings);

    /** @brief Find a sender. @return the sender, or null when it never had a frame created */
    Peer* FindPeer(const Address& address);

    /** @brief Find a sender. @return the sender, or null when it never had a frame created */
    const Peer* FindPeer(const Address& address) const;

    /**
     * @brief Create a frame, or answer for one that exists or is remembered.
     * @param header what the sender requests
     * @param from the sender
     * @param now the time
     * @return FRAME_OK, also for a repeated header (C7); FRAME_REFUSED when there is no room, the
     *         frame is too large, or another frame has a block under the same number
     */
    VrpTagCode Create(const VrpFrameHeader& header, const Address& from, Time now);

    /** @brief A packet of a frame has come: its life begins again. */
    void Touch(Block& block, Time now);

    /**
     * @brief Take a complete frame to its end and into the sender's totals.
     * @param peer the sender
     * @param number the frame, which is complete and was not delivered
     * @param now the time
     * @return what to deliver; its data are valid until the block is released
     */
    VrpReceivedFrame Complete(Peer& peer, uint16_t number, Time now);

    /**
     * @brief Free a block; a frame that was delivered is remembered.
     * @param peer the sender
     * @param number the frame, which has a block
     * @param now the time
     */
    void Release(Peer& peer, uint16_t number, Time now);

    /**
     * @brief Forget the finished frames of a sender: it opens again, its numbers start anywhere.
     * @param peer the sender
     */
    static void Forget(Peer& peer);

    /** @brief Free the blocks whose life has timed out (section 2.4.3, "Frame timeout"). */
    void Expire(Time now);

    /** @brief Get the time of the next Expire(). @return the time; nothing without blocks */
    std::optional<Time> GetExpiry() const;

    /** @brief Count the memory of a block again. */
    void Account(Block& block);

    /** @brief Get the number of blocks. @return blocks in use */
    std::size_t GetBlocks() const;

    /** @brief Get the memory of the blocks. @return B */
    uint64_t GetBytes() const;

    /** @brief Get the largest memory that the blocks have had. @return B */
    uint64_t GetPeakBytes() const;

  private:
    /**
     * @brief Free the block that was delivered first where all blocks are in use.
     * @param now the time
     * @return whether there is room for a block
     */
    bool MakeRoom(Time now);

    /**
     * @brief Remember the newest frame; forget finished ones whose time is over or whose numbers
     * come round.
     * @param peer the sender
     * @param number number of a new frame
     * @param now the time
     */
    static void Renew(Peer& peer, uint16_t number, Time now);

    Settings m_settings;             //!< what holds for all blocks
    std::map<Address, Peer> m_peers; //!< the senders
    std::list<Key> m_lives;          //!< blocks, the one longest without news first
    std::list<Key> m_kept;           //!< those of delivered frames, in the order of delivery
    uint64_t m_bytes{0};             //!< memory of the blocks, B
    uint64_t m_peakBytes{0};         //!< the largest, B
};

} // namespace ns3::lfn

#endif // VRP_BLOCK_TABLE_H
