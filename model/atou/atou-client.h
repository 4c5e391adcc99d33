// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_CLIENT_H
#define ATOU_CLIENT_H

#include "atou-options.h"
#include "atou-sender-core.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/socket.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief An atou client: sends segments as its options say and keeps account of it (web page,
 *        section 1).
 *
 * There is no connection: segments carry no user data of anyone, the original is a harness for
 * transport algorithms. The transfer ends when all that was to be sent (maxpkts, or what maxtime
 * allowed) is acknowledged, or fails after maxidle timeouts in a row.
 */
class AtouClient : public TransferApplication
{
  public:
    /** @brief Value of the attribute Congestion that means atou's own rules. */
    static constexpr const char* NATIVE = "native";

    /**
     * @brief Signature of the trace source Transmit.
     * @param segment its number
     * @param isRepeated it was sent before
     */
    typedef void (*TransmitTracedCallback)(uint32_t segment, bool isRepeated);

    /**
     * @brief Signature of the trace source Ack.
     * @param ack the acknowledgement
     * @param before the state before it is applied
     */
    typedef void (*AckTracedCallback)(const AtouAck& ack, const AtouState& before);

    /**
     * @brief Signature of the trace source Event.
     * @param event an entry of the event log
     */
    typedef void (*EventTracedCallback)(const AtouEvent& event);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    AtouClient();
    Window GetWindow() const override;

    /**
     * @brief Get the options; to be changed before the start only, but by ChangeOptions().
     * @return the options, never null; from the start on the client's own copy
     */
    Ptr<AtouOptions> GetOptions() const;

    /**
     * @brief Change options: the application tunes its transport (report, section 6).
     *
     * While the transfer runs it takes effect with the next ACK, and only such options may change
     * that AtouOptions::CheckChange() lets.
     *
     * @param text "keyword value; keyword value"
     * @return "keyword: what is wrong, remedy", when nothing changes; nothing when all is well
     */
    std::optional<std::string> ChangeOptions(const std::string& text);

    /** @brief Get the engine. @return the core, with the state and the counters of the summary */
    const AtouSenderCore& GetCore() const;

    /**
     * @brief Get the user bytes of a segment, as the original counts them.
     * @return mss without the header of 12 bytes, B
     */
    uint32_t GetSegmentBytes() const;

    /** @brief Get the port that the client is bound to. @return the port; 0 before the start */
    uint16_t GetLocalPort() const;

  private:
    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /**
     * @brief Make the congestion control that Congestion names.
     * @return the object; null, and the transfer has failed, when it names none
     */
    std::unique_ptr<AtouCongestion> MakeCongestion();

    /** @brief Make the changes that wait for an ACK. */
    void ApplyChanges();

    /** @brief Read what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Handle a datagram.
     * @param packet the datagram
     */
    void OnPacket(Ptr<Packet> packet);

    /** @brief A timer of the core has expired. */
    void OnTimer();

    /** @brief Send what the core has to, set the timer, and end when it has. */
    void SendPending();

    /** @brief Send the segments that the host has been busy with. */
    void SendHeld();

    /**
     * @brief Put a segment on the wire, unless droplist has it.
     * @param transmission the segment
     */
    void Send(const AtouSenderCore::Transmission& transmission);

    /** @brief Bring the report and the traced values up to date. */
    void Account();

    Address m_remote;                 //!< attribute Remote
    uint16_t m_localPort{0};          //!< attribute LocalPort
    Ptr<AtouOptions> m_options;       //!< attribute Options
    std::string m_congestion;         //!< attribute Congestion
    bool m_checkContent{false};       //!< attribute CheckContent
    DataRate m_interfaceRate;         //!< attribute InterfaceRate
    TracedValue<double> m_cwnd;       //!< trace source CongestionWindow, segments
    TracedValue<uint32_t> m_ssthresh; //!< trace source SlowStartThreshold, segments
    TracedValue<Time> m_rtt;          //!< trace source RTT
    TracedValue<double> m_delta;      //!< trace source VegasDelta, segments

    std::vector<std::string> m_changes; //!< of options, that wait for the next ACK

    Ptr<Socket> m_socket;                                             //!< to and from the server
    uint16_t m_boundPort{0};                                          //!< its port
    AtouSenderCore m_core;                                            //!< the engine
    HostSendGate m_gate;                                              //!< the sending host
    std::deque<std::pair<Time, AtouSenderCore::Transmission>> m_held; //!< wait for the host
    Time m_start;                                                     //!< when the transfer began
    EventId m_heldEvent;                                              //!< the next of them leaves
    EventId m_timer;                                //!< of the core, never later than due
    Time m_timerTime;                               //!< when it expires
    TracedCallback<uint32_t, bool> m_transmitTrace; //!< a segment is sent
    TracedCallback<const AtouAck&, const AtouState&> m_ackTrace; //!< an ACK comes
    TracedCallback<const AtouEvent&> m_eventTrace;               //!< an entry of the event log
};

} // namespace ns3::lfn

#endif // ATOU_CLIENT_H
