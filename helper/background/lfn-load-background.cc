// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-load-background.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("LoadBackground");
NS_OBJECT_ENSURE_REGISTERED(LoadBackground);

TypeId
LoadBackground::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::LoadBackground")
            .SetParent<Background>()
            .SetGroupName("Lfn")
            .AddAttribute("Load",
                          "Mean rate of user bits in each direction, over the rate of the first "
                          "bottleneck; 0.2 unless Load or Rate is given.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LoadBackground::m_load),
                          MakeDoubleChecker<double>(0, 10))
            .AddAttribute("Rate",
                          "The same as a rate; 0 for that of Load.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&LoadBackground::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Direction",
                          "Of the data: forward from senders to receivers, reverse, or both.",
                          EnumValue(FORWARD),
                          MakeEnumAccessor<Direction>(&LoadBackground::m_direction),
                          MakeEnumChecker(FORWARD, "forward", REVERSE, "reverse", BOTH, "both"));
    return tid;
}

std::optional<std::string>
LoadBackground::Check() const
{
    if (m_load > 0 && m_rate.GetBitRate() > 0)
    {
        return "give Load or Rate, not both";
    }
    return std::nullopt;
}

std::optional<std::string>
LoadBackground::Install(const BackgroundPlace& place)
{
    NS_LOG_FUNCTION(this << m_load << m_rate);
    constexpr double LOAD = 0.2; // unless given
    const double load = (m_load > 0 ? m_load : LOAD) * place.bottleneck.GetBitRate();
    const double rate = m_rate.GetBitRate() > 0 ? m_rate.GetBitRate() : load;
    if (rate <= 0)
    {
        return "the topology gives no bottleneck's rate: give Rate";
    }
    if (m_direction != REVERSE)
    {
        InstallPairs("forward", place.forward, rate / place.forward.size(), place.start);
    }
    if (m_direction != FORWARD)
    {
        InstallPairs("reverse", place.reverse, rate / place.reverse.size(), place.start);
    }
    return std::nullopt;
}

} // namespace ns3::lfn
