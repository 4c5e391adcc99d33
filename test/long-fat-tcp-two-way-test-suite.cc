// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/lfn-tcp-congestion.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket with data in both directions: outages, marks of ECN, closing, lost
 * retransmissions.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

/** @brief A segment on the link. */
struct Seen
{
    int direction;             //!< 0: from the host that connects
    TcpHeader header;          //!< its header
    uint32_t bytes;            //!< of data
    int64_t offset;            //!< of the first of these in the stream of its direction
    bool isAgain;              //!< a retransmission
    Ipv4Header::EcnType point; //!< its ECN code point
};

/** @brief Two hosts that write to each other, and what the link does to their segments. */
class Conversation : public TestNetwork
{
  public:
    /** @brief What becomes of a segment. */
    enum class Fate
    {
        PASS, //!< it arrives
        LOSE, //!< it is lost
        MARK  //!< it arrives with a CE mark
    };

    /** @brief What a conversation is like. */
    struct Setting
    {
        TestLink link{.delay = MilliSeconds(10)};      //!< the link
        std::array<uint64_t, 2> bytes{0, 0};           //!< written by each host
        uint32_t segment{1000};                        //!< largest segment, [B]
        uint32_t buffer{4'000'000};                    //!< of sender and receiver, [B]
        Time pause{};                                  //!< between writes of a segment; 0: at once
        bool isNs3{false};                             //!< ns-3's socket
        bool ns3Faults{false};                         //!< with Ns3Faults
        bool sack{true};                               //!< SACK
        bool timestamps{true};                         //!< time stamps
        std::array<bool, 2> ecn{false, false};         //!< ECN, by host
        std::string congestion{"ns3::TcpNewReno"};     //!< the congestion control
        Time start{};                                  //!< when host 0 connects
        Time readTime{};                               //!< when host 1 begins to read
        std::array<bool, 2> closes{false, false};      //!< closes after its last write
        Time closeTime{};                              //!< but not before
        std::function<Fate(const Seen& seen)> judge{}; //!< what becomes of segments
        std::function<void(const Seen& seen)> watch{}; //!< is called for each segment
    };

