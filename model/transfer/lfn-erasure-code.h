// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_ERASURE_CODE_H
#define LFN_ERASURE_CODE_H

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Parities of a block of packets: as many of them as packets are missing give these back,
 * whichever they are.
 *
 * A systematic Reed-Solomon code over GF(256), of x^8 + x^4 + x^3 + x^2 + 1, by a Cauchy matrix:
 * parity i is the sum over packets j of p_j / ((255 - i) + j), and every square part of such a
 * matrix can be inverted. A block of k packets has up to 256 - k parities. Packets are as long as
 * the longest of the block, with zeros behind; what a block of other lengths was is for the user
 * to know.
 */
class ErasureCode
{
  public:
    static constexpr uint32_t MOST = 256; //!< packets and parities of a block

    using Pieces = std::map<uint8_t, std::vector<uint8_t>>; //!< bytes by number

    /**
     * @brief Get one of the parities of a block.
     * @param packets the block's packets, fewer than 256
     * @param index which parity, below 256 less the number of packets
     * @return the parity, as long as the longest packet; empty when there is no such parity
     */
    static std::vector<uint8_t> MakeParity(std::span<const std::vector<uint8_t>> packets,
                                           uint8_t index);

    /**
     * @brief Get the missing packets of a block.
     * @param packets those that there are, by their place in the block from 0; the missing ones are
     *        added, as long as the parities
     * @param parities those that there are, by index, of equal length
     * @param count packets of the block
     * @return false, and nothing is added, when there are too few, or numbers or lengths cannot be
     */
    static bool Restore(Pieces& packets, const Pieces& parities, uint32_t count);
};

} // namespace ns3::lfn

#endif // LFN_ERASURE_CODE_H
