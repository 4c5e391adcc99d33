// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_PACKET_HEADER_H
#define UDT_PACKET_HEADER_H

#include "udt-header.h"

#include "ns3/address.h"
#include "ns3/header.h"

#include <array>
#include <ostream>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief A packet of UDT as a header of ns-3: 16 B before the payload of data, a whole control
 *        packet.
 */
class UdtPacketHeader : public Header
{
  public:
    /** @brief A header to be read: malformed until Deserialize(). */
    UdtPacketHeader() = default;

    /**
     * @brief A header to be written.
     * @param packet any but UdtMalformed
     */
    explicit UdtPacketHeader(UdtPacket packet);

    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;

    /**
     * @brief Read a packet.
     * @param start its first byte; a control packet ends with the buffer
     * @return its bytes; 0 when it is malformed
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /** @brief Get the packet. @return it */
    const UdtPacket& GetPacket() const;

  private:
    UdtPacket m_packet; //!< the packet
};

/**
 * @ingroup lfn-udt
 * @brief Get whom a packet is for.
 * @param packet the packet
 * @return socket ID; 0 in requests for a connection and of malformed packets
 */
uint32_t GetUdtDestination(const UdtPacket& packet);

/**
 * @ingroup lfn-udt
 * @brief Write an address as UDT4's handshakes have it: bytes reversed in each word.
 * @param address of IPv4 or IPv6, with a port
 * @return four words, zeros behind an address of IPv4
 */
std::array<uint32_t, 4> UdtAddressWords(const Address& address);

/**
 * @ingroup lfn-udt
 * @brief Hash an address and its port, for cookies.
 * @param address of IPv4 or IPv6, with a port
 * @return the hash
 */
uint32_t HashUdtAddress(const Address& address);

/**
 * @ingroup lfn-udt
 * @brief Print a packet's fields.
 * @param os the stream to print to
 * @param packet the packet
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, const UdtPacket& packet);

} // namespace ns3::lfn

#endif // UDT_PACKET_HEADER_H
