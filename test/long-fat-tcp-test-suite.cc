// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/config.h"
#include "ns3/lfn-pattern-payload.h"
#include "ns3/lfn-tcp-congestion.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * LongFatTcpSocket compared with ns-3's own socket: the same packets at the same nanosecond.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

/** @brief What happens to the packets of a connection. */
enum class Trouble
{
    NONE,           //!< nothing but what overflows the queue
    GAPS,           //!< single segments, pairs and a long run are lost
    TAIL,           //!< the last two segments are lost
    RETRANSMISSION, //!< two segments are lost twice
    ACKS,           //!< two of three ACKs are lost
    LATE,           //!< some segments are overtaken by others
    TWICE,          //!< some segments come twice
    OUTAGE,         //!< nothing arrives for a second and a half
    SLOW_READER,    //!< the receiver's window closes
    END             //!< how many there are
};

/** @brief A connection. */
struct Setting
{
    std::string congestion{"ns3::TcpNewReno"}; //!< of the sender
    Trouble trouble{Trouble::NONE};            //!< what happens
    bool sack{true};                           //!< selective acknowledgements
    bool timestamps{true};                     //!< RTTs measured by time stamps
    uint32_t delAckCount{2};                   //!< segments an acknowledgement
    bool pacing{false};                        //!< of segments
    bool ipv6{false};                          //!< IPv6 instead of IPv4
    uint32_t bytes{700'000};                   //!< to be sent
    uint32_t write{1448};                      //!< in pieces of, [B]
    uint32_t rcvBufSize{131'072};              //!< of the receiver, [B]; its window
    uint32_t queue{100'000};                   //!< in front of each device, packets

    /** @brief Name it in a failure. @return its values */
    std::string GetText() const
    {
        std::ostringstream text;
        text << congestion << " trouble " << static_cast<int>(trouble) << " sack " << sack
             << " timestamps " << timestamps << " delAckCount " << delAckCount << " pacing "
             << pacing << " ipv6 " << ipv6 << " write " << write << " window " << rcvBufSize
             << " queue " << queue;
        return text.str();
    }
};

/** @brief A connection of one kind of socket, and all that can be seen of it. */
class Connection : public TestNetwork
{
  public:
    /** @brief A connection. */
    Connection(const Setting& setting, TypeId factory)
        : TestNetwork({.delay = MilliSeconds(20), .ipv6 = setting.ipv6, .queue = setting.queue}),
          m_setting(setting)
    {
        InternetStackHelper().AssignStreams(nodes, 100);
        for (uint32_t i = 0; i < 2; ++i)
        {
            LongFatTcpSocketFactory::Install(nodes.Get(i));
            m_sockets[i] = DynamicCast<TcpSocketBase>(Socket::CreateSocket(nodes.Get(i), factory));
            m_sockets[i]->SetAttributeFailSafe("Ns3Faults", BooleanValue(true));
            m_sockets[i]->SetAttribute("Sack", BooleanValue(setting.sack));
            m_sockets[i]->SetAttribute("Timestamp", BooleanValue(setting.timestamps));
            m_sockets[i]->SetAttribute("DelAckCount", UintegerValue(setting.delAckCount));
            m_sockets[i]->SetAttribute("RcvBufSize", UintegerValue(setting.rcvBufSize));
            m_sockets[i]->SetAttribute("SegmentSize", UintegerValue(1448));
            UseTcpCongestion(m_sockets[i], setting.congestion, 200 + i);
            for (const bool isSent : {true, false})
            {
                ConnectTrace(devices.Get(i),
                             isSent ? "PhyTxBegin" : "PhyRxEnd",
                             [this, i, isSent](Ptr<const Packet> frame) {
                                 Note((isSent ? "sent by " : "received by ") + std::to_string(i) +
                                      " " + GetBytes(frame));
                             });
            }
        }
        m_sockets[0]->SetPacingStatus(setting.pacing);
        Trace<uint32_t>("CongestionWindow");
        Trace<uint32_t>("SlowStartThreshold");
        Trace<uint32_t>("BytesInFlight");
        Trace<Time>("RTT");
        Trace<TcpSocketState::TcpCongState_t>("CongState");
        Trace<SequenceNumber32>("NextTxSequence");
        Trace<SequenceNumber32>("HighestSequence");

        Listen(m_sockets[1], GetAny(setting.ipv6), [this](Ptr<Socket> fork) { Accept(fork); });
        Simulator::Schedule(GetStart(), [this] { Connect(); });
        Run(GetStart() + Seconds(60));
        if (GetStart() + Seconds(60) <= Simulator::Now())
        {
            Note("still open");
        }
    }

    /** @brief Get what was seen, a line per event. */
    const std::vector<std::string>& GetNotes() const
    {
        return m_notes;
    }

    /** @brief Get the number of bytes that the receiver read. */
    uint32_t GetReadBytes() const
    {
        return m_readBytes;
    }

    /** @brief Get the classes of the sockets of both ends. */
    std::set<std::string> GetClasses() const
    {
        return {m_sockets[0]->GetInstanceTypeId().GetName(),
                m_accepted->GetInstanceTypeId().GetName()};
    }

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        TcpHeader tcp;
        const auto data = OpenFrame(frame, 6, tcp);
        const auto bytes = data ? data->GetSize() : 0; // none when neighbours are being found
        const auto now = Simulator::Now() - GetStart();
        if (m_setting.trouble == Trouble::OUTAGE && now > Seconds(0.3) && now < Seconds(1.8))
        {
            return TestFate::LOSE;
        }
        if (direction == 1)
        {
            const bool isAck = tcp.GetFlags() == TcpHeader::ACK;
            m_acks += isAck;
            const bool isLost = isAck && m_acks > 20 && m_acks % 3 != 0;
            return m_setting.trouble == Trouble::ACKS && isLost ? TestFate::LOSE : TestFate::PASS;
        }
        if (bytes == 0)
        {
            return TestFate::PASS;
        }
        const auto segment = (tcp.GetSequenceNumber() - SequenceNumber32(1)) / 1448;
        const auto times = ++m_seen[segment];
        const auto isOneOf = [segment](std::set<int> segments) {
            return segments.contains(segment);
        };
        const auto isRun = segment >= 250 && segment < 280;
        switch (m_setting.trouble)
        {
        case Trouble::GAPS:
            return times == 1 && (isOneOf({60, 62, 90, 91, 200}) || isRun) ? TestFate::LOSE
                                                                           : TestFate::PASS;
        case Trouble::TAIL:
            return times == 1 && (segment + 2) * 1448 >= static_cast<int>(m_setting.bytes)
                       ? TestFate::LOSE
                       : TestFate::PASS;
        case Trouble::RETRANSMISSION:
            return times <= 2 && isOneOf({70, 72}) ? TestFate::LOSE : TestFate::PASS;
        case Trouble::LATE:
            return times == 1 && isOneOf({60, 61, 100, 150, 160, 170}) ? TestFate::LATE
                                                                       : TestFate::PASS;
        case Trouble::TWICE:
            return times == 1 && isOneOf({60, 61, 100, 150, 160, 170}) ? TestFate::TWICE
                                                                       : TestFate::PASS;
        default:
            return TestFate::PASS;
        }
    }

  private:
    /** @brief Get port 80 of any address. */
    static Address GetAny(bool ipv6)
    {
        return ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), 80))
                    : Address(InetSocketAddress(Ipv4Address::GetAny(), 80));
    }

    /** @brief Get the bytes of a packet. */
    static std::string GetBytes(Ptr<const Packet> packet)
    {
        std::string bytes(packet->GetSize(), '\0');
        packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), packet->GetSize());
        return bytes;
    }

    /** @brief Note an event. */
    void Note(const std::string& what)
    {
        m_notes.push_back(std::to_string(Simulator::Now().GetTimeStep()) + " " + what);
    }

    /** @brief Note the changes of a value of the sender's socket. */
    template <typename T>
    void Trace(const std::string& name)
    {
        ConnectTrace(m_sockets[0], name, [this, name](T, T now) {
            std::ostringstream text;
            text << name << " " << now;
            Note(text.str());
        });
    }

    /** @brief Open the connection. */
    void Connect()
    {
        replayDelay = MicroSeconds(700);
        m_setting.ipv6 ? m_sockets[0]->Bind6() : m_sockets[0]->Bind();
        m_sockets[0]->SetConnectCallback(
            Callback<void, Ptr<Socket>>([this](Ptr<Socket>) { Write(); }),
            MakeNullCallback<void, Ptr<Socket>>());
        m_sockets[0]->SetSendCallback(
            Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Write(); }));
        m_sockets[0]->Connect(GetEnd(1, 80));
    }

    /** @brief Write as much as there is room for, and close behind the last byte. */
    void Write()
    {
        while (m_writtenBytes < m_setting.bytes)
        {
            const auto bytes = std::min(m_setting.write, m_setting.bytes - m_writtenBytes);
            if (m_sockets[0]->GetTxAvailable() < bytes ||
                m_sockets[0]->Send(PatternPayload::MakePacket(m_writtenBytes, bytes), 0) < 0)
            {
                return;
            }
            m_writtenBytes += bytes;
        }
        if (!m_isClosed)
        {
            m_isClosed = true;
            m_sockets[0]->Close();
        }
    }

    /** @brief Take a connection. */
    void Accept(Ptr<Socket> socket)
    {
        m_accepted = socket;
        if (m_setting.trouble == Trouble::SLOW_READER)
        {
            Simulator::Schedule(MilliSeconds(300), [this] { ReadSlowly(); });
            return;
        }
        Receive(socket, [this](uint32_t bytes) { m_readBytes += bytes; });
        socket->SetCloseCallbacks(
            Callback<void, Ptr<Socket>>([](Ptr<Socket> closed) { closed->Close(); }),
            MakeNullCallback<void, Ptr<Socket>>());
    }

    /** @brief Read ten segments, and more after a while. */
    void ReadSlowly()
    {
        if (const auto packet = m_accepted->Recv(14'480, 0))
        {
            m_readBytes += packet->GetSize();
        }
        if (m_readBytes == m_setting.bytes)
        {
            m_accepted->Close();
            return;
        }
        Simulator::Schedule(MilliSeconds(5), [this] { ReadSlowly(); });
    }

    Setting m_setting;                           //!< what it is like
    std::array<Ptr<TcpSocketBase>, 2> m_sockets; //!< the sender's, and the one that listens
    Ptr<Socket> m_accepted;                      //!< the receiver's end
    std::vector<std::string> m_notes;            //!< what was seen
    std::map<int, int> m_seen;                   //!< how often a segment was sent
    uint32_t m_acks{0};                          //!< that were sent
    uint32_t m_writtenBytes{0};                  //!< by the sender
    uint32_t m_readBytes{0};                     //!< by the receiver
    bool m_isClosed{false};                      //!< the sender has said so
};

/** @brief Both kinds of socket give the same connections. */
LFN_CASE_OF(PairCase, std::vector<Setting> settings)
{
    for (const auto& setting : settings)
    {
        std::vector<std::string> theirs;
        uint32_t readBytes;
        {
            const Connection connection(setting, TcpSocketFactory::GetTypeId());
            theirs = connection.GetNotes();
            readBytes = connection.GetReadBytes();
        }
        const Connection connection(setting, LongFatTcpSocketFactory::GetTypeId());
        const auto& ours = connection.GetNotes();
        NS_TEST_EXPECT_MSG_EQ(*connection.GetClasses().begin(),
                              "ns3::lfn::LongFatTcpSocket",
                              "both ends");
        NS_TEST_EXPECT_MSG_EQ(connection.GetClasses().size(), 1, "both ends");
        NS_TEST_EXPECT_MSG_EQ(connection.GetReadBytes(), readBytes, setting.GetText());
        const auto [their, our] =
            std::mismatch(theirs.begin(), theirs.end(), ours.begin(), ours.end());
        const bool isSame = their == theirs.end() && our == ours.end();
        NS_TEST_EXPECT_MSG_EQ(isSame,
                              true,
                              setting.GetText()
                                  << "; ns-3: "
                                  << (their == theirs.end() ? "no more" : their->substr(0, 60))
                                  << "; ours: "
                                  << (our == ours.end() ? "no more" : our->substr(0, 60)));
    }
}

/** @brief The connections would show a difference. */
LFN_CASE(CounterCase)
{
    std::set<std::size_t> lengths;
    for (int trouble = 0; trouble < static_cast<int>(Trouble::END); ++trouble)
    {
        Setting setting;
        setting.trouble = static_cast<Trouble>(trouble);
        const Connection connection(setting, LongFatTcpSocketFactory::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(connection.GetReadBytes(), setting.bytes, setting.GetText());
        lengths.insert(connection.GetNotes().size());
    }
    NS_TEST_EXPECT_MSG_EQ(lengths.size(),
                          static_cast<std::size_t>(Trouble::END),
                          "each trouble shows");
}

/** @brief TcpSource and TcpSink do the same with both. */
LFN_CASE(ApplicationCase)
{
    std::vector<std::string> ends;
    for (const auto& factory :
         {TcpSocketFactory::GetTypeId(), LongFatTcpSocketFactory::GetTypeId()})
    {
        Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
        Config::SetDefault("ns3::lfn::LongFatTcpSocket::Ns3Faults", BooleanValue(true));
        TestNetwork network({.delay = MilliSeconds(20)});
        network.loss = [seen = 0](int direction, Ptr<const Packet>) mutable {
            seen += direction == 0;
            return direction == 0 && (seen == 60 || seen == 62 || (seen > 200 && seen < 212));
        };
        const auto source =
            CreateObjectWithAttributes<TcpSource>("Remote",
                                                  AddressValue(network.GetEnd(1, 80)),
                                                  "Bytes",
                                                  UintegerValue(2'000'000),
                                                  "SocketFactory",
                                                  TypeIdValue(factory));
        const auto sink = CreateObjectWithAttributes<TcpSink>("Local",
                                                              AddressValue(network.GetEnd(1, 80)),
                                                              "SocketFactory",
                                                              TypeIdValue(factory));
        network.nodes.Get(0)->AddApplication(source);
        network.nodes.Get(1)->AddApplication(sink);
        TestNetwork::Run();
        Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
        Config::SetDefault("ns3::lfn::LongFatTcpSocket::Ns3Faults", BooleanValue(false));
        const auto report = source->GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.completed, true, report.failure);
        NS_TEST_EXPECT_MSG_GT(report.retransmittedPackets, 10, "some were lost");
        ends.push_back(std::to_string(report.dataPackets) + " sent, " +
                       std::to_string(report.retransmittedPackets) + " again, at " +
                       std::to_string(report.finish.GetTimeStep()) + ", delivered " +
                       std::to_string(sink->GetReport().deliveredBytes));
    }
    NS_TEST_EXPECT_MSG_EQ(ends[1], ends[0], "as ns-3");
}

const Suite g_suite("lfn-long-fat-tcp", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new CounterCase("all data arrive, and each trouble is one"));
    suite.Add(new ApplicationCase("applications take it"));
    Setting probed; // windows of whole segments close, and a probe's byte finds them open again
    probed.trouble = Trouble::SLOW_READER;
    probed.bytes = 400'000;
    probed.timestamps = false;
    probed.rcvBufSize = 40 * 1448;
    suite.Add(new PairCase("as ns-3: probes of a closed window", std::vector{probed}));
    int number = 0;
    for (const auto& congestion : ListTcpCongestion())
    {
        std::vector<Setting> settings;
        for (int trouble = 0; trouble < static_cast<int>(Trouble::END); ++trouble)
        {
            for (const bool sack : {true, false})
            {
                Setting setting;
                setting.congestion = congestion;
                setting.trouble = static_cast<Trouble>(trouble);
                setting.sack = sack;
                // Every value with every other one, but not all at once.
                setting.timestamps = number % 2 == 0;
                setting.delAckCount = 1 + number / 2 % 2;
                setting.pacing = number / 3 % 2 == 0;
                setting.ipv6 = number / 5 % 4 == 0;
                setting.write = std::array{1448U, 700U, 5000U}[number % 3];
                setting.rcvBufSize = std::array{131'072U, 700'000U, 30'000U}[number / 3 % 3];
                setting.queue = number % 7 == 0 ? 40 : 100'000;
                settings.push_back(setting);
                ++number;
            }
        }
        suite.Add(new PairCase("as ns-3: " + congestion, settings));
    }
});

} // namespace
