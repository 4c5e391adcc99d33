// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "long-fat-tcp-raw-peer.h"
#include "long-fat-tcp-test-peer.h"

#include "ns3/lfn-tcp-source.h"
#include "ns3/parallel-tcp-source.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/type-id.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * LongFatTcpSocket from CLOSED to a connection and back (RFC 9293, 3.10.7.1 to 3.10.7.4).
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

using Peer = TcpRawPeer;                //!< shorter
using State = TcpSocket::TcpStates_t;   //!< shorter
constexpr uint8_t FIN = TcpHeader::FIN; //!< a flag
constexpr uint8_t SYN = TcpHeader::SYN; //!< a flag
constexpr uint8_t RST = TcpHeader::RST; //!< a flag
constexpr uint8_t ACK = TcpHeader::ACK; //!< a flag
constexpr int SYN_ACK = SYN | ACK;      //!< flags
constexpr int FIN_ACK = FIN | ACK;      //!< flags

/** @brief The transitions of RFC 9293, figure 5, and those of resets and of giving up. */
const std::set<std::pair<State, State>> TRANSITIONS{
    {TcpSocket::CLOSED, TcpSocket::LISTEN},
    {TcpSocket::CLOSED, TcpSocket::SYN_SENT},
    {TcpSocket::SYN_SENT, TcpSocket::SYN_RCVD},
    {TcpSocket::SYN_SENT, TcpSocket::ESTABLISHED},
    {TcpSocket::SYN_RCVD, TcpSocket::ESTABLISHED},
    {TcpSocket::ESTABLISHED, TcpSocket::FIN_WAIT_1},
    {TcpSocket::ESTABLISHED, TcpSocket::CLOSE_WAIT},
    {TcpSocket::FIN_WAIT_1, TcpSocket::FIN_WAIT_2},
    {TcpSocket::FIN_WAIT_1, TcpSocket::CLOSING},
    {TcpSocket::FIN_WAIT_2, TcpSocket::TIME_WAIT},
    {TcpSocket::CLOSING, TcpSocket::TIME_WAIT},
    {TcpSocket::CLOSE_WAIT, TcpSocket::LAST_ACK},
};

/** @brief Whether a state may follow another one. */
bool
IsTransition(State before, State now)
{
    return now == TcpSocket::CLOSED || TRANSITIONS.contains({before, now});
}

/**
 * @brief Bring a socket into a state, or to where Close() brings it there.
 *
 * Time stamps and SACK are agreed on where there is a SYN.
 */
void
Bring(Peer& peer, State state)
{
    if (state == TcpSocket::LISTEN || state == TcpSocket::SYN_SENT)
    {
        return;
    }
    peer.Exchange(Peer::MakeSyn(state == TcpSocket::SYN_RCVD ? SYN : SYN | ACK, {}));
    if (state == TcpSocket::CLOSE_WAIT || state == TcpSocket::LAST_ACK)
    {
        peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK)));
    }
    if (state == TcpSocket::FIN_WAIT_2 || state == TcpSocket::TIME_WAIT)
    {
        peer.socket->Close();
        Peer::Run(MilliSeconds(50));
        peer.Exchange(Peer::Stamp(Peer::Make(ACK, 0, 1)));
    }
    if (state == TcpSocket::TIME_WAIT)
    {
        peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK, 0, 1)));
    }
}

/** @brief A segment that a state does not take, and the flags of the answer; 0 for none. */
struct Stray
{
    std::string name; //!< what it is
    State state;      //!< where it comes
    uint8_t flags;    //!< its flags
    int64_t ahead;    //!< sequence number from behind the peer's SYN
    int64_t ack;      //!< acknowledgement number from behind the socket's SYN
    uint32_t bytes;   //!< of data
    uint8_t answer;   //!< flags
};

