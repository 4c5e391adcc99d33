// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_SENDER_H
#define RBUDP_SENDER_H

#include "rbudp-control-channel.h"
#include "rbudp-ideal-control.h"
#include "rbudp-message.h"
#include "rbudp-sender-core.h"
#include "rbudp-tcp-control.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/socket.h"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief What became of one payload.
 */
struct RbudpPayloadReport
{
    uint64_t index{0};              //!< number of the payload on this connection, from 0
    uint64_t bytes{0};              //!< its size, S_total
    Time start;                     //!< when its announcement and first datagram left
    Time finish;                    //!< when the full bitmap was there
    RbudpSenderCore::Counters work; //!< what it took
};

/**
 * @ingroup lfn-rbudp
 * @brief The sending application of RBUDP (section 4): waits for its receiver, then blasts.
 *
 * A payload of Bytes is sent as soon as a receiver has connected; or the user hands over payloads
 * with SendPayload() and ends with Finish(). The control connection persists over all of
 * them. The transfer fails, with a reason, when the receiver goes away or stays silent for
 * ControlTimeout, when blasts bring no progress, and when the datagrams do not fit the path's
 * first link.
 */
class RbudpSender : public TransferApplication
{
  public:
    /**
     * @brief Makes the content of a datagram.
     *
     * Called with the offset in everything sent on the connection, B, and the number of bytes; it
     * returns a packet of just that size, each time the same.
     */
    using PayloadSource = Callback<Ptr<Packet>, uint64_t, uint32_t>;

    /** @return the object TypeId */
    static TypeId GetTypeId();

    RbudpSender();

    /**
     * @brief Send a payload, after those handed over before.
     * @param bytes its size, above 0
     * @return false when the transfer has ended or is about to, or the size is out of range
     */
    bool SendPayload(uint64_t bytes);

    /** @brief SendPayload() under the name that all senders have. */
    bool Offer(uint64_t bytes) override;

    /** @brief Close the connection when everything handed over has been delivered. */
    void Finish() override;

    /**
     * @brief Say what the datagrams carry; by default zeros that cost no memory.
     * @param source makes their content
     */
    void SetPayloadSource(PayloadSource source);

    /**
     * @brief Count the payloads that wait or are in work.
     * @return payloads handed over and not yet acknowledged
     */
    std::size_t GetBacklog() const;

    /**
     * @brief What all payloads took together.
     * @return sums over the payloads, the one in work included
     */
    RbudpSenderCore::Counters GetTotals() const;

    /** @brief Count control bytes, both directions, message bytes without headers. @return bytes */
    uint64_t GetControlBytes() const;

    /**
     * @brief Signature of the trace source PayloadCompleted.
     * @param report what became of the payload
     */
    typedef void (*PayloadTracedCallback)(const RbudpPayloadReport& report);

  protected:
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;
    void DoDispose() override;

  private:
    /** @brief The control connection over TCP. @return it; null with IdealControl */
    Ptr<RbudpTcpControl> GetTcpControl() const;

    /** @brief Await the receiver. */
    void OpenControl();

    /**
     * @brief The control connection stands.
     * @param peer the receiver; the datagrams go there unless Remote is set
     */
    void OnConnected(const Address& peer);

    /**
     * @brief Take control bytes.
     * @param bytes what arrived
     */
    void OnControl(std::span<const uint8_t> bytes);

    /**
     * @brief Take a file request.
     * @param message its bytes
     */
    void OnFileRequest(std::span<const uint8_t> message);

    /**
     * @brief Take an acknowledgement.
     * @param message its bytes
     */
    void OnAck(std::span<const uint8_t> message);

    /**
     * @brief The control connection has ended.
     * @param error why, empty when the receiver closed it
     */
    void OnControlClosed(const std::string& error);

    /** @brief Start the next payload, or end the transfer when there is none and none will be. */
    void StartNextPayload();

    /** @brief Ask the core for the next datagram, and wait until it is due. */
    void ScheduleNext();

    /** @brief Send the datagram that is due. */
    void SendDatagram();

    /** @brief The blast has been sent: send DONE. */
    void EndBlast();

    /** @brief Send a control message. */
    void SendControl(RbudpMessageKind kind, std::span<const uint8_t> bytes);

    /** @brief The receiver has been silent for too long. */
    void OnControlTimeout();

    /** @brief Wait ControlTimeout for the receiver from now on. */
    void RestartControlTimer();

    /**
     * @brief Check that the datagrams fit the link that they leave on.
     * @return what is wrong; empty when they fit
     */
    std::string CheckMtu() const;

    RbudpSenderCore::Settings m_settings;  //!< of the core
    uint64_t m_bytes{0};                   //!< payload sent at the start; 0 for none
    uint64_t m_blockSize{0};               //!< split it into payloads of this size; 0: no
    uint16_t m_udpPort{0};                 //!< of both ends
    uint16_t m_peerUdpPort{0};             //!< the receiver's; 0: the same
    RbudpWire m_wire{RbudpWire::LFN};      //!< how messages are laid out
    uint16_t m_controlPort{0};             //!< listening
    bool m_ipv6{false};                    //!< listen on IPv6
    Address m_remote;                      //!< where datagrams go; invalid: who connects
    uint32_t m_socketBuffer{0};            //!< of all sockets, B
    Time m_controlTimeout;                 //!< silence that is borne
    Ptr<RbudpIdealControl> m_idealControl; //!< used instead of TCP when set
    bool m_checkContent{false};            //!< send the pattern
    bool m_allowFragmentation{false};      //!< do not check the MTU
    std::string m_fileName;                //!< wait for a request of this name

    RbudpSenderCore m_core;                          //!< the algorithm
    Ptr<Socket> m_udp;                               //!< where datagrams leave
    Ptr<RbudpTcpControl> m_tcpControl;               //!< there from the start, to be asked about
    Ptr<RbudpControlChannel> m_control;              //!< the connection in use
    Address m_peer;                                  //!< where datagrams go
    bool m_ready{false};                             //!< connected, and the file was asked for
    bool m_finishing{false};                         //!< no more payloads will come
    std::deque<uint64_t> m_payloads;                 //!< sizes; the first one is in work
    uint64_t m_payloadIndex{0};                      //!< number of the first one
    uint64_t m_sentBefore{0};                        //!< bytes of the payloads before it
    Time m_payloadStart;                             //!< when it started
    HostSendGate m_gate;                             //!< the sending host's speed
    std::optional<RbudpSenderCore::Departure> m_due; //!< datagram that leaves next
    std::vector<uint8_t> m_inbox;                    //!< control bytes not yet a whole message
    PayloadSource m_source;                          //!< makes content
    EventId m_sendEvent;                             //!< next datagram or DONE
    EventId m_controlTimer;                          //!< end of patience
    RbudpSenderCore::Counters m_totals;              //!< sums over finished payloads
    uint64_t m_controlBytes{0};                      //!< both directions

    TracedCallback<const RbudpPayloadReport&> m_payloadTrace; //!< a payload is delivered
    TracedCallback<RbudpMessageKind, bool, uint32_t, uint64_t> m_messageTrace; //!< control
};

} // namespace ns3::lfn

#endif // RBUDP_SENDER_H