    /** @brief A conversation that begins at once. */
    explicit Conversation(const Setting& setting)
        : TestNetwork(setting.link),
          m_setting(setting)
    {
        const auto factory =
            setting.isNs3 ? TcpSocketFactory::GetTypeId() : LongFatTcpSocketFactory::GetTypeId();
        for (uint32_t i = 0; i < 2; ++i)
        {
            LongFatTcpSocketFactory::Install(nodes.Get(i));
            m_made.at(i) = DynamicCast<TcpSocketBase>(Socket::CreateSocket(nodes.Get(i), factory));
            const auto& socket = m_made.at(i);
            socket->SetAttribute("SegmentSize", UintegerValue(setting.segment));
            socket->SetAttribute("SndBufSize", UintegerValue(setting.buffer));
            socket->SetAttribute("RcvBufSize", UintegerValue(setting.buffer));
            socket->SetAttribute("Sack", BooleanValue(setting.sack));
            socket->SetAttribute("Timestamp", BooleanValue(setting.timestamps));
            socket->SetAttribute("TcpNoDelay", BooleanValue(true));
            socket->SetAttribute("MinRto", TimeValue(MilliSeconds(200)));
            socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(50)));
            socket->SetAttribute("UseEcn", StringValue(setting.ecn.at(i) ? "On" : "Off"));
            socket->SetAttributeFailSafe("Ns3Faults", BooleanValue(setting.ns3Faults));
            UseTcpCongestion(socket, setting.congestion);
        }
        Listen(m_made[1], GetEnd(1, 80), [this](Ptr<Socket> socket) { Begin(1, socket); });
        m_made[0]->SetConnectCallback(
            Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) { Begin(0, socket); }),
            MakeNullCallback<void, Ptr<Socket>>());
        m_made[0]->Bind();
        Simulator::Schedule(setting.start, [this] { m_made[0]->Connect(GetEnd(1, 80)); });
        Simulator::Schedule(setting.readTime, [this] { Read(1); });
    }

    std::array<uint64_t, 2> read{0, 0};         //!< bytes that each host has read
    std::array<Time, 2> readAt;                 //!< when it read last
    std::array<bool, 2> hasEnd{false, false};   //!< the other end has closed
    std::array<bool, 2> hasError{false, false}; //!< its error callback was called
    std::array<Time, 2> errorAt;                //!< when
    std::array<uint32_t, 2> marked{0, 0};       //!< marks by direction
    std::array<uint32_t, 2> echoed{0, 0};       //!< segments with ECE, without SYN, by direction
    std::array<uint32_t, 2> reduced{0, 0};      //!< segments with CWR, without SYN, by direction
    std::array<Ptr<TcpSocketBase>, 2> sockets;  //!< of each host, once connected
    std::vector<uint32_t> thresholds;           //!< of host 0, in segments

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        const auto packet = frame->Copy();
        PppHeader ppp;
        packet->RemoveHeader(ppp);
        Ipv4Header ip;
        packet->RemoveHeader(ip);
        Seen seen{.direction = direction,
                  .header = {},
                  .bytes = 0,
                  .offset = 0,
                  .isAgain = false,
                  .point = ip.GetEcn()};
        packet->RemoveHeader(seen.header);
        seen.bytes = packet->GetSize();
        const bool isSyn = (seen.header.GetFlags() & TcpHeader::SYN) != 0;
        const auto i = static_cast<std::size_t>(direction);
        if (!isSyn)
        {
            // ISNs are 0: the number that is nearest to what was seen last
            const auto low = static_cast<int32_t>(seen.header.GetSequenceNumber().GetValue() - 1 -
                                                  static_cast<uint32_t>(m_last[i]));
            seen.offset = m_last[i] + low;
            seen.isAgain = seen.bytes > 0 && low <= 0 && m_last[i] > 0;
            m_last[i] = std::max(m_last[i], seen.offset);
            echoed[i] += (seen.header.GetFlags() & TcpHeader::ECE) != 0;
            reduced[i] += (seen.header.GetFlags() & TcpHeader::CWR) != 0;
        }
        if (m_setting.watch)
        {
            m_setting.watch(seen);
        }
        const auto fate = m_setting.judge && !isSyn ? m_setting.judge(seen) : Fate::PASS;
        if (fate == Fate::MARK)
        {
            ++marked[i];
            packet->AddHeader(seen.header);
            ip.SetEcn(Ipv4Header::ECN_CE);
            packet->AddHeader(ip);
            packet->AddHeader(ppp);
            Arrive(GetDevice(direction), packet);
        }
        return fate == Fate::PASS ? TestFate::PASS : TestFate::LOSE;
    }

  private:
    /// A host is connected.
    void Begin(uint32_t i, Ptr<Socket> socket)
    {
        sockets.at(i) = DynamicCast<TcpSocketBase>(socket);
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([this, i](Ptr<Socket>) { Read(i); }));
        socket->SetCloseCallbacks(
            Callback<void, Ptr<Socket>>([this, i](Ptr<Socket>) { hasEnd.at(i) = true; }),
            Callback<void, Ptr<Socket>>([this, i](Ptr<Socket>) {
                hasError.at(i) = true;
                errorAt.at(i) = Simulator::Now();
            }));
        socket->SetSendCallback(
            Callback<void, Ptr<Socket>, uint32_t>([this, i](Ptr<Socket>, uint32_t) {
                if (m_setting.pause.IsZero())
                {
                    Write(i);
                }
            }));
        if (i == 0)
        {
            ConnectTrace(socket, "SlowStartThreshold", [this](uint32_t, uint32_t now) {
                thresholds.push_back(now / m_setting.segment);
            });
        }
        Simulator::ScheduleNow([this, i] { Write(i); });
        if (m_setting.closes.at(i) && m_setting.closeTime.IsStrictlyPositive())
        {
            Simulator::Schedule(m_setting.closeTime, [this, i] { Close(i); });
        }
    }

    /// A host reads what has come.
    void Read(uint32_t i)
    {
        if (!sockets.at(i) || (i == 1 && Simulator::Now() < m_setting.readTime))
        {
            return;
        }
        for (auto packet = sockets.at(i)->Socket::Recv(); packet && packet->GetSize() > 0;
             packet = sockets.at(i)->Socket::Recv())
        {
            read.at(i) += packet->GetSize();
            readAt.at(i) = Simulator::Now();
        }
    }

    /// A host writes what has room.
    void Write(uint32_t i)
    {
        auto& written = m_written.at(i);
        while (written < m_setting.bytes.at(i) &&
               sockets.at(i)->GetTxAvailable() >= m_setting.segment)
        {
            const auto size = static_cast<uint32_t>(
                std::min<uint64_t>(m_setting.bytes.at(i) - written, m_setting.segment));
            if (sockets.at(i)->Send(Create<Packet>(size), 0) < 0)
            {
                return;
            }
            written += size;
            if (m_setting.pause.IsStrictlyPositive())
            {
                Simulator::Schedule(m_setting.pause, [this, i] { Write(i); });
                return;
            }
        }
        if (m_setting.closes.at(i) && m_setting.closeTime.IsZero())
        {
            Close(i);
        }
    }

    /// A host that has written all closes.
    void Close(uint32_t i)
    {
        if (m_written.at(i) == m_setting.bytes.at(i) && !m_isClosed.at(i))
        {
            m_isClosed.at(i) = true;
            sockets.at(i)->Close();
        }
    }

    Setting m_setting;                            //!< what it is like
    std::array<Ptr<TcpSocketBase>, 2> m_made;     //!< that connects, and that listens
    std::array<uint64_t, 2> m_written{0, 0};      //!< bytes
    std::array<bool, 2> m_isClosed{false, false}; //!< Close() was called
    std::array<int64_t, 2> m_last{0, 0};          //!< highest offset that was seen, by direction
};

