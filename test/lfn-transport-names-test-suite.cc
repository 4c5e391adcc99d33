// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/baseline-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-application-transport.h"
#include "ns3/lfn-transport.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What a user adds outside of the module: a transport of their own. */
class OwnTransport : public Transport
{
  public:
    /// The type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("OwnTransport")
                                .SetParent<Transport>()
                                .AddConstructor<OwnTransport>()
                                .AddAttribute("Share",
                                              "Share of the rate.",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&OwnTransport::m_share),
                                              MakeDoubleChecker<double>(0, 1))
                                .AddAttribute("Copies",
                                              "For its name only.",
                                              StringValue("1"),
                                              MakeUintegerAccessor(&OwnTransport::m_copies),
                                              MakeUintegerChecker<uint32_t>())
                                .AddAttribute("Model",
                                              "An object, which has no text.",
                                              PointerValue(),
                                              MakePointerAccessor(&OwnTransport::m_model),
                                              MakePointerChecker<ErrorModel>());
        return tid;
    }

    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override
    {
        const auto remote = UdpEndpoint::WithPort(flow.receiverAddress, flow.port);
        const auto [source, sink] =
            BaselineHelper("Udp").Install(flow.sender, flow.receiver, remote);
        const auto rate = m_share * static_cast<double>(flow.sendRate.GetBitRate());
        Suggest(source, "Bytes", UintegerValue(flow.bytes));
        Suggest(source, "SendRate", DataRateValue(DataRate(static_cast<uint64_t>(rate))));
        source->SetStartTime(flow.start);
        ends = {.source = source, .sink = sink};
        return std::nullopt;
    }

    TransportTraits GetTraits() const override
    {
        TransportTraits traits;
        traits.isReliable = false;
        return traits;
    }

    TransferReport GetReport(const TransportEnds& ends) const override
    {
        auto report = Transport::GetReport(ends);
        EndAtSink(report);
        return report;
    }

  private:
    double m_share{1};       //!< attribute Share
    uint32_t m_copies{1};    //!< attribute Copies
    Ptr<ErrorModel> m_model; //!< attribute Model
};

NS_OBJECT_ENSURE_REGISTERED(OwnTransport);

/** @brief The shortest transport: two applications by name. */
template <int N>
class PairTransport : public ApplicationTransport
{
  public:
    /// The type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("Pair" + std::to_string(N) + "Transport").SetParent<ApplicationTransport>();
        return tid;
    }

    PairTransport()
        : ApplicationTransport(SOURCES[N], SINKS[N], N)
    {
    }

  private:
    static constexpr std::array SOURCES = {"ns3::lfn::UdpSource",
                                           "ns3::lfn::TcpSource",
                                           "NoSuchSource",
                                           "ns3::UdpClient",
                                           "ns3::lfn::UdpSink"};
    static constexpr std::array SINKS = {"ns3::lfn::UdpSink",
                                         "ns3::lfn::TcpSink",
                                         "ns3::lfn::UdpSink",
                                         "ns3::lfn::UdpSink",
                                         "ns3::lfn::UdpSink"};
};

/** @brief What follows for a transport from its two applications. */
class ApplicationTransportTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        const auto udp = CreateObject<PairTransport<0>>();
        NS_TEST_EXPECT_MSG_EQ(udp->Check().value_or(""), "", "UDP");
        NS_TEST_EXPECT_MSG_EQ(udp->GetTraits().isReliable, false, "nothing is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(udp->GetTraits().usesSendRate, true, "has SendRate");
        const auto tcp = CreateObject<PairTransport<1>>();
        NS_TEST_EXPECT_MSG_EQ(tcp->Check().value_or(""), "", "TCP");
        NS_TEST_EXPECT_MSG_EQ(tcp->GetTraits().isReliable, true, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(tcp->GetTraits().usesSendRate, false, "has no SendRate");
        NS_TEST_EXPECT_MSG_EQ(tcp->GetTraits().headerBytes, 1, "as the constructor says");
        CheckBad(CreateObject<PairTransport<2>>(), "there is no class NoSuchSource");
        CheckBad(CreateObject<PairTransport<3>>(), "derive it from ns3::lfn::TransferApplication");
        CheckBad(CreateObject<PairTransport<4>>(),
                 "ns3::lfn::UdpSink: give it the Attribute Remote");
    }

    /// Applications that do not do are refused by Check(), and by Install() as well.
    void CheckBad(Ptr<Transport> transport, const std::string& part)
    {
        TransportEnds ends;
        NS_TEST_EXPECT_MSG_NE(transport->Check().value_or("").find(part), std::string::npos, part);
        NS_TEST_EXPECT_MSG_NE(transport->Install({}, ends).value_or("").find(part),
                              std::string::npos,
                              part);
        NS_TEST_EXPECT_MSG_GT(transport->GetTraits().headerBytes, 0, "can be described");
    }
};

