// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/address.h"
#include "ns3/double.h"
#include "ns3/lfn-error-model-list.h"
#include "ns3/lfn-gilbert-elliott-error-model.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t PORT = 4242; //!< where the datagrams of the filter's test go

/** @brief Make one field of a filter disagree. */
void
Disagree(IpPacketFilter& filter, uint32_t field)
{
    switch (field)
    {
    case 0:
        filter.ipProtocol = 6;
        break;
    case 1:
        filter.sourcePort = static_cast<uint16_t>(*filter.sourcePort + 1);
        break;
    case 2:
        filter.destinationPort = static_cast<uint16_t>(*filter.destinationPort + 1);
        break;
    case 3:
        ++*filter.minBytes;
        break;
    default:
        --*filter.maxBytes;
        break;
    }
}

/** @brief The filter reads real frames, and any bytes at all. */
LFN_CASE(PacketFilterTestCase)
{
    // Send a small and a fragmented datagram over a link and filter what arrives.
    const auto checkFrames = [&](bool useIpv6) {
        TestNetwork network({.ipv6 = useIpv6});
        std::vector<Ptr<const Packet>> frames;
        auto model = CreateObject<ScriptedErrorModel>();
        const IpPacketFilter udp{.ipProtocol = 17};
        const IpPacketFilter fragment{.ipProtocol = useIpv6 ? 44 : 17};
        model->SetFilter(ScriptedErrorModel::Filter([&](Ptr<const Packet> packet) {
            if (udp.Matches(packet) || fragment.Matches(packet))
            {
                frames.emplace_back(packet->Copy());
            }
            return false;
        }));
        network.Lose(1, model);
        auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        for (const uint32_t size : {100U, 4000U})
        {
            Simulator::Schedule(Seconds(3 + size / 1000.0), [&, size]() {
                socket->Connect(network.GetEnd(1, PORT));
                // The port number all over, so that a later fragment's data could be mistaken.
                std::vector<uint8_t> bytes(size);
                for (size_t i = 0; i < bytes.size(); ++i)
                {
                    bytes[i] = i % 2 == 0 ? PORT / 256 : PORT % 256;
                }
                socket->Send(Create<Packet>(bytes.data(), size));
            });
        }
        TestNetwork::Run(Seconds(20));
        NS_TEST_ASSERT_MSG_EQ(frames.size(), 4, "one small datagram and three fragments");
        const IpPacketFilter port{.destinationPort = PORT};
        const IpPacketFilter otherPort{.destinationPort = PORT + 1};
        const IpPacketFilter wrongWay{.sourcePort = PORT};
        const uint32_t small = 100 + 8 + (useIpv6 ? 40 : 20);
        const IpPacketFilter exactly{.minBytes = small, .maxBytes = small};
        for (size_t i = 0; i < frames.size(); ++i)
        {
            const bool hasPorts = i < 2; // the second and third fragment have none
            NS_TEST_EXPECT_MSG_EQ(IpPacketFilter{}.Matches(frames[i]), true, "an empty filter");
            NS_TEST_EXPECT_MSG_EQ(udp.Matches(frames[i]), true, "UDP " << i);
            NS_TEST_EXPECT_MSG_EQ(port.Matches(frames[i]), hasPorts, "port of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(otherPort.Matches(frames[i]), false, "another port");
            NS_TEST_EXPECT_MSG_EQ(wrongWay.Matches(frames[i]), false, "the other direction");
            NS_TEST_EXPECT_MSG_EQ(exactly.Matches(frames[i]), (i == 0), "size of frame " << i);
        }
    };
    checkFrames(false);
    checkFrames(true);
}

/** @brief Random headers, with and without PPP, against filters of the same fields. */
LFN_CASE(BuiltHeadersCase)
{
    std::mt19937 random(3);
    for (int trial = 0; trial < 2000; ++trial)
    {
        const auto source = static_cast<uint16_t>(random());
        const auto destination = static_cast<uint16_t>(random());
        const bool isIpv4 = random() % 2 == 0;
        const uint32_t payload = random() % 1400;
        auto packet = Create<Packet>(payload);
        UdpHeader udp;
        udp.SetSourcePort(source);
        udp.SetDestinationPort(destination);
        packet->AddHeader(udp);
        const auto ipPayload = static_cast<uint16_t>(packet->GetSize());
        if (isIpv4)
        {
            Ipv4Header ip;
            ip.SetProtocol(17);
            ip.SetPayloadSize(ipPayload);
            packet->AddHeader(ip);
        }
        else
        {
            Ipv6Header ip;
            ip.SetNextHeader(17);
            ip.SetPayloadLength(ipPayload);
            packet->AddHeader(ip);
        }
        const uint32_t bytes = packet->GetSize();
        if (random() % 2 == 0)
        {
            PppHeader ppp;
            ppp.SetProtocol(isIpv4 ? 0x0021 : 0x0057);
            packet->AddHeader(ppp);
        }
        IpPacketFilter filter{.ipProtocol = 17,
                              .sourcePort = source,
                              .destinationPort = destination,
                              .minBytes = bytes,
                              .maxBytes = bytes};
        NS_TEST_ASSERT_MSG_EQ(filter.Matches(packet), true, "every field agrees");
        Disagree(filter, random() % 5);
        NS_TEST_ASSERT_MSG_EQ(filter.Matches(packet), false, "one field does not");
        const auto shortened = packet->CreateFragment(0, random() % 20);
        NS_TEST_ASSERT_MSG_EQ(IpPacketFilter{}.Matches(shortened), false, "cut in the header");
    }
}

/** @brief Random bytes of any length, many of them beginning like an IP packet. */
LFN_CASE(MalformedBytesCase)
{
    std::mt19937 random(4);
    const IpPacketFilter filter{.sourcePort = 1, .destinationPort = 2};
    std::vector<uint8_t> bytes(220);
    uint32_t matches = 0;
    for (int trial = 0; trial < 50000; ++trial)
    {
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random());
        }
        const size_t ip = random() % 2 == 0 ? 2 : 0;
        bytes[0] = 0;
        bytes[1] = random() % 2 == 0 ? 0x21 : 0x57;
        bytes[ip] = static_cast<uint8_t>((random() % 2 == 0 ? 0x40 : 0x60) | (random() % 16));
        // Chains of extension headers, some longer than the packet.
        bytes[ip + 6] = random() % 2 == 0 ? 0 : 44;
        bytes[ip + 40] = random() % 2 == 0 ? 60 : 43;
        const auto packet = Create<Packet>(bytes.data(), random() % bytes.size());
        matches += filter.Matches(packet) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_LT(matches, 100, "two random ports hardly ever agree");
}

