// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-ip-view.h"

#include "lfn-big-endian.h"

#include <cstddef>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t IPV4_BYTES = 20;    //!< of an IPv4 header without options
constexpr std::size_t IPV6_BYTES = 40;    //!< of an IPv6 header
constexpr std::size_t EXTENSION_UNIT = 8; //!< extension headers are multiples of this, [B]

/** @brief Read an IPv4 header. */
std::optional<IpView>
ReadIpv4(std::span<const uint8_t> bytes)
{
    const std::size_t headerBytes = bytes[0] % 16 * 4;
    if (bytes.size() < IPV4_BYTES || headerBytes < IPV4_BYTES)
    {
        return std::nullopt;
    }
    const auto fragment = ReadBigEndian<uint16_t>(bytes, 6);
    const uint32_t offset = (fragment & 0x1fffU) * 8;
    return IpView{.version = 4,
                  .protocol = bytes[9],
                  .headerBytes = static_cast<uint32_t>(headerBytes),
                  .totalBytes = ReadBigEndian<uint16_t>(bytes, 2),
                  .id = ReadBigEndian<uint16_t>(bytes, 4),
                  .offset = offset,
                  .hasMore = (fragment & 0x2000U) != 0,
                  .hasTransport = offset == 0 && headerBytes <= bytes.size(),
                  .source = bytes.subspan(12, 4),
                  .destination = bytes.subspan(16, 4)};
}

} // namespace

std::optional<IpView>
IpView::Read(std::span<const uint8_t> bytes)
{
    const auto version = bytes.empty() ? 0 : bytes[0] / 16;
    if (version == 4)
    {
        return ReadIpv4(bytes);
    }
    if (version != 6 || bytes.size() < IPV6_BYTES)
    {
        return std::nullopt;
    }
    auto view = ReadExtensions(bytes[6], bytes.subspan(IPV6_BYTES));
    view.headerBytes += IPV6_BYTES;
    view.totalBytes = static_cast<uint32_t>(IPV6_BYTES + ReadBigEndian<uint16_t>(bytes, 4));
    view.source = bytes.subspan(8, 16);
    view.destination = bytes.subspan(24, 16);
    return view;
}

IpView
IpView::ReadExtensions(uint8_t protocol, std::span<const uint8_t> bytes)
{
    constexpr uint8_t HOP_BY_HOP = 0;
    constexpr uint8_t ROUTING = 43;
    constexpr uint8_t FRAGMENT = 44;
    constexpr uint8_t DESTINATION = 60;
    IpView view{.version = 6, .protocol = protocol};
    while (view.protocol == HOP_BY_HOP || view.protocol == ROUTING || view.protocol == FRAGMENT ||
           view.protocol == DESTINATION)
    {
        const auto rest = bytes.subspan(view.headerBytes);
        if (rest.size() < EXTENSION_UNIT)
        {
            return view;
        }
        const bool isFragment = view.protocol == FRAGMENT;
        const auto size = EXTENSION_UNIT * (isFragment ? 1 : 1 + std::size_t{rest[1]});
        view.protocol = rest[0];
        if (size > rest.size())
        {
            return view;
        }
        view.headerBytes += static_cast<uint32_t>(size);
        if (isFragment)
        {
            const auto place = ReadBigEndian<uint16_t>(rest, 2);
            view.offset = place & 0xfff8U;
            view.hasMore = (place & 1U) != 0;
            view.id = ReadBigEndian<uint32_t>(rest, 4);
            if (view.offset > 0)
            {
                return view; // what follows belongs to no header
            }
        }
    }
    view.hasTransport = true;
    return view;
}

} // namespace ns3::lfn
