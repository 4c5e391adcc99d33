// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Fate = VrpTestNetwork::Fate;

constexpr uint32_t PACKET = VrpTestNetwork::PACKET;

/** @brief A receiver that can be stopped at any time. */
class StoppableReceiver : public VrpReceiver
{
  public:
    using VrpReceiver::StopApplication;
};

/** @brief A sender that can be stopped at any time. */
class StoppableSender : public VrpSender
{
  public:
    using VrpSender::StopApplication;
};

/** @brief Each packet of the protocol lost, doubled and late once. */
class VrpOneFaultTestCase : public Case
{
    using Case::Case;

    /** @brief Which packets. */
    struct Kind
    {
        std::string name;                              //!< of the kind
        int direction;                                 //!< 0 is that of the data
        std::function<bool(const VrpTestSight&)> fits; //!< says whether a packet is of that kind
        uint64_t least;                                //!< the number without failures
    };

    void DoRun() override
    {
        const auto with = [](VrpTagCode code) {
            return [code](const VrpTestSight& sight) { return sight.Has(code); };
        };
        const std::vector<Kind> kinds{
            {"PING", 0, with(VrpTagCode::PING), 1},
            {"PONG", 1, with(VrpTagCode::PONG), 1},
            {"header", 0, with(VrpTagCode::FRAME_CREATE), 4},
            {"FRAME_OK", 1, with(VrpTagCode::FRAME_OK), 4},
            {"FRAME_CLOSE", 0, with(VrpTagCode::FRAME_CLOSE), 1},
            {"data", 0, [](const VrpTestSight& sight) { return !sight.control; }, 31},
            {"NACK", 1, with(VrpTagCode::NACK), 1},
            {"ACK", 1, with(VrpTagCode::ACK), 28},
            {"MISSING_HDR", 1, with(VrpTagCode::MISSING_HDR), 1},
        };
        for (const bool restart : {false, true})
        {
            for (const auto& kind : kinds)
            {
                const auto count = Run(kind, 0, Fate::PASS, Time(0), restart);
                if (kind.name != "MISSING_HDR" || restart)
                {
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(count, kind.least, kind.name);
                }
                for (uint64_t k = 1; k <= count; ++k)
                {
                    Run(kind, k, Fate::LOSE, Time(0), restart);
                    Run(kind, k, Fate::TWICE, Time(0), restart);
                    Run(kind, k, Fate::TWICE, MilliSeconds(15), restart);
                    Run(kind, k, Fate::LATE, MilliSeconds(15), restart);
                    // When frames are delivered and closed, or freed (C18).
                    Run(kind, k, Fate::TWICE, MilliSeconds(200), restart);
                    Run(kind, k, Fate::LATE, MilliSeconds(200), restart);
                }
            }
        }
    }

    /// Run two frames, and two more when those have ended. Packet 3 of each gets lost once. Packet
    /// k, from 1, of a kind has a fault; the receiver may be replaced between the first FRAME_OK
    /// and the first data. Returns how many packets of that kind there were.
    uint64_t Run(const Kind& kind, uint64_t k, Fate fate, Time delay, bool restart)
    {
        VrpTestNetwork network;
        network.replayDelay = delay;
        network.helper.SetSinkAttribute("FreeEarly", BooleanValue(k % 2 == 1));
        if (restart)
        {
            // PONG at 10.2 ms, FRAME_OK leaves at 15.2 ms, data come at 25.2 ms.
            network.receiver = network.AddReceiver(Seconds(0));
            network.receiver->SetStopTime(MilliSeconds(18));
            network.AddReceiver(MilliSeconds(19));
            network.sender = network.AddSender(Seconds(0));
        }
        else
        {
            network.Install();
        }
        uint64_t seen = 0;
        std::vector<uint16_t> lost;
        network.judge = [&](int direction, const VrpTestSight& sight) {
            if (direction == kind.direction && kind.fits(sight) && ++seen == k)
            {
                return fate;
            }
            if (direction == 0 && !sight.control && sight.packet == 3 &&
                std::find(lost.begin(), lost.end(), sight.frame) == lost.end())
            {
                lost.push_back(sight.frame);
                return Fate::LOSE;
            }
            return Fate::PASS;
        };
        uint32_t ended = 0;
        network.onEnd = [&](std::size_t) {
            if (++ended == 2)
            {
                network.Send(8 * PACKET - 1);
                network.Send(0);
            }
        };
        network.Send(10 * PACKET);
        network.Send(10 * PACKET + 1);
        VrpTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.sent.size(), 4, "all were sent");
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(),
                              "",
                              kind.name << ' ' << k << ", fate " << static_cast<int>(fate) << ", "
                                        << delay.GetMilliSeconds() << " ms"
                                        << (restart ? ", receiver replaced" : ""));
        return seen;
    }
};

