// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "rbudp-test-network.h"

#include "ns3/ipv4-header.h"
#include "ns3/rbudp-header.h"
#include "ns3/tcp-header.h"

#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint16_t PORT = 38000;     //!< of TCP, and of the sender's datagrams
constexpr uint64_t PAYLOAD = 100100; //!< 70 datagrams of 1450 B, the last one of 50 B

/** @brief Two ends that speak as the published tools do, and what passes between them. */
class ToolsNetwork : public RbudpTestNetwork
{
  public:
    std::vector<std::string> sent;    //!< sequence numbers as they are on the wire, in hexadecimal
    std::vector<std::string> control; //!< messages over TCP, in both directions, in hexadecimal
    std::set<uint64_t> lost;          //!< datagrams that are, from 1
    bool hasPorts{true};              //!< all datagrams had the tools' ports

    /// A network.
    ToolsNetwork()
    {
        helper.SetSourceAttribute("Wire", StringValue("Tools"));
        helper.SetSourceAttribute("ControlPort", UintegerValue(PORT));
        helper.SetSourceAttribute("UdpPort", UintegerValue(PORT));
        helper.SetSourceAttribute("PeerUdpPort", UintegerValue(PORT + 1));
        helper.SetSinkAttribute("Wire", StringValue("Tools"));
        helper.SetSinkAttribute("ControlPort", UintegerValue(PORT));
        helper.SetSinkAttribute("UdpPort", UintegerValue(PORT + 1));
        helper.SetSinkAttribute("PeerUdpPort", UintegerValue(PORT));
        helper.SetSinkAttribute("Bytes", UintegerValue(PAYLOAD));
    }

  private:
    TestFate Judge(int /* direction */, Ptr<const Packet> frame) override
    {
        UdpHeader udp;
        if (const auto datagram = OpenDatagram(frame, udp))
        {
            hasPorts =
                hasPorts && udp.GetSourcePort() == PORT && udp.GetDestinationPort() == PORT + 1;
            sent.push_back(Hex(ToBytes(datagram)).substr(0, 8));
            return lost.contains(sent.size()) ? TestFate::LOSE : TestFate::PASS;
        }
        const auto segment = frame->Copy();
        PppHeader ppp;
        Ipv4Header ip;
        TcpHeader tcp;
        segment->RemoveHeader(ppp);
        segment->RemoveHeader(ip);
        segment->RemoveHeader(tcp);
        if (segment->GetSize() > 0)
        {
            control.push_back(Hex(ToBytes(segment)));
        }
        return TestFate::PASS;
    }
};

/**
 * @brief Every byte of a transfer that was recorded between usend and urecv: 70 datagrams, of which
 * the 5th and the 12th are lost, and the 5th again in the second blast.
 */
LFN_CASE(BytesCase)
{
    ToolsNetwork network;
    network.lost = {5, 12, 71};
    network.Install(PAYLOAD, "20Mbps");
    TestSimulation::Run();
    NS_TEST_ASSERT_MSG_EQ(network.IsDelivered(PAYLOAD), true, network.Describe());
    const std::string full(18, 'f');
    const std::vector<std::string> control = {"0000000045454500",
                                              "00eff7" + full.substr(4),
                                              "0100000045454500",
                                              "00ef" + full.substr(2),
                                              "0200000045454500",
                                              "01" + full};
    NS_TEST_ASSERT_MSG_EQ(network.control.size(), control.size(), "nothing is announced");
    for (std::size_t i = 0; i < control.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(network.control[i], control[i], "message " << i);
    }
    NS_TEST_ASSERT_MSG_EQ(network.sent.size(), 73, "70, 2 and 1 datagrams");
    NS_TEST_EXPECT_MSG_EQ(network.hasPorts, true, "38000 to 38001");
    NS_TEST_EXPECT_MSG_EQ(network.sent[69], "45000000", "little-endian");
    NS_TEST_EXPECT_MSG_EQ(network.sent[70], "04000000", "the first one that is missing");
    NS_TEST_EXPECT_MSG_EQ(network.sent[71], "0b000000", "the second one");
    NS_TEST_EXPECT_MSG_EQ(network.sent[72], "04000000", "again");
}

LFN_CASE(LimitsCase)
{
    const auto fail = [](const std::string& end, const std::string& name, uint64_t value) {
        ToolsNetwork network;
        end == "sender" ? network.helper.SetSourceAttribute(name, UintegerValue(value))
                        : network.helper.SetSinkAttribute(name, UintegerValue(value));
        network.Install(PAYLOAD, "20Mbps");
        TestSimulation::Run();
        return end == "sender" ? network.sender.report.failure : network.receiver.report.failure;
    };
    NS_TEST_EXPECT_MSG_EQ(
        fail("sender", "BlockSize", 50000),
        "Wire is Tools, which have one payload without a name: set BlockSize to 0, no FileName",
        "two payloads");
    NS_TEST_EXPECT_MSG_EQ(fail("receiver", "Bytes", 0),
                          "Wire is Tools, which announce nothing: set Bytes",
                          "an unknown size");
    NS_TEST_EXPECT_MSG_EQ(fail("receiver", "MaxDatagrams", 69),
                          "the payload has more than MaxDatagrams datagrams",
                          "one too many");

    ToolsNetwork network;
    network.helper.SetSinkAttribute("Wire", StringValue("Lfn"));
    network.Install(PAYLOAD, "20Mbps");
    TestSimulation::Run();
    NS_TEST_EXPECT_MSG_EQ(network.receiver.failed, 1, "ends that differ");
    NS_TEST_EXPECT_MSG_EQ(network.sender.failed, 1, network.Describe());
}

LFN_CASE(OnePayloadCase)
{
    ToolsNetwork network;
    network.Install(0, "20Mbps");
    const auto sender = network.transfer.source;
    bool first = false;
    bool second = true;
    Simulator::Schedule(MilliSeconds(1), [&] {
        first = sender->SendPayload(PAYLOAD);
        second = sender->SendPayload(PAYLOAD);
        sender->Finish();
    });
    TestSimulation::Run();
    NS_TEST_EXPECT_MSG_EQ(first, true, "the first payload");
    NS_TEST_EXPECT_MSG_EQ(second, false, "a second one");
    NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(PAYLOAD), true, network.Describe());
}

const Suite g_suite("lfn-rbudp-tools", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new BytesCase("the bytes are those of usend and urecv"));
    suite.Add(new LimitsCase("what the tools cannot say fails with a reason"));
    suite.Add(new OnePayloadCase("there is one payload"));
});

} // namespace
