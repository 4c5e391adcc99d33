// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_ASSEMBLY_H
#define JRM_ASSEMBLY_H

#include "jrm-header.h"

#include "ns3/lfn-drop-reason.h"
#include "ns3/lfn-erasure-code.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief A message as far as it has come: its packets, and parities that stand for others.
 *
 * Packets come in any order (section 2). Once a parity has come, the message has blocks; a block
 * of which as many packets and parities have come as it has packets is complete (option Parity,
 * deviation JRM-D21).
 */
class JrmAssembly
{
  public:
    /**
     * @brief Count the packets of a message.
     * @param length its length, B
     * @param packetSize data bytes of a packet
     * @return their number, at least 1
     */
    static uint64_t CountPackets(uint32_t length, uint32_t packetSize);

    /**
     * @brief Begin: a packet has given the length.
     * @param length length of the message, B
     * @param packetSize data bytes of a packet
     * @param keepData keep the bytes
     */
    void Begin(uint32_t length, uint32_t packetSize, bool keepData);

    /** @brief Get the length of the message. @return B; nothing before Begin() */
    std::optional<uint32_t> GetLength() const;

    /**
     * @brief Count what has not come.
     * @return packets, less the parities that stand for them; 1 before Begin()
     */
    uint64_t CountMissing() const;

    /**
     * @brief Get the size of a block.
     * @return packets of every block but the last, which may have fewer; 0 before the first parity
     */
    uint8_t GetBlockSize() const;

    /**
     * @brief Take a packet or a parity, after Begin().
     * @param packet PSN, of a parity the first one of its block
     * @param parity which parity it is, if it is one
     * @param data its bytes; empty unless they are kept
     * @return nothing, or DUPLICATE when it was there or of no use, WRONG_LENGTH for other blocks
     */
    std::optional<DropReason> Store(uint16_t packet,
                                    const std::optional<JrmParity>& parity,
                                    std::vector<uint8_t> data);

    /**
     * @brief List what the message lacks.
     *
     * For each parity of a block that has come one of its packets is left out.
     *
     * @param most PSNs to list
     * @return PSNs, ascending; PSN 1 before Begin()
     */
    std::vector<uint16_t> ListMissing(std::size_t most) const;

    /**
     * @brief Check whether a request asks for all that is missing.
     * @param packets PSNs that it asks for, ascending
     * @param parities parities will do for it: what others lack is as good
     * @param parityBlock packets of a block that parities repair, where no parity has come yet; 0:
     *        parities are not taken
     * @return true when its response completes the message
     */
    bool IsCoveredBy(std::span<const uint16_t> packets, bool parities, uint8_t parityBlock) const;

    /**
     * @brief Get the bytes that have come.
     * @return the bytes, in order; empty unless they are kept
     */
    std::vector<uint8_t> GetData() const;

  private:
    /** @brief A block of which parities have come. */
    struct Block
    {
        uint32_t lacking{0};          //!< packets that have not come, less the parities
        ErasureCode::Pieces parities; //!< by index; without bytes unless they are kept
    };

    /**
     * @brief Take a packet or parity of a message that has blocks.
     * @return nothing, or DUPLICATE when it is of no use
     */
    std::optional<DropReason> StoreInBlock(uint16_t packet,
                                           const std::optional<JrmParity>& parity,
                                           std::vector<uint8_t> data);

    /**
     * @brief Get the missing packets of a block, now that nothing is lacking, from its parities.
     * @param first PSN
     * @param parities parities of the block
     */
    void Restore(uint16_t first, const ErasureCode::Pieces& parities);

    /**
     * @brief Count the packets of a block.
     * @param first PSN
     * @return their number; the last block may have fewer than others
     */
    uint32_t CountBlock(uint16_t first) const;

    std::optional<uint32_t> m_length;                //!< of the message, B
    uint32_t m_packetSize{0};                        //!< data bytes of a packet
    bool m_keepData{false};                          //!< keep the bytes
    std::vector<bool> m_have;                        //!< packets that have come, PSN 1 first
    uint32_t m_count{0};                             //!< how many, and parities for others
    std::map<uint16_t, std::vector<uint8_t>> m_data; //!< the bytes by PSN, when they are kept
    uint8_t m_blockSize{0};                          //!< packets of a block, once a parity has come
    std::map<uint16_t, Block> m_blocks; //!< those of which parities have come, by first PSN
};

} // namespace ns3::lfn

#endif // JRM_ASSEMBLY_H
