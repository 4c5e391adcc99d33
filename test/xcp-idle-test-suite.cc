// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-item.h"

#include "ns3/data-rate.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/xcp-queue-disc.h"
#include "ns3/xcp-tcp-wrr-queue-disc.h"

#include <cstdint>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/**
 * @brief A port whose timers are never suspended.
 * @tparam Disc the port
 */
template <typename Disc>
class Ticking : public Disc
{
  private:
    bool IsSteady() const override
    {
        return false;
    }
};

/** @brief A port that says nothing of steady states, and counts its intervals. */
class CountingPort : public XcpPort
{
  public:
    CountingPort()
        : XcpPort(QueueDiscSizePolicy::MULTIPLE_QUEUES)
    {
    }

    int intervals{0}; //!< that have ended

  private:
    void MakeQueue() override
    {
    }

    std::size_t GetWantedQueues() const override
    {
        return 0;
    }

    double GetRuledBytes() const override
    {
        return 0;
    }

    void OnControlInterval(Time /* length */, double /* capacity */) override
    {
        ++intervals;
    }

    bool DoEnqueue(Ptr<QueueDiscItem> /* item */) override
    {
        return false;
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return nullptr;
    }
};

/** @brief Attributes by name. */
using Attributes = std::vector<std::pair<std::string, std::string>>;

/** @brief A port as a test case sets it up. */
struct Setup
{
    std::string name;                     //!< of the case
    Attributes port{};                    //!< of the port
    Attributes controller{};              //!< of its controller
    std::optional<Attributes> fairness{}; //!< of the mechanism, if there is one
    bool isWrr{false};                    //!< XcpTcpWrrQueueDisc
};

/// Set Attributes.
void
SetAll(Ptr<Object> object, const Attributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        object->SetAttribute(name, StringValue(value));
    }
}

/// Make the mechanism.
PointerValue
MakeFairness(const Attributes& attributes)
{
    const auto fairness = CreateObject<XcpTcpFairness>();
    SetAll(fairness, attributes);
    return PointerValue(fairness);
}

/** @brief One run of a port, and what it does. */
class PortRun
{
  public:
    /// Run a port with packets of a seed; when it ticks, its timers are never suspended.
    PortRun(const Setup& setup, bool ticks, uint32_t seed)
        : m_port(setup.isWrr ? Make<XcpTcpWrrQueueDisc>(ticks) : Make<XcpQueueDisc>(ticks)),
          m_random(seed)
    {
        m_device->SetAttribute("DataRate", StringValue("80Mbps"));
        m_port->SetDevice(m_device);
        SetAll(m_port, setup.port);
        SetAll(m_port->GetController(), setup.controller);
        if (setup.fairness)
        {
            m_port->SetAttribute("Fairness", MakeFairness(*setup.fairness));
        }
        m_port->AssignStreams(1);
        for (const std::string name : {"InputRate",
                                       "XcpRate",
                                       "E2eRate",
                                       "PersistentQueue",
                                       "XcpFlows",
                                       "TcpFlows",
                                       "TcpRtt",
                                       "DropProbability",
                                       "XcpWeight",
                                       "RestDropRate",
                                       "XcpWindow"})
        {
            // Not all ports have all of these.
            const auto write = [this, name](double, double now) { Write(name, now); };
            m_port->TraceConnectWithoutContext(name, Callback<void, double, double>(write));
        }
        ConnectTrace(m_port, "ControlInterval", [this](Time, Time now) {
            Write("ControlInterval", now.GetDouble());
        });
        m_port->Initialize();
        SendAll();
        Simulator::Stop(m_end);
        Simulator::Run();
        m_events = Simulator::GetEventCount();
        Write("aggregate", m_port->GetController()->GetAccount().aggregate);
        m_port->Dispose();
        m_device->Dispose();
        Simulator::Destroy();
    }

    /// Get what happened, in its order.
    std::string GetLog() const
    {
        return m_log.str();
    }

    /// Get how many events it took.
    uint64_t GetEvents() const
    {
        return m_events;
    }

  private:
    /// Make a port; when it ticks, its timers are never suspended.
    template <typename Disc>
    static Ptr<XcpPort> Make(bool ticks)
    {
        return ticks ? Ptr<Disc>(CreateObject<Ticking<Disc>>()) : CreateObject<Disc>();
    }

