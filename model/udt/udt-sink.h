// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_SINK_H
#define UDT_SINK_H

#include "udt-connection.h"
#include "udt-message-buffer.h"
#include "udt-packet-header.h"
#include "udt-port.h"
#include "udt-receive-buffer.h"
#include "udt-receiver-core.h"
#include "udt-rendezvous.h"
#include "udt-rules.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Receives streams of bytes over UDT, from one or several UdtSource.
 *
 * A connection is there once the source has returned the cookie of its address. Only packets from
 * that address with the connection's socket ID count; others are dropped. It ends when the source
 * closes it or is silent for too long. The report sums over all connections.
 */
class UdtSink : public TransferApplication
{
  public:
    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    UdtSink();
    int64_t AssignStreams(int64_t stream) override;

    /** @brief Sum up what happened on all connections. @return the counters */
    UdtReceiverCore::Counters GetCounters() const;

    /** @brief Count the open connections. @return how many */
    std::size_t GetConnections() const;

    /**
     * @brief Count what has arrived and was not delivered: it is behind a gap, or not yet
     *        acknowledged.
     * @return user bytes of open and of closed connections, B
     */
    uint64_t GetUndelivered() const;

    /**
     * @brief Signature of the trace source Delivered.
     * @param id the connection's socket ID
     * @param offset place of the first byte in its stream, B
     * @param bytes how many
     */
    typedef void (*DeliveredTracedCallback)(uint32_t id, uint64_t offset, uint64_t bytes);

    /**
     * @brief Signature of the trace source Message.
     * @param id the connection's socket ID
     * @param number the message number, from 1
     * @param bytes its user bytes
     */
    typedef void (*MessageTracedCallback)(uint32_t id, uint32_t number, uint64_t bytes);

    /**
     * @brief Signature of the trace source Control.
     * @param packet a control packet
     * @param isSent whether it is sent; otherwise it has arrived
     */
    typedef void (*ControlTracedCallback)(const UdtPacket& packet, bool isSent);

  private:
    /** @brief A connection. */
    struct Connection
    {
        Address peer;                                  //!< the source
        UdtHandshake request;                          //!< what it asked for
        uint32_t id{0};                                //!< own socket ID
        uint32_t payloadSize{0};                       //!< user bytes of a full packet, B
        UdtReceiverCore core;                          //!< the engine
        UdtReceiveBuffer buffer;                       //!< what the application cannot read yet
        UdtMessageBuffer messages;                     //!< the same of messages
        std::map<int64_t, Ptr<const Packet>> contents; //!< of these, to be checked
        uint64_t delivered{0};                         //!< user bytes that it has read
        EventId checkEvent;                            //!< timers of the core, never late
        Time checkTime;                                //!< when that is
    };

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Get the settings of a connection's core, all rules set. @return them */
    UdtSettings GetSettings() const;

    /** @brief Open the ports to listen on. @return what is wrong; empty when all is well */
    std::string OpenPorts();

    /**
     * @brief Find the port of an address family.
     * @param peer an address of the family
     * @return the port; null when there is none
     */
    Ptr<UdtPort> FindPort(const Address& peer) const;

