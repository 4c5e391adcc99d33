// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_RAW_PEER_H
#define LONG_FAT_TCP_RAW_PEER_H

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack-permitted.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-option-winscale.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * ns3::lfn::tests::TcpRawPeer: a TCP socket before and after its connection.
 */

namespace ns3::lfn::tests
{

/**
 * @brief A LongFatTcpSocket at node 0, and at node 1 a peer without TCP that sends single segments.
 */
class TcpRawPeer : public TestNetwork
{
  public:
    static constexpr uint16_t PORT = 80;               //!< of both ends
    static constexpr uint32_t INITIAL = 4'000'000'000; //!< the peer's initial sequence number

    /** @brief What the peer's SYN offers. */
    struct Offer
    {
        bool hasOptions{true};   //!< time stamps, SACK and window scale
        uint8_t scale{0};        //!< window scale
        uint16_t window{60'000}; //!< window
        uint32_t clock{0};       //!< ahead of the peer's time stamps, [ms]
    };

    /** @brief A socket that listens, or that connects to the peer. */
    explicit TcpRawPeer(bool isListening, bool ipv6 = false)
        : TestNetwork({.delay = MilliSeconds(10), .ipv6 = ipv6})
    {
        Run(GetStart() + Seconds(5));
        LongFatTcpSocketFactory::Install(nodes.Get(0));
        socket = Socket::CreateSocket(nodes.Get(0), LongFatTcpSocketFactory::GetTypeId());
        Watch(socket);
        ConnectTrace(socket, "Refused", [this](TcpRefusal reason) {
            ++refused.at(static_cast<std::size_t>(reason));
        });
        const auto note = [this](const char* what) {
            return Callback<void, Ptr<Socket>>([this, what](Ptr<Socket>) {
                ends += what;
                endTime = Simulator::Now();
            });
        };
        socket->SetConnectCallback(note("connected "), note("refused "));
        socket->SetCloseCallbacks(note("closed "), note("error "));
        if (isListening)
        {
            Listen(socket, GetEnd(0, PORT), [this](Ptr<Socket> fork) {
                accepted = fork;
                Watch(fork);
            });
        }
        else
        {
            socket->Bind(GetEnd(0, PORT));
            socket->Connect(GetEnd(1, PORT));
            Run(MilliSeconds(50));
        }
    }

    Ptr<Socket> socket;             //!< the socket
    Ptr<Socket> accepted;           //!< what it accepted
    std::vector<TcpHeader> answers; //!< what reached the peer
    uint32_t answerBytes{0};        //!< length of these segments, [B]
    uint32_t saidBytes{0};          //!< length of the peer's segments, [B]
    std::string ends;               //!< how the socket's connection began and ended
    Time endTime;                   //!< when it said so last
    /// Transitions between states of all sockets.
    std::vector<std::pair<TcpSocket::TcpStates_t, TcpSocket::TcpStates_t>> transitions;
    std::array<uint32_t, static_cast<std::size_t>(TcpRefusal::COUNT_)> refused{}; //!< by reason

    /** @return the last state of any socket */
    TcpSocket::TcpStates_t GetState() const
    {
        return transitions.empty() ? TcpSocket::CLOSED : transitions.back().second;
    }

    /** @return flags of the last segment that reached the peer, 0 if none did */
    uint8_t GetFlags() const
    {
        return answers.empty() ? uint8_t{0} : answers.back().GetFlags();
    }

    /**
     * @brief Make a segment of the peer.
     * @param flags flags
     * @param ahead sequence number from behind the peer's SYN
     * @param ack acknowledgement number from behind the socket's SYN
     * @return the header
     */
    static TcpHeader Make(uint8_t flags, int64_t ahead = 0, int64_t ack = 0)
    {
        TcpHeader header;
        header.SetSourcePort(PORT);
        header.SetDestinationPort(PORT);
        header.SetFlags(flags);
        header.SetSequenceNumber(SequenceNumber32(static_cast<uint32_t>(INITIAL + 1 + ahead)));
        header.SetAckNumber(SequenceNumber32(static_cast<uint32_t>(1 + ack))); // ns-3 begins at 0
        header.SetWindowSize(60'000);
        return header;
    }

    /**
     * @brief Put time stamps in.
     * @param header the header
     * @param clock the peer's clock is ahead by this, [ms]
     * @return the same
     */
    static TcpHeader Stamp(TcpHeader header, uint32_t clock = 0)
    {
        const auto time = CreateObject<TcpOptionTS>();
        time->SetTimestamp(TcpOptionTS::NowToTsValue() + clock);
        time->SetEcho(TcpOptionTS::NowToTsValue() - 20);
        header.AppendOption(time);
        return header;
    }

    /** @brief Make a SYN with what it offers. */
    static TcpHeader MakeSyn(uint8_t flags, const Offer& offer)
    {
        auto header = Make(flags, -1);
        header.SetWindowSize(offer.window);
        if (offer.hasOptions)
        {
            header = Stamp(header, offer.clock);
            header.AppendOption(CreateObject<TcpOptionSackPermitted>());
        }
        return header;
    }

    /** @brief The peer sends a segment with bytes of data. */
    void Say(const TcpHeader& header, uint32_t bytes = 0)
    {
        const auto segment = Create<Packet>(bytes);
        segment->AddHeader(header);
        SayRaw(segment);
    }

    /** @brief The same, and 50 ms pass, more than the round-trip time. */
    void Exchange(const TcpHeader& header, uint32_t bytes = 0)
    {
        Say(header, bytes);
        Run(MilliSeconds(50));
    }

    /** @brief The peer sends anything behind an IP header. */
    void SayRaw(Ptr<Packet> segment)
    {
        saidBytes += segment->GetSize();
        Arrive(GetDevice(1), MakeFrame(addresses[1], addresses[0], 6, segment));
    }

  private:
    /// Have the states of a socket noted.
    void Watch(Ptr<Socket> watched)
    {
        ConnectTrace(watched,
                     "State",
                     [this](TcpSocket::TcpStates_t before, TcpSocket::TcpStates_t now) {
                         transitions.emplace_back(before, now);
                     });
    }

    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        TcpHeader header;
        const auto data = OpenFrame(frame, 6, header);
        if (direction != 0 || !data)
        {
            return TestFate::PASS;
        }
        answers.push_back(header);
        answerBytes += header.GetSerializedSize() + data->GetSize();
        return TestFate::LOSE; // there is no TCP at node 1
    }
};

} // namespace ns3::lfn::tests

#endif // LONG_FAT_TCP_RAW_PEER_H
