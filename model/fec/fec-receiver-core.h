// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_RECEIVER_CORE_H
#define FEC_RECEIVER_CORE_H

#include "fec-header.h"
#include "fec-sender-core.h"

#include "ns3/lfn-drop-reason.h"
#include "ns3/lfn-erasure-code.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Restores the datagrams that a block lacks, as many as parities have arrived.
 *
 * With one parity per block it keeps one running XOR, not the datagrams; with several it keeps the
 * datagrams of blocks that are not complete. A block is closed when it is Window blocks behind the
 * newest one; what it lacks then is lost. With independent losses of probability p of data and
 * parity alike and m parities, p * sum over j >= m of C(k+m-1, j) p^j (1-p)^(k+m-1-j) of the
 * datagrams stay lost; for m = 1 that is p * (1 - (1 - p)^k).
 */
class FecReceiverCore
{
  public:
    /** @brief What was counted. */
    struct Counters
    {
        uint64_t received{0};  //!< datagrams of data that came in time, each once
        uint64_t parities{0};  //!< parity datagrams that came in time, each once
        uint64_t recovered{0}; //!< datagrams of data made good
        uint64_t lost{0};      //!< datagrams of data that closed blocks lack
        Time waited;           //!< from a block's first arrival to its repair, in sum
        Time longest;          //!< the longest such time

        /**
         * @brief Add the counts of another flow.
         * @param other the counts
         * @return the sum
         */
        Counters& operator+=(const Counters& other);
    };

    /** @brief A datagram that was made good. */
    struct Recovered
    {
        FecDataHeader header;         //!< its place
        std::vector<uint8_t> payload; //!< its user bytes
    };

    /** @brief What a datagram has led to. */
    struct Outcome
    {
        std::optional<DropReason> refused; //!< why it does no good; nothing when it does
        std::vector<Recovered> recovered;  //!< what it made good
    };

    /** @brief What holds for all blocks. */
    struct Settings
    {
        uint32_t window{64};    //!< blocks that are open at a time, at least 1
        uint32_t maxJump{1024}; //!< most blocks that one datagram alone may be ahead of the newest
                                //!< one; one that is farther ahead is taken when the one before it
                                //!< was, too, and about as far
        uint64_t maxHeld{1U << 26}; //!< bytes of datagrams and parities kept for codes of several
                                    //!< parities; what arrives on top restores nothing
    };

    /** @brief A receiver with the default settings. */
    FecReceiverCore() = default;

    /**
     * @brief A receiver.
     * @param settings what holds for all blocks
     */
    explicit FecReceiverCore(const Settings& settings);

    /**
     * @brief Take a datagram of data.
     * @param now the time
     * @param header its header
     * @param payload its user bytes, behind the header
     * @return what came of it
     */
    Outcome OnData(Time now, const FecDataHeader& header, std::span<const uint8_t> payload);

    /**
     * @brief Take a parity datagram.
     * @param now the time
     * @param header its header
     * @param payload behind the header
     * @return what came of it
     */
    Outcome OnParity(Time now, const FecParityHeader& header, std::span<const uint8_t> payload);

    /** @brief Close all blocks: nothing more is coming, or another sender's block 0 is next. */
    void Finish();

    /** @brief Get what was counted. @return the counts */
    const Counters& GetCounters() const;

  private:
    /** @brief A block that is open. */
    struct Block
    {
        uint32_t mask{0};      //!< its datagrams
        uint32_t there{0};     //!< those that are there
        uint8_t count{1};      //!< its parities
        FecSum sum;            //!< of one parity: of those that are there, and of the parity
        bool hasParity{false}; //!< a parity is there
        std::size_t room{0};   //!< length of the parities, [B]
        Time first;            //!< when its first datagram came

        ErasureCode::Pieces pieces;   //!< of several: the datagrams kept
        ErasureCode::Pieces parities; //!< of several: the parities, empty strings once complete
        bool isSpoiled{false};        //!< what is kept makes no sense, or not all was kept
    };

    /**
     * @brief Find or open the block of a datagram.
     * @param now the time
     * @param wireNumber the block's number, modulo 2^32
     * @param mask its datagrams, as this one says
     * @param parities its parities, likewise
     * @param block set to the block
     * @return why the datagram does no good; nothing when it may
     */
    std::optional<DropReason> Find(Time now,
                                   uint32_t wireNumber,
                                   uint32_t mask,
                                   uint8_t parities,
                                   Block*& block);

    /**
     * @brief Check whether a block is not too far ahead of the newest one.
     * @param number the block's number
     * @return true when it may be opened
     */
    bool IsNear(uint64_t number);

    /**
     * @brief Make good what a block lacks, if it is one datagram and the parity is there.
     * @param now the time
     * @param number the block's number
     * @param block the block
     * @return what was made good, and CORRUPT when the block's datagrams contradict each other
     */
    Outcome Repair(Time now, uint32_t number, Block& block);

    /**
     * @brief Restore what a block of several parities lacks, if there are enough of them.
     * @param now the time
     * @param number the block's number
     * @param block the block
     * @return what was restored, and CORRUPT when the block's datagrams contradict each other
     */
    Outcome Restore(Time now, uint32_t number, Block& block);

    /**
     * @brief Keep a string of a block of several parities, while there is room for it.
     * @param block the block
     * @param pieces its datagrams or its parities
     * @param index place of the string
     * @param piece the string
     */
    void Keep(Block& block, ErasureCode::Pieces& pieces, uint8_t index, std::vector<uint8_t> piece);

    /** @brief Let go what is kept of a block of several parities. */
    void Forget(Block& block);

    /**
     * @brief Count a repair.
     * @param now the time
     * @param block the block
     */
    void CountRepair(Time now, const Block& block);

    /**
     * @brief Close all blocks before one.
     * @param floor the first that stays open
     */
    void CloseBefore(uint64_t floor);

    Settings m_settings;                //!< what holds for all blocks
    uint64_t m_floor{0};                //!< the first block that is not closed
    uint64_t m_newest{0};               //!< the newest block
    uint32_t m_count{0};                //!< datagrams of the largest block seen
    std::optional<uint64_t> m_far;      //!< the last block that was refused as too far ahead
    std::map<uint64_t, Block> m_blocks; //!< the open blocks of which anything came
    uint64_t m_held{0};                 //!< bytes kept for codes of several parities
    Counters m_counters;                //!< what was counted
};

} // namespace ns3::lfn

#endif // FEC_RECEIVER_CORE_H
