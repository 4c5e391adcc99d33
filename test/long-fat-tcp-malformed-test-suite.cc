// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"
#include "long-fat-tcp-test-peer.h"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket and a peer that lies.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

using Peer = TcpTestPeer;                   //!< shorter
using Setting = Peer::Setting;              //!< shorter
constexpr uint32_t SEGMENT = Peer::SEGMENT; //!< shorter
constexpr uint32_t CHALLENGES = 10;         //!< ACKs in 5 s
constexpr uint8_t FIN = TcpHeader::FIN;     //!< a flag
constexpr uint8_t SYN = TcpHeader::SYN;     //!< a flag
constexpr uint8_t RST = TcpHeader::RST;     //!< a flag
constexpr uint8_t ACK = TcpHeader::ACK;     //!< a flag
constexpr uint8_t ECE = TcpHeader::ECE;     //!< a flag
constexpr int64_t HALF = int64_t{1} << 31;  //!< of the sequence numbers

/** @brief Have a peer receive nothing any more. */
void
Silence(Peer& peer)
{
    peer.onSegment = [](const TcpHeader&, uint32_t, uint32_t) {};
}

/** @brief Have a peer say a FIN. */
void
SayFin(Peer& peer)
{
    auto header = peer.Make(peer.edge);
    header.SetFlags(FIN | ACK);
    peer.Say(header);
    peer.next += 1;
}

/** @brief The states in which a sender has unacknowledged data. */
const std::vector<TcpSocket::TcpStates_t> STATES{TcpSocket::ESTABLISHED,
                                                 TcpSocket::CLOSE_WAIT,
                                                 TcpSocket::FIN_WAIT_1,
                                                 TcpSocket::LAST_ACK,
                                                 TcpSocket::CLOSING};

/** @brief Bring a sender into a state, with data in flight of which the peer receives nothing. */
void
Bring(Peer& peer, TcpSocket::TcpStates_t state)
{
    Silence(peer);
    if (state == TcpSocket::CLOSE_WAIT || state == TcpSocket::LAST_ACK)
    {
        SayFin(peer);
        Peer::Run(MilliSeconds(50));
    }
    peer.Write();
    if (state != TcpSocket::ESTABLISHED && state != TcpSocket::CLOSE_WAIT)
    {
        peer.socket->Close();
    }
    Peer::Run(MilliSeconds(50));
    if (state == TcpSocket::CLOSING)
    {
        SayFin(peer);
        Peer::Run(MilliSeconds(50));
    }
}

/** @brief Something that no honest peer says. */
struct Lie
{
    std::string name;                                 //!< what it is
    TcpRefusal reason;                                //!< what it is counted as
    bool isAnswered;                                  //!< ACKs say what is right
    std::function<void(Peer& peer, uint32_t i)> send; //!< sends it for the ith time
};

/** @brief Make a lie of a header alone. */
Lie
MakeLie(const std::string& name,
        TcpRefusal reason,
        bool isAnswered,
        const std::function<void(const Peer& peer, TcpHeader& header, uint32_t i)>& spoil)
{
    return {name, reason, isAnswered, [spoil](Peer& peer, uint32_t i) {
                auto header = peer.Make(peer.edge);
                spoil(peer, header, i);
                peer.Say(header);
            }};
}

/** @brief Make a lie about what is acknowledged, in bytes from the end of what was sent. */
Lie
MakeAck(const std::string& name, TcpRefusal reason, int64_t beyond)
{
    return MakeLie(name, reason, true, [beyond](const Peer& peer, TcpHeader& header, uint32_t) {
        const int64_t end = peer.highest + (peer.hasFin ? 1 : 0);
        header.SetAckNumber(peer.GetSequence(end + beyond));
    });
}

/** @brief Make a lie of flags, so far from the next sequence number. */
Lie
MakeFlags(const std::string& name, TcpRefusal reason, bool isAnswered, uint8_t flags, int64_t ahead)
{
    return MakeLie(name, reason, isAnswered, [=](const Peer&, TcpHeader& header, uint32_t) {
        header.SetFlags(flags);
        header.SetSequenceNumber(
            SequenceNumber32(static_cast<uint32_t>(header.GetSequenceNumber().GetValue() + ahead)));
    });
}

