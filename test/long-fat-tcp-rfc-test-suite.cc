// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/lfn-tcp-congestion.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"

#include <map>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * Where ns-3's TCP errs: a least case for each fault, by ns-3's socket, by LongFatTcpSocket with
 * Ns3Faults, and by LongFatTcpSocket.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

constexpr uint32_t SEGMENT = 1000; //!< [B]

/** @brief Who sends. */
enum class Sender
{
    NS3,    //!< ns-3's socket
    FAULTY, //!< LongFatTcpSocket with Ns3Faults
    OURS    //!< LongFatTcpSocket
};

/** @brief A connection, its losses, and what came of it. */
class Connection : public TestNetwork
{
  public:
    /** @brief What it is like. */
    struct Setting
    {
        uint32_t bytes{0};            //!< to be sent
        std::set<uint32_t> lost{};    //!< segments that are lost when sent first
        uint32_t times{1};            //!< how often the first one of these is lost
        bool sack{false};             //!< with SACK
        uint32_t write{SEGMENT};      //!< in pieces of, [B]
        uint32_t rcvBufSize{500'000}; //!< of the receiver, [B]
        bool noDelay{true};           //!< without Nagle's rule
        uint32_t partial{1};          //!< PartialAckSegments
        uint32_t delAckCount{1};      //!< segments an ACK
        uint32_t laterBytes{0};       //!< to be sent half a minute later
    };

    /** @brief Run it for a minute. */
    Connection(Sender sender, const Setting& setting)
        : TestNetwork({.delay = MilliSeconds(20)}),
          m_setting(setting)
    {
        const auto factory = sender == Sender::NS3 ? TcpSocketFactory::GetTypeId()
                                                   : LongFatTcpSocketFactory::GetTypeId();
        for (uint32_t i = 0; i < 2; ++i)
        {
            LongFatTcpSocketFactory::Install(nodes.Get(i));
            m_sockets.at(i) =
                DynamicCast<TcpSocketBase>(Socket::CreateSocket(nodes.Get(i), factory));
            const auto& socket = m_sockets.at(i);
            socket->SetAttribute("Sack", BooleanValue(setting.sack));
            socket->SetAttribute("SegmentSize", UintegerValue(SEGMENT));
            socket->SetAttribute("DelAckCount", UintegerValue(setting.delAckCount));
            UseTcpCongestion(socket, "ns3::TcpNewReno");
            socket->SetAttribute("RcvBufSize", UintegerValue(setting.rcvBufSize));
            socket->SetAttribute("TcpNoDelay", BooleanValue(setting.noDelay));
            socket->SetAttribute("SndBufSize", UintegerValue(2'000'000));
            socket->SetAttributeFailSafe("Ns3Faults", BooleanValue(sender == Sender::FAULTY));
            socket->SetAttributeFailSafe("PartialAckSegments", UintegerValue(setting.partial));
        }
        ConnectTrace(m_sockets[0], "SlowStartThreshold", [this](uint32_t, uint32_t now) {
            thresholds.push_back(now / SEGMENT);
        });
        ConnectTrace(m_sockets[0], "BytesInFlight", [this](uint32_t, uint32_t now) {
            inFlightBytes = now;
        });
        Listen(m_sockets[1], GetEnd(1, 80), [](Ptr<Socket> socket) { Receive(socket); });
        m_sockets[0]->SetConnectCallback(
            Callback<void, Ptr<Socket>>([this](Ptr<Socket>) { Write(m_setting.bytes); }),
            MakeNullCallback<void, Ptr<Socket>>());
        m_sockets[0]->Bind();
        m_sockets[0]->Connect(GetEnd(1, 80));
        Simulator::Schedule(Seconds(30), [this] { Write(m_setting.laterBytes); });
        Run(Seconds(60));
    }

