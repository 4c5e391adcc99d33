// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_SIGHT_H
#define VRP_TEST_SIGHT_H

#include "lfn-test-network.h"

#include "ns3/vrp-header.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief What a packet of VRP on a point-to-point link says, tags of a first fragment included.
 */
struct VrpTestSight
{
    bool control{false};          //!< tags follow
    uint16_t frame{0};            //!< frame number of the header
    uint32_t packet{0};           //!< packet number of the header
    uint32_t bytes{0};            //!< what follows the header, B
    std::vector<VrpTagCode> tags; //!< codes, as far as they can be read

    /// Ask for a tag.
    bool Has(VrpTagCode code) const
    {
        return std::find(tags.begin(), tags.end(), code) != tags.end();
    }

    /// Look at a packet with its PPP header to or from the receiver's UDP port; nothing when it is
    /// not VRP's, or a fragment other than the first.
    static std::optional<VrpTestSight> Of(Ptr<const Packet> frame, uint16_t port)
    {
        UdpHeader udp;
        VrpHeader header;
        const auto packet = OpenDatagram(frame, udp);
        if (!packet || (udp.GetDestinationPort() != port && udp.GetSourcePort() != port) ||
            packet->RemoveHeader(header) == 0)
        {
            return std::nullopt;
        }
        VrpTestSight sight;
        sight.control = header.control;
        sight.frame = header.frame;
        sight.packet = header.packet;
        sight.bytes = packet->GetSize();
        if (sight.control)
        {
            const auto bytes = ToBytes(packet);
            // Bodies of the tags, section 3.1, in the order of their codes; PADDING comes last.
            constexpr std::array<uint8_t, 15> BODIES{0, 8, 8, 4, 4, 4, 8, 1, 1, 2, 2, 2, 2, 4, 8};
            for (std::size_t at = 0; at < bytes.size() && bytes[at] > 0;
                 at += 1 + BODIES[bytes[at]])
            {
                if (bytes[at] >= BODIES.size())
                {
                    break;
                }
                sight.tags.push_back(static_cast<VrpTagCode>(bytes[at]));
            }
        }
        return sight;
    }
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_SIGHT_H