    /// Draw a number.
    uint64_t Draw(uint64_t bound)
    {
        return m_random() % bound;
    }

    /// Note what happened.
    void Write(const std::string& what, double value)
    {
        m_log << Simulator::Now().GetNanoSeconds() << " " << what << " " << std::hexfloat << value
              << "\n";
    }

    /// Bursts with gaps between them, and new rates in the gaps.
    void SendAll()
    {
        for (int burst = 0; burst < 12; ++burst)
        {
            // Some at the very instant at which intervals end.
            const Time gap =
                Draw(3) == 0 ? MilliSeconds(25 * static_cast<int64_t>(Draw(9000)))
                             : NanoSeconds(static_cast<int64_t>(Draw(Draw(2) == 0 ? 1e11 : 2e9)));
            if (Draw(3) > 0)
            {
                SetRate(m_end + gap * static_cast<int64_t>(Draw(1000)) / 1000);
            }
            m_end += gap;
            SendBurst();
        }
        m_end += Seconds(100);
    }

    /// Packets of both classes, an RTT.
    void SendBurst()
    {
        const auto packets = 1 + Draw(60);
        const double rtt = 0.001 * static_cast<double>(1 + Draw(300));
        const auto kind = Draw(4);
        for (uint64_t i = 0; i < packets; ++i)
        {
            XcpTestPacket packet{.payload = static_cast<uint32_t>(Draw(1400)),
                                 .port = static_cast<uint16_t>(Draw(5))};
            if (kind == 0 || (kind == 1 && Draw(2) == 0))
            {
                packet.xcp = MakeXcpHeader(1e-3, rtt);
            }
            Simulator::Schedule(m_end, [this, packet] { m_port->Enqueue(MakeXcpItem(packet)); });
            Simulator::Schedule(m_end + MicroSeconds(static_cast<int64_t>(Draw(9000))),
                                [this] { Dequeue(); });
            m_end += NanoSeconds(static_cast<int64_t>(Draw(static_cast<uint64_t>(1e9 * rtt) / 8)));
        }
        // What is left: ticks of many intervals pass before the last packet goes.
        m_end += MilliSeconds(static_cast<int64_t>(Draw(200)));
        for (uint64_t i = 0; i < packets; ++i)
        {
            Simulator::Schedule(m_end, [this] { Dequeue(); });
        }
    }

    /// A packet leaves.
    void Dequeue()
    {
        const auto item = m_port->Dequeue();
        XcpHeader header;
        uint32_t at = 0;
        if (item && XcpPacketView::ReadHeader(*item, 253, header, at))
        {
            Write("feedback", header.deltaThroughput);
        }
    }

    /// The rate changes, of the device or by the Attribute.
    void SetRate(Time when)
    {
        const DataRateValue rate(DataRate(1'000'000 * (1 + Draw(100))));
        if (Draw(2) == 0)
        {
            Simulator::Schedule(when, [this, rate] { m_port->SetAttribute("Bandwidth", rate); });
            return;
        }
        Simulator::Schedule(when, [this, rate] {
            m_port->SetAttribute("Bandwidth", StringValue("0bps"));
            m_port->ResumeTimers();
            m_device->SetAttribute("DataRate", rate);
        });
    }

    Ptr<PointToPointNetDevice> m_device{CreateObject<PointToPointNetDevice>()}; //!< of the port
    Ptr<XcpPort> m_port;                                                        //!< the port
    std::mt19937_64 m_random;                                                   //!< draws
    Time m_end;               //!< until when packets were scheduled
    std::ostringstream m_log; //!< what happened
    uint64_t m_events{0};     //!< of the simulator
};

/** @brief Suspended timers change nothing. */
LFN_CASE_OF(XcpIdleGapTestCase, Setup setup)
{
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        const PortRun ticking(setup, true, seed);
        const PortRun port(setup, false, seed);
        NS_TEST_ASSERT_MSG_EQ((port.GetLog() == ticking.GetLog()),
                              true,
                              setup.name << ", seed " << seed);
        NS_TEST_EXPECT_MSG_LT(2 * port.GetEvents(),
                              ticking.GetEvents(),
                              setup.name << ", seed " << seed);
    }
}