    uint32_t inFlightBytes{0};        //!< in the end, [B]
    uint32_t useless{0};              //!< segments that came and had come before
    uint64_t arrivedBytes{0};         //!< that had not come before, [B]
    std::vector<uint32_t> thresholds; //!< values of ssthresh, in segments
    Time finished;                    //!< when the last byte came

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        TcpHeader tcp;
        const auto packet = OpenFrame(frame, 6, tcp);
        if (direction == 1 || packet->GetSize() == 0)
        {
            return TestFate::PASS;
        }
        const auto begin = tcp.GetSequenceNumber() - SequenceNumber32(1);
        const auto segment = static_cast<uint32_t>(begin) / SEGMENT;
        if (m_setting.lost.contains(segment))
        {
            const auto times = segment == *m_setting.lost.begin() ? m_setting.times : 1;
            if (++m_sent[segment] <= times)
            {
                return TestFate::LOSE;
            }
        }
        const auto newBytes = Count(begin, begin + static_cast<int32_t>(packet->GetSize()));
        arrivedBytes += newBytes;
        finished = newBytes > 0 ? Simulator::Now() : finished;
        useless += newBytes == 0;
        return TestFate::PASS;
    }

  private:
    /** @brief Count the bytes from begin to end that had not come before. */
    uint32_t Count(int32_t begin, int32_t end)
    {
        uint32_t newBytes = 0;
        for (auto byte = begin; byte < end; ++byte)
        {
            newBytes += m_arrived.insert(byte).second;
        }
        return newBytes;
    }

    /** @brief Write bytes. */
    void Write(uint32_t bytes)
    {
        while (bytes > 0)
        {
            const auto piece = std::min(bytes, m_setting.write);
            m_sockets[0]->Send(Create<Packet>(piece), 0);
            bytes -= piece;
        }
    }

    Setting m_setting;                           //!< what it is like
    std::array<Ptr<TcpSocketBase>, 2> m_sockets; //!< the sender's, and the one that listens
    std::map<uint32_t, uint32_t> m_sent;         //!< how often a segment of those was
    std::set<int32_t> m_arrived;                 //!< bytes
};

/** @brief Questions that are answered by data, which acknowledge them; the last one is lost once.
 */
class Dialogue : public TestNetwork
{
  public:
    /** @brief Ask after 1, 11, 21 and 22 s. */
    explicit Dialogue(Sender sender)
        : TestNetwork({.delay = MilliSeconds(20)})
    {
        const auto factory = sender == Sender::NS3 ? TcpSocketFactory::GetTypeId()
                                                   : LongFatTcpSocketFactory::GetTypeId();
        for (uint32_t i = 0; i < 2; ++i)
        {
            LongFatTcpSocketFactory::Install(nodes.Get(i));
            m_sockets.at(i) = Socket::CreateSocket(nodes.Get(i), factory);
            m_sockets.at(i)->SetAttribute("SegmentSize", UintegerValue(SEGMENT));
            m_sockets.at(i)->SetAttributeFailSafe("Ns3Faults",
                                                  BooleanValue(sender == Sender::FAULTY));
        }
        Listen(m_sockets[1], GetEnd(1, 80), [](Ptr<Socket> socket) {
            socket->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> from) {
                from->Recv();
                from->Send(Create<Packet>(SEGMENT / 2), 0);
            }));
        });
        m_sockets[0]->SetRecvCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> from) {
            from->Recv();
            waited = Simulator::Now() - m_asked;
        }));
        m_sockets[0]->Bind();
        m_sockets[0]->Connect(GetEnd(1, 80));
        for (const auto at : {1, 11, 21, 22})
        {
            Simulator::Schedule(Seconds(at), [this] {
                m_asked = Simulator::Now();
                m_sockets[0]->Send(Create<Packet>(SEGMENT), 0);
            });
        }
        Run(Seconds(100));
    }

    Time waited; //!< from the last question to its answer

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        const bool isQuestion = direction == 0 && frame->GetSize() > SEGMENT;
        return isQuestion && ++m_questions == 4 ? TestFate::LOSE : TestFate::PASS;
    }

  private:
    std::array<Ptr<Socket>, 2> m_sockets; //!< of who asks, and the one that listens
    Time m_asked;                         //!< when the last question was sent first
    uint32_t m_questions{0};              //!< that were sent
};