/** @brief Segments that no state takes change nothing. */
LFN_CASE_OF(StrayCase, Stray stray)
{
    // The honest peer goes on, and the socket as well.
    const auto goOn = [&](Peer& peer, State state, const std::string& text) {
        switch (state)
        {
        case TcpSocket::LISTEN:
            peer.Exchange(Peer::MakeSyn(SYN, {}));
            NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), SYN_ACK, text);
            [[fallthrough]];
        case TcpSocket::SYN_RCVD:
            peer.Say(Peer::Stamp(Peer::Make(ACK)), 100);
            Peer::Run(MilliSeconds(500));
            NS_TEST_ASSERT_MSG_EQ((peer.accepted != nullptr), true, text);
            NS_TEST_EXPECT_MSG_EQ(peer.accepted->GetRxAvailable(), 100, text);
            break;
        case TcpSocket::SYN_SENT:
            peer.Exchange(Peer::MakeSyn(SYN | ACK, {}));
            NS_TEST_EXPECT_MSG_EQ(peer.ends, "connected ", text);
            peer.Say(Peer::Stamp(Peer::Make(ACK)), 100);
            Peer::Run(MilliSeconds(500));
            NS_TEST_EXPECT_MSG_EQ(peer.socket->GetRxAvailable(), 100, text);
            break;
        case TcpSocket::FIN_WAIT_2:
            peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK, 0, 1)));
            NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::TIME_WAIT, text);
            NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), ACK, text);
            break;
        default:
            NS_TEST_EXPECT_MSG_EQ(peer.GetState(), state, text);
        }
    };
    for (const bool ipv6 : {false, true})
    {
        const bool isListening =
            stray.state == TcpSocket::LISTEN || stray.state == TcpSocket::SYN_RCVD;
        Peer peer(isListening, ipv6);
        Bring(peer, stray.state);
        const auto before = peer.answers.size();
        const auto ends = peer.ends;
        auto header = Peer::Make(stray.flags, stray.ahead, stray.ack);
        header.SetWindowSize(0);
        const auto said = peer.saidBytes;
        const auto answerBytes = peer.answerBytes;
        for (uint32_t i = 0; i < 5; ++i)
        {
            peer.Say(header, stray.bytes);
            Peer::Run(MilliSeconds(20));
        }
        const auto text = stray.name + (ipv6 ? " v6" : "");
        const uint32_t answers = stray.answer == 0 ? 0 : 5;
        NS_TEST_EXPECT_MSG_EQ(peer.answers.size() - before, answers, text);
        NS_TEST_EXPECT_MSG_EQ((stray.answer == 0 || peer.GetFlags() == stray.answer),
                              true,
                              text << " is answered with " << +peer.GetFlags());
        NS_TEST_EXPECT_MSG_LT_OR_EQ(peer.answerBytes - answerBytes,
                                    2 * (peer.saidBytes - said),
                                    text << ": no amplification");
        NS_TEST_EXPECT_MSG_EQ(peer.ends, ends, text << ": the application is not notified");
        goOn(peer, stray.state, text);
    }
}

