// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_TEST_PEER_H
#define LONG_FAT_TCP_TEST_PEER_H

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/lfn-tcp-congestion.h"
#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack-permitted.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-option-winscale.h"
#include "ns3/tcp-socket-factory.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * ns3::lfn::tests::TcpTestPeer: a TCP sender whose peer is made by hand.
 */

namespace ns3::lfn::tests
{

/**
 * @brief A socket at node 0 that sends to a peer at node 1 that sends what the test gives.
 *
 * Offsets count the bytes of the stream. Unless configured otherwise the peer is an honest
 * receiver, which acknowledges each segment.
 */
class TcpTestPeer : public TestNetwork
{
  public:
    static constexpr uint32_t SEGMENT = 1000; //!< largest segment, [B]

    /** @brief What a connection is like. */
    struct Setting
    {
        bool ipv6{false};                          //!< IPv6 instead of IPv4
        bool isNs3{false};                         //!< ns-3's own socket sends
        bool ns3Faults{false};                     //!< with Ns3Faults
        bool sack{true};                           //!< SACK
        bool timestamps{true};                     //!< time stamps
        std::string congestion{"ns3::TcpNewReno"}; //!< the congestion control
        uint32_t bytes{100'000};                   //!< to be sent
        uint32_t window{60'000};                   //!< that the peer offers at first, [B]
        uint32_t clock{0};                         //!< ahead of the peer's time stamps, [ms]
    };

    /** @brief A SACK block in offsets. */
    using Block = std::pair<int64_t, int64_t>;

    /** @brief A connection, set up when this returns; nothing is written yet. */
    explicit TcpTestPeer(const Setting& setting)
        : TestNetwork({.delay = MilliSeconds(10), .ipv6 = setting.ipv6}),
          bytes(setting.bytes),
          window(setting.window),
          m_setting(setting),
          m_has(setting.bytes)
    {
        Run(GetStart() + Seconds(5));
        LongFatTcpSocketFactory::Install(nodes.Get(0));
        socket = DynamicCast<TcpSocketBase>(Socket::CreateSocket(
            nodes.Get(0),
            setting.isNs3 ? TcpSocketFactory::GetTypeId() : LongFatTcpSocketFactory::GetTypeId()));
        socket->SetAttributeFailSafe("Ns3Faults", BooleanValue(setting.ns3Faults));
        socket->SetAttribute("Sack", BooleanValue(setting.sack));
        socket->SetAttribute("Timestamp", BooleanValue(setting.timestamps));
        socket->SetAttribute("SegmentSize", UintegerValue(SEGMENT));
        socket->SetAttribute("SndBufSize", UintegerValue(10'000'000));
        socket->SetAttribute("TcpNoDelay", BooleanValue(true));
        UseTcpCongestion(socket, setting.congestion);
        ConnectTrace(socket, "State", [this](TcpSocket::TcpStates_t, TcpSocket::TcpStates_t now) {
            state = now;
        });
        if (!setting.isNs3)
        {
            ConnectTrace(socket, "Refused", [this](TcpRefusal reason) {
                ++refused.at(static_cast<std::size_t>(reason));
            });
        }
        const auto close = [this](const char* what) {
            return Callback<void, Ptr<Socket>>([this, what](Ptr<Socket>) { ends += what; });
        };
        socket->SetCloseCallbacks(close("closed "), close("error "));
        setting.ipv6 ? socket->Bind6() : socket->Bind();
        socket->Connect(GetEnd(1, PORT));
        Run(Seconds(1));
    }

    Ptr<TcpSocketBase> socket;                       //!< the sender
    TcpSocket::TcpStates_t state{TcpSocket::CLOSED}; //!< of the sender
    std::string ends;                                //!< how it was instructed to end
    std::array<uint32_t, static_cast<std::size_t>(TcpRefusal::COUNT_)> refused{}; //!< by reason
    uint32_t bytes;                                                               //!< to be sent
    uint32_t wrong{0};    //!< bytes that came and are wrong
    uint32_t edge{0};     //!< the first byte that is missing
    uint32_t highest{0};  //!< behind the highest byte that came
    uint32_t window;      //!< that the peer offers, [B]
    uint32_t received{0}; //!< segments of the sender
    uint32_t said{0};     //!< segments of the peer
    TcpHeader last;       //!< the last one that was received
    bool hasFin{false};   //!< the sender's FIN has come
    /// Receives a segment of the sender; the peer is honest when it is null.
    std::function<void(const TcpHeader& header, uint32_t offset, uint32_t bytes)> onSegment;

    std::function<bool(uint32_t offset)> lose; //!< whether a segment of data is lost; may be null
    std::function<void(TcpHeader& header)> spoil; //!< changes what is acknowledged; may be null
    uint32_t echoAhead{0};                        //!< what is echoed is later than true, [ms]
    uint32_t offered{0};                          //!< end of all windows, an offset

    /** @brief The sender writes all. */
    void Write()
    {
        std::vector<uint8_t> content(bytes);
        for (uint32_t i = 0; i < bytes; ++i)
        {
            content[i] = GetByte(i);
        }
        for (uint32_t at = 0; at < bytes; at += SEGMENT)
        {
            socket->Send(Create<Packet>(&content[at], std::min(SEGMENT, bytes - at)), 0);
        }
    }

    /**
     * @brief Make a segment of the peer.
     * @param ack offset that it acknowledges
     * @param blocks SACK blocks
     * @return the header
     */
    TcpHeader Make(int64_t ack, const std::vector<Block>& blocks = {}) const
    {
        TcpHeader header;
        header.SetFlags(TcpHeader::ACK);
        header.SetSequenceNumber(next);
        header.SetAckNumber(GetSequence(ack));
        header.SetWindowSize(static_cast<uint16_t>(window));
        if (m_setting.timestamps)
        {
            const auto time = DynamicCast<TcpOptionTS>(MakeTime(m_echo + echoAhead));
            time->SetTimestamp(time->GetTimestamp() + m_setting.clock);
            header.AppendOption(time);
        }
        if (!blocks.empty())
        {
            const auto sack = CreateObject<TcpOptionSack>();
            for (const auto& [begin, end] : blocks)
            {
                sack->AddSackBlock({GetSequence(begin), GetSequence(end)});
            }
            header.AppendOption(sack);
        }
        return header;
    }

    /** @brief Make the time stamps of a segment with an echo, [ms]. */
    static Ptr<TcpOption> MakeTime(uint32_t echo)
    {
        const auto time = CreateObject<TcpOptionTS>();
        time->SetTimestamp(TcpOptionTS::NowToTsValue());
        time->SetEcho(echo);
        return time;
    }

    /** @brief The peer sends a header, with its ports, and data. */
    void Say(TcpHeader header, Ptr<Packet> data = Create<Packet>())
    {
        header.SetSourcePort(PORT);
        header.SetDestinationPort(m_port);
        const auto segment = data->Copy();
        segment->AddHeader(header);
        SayRaw(segment);
    }

    /** @brief The peer sends anything behind an IP header. */
    void SayRaw(Ptr<Packet> segment)
    {
        ++said;
        Arrive(GetDevice(1), MakeFrame(addresses[1], addresses[0], 6, segment), MilliSeconds(10));
    }

    /** @brief The peer acknowledges what it has, as an honest one does. */
    void Acknowledge()
    {
        std::vector<Block> blocks;
        for (auto i = edge; m_setting.sack && i < highest && blocks.size() < 3;)
        {
            const auto begin = std::find(m_has.begin() + i, m_has.begin() + highest, true);
            const auto end = std::find(begin, m_has.begin() + highest, false);
            if (begin < end)
            {
                blocks.emplace_back(begin - m_has.begin(), end - m_has.begin());
            }
            i = static_cast<uint32_t>(end - m_has.begin());
        }
        const bool isEnd = hasFin && edge == bytes;
        auto header = Make(edge + (isEnd ? 1 : 0), blocks);
        offered = std::max(offered, edge + window);
        if (spoil)
        {
            spoil(header);
        }
        Say(header);
    }

    /** @brief The peer keeps the bytes below an offset after all. */
    void Keep(uint32_t end)
    {
        std::fill(m_has.begin(), m_has.begin() + end, true);
    }

    /** @brief Count what was refused for a reason. */
    uint32_t GetRefused(TcpRefusal reason) const
    {
        return refused.at(static_cast<std::size_t>(reason));
    }

    /** @brief Get the sequence number of an offset in the stream of the sender. */
    SequenceNumber32 GetSequence(int64_t offset) const
    {
        return SequenceNumber32(static_cast<uint32_t>(m_first.GetValue() + offset));
    }

    SequenceNumber32 next{4'000'000'000}; //!< the peer's next sequence number

  private:
    static constexpr uint16_t PORT = 80; //!< of the peer

    /// A byte of the stream.
    static uint8_t GetByte(uint32_t offset)
    {
        return static_cast<uint8_t>(offset * 7 + offset / 251);
    }

    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        TcpHeader header;
        const auto data = OpenFrame(frame, 6, header);
        if (direction != 0 || !data)
        {
            return TestFate::PASS;
        }
        OnSegment(header, data);
        return TestFate::LOSE; // there is no TCP at node 1
    }

    /// The peer receives a segment.
    void OnSegment(const TcpHeader& header, Ptr<Packet> data)
    {
        ++received;
        last = header;
        m_port = header.GetSourcePort();
        const auto time = DynamicCast<const TcpOptionTS>(header.GetOption(TcpOption::TS));
        m_echo = time ? time->GetTimestamp() : 0;
        if ((header.GetFlags() & TcpHeader::SYN) != 0)
        {
            m_first = header.GetSequenceNumber() + 1;
            auto answer = Make(0);
            answer.SetFlags(TcpHeader::SYN | TcpHeader::ACK);
            const auto scale = CreateObject<TcpOptionWinScale>();
            scale->SetScale(0);
            answer.AppendOption(scale);
            if (m_setting.sack)
            {
                answer.AppendOption(CreateObject<TcpOptionSackPermitted>());
            }
            offered = window;
            Say(answer);
            return;
        }
        const auto offset = static_cast<uint32_t>(header.GetSequenceNumber() - m_first);
        highest = std::max(highest, std::min(bytes, offset + data->GetSize()));
        if (lose && data->GetSize() > 0 && lose(offset))
        {
            return;
        }
        next = header.GetAckNumber();
        const auto size = data->GetSize();
        const auto content = ToBytes(data);
        for (uint32_t i = 0; i < size; ++i)
        {
            const bool isOne = offset + i < bytes;
            wrong += !isOne || content[i] != GetByte(offset + i);
            if (isOne && !onSegment)
            {
                m_has[offset + i] = true;
            }
        }
        edge = static_cast<uint32_t>(std::find(m_has.begin() + edge, m_has.end(), false) -
                                     m_has.begin());
        hasFin |= (header.GetFlags() & TcpHeader::FIN) != 0;
        if (onSegment)
        {
            onSegment(header, offset, size);
        }
        else if (size > 0 || (header.GetFlags() & TcpHeader::FIN) != 0)
        {
            Acknowledge();
        }
    }

    Setting m_setting;        //!< what the connection is like
    std::vector<bool> m_has;  //!< bytes that came
    SequenceNumber32 m_first; //!< of the sender's stream
    uint16_t m_port{0};       //!< of the sender
    uint32_t m_echo{0};       //!< time stamp that came last, [ms]
};

} // namespace ns3::lfn::tests

#endif // LONG_FAT_TCP_TEST_PEER_H