/** @brief Make a lie about what has come, from the beginning and the end of what was sent. */
Lie
MakeSack(const std::string& name, std::function<Peer::Block(int64_t end)> block)
{
    return {name, TcpRefusal::FALSE_SACK, false, [block](Peer& peer, uint32_t) {
                peer.Say(peer.Make(peer.edge, {block(peer.highest)}));
            }};
}

/** @brief Make a segment whose options are spoilt. */
Lie
MakeOptions(const std::string& name, const Bytes& options)
{
    return {name, TcpRefusal::MALFORMED, false, [options](Peer& peer, uint32_t) {
                TcpHeader header;
                header.SetFlags(ACK);
                header.SetSequenceNumber(peer.next);
                header.SetAckNumber(peer.GetSequence(peer.highest));
                header.SetSourcePort(80);
                header.SetDestinationPort(peer.last.GetSourcePort());
                const auto packet = Create<Packet>();
                packet->AddHeader(header);
                auto bytes = ToBytes(packet);
                bytes[12] = static_cast<uint8_t>((5 + options.size() / 4) << 4);
                bytes.insert(bytes.end(), options.begin(), options.end());
                peer.SayRaw(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
            }};
}

/** @brief All lies that a table can hold. */
const std::vector<Lie> LIES{
    MakeAck("acknowledges a byte more than was sent", TcpRefusal::UNSENT_ACK, 1),
    MakeAck("acknowledges far more", TcpRefusal::UNSENT_ACK, 1'000'000),
    MakeAck("acknowledges half of all numbers", TcpRefusal::UNSENT_ACK, HALF - 50'000),
    MakeAck("acknowledges what is older than any window", TcpRefusal::OLD_ACK, -100'000),
    MakeFlags("resets in the window", TcpRefusal::RESET, true, RST, 1),
    MakeFlags("resets at the end of the window", TcpRefusal::RESET, true, RST | ACK, 100'000),
    MakeFlags("resets behind the window", TcpRefusal::RESET, false, RST, 1'000'000'000),
    MakeFlags("resets below the window", TcpRefusal::RESET, false, RST | ACK, -1),
    MakeFlags("says SYN", TcpRefusal::SYN, true, SYN, -1),
    MakeFlags("says SYN and ACK", TcpRefusal::SYN, true, SYN | ACK, -1),
    MakeFlags("says SYN and FIN", TcpRefusal::SYN, true, SYN | FIN | ACK, 0),
    MakeFlags("is far behind the window", TcpRefusal::OUTSIDE, true, ACK, 1'000'000'000),
    MakeFlags("says an old FIN", TcpRefusal::OUTSIDE, true, FIN | ACK, -1000),
    {"has an old time stamp",
     TcpRefusal::OLD_TIME,
     true,
     [](Peer& peer, uint32_t i) {
         TcpHeader header;
         header.SetFlags(ACK);
         header.SetSequenceNumber(peer.next);
         header.SetAckNumber(peer.GetSequence(peer.highest));
         header.SetWindowSize(60'000);
         const auto time = CreateObject<TcpOptionTS>();
         time->SetTimestamp(TcpOptionTS::NowToTsValue() - 10'000'000 * (i + 1));
         time->SetEcho(TcpOptionTS::NowToTsValue());
         header.AppendOption(time);
         peer.Say(header);
     }},
    MakeFlags("says nothing", TcpRefusal::MALFORMED, false, 0, 0),
    // clang-format off
    MakeSack("sacks all that was sent and more",
             [](int64_t end) { return Peer::Block{1, end + 1}; }),
    MakeSack("sacks what was never sent", [](int64_t end) { return Peer::Block{end, end + 1000}; }),
    MakeSack("sacks far behind", [](int64_t end) { return Peer::Block{end + 9999, end + 99'999}; }),
    MakeSack("sacks the first byte", [](int64_t) { return Peer::Block{0, 2000}; }),
    MakeSack("sacks from below", [](int64_t) { return Peer::Block{-3000, 2000}; }),
    MakeSack("sacks nothing", [](int64_t) { return Peer::Block{2000, 2000}; }),
    MakeSack("sacks backwards", [](int64_t) { return Peer::Block{4000, 2000}; }),
    MakeSack("sacks half of all numbers", [](int64_t) { return Peer::Block{1000, 999 + HALF}; }),
    MakeSack("sacks more than half", [](int64_t) { return Peer::Block{1000, 1001 + HALF}; }),
    MakeOptions("has an option of length 0", {254, 0, 0, 0}),
    MakeOptions("has an option of length 1", {254, 1, 0, 0}),
    MakeOptions("has a segment size of length 3", {2, 3, 1, 0}),
    MakeOptions("has an option behind the header's end", {8, 10, 0, 0, 0, 0, 0, 0}),
    MakeOptions("has SACK of a wrong length", {5, 7, 1, 1, 1, 1, 1, 0}),
    MakeOptions("has an option without a length", {1, 1, 1, 3}),
};

/** @brief A lie changes nothing but a counter, and costs an ACK now and then. */
LFN_CASE_OF(LieCase, Lie lie)
{
    // Send it a hundred times in a state.
    const auto sendAll = [&](const Lie& lie, TcpSocket::TcpStates_t state, bool ipv6) {
        const bool isClosing = state != TcpSocket::ESTABLISHED && state != TcpSocket::CLOSE_WAIT;
        Peer peer({.ipv6 = ipv6, .bytes = isClosing ? 8 * SEGMENT : 100 * SEGMENT});
        Bring(peer, state);
        const auto text =
            std::string(" in ") + TcpSocket::TcpStateName[state] + (ipv6 ? " v6" : "");
        NS_TEST_ASSERT_MSG_EQ(peer.state, state, lie.name << text);
        const auto available = peer.socket->GetTxAvailable();
        const auto before = peer.received;
        uint32_t windows = 0;
        ConnectTrace(peer.socket, "CongestionWindow", [&windows](uint32_t, uint32_t) {
            ++windows;
        });
        for (uint32_t i = 0; i < 100; ++i)
        {
            lie.send(peer, i);
            Peer::Run(MilliSeconds(2));
        }
        Peer::Run(MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(peer.GetRefused(lie.reason), 100, lie.name << text);
        const uint32_t answers = lie.isAnswered ? CHALLENGES : 0;
        NS_TEST_EXPECT_MSG_EQ(peer.received - before, answers, lie.name << text);
        NS_TEST_EXPECT_MSG_EQ(peer.state, state, lie.name << text);
        NS_TEST_EXPECT_MSG_EQ(peer.socket->GetTxAvailable(), available, lie.name << text);
        NS_TEST_EXPECT_MSG_EQ(windows, 0, lie.name << text);
        peer.onSegment = nullptr;
        Peer::Run(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, lie.name << text << ": all arrives");
        NS_TEST_EXPECT_MSG_EQ(peer.wrong, 0, lie.name << text);
    };
    for (const auto state : STATES)
    {
        sendAll(lie, state, false);
    }
    sendAll(lie, TcpSocket::ESTABLISHED, true);
}

/** @brief A FIN, and data behind it: RFC 9293 ignores what follows. */
LFN_CASE(BehindFinCase)
{
    for (const auto state : {TcpSocket::CLOSE_WAIT, TcpSocket::LAST_ACK, TcpSocket::CLOSING})
    {
        Peer peer({.bytes = 8 * SEGMENT});
        Bring(peer, state);
        for (uint32_t i = 0; i < 20; ++i)
        {
            auto header = peer.Make(0);
            header.SetFlags(i % 2 == 0 ? ACK : ACK | FIN);
            peer.Say(header, Create<Packet>(100));
            Peer::Run(MilliSeconds(5));
        }
        Peer::Run(MilliSeconds(20));
        NS_TEST_EXPECT_MSG_EQ(peer.state, state, "it stays where it is");
        NS_TEST_EXPECT_MSG_EQ(peer.GetRefused(TcpRefusal::OUTSIDE), 20, "all refused");
        peer.onSegment = nullptr;
        Peer::Run(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives");
    }
}

/** @brief A reset that is the next in sequence is taken, and not answered. */
LFN_CASE(ResetCase)
{
    for (const auto state : STATES)
    {
        for (const uint8_t flags : {RST, static_cast<uint8_t>(RST | ACK)})
        {
            Peer peer({.bytes = 8 * SEGMENT});
            Bring(peer, state);
            const auto before = peer.received;
            TcpHeader header;
            header.SetFlags(flags);
            header.SetSequenceNumber(peer.next);
            header.SetAckNumber(peer.GetSequence(0));
            peer.Say(header);
            Peer::Run(Seconds(10));
            NS_TEST_EXPECT_MSG_EQ(peer.state, TcpSocket::CLOSED, "it ends");
            NS_TEST_EXPECT_MSG_EQ(peer.received, before, "without a word");
        }
    }
}

/** @brief Who sends. */
const std::vector<Setting> SENDERS{{.isNs3 = true}, {.ns3Faults = true}, {}};

/** @brief TCP-D6: an ACK of data that were never sent, in each state; what is lost by it. */
LFN_CASE_OF(UnsentCase, TcpSocket::TcpStates_t state, std::array<uint32_t, 3> arrived)
{
    // Where ns-3's own socket takes it, it aborts.
    for (std::size_t i = state == TcpSocket::ESTABLISHED ? 0 : 1; i < SENDERS.size(); ++i)
    {
        auto setting = SENDERS[i];
        setting.bytes = 50 * SEGMENT;
        Peer peer(setting);
        Bring(peer, state);
        peer.Say(peer.Make(40 * SEGMENT));
        Peer::Run(MilliSeconds(50));
        peer.onSegment = nullptr;
        Peer::Run(Seconds(60));
        NS_TEST_EXPECT_MSG_EQ(peer.edge, arrived.at(i), "sender " << i);
    }
}

/** @brief TCP-D7: echoes of what was never sent; the estimate of the RTT of 20 ms. */
LFN_CASE_OF(EchoCase, uint32_t ahead, std::array<Time, 3> estimates)
{
    for (std::size_t i = 0; i < SENDERS.size(); ++i)
    {
        Peer peer(SENDERS[i]);
        Time estimate;
        ConnectTrace(peer.socket, "RTT", [&estimate](Time, Time now) { estimate = now; });
        peer.Write();
        peer.echoAhead = ahead;
        Peer::Run(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "sender " << i);
        NS_TEST_EXPECT_MSG_EQ_TOL(estimate, estimates.at(i), MilliSeconds(2), "sender " << i);
        const bool isCounted = peer.GetRefused(TcpRefusal::FALSE_ECHO) > 50;
        const bool isLie = i == 2 && ahead != 0;
        NS_TEST_EXPECT_MSG_EQ(isCounted, isLie, "sender " << i);
    }
}

/** @brief TCP-D9: a FIN is behind us, data are lost, and an ACK of others comes. */
LFN_CASE_OF(LastDataCase, TcpSocket::TcpStates_t state, std::array<uint32_t, 3> arrived, bool isEcn)
{
    for (std::size_t i = 0; i < SENDERS.size(); ++i)
    {
        auto setting = SENDERS[i];
        setting.bytes = 8 * SEGMENT;
        Peer peer(setting);
        peer.spoil = [isEcn](TcpHeader& header) {
            header.SetFlags(header.GetFlags() | (isEcn ? ECE : 0));
        };
        uint32_t lost = 0;
        peer.lose = [&lost](uint32_t offset) { return offset == 3 * SEGMENT && ++lost == 1; };
        if (state == TcpSocket::LAST_ACK)
        {
            SayFin(peer);
            Peer::Run(MilliSeconds(50));
        }
        peer.Write();
        peer.socket->Close();
        if (state == TcpSocket::CLOSING)
        {
            SayFin(peer);
        }
        Peer::Run(Seconds(30));
        const bool hasReset = (peer.last.GetFlags() & RST) != 0;
        NS_TEST_EXPECT_MSG_EQ(peer.edge, arrived.at(i), "sender " << i);
        const bool isOurs = i == 2;
        NS_TEST_EXPECT_MSG_EQ(isOurs && hasReset, false, "sender " << i);
        const bool isTimed = peer.state == TcpSocket::TIME_WAIT;
        NS_TEST_EXPECT_MSG_EQ(isTimed || peer.state == TcpSocket::CLOSED, true, "it ends");
    }
}

/** @brief What a receiver says of its window when it has so much. */
using Windows = std::function<uint32_t(uint32_t acks, Time passed)>;

/** @brief Windows that are taken back: all arrives, and only what was offered once is sent. */
LFN_CASE_OF(WindowCase, Windows windows, uint32_t bytes)
{
    for (const bool ipv6 : {false, true})
    {
        Peer peer({.ipv6 = ipv6, .bytes = bytes});
        const auto start = Simulator::Now();
        uint32_t acks = 0;
        uint32_t tooFar = 0;
        peer.spoil = [&](TcpHeader& header) {
            header.SetWindowSize(
                static_cast<uint16_t>(windows(++acks, Simulator::Now() - start)));
            peer.window = windows(acks + 1, Simulator::Now() - start);
            tooFar += peer.highest > peer.offered + 1; // a probe may be a byte behind
        };
        peer.Write();
        Peer::Run(Seconds(1000));
        NS_TEST_EXPECT_MSG_EQ(peer.ends, "", "it does not end");
        NS_TEST_EXPECT_MSG_EQ(peer.edge, bytes, "all arrives");
        NS_TEST_EXPECT_MSG_EQ(peer.wrong, 0, "as it is");
        NS_TEST_EXPECT_MSG_EQ(tooFar, 0, "nothing is sent that was not offered");
        NS_TEST_EXPECT_MSG_LT(peer.received, 5 + bytes / SEGMENT * 4 + bytes % SEGMENT, "no loop");
    }
}

/** @brief TCP-D8: the window closes, and what was in flight is thrown away. */
LFN_CASE_OF(ThrownCase, uint32_t bytes)
{
    Peer peer({.bytes = bytes});
    Silence(peer);
    peer.Write();
    Peer::Run(MilliSeconds(100));
    peer.window = 0;
    peer.Say(peer.Make(SEGMENT)); // and no more than that
    const auto before = peer.received;
    peer.onSegment = [&peer](const TcpHeader&, uint32_t, uint32_t) { peer.Say(peer.Make(SEGMENT)); };
    Peer::Run(Seconds(300));
    NS_TEST_EXPECT_MSG_EQ(peer.ends, "", "it does not end");
    NS_TEST_EXPECT_MSG_GT(peer.received - before, 4, "it asks");
    NS_TEST_EXPECT_MSG_LT(peer.received - before, 20, "now and then");
    NS_TEST_EXPECT_MSG_GT(peer.GetRefused(TcpRefusal::LESS_WINDOW), 0, "it is counted");
    peer.window = 60'000;
    peer.Keep(SEGMENT);
    peer.onSegment = nullptr;
    Peer::Run(Seconds(200));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, bytes, "all arrives");
    NS_TEST_EXPECT_MSG_EQ(peer.wrong, 0, "as it is");
}

/** @brief A probe's byte that arrives was sent. */
LFN_CASE(ProbeCase)
{
    Peer peer({.bytes = 5 * SEGMENT, .window = 0});
    uint64_t reported = 0;
    peer.socket->SetDataSentCallback(Callback<void, Ptr<Socket>, uint32_t>(
        [&reported](Ptr<Socket>, uint32_t bytes) { reported += bytes; }));
    peer.Write();
    Peer::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_GT(peer.edge, 2, "a byte per probe");
    NS_TEST_EXPECT_MSG_LT(peer.edge, 20, "a byte per probe");
    NS_TEST_EXPECT_MSG_EQ(peer.GetRefused(TcpRefusal::UNSENT_ACK), 0, "it was sent");
    peer.window = 60'000;
    Peer::Run(Seconds(100));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives");
    NS_TEST_EXPECT_MSG_EQ(reported, peer.bytes, "all is notified of");
}

/** @brief TCP-D10: a receiver that has sacked data and lost them; how long it all takes. */
LFN_CASE(RenegeCase)
{
    std::array<Time, 3> taken;
    for (std::size_t i = 0; i < SENDERS.size(); ++i)
    {
        auto setting = SENDERS[i];
        setting.bytes = 200 * SEGMENT;
        Peer peer(setting);
        peer.onSegment = [&peer](const TcpHeader&, uint32_t offset, uint32_t) {
            if (offset > 0)
            {
                peer.Say(peer.Make(0, {{SEGMENT, peer.highest}}));
            }
        };
        const auto start = Simulator::Now();
        peer.Write();
        Peer::Run(MilliSeconds(300));
        peer.onSegment = nullptr;
        peer.Acknowledge();
        while (peer.edge < peer.bytes && Simulator::Now() - start < Seconds(100))
        {
            Peer::Run(MilliSeconds(10));
        }
        taken.at(i) = Simulator::Now() - start;
        NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "sender " << i);
        NS_TEST_EXPECT_MSG_EQ(peer.wrong, 0, "sender " << i);
    }
    NS_TEST_EXPECT_MSG_LT(taken[2], Seconds(5), "a timeout or two, " << taken[0] << taken[1]);
}

/** @brief Of twenty ACKs for a segment (RFC 3465) no window grows more than of one. */
LFN_CASE_OF(DivisionCase, std::string congestion)
{
    // Get the largest window when each segment has a number of ACKs.
    const auto getWindow = [&](const std::string& congestion, uint32_t pieces) {
        Peer peer({.congestion = congestion, .bytes = 300 * SEGMENT});
        uint32_t most = 0;
        ConnectTrace(peer.socket, "CongestionWindow", [&most](uint32_t, uint32_t now) {
            most = std::max(most, now);
        });
        uint32_t edge = 0;
        peer.onSegment = [&](const TcpHeader&, uint32_t offset, uint32_t size) {
            for (uint32_t i = 1; offset == edge && size > 0 && i <= pieces; ++i)
            {
                peer.Say(peer.Make(offset + size * i / pieces));
            }
            edge = std::max(edge, offset + size);
        };
        peer.Write();
        Peer::Run(Seconds(20));
        NS_TEST_EXPECT_MSG_GT(edge, 50 * SEGMENT, congestion << ": it goes on");
        return most;
    };
    const auto honest = getWindow(congestion, 1);
    const auto divided = getWindow(congestion, 20);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(divided, honest + SEGMENT, congestion);
}

/** @brief A flood of duplicate ACKs, or of true-looking SACKs, sends no more than was offered. */
LFN_CASE_OF(FloodCase, bool sack)
{
    Peer peer({.sack = sack, .bytes = 200 * SEGMENT});
    Silence(peer);
    peer.Write();
    Peer::Run(MilliSeconds(50));
    const auto before = peer.received;
    const auto end = peer.highest;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        peer.Say(sack ? peer.Make(0, {{SEGMENT, end}}) : peer.Make(0));
        Peer::Run(MicroSeconds(100));
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(peer.highest, 60'000, "the window bounds it");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(peer.received - before, 62, "little is retransmitted");
    peer.onSegment = nullptr;
    Peer::Run(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives");
}

/** @brief Draws a number below another one. */
using Draw = std::function<uint32_t(uint32_t count)>;

/** @brief Make a header that says anything, but acknowledges nothing that was lost. */
TcpHeader MakeRandom(Peer& peer, const Draw& draw)
{
    const int64_t far = int64_t{draw(1U << 31)} - (1 << 30);
    const int64_t near = int64_t{draw(4000)} - 2000;
    const int64_t sent = peer.edge + 120'000; // no window has reached so far when it comes
    const std::array<int64_t, 4> acks{peer.edge,
                                      peer.edge - int64_t{draw(200'000)},
                                      sent + draw(200'000),
                                      far < peer.edge || far > sent ? far : peer.edge};
    peer.window = draw(8) == 0 ? draw(3) : draw(60'000);
    auto header = peer.Make(acks.at(draw(4)), {});
    std::vector<Peer::Block> blocks;
    for (auto left = draw(4); left > 0; --left)
    {
        const auto begin = int64_t{draw(400'000)} - 50'000;
        blocks.emplace_back(begin, begin + (draw(4) == 0 ? far : near));
    }
    if (draw(2) == 0 && !blocks.empty())
    {
        header = peer.Make(acks.at(draw(4)), blocks);
    }
    else if (draw(8) == 0)
    {
        header = TcpHeader(header); // without time stamps, or with others
        header.AppendOption(Peer::MakeTime(draw(2) == 0 ? draw(1U << 31) : ~draw(1000)));
        header.AppendOption(CreateObject<TcpOptionWinScale>());
    }
    const auto flags = draw(3) == 0 ? draw(256) : ACK;
    header.SetFlags(static_cast<uint8_t>(flags));
    const auto ahead = draw(3) == 0 ? far : near;
    if (draw(2) == 0)
    {
        header.SetSequenceNumber(
            SequenceNumber32(static_cast<uint32_t>(peer.next.GetValue() + ahead)));
    }
    if (header.GetSequenceNumber() == peer.next)
    {
        header.SetFlags(header.GetFlags() & ~RST); // would be a true one
    }
    return header;
}

/** @brief Say anything. */
void SayRandom(Peer& peer, const Draw& draw)
{
    const auto header = MakeRandom(peer, draw);
    peer.Say(header, Create<Packet>(draw(3) == 0 ? draw(1400) : 0));
}

/** @brief Say what has been spoilt behind its acknowledgement. */
void SayMutated(Peer& peer, const Draw& draw)
{
    auto header = MakeRandom(peer, draw);
    header.SetSourcePort(80);
    header.SetDestinationPort(peer.last.GetSourcePort());
    const auto packet = Create<Packet>(400); // ns-3 reads on behind the options
    packet->AddHeader(header);
    auto bytes = ToBytes(packet);
    for (auto left = 1 + draw(4); left > 0; --left)
    {
        const auto at = 12 + draw(48);
        bytes[at] = static_cast<uint8_t>(draw(256));
    }
    bytes[13] &= static_cast<uint8_t>(~RST);
    for (std::size_t at = 20; at < 61; ++at)
    {
        // ns-3 never ends at a length of 0, and aborts at some of an MSS.
        bytes[at] = std::max(bytes[at], uint8_t{1}) == 2 ? 3 : std::max(bytes[at], uint8_t{1});
    }
    peer.SayRaw(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
}

/** @brief Segments at random: only those lies that a sender can detect, and no true end. */
LFN_CASE_OF(FuzzCase, Setting setting, uint32_t seed)
{
    setting.bytes = 300 * SEGMENT;
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t count) {
        return static_cast<uint32_t>(random() % count);
    };
    Peer peer(setting);
    peer.lose = [&draw](uint32_t) { return draw(4) == 0; };
    peer.Write();
    const auto before = peer.received;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        i % 2 == 0 ? SayRandom(peer, draw) : SayMutated(peer, draw);
        Peer::Run(MicroSeconds(100 * draw(20)));
    }
    NS_TEST_EXPECT_MSG_EQ(peer.ends.find("error"), std::string::npos, "no error");
    NS_TEST_EXPECT_MSG_LT(peer.received - before,
                          peer.said + 60'000 / SEGMENT,
                          "it says no more than it receives");
    peer.lose = nullptr;
    peer.window = 60'000;
    Peer::Run(Seconds(300));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives, seed " << seed);
    NS_TEST_EXPECT_MSG_EQ(peer.wrong, 0, "as it is");
    uint64_t refused = 0;
    for (const auto count : peer.refused)
    {
        refused += count;
    }
    NS_TEST_EXPECT_MSG_GT(refused, 500, "lies are counted");
}

/** @brief A peer whose clock and sequence numbers begin anywhere, as those of real hosts do. */
LFN_CASE_OF(ClockCase, uint32_t clock)
{
    Peer peer({.clock = clock});
    peer.Write();
    Peer::Run(Seconds(5));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives");
    NS_TEST_EXPECT_MSG_EQ(peer.GetRefused(TcpRefusal::OLD_TIME), 0, "no old time stamp");
    NS_TEST_EXPECT_MSG_EQ(peer.GetRefused(TcpRefusal::FALSE_TIME), 0, "no false one");
}

const Suite g_suite("lfn-long-fat-tcp-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const auto& lie : LIES)
    {
        suite.Add(new LieCase(lie.name, lie));
    }
    for (const uint32_t clock : {0U, 0x7fffffffU, 0x80000000U, 3'000'000'000U, 4'294'966'000U})
    {
        suite.Add(
            new ClockCase("a peer whose clock is " + std::to_string(clock) + " ms ahead", clock));
    }
    suite.Add(new BehindFinCase("nothing is taken behind a FIN"));
    suite.Add(new ResetCase("a reset in sequence ends a connection without a word"));
    suite.Add(new UnsentCase("an ACK of unsent data in ESTABLISHED",
                             TcpSocket::ESTABLISHED,
                             {50'000, 50'000, 50'000}));
    suite.Add(new UnsentCase("an ACK of unsent data in CLOSE_WAIT",
                             TcpSocket::CLOSE_WAIT,
                             {0, 0, 50'000}));
    suite.Add(
        new EchoCase("true echoes", 0, {MilliSeconds(20), MilliSeconds(20), MilliSeconds(20)}));
    suite.Add(new EchoCase("echoes of the future", 500, {Time(0), Time(0), MilliSeconds(20)}));
    suite.Add(new EchoCase("echoes from before the beginning",
                           -4000U,
                           {MilliSeconds(4020), MilliSeconds(4020), MilliSeconds(20)}));
    for (const bool isEcn : {false, true})
    {
        const std::string how(isEcn ? " with marks" : "");
        suite.Add(new LastDataCase("the last data before a FIN are retransmitted in LAST_ACK" + how,
                                   TcpSocket::LAST_ACK,
                                   {3000, 3000, 8000},
                                   isEcn));
        suite.Add(new LastDataCase("the last data before a FIN are retransmitted in CLOSING" + how,
                                   TcpSocket::CLOSING,
                                   {3000, 3000, 8000},
                                   isEcn));
    }
    suite.Add(new WindowCase(
        "a window that shrinks to a segment",
        [](uint32_t acks, Time) { return acks % 50 < 25 ? 60'000 : 1000; },
        200 * SEGMENT));
    suite.Add(new WindowCase(
        "a window that closes and opens",
        [](uint32_t, Time passed) { return passed.GetMilliSeconds() % 5000 < 2000 ? 20'000 : 0; },
        2000 * SEGMENT));
    const auto byte = [](uint32_t, Time) { return 1; };
    suite.Add(new WindowCase("windows of a byte", byte, 50));
    suite.Add(new WindowCase(
        "windows at random",
        [](uint32_t acks, Time) { return acks * 2'654'435'761U % 5000; },
        200 * SEGMENT));
    suite.Add(new ThrownCase("the window closes and all is thrown away", 8 * SEGMENT));
    suite.Add(
        new ThrownCase("the window closes, there is more, and all is thrown away", 100 * SEGMENT));
    suite.Add(new ProbeCase("a probe's byte that arrives was sent"));
    suite.Add(new RenegeCase("a receiver that goes back on its word"));
    for (const auto& congestion : ListTcpCongestion())
    {
        suite.Add(
            new DivisionCase("ACKs of a twentieth of a segment with " + congestion, congestion));
    }
    suite.Add(new FloodCase("a flood of duplicate ACKs", false));
    suite.Add(new FloodCase("a flood of SACKs", true));
    uint32_t seed = 0;
    for (const bool ipv6 : {false, true})
    {
        for (const bool sack : {false, true})
        {
            for (const bool timestamps : {false, true})
            {
                const Setting setting{.ipv6 = ipv6, .sack = sack, .timestamps = timestamps};
                suite.Add(
                    new FuzzCase("segments at random " + std::to_string(seed), setting, seed));
                ++seed;
            }
        }
    }
});

} // namespace
