// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-controller.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

namespace
{

/** Shortest mean RTT that can be meant, [s]: what is below is taken for unknown. */
constexpr double SHORTEST_RTT = 1e-6;

/** Shortest X or RTT that a header carries, half a step of 2^-28 s, [s]. */
constexpr double SHORTEST_TIME = 1.0 / (1 << 29);

/** What no X or RTT of a header reaches, [s]. */
constexpr double LONGEST_TIME = 16;

/** ns-2's substitute for the sum of X after an interval without XCP traffic, [s]. */
constexpr double NOBODYS_SUM = 1;

/** What no throughput of a header exceeds either way, [B/s]. */
constexpr double LARGEST_DELTA = 2147483648.0;

/** More bytes, or bytes a second, than any port has: keeps all results finite. */
constexpr double LARGEST_QUANTITY = 1e18;

/**
 * @brief Reads a time that a packet claims.
 * @param seconds any number
 * @return 0 (unknown) unless a header can say it, and 16 s at most
 */
double
ReadTime(double seconds)
{
    // Not a number compares as false, so it is unknown, too.
    return seconds >= SHORTEST_TIME ? std::min(seconds, LONGEST_TIME) : 0;
}

/**
 * @brief Reads a number of bytes, or bytes a second.
 * @param quantity any number
 * @return a finite number, 0 or more
 */
double
ReadQuantity(double quantity)
{
    return quantity > 0 ? std::min(quantity, LARGEST_QUANTITY) : 0;
}

} // namespace

NS_LOG_COMPONENT_DEFINE("XcpController");
NS_OBJECT_ENSURE_REGISTERED(XcpController);

