// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-tolerance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint64_t PACKET_TAG_BYTES = 5;   //!< CRITICAL_PACKET: code and number
constexpr uint64_t INTERVAL_TAG_BYTES = 9; //!< CRITICAL_INTERVAL: code and two numbers

/**
 * @brief Get the size of an interval's tag.
 * @param interval the packets
 * @return bytes
 */
uint64_t
GetOneTagBytes(const VrpPacketInterval& interval)
{
    return interval.first == interval.last ? PACKET_TAG_BYTES : INTERVAL_TAG_BYTES;
}

} // namespace

uint8_t
VrpLossRules::RateToByte(double rate)
{
    if (!(rate > 0)) // NaN, too
    {
        return 0;
    }
    return static_cast<uint8_t>(std::lround(std::min(rate, 1.0) * UINT8_MAX));
}

uint32_t
VrpLossRules::MaxLosses(uint8_t rate, uint32_t window, VrpLossRounding rounding)
{
    // The divisor is odd, so no share lies halfway between two numbers.
    const uint64_t half = rounding == VrpLossRounding::NEAREST ? UINT8_MAX / 2 : 0;
    return static_cast<uint32_t>((uint64_t{rate} * window + half) / UINT8_MAX);
}

uint32_t
VrpLossRules::MaxLossesScaled(uint8_t rate,
                              uint32_t window,
                              uint32_t packets,
                              VrpLossRounding rounding)
{
    return MaxLosses(rate, std::min(window, packets), rounding);
}

uint8_t
VrpLossRules::BurstToPackets(uint64_t bytes, uint32_t packetSize)
{
    return static_cast<uint8_t>(std::min<uint64_t>(bytes / packetSize, UINT8_MAX));
}

double
VrpLossRules::ChooseRate(double low, double high, double load, double fullLoad)
{
    const double part =
        fullLoad > 1 ? std::clamp((load - 1) / (fullLoad - 1), 0.0, 1.0) : (load > 1 ? 1.0 : 0.0);
    return low + part * (high - low);
}

std::vector<VrpPacketInterval>
VrpLossRules::CriticalPackets(std::span<const VrpByteInterval> critical,
                              uint32_t dataSize,
                              uint32_t packetSize)
{
    std::vector<VrpPacketInterval> packets;
    for (const auto& piece : critical)
    {
        if (piece.size == 0 || piece.offset >= dataSize)
        {
            continue;
        }
        // Not by the piece's end, which may lie beyond 64 bits.
        const uint64_t last = piece.offset + std::min(piece.size, dataSize - piece.offset) - 1;
        packets.push_back({static_cast<uint32_t>(piece.offset / packetSize),
                           static_cast<uint32_t>(last / packetSize)});
    }
    Merge(packets);
    return packets;
}

void
VrpLossRules::Merge(std::vector<VrpPacketInterval>& intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::size_t merged = 0; // intervals that are final, but for the end of the last one
    for (const auto interval : intervals)
    {
        if (merged > 0 && interval.first <= uint64_t{intervals[merged - 1].last} + 1)
        {
            auto& last = intervals[merged - 1].last;
            last = std::max(last, interval.last);
        }
        else
        {
            intervals[merged] = interval;
            ++merged;
        }
    }
    intervals.resize(merged);
}

uint64_t
VrpLossRules::GetTagBytes(std::span<const VrpPacketInterval> intervals)
{
    return std::accumulate(
        intervals.begin(),
        intervals.end(),
        uint64_t{0},
        [](uint64_t bytes, const auto& interval) { return bytes + GetOneTagBytes(interval); });
}

uint64_t
VrpLossRules::FitCritical(std::vector<VrpPacketInterval>& intervals, uint64_t room)
{
    uint64_t bytes = GetTagBytes(intervals);
    if (bytes <= room) // always so without intervals
    {
        return 0;
    }
    // Gap i follows interval i. A merge closes its gap and leaves the others as they are, so their
    // order is known from the start.
    const auto gapAfter = [&intervals](std::size_t i) {
        return intervals[i + 1].first - intervals[i].last - 1;
    };
    std::vector<std::size_t> gaps(intervals.size() - 1);
    std::iota(gaps.begin(), gaps.end(), std::size_t{0});
    std::sort(gaps.begin(), gaps.end(), [&gapAfter](std::size_t a, std::size_t b) {
        return std::pair(gapAfter(a), a) < std::pair(gapAfter(b), b); // of equal gaps the earlier
    });

    std::vector<bool> closed(intervals.size(), false); // the gap after each interval
    uint64_t added = 0;
    for (const auto gap : gaps)
    {
        if (bytes <= room)
        {
            break;
        }
        const bool leftIsMerged = gap > 0 && closed[gap - 1];
        const bool rightIsMerged = closed[gap + 1];
        bytes -= leftIsMerged ? INTERVAL_TAG_BYTES : GetOneTagBytes(intervals[gap]);
        bytes -= rightIsMerged ? INTERVAL_TAG_BYTES : GetOneTagBytes(intervals[gap + 1]);
        bytes += INTERVAL_TAG_BYTES;
        closed[gap] = true;
        added += gapAfter(gap);
    }

    std::size_t kept = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i)
    {
        if (i > 0 && closed[i - 1])
        {
            intervals[kept - 1].last = intervals[i].last;
        }
        else
        {
            intervals[kept] = intervals[i];
            ++kept;
        }
    }
    intervals.resize(kept);
    return added;
}

} // namespace ns3::lfn
