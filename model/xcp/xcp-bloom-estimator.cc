// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-bloom-estimator.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpBloomEstimator");
NS_OBJECT_ENSURE_REGISTERED(XcpBloomEstimator);

namespace
{

constexpr uint64_t WORD_BITS = 64;                     //!< bins in a word
constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15ULL;     //!< step between the levels' hashes
constexpr uint64_t MIX_FIRST = 0xbf58476d1ce4e5b9ULL;  //!< multipliers of the SplitMix64 finisher
constexpr uint64_t MIX_SECOND = 0x94d049bb133111ebULL; //!< second of them

/**
 * @brief Hash a flow for a level: the SplitMix64 finisher, a bijection, so that no two flows
 * collide before their hashes are cut to bins.
 * @return the hash
 */
uint64_t
HashOfLevel(uint64_t flow, uint32_t level)
{
    uint64_t z = flow + GOLDEN * (level + 1ULL);
    z = (z ^ (z >> 30U)) * MIX_FIRST;
    z = (z ^ (z >> 27U)) * MIX_SECOND;
    return z ^ (z >> 31U);
}

} // namespace

TypeId
XcpBloomEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpBloomEstimator")
            .SetParent<XcpFlowCountEstimator>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpBloomEstimator>()
            .AddAttribute("Levels",
                          "Levels of bins, L: independent hash functions.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&XcpBloomEstimator::m_levels),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("Bins",
                          "Bins of a level, P.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&XcpBloomEstimator::m_binsPerLevel),
                          MakeUintegerChecker<uint32_t>(2, 10000000))
            .AddAttribute(
                "PeriodLength",
                "Adaptation intervals from one emptying of the bins to the next; those in "
                "which the class only waits do not count.",
                UintegerValue(1),
                MakeUintegerAccessor(&XcpBloomEstimator::m_periodLength),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LinearCounting",
                          "Whether the estimate is log v / log(1 - 1/P), v the share of empty "
                          "bins, which accounts for collisions, rather than NRED's count.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpBloomEstimator::m_linearCounting),
                          MakeBooleanChecker());
    return tid;
}

void
XcpBloomEstimator::See(uint64_t flow)
{
    NS_LOG_FUNCTION(this << flow);
    const uint64_t bins = static_cast<uint64_t>(m_levels) * m_binsPerLevel;
    m_words.resize((bins + WORD_BITS - 1) / WORD_BITS);
    uint32_t empty = 0;
    for (uint32_t level = 0; level < m_levels; ++level)
    {
        const uint64_t bin = static_cast<uint64_t>(level) * m_binsPerLevel +
                             HashOfLevel(flow, level) % m_binsPerLevel;
        const uint64_t bit = 1ULL << (bin % WORD_BITS);
        uint64_t& word = m_words[bin / WORD_BITS];
        empty += (word & bit) == 0 ? 1 : 0;
        word |= bit;
    }
    m_new += empty > 0 ? 1 : 0;
    m_filled += empty;
}

double
XcpBloomEstimator::Compute() const
{
    if (!m_linearCounting)
    {
        return m_new;
    }
    const double bins = static_cast<double>(m_levels) * m_binsPerLevel;
    // Full bins have no logarithm: half a bin is taken as empty.
    const double empty = std::max(0.5, bins - static_cast<double>(m_filled)) / bins;
    return std::log(empty) / std::log1p(-1.0 / m_binsPerLevel);
}

void
XcpBloomEstimator::EndInterval()
{
    NS_LOG_FUNCTION(this);
    if (++m_intervals >= m_periodLength)
    {
        const double count = Compute();
        Reset();
        m_count = count;
        NS_LOG_DEBUG("flows " << m_count << ", intervals per period " << m_periodLength);
    }
}

bool
XcpBloomEstimator::IsSteady() const
{
    return m_new == 0 && m_count == 0.0;
}

void
XcpBloomEstimator::SkipIntervals(uint64_t intervals)
{
    m_intervals = (m_intervals + intervals) % m_periodLength;
}

double
XcpBloomEstimator::GetCount() const
{
    return m_count;
}

void
XcpBloomEstimator::Reset()
{
    NS_LOG_FUNCTION(this);
    std::fill(m_words.begin(), m_words.end(), 0);
    m_new = 0;
    m_filled = 0;
    m_intervals = 0;
    m_count = 0.0;
}

uint64_t
XcpBloomEstimator::GetStateBytes() const
{
    const uint64_t bins = static_cast<uint64_t>(m_levels) * m_binsPerLevel;
    return (bins + 7) / 8 + sizeof(m_new);
}

} // namespace ns3::lfn