/** @brief A port that no packet ever reaches has no events. */
LFN_CASE_OF(XcpIdleForeverTestCase, Setup setup)
{
    const auto port = CreateObject<XcpQueueDisc>();
    port->SetAttribute("Bandwidth", StringValue("80Mbps"));
    if (setup.fairness)
    {
        port->SetAttribute("Fairness", MakeFairness(*setup.fairness));
    }
    port->Initialize();
    Pass(Seconds(4294967));
    NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 100, "events");
    port->Dispose();
    Simulator::Destroy();
}

/** @brief A rate that changed unannounced counts from the last end of an interval. */
LFN_CASE(XcpIdleRateTestCase)
{
    const auto device = CreateObject<PointToPointNetDevice>();
    device->SetAttribute("DataRate", StringValue("80Mbps"));
    const auto port = CreateObject<XcpQueueDisc>();
    port->SetDevice(device);
    port->Initialize();
    Pass(Seconds(10));
    device->SetAttribute("DataRate", StringValue("40Mbps"));
    Pass(Seconds(10));
    const auto& account = port->GetController()->GetAccount();
    NS_TEST_EXPECT_MSG_EQ(account.aggregate, 4e6, "0.4 of 10 MB/s");
    port->Enqueue(MakeXcpItem({.xcp = MakeXcpHeader()}));
    NS_TEST_EXPECT_MSG_EQ(account.aggregate, 2e6, "0.4 of 5 MB/s");
    port->Dispose();
    device->Dispose();
    Simulator::Destroy();
}

/** @brief A derived port that acts at each interval gets each, with packets or without. */
LFN_CASE(XcpIdleDerivedTestCase)
{
    const auto port = CreateObject<CountingPort>();
    port->SetAttribute("Bandwidth", StringValue("80Mbps"));
    port->Initialize();
    Pass(Seconds(10));
    NS_TEST_EXPECT_MSG_GT(port->intervals, 90, "intervals of 100 ms at most");
    port->Dispose();
    Simulator::Destroy();
}

/// Ports of XCP routers between flows: their timers are suspended, and nothing else changes.
const Suite g_suite("lfn-xcp-idle", TestSuite::Type::UNIT, [](Suite& suite) {
    const auto count = [](const std::string& estimator, Attributes more) {
        const std::string name = "ns3::lfn::Xcp" + estimator + "Estimator[PeriodLength=";
        more.emplace_back("XcpEstimator", name + "7]");
        more.emplace_back("E2eEstimator", name + "3]");
        return more;
    };
    const std::pair<std::string, std::string> adaptive("DropLaw", "ns3::lfn::XcpAdaptiveDropLaw");
    for (const auto& setup : std::vector<Setup>{
             {"the defaults"},
             {"jittered timers", {{"TimerJitter", "1"}}},
             {"the queue interval of the paper",
              {},
              {{"QueueIntervalFraction", "1"}, {"QueueSampling", "Arrival"}}},
             {"queue intervals longer than control intervals",
              {},
              {{"AllowedQueue", "150ms"}, {"FirstRtts", "0"}}},
             {"the last RTT", {}, {{"KeepMeanRtt", "1"}, {"SilentSum", "None"}}},
             {"mechanism with SRED", {}, {}, Attributes{}},
             {"mechanism with Bloom filters", {}, {}, count("Bloom", {adaptive})},
             {"mechanism that forgets", {}, {}, count("Bloom", {{"ForgetSilent", "1"}})},
             {"mechanism with exact counts", {}, {}, count("Exact", {})},
             {"mechanism with its own interval",
              {{"FairnessInterval", "70ms"}},
              {},
              count("Exact", {adaptive, {"RateMeasured", "Departed"}})},
             {"mechanism with a short interval",
              {{"FairnessInterval", "25ms"}},
              {},
              count("Exact", {adaptive, {"SilenceTimeout", "10ms"}, {"LossTimeout", "10ms"}})},
             {"two queues", {{"Weights", "Tfrc"}}, {}, {}, true},
         })
    {
        suite.Add(new XcpIdleGapTestCase("as with timers that never stop: " + setup.name, setup));
    }
    suite.Add(new XcpIdleForeverTestCase("no events without packets", Setup{""}));
    suite.Add(
        new XcpIdleForeverTestCase("nor with the mechanism", Setup{"", {}, {}, Attributes{}}));
    suite.Add(new XcpIdleDerivedTestCase("a derived class that says nothing of steady states"));
    suite.Add(new XcpIdleRateTestCase("a new rate that was not announced"));
});

} // namespace