/** @brief Who sends, in the order of Values. */
constexpr std::array SENDERS{Sender::NS3, Sender::FAULTY, Sender::OURS};

using Setting = Connection::Setting;    //!< shorter
using Values = std::array<uint64_t, 3>; //!< of each sender

/** @brief TCP-D14: an ACK that goes with data takes new time stamps in (RFC 7323, section 4.3). */
LFN_CASE_OF(DialogueCase, Values waited)
{
    for (const auto sender : SENDERS)
    {
        const auto i = static_cast<int>(sender);
        NS_TEST_EXPECT_MSG_EQ(Dialogue(sender).waited.GetMilliSeconds(),
                              static_cast<int64_t>(waited.at(i)),
                              "sender " << i);
    }
}

/** @brief TCP-D1 and TCP-D13: what had arrived is not retransmitted (RFC 6582, section 3.2). */
LFN_CASE_OF(UselessCase, Setting setting, Values useless)
{
    for (const auto sender : SENDERS)
    {
        const Connection connection(sender, setting);
        const auto i = static_cast<int>(sender);
        NS_TEST_EXPECT_MSG_EQ(connection.useless, useless.at(i), "sender " << i);
        NS_TEST_EXPECT_MSG_EQ(connection.arrivedBytes, setting.bytes, "sender " << i);
    }
}

/** @brief TCP-D2 and TCP-D3: the last ssthresh is half of the flight (RFC 5681, eq. 4). */
LFN_CASE_OF(ThresholdCase, Setting setting, Values segments)
{
    for (const auto sender : SENDERS)
    {
        const Connection connection(sender, setting);
        const auto i = static_cast<int>(sender);
        NS_TEST_EXPECT_MSG_EQ(connection.arrivedBytes, setting.bytes, "sender " << i);
        NS_TEST_EXPECT_MSG_EQ(connection.thresholds.back(),
                              segments.at(i),
                              "sender " << i << " of " << connection.thresholds.size());
    }
}

/** @brief TCP-D4 and TCP-D5: all bytes arrive. */
LFN_CASE_OF(ArrivalCase, Setting setting, Values bytes)
{
    for (const auto sender : SENDERS)
    {
        const auto i = static_cast<int>(sender);
        NS_TEST_EXPECT_MSG_EQ(Connection(sender, setting).arrivedBytes,
                              bytes.at(i),
                              "sender " << i);
    }
}

/** @brief What came of losses. */
struct Outcome
{
    int64_t finishedMs{0};  //!< the end of the transfer, [ms]
    uint32_t useless{0};    //!< segments that came and had come before
    uint32_t recoveries{1}; //!< how often ssthresh was set
};

/** @brief A transfer by how many segments a partial ACK may retransmit: 1, and 2. */
LFN_CASE_OF(PartialAckCase, Setting setting, std::array<Outcome, 2> expected)
{
    for (const uint32_t partial : {1, 2})
    {
        setting.partial = partial;
        const Connection connection(Sender::OURS, setting);
        const auto& outcome = expected.at(partial - 1);
        NS_TEST_EXPECT_MSG_EQ(connection.arrivedBytes, setting.bytes + setting.laterBytes, partial);
        NS_TEST_EXPECT_MSG_EQ(connection.inFlightBytes, 0, partial);
        NS_TEST_EXPECT_MSG_EQ(connection.finished.GetMilliSeconds(), outcome.finishedMs, partial);
        NS_TEST_EXPECT_MSG_EQ(connection.useless, outcome.useless, partial);
        // The first value is the one that it begins with.
        NS_TEST_EXPECT_MSG_EQ(connection.thresholds.size(), outcome.recoveries + 1, partial);
    }
}

/** @brief Get the numbers of segments from the first to the last one. */
std::set<uint32_t>
GetRun(uint32_t first, uint32_t last, uint32_t step = 1)
{
    std::set<uint32_t> segments;
    for (auto segment = first; segment <= last; segment += step)
    {
        segments.insert(segment);
    }
    return segments;
}

