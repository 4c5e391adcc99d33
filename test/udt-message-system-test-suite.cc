// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "udt-test-network.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

constexpr uint64_t SIZE = 5000;        //!< of a message, 4 packets, B
constexpr uint64_t BYTES = SIZE * 400; //!< of a transfer

/** @brief A network that loses data packets, with messages. */
class UdtMessageNetwork : public UdtTestNetwork
{
  public:
    std::vector<uint32_t> numbers; //!< of the messages delivered
    bool isWhole{true};            //!< each had its size

    /// Install a transfer with Attributes of the source.
    void Send(double lossRate, bool isInOrder, Time timeToLive)
    {
        helper.SetAttribute("Messages", BooleanValue(true));
        helper.SetSourceAttribute("WriteSize", UintegerValue(SIZE));
        helper.SetSourceAttribute("InOrder", BooleanValue(isInOrder));
        helper.SetSourceAttribute("TimeToLive", TimeValue(timeToLive));
        Install(BYTES);
        ConnectTrace(transfer.sink, "Message", [this](uint32_t, uint32_t number, uint64_t bytes) {
            numbers.push_back(number);
            isWhole = isWhole && bytes == SIZE;
        });
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        loss = [random, lossRate](int, Ptr<const Packet> packet) {
            return packet->GetSize() > 600 && random->GetValue() < lossRate;
        };
        Run();
    }

    /// Whether messages were delivered in the order of their numbers.
    bool IsSorted() const
    {
        return std::is_sorted(numbers.begin(), numbers.end());
    }
};

LFN_CASE(UdtMessageOrderTestCase)
{
    for (const bool isInOrder : {false, true})
    {
        UdtMessageNetwork network;
        network.Send(0.03, isInOrder, Time(0));
        NS_TEST_EXPECT_MSG_EQ(network.IsDelivered(BYTES), true, network.Describe());
        NS_TEST_EXPECT_MSG_EQ(network.numbers.size(), BYTES / SIZE, "every message, once");
        NS_TEST_EXPECT_MSG_EQ(network.isWhole, true, "whole");
        NS_TEST_EXPECT_MSG_EQ(network.IsSorted(), isInOrder, "others overtake");
        NS_TEST_EXPECT_MSG_EQ(network.sender.report.lostBytes, 0, "none is given up");
    }
}

LFN_CASE(UdtMessageLifeTestCase)
{
    for (const bool isInOrder : {false, true})
    {
        UdtMessageNetwork network;
        network.Send(0.03, isInOrder, MilliSeconds(1));
        const auto& sent = network.sender.report;
        const auto& received = network.transfer.sink->GetReport();
        NS_TEST_EXPECT_MSG_EQ(network.sender.completed, 1, network.Describe());
        NS_TEST_EXPECT_MSG_GT(sent.lostBytes, 10 * SIZE, "messages are given up");
        NS_TEST_EXPECT_MSG_EQ(sent.lostBytes % SIZE, 0, "as a whole");
        NS_TEST_EXPECT_MSG_EQ(sent.deliveredBytes + sent.lostBytes, BYTES, "the rest is delivered");
        NS_TEST_EXPECT_MSG_EQ(received.deliveredBytes, sent.deliveredBytes, "both ends agree");
        NS_TEST_EXPECT_MSG_EQ(network.numbers.size(), received.deliveredBytes / SIZE, "once each");
        NS_TEST_EXPECT_MSG_EQ(network.isWhole, true, "whole");
        NS_TEST_EXPECT_MSG_EQ((!isInOrder || network.IsSorted()), true, "in order");
        NS_TEST_EXPECT_MSG_GT(received.deliveredBytes, BYTES / 2, "most arrive");
    }
}

LFN_CASE(UdtMessageRefusalTestCase)
{
    for (const bool isSource : {false, true})
    {
        UdtTestNetwork network;
        if (isSource)
        {
            network.helper.SetSourceAttribute("Messages", BooleanValue(true));
        }
        else
        {
            network.helper.SetSinkAttribute("Messages", BooleanValue(true));
        }
        network.Install(1000);
        UdtTestNetwork::Run();
        NS_TEST_EXPECT_MSG_EQ(network.sender.report.failure,
                              "the sink has refused the connection",
                              "a stream is no socket of messages");
    }
    UdtTestNetwork network;
    network.helper.SetAttribute("Messages", BooleanValue(true));
    network.helper.SetSinkAttribute("ReceiveBuffer", UintegerValue(100));
    network.Install(1'000'000);
    UdtTestNetwork::Run();
    NS_TEST_EXPECT_MSG_NE(network.sender.report.failure.find("lower WriteSize"),
                          std::string::npos,
                          network.sender.report.failure);
    NS_TEST_EXPECT_MSG_EQ(network.transfer.sink->GetConnections(), 0, "closed");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-message-system", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new UdtMessageOrderTestCase("Messages in order and not, with losses"));
    suite.Add(new UdtMessageLifeTestCase("Messages with a time to live"));
    suite.Add(new UdtMessageRefusalTestCase("Ends that do not fit"));
});

} // namespace