/** @brief Strays of all states; their window is closed, and they have no time stamps. */
const std::vector<Stray> STRAYS{
    {"LISTEN: an ACK", TcpSocket::LISTEN, ACK, 0, 0, 0, RST},
    {"LISTEN: a SYN with ACK", TcpSocket::LISTEN, SYN | ACK, 0, 0, 0, RST},
    {"LISTEN: data", TcpSocket::LISTEN, ACK, 0, 0, 100, RST},
    {"LISTEN: a reset", TcpSocket::LISTEN, RST, 0, 0, 0, 0},
    {"LISTEN: a SYN with RST", TcpSocket::LISTEN, SYN | RST, 0, 0, 0, 0},
    {"LISTEN: a SYN with FIN", TcpSocket::LISTEN, SYN | FIN, 0, 0, 0, 0},
    {"LISTEN: no flags", TcpSocket::LISTEN, 0, 0, 0, 100, 0},
    {"LISTEN: a FIN", TcpSocket::LISTEN, FIN, 0, 0, 0, 0},
    {"SYN_SENT: no flags", TcpSocket::SYN_SENT, 0, 0, 0, 100, 0},
    {"SYN_SENT: a FIN", TcpSocket::SYN_SENT, FIN, 0, 0, 0, 0},
    {"SYN_SENT: an ACK of the SYN alone", TcpSocket::SYN_SENT, ACK, 0, 0, 0, 0},
    {"SYN_SENT: an ACK of what was never sent", TcpSocket::SYN_SENT, ACK, 0, 1, 0, RST},
    {"SYN_SENT: a SYN with a wrong ACK", TcpSocket::SYN_SENT, SYN | ACK, -1, 5, 0, RST},
    {"SYN_SENT: a SYN with an old ACK", TcpSocket::SYN_SENT, SYN | ACK, -1, -1, 0, RST},
    {"SYN_SENT: a FIN with a wrong ACK", TcpSocket::SYN_SENT, FIN | ACK, -1, 5, 0, RST},
    {"SYN_SENT: a reset", TcpSocket::SYN_SENT, RST, 0, 0, 0, 0},
    {"SYN_SENT: a reset with a wrong ACK", TcpSocket::SYN_SENT, RST | ACK, 0, 99, 0, 0},
    {"SYN_RCVD: no flags", TcpSocket::SYN_RCVD, 0, 0, 0, 100, 0},
    {"SYN_RCVD: a FIN", TcpSocket::SYN_RCVD, FIN, 0, 0, 0, 0},
    {"SYN_RCVD: an ACK without time stamps", TcpSocket::SYN_RCVD, ACK, 0, 0, 0, 0},
    {"SYN_RCVD: a wrong ACK", TcpSocket::SYN_RCVD, ACK, 0, 1, 0, RST},
    {"SYN_RCVD: a wrong ACK with FIN", TcpSocket::SYN_RCVD, FIN | ACK, 0, 9, 0, RST},
    {"SYN_RCVD: an ACK outside", TcpSocket::SYN_RCVD, ACK, 1'000'000, 0, 0, ACK},
    {"SYN_RCVD: a reset outside", TcpSocket::SYN_RCVD, RST, -1, 0, 0, 0},
    {"SYN_RCVD: a reset with ACK outside", TcpSocket::SYN_RCVD, RST | ACK, -1, 0, 0, 0},
    {"SYN_RCVD: a reset inside", TcpSocket::SYN_RCVD, RST, 1, 0, 0, ACK},
    {"SYN_RCVD: another SYN", TcpSocket::SYN_RCVD, SYN, 1'000'000, 0, 0, ACK},
    {"SYN_RCVD: the SYN again", TcpSocket::SYN_RCVD, SYN, -1, 0, 0, SYN | ACK},
    {"SYN_RCVD: a SYN with ACK", TcpSocket::SYN_RCVD, SYN | ACK, -1, 0, 0, ACK},
    {"FIN_WAIT_2: a SYN", TcpSocket::FIN_WAIT_2, SYN, -1, 0, 0, ACK},
    {"FIN_WAIT_2: a reset inside", TcpSocket::FIN_WAIT_2, RST, 1, 0, 0, ACK},
    {"FIN_WAIT_2: a reset outside", TcpSocket::FIN_WAIT_2, RST | ACK, -1, 1, 100, 0},
    {"FIN_WAIT_2: an ACK of what was never sent", TcpSocket::FIN_WAIT_2, ACK, 0, 2, 0, 0},
    {"FIN_WAIT_2: no flags", TcpSocket::FIN_WAIT_2, 0, 0, 0, 0, 0},
    {"TIME_WAIT: a SYN", TcpSocket::TIME_WAIT, SYN, 5000, 0, 0, ACK},
    {"TIME_WAIT: the FIN again", TcpSocket::TIME_WAIT, FIN | ACK, 0, 1, 0, ACK},
    {"TIME_WAIT: data", TcpSocket::TIME_WAIT, ACK, 1, 1, 100, ACK},
    {"TIME_WAIT: an ACK", TcpSocket::TIME_WAIT, ACK, 1, 1, 0, 0},
    {"TIME_WAIT: a reset inside", TcpSocket::TIME_WAIT, RST, 5, 1, 0, ACK},
    {"TIME_WAIT: a reset outside", TcpSocket::TIME_WAIT, RST, 0, 1, 0, 0},
};

/** @brief What one SYN says is of its own connection. */
LFN_CASE_OF(ListenCase, Peer::Offer offer)
{
    Peer peer(true);
    auto syn = Peer::MakeSyn(SYN, offer);
    syn.SetSourcePort(81);
    if (offer.scale > 0)
    {
        auto bytes = Join(syn, Bytes(20));
        bytes.resize(bytes.size() - 20);
        bytes[12] = static_cast<uint8_t>(bytes[12] + 0x20);
        bytes.insert(bytes.end(), {3, 3, offer.scale, 1, 3, 3, 7, 1}); // and another one
        peer.SayRaw(ToPacket(bytes));
    }
    else
    {
        peer.Say(syn);
        peer.Say(syn); // twice in an instant
    }
    Peer::Run(MilliSeconds(50));
    peer.Exchange(Peer::MakeSyn(SYN, {}));
    const auto& answer = peer.answers.back();
    NS_TEST_EXPECT_MSG_EQ(+answer.GetFlags(), SYN_ACK, "answered");
    NS_TEST_EXPECT_MSG_EQ(answer.HasOption(TcpOption::TS), true, "with time stamps");
    NS_TEST_EXPECT_MSG_EQ(answer.HasOption(TcpOption::SACKPERMITTED), true, "with SACK");
    Peer::Run(Seconds(400)); // nobody goes on
    NS_TEST_EXPECT_MSG_LT(peer.answers.size(), 20, "it ends");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::LISTEN, "it listens");
}