const Suite g_suite("lfn-long-fat-tcp-rfc", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::set<uint32_t> scattered{3, 4, 9, 11, 14, 21, 25, 45, 48, 52, 55, 57, 59};
    suite.Add(new UselessCase("marks of duplicate ACKs end with a recovery",
                              Setting{.bytes = 600 * SEGMENT, .lost = scattered},
                              Values{599, 599, 1}));
    suite.Add(new UselessCase("duplicates of the ACK of recover indicate no loss",
                              Setting{.bytes = 600 * SEGMENT, .lost = GetRun(50, 53), .times = 2},
                              Values{61, 61, 3}));
    suite.Add(
        new ThresholdCase("lost segments belong to the flight",
                          Setting{.bytes = 200 * SEGMENT, .lost = GetRun(20, 35), .sack = true},
                          Values{6, 6, 15}));
    suite.Add(
        new ThresholdCase("data that arrived long ago do not",
                          Setting{.bytes = 600 * SEGMENT, .lost = {30, 35, 80, 130, 160, 200}},
                          Values{20, 20, 5}));
    suite.Add(
        new ThresholdCase("repeated timeouts halve once",
                          Setting{.bytes = 200 * SEGMENT, .lost = GetRun(100, 199), .times = 4},
                          Values{2, 2, 50}));
    suite.Add(
        new ArrivalCase("Nagle's rule is for new data",
                        Setting{.bytes = 10'500, .lost = {10}, .write = 500, .noDelay = false},
                        Values{10'000, 10'000, 10'500}));
    suite.Add(new ArrivalCase("a small window is used in the end",
                              Setting{.bytes = 10'000, .rcvBufSize = 700},
                              Values{0, 0, 10'000}));
    using Outcomes = std::array<Outcome, 2>;
    constexpr auto SHORT = 600 * SEGMENT;
    constexpr auto LONG = 2000 * SEGMENT;
    suite.Add(new PartialAckCase("a loss is retransmitted once",
                                 Setting{.bytes = SHORT, .lost = {100}},
                                 Outcomes{{{465}, {465}}}));
    suite.Add(new PartialAckCase("losses in a row",
                                 Setting{.bytes = SHORT, .lost = GetRun(100, 149)},
                                 Outcomes{{{1424, 13, 2}, {583, 54}}}));
    suite.Add(new PartialAckCase("every other one",
                                 Setting{.bytes = SHORT, .lost = GetRun(100, 198, 2)},
                                 Outcomes{{{1508, 36, 2}, {548, 61}}}));
    suite.Add(new PartialAckCase("one of ten",
                                 Setting{.bytes = SHORT, .lost = GetRun(100, 190, 10)},
                                 Outcomes{{{586}, {466, 77}}}));
    suite.Add(new PartialAckCase("one of twenty",
                                 Setting{.bytes = LONG, .lost = GetRun(600, 1000, 20)},
                                 Outcomes{{{1243}, {795, 410}}}));
    suite.Add(new PartialAckCase("one of fifty",
                                 Setting{.bytes = LONG, .lost = GetRun(600, 1000, 50)},
                                 Outcomes{{{762}, {742, 254}}}));
    suite.Add(new PartialAckCase("four far apart",
                                 Setting{.bytes = LONG, .lost = {600, 680, 810, 1000}},
                                 Outcomes{{{561}, {561, 11}}}));
    suite.Add(new PartialAckCase(
        "a recovery ends the data, more come later",
        Setting{.bytes = SHORT, .lost = GetRun(500, 580, 20), .laterBytes = 100 * SEGMENT},
        Outcomes{{{30142}, {30142, 10}}}));
    suite.Add(
        new PartialAckCase("delayed ACKs",
                           Setting{.bytes = SHORT, .lost = GetRun(100, 149), .delAckCount = 2},
                           Outcomes{{{2270, 13, 2}, {988, 13}}}));
    suite.Add(
        new PartialAckCase("a short one at the end",
                           Setting{.bytes = SHORT + SEGMENT / 2, .lost = {500, 580, 598, 599, 600}},
                           Outcomes{{{477}, {397, 1}}}));
    suite.Add(
        new DialogueCase("answers echo the time of the question", Values{11363, 11363, 1040}));
});

} // namespace
