// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_RECEIVER_H
#define RBUDP_RECEIVER_H

#include "rbudp-control-channel.h"
#include "rbudp-ideal-control.h"
#include "rbudp-message.h"
#include "rbudp-receiver-core.h"
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
 * @brief The receiving application of RBUDP (section 4): connects to its sender, counts blasts.
 *
 * Ends well when the sender closes the connection after complete payloads. Datagrams that come
 * before their announcement wait, as in the buffer of the published tools' socket. Datagrams from
 * anybody but the sender, never announced, out of range or of the wrong length are dropped and
 * counted; a control message that makes no sense fails the transfer.
 */
class RbudpReceiver : public TransferApplication
{
  public:
    /** @brief How data get to the application (section 4); they differ when HostCost is set. */
    enum class Model : uint8_t
    {
        NAIVE,          //!< read, look at the header, move
        SCATTER_GATHER, //!< read to the predicted place, move when the prediction was wrong
        FAKE,           //!< read, never move: the data are not delivered to the application
    };

    /** @brief Takes a datagram's content: its offset in all of the connection, and the bytes. */
    using DeliverCallback = Callback<void, uint64_t, Ptr<const Packet>>;

    /** @return the object TypeId */
    static TypeId GetTypeId();

    RbudpReceiver();

    /**
     * @brief Say who takes the content; each byte is delivered once, not in order.
     * @param deliver takes it; not called by the fake receiver
     */
    void SetDeliver(DeliverCallback deliver);

    /** @brief Count datagrams that had arrived before. @return datagrams */
    uint64_t GetDuplicates() const;

    /**
     * @brief Count datagrams that were not the one expected next; known when HostCost is set.
     * @return datagrams
     */
    uint64_t GetUnpredicted() const;

    /**
     * @brief Count datagrams that came before the announcement of their payload and waited for it.
     * @return datagrams
     */
    uint64_t GetHeld() const;

    /**
     * @brief Signature of the trace source PayloadReceived.
     * @param index number of the payload on this connection, from 0
     * @param bytes its size, B
     */
    typedef void (*PayloadTracedCallback)(uint64_t index, uint64_t bytes);

  protected:
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;
    void DoDispose() override;

  private:
    /** @brief The control connection over TCP. @return it; null with IdealControl */
    Ptr<RbudpTcpControl> GetTcpControl() const;

    /** @brief The control connection stands. */
    void OnConnected();

    /**
     * @brief Take control bytes.
     * @param bytes what arrived
     */
    void OnControl(std::span<const uint8_t> bytes);

    /**
     * @brief Count control bytes that make no sense, and fail.
     * @param bytes the bytes
     * @param reason MALFORMED, or UNEXPECTED when they came out of turn
     */
    void RefuseControl(std::span<const uint8_t> bytes, DropReason reason);

    /**
     * @brief Take an announcement.
     * @param message its bytes
     * @return whether it made sense
     */
    bool OnAnnouncement(std::span<const uint8_t> message);

    /**
     * @brief Take DONE.
     * @param message its bytes
     * @return whether it made sense
     */
    bool OnDone(std::span<const uint8_t> message);

    /** @brief Answer a DONE that has been taken, once every datagram before it has been read. */
    void Acknowledge();

    /**
     * @brief The control connection has ended.
     * @param error why, empty when the sender closed it
     */
    void OnControlClosed(const std::string& error);

    /** @brief Take the datagrams that have arrived at the socket. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Keep a datagram that came before the announcement of its payload.
     * @param packet the datagram, dropped when the socket's buffer, or the host's, is full
     */
    void Hold(Ptr<Packet> packet);

    /** @brief Read what has waited for the announcement that is here now. */
    void ReadHeld();

    /**
     * @brief Read a datagram of the sender, at once or when the host gets to it.
     * @param packet the datagram
     */
    void Read(Ptr<Packet> packet);

    /**
     * @brief What a datagram takes of the host.
     * @param packet the datagram
     * @return reading, and moving as the receiver's model needs it
     */
    HostWork GetWork(Ptr<const Packet> packet);

    /**
     * @brief Take a datagram that the host has read.
     * @param packet the datagram
     * @param from who sent it
     */
    void OnDatagram(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Expect the payload that Bytes and PayloadSize describe; tools announce none.
     * @return false when there can be no such payload; the transfer has failed then
     */
    bool ExpectUnannounced();

    /** @brief Fail when nothing has happened for ControlTimeout, else look again later. */
    void CheckActivity();

    Address m_remote;                      //!< the sender
    uint16_t m_controlPort{0};             //!< the sender's
    uint16_t m_udpPort{0};                 //!< of both ends
    uint16_t m_peerUdpPort{0};             //!< the sender's; 0: the same
    RbudpWire m_wire{RbudpWire::LFN};      //!< how messages are laid out
    uint64_t m_bytes{0};                   //!< payload to expect unannounced, B
    uint32_t m_payloadSize{0};             //!< user bytes per datagram of it, B
    uint32_t m_socketBuffer{0};            //!< of all sockets, B
    Time m_connectTimeout;                 //!< how long to try to connect
    Time m_controlTimeout;                 //!< silence that is borne
    Model m_model{Model::NAIVE};           //!< how data get to the application
    double m_scatterGatherGain{0};         //!< naive time over that of a right prediction
    Ptr<RbudpIdealControl> m_idealControl; //!< used instead of TCP when set
    bool m_checkContent{false};            //!< check the pattern
    uint64_t m_maxDatagrams{0};            //!< larger payloads are refused
    std::string m_fileName;                //!< ask for this name

    RbudpReceiverCore m_core;           //!< the algorithm
    Ptr<Socket> m_udp;                  //!< where datagrams arrive
    Ptr<RbudpTcpControl> m_tcpControl;  //!< there from the start, to be asked about
    Ptr<RbudpControlChannel> m_control; //!< the connection in use
    Address m_peer;                     //!< whose datagrams are taken
    std::vector<uint8_t> m_inbox;       //!< control bytes not yet a whole message
    std::optional<RbudpDone> m_done;    //!< taken, not yet answered
    uint64_t m_payloadIndex{0};         //!< number of the payload in work
    uint64_t m_receivedBefore{0};       //!< bytes of the payloads before it
    uint64_t m_duplicates{0};           //!< datagrams of payloads before it
    uint64_t m_unpredicted{0};          //!< datagrams of payloads before it
    std::deque<Ptr<Packet>> m_held;     //!< datagrams that wait for their announcement
    uint64_t m_heldBytes{0};            //!< what they take of the buffer
    uint64_t m_heldPackets{0};          //!< datagrams that ever waited
    Time m_lastActivity;                //!< when something last arrived
    EventId m_activityTimer;            //!< next look at m_lastActivity
    DeliverCallback m_deliver;          //!< takes the content

    TracedCallback<uint64_t, uint64_t> m_payloadTrace; //!< a payload is complete
    TracedCallback<RbudpMessageKind, bool, uint32_t, uint64_t> m_messageTrace; //!< control
};

} // namespace ns3::lfn

#endif // RBUDP_RECEIVER_H
