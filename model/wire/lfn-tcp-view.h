// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_VIEW_H
#define LFN_TCP_VIEW_H

#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <span>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The header of a TCP segment (RFC 9293, section 3.1), read from its bytes.
 *
 * Any bytes are read or refused. A header is refused if it is cut, or if an option of it has an
 * impossible length. Of an option that is there twice the first one counts, as with ns-3.
 */
struct TcpView
{
    static constexpr uint8_t FIN = 0x01;      //!< a flag
    static constexpr uint8_t SYN = 0x02;      //!< a flag
    static constexpr uint8_t RST = 0x04;      //!< a flag
    static constexpr uint8_t ACK = 0x10;      //!< a flag
    static constexpr uint32_t MIN_BYTES = 20; //!< of a header, [B]
    static constexpr uint32_t MAX_BYTES = 60; //!< of a header with options, [B]

    uint16_t sourcePort{0};         //!< source port
    uint16_t destinationPort{0};    //!< destination port
    uint32_t sequence{0};           //!< sequence number
    uint32_t ack{0};                //!< acknowledgement number
    uint8_t flags{0};               //!< flags
    uint16_t window{0};             //!< window, not scaled
    uint32_t headerBytes{0};        //!< length of the header, [B]
    uint32_t dataBytes{0};          //!< length of what follows, [B]
    std::optional<uint32_t> time{}; //!< time stamp (TSval; RFC 7323), [ms]
    std::optional<uint32_t> echo{}; //!< echoed time stamp (TSecr), [ms]
    bool isPlain{false};            //!< the flag ACK alone, and no option but a time stamp
    bool isReadable{true};          //!< ns-3's TcpHeader reads it rightly

    /**
     * @brief Get the length of a header with any options.
     * @param bytes the first bytes of a segment
     * @return its length, [B]; nothing if it is cut or impossible
     */
    static std::optional<uint32_t> GetHeaderBytes(std::span<const uint8_t> bytes)
    {
        const uint32_t headerBytes = bytes.size() < MIN_BYTES ? 0 : bytes[12] / 16U * 4;
        const bool isWhole = headerBytes >= MIN_BYTES && headerBytes <= bytes.size();
        return isWhole ? std::optional(headerBytes) : std::nullopt;
    }

    /**
     * @brief Read a header.
     * @param bytes the segment, its first MAX_BYTES at least, if it is as long
     * @param segmentBytes its length, [B]
     * @return what it says; nothing if it is refused
     */
    static std::optional<TcpView> Read(std::span<const uint8_t> bytes, uint32_t segmentBytes);

    /**
     * @brief Read the header of a segment.
     * @param segment begins with it
     * @return what it says; nothing if it is refused
     */
    static std::optional<TcpView> Read(const Packet& segment);

    /**
     * @brief Make a header readable by ns-3's TcpHeader; it says the same.
     *
     * ns-3 ends the program for a window scale above 14, which counts as 14 (RFC 7323, 2.3), and
     * takes padding of more than a word for data. The checksum stays as right or wrong as it was.
     * Any other header stays as it is, and so does one that is refused.
     * @param bytes a segment
     */
    static void MakeReadable(std::span<uint8_t> bytes);

    /**
     * @brief Make the header of a segment readable by ns-3's TcpHeader.
     * @param segment begins with a header that is not refused
     */
    static void MakeReadable(Packet& segment);

  private:
    /// Read the options of a header; false if one is impossible.
    static bool ReadOptions(std::span<const uint8_t> options, TcpView& view);
};

} // namespace ns3::lfn

#endif // LFN_TCP_VIEW_H