using Setting = Conversation::Setting;
using Fate = Conversation::Fate;

/** @brief Lose segments of 1000 B of direction 0, given by their number, when they come first. */
std::function<Fate(const Seen&)>
LoseOnce(std::set<int64_t> segments)
{
    return [segments](const Seen& seen) mutable {
        const bool isLost =
            seen.direction == 0 && seen.bytes > 0 && segments.erase(seen.offset / 1000) > 0;
        return isLost ? Fate::LOSE : Fate::PASS;
    };
}

/** @brief What is lost in an outage. */
enum class Outage
{
    DATA,    //!< segments with data, in direction 0
    FORWARD, //!< all in direction 0
    BACKWARD //!< all in direction 1
};

/** @brief TCP-D31, TCP-D32: data in both directions outlive an outage. */
LFN_CASE_OF(OutageCase, std::string congestion, Outage outage, int seconds)
{
    constexpr uint64_t BYTES = 1'400'000;
    const auto judge = [outage, seconds](const Seen& seen) {
        const auto now = Simulator::Now();
        const bool isOut = now >= Seconds(5) && now < Seconds(5 + seconds);
        const bool isIts = outage == Outage::BACKWARD ? seen.direction == 1 : seen.direction == 0;
        return isOut && isIts && (outage != Outage::DATA || seen.bytes > 0) ? Fate::LOSE
                                                                            : Fate::PASS;
    };
    Conversation conversation({.bytes = {BYTES, BYTES},
                               .pause = MilliSeconds(50),
                               .congestion = congestion,
                               .judge = judge});
    TestNetwork::Run(Seconds(75 + 2 * seconds + 120));
    for (const std::size_t i : {0, 1})
    {
        NS_TEST_EXPECT_MSG_EQ(conversation.read[i],
                              BYTES,
                              congestion << ", host " << i << ", last at "
                                         << conversation.readAt[i].As(Time::S));
        NS_TEST_EXPECT_MSG_EQ(conversation.hasError[i],
                              false,
                              congestion << ", host " << i << " at " << conversation.errorAt[i]);
    }
}

/** @brief TCP-D34: whenever it is closed, all data and the FIN arrive. */
LFN_CASE_OF(CloseCase, bool sack, uint64_t backBytes)
{
    constexpr uint64_t BYTES = 100'000;
    for (int i = 0; i < 76; ++i)
    {
        Conversation conversation({.bytes = {BYTES, backBytes},
                                   .sack = sack,
                                   .closes = {true, false},
                                   .closeTime = MilliSeconds(60 + 2 * i),
                                   .judge = LoseOnce({60, 65, 70, 80})});
        TestNetwork::Run(Seconds(60));
        NS_TEST_EXPECT_MSG_EQ(conversation.read[1], BYTES, "closed at " << i);
        NS_TEST_EXPECT_MSG_EQ(conversation.read[0], backBytes, "closed at " << i);
        NS_TEST_EXPECT_MSG_EQ(conversation.hasEnd[1], true, "closed at " << i);
    }
}

