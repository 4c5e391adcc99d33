// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tcp-view.h"

#include "lfn-big-endian.h"

#include "ns3/ptr.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr uint8_t END = 0;               //!< kind of an option (RFC 9293, section 3.1)
constexpr uint8_t NO_OPERATION = 1;      //!< kind of an option (RFC 9293, section 3.1)
constexpr uint8_t SEGMENT_SIZE = 2;      //!< kind of an option (RFC 9293, section 3.7.1)
constexpr uint8_t WINDOW_SCALE = 3;      //!< kind of an option (RFC 7323, section 2.2)
constexpr uint8_t SACK_PERMITTED = 4;    //!< kind of an option (RFC 2018, section 2)
constexpr uint8_t SACK = 5;              //!< kind of an option (RFC 2018, section 3)
constexpr uint8_t TIMES = 8;             //!< kind of an option (RFC 7323, section 3.2)
constexpr uint8_t MAX_SCALE = 14;        //!< a window scale is no larger (RFC 7323, section 2.3)
constexpr std::size_t WORD = 4;          //!< a header is made of these, [B]
constexpr std::size_t CHECKSUM = 16;     //!< place of the checksum
constexpr std::size_t STAMPED = 32;      //!< header with time stamps alone, as ns-3 writes it, [B]
constexpr uint16_t STAMP_START = 0x080a; //!< kind and length of time stamps

/** @brief Check whether an option may be so long, [B]. */
bool
IsLength(uint8_t kind, std::size_t length)
{
    switch (kind)
    {
    case SEGMENT_SIZE:
        return length == 4;
    case WINDOW_SCALE:
        return length == 3;
    case SACK_PERMITTED:
        return length == 2;
    case SACK: // no block is useless, but 8 n + 2 as well
        return length % 8 == 2;
    case TIMES:
        return length == 10;
    default:
        return length >= 2;
    }
}

/**
 * @brief Walk over the options of a header.
 * @param options all bytes of the header behind its fixed part
 * @param visit called with each option that has a length, from its kind to its end
 * @return where they end; nothing if an option has an impossible length
 */
template <typename Byte, typename Visit>
std::optional<std::size_t>
WalkOptions(std::span<Byte> options, Visit visit)
{
    std::size_t at = 0;
    while (at < options.size() && options[at] != END)
    {
        if (options[at] == NO_OPERATION)
        {
            ++at;
            continue;
        }
        const std::size_t left = options.size() - at;
        const std::size_t length = left > 1 ? options[at + 1] : 0;
        if (length > left || !IsLength(options[at], length))
        {
            return std::nullopt;
        }
        visit(options.subspan(at, length));
        at += length;
    }
    return at;
}

/** @brief Add up a header as its checksum does (RFC 1071). */
uint32_t
Sum(std::span<const uint8_t> header)
{
    uint32_t sum = 0;
    for (std::size_t at = 0; at < header.size(); at += 2)
    {
        sum += ReadBigEndian<uint16_t>(header, at);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}

} // namespace

bool
TcpView::ReadOptions(std::span<const uint8_t> options, TcpView& view)
{
    const auto end = WalkOptions(options, [&view](std::span<const uint8_t> option) {
        if (option[0] == TIMES && !view.time)
        {
            view.time = ReadBigEndian<uint32_t>(option, 2);
            view.echo = ReadBigEndian<uint32_t>(option, 6);
        }
        else if (option[0] == WINDOW_SCALE && option[2] > MAX_SCALE)
        {
            view.isReadable = false;
        }
    });
    view.isReadable = view.isReadable && end && options.size() - *end <= WORD;
    return end.has_value();
}

std::optional<TcpView>
TcpView::Read(std::span<const uint8_t> bytes, uint32_t segmentBytes)
{
    const auto length = GetHeaderBytes(bytes);
    if (!length || *length > segmentBytes)
    {
        return std::nullopt;
    }
    const uint32_t headerBytes = *length;
    std::optional<TcpView> view(std::in_place);
    view->sourcePort = ReadBigEndian<uint16_t>(bytes, 0);
    view->destinationPort = ReadBigEndian<uint16_t>(bytes, 2);
    view->sequence = ReadBigEndian<uint32_t>(bytes, 4);
    view->ack = ReadBigEndian<uint32_t>(bytes, 8);
    view->flags = bytes[13];
    view->window = ReadBigEndian<uint16_t>(bytes, 14);
    view->headerBytes = headerBytes;
    view->dataBytes = segmentBytes - headerBytes;
    const bool isBare = headerBytes == MIN_BYTES;
    const bool isStamped = headerBytes == STAMPED &&
                           ReadBigEndian<uint16_t>(bytes, MIN_BYTES) == STAMP_START &&
                           ReadBigEndian<uint16_t>(bytes, STAMPED - 2) == 0;
    if (isStamped) // most headers: there is nothing to walk over
    {
        view->time = ReadBigEndian<uint32_t>(bytes, MIN_BYTES + 2);
        view->echo = ReadBigEndian<uint32_t>(bytes, MIN_BYTES + 6);
    }
    else if (!isBare && !ReadOptions(bytes.subspan(MIN_BYTES, headerBytes - MIN_BYTES), *view))
    {
        return std::nullopt;
    }
    view->isPlain =
        (isBare || isStamped) && view->flags == ACK && ReadBigEndian<uint16_t>(bytes, 18) == 0;
    return view;
}

std::optional<TcpView>
TcpView::Read(const Packet& segment)
{
    std::array<uint8_t, MAX_BYTES> bytes;
    // Most headers are no longer, and data are not copied.
    auto size = segment.CopyData(bytes.data(), STAMPED);
    if (size == STAMPED && bytes[12] / 16U * WORD > STAMPED)
    {
        size = segment.CopyData(bytes.data(), MAX_BYTES);
    }
    return Read(std::span(bytes).first(size), segment.GetSize());
}

void
TcpView::MakeReadable(std::span<uint8_t> bytes)
{
    const auto view = Read(bytes, static_cast<uint32_t>(bytes.size()));
    if (!view || view->isReadable)
    {
        return;
    }
    const auto header = bytes.first(view->headerBytes);
    const auto options = header.subspan(MIN_BYTES);
    const auto before = Sum(header);
    const auto end = WalkOptions(options, [](std::span<uint8_t> option) {
        if (option[0] == WINDOW_SCALE)
        {
            option[2] = std::min(option[2], MAX_SCALE);
        }
    });
    if (options.size() - *end > WORD)
    {
        std::ranges::fill(options.subspan(*end), NO_OPERATION);
    }
    // RFC 1624, equation 3
    uint32_t sum = (0xffffU ^ ReadBigEndian<uint16_t>(header, CHECKSUM)) + (0xffffU ^ before);
    sum += Sum(header);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    WriteBigEndian(header, CHECKSUM, static_cast<uint16_t>(0xffffU ^ sum));
}

void
TcpView::MakeReadable(Packet& segment)
{
    std::array<uint8_t, MAX_BYTES> bytes;
    segment.CopyData(bytes.data(), MAX_BYTES);
    MakeReadable(bytes);
    const uint32_t headerBytes = bytes[12] / 16U * WORD;
    const auto changed = Create<Packet>(bytes.data(), headerBytes);
    changed->AddAtEnd(segment.CreateFragment(headerBytes, segment.GetSize() - headerBytes));
    segment.RemoveAtStart(segment.GetSize()); // its packet tags stay
    segment.AddAtEnd(changed);
}

} // namespace ns3::lfn
