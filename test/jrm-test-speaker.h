// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_SPEAKER_H
#define JRM_TEST_SPEAKER_H

#include "jrm-test-network.h"

#include "ns3/jrm-sender-core.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-jrm
 * @brief The sending half of a participant on a bare socket, with a first MSN of one's choice.
 */
class JrmTestSpeaker
{
  public:
    /// A speaker that is not received yet; its host reports its number.
    JrmTestSpeaker(JrmTestNetwork& network, uint32_t host, uint32_t firstMessage)
        : m_network(network),
          m_host(host)
    {
        JrmSenderCore::Settings settings;
        settings.participant = host + 1;
        settings.packetSize = PACKET;
        settings.sendTimeout = Seconds(1000);
        settings.firstMessage = firstMessage;
        m_core.Start(settings);
    }

    /** @brief Take the session's port; the simulation runs. */
    void Start()
    {
        m_socket = Socket::CreateSocket(m_network.hosts.Get(m_host), UdpSocketFactory::GetTypeId());
        m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), JRM_PORT));
        m_socket->SetRecvCallback(MakeCallback(&JrmTestSpeaker::Answer, this));
    }

    /** @brief Fall silent. */
    void Stop()
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
        m_socket = nullptr;
    }

    /// Send a message of a given size.
    void Send(uint32_t bytes)
    {
        const auto id = m_core.Send(m_network.groups[0].Get(), bytes, Simulator::Now());
        m_network.sent[*id] = bytes;
        for (uint32_t packet = 1; packet <= m_core.CountPackets(bytes); ++packet)
        {
            SendTo(
                JrmTestNetwork::MakeData(JrmType::MSG, *id, static_cast<uint16_t>(packet), bytes));
        }
    }

    /// Send any datagram to the group.
    void SendTo(Ptr<Packet> datagram)
    {
        m_socket->SendTo(datagram, 0, InetSocketAddress(m_network.groups[0], JRM_PORT));
    }

  private:
    /// Answer NACK requests.
    void Answer(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            JrmHeader header;
            if (packet->RemoveHeader(header) == 0 || header.type != JrmType::NACK_REQ)
            {
                continue;
            }
            const auto asked = JrmNackList::Read(ToBytes(packet)).value_or(std::vector<uint16_t>());
            m_core.OnNack(header.id, asked, header.flags != 0, Simulator::Now());
            while (const auto response = m_core.NextResponse())
            {
                SendTo(JrmTestNetwork::MakeData(JrmType::NACK_RESP,
                                                response->id,
                                                response->packet,
                                                response->length));
            }
        }
    }

    JrmTestNetwork& m_network; //!< where
    uint32_t m_host;           //!< its host
    JrmSenderCore m_core;      //!< its numbers, and what it keeps
    Ptr<Socket> m_socket;      //!< its socket, while it is received
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_SPEAKER_H
