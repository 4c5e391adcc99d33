// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_NETWORK_H
#define ATOU_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/atou-header.h"
#include "ns3/atou-helper.h"

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-atou
 * @brief A client and a server, with 10 ms between them unless configured otherwise.
 */
class AtouTestNetwork : public TestNetwork
{
  public:
    static constexpr uint16_t PORT = 7890;        //!< the server's
    static constexpr uint16_t CLIENT_PORT = 4000; //!< the client's

    AtouHelper helper;      //!< makes both ends; content is checked
    Ptr<AtouClient> client; //!< after Install()
    Ptr<AtouServer> server; //!< after Install()

    /// A network.
    explicit AtouTestNetwork(const TestLink& link = {.delay = MilliSeconds(10)})
        : TestNetwork(link)
    {
        CheckContent(true);
    }

    /// Whether both ends that are installed from now on check the content of their data.
    void CheckContent(bool isChecked)
    {
        helper.SetSourceAttribute("CheckContent", BooleanValue(isChecked));
        helper.SetSinkAttribute("CheckContent", BooleanValue(isChecked));
    }

    /// Install both ends with options in atou's own words; the server sends SACK blocks if asked.
    void Install(const std::string& words, bool sack = false)
    {
        helper.ReadOptions(words);
        helper.SetSinkAttribute("Sack", BooleanValue(sack));
        helper.SetSourceAttribute("LocalPort", UintegerValue(CLIENT_PORT));
        server = helper.AddSink(nodes.Get(1));
        client = helper.AddSource(nodes.Get(0), addresses[1]);
        server->SetStartTime(GetStart());
        client->SetStartTime(GetStart());
    }

    /// What is wrong with the transfer, which should have completed; empty when nothing is.
    std::string Verify() const
    {
        return Verify(client, server);
    }

    /// What is wrong with a transfer, which should have completed; empty when nothing is.
    static std::string Verify(Ptr<AtouClient> client, Ptr<AtouServer> server)
    {
        const auto& sent = client->GetReport();
        const auto& received = server->GetReport();
        const bool isWhole = sent.deliveredBytes == sent.offeredBytes && sent.offeredBytes > 0 &&
                             received.deliveredBytes == sent.offeredBytes;
        if (sent.completed && sent.failure.empty() && received.failure.empty() && isWhole)
        {
            return "";
        }
        return "client '" + sent.failure + "' at " + std::to_string(sent.finish.GetSeconds()) +
               " s with " + std::to_string(sent.deliveredBytes) + " of " +
               std::to_string(sent.offeredBytes) + " B; server '" + received.failure + "' with " +
               std::to_string(received.deliveredBytes) + " B";
    }

    /// Get the UDP payload of a packet that is no fragment but the first; empty for none.
    static Bytes GetPayload(Ptr<const Packet> packet)
    {
        UdpHeader udp;
        const auto payload = OpenDatagram(packet, udp);
        return payload ? ToBytes(payload) : Bytes();
    }

    /// Get the segment number of a data packet, or the next segment of an ACK; 0 for none.
    uint32_t GetNumber(Ptr<const Packet> packet) const
    {
        const auto bytes = GetPayload(packet);
        uint32_t number = 0;
        for (std::size_t i = 8; i < 12 && bytes.size() >= 12; ++i)
        {
            number = (number << 8U) + bytes[i];
        }
        return number;
    }

    /// Put a datagram on the wire (IPv4): it arrives now, but after this event.
    void Inject(int direction, const InetSocketAddress& from, const Bytes& message) const
    {
        Arrive(GetDevice(direction), MakeDatagram(from, GetEnd(1 - direction), ToPacket(message)));
    }

    /// Get the address of the end that sends in a direction (IPv4).
    InetSocketAddress GetEnd(int direction) const
    {
        return {Ipv4Address::ConvertFrom(addresses.at(static_cast<std::size_t>(direction))),
                direction == 0 ? CLIENT_PORT : PORT};
    }
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_NETWORK_H