/**
 * @brief Get the number of segments that the sockets found malformed; a fork has the listener's
 * traces.
 */
uint32_t
GetRefused(const Peer& peer)
{
    return peer.refused.at(static_cast<std::size_t>(TcpRefusal::MALFORMED));
}

/** @brief A segment without a whole header, or with options of impossible length, is dropped. */
LFN_CASE_OF(MalformedCase, State state)
{
    // Open a connection to the listener.
    const auto accept = [&](Peer& peer) {
        peer.Exchange(Peer::MakeSyn(SYN, {}));
        peer.Exchange(Peer::Stamp(Peer::Make(ACK)));
        NS_TEST_ASSERT_MSG_NE(peer.accepted, nullptr, "accepted");
    };
    Peer peer(state != TcpSocket::SYN_SENT);
    if (state == TcpSocket::ESTABLISHED)
    {
        accept(peer);
    }
    const auto before = peer.answers.size();
    const auto refused = GetRefused(peer);
    const auto header = Peer::Make(state == TcpSocket::LISTEN ? SYN : ACK, 0);
    auto bytes = Join(header, Bytes(8));
    uint32_t segments = 0;
    for (const uint8_t words : {0, 4, 8, 15})
    {
        bytes[12] = static_cast<uint8_t>(words * 16);
        peer.SayRaw(ToPacket(bytes));
        ++segments;
    }
    for (const std::size_t size : {0, 1, 3, 4, 13, 19})
    {
        peer.SayRaw(ToPacket(Bytes(bytes.begin(), bytes.begin() + size)));
        segments += size >= 4 ? 1 : 0; // with fewer bytes it is for no socket
    }
    bytes[12] = 6 * 16;
    for (const Bytes& option : std::vector<Bytes>{{254, 0, 0, 0}, {99, 1, 0, 0}, {5, 34, 1, 1}})
    {
        std::copy(option.begin(), option.end(), bytes.begin() + 20);
        peer.SayRaw(ToPacket(bytes));
        ++segments;
    }
    Peer::Run(MilliSeconds(50));
    NS_TEST_EXPECT_MSG_EQ(GetRefused(peer) - refused, segments, "all are refused");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.size(), before, "and not answered");
    if (state == TcpSocket::LISTEN)
    {
        accept(peer);
    }
    if (peer.accepted)
    {
        peer.Exchange(Peer::Stamp(Peer::Make(ACK)), 500);
        NS_TEST_EXPECT_MSG_EQ(peer.accepted->GetRxAvailable(), 500, "data arrive");
    }
}

/** @brief Options without a meaning change nothing, and their segment's data arrive. */
LFN_CASE_OF(OptionsCase, Bytes options)
{
    Peer peer(true);
    peer.Exchange(Peer::MakeSyn(SYN, {.hasOptions = false}));
    peer.Exchange(Peer::Make(ACK));
    auto bytes = Join(Peer::Make(ACK), Bytes(options.size() + 100));
    bytes[12] = static_cast<uint8_t>((5 + options.size() / 4) * 16);
    std::ranges::copy(options, bytes.begin() + 20);
    peer.SayRaw(ToPacket(bytes));
    Peer::Run(MilliSeconds(50));
    NS_TEST_ASSERT_MSG_NE(peer.accepted, nullptr, "accepted");
    NS_TEST_EXPECT_MSG_EQ(peer.accepted->GetRxAvailable(), 100, "the data alone");
}

/** @brief A listener takes data of a host whose clock is anywhere. */
LFN_CASE_OF(ListenClockCase, uint32_t clock)
{
    Peer peer(true);
    peer.Exchange(Peer::MakeSyn(SYN, {.clock = clock}));
    const auto echo = DynamicCast<const TcpOptionTS>(peer.answers.back().GetOption(TcpOption::TS));
    NS_TEST_ASSERT_MSG_NE(echo, nullptr, "time stamps");
    NS_TEST_EXPECT_MSG_LT(TcpOptionTS::NowToTsValue() + clock - echo->GetEcho(), 100, "echoed");
    peer.Exchange(Peer::Stamp(Peer::Make(ACK), clock));
    peer.Exchange(Peer::Stamp(Peer::Make(ACK), clock), 500);
    NS_TEST_ASSERT_MSG_NE(peer.accepted, nullptr, "accepted");
    NS_TEST_EXPECT_MSG_EQ(peer.accepted->GetRxAvailable(), 500, "and its data");
}