    /**
     * @brief Hand a packet that has arrived to the host.
     * @param packet the datagram
     * @param from where it came from
     */
    void OnArrival(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Get what a packet takes of the host.
     * @param packet the datagram
     * @return reading, and moving of user bytes
     */
    HostWork GetWork(Ptr<const Packet> packet);

    /**
     * @brief Take a packet that the host has read.
     * @param packet the datagram
     * @param from where it came from
     */
    void OnDatagram(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Take a request.
     * @param packet the datagram
     * @param from where it came from
     * @param request what it asks for
     */
    void OnRequest(Ptr<const Packet> packet, const Address& from, const UdtHandshake& request);

    /**
     * @brief Begin the rendezvous with Peer.
     * @param own what this end offers
     */
    void Meet(UdtHandshake own);

    /** @brief Send the request of the rendezvous that is due, and wait for the next one. */
    void SendRequest();

    /**
     * @brief Take a packet of the source that connects as well.
     * @param from the source
     * @param request the packet
     * @return whether it was waited for
     */
    bool OnRendezvous(const Address& from, const UdtHandshake& request);

    /**
     * @brief Find the connection of a request, or make it.
     * @param from the source
     * @param request what it asks for
     * @param mss that was agreed on, B
     * @return the connection; null when there are too many
     */
    Connection* Accept(const Address& from, const UdtHandshake& request, uint32_t mss);

    /**
     * @brief Take a data packet of a connection.
     * @param connection the connection
     * @param packet its payload
     * @param header its header
     */
    void OnData(Connection& connection, Ptr<Packet> packet, const UdtData& header);

    /**
     * @brief Deliver what can be read, send what the core has to, set the timer.
     * @param connection the connection
     */
    void Settle(Connection& connection);

    /**
     * @brief Deliver what can be read.
     * @param connection the connection
     * @return false when the content is wrong, and the transfer has failed
     */
    bool Deliver(Connection& connection);

    /**
     * @brief Deliver the messages that can be delivered.
     * @param connection the connection
     * @return false when the content is wrong, and the transfer has failed
     */
    bool DeliverMessages(Connection& connection);

    /**
     * @brief Check the content of a message, and forget it.
     * @param connection the connection
     * @param message the message
     * @return whether it is what was sent
     */
    bool CheckMessage(Connection& connection, const UdtMessageBuffer::Message& message);

    /**
     * @brief Report that user bytes are delivered.
     * @param connection the connection
     * @param bytes how many
     */
    void ReportDelivery(Connection& connection, uint64_t bytes);

    /**
     * @brief Count what has arrived and was not delivered.
     * @param connection the connection
     * @return user bytes, B
     */
    static uint64_t CountUndelivered(const Connection& connection);

    /**
     * @brief Look at the timers of a connection.
     * @param id its socket ID
     */
    void OnCheck(uint32_t id);

    /**
     * @brief Forget a connection.
     * @param connection the connection, gone afterwards
     */
    void Close(Connection& connection);

    /**
     * @brief Send a control packet.
     * @param packet the packet
     * @param to where
     */
    void SendControl(const UdtPacket& packet, const Address& to);

    Address m_local;                      //!< attribute Local
    Address m_peer;                       //!< attribute Peer
    uint16_t m_port{0};                   //!< attribute Port
    uint32_t m_mss{0};                    //!< attribute Mss, B
    uint32_t m_flightFlag{0};             //!< attribute FlightFlag, packets
    uint32_t m_maxConnections{0};         //!< attribute MaxConnections
    bool m_checkContent{false};           //!< attribute CheckContent
    bool m_messages{false};               //!< attribute Messages
    UdtRules m_rules;                     //!< attribute Variant, rules set alone
    UdtReceiverCore::Settings m_settings; //!< of the cores

    Ptr<UniformRandomVariable> m_random;       //!< key of the cookies, socket IDs
    std::vector<Ptr<UdtPort>> m_ports;         //!< one, or one per address family
    std::optional<UdtListener> m_listener;     //!< connection set-up
    std::optional<UdtRendezvous> m_rendezvous; //!< the same, where both ends connect
    EventId m_requestEvent;                    //!< its next request
    uint32_t m_nextId{0};                      //!< socket ID of the next connection
    std::map<uint32_t, std::unique_ptr<Connection>> m_connections; //!< by own socket ID
    UdtReceiverCore::Counters m_closed; //!< what happened on closed connections
    uint64_t m_abandoned{0};            //!< undelivered bytes of these

    TracedCallback<uint32_t, uint64_t, uint64_t> m_deliveredTrace; //!< bytes are delivered
    TracedCallback<uint32_t, uint32_t, uint64_t> m_messageTrace;   //!< messages are delivered
    TracedCallback<const UdtPacket&, bool> m_controlTrace;         //!< control packets
};

} // namespace ns3::lfn

#endif // UDT_SINK_H
