// SPDX-License-Identifier: GPL-2.0-only
#include "udt-header.h"

#include "udt-sequence.h"

#include <type_traits>

namespace ns3::lfn
{

namespace
{

constexpr uint32_t TOP_BIT = 1U << 31;
constexpr uint32_t MESSAGE_MASK = (1U << 29) - 1;
constexpr std::size_t WORD = 4;
constexpr std::size_t HEADER_WORDS = UDT_HEADER_SIZE / WORD;

/**
 * @brief Write words, big-endian.
 * @param words the words
 * @param to where to, four bytes per word
 */
void
WriteWords(std::span<const uint32_t> words, uint8_t* to)
{
    for (const uint32_t word : words)
    {
        for (const int shift : {24, 16, 8, 0})
        {
            *to++ = static_cast<uint8_t>(word >> shift);
        }
    }
}

/**
 * @brief Read a word.
 * @param bytes where from
 * @param index number of the word
 * @return the word
 */
uint32_t
ReadWord(std::span<const uint8_t> bytes, std::size_t index)
{
    uint32_t word = 0;
    for (const uint8_t byte : bytes.subspan(index * WORD, WORD))
    {
        word = word << 8 | byte;
    }
    return word;
}

/**
 * @brief Write a control packet, with the time stamp 0 as UDT4 does.
 * @param type its type
 * @param info additional information
 * @param destination socket ID of the peer
 * @param body its body
 * @return its bytes
 */
std::vector<uint8_t>
WriteControl(UdtType type, uint32_t info, uint32_t destination, const std::vector<uint32_t>& body)
{
    std::vector<uint32_t> words{TOP_BIT | static_cast<uint32_t>(type) << 16, info, 0, destination};
    words.insert(words.end(), body.begin(), body.end());
    std::vector<uint8_t> bytes(words.size() * WORD);
    WriteWords(words, bytes.data());
    return bytes;
}

/**
 * @brief Read the header of a data packet.
 * @param bytes at least a header
 * @return the header
 */
UdtData
ReadData(std::span<const uint8_t> bytes)
{
    const uint32_t second = ReadWord(bytes, 1);
    UdtData data;
    data.sequence = ReadWord(bytes, 0);
    data.isFirst = (second & TOP_BIT) != 0;
    data.isLast = (second & TOP_BIT >> 1) != 0;
    data.isInOrder = (second & TOP_BIT >> 2) != 0;
    data.message = second & MESSAGE_MASK;
    data.timestamp = ReadWord(bytes, 2);
    data.destination = ReadWord(bytes, 3);
    return data;
}

/**
 * @brief Read a handshake.
 * @param bytes header and body
 * @return the handshake, or what is wrong
 */
UdtPacket
ReadHandshake(std::span<const uint8_t> bytes)
{
    constexpr std::size_t SIZE = 64;
    if (bytes.size() != SIZE)
    {
        return UdtMalformed{"a handshake has a body of 48 B"};
    }
    const auto body = bytes.subspan(UDT_HEADER_SIZE);
    UdtHandshake handshake;
    handshake.version = ReadWord(body, 0);
    handshake.socketType = ReadWord(body, 1);
    handshake.initialSequence = ReadWord(body, 2);
    handshake.mss = ReadWord(body, 3);
    handshake.window = ReadWord(body, 4);
    handshake.request = static_cast<int32_t>(ReadWord(body, 5));
    handshake.socketId = ReadWord(body, 6);
    handshake.cookie = ReadWord(body, 7);
    for (std::size_t i = 0; i < handshake.address.size(); ++i)
    {
        handshake.address[i] = ReadWord(body, 8 + i);
    }
    handshake.destination = ReadWord(bytes, 3);
    if (handshake.initialSequence >= UDT_SEQUENCES)
    {
        return UdtMalformed{"an initial sequence number has 31 bits"};
    }
    return handshake;
}

/**
 * @brief Read an acknowledgement.
 * @param bytes header and body
 * @return the acknowledgement, or what is wrong
 */
UdtPacket
ReadAck(std::span<const uint8_t> bytes)
{
    const auto body = bytes.subspan(UDT_HEADER_SIZE);
    const auto words = body.size() / WORD;
    if (words != 1 && words != 4 && words != 6)
    {
        return UdtMalformed{"an acknowledgement has a body of 4, 16 or 24 B"};
    }
    UdtAck ack;
    ack.number = ReadWord(bytes, 1);
    ack.next = ReadWord(body, 0);
    ack.destination = ReadWord(bytes, 3);
    if (ack.next >= UDT_SEQUENCES || ack.number >= UDT_SEQUENCES)
    {
        return UdtMalformed{"a sequence number and an ACK number have 31 bits"};
    }
    if (words > 1)
    {
        ack.path = UdtAck::Path{ReadWord(body, 1), ReadWord(body, 2), ReadWord(body, 3)};
    }
    if (words > 4)
    {
        ack.rates = UdtAck::Rates{ReadWord(body, 4), ReadWord(body, 5)};
    }
    return ack;
}

/**
 * @brief Read a loss list.
 * @param bytes header and body
 * @return the report, or what is wrong
 */
UdtPacket
ReadNak(std::span<const uint8_t> bytes)
{
    const auto body = bytes.subspan(UDT_HEADER_SIZE);
    const auto words = body.size() / WORD;
    UdtNak nak;
    nak.destination = ReadWord(bytes, 3);
    for (std::size_t i = 0; i < words; ++i)
    {
        const uint32_t word = ReadWord(body, i);
        const bool isRun = (word & TOP_BIT) != 0;
        if (isRun && i + 1 == words)
        {
            return UdtMalformed{"a run in the loss list has no end"};
        }
        UdtRange range{word & ~TOP_BIT, word};
        if (isRun)
        {
            range.last = ReadWord(body, ++i);
        }
        if (range.last >= UDT_SEQUENCES)
        {
            return UdtMalformed{"the end of a run has the top bit set"};
        }
        if (UdtDistance(range.first, range.last) < 0)
        {
            return UdtMalformed{"a run in the loss list ends before it starts"};
        }
        nak.lost.push_back(range);
    }
    if (nak.lost.empty())
    {
        return UdtMalformed{"the loss list is empty"};
    }
    return nak;
}

/**
 * @brief Read a message drop.
 * @param bytes header and body
 * @return the packet, or what is wrong
 */
UdtPacket
ReadDrop(std::span<const uint8_t> bytes)
{
    const auto body = bytes.subspan(UDT_HEADER_SIZE);
    if (body.size() != 2 * WORD)
    {
        return UdtMalformed{"a message drop has a body of 8 B"};
    }
    UdtDrop drop;
    drop.message = ReadWord(bytes, 1);
    drop.range = {ReadWord(body, 0), ReadWord(body, 1)};
    drop.destination = ReadWord(bytes, 3);
    if (drop.message > MESSAGE_MASK || drop.range.first >= UDT_SEQUENCES ||
        drop.range.last >= UDT_SEQUENCES)
    {
        return UdtMalformed{"a message number has 29 bits, a sequence number 31"};
    }
    if (UdtDistance(drop.range.first, drop.range.last) < 0)
    {
        return UdtMalformed{"a dropped message ends before it starts"};
    }
    return drop;
}

/**
 * @brief Read a control packet of another type.
 * @param bytes header and body
 * @param type its type
 * @return the packet, or what is wrong
 */
UdtPacket
ReadSignal(std::span<const uint8_t> bytes, UdtType type)
{
    switch (type)
    {
    case UdtType::KEEP_ALIVE:
    case UdtType::DELAY_WARNING:
    case UdtType::SHUTDOWN:
    case UdtType::ACK2:
    case UdtType::ERROR:
    case UdtType::USER:
        return UdtSignal{type, ReadWord(bytes, 1), ReadWord(bytes, 3)};
    default:
        return UdtMalformed{"the type of the control packet is unknown"};
    }
}

} // namespace

std::array<uint8_t, UDT_HEADER_SIZE>
UdtData::Write() const
{
    const std::array<uint32_t, HEADER_WORDS> words{
        sequence % UDT_SEQUENCES,
        (isFirst ? TOP_BIT : 0) | (isLast ? TOP_BIT >> 1 : 0) | (isInOrder ? TOP_BIT >> 2 : 0) |
            (message & MESSAGE_MASK),
        timestamp,
        destination};
    std::array<uint8_t, UDT_HEADER_SIZE> bytes{};
    WriteWords(words, bytes.data());
    return bytes;
}

std::vector<uint8_t>
UdtHandshake::Write() const
{
    std::vector<uint32_t> body{version,
                               socketType,
                               initialSequence,
                               mss,
                               window,
                               static_cast<uint32_t>(request),
                               socketId,
                               cookie};
    body.insert(body.end(), address.begin(), address.end());
    return WriteControl(UdtType::HANDSHAKE, 0, destination, body);
}

std::vector<uint8_t>
UdtAck::Write() const
{
    std::vector<uint32_t> body{next};
    if (path)
    {
        body.insert(body.end(), {path->rttUs, path->rttVarUs, path->buffer});
    }
    if (path && rates)
    {
        body.insert(body.end(), {rates->arrival, rates->capacity});
    }
    return WriteControl(UdtType::ACK, number, destination, body);
}

std::vector<uint8_t>
UdtNak::Write() const
{
    std::vector<uint32_t> body;
    for (const auto& range : lost)
    {
        if (range.first == range.last)
        {
            body.push_back(range.first);
        }
        else
        {
            body.insert(body.end(), {TOP_BIT | range.first, range.last});
        }
    }
    return WriteControl(UdtType::NAK, 0, destination, body);
}

std::vector<uint8_t>
UdtDrop::Write() const
{
    return WriteControl(UdtType::MESSAGE_DROP, message, destination, {range.first, range.last});
}

std::vector<uint8_t>
UdtSignal::Write() const
{
    return WriteControl(type, info, destination, {0});
}

UdtPacket
ReadUdtPacket(std::span<const uint8_t> bytes)
{
    if (bytes.size() < UDT_HEADER_SIZE)
    {
        return UdtMalformed{"a packet has at least 16 B"};
    }
    const uint32_t first = ReadWord(bytes, 0);
    if ((first & TOP_BIT) == 0)
    {
        return ReadData(bytes);
    }
    if (bytes.size() % WORD != 0)
    {
        return UdtMalformed{"the length of a control packet is a multiple of 4 B"};
    }
    const auto type = static_cast<UdtType>(first >> 16 & 0x7fff);
    switch (type)
    {
    case UdtType::HANDSHAKE:
        return ReadHandshake(bytes);
    case UdtType::ACK:
        return ReadAck(bytes);
    case UdtType::NAK:
        return ReadNak(bytes);
    case UdtType::MESSAGE_DROP:
        return ReadDrop(bytes);
    default:
        return ReadSignal(bytes, type);
    }
}

std::vector<uint8_t>
WriteUdtControl(const UdtPacket& packet)
{
    return std::visit(
        [](const auto& kind) -> std::vector<uint8_t> {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<Kind, UdtMalformed> || std::is_same_v<Kind, UdtData>)
            {
                return {};
            }
            else
            {
                return kind.Write();
            }
        },
        packet);
}

} // namespace ns3::lfn
