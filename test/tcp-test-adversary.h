// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_TEST_ADVERSARY_H
#define TCP_TEST_ADVERSARY_H

#include "lfn-test-bytes.h"
#include "lfn-test-network.h"

#include "ns3/lfn-big-endian.h"
#include "ns3/lfn-topology.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * ns3::lfn::tests::TcpAdversary: replays, mutates and forges the TCP segments of two hosts.
 */

namespace ns3::lfn::tests
{

/**
 * @brief Injects segments at both ends of a point-to-point link.
 *
 * Each segment that arrives is a model for forged ones, in both directions. An adversary that is
 * Limits::DETECTABLE forges only what RFC 9293 and RFC 5961 refuse, or what does no harm: replays,
 * windows, options, and numbers that are far away. One that is Limits::NONE forges anything.
 */
class TcpAdversary
{
  public:
    /** @brief What is forged. */
    enum class Limits : uint8_t
    {
        DETECTABLE, //!< what a socket can refuse
        NONE        //!< anything
    };

    /** @brief What a host has received and sent. */
    struct Count
    {
        uint64_t received{0}; //!< TCP segments that arrived, forged ones as well, [B]
        uint64_t sent{0};     //!< TCP segments that left, [B]
        uint64_t syns{0};     //!< forged SYNs that arrived
    };

    /** @brief An adversary on the first link of a topology of two hosts. */
    TcpAdversary(Ptr<TransportTopology> topology, Limits limits, uint64_t seed)
        : m_limits(limits),
          m_random(seed)
    {
        const auto device =
            DynamicCast<PointToPointNetDevice>(topology->GetBottlenecks()[0].second);
        const auto channel = device->GetChannel();
        m_devices[0] = device;
        m_devices[1] = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
        for (const std::size_t direction : {0, 1})
        {
            Disturb(
                m_devices[direction],
                [this, direction](Ptr<const Packet> frame) {
                    return See(direction, ToBytes(frame));
                },
                m_later);
        }
    }