/** @brief A listener with a small buffer takes the ACK of its SYN, and of data what fits. */
LFN_CASE_OF(SmallBufferCase, uint32_t buffer, uint32_t dataBytes)
{
    Peer peer(true);
    peer.socket->SetAttribute("RcvBufSize", UintegerValue(buffer));
    peer.Exchange(Peer::MakeSyn(SYN, {}));
    const auto before = peer.answers.size();
    peer.Say(Peer::Stamp(Peer::Make(ACK)), dataBytes);
    Peer::Run(Seconds(10));
    NS_TEST_ASSERT_MSG_NE(peer.accepted, nullptr, "accepted");
    NS_TEST_EXPECT_MSG_EQ((peer.answers.size() > before), (dataBytes > 0), "data are answered");
    peer.Say(Peer::Stamp(Peer::Make(ACK, std::min(buffer, dataBytes))), 500);
    Peer::Run(Seconds(1));
    const auto taken = std::min(buffer, dataBytes + 500);
    NS_TEST_EXPECT_MSG_EQ(peer.accepted->GetRxAvailable(), taken, "what fits");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.back().GetAckNumber() - Peer::Make(0).GetSequenceNumber(),
                          static_cast<int32_t>(taken),
                          "is acknowledged");
}

/** @brief A reset of the SYN informs the application at once that it is refused. */
LFN_CASE_OF(RefusedCase, bool ipv6)
{
    Peer peer(false, ipv6);
    const auto now = Simulator::Now();
    peer.Say(Peer::Make(RST | ACK, -1 - int64_t{Peer::INITIAL}, 0));
    Peer::Run(Seconds(400));
    NS_TEST_EXPECT_MSG_EQ(peer.ends, "refused ", "once");
    NS_TEST_EXPECT_MSG_EQ(peer.endTime, now, "at once");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.size(), 1, "no more SYNs");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::CLOSED, "closed");
}

/** @brief Both send a SYN before that of the other arrives (RFC 9293, figure 7). */
LFN_CASE(SimultaneousCase)
{
    Peer peer(false);
    peer.socket->Send(Create<Packet>(500), 0);
    peer.Exchange(Peer::MakeSyn(SYN, {.window = 0}));
    NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), SYN_ACK, "answered");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::SYN_RCVD, "no connection yet");
    peer.Exchange(Peer::MakeSyn(SYN | ACK, {}));
    NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), ACK, "acknowledged");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.back().GetSequenceNumber(), SequenceNumber32(1), "the SYN");
    peer.Exchange(Peer::Stamp(Peer::Make(ACK)));
    NS_TEST_EXPECT_MSG_EQ(peer.ends, "connected ", "reported once");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::ESTABLISHED, "open");
}

/** @brief Simultaneous open and a reset: it is refused. */
LFN_CASE(SimultaneousResetCase)
{
    Peer peer(false);
    peer.Exchange(Peer::MakeSyn(SYN, {}));
    peer.Exchange(Peer::Make(RST), 50);
    NS_TEST_EXPECT_MSG_EQ(peer.ends, "refused ", "reported");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::CLOSED, "closed");
}

/** @brief TIME_WAIT restarts with each FIN, and ends with a reset in sequence. */
LFN_CASE(TimeWaitCase)
{
    Peer peer(false);
    Bring(peer, TcpSocket::TIME_WAIT);
    for (uint32_t i = 0; i < 4; ++i)
    {
        Peer::Run(Seconds(200));
        peer.Say(Peer::Stamp(Peer::Make(FIN | ACK, 0, 1)));
    }
    Peer::Run(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::TIME_WAIT, "it waits");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.back().GetAckNumber(),
                          SequenceNumber32(Peer::INITIAL + 2),
                          "the FIN is acknowledged");
    Peer::Run(Seconds(240));
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::CLOSED, "two segment lifetimes");
}

