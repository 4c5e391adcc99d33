// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_SOURCE_H
#define UDT_SOURCE_H

#include "udt-connection.h"
#include "udt-native-control.h"
#include "udt-packet-header.h"
#include "udt-port.h"
#include "udt-rendezvous.h"
#include "udt-rules.h"
#include "udt-sender-core.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Sends a stream of bytes over UDT to a UdtSink.
 *
 * Completes when everything is acknowledged, and then closes the connection. Fails when there is no
 * answer to its requests, when the sink is silent for too long or closes the connection. Only
 * packets from the sink's address with this connection's socket ID count; others are dropped.
 */
class UdtSource : public TransferApplication
{
  public:
    /** @brief Which congestion control is used. */
    enum class Congestion : uint8_t
    {
        NATIVE, //!< UdtNativeControl
        BLAST   //!< UdtBlastControl, at BlastRate
    };

    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    UdtSource();
    bool Offer(uint64_t bytes) override;
    void Finish() override;
    Window GetWindow() const override;
    int64_t AssignStreams(int64_t stream) override;

    /** @brief Get the engine. @return the core, with its counters */
    const UdtSenderCore& GetCore() const;

    /** @brief Get what the connection set-up agreed on. @return user bytes of a full packet, B */
    uint32_t GetPayloadSize() const;

    /** @brief Get the sending period. @return time between two packets; 0 before the connection */
    Time GetPeriod() const;

    /** @brief Count the bytes of control packets sent, behind their headers. @return bytes */
    uint64_t GetControlBytes() const;

    /** @brief Get when the connection was there. @return the time; nothing before that */
    std::optional<Time> GetConnected() const;

    /**
     * @brief Signature of the trace source Control.
     * @param packet a control packet
     * @param isSent whether it is sent; otherwise it has arrived
     */
    typedef void (*ControlTracedCallback)(const UdtPacket& packet, bool isSent);

  private:
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Get the settings of core and congestion control, all rules set. @return them */
    UdtSettings GetSettings() const;

    /**
     * @brief Check that packets fit the link.
     * @return what is wrong and the remedy; empty when all is well
     */
    std::string CheckMtu() const;

    /** @brief Send the request that is due, and wait for the next one. */
    void SendRequest();

    /** @brief Open the local port and choose a socket ID. @return whether that worked */
    bool OpenPort();

    /**
     * @brief Take a packet.
     * @param packet the datagram
     * @param from where it came from
     */
    void OnDatagram(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Take a packet during connection set-up.
     * @param handshake the packet
     * @return whether it was waited for
     */
    bool OnHandshake(const UdtHandshake& handshake);

    /**
     * @brief Take a packet of the sink that connects as well.
     * @param handshake the packet
     * @return whether it was waited for
     */
    bool OnRendezvous(const UdtHandshake& handshake);

    /**
     * @brief The connection stands: start the core.
     * @param answer what both ends have agreed on, with the initial number of this one
     */
    void OnConnected(const UdtHandshake& answer);

    /** @brief Make the congestion control that Congestion names. @return it */
    std::unique_ptr<UdtCongestion> MakeControl();

    /** @brief Look at the timers of the core. */
    void OnCheck();

    /** @brief Send the control packets of the core. */
    void SendReplies();

    /** @brief Do what the core requests after a packet or a timer. */
    void Settle();

    /** @brief Wait for the next departure. */
    void ScheduleDeparture();

    /** @brief Send what is due. */
    void OnDeparture();

    /** @brief The disk has read a packet: send it. */
    void OnHostReady();

    /**
     * @brief Send a data packet.
     * @param departure the packet
     */
    void SendData(const UdtSenderCore::Departure& departure);

    /**
     * @brief Send a control packet.
     * @param packet the packet
     */
    void SendControl(const UdtPacket& packet);

    Address m_remote;                            //!< attribute Remote
    uint16_t m_localPort{0};                     //!< attribute LocalPort
    bool m_meets{false};                         //!< attribute Rendezvous
    uint64_t m_bytes{0};                         //!< attribute Bytes
    bool m_checkContent{false};                  //!< attribute CheckContent
    bool m_messages{false};                      //!< attribute Messages
    bool m_allowFragmentation{false};            //!< attribute AllowFragmentation
    Time m_syn;                                  //!< attribute Syn
    Congestion m_congestion{Congestion::NATIVE}; //!< attribute Congestion
    DataRate m_blastRate;                        //!< attribute BlastRate
    UdtRules m_rules;                            //!< attribute Variant, rules set alone
    UdtSenderCore::Settings m_settings;          //!< of the core
    UdtNativeControl::Settings m_native;         //!< of the congestion control
    UdtConnector::Settings m_setUp;              //!< of the connection set-up

    Ptr<UniformRandomVariable> m_initial; //!< initial sequence numbers
    Ptr<UniformRandomVariable> m_random;  //!< socket IDs, DecRandomSource

    Ptr<UdtPort> m_port;                            //!< to and from the sink
    Time m_opened;                                  //!< when it was opened
    uint32_t m_id{0};                               //!< own socket ID
    uint32_t m_initialSequence{0};                  //!< of the first data packet
    std::optional<UdtConnector> m_connector;        //!< connection set-up
    std::optional<UdtRendezvous> m_rendezvous;      //!< the same, where both ends connect
    uint32_t m_peerId{0};                           //!< the sink's socket ID
    std::optional<Time> m_connected;                //!< when the connection was there
    bool m_isOpenConnection{false};                 //!< it has not been closed
    uint64_t m_controlBytes{0};                     //!< sent behind headers
    UdtSenderCore m_core;                           //!< the engine
    HostSendGate m_gate;                            //!< the sending host
    std::optional<UdtSenderCore::Departure> m_held; //!< packet that the disk still reads
    Time m_hostFree;                                //!< when the host has done the packet before
    EventId m_requestEvent;                         //!< next request
    EventId m_departureEvent;                       //!< next departure
    Time m_departureTime;                           //!< when that is
    EventId m_checkEvent;                           //!< timers of the core, never late
    Time m_checkTime;                               //!< when that is
    TracedValue<double> m_window;                   //!< trace source CongestionWindow, packets
    TracedValue<double> m_period;                   //!< trace source SendingPeriod, us
    TracedCallback<const UdtPacket&, bool> m_controlTrace; //!< control packets
};

} // namespace ns3::lfn

#endif // UDT_SOURCE_H