    /** @brief Forge segments at random times within a duration from now on. */
    void Forge(uint32_t count, Time duration)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(duration * Draw(1'000'000) / 1'000'000, [this] { ForgeOne(); });
        }
    }

    /**
     * @brief Send one forged segment to a host: an unknown port's, with any flags and numbers.
     * @param direction of the host, 0 for the receiver
     * @param port where it goes
     */
    void ForgeUnknown(std::size_t direction, uint16_t port)
    {
        if (m_seen[direction].empty())
        {
            return;
        }
        auto frame = m_seen[direction][Draw(m_seen[direction].size())];
        const auto at = *FindTcp(frame);
        frame.resize(at + 20);
        SetLength(frame);
        frame[at + 12] = 5 << 4;
        WriteBigEndian<uint16_t>(frame, at, static_cast<uint16_t>(1024 + Draw(60'000)));
        WriteBigEndian<uint16_t>(frame, at + 2, port);
        WriteBigEndian<uint32_t>(frame, at + 4, static_cast<uint32_t>(m_random()));
        WriteBigEndian<uint32_t>(frame, at + 8, static_cast<uint32_t>(m_random()));
        frame[at + 13] = static_cast<uint8_t>(Draw(64));
        Inject(direction, frame);
    }

    /** @brief Nothing that the hosts send arrives any more. */
    void Silence()
    {
        m_isSilent = true;
    }

    /** @brief Get what a host, 0 for the receiver, has received and sent. */
    const Count& GetCount(std::size_t host) const
    {
        return m_counts.at(host);
    }

    /** @return how many segments were forged */
    uint64_t GetForged() const
    {
        return m_forged;
    }

  private:
    static constexpr uint8_t FIN = 1;                //!< a flag
    static constexpr uint8_t SYN = 2;                //!< a flag
    static constexpr uint8_t RST = 4;                //!< a flag
    static constexpr uint8_t ACK = 16;               //!< a flag
    static constexpr std::size_t KEPT = 200;         //!< models in each direction
    static constexpr uint32_t ANSWERS = 2000;        //!< to frames; what answers these has more
    static constexpr uint32_t FAR = 1U << 24;        //!< larger than any window
    static constexpr std::size_t IP_AT = 2;          //!< behind the PPP header
    static constexpr uint32_t MAX_OPTION_BYTES = 40; //!< of a header

    /** @brief What is known of a connection. */
    struct Connection
    {
        std::size_t toClient{1};        //!< direction of the host that opens it
        bool isOpen{false};             //!< the client has acknowledged the server's SYN
        bool isClosing{false};          //!< a FIN was seen
        std::array<uint32_t, 2> ends{}; //!< behind the highest byte seen, by direction
        std::array<bool, 2> hasEnds{};  //!< whether there is one
    };

    /// Draw a number below another one.
    uint64_t Draw(uint64_t count)
    {
        return m_random() % count;
    }

    /// Draw a distance larger than any window.
    uint32_t DrawFar()
    {
        const auto distance = static_cast<uint32_t>(FAR + Draw(1U << 30));
        return Draw(2) == 0 ? distance : -distance;
    }

    /// Whether a frame holds IPv4.
    static bool IsIpv4(const Bytes& frame)
    {
        return ReadBigEndian<uint16_t>(frame, 0) == 0x0021;
    }

    /// Find the TCP header of a frame, behind that of XCP if there is one.
    static std::optional<std::size_t> FindTcp(const Bytes& frame)
    {
        if (frame.size() < IP_AT + 40)
        {
            return std::nullopt;
        }
        const bool isIpv4 = IsIpv4(frame);
        const auto protocol = frame[IP_AT + (isIpv4 ? 9 : 6)];
        auto at = IP_AT + (isIpv4 ? 20 : 40);
        if (protocol == XcpL4Protocol::PROT_NUMBER)
        {
            at += XcpHeader::SIZE;
        }
        else if (protocol != 6)
        {
            return std::nullopt;
        }
        return at + 20 <= frame.size() ? std::optional(at) : std::nullopt;
    }

    /// Have the IP header say how long the frame is.
    static void SetLength(Bytes& frame)
    {
        const auto bytes = static_cast<uint16_t>(frame.size() - IP_AT);
        IsIpv4(frame) ? WriteBigEndian<uint16_t>(frame, IP_AT + 2, bytes)
                      : WriteBigEndian<uint16_t>(frame, IP_AT + 4, bytes - 40);
    }

    /// Get the length of a TCP header.
    static std::size_t GetHeaderBytes(const Bytes& frame, std::size_t at)
    {
        return std::size_t{frame[at + 12]} / 16 * 4;
    }

    /// Get the ports of a frame, first that of the sender.
    static std::pair<uint16_t, uint16_t> GetPorts(std::size_t direction,
                                                  const Bytes& frame,
                                                  std::size_t at)
    {
        const auto from = ReadBigEndian<uint16_t>(frame, at);
        const auto to = ReadBigEndian<uint16_t>(frame, at + 2);
        return direction == 0 ? std::pair(from, to) : std::pair(to, from);
    }

    /// Get the connection of a frame.
    Connection& Find(std::size_t direction, const Bytes& frame, std::size_t at)
    {
        return m_connections[GetPorts(direction, frame, at)];
    }

    /// A frame arrives.
    TestFate See(std::size_t direction, const Bytes& frame)
    {
        const auto at = FindTcp(frame);
        if (!at)
        {
            return TestFate::PASS;
        }
        const auto bytes = frame.size() - *at;
        m_counts[1 - direction].sent += bytes;
        if (m_isSilent)
        {
            return TestFate::LOSE;
        }
        m_counts[direction].received += bytes;
        Note(direction, frame, *at);
        auto& seen = m_seen[direction];
        if (seen.size() < KEPT)
        {
            seen.push_back(frame);
        }
        else
        {
            seen[Draw(KEPT)] = frame;
        }
        const bool isRare = (frame[*at + 13] & (SYN | FIN)) != 0;
        for (auto left = isRare ? 4 + Draw(8) : Draw(3); left > 0 && m_answers > 0; --left)
        {
            --m_answers;
            // Some before the segment is in the socket, some behind.
            Simulator::Schedule(MicroSeconds(Draw(isRare ? 100'000 : 1000)),
                                [this] { ForgeOne(); });
            Mutate(direction, frame);
        }
        return TestFate::PASS;
    }

    /// Note what a frame says of its connection.
    void Note(std::size_t direction, const Bytes& frame, std::size_t at)
    {
        auto& connection = Find(direction, frame, at);
        const auto flags = frame[at + 13];
        if ((flags & (SYN | ACK)) == SYN)
        {
            connection.toClient = 1 - direction;
        }
        connection.isOpen |= (flags & SYN) == 0 && direction != connection.toClient;
        connection.isClosing |= (flags & FIN) != 0;
        const auto end =
            static_cast<uint32_t>(ReadBigEndian<uint32_t>(frame, at + 4) + frame.size() - at -
                                  GetHeaderBytes(frame, at) + ((flags & (SYN | FIN)) != 0 ? 1 : 0));
        auto& highest = connection.ends[direction];
        if (!connection.hasEnds[direction] || static_cast<int32_t>(end - highest) > 0)
        {
            highest = end;
            connection.hasEnds[direction] = true;
        }
    }

    /// Forge a segment after one that was seen.
    void ForgeOne()
    {
        const auto direction = static_cast<std::size_t>(Draw(2));
        const auto& seen = m_seen[direction];
        if (!seen.empty())
        {
            Mutate(direction, seen[Draw(seen.size())]);
        }
    }

    /// Have a forged segment arrive.
    void Inject(std::size_t direction, const Bytes& frame)
    {
        const auto at = *FindTcp(frame);
        ++m_forged;
        m_counts[direction].received += frame.size() - at;
        m_counts[direction].syns += (frame[at + 13] & (SYN | ACK | RST)) == SYN;
        Arrive(m_devices[direction], ToPacket(frame));
    }

    /// Forge a segment after another one.
    void Mutate(std::size_t direction, Bytes frame)
    {
        const auto at = *FindTcp(frame);
        if (m_limits == Limits::NONE && Draw(2) == 0)
        {
            Spoil(direction, frame, at);
        }
        else
        {
            MutateDetectably(direction, frame, at);
        }
    }

    /// Forge anything.
    void Spoil(std::size_t direction, Bytes& frame, std::size_t at)
    {
        const auto near = [this](uint32_t value) {
            return value + static_cast<uint32_t>(Draw(4000)) - 2000;
        };
        for (const auto field : {at + 4, at + 8})
        {
            if (Draw(2) == 0)
            {
                const auto number = ReadBigEndian<uint32_t>(frame, field);
                const bool isAny = Draw(4) == 0;
                WriteBigEndian(frame,
                               field,
                               isAny ? static_cast<uint32_t>(m_random()) : near(number));
            }
        }
        if (Draw(2) == 0)
        {
            frame[at + 13] = static_cast<uint8_t>(m_random());
        }
        if (Draw(3) == 0)
        {
            WriteBigEndian<uint16_t>(frame,
                                     at + 14,
                                     static_cast<uint16_t>(Draw(2) == 0 ? 0 : m_random()));
        }
        if (Draw(3) == 0)
        {
            SetOptions(frame, at);
        }
        if (Draw(2) == 0)
        {
            frame.resize(at + GetHeaderBytes(frame, at) + Draw(1400));
            SetLength(frame);
        }
        Inject(direction, frame);
    }

    /// Put other options into a header.
    void SetOptions(Bytes& frame, std::size_t at)
    {
        const auto from = static_cast<std::ptrdiff_t>(at + 20);
        const auto to = static_cast<std::ptrdiff_t>(at + GetHeaderBytes(frame, at));
        frame.erase(frame.begin() + from, frame.begin() + to);
        Bytes options;
        for (auto left = Draw(4); left > 0; --left)
        {
            // ns-3 never ends at a length of 0, and aborts at some of an MSS, before a socket.
            static constexpr std::array<uint8_t, 6> KINDS{1, 3, 4, 5, 8, 254};
            static constexpr std::array<uint8_t, 6> LENGTHS{1, 3, 2, 10, 10, 6};
            const auto kind = Draw(KINDS.size());
            // After a wrong length of SACK ns-3 goes on reading in the midst of the blocks.
            const bool isWrong = KINDS[kind] != 1 && KINDS[kind] != 5 && Draw(8) == 0;
            const auto length = LENGTHS[kind] + (isWrong ? Draw(3) : 0);
            if (options.size() + length > MAX_OPTION_BYTES)
            {
                break;
            }
            options.push_back(KINDS[kind]);
            if (kind > 0)
            {
                options.push_back(static_cast<uint8_t>(length));
                for (std::size_t i = 2; i < length; ++i)
                {
                    options.push_back(static_cast<uint8_t>(1 + Draw(255)));
                }
            }
        }
        options.resize((options.size() + 3) / 4 * 4, 1);
        frame.insert(frame.begin() + from, options.begin(), options.end());
        frame[at + 12] = static_cast<uint8_t>((5 + options.size() / 4) << 4);
        SetLength(frame);
    }

    /// Forge what is refused, or does no harm.
    void MutateDetectably(std::size_t direction, Bytes& frame, std::size_t at)
    {
        const auto& connection = Find(direction, frame, at);
        const bool isToClient = direction == connection.toClient;
        auto& flags = frame[at + 13];
        const auto shift = [&](std::size_t field) {
            WriteBigEndian(frame, field, ReadBigEndian<uint32_t>(frame, field) + DrawFar());
        };
        const auto what = Draw(12);
        switch (what)
        {
        case 0: // a replay; every connection of ns-3 begins at 0, so no other one is replayed
            if ((flags & SYN) != 0 && connection.isClosing)
            {
                return;
            }
            break;
        case 1: // a reset far away
            flags = static_cast<uint8_t>(RST | (Draw(2) == 0 ? ACK : 0) | (Draw(4) == 0 ? SYN : 0));
            shift(at + 4);
            shift(at + 8);
            break;
        case 2: // a reset in the window
            flags = static_cast<uint8_t>(RST | (Draw(2) == 0 ? ACK : 0));
            WriteBigEndian(frame,
                           at + 4,
                           connection.ends[direction] + 2 + static_cast<uint32_t>(Draw(5000)));
            shift(at + 8);
            break;
        case 3: // a SYN, not to one that waits for one
            if (isToClient && !connection.isOpen)
            {
                return;
            }
            flags = static_cast<uint8_t>(SYN | (Draw(2) == 0 ? ACK : 0) | (Draw(4) == 0 ? FIN : 0));
            shift(at + 4);
            shift(at + 8);
            break;
        case 11: // of another connection
            WriteBigEndian(frame, at, static_cast<uint16_t>(1024 + Draw(30'000)));
            if (m_connections.contains(GetPorts(direction, frame, at)))
            {
                return; // one that is open
            }
            flags = static_cast<uint8_t>(Draw(64));
            shift(at + 8);
            break;
        default:
            const bool hasData = frame.size() > at + GetHeaderBytes(frame, at);
            if ((flags & (SYN | FIN | RST)) != 0 || (what == 9 && !hasData))
            {
                return;
            }
            MutateBasic(what, frame, at);
        }
        Inject(direction, frame);
    }

    /// Forge what is refused, or does no harm, of a segment without SYN, FIN and RST.
    void MutateBasic(uint64_t what, Bytes& frame, std::size_t at)
    {
        auto& flags = frame[at + 13];
        const auto dataAt = at + GetHeaderBytes(frame, at);
        switch (what)
        {
        case 4: // neither ACK nor RST
            flags = static_cast<uint8_t>(Draw(2) == 0 ? 0 : 8);
            break;
        case 5: // acknowledges what was never sent, or an age ago
            WriteBigEndian(frame, at + 8, ReadBigEndian<uint32_t>(frame, at + 8) + DrawFar());
            break;
        case 6: // data or a FIN far away
            WriteBigEndian(frame, at + 4, ReadBigEndian<uint32_t>(frame, at + 4) + DrawFar());
            flags = static_cast<uint8_t>(flags | (Draw(2) == 0 ? FIN : 0));
            frame.resize(dataAt + Draw(1400), 0xaa);
            SetLength(frame);
            break;
        case 7: // another window
            WriteBigEndian(frame, at + 14, static_cast<uint16_t>(Draw(4) == 0 ? 0 : m_random()));
            break;
        case 8: // other options
            SetOptions(frame, at);
            break;
        case 9: // less data
            frame.resize(dataAt + Draw(frame.size() - dataAt));
            SetLength(frame);
            break;
        default: // other flags that do not count
            flags = static_cast<uint8_t>(flags ^ (Draw(16) << 4 & 0xe8));
        }
    }

    Limits m_limits;                          //!< what is forged
    std::mt19937_64 m_random;                 //!< of all that is random
    Time m_later;                             //!< nothing is late
    std::array<Ptr<NetDevice>, 2> m_devices;  //!< at the end of each direction
    std::array<std::vector<Bytes>, 2> m_seen; //!< models
    std::array<Count, 2> m_counts;            //!< of the host at the end of each direction
    std::map<std::pair<uint16_t, uint16_t>, Connection> m_connections; //!< by ports
    uint64_t m_forged{0};                                              //!< segments
    uint32_t m_answers{ANSWERS}; //!< that frames may still have
    bool m_isSilent{false};      //!< nothing that the hosts send arrives
};

} // namespace ns3::lfn::tests

#endif // TCP_TEST_ADVERSARY_H