/** @brief Names, attributes, and every way to get them wrong. */
LFN_CASE(TransportNameTestCase)
{
    // Read a bad list; the remedy has to hold the part.
    const auto check = [&](const std::string& text, const std::string& part) {
        std::vector<Ptr<Transport>> made;
        const auto remedy = Transport::Read(text, made).value_or("nothing");
        NS_TEST_EXPECT_MSG_EQ((remedy.find(part) != std::string::npos),
                              true,
                              text << ": " << remedy);
        NS_TEST_EXPECT_MSG_EQ((remedy.find('\n') == std::string::npos), true, "one line");
        NS_TEST_EXPECT_MSG_EQ(made.size(), 0, "nothing is made");
    };
    for (const auto& name : Transport::List())
    {
        std::vector<Ptr<Transport>> made;
        NS_TEST_EXPECT_MSG_EQ(Transport::Read(name, made).value_or(""), "", name);
        NS_TEST_ASSERT_MSG_EQ(made.size(), 1, name);
        NS_TEST_EXPECT_MSG_EQ(made[0]->GetName(), name, "and back");
    }
    std::vector<Ptr<Transport>> made;
    const auto remedy = Transport::Read("tcp[Congestion=ns3::TcpBbr],OwnTransport[Share=0.5],"
                                        "ns3::lfn::ParallelTcpTransport[Streams=7|Window=4000]",
                                        made);
    NS_TEST_EXPECT_MSG_EQ(remedy.value_or(""), "", "all good");
    NS_TEST_ASSERT_MSG_EQ(made.size(), 3, "all made");
    NS_TEST_EXPECT_MSG_EQ(made[1]->GetName(), "OwnTransport", "a user's own");
    NS_TEST_EXPECT_MSG_EQ(made[2]->GetName(), "parallel-tcp", "the long name");
    check("OwnTransport[Share=2]", "OwnTransport: Share: ");
    check("tcp,tahoe", "there is no transport tahoe, give ");
    check("rbudp,BBR", "there is no transport BBR, write tcp[Congestion=ns3::TcpBbr]");
    check("tcp[Congestion=TcpBbr]", "tcp: Congestion: write ns3::TcpBbr");
    check("", "there is no transport");
    check("tcp,", "there is no transport");
    check("tcp[", "tcp: close");
    check("tcp[Congestion=ns3::TcpCubic", "tcp: close");
    check("tcp[Congest=ns3::TcpCubic]", "did you mean Congestion?");
    check("tcp[Congestion=ns3::TcpTahoe]", "tcp: Congestion: give one of ");
    check("tcp[Congestion=ns3::lfn::TcpXcp]", "tcp: Congestion: give one of ");
    check("xcp[Congestion=ns3::TcpCubic]",
          "there is no attribute of ns3::lfn::XcpTransport Congestion");
    check("ns3::lfn::ConnectionTransport", "not abstract");
    check("atou[Congestion=ns3::TcpBbr]", "atou: Congestion: ns3::TcpBbr needs");
    check("atou[Congestion=]", "atou: Congestion: give native");
    check("atou[Options=mss -1]", "atou: Options: mss");
    check("fec-udp[BlockPackets=33]", "fec-udp: BlockPackets: ");
    check("parallel-tcp[Streams=0]", "parallel-tcp: Streams: ");
    check("vrp[MaxLossRate=1.5]", "vrp: MaxLossRate: ");
    check("ns3::lfn::Transport", "not abstract");
    check("ns3::lfn::UdpSource", "derived from ns3::lfn::Transport");
    check("ns3::lfn::UdpTransports", "did you mean ns3::lfn::UdpTransport?");
}

/** @brief What distinguishes two settings of a transport. */
LFN_CASE(TransportVariantTestCase)
{
    // Look at a transport's variant.
    const auto check = [&](const std::string& text, const std::string& variant) {
        std::vector<Ptr<Transport>> made;
        NS_TEST_ASSERT_MSG_EQ(Transport::Read(text, made).value_or(""), "", text);
        NS_TEST_EXPECT_MSG_EQ(made.at(0)->GetVariant(), variant, text);
    };
    for (const auto& name : Transport::List())
    {
        check(name, "");
    }
    check("OwnTransport[Share=1.0]", "");
    check("OwnTransport[Share=0.25]", "Share=0.25");
    check("OwnTransport[Share=0.1234567890123]", "Share=0.1234567890123");
    check("OwnTransport[Copies=2|Share=0.5]", "Share=0.5|Copies=2");
    check("tcp[Congestion=ns3::TcpBbr]", "Congestion=ns3::TcpBbr");
    check("tcp[Congestion=ns3::TcpCubic]", "");
    check("tcp[Congestion=]", "Congestion=");
    check("atou[Congestion=native|Options=sack 1]", "");
    check("atou[Options=fack 1; rampdown 1]", "Options=fack_1;_rampdown_1");
    check("atou[Options=fack 1;rampdown 1]", "Options=fack_1;rampdown_1");
    check("atou[Options=fack 1; dup_thresh 4]", "Options=fack_1;_dup%5Fthresh_4");
    check("parallel-tcp[Congestion=ns3::TcpNewReno|Streams=8]",
          "Streams=8|Congestion=ns3::TcpNewReno");
    check("parallel-tcp[Window=32768|Striping=OnDemand]", "Window=32768|Striping=OnDemand");
    check("vrp[MaxLossRate=0.05]", "MaxLossRate=0.05");
    check("vrp[FrameSize=10|ConcurrentFrames=3]", "FrameSize=10|ConcurrentFrames=3");
    check("jrm[MessagePackets=1]", "MessagePackets=1");
    check("jrm[Heartbeat=0.1s]", "");
    check("jrm[Heartbeat=0s]", "Heartbeat=0s");
    check("jrm[Heartbeat=1500us]", "Heartbeat=1500us");
    check("fec-udp[BlockPackets=1]", "BlockPackets=1");
    // A default of the run is not one of the class.
    Config::SetDefault("ns3::lfn::FecUdpTransport::BlockPackets", UintegerValue(5));
    check("fec-udp", "BlockPackets=5");
    Config::SetDefault("ns3::lfn::FecUdpTransport::BlockPackets", UintegerValue(3));
}

const Suite g_suite("lfn-transport-names", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new TransportNameTestCase("transports by name"));
    suite.Add(new ApplicationTransportTestCase("transports: two applications make one"));
    suite.Add(new TransportVariantTestCase("transports: each setting has a word of its own"));
});

} // namespace