/** @brief A script loses exactly the packets that it names. */
LFN_CASE(ScriptedErrorModelTestCase)
{
    auto model = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue("7,3"));
    model->Drop(11);
    model->SetFilter(ScriptedErrorModel::Filter(
        [](Ptr<const Packet> packet) { return packet->GetSize() > 50; }));
    for (int repetition = 0; repetition < 2; ++repetition)
    {
        std::string lost;
        for (int i = 1; i <= 20; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(50)), false, "not meant");
            lost += model->IsCorrupt(Create<Packet>(51)) ? std::to_string(i) + " " : "";
        }
        NS_TEST_EXPECT_MSG_EQ(lost, "3 7 11 ", "the third, seventh and eleventh");
        NS_TEST_EXPECT_MSG_EQ(model->GetMatched(), 20, "counted");
        NS_TEST_EXPECT_MSG_EQ(model->GetDropped(), 3, "lost");
        model->Reset(); // and the script begins again
    }
    NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "3,7,11", "in rising order");
    for (const auto* bad : {"0", ",", "1,", ",1", "1,,2", "1;2", " 1", "-1", "1.5", "ALL", "x"})
    {
        NS_TEST_EXPECT_MSG_EQ(model->SetScript(bad), false, "\"" << bad << "\"");
    }
    NS_TEST_EXPECT_MSG_EQ(model->SetScript("18446744073709551616"), false, "too large");
    NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "3,7,11", "a bad script changes nothing");
    NS_TEST_EXPECT_MSG_EQ(model->SetScript(""), true, "an empty script");
    NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(99)), false, "loses nothing");
    NS_TEST_EXPECT_MSG_EQ(model->SetScript("all"), true, "everything");
    NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "all", "everything");
    NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(99)), true, "is lost");
    NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(9)), false, "that matches");
    model->Dispose();
}

/** @brief A model that turns bad with probability p and good with r, and its losses in either
 * state. */
Ptr<GilbertElliottErrorModel>
Make(double p, double r, double good, double bad)
{
    auto model = CreateObjectWithAttributes<GilbertElliottErrorModel>("GoodToBad",
                                                                      DoubleValue(p),
                                                                      "BadToGood",
                                                                      DoubleValue(r),
                                                                      "LossInGood",
                                                                      DoubleValue(good),
                                                                      "LossInBad",
                                                                      DoubleValue(bad));
    model->AssignStreams(7);
    return model;
}