/** @brief How a peer's FIN arrives: with data, before data, behind data that came before. */
LFN_CASE_OF(FinCase, State state)
{
    for (const std::string order : {"with", "before", "again"})
    {
        Peer peer(false);
        Bring(peer, state == TcpSocket::FIN_WAIT_2 ? state : TcpSocket::ESTABLISHED);
        if (state == TcpSocket::FIN_WAIT_1)
        {
            peer.socket->Close();
            Peer::Run(MilliSeconds(50));
        }
        const int64_t ack = state == TcpSocket::FIN_WAIT_2 ? 1 : 0;
        if (order == "before")
        {
            peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK, 100, ack)), 100);
            NS_TEST_EXPECT_MSG_EQ(peer.GetState(), state, "data are missing");
        }
        if (order != "with")
        {
            peer.Exchange(Peer::Stamp(Peer::Make(ACK, 0, ack)), 100);
        }
        if (order != "before")
        {
            // Again: the ACK of the data was lost.
            peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK, 0, ack)), 200);
        }
        const auto expected = state == TcpSocket::ESTABLISHED  ? TcpSocket::CLOSE_WAIT
                              : state == TcpSocket::FIN_WAIT_1 ? TcpSocket::CLOSING
                                                               : TcpSocket::TIME_WAIT;
        NS_TEST_EXPECT_MSG_EQ(peer.GetState(), expected, order);
        NS_TEST_EXPECT_MSG_EQ(peer.answers.back().GetAckNumber(),
                              SequenceNumber32(Peer::INITIAL + 202),
                              order << ": FIN and data are acknowledged");
        NS_TEST_EXPECT_MSG_EQ(peer.socket->GetRxAvailable(), 200, order);
        for (const auto& [before, now] : peer.transitions)
        {
            NS_TEST_EXPECT_MSG_EQ(IsTransition(before, now),
                                  true,
                                  order << ": " << TcpSocket::TcpStateName[before] << " to "
                                        << TcpSocket::TcpStateName[now]);
        }
    }
}

/** @brief A FIN that nobody acknowledges is sent later and later, and then given up. */
LFN_CASE_OF(LoneFinCase, State state)
{
    Peer peer(false);
    Bring(peer, state);
    peer.socket->Close();
    Peer::Run(MilliSeconds(50));
    if (state == TcpSocket::CLOSING)
    {
        peer.Exchange(Peer::Stamp(Peer::Make(FIN | ACK)));
    }
    NS_TEST_ASSERT_MSG_EQ(peer.GetState(), state, "there");
    const auto before = peer.answers.size();
    const auto start = Simulator::Now();
    Peer::Run(Seconds(3));
    NS_TEST_EXPECT_MSG_LT_OR_EQ(peer.answers.size() - before, 2, "after 1 s and after 3 s");
    Peer::Run(Seconds(1000));
    NS_TEST_EXPECT_MSG_EQ(peer.answers.size() - before, 6, "DataRetries");
    NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), FIN_ACK, "FINs");
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), TcpSocket::CLOSED, "given up");
    NS_TEST_EXPECT_MSG_EQ(peer.ends.ends_with("error "), true, "and reported: " << peer.ends);
    NS_TEST_EXPECT_MSG_EQ_TOL(peer.endTime - start,
                              Seconds(1 + 2 + 4 + 8 + 16 + 32 + 60),
                              Seconds(1),
                              "in time");
}

/** @brief A FIN is lost, its data arrive: it is retransmitted. */
LFN_CASE_OF(LostFinCase, State state)
{
    Peer peer(false);
    Bring(peer, state);
    const int64_t ahead = state == TcpSocket::LAST_ACK ? 1 : 0;
    peer.socket->Send(Create<Packet>(500), 0);
    Peer::Run(MilliSeconds(50));
    peer.socket->Close();
    Peer::Run(MilliSeconds(50));
    peer.Say(Peer::Stamp(Peer::Make(ACK, ahead, 500)));
    const auto before = peer.answers.size();
    Peer::Run(Seconds(2));
    NS_TEST_EXPECT_MSG_GT(peer.answers.size(), before, "retransmitted");
    NS_TEST_EXPECT_MSG_EQ(+peer.GetFlags(), FIN_ACK, "the FIN");
    NS_TEST_EXPECT_MSG_EQ(peer.answers.back().GetSequenceNumber(), SequenceNumber32(501), "it");
    peer.Say(Peer::Stamp(Peer::Make(ACK, ahead, 501)));
    Peer::Run(Seconds(10));
    const auto expected = state == TcpSocket::LAST_ACK ? TcpSocket::CLOSED : TcpSocket::FIN_WAIT_2;
    NS_TEST_EXPECT_MSG_EQ(peer.GetState(), expected, "acknowledged");
}

