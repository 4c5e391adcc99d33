// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_FORGER_H
#define VRP_TEST_FORGER_H

#include "vrp-test-network.h"

#include "ns3/vrp-header.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Makes malformed messages, and puts them on the wire with any source address.
 */
class VrpForger
{
  public:
    static constexpr uint16_t SENDER_PORT = 4000; //!< the honest sender's LocalPort

    /// Get the socket address of the honest sender in an IPv4 network.
    static InetSocketAddress OfSender(const VrpTestNetwork& network)
    {
        return {Ipv4Address::ConvertFrom(network.addresses[0]), SENDER_PORT};
    }

    /// Get the socket address of the receiver in an IPv4 network.
    static InetSocketAddress OfReceiver(const VrpTestNetwork& network)
    {
        return {Ipv4Address::ConvertFrom(network.addresses[1]), VrpTestNetwork::PORT};
    }

    /// New forger; the seed is that of what it makes.
    explicit VrpForger(uint32_t seed)
        : m_random(seed)
    {
    }

    /// Draw a number, 0 to below - 1.
    uint32_t Draw(uint32_t below)
    {
        return tests::Draw(m_random, below);
    }

    /// Draw a number that is likely to hurt: a small one, one near 2^31, 2^32 or one below the
    /// usual.
    uint32_t DrawNasty(uint32_t usual)
    {
        switch (Draw(8))
        {
        case 0:
            return static_cast<uint32_t>(m_random());
        case 1:
            return UINT32_MAX - Draw(3);
        case 2:
            return (1U << 31) - Draw(3);
        default:
            return Draw(usual);
        }
    }

    /// Make a tag at random, most often of one of the frames that exist.
    VrpTag MakeTag(std::span<const uint16_t> frames)
    {
        VrpTag tag;
        tag.code = static_cast<VrpTagCode>(1 + Draw(15));
        tag.packet = DrawNasty(100);
        tag.lastPacket = DrawNasty(100);
        tag.seconds = DrawNasty(2);
        tag.microseconds = DrawNasty(1'000'000);
        tag.frame = DrawFrame(frames);
        tag.dataSize = DrawNasty(200'000);
        tag.packetSize = static_cast<uint16_t>(Draw(4) == 0 ? DrawNasty(3) : 1024);
        tag.value = static_cast<uint8_t>(m_random());
        tag.padding = static_cast<uint16_t>(Draw(40));
        return tag;
    }

    /// Make a message at random, its header first: noise, data, or control, often spoilt. Frames
    /// are the numbers of those that exist.
    Bytes Make(std::span<const uint16_t> frames)
    {
        const auto kind = Draw(8);
        if (kind == 0)
        {
            return Spoil(m_random, MakeNoise(m_random, 80));
        }
        if (kind < 3)
        {
            const uint32_t bytes = Draw(3) == 0 ? Draw(1500) : 1024;
            return Spoil(
                m_random,
                Join(VrpHeader::Data(DrawFrame(frames), DrawNasty(200)), Bytes(bytes, 0xee)));
        }
        std::vector<VrpTag> tags(1 + Draw(Draw(10) == 0 ? 60 : 5));
        std::generate(tags.begin(), tags.end(), [&] { return MakeTag(frames); });
        auto bytes = Join(VrpHeader::Control(DrawFrame(frames)), VrpControl::Write(tags));
        if (Draw(8) == 0) // LAST is missing, or data ride
        {
            bytes.resize(Draw(2) ? bytes.size() - 1 : bytes.size() + Draw(1100));
        }
        return Spoil(m_random, bytes);
    }

    /// Make a control packet.
    static Bytes Control(uint16_t frame, std::span<const VrpTag> tags)
    {
        return Join(VrpHeader::Control(frame), VrpControl::Write(tags));
    }

    /// Make a data packet of a given size.
    static Bytes Data(uint16_t frame, uint32_t packet, uint32_t bytes)
    {
        return Join(VrpHeader::Data(frame, packet), Bytes(bytes, 0xee));
    }

    /// Put a message on the wire, IPv4: it arrives now, but after this event. Direction 0 is that
    /// of the data; any source address.
    static void Inject(const VrpTestNetwork& network,
                       int direction,
                       const InetSocketAddress& from,
                       uint16_t to,
                       const Bytes& message)
    {
        const auto address = network.addresses.at(static_cast<std::size_t>(1 - direction));
        Arrive(network.GetDevice(direction),
               MakeDatagram(from, {Ipv4Address::ConvertFrom(address), to}, ToPacket(message)));
    }

  private:
    /// Draw a frame number, most often one of those that exist.
    uint16_t DrawFrame(std::span<const uint16_t> frames)
    {
        return Draw(4) == 0 || frames.empty() ? static_cast<uint16_t>(Draw(1U << 15))
                                              : frames[Draw(static_cast<uint32_t>(frames.size()))];
    }

    std::mt19937 m_random; //!< where all comes from
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_FORGER_H