/** @brief Mean loss and mean burst length are those of the closed form. */
LFN_CASE(GilbertElliottTestCase)
{
    // Compare the share of lost packets with the closed form.
    const auto checkLoss = [&](double p, double r, double good, double bad) {
        constexpr int PACKETS = 200000;
        const auto model = Make(p, r, good, bad);
        const auto packet = Create<Packet>();
        int lost = 0;
        for (int i = 0; i < PACKETS; ++i)
        {
            lost += model->IsCorrupt(packet) ? 1 : 0;
        }
        const double share = p / (p + r);
        const double mean = share * bad + (1.0 - share) * good;
        // Correlated samples: the variance of the state's share grows by (1+rho)/(1-rho).
        const double rho = 1.0 - p - r;
        const double ofState = share * (1.0 - share) * (bad - good) * (bad - good);
        const double error =
            std::sqrt((mean * (1.0 - mean) + ofState * 2.0 * rho / (1.0 - rho)) / PACKETS);
        NS_TEST_EXPECT_MSG_EQ_TOL(model->GetMeanLoss(), mean, 1e-12, "closed form");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / PACKETS, mean, 4 * error, "mean");
        NS_TEST_EXPECT_MSG_EQ(model->GetDropped(), static_cast<uint64_t>(lost), "counted");
    };
    checkLoss(0.02, 0.25, 0.0, 1.0);
    checkLoss(0.01, 0.10, 0.005, 0.7);
    checkLoss(0.50, 0.50, 0.1, 0.1); // both states alike: independent losses
}

/** @brief A chain by its mean loss and its mean burst, or none where there is none. */
LFN_CASE(MeansCase)
{
    const auto get = [](Ptr<GilbertElliottErrorModel> model, const char* name) {
        DoubleValue value;
        model->GetAttribute(name, value);
        return value.Get();
    };
    const auto model = Make(0.3, 0.4, 0.0, 1.0);
    for (const double burst : {0.99, 1.0, 3.0})
    {
        const double most = burst / (1 + burst);
        NS_TEST_EXPECT_MSG_EQ(model->SetMean(most + 1e-9, burst), false, "too many");
        NS_TEST_EXPECT_MSG_EQ(get(model, "BadToGood"), 0.4, "nothing is set");
    }
    NS_TEST_EXPECT_MSG_EQ(model->SetMean(-0.1, 5), false, "a negative share");
    NS_TEST_EXPECT_MSG_EQ(model->SetMean(0.02, 5), true, "one in fifty, five in a row");
    NS_TEST_EXPECT_MSG_EQ_TOL(model->GetMeanLoss(), 0.02, 1e-12, "the mean loss");
    NS_TEST_EXPECT_MSG_EQ_TOL(get(model, "BadToGood"), 0.2, 1e-12, "1 / burst");
    const auto partial = Make(0.3, 0.4, 0.01, 0.6);
    NS_TEST_EXPECT_MSG_EQ(partial->SetMean(0.005, 5), false, "less than in the good state");
    NS_TEST_EXPECT_MSG_EQ(partial->SetMean(0.7, 5), false, "more than in the bad state");
    NS_TEST_EXPECT_MSG_EQ(partial->SetMean(0.1, 5), true, "between them");
    NS_TEST_EXPECT_MSG_EQ_TOL(partial->GetMeanLoss(), 0.1, 1e-12, "the mean loss");
    const auto none = Make(0.3, 0.4, 0.0, 1.0);
    NS_TEST_EXPECT_MSG_EQ(none->SetMean(0.0, 5), true, "no losses at all");
    NS_TEST_EXPECT_MSG_EQ(none->GetMeanLoss(), 0.0, "none");
}

/** @brief With sure loss in the bad state, bursts last 1/r packets on average. */
LFN_CASE(BurstsCase)
{
    constexpr double R = 0.2;
    const auto model = Make(0.02, R, 0.0, 1.0);
    const auto packet = Create<Packet>();
    int lost = 0;
    int bursts = 0;
    bool before = false;
    for (int i = 0; i < 200000; ++i)
    {
        const bool isLost = model->IsCorrupt(packet);
        lost += isLost ? 1 : 0;
        bursts += isLost && !before ? 1 : 0;
        before = isLost;
    }
    const double error = std::sqrt((1.0 - R) / (R * R) / bursts);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / bursts, 1.0 / R, 4 * error, "1/r");
}