LFN_CASE_OF(VrpRestartReceiverTestCase, Time when)
{
    VrpTestNetwork network;
    network.Install();
    network.receiver->SetStopTime(when);
    const auto second = network.AddReceiver(when + MilliSeconds(1));
    const auto message = "receiver at " + std::to_string(when.GetMicroSeconds()) + " us";
    network.onEnd = [&](std::size_t index) {
        if (index == 0)
        {
            network.Send(30'000);
        }
    };
    network.Send(400 * PACKET);
    VrpTestNetwork::Run();
    const auto& report = network.sent[0].report;
    NS_TEST_ASSERT_MSG_EQ(network.sent[0].ends, 1, message);
    // Ten packets are acknowledged at the latest at 27 ms, the last one at 88 ms.
    if (report.state == VrpFrameState::DONE)
    {
        NS_TEST_EXPECT_MSG_EQ(network.Verify(0), "", message);
    }
    else
    {
        NS_TEST_EXPECT_MSG_EQ((report.state == VrpFrameState::ERROR), true, message);
        NS_TEST_EXPECT_MSG_LT(report.finish, when + Seconds(5), message);
        NS_TEST_EXPECT_MSG_EQ((when > MilliSeconds(20) && when < MilliSeconds(90)), true, message);
    }
    NS_TEST_EXPECT_MSG_EQ(network.VerifyFrom(1), "", message);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(second->GetReport().deliveredBytes, 30'000, message);
}

LFN_CASE_OF(VrpRestartSenderTestCase, Time when)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("LocalPort", UintegerValue(4000));
    network.Install();
    network.sender->SetStopTime(when);
    const auto second = network.AddSender(when + MilliSeconds(1));
    const auto message = "sender at " + std::to_string(when.GetMicroSeconds()) + " us";
    const auto first = network.Send(400 * PACKET);
    for (uint32_t i = 0; i < 5; ++i)
    {
        network.Send(20'000 + i, {}, second);
    }
    VrpTestNetwork::Run(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(network.VerifyFrom(1), "", message);
    const bool isDone = network.sent[first].ends == 1;
    NS_TEST_EXPECT_MSG_EQ((!isDone || network.Verify(first).empty()), true, message);
    NS_TEST_EXPECT_MSG_EQ(network.sender->IsFinished(), true, message);
    VrpTestNetwork::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(network.receiver->GetBlocks(), 0, message); // life timeout
}

LFN_CASE(VrpLinkDownTestCase)
{
    // The link is down for two seconds, which PINGs and frames survive.
    const auto checkShort = [&](Time when) {
        VrpTestNetwork network;
        network.Install();
        network.Cut(when, when + Seconds(2));
        network.Send(400 * PACKET);
        VrpTestNetwork::Run();
        const auto message = std::to_string(when.GetMicroSeconds()) + " us";
        NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", message);
        NS_TEST_EXPECT_MSG_LT(network.sent[0].report.finish, when + Seconds(5), message);
    };
    // The link is down for longer than anything lives.
    const auto checkLong = [&](Time when) {
        VrpTestNetwork network;
        network.Install();
        network.Cut(when, Seconds(30));
        network.Send(400 * PACKET);
        Simulator::Schedule(Seconds(31), [&] { network.Send(50'000); });
        VrpTestNetwork::Run();
        const auto message = std::to_string(when.GetMicroSeconds()) + " us";
        const auto& report = network.sent[0].report;
        NS_TEST_ASSERT_MSG_EQ(network.sent[0].ends, 1, message);
        NS_TEST_EXPECT_MSG_EQ((report.state == VrpFrameState::DONE),
                              (when > MilliSeconds(93)),
                              message);
        if (when < MilliSeconds(10)) // before PONG
        {
            NS_TEST_EXPECT_MSG_EQ((report.state == VrpFrameState::ERROR), true, message);
            NS_TEST_EXPECT_MSG_EQ(report.finish, Seconds(8), message); // PingTries, PingTimeout
            NS_TEST_EXPECT_MSG_EQ((network.sender->GetState() == VrpSender::State::FAILED),
                                  true,
                                  message);
            NS_TEST_EXPECT_MSG_EQ(network.sent[1].accepted, false, message);
            return;
        }
        if (report.state != VrpFrameState::DONE)
        {
            NS_TEST_EXPECT_MSG_EQ((report.state == VrpFrameState::TIMED_OUT), true, message);
            NS_TEST_EXPECT_MSG_LT(report.finish, when + Seconds(5) + MilliSeconds(50), message);
        }
        NS_TEST_EXPECT_MSG_EQ(network.VerifyFrom(1), "", message);
        NS_TEST_EXPECT_MSG_LT(network.sent[1].report.finish, Seconds(62), message);
    };
    for (int ms = 0; ms < 96; ms += 3)
    {
        const Time when = MicroSeconds(1000 * ms + 137);
        checkShort(when);
        checkLong(when);
    }
}

LFN_CASE_OF(VrpReceiverStopsTestCase, uint32_t bytes, bool early, bool combine)
{
    VrpTestNetwork network;
    network.helper.SetSourceAttribute("CombineSmall", BooleanValue(combine));
    const auto receiver = CreateObject<StoppableReceiver>();
    receiver->SetAttribute("KeepData", BooleanValue(true));
    receiver->SetAttribute("FreeEarly", BooleanValue(early));
    receiver->SetStartTime(Seconds(0));
    network.nodes.Get(1)->AddApplication(receiver);
    network.Watch(receiver);
    network.sender = network.AddSender(Seconds(0));
    network.onReceive = [&](const VrpReceivedFrame&) {
        if (network.received.size() == 2)
        {
            receiver->StopApplication();
        }
    };
    for (int i = 0; i < 3; ++i)
    {
        network.Send(bytes);
    }
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.received.size(), 2, "delivered");
    NS_TEST_EXPECT_MSG_EQ(receiver->GetReport().failure, "", "it just ended");
    for (const auto& frame : network.sent)
    {
        NS_TEST_EXPECT_MSG_EQ(frame.ends, 1, "an end each");
    }
    NS_TEST_EXPECT_MSG_EQ(network.Verify(0), "", "the first one");
    NS_TEST_EXPECT_MSG_EQ((network.sent[2].report.state == VrpFrameState::TIMED_OUT),
                          true,
                          "nobody answered");
}

LFN_CASE_OF(VrpSenderStopsTestCase, uint32_t bytes, bool dispose)
{
    VrpTestNetwork network;
    const auto sender = CreateObject<StoppableSender>();
    sender->SetAttribute(
        "Remote",
        AddressValue(InetSocketAddress(Ipv4Address::ConvertFrom(network.addresses[1]),
                                       VrpTestNetwork::PORT)));
    sender->SetStartTime(Seconds(0));
    network.nodes.Get(0)->AddApplication(sender);
    network.AddReceiver(Seconds(0));
    network.sender = sender;
    uint32_t ends = 0;
    network.onEnd = [&](std::size_t) {
        ++ends;
        if (dispose)
        {
            sender->Dispose();
        }
        else
        {
            sender->StopApplication();
        }
    };
    for (int i = 0; i < 3; ++i)
    {
        network.Send(bytes);
    }
    VrpTestNetwork::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(ends, 1, "the others never ended");
    NS_TEST_EXPECT_MSG_EQ(sender->IsFinished(), true, "stopped");
    NS_TEST_EXPECT_MSG_EQ(sender->GetReport().failure, (dispose ? "" : "stopped"), "why");
    NS_TEST_EXPECT_MSG_EQ(sender->SendFrame(VrpFrame()), false, "no frame follows");
    NS_TEST_EXPECT_MSG_EQ(network.sent[0].report.bytes, bytes, "the first one");
}

LFN_CASE_OF(VrpSendsInsideTestCase, uint32_t bytes)
{
    VrpTestNetwork network;
    network.Install();
    network.onEnd = [&](std::size_t index) {
        if (index < 20)
        {
            network.Send(bytes);
            network.Send(bytes + 1);
        }
        else if (index == 40)
        {
            network.sender->Finish();
            NS_TEST_EXPECT_MSG_EQ(network.sender->SendFrame(VrpFrame()), false, "finished");
        }
    };
    network.Send(bytes);
    VrpTestNetwork::Run();
    NS_TEST_EXPECT_MSG_EQ(network.sent.size(), 41, "frames");
    NS_TEST_EXPECT_MSG_EQ(network.VerifyAll(), "", "frames");
    NS_TEST_EXPECT_MSG_EQ(network.sender->GetReport().completed, true, "ended");
    NS_TEST_EXPECT_MSG_EQ((network.sender->GetState() == VrpSender::State::CLOSED), true, "closed");
}

const Suite g_suite("lfn-vrp-fault", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new VrpOneFaultTestCase(
        "each kind of packet lost, doubled or late once: every frame delivered once"));
    for (int ms = 1; ms < 100; ms += 4)
    {
        const auto name = "an end replaced in mid-frame, at " + std::to_string(ms) + " ms: the ";
        const Time when = MicroSeconds(1000 * ms + 137);
        suite.Add(new VrpRestartReceiverTestCase(name + "receiver", when));
        suite.Add(new VrpRestartSenderTestCase(name + "sender", when));
    }
    suite.Add(new VrpLinkDownTestCase(
        "link down for 2 s or for long: frames end in time, the next one works"));
    for (const uint32_t bytes : {0U, 1U, 20'000U})
    {
        const auto name = "from within callbacks, frames of " + std::to_string(bytes) + " B: ";
        for (const bool flag : {false, true})
        {
            const std::string late = flag ? ", early" : "";
            suite.Add(new VrpReceiverStopsTestCase(name + "stop" + late, bytes, flag, false));
            suite.Add(new VrpReceiverStopsTestCase(name + "combined" + late, bytes, flag, true));
            suite.Add(new VrpSenderStopsTestCase(name + (flag ? "dispose" : "end"), bytes, flag));
        }
        suite.Add(new VrpSendsInsideTestCase(name + "send", bytes));
    }
});

} // namespace
