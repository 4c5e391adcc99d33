// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/baseline-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/lfn-transport.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

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

/** @brief Names, attributes, and every way to get them wrong. */
class TransportNameTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
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
        Check("OwnTransport[Share=2]", "OwnTransport: Share: ");
        Check("tcp,tahoe", "there is no transport tahoe, give ");
        Check("", "there is no transport");
        Check("tcp,", "there is no transport");
        Check("tcp[", "tcp: close");
        Check("tcp[Congestion=ns3::TcpCubic", "tcp: close");
        Check("tcp[Congest=ns3::TcpCubic]", "did you mean Congestion?");
        Check("tcp[Congestion=ns3::TcpTahoe]", "tcp: Congestion: give one of ");
        Check("tcp[Congestion=ns3::lfn::TcpXcp]", "tcp: Congestion: give one of ");
        Check("xcp[Congestion=ns3::TcpCubic]",
              "there is no attribute of ns3::lfn::XcpTransport Congestion");
        Check("ns3::lfn::ConnectionTransport", "not abstract");
        Check("atou[Congestion=ns3::TcpBbr]", "atou: Congestion: ns3::TcpBbr needs");
        Check("atou[Congestion=]", "atou: Congestion: give native");
        Check("atou[Options=mss -1]", "atou: Options: mss");
        Check("fec-udp[BlockPackets=33]", "fec-udp: BlockPackets: ");
        Check("parallel-tcp[Streams=0]", "parallel-tcp: Streams: ");
        Check("vrp[MaxLossRate=1.5]", "vrp: MaxLossRate: ");
        Check("ns3::lfn::Transport", "not abstract");
        Check("ns3::lfn::UdpSource", "derived from ns3::lfn::Transport");
        Check("ns3::lfn::UdpTransports", "did you mean ns3::lfn::UdpTransport?");
    }

    /// Read a bad list; the remedy has to hold the part.
    void Check(const std::string& text, const std::string& part)
    {
        std::vector<Ptr<Transport>> made;
        const auto remedy = Transport::Read(text, made).value_or("nothing");
        NS_TEST_EXPECT_MSG_EQ((remedy.find(part) != std::string::npos),
                              true,
                              text << ": " << remedy);
        NS_TEST_EXPECT_MSG_EQ((remedy.find('\n') == std::string::npos), true, "one line");
        NS_TEST_EXPECT_MSG_EQ(made.size(), 0, "nothing is made");
    }
};

/** @brief What tells two settings of a transport apart. */
class TransportVariantTestCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const auto& name : Transport::List())
        {
            Check(name, "");
        }
        Check("OwnTransport[Share=1.0]", "");
        Check("OwnTransport[Share=0.25]", "Share=0.25");
        Check("OwnTransport[Share=0.1234567890123]", "Share=0.1234567890123");
        Check("OwnTransport[Copies=2|Share=0.5]", "Share=0.5|Copies=2");
        Check("tcp[Congestion=ns3::TcpBbr]", "Congestion=ns3::TcpBbr");
        Check("atou[Congestion=native|Options=sack 1]", "");
        Check("atou[Options=fack 1; rampdown 1]", "Options=fack_1;_rampdown_1");
        Check("atou[Options=fack 1;rampdown 1]", "Options=fack_1;rampdown_1");
        Check("atou[Options=fack 1; dup_thresh 4]", "Options=fack_1;_dup%5Fthresh_4");
        Check("parallel-tcp[Congestion=ns3::TcpNewReno|Streams=8]",
              "Streams=8|Congestion=ns3::TcpNewReno");
        Check("parallel-tcp[Window=32768|Striping=OnDemand]", "Window=32768|Striping=OnDemand");
        Check("vrp[MaxLossRate=0.05]", "MaxLossRate=0.05");
        Check("vrp[FrameSize=10|ConcurrentFrames=3]", "FrameSize=10|ConcurrentFrames=3");
        Check("jrm[MessagePackets=1]", "MessagePackets=1");
        Check("jrm[Heartbeat=0.1s]", "");
        Check("jrm[Heartbeat=0s]", "Heartbeat=0s");
        Check("jrm[Heartbeat=1500us]", "Heartbeat=1500us");
        Check("fec-udp[BlockPackets=1]", "BlockPackets=1");
        // A default of the run's is none of the class's.
        Config::SetDefault("ns3::lfn::FecUdpTransport::BlockPackets", UintegerValue(5));
        Check("fec-udp", "BlockPackets=5");
        Config::SetDefault("ns3::lfn::FecUdpTransport::BlockPackets", UintegerValue(3));
    }

    /// Look at a transport's variant.
    void Check(const std::string& text, const std::string& variant)
    {
        std::vector<Ptr<Transport>> made;
        NS_TEST_ASSERT_MSG_EQ(Transport::Read(text, made).value_or(""), "", text);
        NS_TEST_EXPECT_MSG_EQ(made.at(0)->GetVariant(), variant, text);
    }
};

/** @brief Names of transports, and of their settings. */
const Suite g_suite("lfn-transport-names", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new TransportNameTestCase("transports by name"));
    suite.Add(new TransportVariantTestCase("transports: each setting has a word of its own"));
});

} // namespace