/** @brief Already the first packet meets the stationary chain. */
LFN_CASE(StartCase)
{
    constexpr int TRIALS = 20000;
    const auto model = Make(0.001, 0.004, 0.0, 1.0);
    int lost = 0;
    for (int i = 0; i < TRIALS; ++i)
    {
        lost += model->IsCorrupt(Create<Packet>()) ? 1 : 0;
        model->Reset();
    }
    const double error = std::sqrt(0.2 * 0.8 / TRIALS);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / TRIALS, 0.2, 4 * error, "start");
}

/** @brief Probabilities of 0 and 1 are exact. */
LFN_CASE(CertaintiesCase)
{
    const auto never = Make(0.0, 0.0, 0.0, 1.0);
    const auto always = Make(1.0, 0.0, 0.0, 1.0);
    const auto alternating = Make(1.0, 1.0, 0.0, 1.0);
    bool before = alternating->IsCorrupt(Create<Packet>());
    for (int i = 0; i < 1000; ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(never->IsCorrupt(Create<Packet>()), false, "never bad");
        NS_TEST_ASSERT_MSG_EQ(always->IsCorrupt(Create<Packet>()), true, "always bad");
        const bool isLost = alternating->IsCorrupt(Create<Packet>());
        NS_TEST_ASSERT_MSG_EQ(isLost, (!before), "every second one");
        before = isLost;
    }
}

/** @brief Equal streams lose the same packets, others do not. */
LFN_CASE(StreamsCase)
{
    std::string lost[3];
    for (int i = 0; i < 3; ++i)
    {
        const auto model = Make(0.1, 0.3, 0.0, 1.0);
        NS_TEST_EXPECT_MSG_EQ(model->AssignStreams((i < 2 ? 100 : 101)), 1, "one stream");
        for (int k = 0; k < 500; ++k)
        {
            lost[i] += model->IsCorrupt(Create<Packet>()) ? 'x' : '.';
        }
    }
    NS_TEST_EXPECT_MSG_EQ(lost[0], lost[1], "the same stream");
    NS_TEST_EXPECT_MSG_NE(lost[0], lost[2], "another stream");
}

/** @brief A model that is switched off neither loses, counts nor draws. */
LFN_CASE(SwitchedOffTestCase)
{
    // Ask a model that loses the first packet, first while it is off.
    const auto check = [&](Ptr<ErrorModel> model, const std::function<uint64_t()>& count) {
        const auto name = model->GetInstanceTypeId().GetName();
        model->Disable();
        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>()), false, name << " is off");
        }
        NS_TEST_EXPECT_MSG_EQ(count(), 0, name << " counts nothing while it is off");
        model->Enable();
        NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>()), true, name << " is on again");
    };
    const auto script = CreateObject<ScriptedErrorModel>();
    script->Drop(1);
    check(script, [script]() { return script->GetDropped() + script->GetMatched(); });
    const auto chain = CreateObjectWithAttributes<GilbertElliottErrorModel>("GoodToBad",
                                                                            DoubleValue(1.0),
                                                                            "BadToGood",
                                                                            DoubleValue(0.0));
    check(chain, [chain]() { return chain->GetDropped(); });
    const auto member = CreateObject<ScriptedErrorModel>();
    member->Drop(1);
    const auto list = CreateObject<ErrorModelList>();
    list->Add(member);
    check(list, [member]() { return member->GetDropped() + member->GetMatched(); });
}

const Suite g_suite("lfn-loss", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(
        new PacketFilterTestCase("packet filter: real frames, built headers, malformed bytes"));
    suite.Add(new BuiltHeadersCase(
        "random headers, with and without PPP, against filters of the same fields"));
    suite.Add(new MalformedBytesCase(
        "random bytes of any length, many of them beginning like an IP packet"));
    suite.Add(new ScriptedErrorModelTestCase("scripted error model: counts, loses, parses"));
    suite.Add(new SwitchedOffTestCase("a model that is off loses nothing"));
    suite.Add(
        new GilbertElliottTestCase("Gilbert-Elliott: stationary loss, burst length, streams"));
    suite.Add(
        new MeansCase("a chain by its mean loss and its mean burst, or none where there is none"));
    suite.Add(new BurstsCase(
        "with sure loss in the bad state, bursts have the mean length of the chain"));
    suite.Add(new StartCase("already the first packet meets the stationary chain"));
    suite.Add(new CertaintiesCase("probabilities of 0 and 1 are exact"));
    suite.Add(new StreamsCase("equal streams lose the same packets, others do not"));
});

} // namespace