/** @brief Waiting for the last data, a connection passes no state that it is not in. */
LFN_CASE_OF(TransitionCase, State state)
{
    TcpTestPeer peer({.bytes = 8 * TcpTestPeer::SEGMENT});
    std::vector<std::pair<State, State>> transitions;
    ConnectTrace(peer.socket, "State", [&transitions](State before, State now) {
        transitions.emplace_back(before, now);
    });
    uint32_t lost = 0;
    peer.lose = [&lost](uint32_t offset) {
        return offset == 3 * TcpTestPeer::SEGMENT && ++lost == 1;
    };
    const auto sayFin = [&peer] {
        auto header = peer.Make(peer.edge);
        header.SetFlags(FIN | ACK);
        peer.Say(header);
        peer.next += 1;
        TcpTestPeer::Run(MilliSeconds(50));
    };
    if (state == TcpSocket::LAST_ACK)
    {
        sayFin();
    }
    peer.Write();
    peer.socket->Close();
    if (state == TcpSocket::CLOSING)
    {
        sayFin();
    }
    TcpTestPeer::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(peer.edge, peer.bytes, "all arrives");
    std::set<std::pair<State, State>> seen;
    for (const auto& transition : transitions)
    {
        NS_TEST_EXPECT_MSG_EQ(IsTransition(transition.first, transition.second),
                              true,
                              TcpSocket::TcpStateName[transition.first]
                                  << " to " << TcpSocket::TcpStateName[transition.second]);
        NS_TEST_EXPECT_MSG_EQ(seen.insert(transition).second, true, "each but once");
    }
}

/** @brief A reset in sequence ends a connection, with any data in it. */
LFN_CASE_OF(ResetCase, State state)
{
    for (const uint8_t flags : {RST, static_cast<uint8_t>(RST | ACK)})
    {
        const bool isListening = state == TcpSocket::SYN_RCVD;
        Peer peer(isListening);
        const bool isFinished = state == TcpSocket::CLOSE_WAIT || state == TcpSocket::TIME_WAIT;
        Bring(peer, state);
        const auto before = peer.answers.size();
        peer.Say(Peer::Make(flags, isFinished ? 1 : 0), 100);
        Peer::Run(Seconds(400));
        NS_TEST_EXPECT_MSG_EQ(peer.answers.size(), before, "without a word");
        NS_TEST_EXPECT_MSG_EQ(
            (isListening ? peer.accepted == nullptr : peer.GetState() == TcpSocket::CLOSED),
            true,
            "it ends");
    }
}

