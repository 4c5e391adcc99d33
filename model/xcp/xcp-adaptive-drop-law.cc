// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-adaptive-drop-law.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("XcpAdaptiveDropLaw");
NS_OBJECT_ENSURE_REGISTERED(XcpAdaptiveDropLaw);

namespace
{

constexpr double LEAST_WINDOW = 2.0; //!< TCP does not work with less, [packets]
constexpr double MOST_WINDOW = 1e9;  //!< so that all stays finite, [packets]
constexpr double MOST_RATIO = 2.0;   //!< beyond this much too much is just that
constexpr double MOST_GROWN = 1e3;   //!< so that x stays finite
constexpr double AVOIDANCE = 8.0;    //!< TCP grows by less in congestion avoidance, [packets]
constexpr double LEAST_ALERT = 0.3;  //!< x from which an alert brake is set off

} // namespace

TypeId
XcpAdaptiveDropLaw::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpAdaptiveDropLaw")
            .SetParent<XcpDropLaw>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpAdaptiveDropLaw>()
            .AddAttribute("UtilisationThreshold",
                          "Packets are dropped only while the link's utilisation is above this.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_threshold),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("TcpRtt",
                          "W is of TCP's own RTT where its handshakes were seen; else, and "
                          "where none was, of XCP's.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&XcpAdaptiveDropLaw::m_tcpRtt),
                          MakeBooleanChecker())
            .AddAttribute("WindowConstant",
                          "K of the loss K/W^2 that keeps TCP at a mean window W.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_constant),
                          MakeDoubleChecker<double>(0.01, 100.0))
            .AddAttribute("Steepness",
                          "How steeply the probability grows with what E2E flows take: 1 asks for "
                          "a loss per window at twice the fair share, 0 for no check.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_steepness),
                          MakeDoubleChecker<double>(0.0, 10.0))
            .AddAttribute("Gate",
                          "Share of their fair share below which nothing of E2E flows is dropped.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_gate),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("CorrectionGain",
                          "Growth of the correction's logarithm in the mean time between two "
                          "losses of a flow, over the relative excess.",
                          DoubleValue(3.0),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_gain),
                          MakeDoubleChecker<double>(0.0, 100.0))
            .AddAttribute("LeastEpoch",
                          "The time between losses is thought to be so long at least: TCP's least "
                          "timeout.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&XcpAdaptiveDropLaw::m_leastEpoch),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "MinCorrection",
                "Least factor on the square-root law, which is of XCP's RTT: where TCP's "
                "is r times as long, TCP is held at its fair share by a factor of 1 / r^2. The "
                "lower, the longer it takes to come back from a time in which TCP climbs "
                "without a loss.",
                DoubleValue(1.0 / 500.0),
                MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_leastCorrection),
                MakeDoubleChecker<double>(1e-6, 1.0))
            .AddAttribute("MaxCorrection",
                          "Largest factor on the square-root law; TCP with a shorter RTT than XCP "
                          "needs more.",
                          DoubleValue(500.0),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_mostCorrection),
                          MakeDoubleChecker<double>(1.0, 1e6))
            .AddAttribute("FallPerLoss",
                          "The correction falls by this factor at most until it has cost each "
                          "flow a loss: while TCP is small for another reason a lower one changes "
                          "nothing, and would fall without end.",
                          DoubleValue(4.0),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_fallPerLoss),
                          MakeDoubleChecker<double>(1.0, 1e6))
            .AddAttribute("Smoothing",
                          "Intervals over which what E2E flows take is averaged.",
                          DoubleValue(4.0),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_smoothing),
                          MakeDoubleChecker<double>(1.0, 1000.0))
            .AddAttribute("MaxProbability",
                          "Ceiling of the probability; more drives TCP into timeouts.",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_maxProbability),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("BrakeLosses",
                          "Losses a flow and window that the brake asks for; 0: no brake.",
                          DoubleValue(2.0),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_brakeLosses),
                          MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("BrakeThreshold",
                          "Share of their fair share above which growing E2E flows are braked.",
                          DoubleValue(0.45),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_brakeThreshold),
                          MakeDoubleChecker<double>(0.0, 10.0))
            .AddAttribute("BrakeGrowth",
                          "Factor of growth per interval, two times in a row, that reveals slow "
                          "start.",
                          DoubleValue(1.25),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_brakeGrowth),
                          MakeDoubleChecker<double>(1.0, 10.0))
            .AddAttribute("AlertGrowth",
                          "Factor of growth an interval that sets an alert brake off.",
                          DoubleValue(1.08),
                          MakeDoubleAccessor(&XcpAdaptiveDropLaw::m_alertGrowth),
                          MakeDoubleChecker<double>(1.0, 10.0))
            .AddAttribute("AlertLength",
                          "Intervals after a braking in which the brake is alert.",
                          UintegerValue(11),
                          MakeUintegerAccessor(&XcpAdaptiveDropLaw::m_alertLength),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

bool
XcpAdaptiveDropLaw::IsBraking(double ratio, double window)
{
    const bool isFast = m_last > 0.0 && (ratio - m_last) * window > AVOIDANCE;
    const bool isGrowing = m_beforeLast > 0.0 && m_last > m_brakeGrowth * m_beforeLast &&
                           ratio > m_brakeGrowth * m_last;
    const bool isTooMuch = isGrowing && ratio / m_last * ratio > m_brakeThreshold;
    const bool isAgain = m_alert > 0 && ratio > LEAST_ALERT && ratio > m_alertGrowth * m_last;
    const bool isBraking = m_brakeLosses > 0.0 && isFast && (isTooMuch || isAgain);
    if (isBraking)
    {
        m_alert = m_alertLength;
    }
    else if (m_alert > 0)
    {
        --m_alert;
    }
    return isBraking;
}

std::optional<XcpDropLaw::Observation>
XcpAdaptiveDropLaw::Gather(const Observation& interval, double rtt)
{
    Observation& sum = m_gathered;
    const double most = interval.length / 2; // that an RTT may be missed by
    if (sum.length <= 0.0 && interval.length + most >= rtt)
    {
        return interval;
    }
    sum.length += interval.length;
    sum.utilisation += interval.utilisation * interval.length;
    sum.e2eRate += interval.e2eRate * interval.length;
    sum.e2eFairShare += interval.e2eFairShare * interval.length;
    sum.e2eFlows += interval.e2eFlows * interval.length;
    if (sum.length + most < rtt)
    {
        return std::nullopt;
    }
    Observation mean = sum;
    mean.utilisation /= sum.length;
    mean.e2eRate /= sum.length;
    mean.e2eFairShare /= sum.length;
    mean.e2eFlows /= sum.length;
    sum = Observation();
    return mean;
}

XcpDropLaw::Decision
XcpAdaptiveDropLaw::Decide(const Observation& interval)
{
    NS_LOG_FUNCTION(this << interval.length << interval.utilisation);
    m_packet = interval.meanPacket > 0.0 ? interval.meanPacket : m_packet;
    const double xcpRtt = interval.meanRtt > 0.0 ? interval.meanRtt : interval.length;
    const double rtt = m_tcpRtt && interval.e2eRtt > 0.0 ? interval.e2eRtt : xcpRtt;
    if (interval.e2eFairShare <= 0.0 || interval.e2eFlows <= 0.0 || m_packet <= 0.0 || rtt <= 0.0)
    {
        return Rest();
    }
    const auto gathered = Gather(interval, m_tcpRtt ? interval.e2eRtt : 0.0);
    if (gathered)
    {
        const Decision decision = DecideOn(*gathered, rtt);
        m_isApplied = decision.apply;
        NS_LOG_LOGIC("TCP has " << gathered->e2eRate << " B/s, its fair share is "
                                << gathered->e2eFairShare << " B/s, utilisation "
                                << gathered->utilisation << ": drop probability "
                                << decision.probability << ", applied " << decision.apply
                                << ", correction " << GetCorrection());
    }
    return {m_probability, m_isApplied};
}

XcpDropLaw::Decision
XcpAdaptiveDropLaw::DecideOn(const Observation& observation, double rtt)
{
    const double window =
        std::clamp(observation.e2eFairShare / observation.e2eFlows * rtt / m_packet,
                   LEAST_WINDOW,
                   MOST_WINDOW);
    const double ratio = std::min(MOST_GROWN, observation.e2eRate / observation.e2eFairShare);
    const bool isBusy = observation.utilisation > m_threshold;
    const double newLosses =
        m_applied * observation.e2eRate * observation.length / (m_packet * observation.e2eFlows);
    m_losses += newLosses;
    m_newLosses += newLosses;
    if (m_newLosses > 1.0)
    {
        m_newLosses = 0.0;
        m_tried = m_logCorrection;
    }
    m_applied = 0.0;
    const bool isBraking = IsBraking(ratio, window);
    const double next = m_last > 0.0 ? ratio / m_last * ratio : ratio;
    m_beforeLast = m_last;
    m_last = ratio;
    if (isBraking)
    {
        m_smoothed = ratio;
        m_probability = std::min(m_maxProbability, m_brakeLosses / (window * std::max(0.5, next)));
        return {m_probability, isBusy};
    }
    m_smoothed = m_smoothed < 0.0 ? ratio : m_smoothed + (ratio - m_smoothed) / m_smoothing;
    const double excess = std::min(m_smoothed, MOST_RATIO) - 1.0;
    m_hadSay = m_hadSay || m_smoothed > 1.0 || m_losses > 1.0;
    if (isBusy && m_hadSay)
    {
        // Also below the gate: what timeouts cost counts as well. A correction above 1 reports that
        // TCP's RTT is shorter than XCP's, and so the time between two losses of a flow.
        const double losses = m_constant * std::max(1.0, GetCorrection());
        const double epoch = std::max(window * rtt / losses, m_leastEpoch.ToDouble(Time::S));
        const double least = std::max(std::log(m_leastCorrection),
                                      std::min(m_tried - std::log(m_fallPerLoss), m_logCorrection));
        m_logCorrection = std::clamp(m_logCorrection + m_gain * excess * observation.length / epoch,
                                     least,
                                     std::log(m_mostCorrection));
    }
    if (m_smoothed < m_gate)
    {
        return {m_probability, false};
    }
    const double steepness = m_steepness * std::log(std::max(1.0, window / m_constant));
    m_probability =
        std::min(m_maxProbability,
                 m_constant / (window * window) * std::exp(m_logCorrection + steepness * excess));
    m_applied = isBusy ? m_probability : 0.0;
    return {m_probability, isBusy};
}

XcpDropLaw::Decision
XcpAdaptiveDropLaw::Rest()
{
    NS_LOG_FUNCTION(this);
    m_smoothed = -1.0;
    m_last = 0.0;
    m_beforeLast = 0.0;
    m_alert = 0;
    m_losses = 0.0;
    m_applied = 0.0;
    m_hadSay = false;
    m_isApplied = false;
    m_gathered = Observation();
    return {m_probability, false};
}

double
XcpAdaptiveDropLaw::GetCorrection() const
{
    return std::exp(m_logCorrection);
}

} // namespace ns3::lfn
