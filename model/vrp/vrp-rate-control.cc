// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-rate-control.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::lfn
{

namespace
{

constexpr std::array WEIGHTS{1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2}; //!< section 5.4, n = 8
constexpr std::size_t RECEIVED = 4;     //!< rates of arrival that are kept
constexpr double LOSS_SHARE = 0.85;     //!< of X_recv, section 4.3
constexpr double LONGEST_INTERVAL = 64; //!< t_mbi: s between two packets at most
constexpr double INITIAL_BYTES = 4380;  //!< of the initial window, section 4.2
constexpr double LEAST_LOSS = 1e-8;     //!< p that is looked for, at least
constexpr double RTTS_PER_RTO = 4;      //!< t_RTO in RTTs, section 3.1
constexpr double SHORTEST_RTT = 1e-6;   //!< s

} // namespace

double
VrpRateControl::Throughput(double packetBytes, double rtt, double lossEventRate)
{
    const double p = lossEventRate;
    const double rto = RTTS_PER_RTO * rtt;
    return packetBytes /
           (rtt * std::sqrt(2 * p / 3) + rto * 3 * std::sqrt(3 * p / 8) * p * (1 + 32 * p * p));
}

double
VrpRateControl::FindLossEventRate(double packetBytes, double rtt, double rate)
{
    double low = std::log(LEAST_LOSS);
    double high = 0;
    for (int i = 0; i < 60; ++i) // the equation falls with p
    {
        const double middle = (low + high) / 2;
        (Throughput(packetBytes, rtt, std::exp(middle)) > rate ? low : high) = middle;
    }
    return std::exp(high);
}

void
VrpRateControl::Start(uint32_t packetBytes, Time rtt, Time now)
{
    *this = VrpRateControl();
    m_packetBytes = packetBytes;
    m_rtt = std::max(rtt.GetSeconds(), SHORTEST_RTT);
    m_rate = GetInitial();
    m_free = m_measured = m_doubled = m_lastReceived = now;
    m_cameSent = m_covered = m_covering = now;
    m_heldBack.fill(now);
}

Time
VrpRateControl::Depart(uint32_t bytes, Time now)
{
    const Time leaves = std::max(m_free, now);
    if (leaves > now)
    {
        HeldBack(now);
    }
    m_free = leaves + Seconds(bytes / m_rate);
    return leaves;
}

uint64_t
VrpRateControl::Sent()
{
    return ++m_sent;
}

void
VrpRateControl::HeldBack(Time now)
{
    // Section 8.2.1: the first such moment of the interval that feedback will cover next, and the
    // first of the one behind it.
    if (m_heldBack[0] <= m_covered)
    {
        m_heldBack[0] = now;
    }
    else if (m_heldBack[1] <= m_covering)
    {
        m_heldBack[1] = now;
    }
}

bool
VrpRateControl::IsDataLimited() const
{
    return std::ranges::none_of(m_heldBack, [this](const Time& moment) {
        return moment > m_covered && moment <= m_cameSent;
    });
}

void
VrpRateControl::Came(uint64_t order, uint32_t bytes, Time sent)
{
    m_came = std::max(m_came, order);
    m_cameBytes += bytes;
    m_cameSent = std::max(m_cameSent, sent);
}

void
VrpRateControl::Lost(uint64_t order, Time sent, Time now)
{
    const double silence = (now - m_lastReceived).GetSeconds();
    if (silence > std::max(4 * m_rtt, 2 * m_packetBytes / m_rate)) // section 4.4
    {
        m_rate = std::max(m_rate / 2, GetLeast());
        for (auto& rate : m_received)
        {
            rate /= 2;
        }
        m_receiveLimit /= 2;
        m_lastReceived = now;
    }
    if (m_lossSeen && (sent <= m_eventSent + Seconds(m_rtt) || order <= m_eventOrder))
    {
        return;
    }
    if (m_lossSeen)
    {
        m_intervals.push_front(static_cast<double>(order - m_eventOrder));
    }
    else
    {
        // Section 6.3.1: as if the equation had given half the rate that slow start has reached.
        const double received = GetReceiveRate();
        const double target = (received > 0 ? received : m_rate) / 2;
        m_intervals.push_front(1 / FindLossEventRate(m_packetBytes, m_rtt, target));
    }
    if (m_intervals.size() > WEIGHTS.size())
    {
        m_intervals.pop_back();
    }
    m_lossSeen = true;
    m_isNewLoss = true;
    m_eventOrder = order;
    m_eventSent = sent;
}

void
VrpRateControl::OnFeedback(Time rtt, Time now)
{
    m_rtt = std::max(rtt.GetSeconds(), SHORTEST_RTT);
    m_lastReceived = now;
    const double passed = (now - m_measured).GetSeconds();
    if (passed >= m_rtt && m_cameBytes > 0) // section 6.2: no feedback without data
    {
        OnReceiveRate(static_cast<double>(m_cameBytes) / passed, now);
        m_cameBytes = 0;
        m_measured = now;
    }
    const double p = GetLossEventRate();
    if (p > 0)
    {
        const double allowed = Throughput(m_packetBytes, m_rtt, p);
        m_rate =
            std::max(m_receiveLimit > 0 ? std::min(allowed, m_receiveLimit) : allowed, GetLeast());
    }
    else if ((now - m_doubled).GetSeconds() >= m_rtt)
    {
        m_rate = std::max(std::min(2 * m_rate, m_receiveLimit), GetInitial());
        m_doubled = now;
    }
}

void
VrpRateControl::OnReceiveRate(double rate, Time now)
{
    const double p = GetLossEventRate();
    const bool isLoss = m_isNewLoss || p > m_lastLossRate;
    if (IsDataLimited()) // section 4.3: what came says little of the path
    {
        const double largest = isLoss ? std::max(GetReceiveRate() / 2, LOSS_SHARE * rate)
                                      : std::max(GetReceiveRate(), rate);
        m_received = {largest};
        m_receiveLimit = isLoss ? largest : 2 * largest;
    }
    else
    {
        m_received.push_front(rate);
        if (m_received.size() > RECEIVED)
        {
            m_received.pop_back();
        }
        m_receiveLimit = 2 * GetReceiveRate();
    }
    m_isNewLoss = false;
    m_lastLossRate = p;
    m_covered = m_cameSent;
    m_covering = now;
    if (m_heldBack[0] <= m_covered && m_heldBack[1] > m_covered)
    {
        m_heldBack[0] = m_heldBack[1];
    }
}

double
VrpRateControl::GetRate() const
{
    return m_rate;
}

double
VrpRateControl::GetLossEventRate() const
{
    if (!m_lossSeen)
    {
        return 0;
    }
    const double open = m_came > m_eventOrder ? static_cast<double>(m_came - m_eventOrder) : 0;
    double weights = 0;
    double closed = 0;               // without the open interval
    double with = open * WEIGHTS[0]; // with it, and without the oldest one if there are many
    for (std::size_t i = 0; i < m_intervals.size(); ++i)
    {
        weights += WEIGHTS[i];
        closed += WEIGHTS[i] * m_intervals[i];
        with += i + 1 < m_intervals.size() ? WEIGHTS[i + 1] * m_intervals[i] : 0;
    }
    return std::min(1.0, weights / std::max(closed, with));
}

double
VrpRateControl::GetLeast() const
{
    return m_packetBytes / LONGEST_INTERVAL;
}

double
VrpRateControl::GetInitial() const
{
    return std::min(4 * m_packetBytes, std::max(2 * m_packetBytes, INITIAL_BYTES)) / m_rtt;
}

double
VrpRateControl::GetReceiveRate() const
{
    const auto largest = std::max_element(m_received.begin(), m_received.end());
    return largest == m_received.end() ? 0 : *largest;
}

} // namespace ns3::lfn