/** @brief TCP-D29: marks are echoed and answered far behind the first 2 GiB of a stream. */
LFN_CASE(FarMarksCase)
{
    constexpr int64_t FROM = 2'300'000'000;
    constexpr uint32_t MARKS = 50;
    uint32_t marks = 0;
    const auto judge = [&marks](const Seen& seen) {
        const bool isMarked = seen.direction == 0 && seen.offset > FROM && marks < MARKS;
        marks += isMarked;
        return isMarked ? Fate::MARK : Fate::PASS;
    };
    Conversation conversation(
        {.link = {.rate = "10Gbps", .delay = MicroSeconds(100), .mtu = 65'000},
         .bytes = {2'400'000'000, 0},
         .segment = 60'000,
         .buffer = 2'000'000,
         .ecn = {true, true},
         .judge = judge});
    TestNetwork::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 2'400'000'000, "all data arrive");
    NS_TEST_EXPECT_MSG_EQ(conversation.marked[0], MARKS, "marks");
    NS_TEST_EXPECT_MSG_GT(conversation.echoed[1], 0, "they are echoed");
    NS_TEST_EXPECT_MSG_GT(conversation.reduced[0], 0, "and the window is reduced");
    NS_TEST_EXPECT_MSG_LT(conversation.thresholds.back(), 1000, "once per window");
}

/** @brief Which segments carry which flags and code points of ECN (RFC 3168, 6.1; RFC 8257, 3). */
LFN_CASE_OF(CodePointCase, std::string congestion, bool isClient, bool isServer)
{
    constexpr uint8_t BOTH = TcpHeader::ECE | TcpHeader::CWR;
    const bool isDctcp = congestion == "ns3::TcpDctcp";
    const bool isAgreed = isClient && isServer;
    std::map<std::string, uint32_t> kinds;
    const auto watch = [&](const Seen& seen) {
        const auto flags = seen.header.GetFlags();
        const bool isSyn = (flags & TcpHeader::SYN) != 0;
        const bool hasAck = (flags & TcpHeader::ACK) != 0;
        const std::string kind = isSyn            ? (hasAck ? "SYN|ACK" : "SYN")
                                 : seen.isAgain   ? "retransmission"
                                 : seen.bytes > 0 ? "data"
                                                  : "ACK";
        ++kinds[kind];
        // DCTCP marks all of its segments (RFC 8257, 3.1 to 3.3, as ns-3 does).
        const bool isEct = isAgreed && (isDctcp || kind == "data");
        const bool hasPoint = seen.point != Ipv4Header::ECN_NotECT;
        NS_TEST_EXPECT_MSG_EQ(hasPoint, isEct, kind << " with a code point");
        const auto asked = isClient ? BOTH : 0;
        const auto answer = isAgreed ? TcpHeader::ECE : 0;
        const auto expected = kind == "SYN" ? asked : kind == "SYN|ACK" ? answer : -1;
        if (expected >= 0)
        {
            NS_TEST_EXPECT_MSG_EQ((flags & BOTH), expected, kind << " with flags");
        }
    };
    Conversation conversation({.bytes = {200'000, 0},
                               .ecn = {isClient, isServer},
                               .congestion = congestion,
                               .closes = {true, false},
                               .judge = LoseOnce({40, 41, 45, 60}),
                               .watch = watch});
    TestNetwork::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 200'000, "all data arrive");
    NS_TEST_EXPECT_MSG_EQ(kinds.size(), 5, "each kind is seen");
}

/** @brief TCP-D29: marks in both directions, each echoed by segments with data. */
LFN_CASE_OF(TwoWayMarksCase, std::string congestion, uint32_t unanswered)
{
    constexpr uint64_t BYTES = 2'000'000;
    std::array<Time, 2> next{MilliSeconds(500), MilliSeconds(503)};
    const auto judge = [&next](const Seen& seen) {
        auto& at = next.at(static_cast<std::size_t>(seen.direction));
        const bool isMarked = seen.bytes > 0 && Simulator::Now() >= at;
        at += isMarked ? MilliSeconds(500) : Time(0);
        return isMarked ? Fate::MARK : Fate::PASS;
    };
    Conversation conversation({.link = {.rate = "10Mbps", .delay = MilliSeconds(10)},
                               .bytes = {BYTES, BYTES},
                               .ecn = {true, true},
                               .congestion = congestion,
                               .judge = judge});
    TestNetwork::Run(Seconds(30));
    for (const std::size_t i : {0, 1})
    {
        NS_TEST_EXPECT_MSG_EQ(conversation.read[i], BYTES, "host " << i);
        NS_TEST_EXPECT_MSG_GT(conversation.marked[i], 2, "direction " << i);
        // A window is reduced once for a mark; the last one may come behind all new data.
        NS_TEST_EXPECT_MSG_GT(conversation.reduced[i] + unanswered + 1, conversation.marked[i], i);
        NS_TEST_EXPECT_MSG_LT(conversation.reduced[i], conversation.marked[i] + 1, i);
        NS_TEST_EXPECT_MSG_GT(conversation.echoed[1 - i] + 1, conversation.marked[i], i);
    }
}

/** @brief TCP-D29: a receiver that has closed its own direction takes CWR. */
LFN_CASE_OF(HalfClosedMarkCase, bool isOurs)
{
    bool isDone = false;
    const auto judge = [&isDone](const Seen& seen) {
        const bool isMarked =
            seen.direction == 0 && seen.bytes > 0 && Simulator::Now() > Seconds(1) && !isDone;
        isDone |= isMarked;
        return isMarked ? Fate::MARK : Fate::PASS;
    };
    Conversation conversation({.bytes = {30'000'000, 1000},
                               .buffer = 250'000,
                               .ns3Faults = !isOurs,
                               .ecn = {true, true},
                               .closes = {false, true},
                               .judge = judge});
    TestNetwork::Run(Seconds(4));
    NS_TEST_EXPECT_MSG_EQ(conversation.marked[0], 1, "a mark");
    NS_TEST_EXPECT_MSG_EQ((conversation.reduced[0] == 1), isOurs, conversation.reduced[0]);
    NS_TEST_EXPECT_MSG_EQ((conversation.echoed[1] < 300), isOurs, conversation.echoed[1]);
    NS_TEST_EXPECT_MSG_EQ((conversation.read[1] == 30'000'000), isOurs, conversation.read[1]);
}

/** @brief TCP-D30: a loss in the window of a mark, and a mark in the window of a loss. */
LFN_CASE_OF(LossAndMarkCase, bool sack, int64_t marked, int64_t lost)
{
    std::set<int64_t> toLose{lost};
    std::set<int64_t> toMark{marked};
    const auto judge = [&](const Seen& seen) {
        if (seen.direction == 1 || seen.bytes == 0)
        {
            return Fate::PASS;
        }
        if (toLose.erase(seen.offset / 1000) > 0)
        {
            return Fate::LOSE;
        }
        return toMark.erase(seen.offset / 1000) > 0 ? Fate::MARK : Fate::PASS;
    };
    Conversation conversation(
        {.bytes = {1'000'000, 0}, .sack = sack, .ecn = {true, true}, .judge = judge});
    TestNetwork::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 1'000'000, "all data arrive");
    NS_TEST_EXPECT_MSG_LT(conversation.readAt[1].GetMilliSeconds(), 720, "without the timer");
    NS_TEST_EXPECT_MSG_EQ(conversation.thresholds.size(), 1, "the window is reduced once");
}

/** @brief TCP-D28: SACK shows that a retransmission is lost, and the window is halved twice. */
LFN_CASE_OF(LostRetransmissionCase, uint32_t times)
{
    uint32_t lost = 0;
    const auto judge = [&lost, times](const Seen& seen) {
        const bool isLost = seen.direction == 0 && seen.offset == 100'000 && lost < times;
        lost += isLost;
        return isLost ? Fate::LOSE : Fate::PASS;
    };
    Conversation conversation({.bytes = {1'000'000, 0}, .judge = judge});
    uint32_t timeouts = 0;
    Simulator::Schedule(MilliSeconds(50), [&] {
        using State = TcpSocketState::TcpCongState_t;
        ConnectTrace(conversation.sockets[0], "CongState", [&timeouts](State, State now) {
            timeouts += now == TcpSocketState::CA_LOSS;
        });
    });
    TestNetwork::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 1'000'000, "all data arrive");
    NS_TEST_EXPECT_MSG_EQ(timeouts, 0, "the timer does not expire");
    NS_TEST_EXPECT_MSG_EQ(conversation.thresholds.size(), times, "halved for each loss");
}

/** @brief TCP-D33: after a pause per sender begins with its initial window. */
LFN_CASE_OF(IdleCase, bool ns3Faults, uint32_t segments)
{
    uint32_t atOnce = 0;
    const auto judge = [&atOnce](const Seen& seen) {
        atOnce += seen.direction == 0 && seen.bytes > 0 && Simulator::Now() > Seconds(5) &&
                  Simulator::Now() < Seconds(5) + MilliSeconds(25);
        return Fate::PASS;
    };
    Conversation conversation({.bytes = {200'000, 0}, .ns3Faults = ns3Faults, .judge = judge});
    Simulator::Schedule(Seconds(5), [&conversation] {
        for (int i = 0; i < 100; ++i)
        {
            conversation.sockets[0]->Send(Create<Packet>(1000), 0);
        }
    });
    TestNetwork::Run(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 300'000, "all data arrive");
    NS_TEST_EXPECT_MSG_EQ(atOnce, segments, "in the first round-trip time");
}

/** @brief TCP-D32: a peer that has vanished is given up after R2, and in bounded time. */
LFN_CASE(GiveUpCase)
{
    const auto judge = [](const Seen&) {
        return Simulator::Now() > Seconds(1) ? Fate::LOSE : Fate::PASS;
    };
    Conversation conversation({.bytes = {1'000'000, 0}, .pause = MilliSeconds(50), .judge = judge});
    TestNetwork::Run(Seconds(500));
    NS_TEST_EXPECT_MSG_EQ(conversation.hasError[0], true, "given up");
    NS_TEST_EXPECT_MSG_GT(conversation.errorAt[0], Seconds(101), "not before R2");
    NS_TEST_EXPECT_MSG_LT(conversation.errorAt[0], Seconds(230), "but soon after it");
}

/** @brief TCP-D23: a connection is the same whenever it begins. */
LFN_CASE_OF(ClockCase, Time start)
{
    constexpr uint64_t BYTES = 1'000'000;
    const auto judge = LoseOnce({100, 101, 150, 400});
    Conversation conversation({.bytes = {BYTES, BYTES}, .start = start, .judge = judge});
    uint32_t samples = 0;
    Simulator::Schedule(start + MilliSeconds(50), [&] {
        ConnectTrace(conversation.sockets[0], "LastRTT", [&](Time, Time now) {
            ++samples;
            NS_TEST_EXPECT_MSG_LT(now.GetMilliSeconds(), 1000, "a round-trip time");
            NS_TEST_EXPECT_MSG_GT(now.GetMilliSeconds(), 18, "a round-trip time");
        });
    });
    TestNetwork::Run(start + Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[0], BYTES, "one direction");
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], BYTES, "the other one");
    NS_TEST_EXPECT_MSG_LT((conversation.readAt[1] - start).GetMilliSeconds(), 1500, "in time");
    NS_TEST_EXPECT_MSG_GT(samples, 10, "with samples");
}

/** @brief TCP-D24: a reader that opens a closed window sends a window update. */
LFN_CASE_OF(SlowReaderCase, uint32_t buffer)
{
    const auto readTime = Seconds(40);
    Conversation conversation({.bytes = {500'000, 0}, .buffer = buffer, .readTime = readTime});
    TestNetwork::Run(Seconds(200));
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 500'000, "all data arrive");
    NS_TEST_EXPECT_MSG_LT((conversation.readAt[1] - readTime).GetSeconds(),
                          2 + 20e3 / buffer,
                          "soon");
}

/** @brief Buffers are no larger than windows can be. */
LFN_CASE_OF(BufferCase, uint32_t buffer)
{
    Conversation conversation({.bytes = {10'000'000, 1'000'000}, .buffer = buffer});
    TestNetwork::Run(Seconds(20));
    UintegerValue size;
    for (const auto* name : {"SndBufSize", "RcvBufSize"})
    {
        conversation.sockets[0]->GetAttribute(name, size);
        NS_TEST_EXPECT_MSG_EQ(size.Get(), std::min<uint64_t>(buffer, 1 << 30), name);
    }
    NS_TEST_EXPECT_MSG_EQ(conversation.read[1], 10'000'000, "all data arrive");
    NS_TEST_EXPECT_MSG_EQ(conversation.read[0], 1'000'000, "in both directions");
}

const Suite g_suite("lfn-long-fat-tcp-two-way", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const int hosts : {0, 1, 2, 3})
    {
        suite.Add(new CodePointCase("ECN of the hosts " + std::to_string(hosts),
                                    "ns3::TcpNewReno",
                                    (hosts & 1) != 0,
                                    (hosts & 2) != 0));
    }
    suite.Add(new CodePointCase("ECN of DCTCP", "ns3::TcpDctcp", true, true));
    for (const auto& control : ListTcpCongestion())
    {
        suite.Add(new OutageCase(control + ": data lost for 15 s", control, Outage::DATA, 15));
        suite.Add(new OutageCase(control + ": 60 s without data", control, Outage::FORWARD, 60));
        suite.Add(new OutageCase(control + ": 60 s without ACKs", control, Outage::BACKWARD, 60));
    }
    for (const int seconds : {1, 2, 5, 12, 20, 30})
    {
        for (const auto outage : {Outage::DATA, Outage::FORWARD, Outage::BACKWARD})
        {
            suite.Add(new OutageCase("outage " + std::to_string(static_cast<int>(outage)) + " of " +
                                         std::to_string(seconds) + " s",
                                     "ns3::TcpCubic",
                                     outage,
                                     seconds));
        }
    }
    suite.Add(new CloseCase("closed at any time, with SACK", true, 0));
    suite.Add(new CloseCase("closed at any time, without SACK", false, 0));
    suite.Add(new CloseCase("closed at any time, both send", true, 300'000));
    suite.Add(new FarMarksCase("marks behind 2 GiB"));
    suite.Add(new TwoWayMarksCase("marks in both directions", "ns3::TcpNewReno", 1));
    // An echo of DCTCP stands in one ACK; where that acknowledges nothing new it counts nowhere.
    suite.Add(new TwoWayMarksCase("marks in both directions, DCTCP", "ns3::TcpDctcp", 3));
    suite.Add(new HalfClosedMarkCase("a half-closed receiver takes CWR", true));
    suite.Add(new HalfClosedMarkCase("ns-3's does not", false));
    for (const bool sack : {true, false})
    {
        const std::string with = sack ? ", with SACK" : ", without SACK";
        suite.Add(new LossAndMarkCase("a loss after a mark" + with, sack, 100, 110));
        suite.Add(new LossAndMarkCase("a mark after a loss" + with, sack, 110, 100));
    }
    suite.Add(new LostRetransmissionCase("a retransmission is lost", 2));
    suite.Add(new LostRetransmissionCase("a retransmission is lost twice", 3));
    suite.Add(new IdleCase("a pause ends a window", false, 10));
    suite.Add(new IdleCase("not ns-3's", true, 100));
    for (const auto& start : {Time(0), MilliSeconds(2'147'483'500), MilliSeconds(4'294'967'200)})
    {
        suite.Add(new ClockCase("a connection that begins at " +
                                    std::to_string(start.GetMilliSeconds()) + " ms",
                                start));
    }
    suite.Add(new SlowReaderCase("a closed window opens", 100'000));
    suite.Add(new SlowReaderCase("a small one", 10'000));
    for (const uint32_t buffer : {1U << 30, 1U << 31, UINT32_MAX})
    {
        suite.Add(new BufferCase("a buffer of " + std::to_string(buffer) + " B", buffer));
    }
    suite.Add(new GiveUpCase("a vanished peer is given up"));
});

} // namespace