/** @brief Sources whose receiver sends them something: they end with a FIN, or fail. */
LFN_CASE_OF(TalkCase, TypeId type, TypeId factory, bool isCut)
{
    constexpr uint16_t PORT = 9;
    TestNetwork network;
    LongFatTcpSocketFactory::Install(network.nodes.Get(1));
    const auto listener =
        Socket::CreateSocket(network.nodes.Get(1), LongFatTcpSocketFactory::GetTypeId());
    Listen(listener, network.GetEnd(1, PORT), [](Ptr<Socket> socket) {
        Receive(socket);
        socket->Send(Create<Packet>(1), 0);
    });
    const auto source = ObjectFactory(type.GetName()).Create<TransferApplication>();
    source->SetAttribute("Remote", AddressValue(network.GetEnd(1, PORT)));
    source->SetAttribute("Bytes", UintegerValue(isCut ? 100'000'000 : 100'000));
    source->SetAttribute("SocketFactory", TypeIdValue(factory));
    network.nodes.Get(0)->AddApplication(source);
    TestEnd end;
    end.Watch(source);
    uint32_t resets = 0;
    uint32_t fins = 0;
    network.loss = [&](int direction, Ptr<const Packet> frame) {
        TcpHeader tcp;
        OpenFrame(frame, 6, tcp);
        resets += direction == 0 && (tcp.GetFlags() & RST) != 0;
        fins += direction == 0 && (tcp.GetFlags() & FIN) != 0;
        return isCut && Simulator::Now() > Seconds(1);
    };
    TestSimulation::Run();
    NS_TEST_EXPECT_MSG_EQ(end.completed, (isCut ? 0U : 1U), "completed");
    NS_TEST_EXPECT_MSG_EQ(end.failed, (isCut ? 1U : 0U), "failed");
    NS_TEST_EXPECT_MSG_EQ(resets, 0, "no reset");
    NS_TEST_EXPECT_MSG_EQ((isCut || fins > 0), true, "a FIN");
}

const Suite g_suite("lfn-long-fat-tcp-states", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const uint32_t clock : {0U, 0x7fffffffU, 0x80000000U, 3'000'000'000U, 4'294'966'000U})
    {
        suite.Add(new ListenClockCase("a listener, and a clock that is " + std::to_string(clock) +
                                          " ms ahead",
                                      clock));
    }
    for (const auto& stray : STRAYS)
    {
        suite.Add(new StrayCase(stray.name, stray));
    }
    for (const uint32_t buffer : {0, 100, 700})
    {
        for (const uint32_t bytes : {0, 1, 1000})
        {
            suite.Add(new SmallBufferCase("a buffer of " + std::to_string(buffer) + " B and " +
                                              std::to_string(bytes) + " B of data",
                                          buffer,
                                          bytes));
        }
    }
    suite.Add(new ListenCase("a SYN without options", {.hasOptions = false}));
    suite.Add(new ListenCase("a SYN with a closed window", {.window = 0}));
    suite.Add(new ListenCase("a SYN whose window scale is too large", {.scale = 15}));
    for (const auto state : {TcpSocket::LISTEN, TcpSocket::SYN_SENT, TcpSocket::ESTABLISHED})
    {
        suite.Add(new MalformedCase(std::string("malformed segments in ") +
                                        TcpSocket::TcpStateName[state],
                                    state));
    }
    // RFC 9293, 3.1, and RFC 2018.
    suite.Add(new OptionsCase("padding behind the end of the options", Bytes(12)));
    suite.Add(new OptionsCase("SACK without blocks", {1, 1, 5, 2}));
    suite.Add(new RefusedCase("a connection is refused", false));
    suite.Add(new RefusedCase("a connection is refused over IPv6", true));
    suite.Add(new SimultaneousCase("both ends open a connection"));
    suite.Add(new SimultaneousResetCase("both ends open a connection, one resets it"));
    suite.Add(new TimeWaitCase("TIME_WAIT acknowledges the FIN again"));
    suite.Add(new FinCase("a FIN in ESTABLISHED", TcpSocket::ESTABLISHED));
    suite.Add(new FinCase("a FIN in FIN_WAIT_1", TcpSocket::FIN_WAIT_1));
    suite.Add(new FinCase("a FIN in FIN_WAIT_2", TcpSocket::FIN_WAIT_2));
    for (const auto state : {TcpSocket::FIN_WAIT_1, TcpSocket::CLOSING, TcpSocket::LAST_ACK})
    {
        suite.Add(new LoneFinCase(std::string("a FIN without an answer in ") +
                                      TcpSocket::TcpStateName[state],
                                  state));
    }
    suite.Add(new LostFinCase("a FIN is lost in FIN_WAIT_1", TcpSocket::FIN_WAIT_1));
    suite.Add(new LostFinCase("a FIN is lost in LAST_ACK", TcpSocket::LAST_ACK));
    suite.Add(new TransitionCase("no false state in LAST_ACK", TcpSocket::LAST_ACK));
    suite.Add(new TransitionCase("no false state in CLOSING", TcpSocket::CLOSING));
    for (const auto state : {TcpSocket::ESTABLISHED,
                             TcpSocket::CLOSE_WAIT,
                             TcpSocket::SYN_RCVD,
                             TcpSocket::FIN_WAIT_2,
                             TcpSocket::TIME_WAIT})
    {
        suite.Add(
            new ResetCase(std::string("a reset with data in ") + TcpSocket::TcpStateName[state],
                          state));
    }
    for (const auto& type : {TcpSource::GetTypeId(), ParallelTcpSource::GetTypeId()})
    {
        for (const auto& factory :
             {LongFatTcpSocketFactory::GetTypeId(), TcpSocketFactory::GetTypeId()})
        {
            for (const bool isCut : {false, true})
            {
                suite.Add(new TalkCase(type.GetName() + " and a receiver that sends, with " +
                                           factory.GetName() + (isCut ? ", and vanishes" : ""),
                                       type,
                                       factory,
                                       isCut));
            }
        }
    }
});

} // namespace