TypeId
XcpController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::XcpController")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<XcpController>()
            .AddAttribute("Alpha",
                          "alpha: part of the spare bandwidth that is given out a mean RTT; the "
                          "control loop is stable below 0.555.",
                          DoubleValue(0.4),
                          MakeDoubleAccessor(&XcpController::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Beta",
                          "beta: part of the persistent queue that is drained a mean RTT, "
                          "alpha^2 sqrt(2).",
                          DoubleValue(0.226),
                          MakeDoubleAccessor(&XcpController::m_beta),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Gamma",
                          "gamma: part of the input traffic that is shuffled between flows a mean "
                          "RTT.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&XcpController::m_gamma),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TargetUtilisation",
                          "Part of the capacity C that the controller aims at.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&XcpController::m_targetUtilisation),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("FirstInterval",
                          "Length of the first control interval, and the mean RTT while no XCP "
                          "traffic gives another (ns-2: 50 ms).",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&XcpController::m_firstInterval),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("FirstRtts",
                          "A control interval that begins without a known RTT ends early, this "
                          "number of mean RTTs after its first packet that has one; 0: never "
                          "(ns-2).",
                          DoubleValue(5),
                          MakeDoubleAccessor(&XcpController::m_firstRtts),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MinInterval",
                          "MIN_INTERVAL: shortest control interval (draft: 5 to 10 ms; ns-2: 1 "
                          "ms).",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&XcpController::m_minInterval),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("MaxInterval",
                          "MAX_INTERVAL: a flow's RTT counts as no more than this (draft: 0.5 to "
                          "1 s; ns-2: 1 s).",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&XcpController::m_maxInterval),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("AllowedQueue",
                          "ALLOWED_QUEUE: shortest queue interval, as a time.",
                          TimeValue(MilliSeconds(2)),
                          MakeTimeAccessor(&XcpController::m_allowedQueue),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("QueueIntervalFraction",
                          "Queue interval as part of the mean RTT without the queueing delay "
                          "(draft and ns-2: 0.5; SIGCOMM paper: 1).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&XcpController::m_queueIntervalFraction),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ClipByResidues",
                          "Cut a packet's positive and negative part to what is left in the pools "
                          "before they make its feedback (ns-2), so that no packet gets more than "
                          "there is, of any value; else only in the account (draft).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&XcpController::m_clipByResidues),
                          MakeBooleanChecker())
            .AddAttribute("ZeroRttGetsNothing",
                          "A packet without RTT gets feedback 0 and is in no sum but the input "
                          "traffic (ns-2); else its X counts (draft).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpController::m_zeroRttGetsNothing),
                          MakeBooleanChecker())
            .AddAttribute("KeepMeanRtt",
                          "An interval without XCP traffic leaves the mean RTT as it was; else it "
                          "falls back to FirstInterval (ns-2).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&XcpController::m_keepMeanRtt),
                          MakeBooleanChecker())
            .AddAttribute("SilentSum",
                          "What the positive pool is shared by after an interval without XCP "
                          "traffic: the Last sum of X; None, and nothing is granted, so that who "
                          "sends less than a packet per interval never gets on; or a Second "
                          "(ns-2), an almost arbitrary grant.",
                          EnumValue(LAST),
                          MakeEnumAccessor<SilentSum>(&XcpController::m_silentSum),
                          MakeEnumChecker(LAST, "Last", NONE, "None", SECOND, "Second"))
            .AddAttribute("NegativePool",
                          "Which bytes share the negative feedback: of all traffic, as published, "
                          "or of XCP traffic only.",
                          EnumValue(ALL_BYTES),
                          MakeEnumAccessor<NegativePool>(&XcpController::m_negativePool),
                          MakeEnumChecker(ALL_BYTES, "AllBytes", XCP_BYTES, "XcpBytes"))
            .AddAttribute("QueueSampling",
                          "When the persistent queue is sampled: at departures (draft, ns-2) or "
                          "at arrivals (SIGCOMM paper).",
                          EnumValue(AT_DEPARTURE),
                          MakeEnumAccessor<QueueSampling>(&XcpController::m_queueSampling),
                          MakeEnumChecker(AT_DEPARTURE, "Departure", AT_ARRIVAL, "Arrival"));
    return tid;
}

XcpController::XcpController() = default;

Time
XcpController::Start()
{
    NS_LOG_FUNCTION(this);
    m_account = Account();
    m_account.meanRtt = m_firstInterval.GetSeconds();
    m_account.knownRtt = m_account.meanRtt;
    m_longestRtt = m_maxInterval.GetSeconds();
    m_inputBytes = 0;
    m_xcpBytes = 0;
    m_sumX = 0;
    m_lastSumX = 0;
    m_sumTimedX = 0;
    m_sumXRtt = 0;
    m_leastQueue = 0;
    m_isRttUnknown = true;
    m_interval = m_account.meanRtt;
    return m_firstInterval;
}

void
XcpController::OnArrival(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_inputBytes += bytes;
}

void
XcpController::OnArrival(uint32_t bytes, const XcpDemand& demand)
{
    NS_LOG_FUNCTION(this << bytes << demand.x << demand.rtt << demand.delta);
    m_inputBytes += bytes;
    const double x = ReadTime(demand.x);
    const double rtt = ReadTime(demand.rtt);
    if (rtt > 0)
    {
        m_sumTimedX += x;
        m_sumXRtt += x * std::min(rtt, m_longestRtt);
    }
    else if (m_zeroRttGetsNothing)
    {
        return;
    }
    m_xcpBytes += bytes;
    m_sumX += x;
}

double
XcpController::OnDeparture(uint32_t bytes, const XcpDemand& demand)
{
    NS_LOG_FUNCTION(this << bytes << demand.x << demand.rtt << demand.delta);
    if (m_zeroRttGetsNothing && ReadTime(demand.rtt) == 0)
    {
        return 0;
    }
    double positive = m_account.positiveFactor * ReadTime(demand.x);
    double negative = m_account.negativeFactor * bytes;
    if (m_clipByResidues)
    {
        positive = std::min(positive, m_account.positiveResidue);
        negative = std::min(negative, m_account.negativeResidue);
    }
    const double feedback = positive - negative;
    double delta = std::max(demand.delta, -LARGEST_DELTA);
    if (delta <= feedback)
    {
        // A router upstream took the difference: it is booked as negative feedback given here.
        // Without that, demands far below zero must not fill the positive pool.
        negative = std::min(m_account.negativeResidue, negative + (feedback - delta));
        positive = std::max(0.0, delta + negative);
    }
    else
    {
        delta = feedback;
    }
    m_account.positiveResidue = std::max(0.0, m_account.positiveResidue - positive);
    m_account.negativeResidue = std::max(0.0, m_account.negativeResidue - negative);
    if (m_account.positiveResidue == 0)
    {
        m_account.positiveFactor = 0;
    }
    if (m_account.negativeResidue == 0)
    {
        m_account.negativeFactor = 0;
    }
    return delta;
}

void
XcpController::SampleAtArrival(double queueBytes)
{
    if (m_queueSampling == AT_ARRIVAL)
    {
        m_leastQueue = std::min(m_leastQueue, ReadQuantity(queueBytes));
    }
}

void
XcpController::SampleAtDeparture(double queueBytes)
{
    if (m_queueSampling == AT_DEPARTURE)
    {
        m_leastQueue = std::min(m_leastQueue, ReadQuantity(queueBytes));
    }
}

std::optional<Time>
XcpController::GetFirstRtts() const
{
    if (!m_isRttUnknown || m_firstRtts <= 0 || m_sumTimedX <= 0)
    {
        return std::nullopt;
    }
    const double meanRtt = m_sumXRtt / m_sumTimedX;
    // LONGEST_TIME keeps the product finite: no interval of unknown RTT is that long.
    return meanRtt < SHORTEST_RTT
               ? std::nullopt
               : std::optional(
                     Seconds(std::clamp(m_firstRtts * meanRtt, SHORTEST_RTT, LONGEST_TIME)));
}

void
XcpController::CutInterval(Time length)
{
    NS_LOG_FUNCTION(this << length);
    m_interval = length.GetSeconds();
}

Time
XcpController::OnControlTimeout(double capacity)
{
    NS_LOG_FUNCTION(this << capacity);
    const double meanRtt = m_sumTimedX > 0 ? m_sumXRtt / m_sumTimedX : 0;
    if (meanRtt >= SHORTEST_RTT)
    {
        m_account.meanRtt = meanRtt;
        m_account.knownRtt = meanRtt;
        m_isRttUnknown = false;
    }
    else if (!m_keepMeanRtt)
    {
        m_isRttUnknown = true;
        m_account.meanRtt = m_firstInterval.GetSeconds();
    }

    m_account.inputRate = m_interval > 0 ? m_inputBytes / m_interval : 0;
    const double usable = m_targetUtilisation * ReadQuantity(capacity);
    if (usable > 0)
    {
        m_account.aggregate = m_alpha * (usable - m_account.inputRate) -
                              m_beta * m_account.persistentQueue / m_account.meanRtt;
        m_account.shuffled =
            std::max(0.0, m_gamma * m_account.inputRate - std::abs(m_account.aggregate));
    }
    else
    {
        m_account.aggregate = 0;
        m_account.shuffled = 0;
    }
    m_account.positiveResidue = m_account.shuffled + std::max(0.0, m_account.aggregate);
    m_account.negativeResidue = m_account.shuffled + std::max(0.0, -m_account.aggregate);
    if (m_sumX > 0)
    {
        m_lastSumX = m_sumX;
    }
    const double silentSum = m_silentSum == SECOND ? NOBODYS_SUM : m_lastSumX;
    const double sumX = m_sumX <= 0 && m_silentSum != NONE ? silentSum : m_sumX;
    const double payingBytes = m_negativePool == XCP_BYTES ? m_xcpBytes : m_inputBytes;
    m_account.positiveFactor = sumX > 0 ? m_account.positiveResidue / sumX : 0;
    m_account.negativeFactor = payingBytes > 0 ? m_account.negativeResidue / payingBytes : 0;

    NS_LOG_LOGIC("mean RTT " << m_account.meanRtt << " s, input " << m_account.inputRate << " of "
                             << usable << " B/s, persistent queue " << m_account.persistentQueue
                             << " B: aggregate feedback " << m_account.aggregate
                             << " B/s, shuffled " << m_account.shuffled << " B/s");
    m_inputBytes = 0;
    m_xcpBytes = 0;
    m_sumX = 0;
    m_sumTimedX = 0;
    m_sumXRtt = 0;
    m_interval = std::max(m_account.meanRtt, m_minInterval.GetSeconds());
    return Seconds(m_interval);
}

Time
XcpController::OnQueueTimeout(double queueBytes, double capacity)
{
    NS_LOG_FUNCTION(this << queueBytes << capacity);
    m_account.persistentQueue = m_leastQueue;
    m_leastQueue = ReadQuantity(queueBytes);
    const double rate = ReadQuantity(capacity);
    const double delay = rate > 0 ? m_leastQueue / rate : 0;
    const double interval = m_queueIntervalFraction * (m_account.meanRtt - delay);
    return Seconds(std::max(m_allowedQueue.GetSeconds(), interval));
}

bool
XcpController::IsSteady() const
{
    return m_account.persistentQueue == 0 && m_leastQueue == 0;
}

const XcpController::Account&
XcpController::GetAccount() const
{
    return m_account;
}

} // namespace ns3::lfn
