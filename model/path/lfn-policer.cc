// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-policer.h"

#include "lfn-ip-packet-filter.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("Policer");
NS_OBJECT_ENSURE_REGISTERED(Policer);

TypeId
Policer::GetTypeId()
{
    // Tokens are counted in 64 bits.
    constexpr uint32_t MOST_BYTES = 2'000'000'000;
    static TypeId tid =
        TypeId("ns3::lfn::Policer")
            .SetParent<ErrorModel>()
            .SetGroupName("Lfn")
            .AddConstructor<Policer>()
            .AddAttribute("Rate",
                          "Rate of the tokens (bit/s), IP headers counted.",
                          DataRateValue(DataRate("50Mbps")),
                          MakeDataRateAccessor(&Policer::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Burst",
                          "Most tokens (bytes); a larger IP packet never passes.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&Policer::m_burst),
                          MakeUintegerChecker<uint32_t>(1, MOST_BYTES))
            .AddAttribute("PeakRate",
                          "Rate of the second bucket (bit/s); 0: no second bucket.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Policer::m_peakRate),
                          MakeDataRateChecker())
            .AddAttribute("PeakBurst",
                          "Most tokens of the second bucket (bytes); a larger IP packet never "
                          "passes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&Policer::m_peakBurst),
                          MakeUintegerChecker<uint32_t>(1, MOST_BYTES));
    return tid;
}

uint64_t
Policer::GetDropped() const
{
    return m_dropped;
}

bool
Policer::DoCorrupt(Ptr<Packet> packet)
{
    NS_LOG_FUNCTION(this << packet);
    if (!IsEnabled())
    {
        return false;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const auto passed = static_cast<uint64_t>(now - m_last);
    m_last = now;
    const uint32_t bytes = GetIpBytes(packet).value_or(packet->GetSize());
    const bool hasPeak = m_peakRate.GetBitRate() > 0;
    m_sustained.Fill(m_rate.GetBitRate(), m_burst, passed);
    m_peak.Fill(m_peakRate.GetBitRate(), m_peakBurst, passed);
    if (!m_sustained.Has(bytes) || (hasPeak && !m_peak.Has(bytes)))
    {
        NS_LOG_LOGIC("a packet of " << bytes << " B exceeds Rate " << m_rate << ", Burst "
                                    << m_burst << " B, PeakRate " << m_peakRate << ", PeakBurst "
                                    << m_peakBurst << " B");
        m_dropped++;
        return true;
    }
    m_sustained.Take(bytes);
    if (hasPeak)
    {
        m_peak.Take(bytes);
    }
    return false;
}

void
Policer::DoReset()
{
    NS_LOG_FUNCTION(this);
    m_sustained.Refill();
    m_peak.Refill();
    m_dropped = 0;
}

} // namespace ns3::lfn
