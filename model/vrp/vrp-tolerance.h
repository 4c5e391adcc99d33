// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TOLERANCE_H
#define VRP_TOLERANCE_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * What a frame may lose, as applications say it, and its translation to packets (report, sections
 * 1.2.2 and 2.4.4).
 */

namespace ns3::lfn
{

/** @brief A piece of a frame. */
struct VrpByteInterval
{
    uint64_t offset{0}; //!< first byte, from 0
    uint64_t size{0};   //!< number of bytes

    /**
     * @brief Compare.
     * @param other another interval
     * @return true when they are equal
     */
    bool operator==(const VrpByteInterval& other) const = default;
};

/** @brief Packets of a frame, both ends included. */
struct VrpPacketInterval
{
    uint32_t first{0}; //!< the first packet
    uint32_t last{0};  //!< the last packet

    /**
     * @brief Compare.
     * @param other another interval
     * @return true when they are equal
     */
    bool operator==(const VrpPacketInterval& other) const = default;
};

/**
 * @ingroup lfn-vrp
 * @brief Loss tolerance of a frame, in the application's units (section 2.4.4).
 *
 * What is absent is not sent, and the receiver's own defaults hold.
 */
struct VrpTolerance
{
    std::optional<double> maxLossRate;     //!< accepted part of a history window, 0 to 1
    std::optional<uint64_t> maxBurst;      //!< accepted consecutive loss, B; 0 = no loss at all
    std::vector<VrpByteInterval> critical; //!< bytes that must never be lost, in any order
};

/** @brief How a loss rate becomes a whole number of packets (ambiguity C3). */
enum class VrpLossRounding
{
    FLOOR,   //!< never more than what LOSS_RATE says: the advertised guarantee
    NEAREST, //!< as the report's examples: 16 % of 6 packets is one packet, 32 % two
};

/**
 * @ingroup lfn-vrp
 * @brief Translation of a tolerance to what travels in a frame header, and to packets.
 */
class VrpLossRules
{
  public:
    /**
     * @brief Loss rate on the wire (LOSS_RATE, section 3.1).
     * @param rate 0 to 1; what lies outside is taken to the nearer end, NaN to 0
     * @return 0 (0 %) to 255 (100 %), rounded to the nearest
     */
    static uint8_t RateToByte(double rate);

    /**
     * @brief Accepted losses in a history window.
     * @param rate LOSS_RATE, 0 to 255
     * @param window size of the history window, packets
     * @param rounding how to round
     * @return packets, 0 to window
     */
    static uint32_t MaxLosses(uint8_t rate, uint32_t window, VrpLossRounding rounding);

    /**
     * @brief Accepted losses of a frame shorter than the history window, when the percentage shall
     * hold for the frame as a whole (ambiguity C4, option ShortFrameScaling).
     * @param rate LOSS_RATE, 0 to 255
     * @param window size of the history window, packets
     * @param packets packets of the frame
     * @param rounding how to round
     * @return MaxLosses() of the shorter of window and frame
     */
    static uint32_t MaxLossesScaled(uint8_t rate,
                                    uint32_t window,
                                    uint32_t packets,
                                    VrpLossRounding rounding);

    /**
     * @brief Accepted consecutive losses on the wire (CONS_LOSS).
     * @param bytes accepted burst, B
     * @param packetSize data bytes of a packet, not 0
     * @return whole packets in the burst, at most 255 (ambiguity C15)
     */
    static uint8_t BurstToPackets(uint64_t bytes, uint32_t packetSize);

    /**
     * @brief Choose a loss rate from an interval by the load (section 4.3, future work): the low
     * end without load, the high end under full load, linear in between.
     * @param low low end, 0 to 1
     * @param high high end, 0 to 1
     * @param load round-trip time over the smallest one, 1 or more
     * @param fullLoad load from which on it is the high end, 1 or more
     * @return low to high
     */
    static double ChooseRate(double low, double high, double load, double fullLoad);

    /**
     * @brief Packets that hold critical bytes.
     * @param critical pieces of the frame, in any order, may overlap; what lies outside the frame
     *        is ignored
     * @param dataSize size of the frame, B
     * @param packetSize data bytes of a packet, not 0
     * @return ascending intervals with at least one packet between any two of them
     */
    static std::vector<VrpPacketInterval> CriticalPackets(std::span<const VrpByteInterval> critical,
                                                          uint32_t dataSize,
                                                          uint32_t packetSize);

    /**
     * @brief Sort intervals and merge those that overlap or touch.
     * @param intervals in any order, none of them ending before it begins; changed to ascending
     *        intervals with at least one packet between any two of them
     */
    static void Merge(std::vector<VrpPacketInterval>& intervals);

    /**
     * @brief Bytes of CRITICAL_PACKET and CRITICAL_INTERVAL tags.
     * @return 5 a single packet, 9 an interval
     */
    static uint64_t GetTagBytes(std::span<const VrpPacketInterval> intervals);

    /**
     * @brief Merge intervals until their tags fit into the one header packet.
     *
     * The pairs with the smallest gaps are merged first (of equal gaps the earlier one), so that
     * more packets may become critical but none ceases to be.
     *
     * @param intervals ascending, disjoint intervals; changed
     * @param room bytes that the tags may take, at least 9 (with less, one interval remains)
     * @return packets that became critical by it
     */
    static uint64_t FitCritical(std::vector<VrpPacketInterval>& intervals, uint64_t room);
};

} // namespace ns3::lfn

#endif // VRP_TOLERANCE_H
