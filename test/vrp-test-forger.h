// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_FORGER_H
#define VRP_TEST_FORGER_H

#include "vrp-test-network.h"

#include "ns3/vrp-header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup lfn-vrp
 * ns3::lfn::tests::VrpForger: datagrams that nobody of good will sends.
 */

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Makes hostile messages, and puts them on the wire with any source address.
 */
class VrpForger
{
  public:
    static constexpr uint16_t SENDER_PORT = 4000; //!< the honest sender's LocalPort

    /**
     * @brief Get the address of the honest sender.
     * @param network where, IPv4
     * @return its socket address
     */
    static InetSocketAddress OfSender(const VrpTestNetwork& network)
    {
        return {Ipv4Address::ConvertFrom(network.addresses[0]), SENDER_PORT};
    }

    /**
     * @brief Get the address of the receiver.
     * @param network where, IPv4
     * @return its socket address
     */
    static InetSocketAddress OfReceiver(const VrpTestNetwork& network)
    {
        return {Ipv4Address::ConvertFrom(network.addresses[1]), VrpTestNetwork::PORT};
    }

    /**
     * @brief New forger.
     * @param seed of what it makes
     */
    explicit VrpForger(uint32_t seed)
        : m_random(seed)
    {
    }

    /**
     * @brief Draw a number.
     * @param below its limit
     * @return 0 to below - 1
     */
    uint32_t Draw(uint32_t below)
    {
        return tests::Draw(m_random, below);
    }

    /**
     * @brief Draw a number that is likely to hurt.
     * @param usual most numbers are below
     * @return a small one, one near 2^31, 2^32 or a usual one
     */
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

    /**
     * @brief Make a tag at random.
     * @param frames numbers of frames that exist
     * @return the tag
     */
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

    /**
     * @brief Make a message at random: noise, data, or control, often spoilt.
     * @param frames numbers of frames that exist
     * @return the message, its header first
     */
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

    /**
     * @brief Make a control packet.
     * @param frame of its header
     * @param tags its tags
     * @return the message
     */
    static Bytes Control(uint16_t frame, std::span<const VrpTag> tags)
    {
        return Join(VrpHeader::Control(frame), VrpControl::Write(tags));
    }

    /**
     * @brief Make a data packet.
     * @param frame of its header
     * @param packet of its header
     * @param bytes of data
     * @return the message
     */
    static Bytes Data(uint16_t frame, uint32_t packet, uint32_t bytes)
    {
        return Join(VrpHeader::Data(frame, packet), Bytes(bytes, 0xee));
    }

    /**
     * @brief Put a message on the wire: it arrives now, but after this event.
     * @param network where, IPv4
     * @param direction 0 is that of the data
     * @param from its source address
     * @param to its destination port
     * @param message the message
     */
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
    /**
     * @brief Draw a frame number.
     * @param frames numbers of frames that exist
     * @return most often one of them
     */
    uint16_t DrawFrame(std::span<const uint16_t> frames)
    {
        return Draw(4) == 0 || frames.empty() ? static_cast<uint16_t>(Draw(1U << 15))
                                              : frames[Draw(static_cast<uint32_t>(frames.size()))];
    }

    std::mt19937 m_random; //!< where all comes from
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_FORGER_H
