// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_SENDER_H
#define VRP_SENDER_H

#include "vrp-frame.h"
#include "vrp-header.h"
#include "vrp-outgoing-frame.h"
#include "vrp-ping.h"
#include "vrp-rate-control.h"
#include "vrp-rtt-estimator.h"
#include "vrp-sender-core.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The sending end of VRP (the report's vrp_outgoing_t; sections 2.4, 3.2.1 and 3.3).
 *
 * Starting it opens it: time-stamped PINGs are sent until one is answered; frames handed over
 * before wait. Any number of frames may be under way; each has its own window and they take turns
 * packet by packet, so a small frame overtakes a big one. A sender talks to one receiver. Frames
 * that fail do not end it: it completes after Finish() when every frame was delivered, and fails
 * after Finish() when one was not.
 */
class VrpSender : public TransferApplication
{
  public:
    /** @brief States of a sender. */
    enum class State
    {
        INIT,   //!< no PING is answered yet
        OK,     //!< frames are sent
        CLOSED, //!< it has finished or was stopped
        FAILED, //!< the receiver does not answer
    };

    /** @brief What limits a sender. */
    enum class WindowPolicy
    {
        FIXED, //!< WindowSize alone: the report
        TFRC,  //!< TFRC's rate besides (RFC 5348)
    };

    /** @brief Takes the end of a frame, good or bad. */
    using FrameCallback = Callback<void, const VrpFrameReport&>;

    /**
     * @brief Signature of the trace source Rtt.
     * @param rtt estimated round-trip time
     * @param timeout the timeout
     */
    typedef void (*RttTracedCallback)(Time rtt, Time timeout);

    /**
     * @brief Signature of the trace source FrameEnded.
     * @param report how the frame ended
     */
    typedef void (*FrameTracedCallback)(const VrpFrameReport& report);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    VrpSender();

    /**
     * @brief Send a frame.
     * @param frame the frame
     * @param done called once when it has ended, never before this method returns; may be null
     * @return false, and nothing is done, when the sender has ended or was instructed to finish,
     * when the
     *         data's size is not the frame's, or when every frame number is in use
     */
    bool SendFrame(const VrpFrame& frame, FrameCallback done = FrameCallback());

    /** @brief SendFrame() of a frame without content, under the name that all senders have. */
    bool Offer(uint64_t bytes) override;

    /** @brief Declare that no frame follows: the sender ends when the last one has. */
    void Finish() override;

    /** @return the state */
    State GetState() const;

    /** @brief Count the frames that have ended. @return frames delivered or failed */
    uint64_t GetFrames() const;

    /** @brief Count the frames that have failed. @return frames refused, in error or timed out */
    uint64_t GetFailedFrames() const;

    /** @brief Sum up what happened to all frames so far. @return the sum */
    VrpOutgoingFrame::Counters GetTotals() const;

    /**
     * @brief Get the rate that WindowPolicy allows.
     * @return bit/s of packets with VRP's headers; 0 without a limit
     */
    double GetAllowedRate() const;

    /**
     * @brief Get the rate of loss events that WindowPolicy has counted.
     * @return events a packet (RFC 5348, p); 0 without any
     */
    double GetLossEventRate() const;

    Window GetWindow() const override;

    /**
     * @brief Get the adaptive timeout.
     * @return the estimator, the same for the sender's whole life
     */
    Ptr<const VrpRttEstimator> GetEstimator() const;

    /**
     * @brief Get the data bytes of a packet: PacketSize, or what FitMtu leaves of it.
     * @return B; 0 before the start and the first frame
     */
    uint32_t GetPacketSize() const;

    /**
     * @brief Get the loss rate that a frame without its own would be sent with now.
     *
     * Without MinLossRate it is MaxLossRate. With it, the two are the ends of an interval (section
     * 4.3): the low end while the round-trip time is the smallest one seen, the high end from
     * FullLoadRatio times that on, linear in between.
     *
     * @return 0 to 1; negative when none is sent
     */
    double GetLossRate() const;

    /**
     * @brief Get the port that packets leave from, by which the receiver identifies this sender.
     * @return the UDP port; 0 before the start
     */
    uint16_t GetLocalPort() const;

    int64_t AssignStreams(int64_t stream) override;

  private:
    /** @brief A frame under way, as the shell holds it. */
    struct Frame
    {
        VrpFrame content;      //!< its bytes
        uint64_t place{0};     //!< user bytes of the frames before, B
        FrameCallback done;    //!< takes its end
        VrpFrameReport report; //!< what is known from the start
        EventId timer;         //!< never later than its deadline
        Time timerTime;        //!< when the timer expires
    };

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Make the core and the timeout ready; only the first call counts. */
    void Prepare();

    /** @brief Send a PING, or give up. */
    void SendPing();

    /** @brief Take what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Handle the tags of a control packet.
     * @param number frame number of its header
     * @param tags the tags
     * @return false when none of them was of use
     */
    bool OnTags(uint16_t number, std::span<const VrpTag> tags);

    /** @brief Have Pump() called, not from within a method of the user's. */
    void SchedulePump();

    /** @brief Let the frames send in turn, until none may or the host is busy. */
    void Pump();

    /**
     * @brief Build and send the packet that a frame has to send.
     * @param number the frame
     * @param step the packet
     */
    void SendStep(uint16_t number, const VrpOutgoingFrame::Step& step);

    /**
     * @brief Set a frame's timer unless it is early enough.
     * @param number the frame
     */
    void SetTimer(uint16_t number);

    /**
     * @brief A frame's timer has expired.
     * @param number number of the frame
     */
    void OnTimer(uint16_t number);

    /**
     * @brief Report the end of a frame and forget it.
     * @param number number of the frame
     */
    void EndFrame(uint16_t number);

    /** @brief End the sender when it is finishing and no frame is left. */
    void EndWhenDone();

    /**
     * @brief End all frames badly: the receiver does not answer.
     * @param reason why
     */
    void FailAll(const std::string& reason);

    /** @brief Send a control packet that concerns no single frame. */
    void SendControl(std::span<const VrpTag> tags);

    /** @brief Hand a packet to the socket. */
    void Send(Ptr<Packet> packet);

    /** @brief The host has the held packet ready: send it. */
    void SendHeld();

    VrpSenderCore::Settings m_settings;  //!< of the core
    Address m_remote;                    //!< attribute Remote
    uint16_t m_localPort{0};             //!< attribute LocalPort
    uint32_t m_packetSize{0};            //!< attribute PacketSize, B
    bool m_fitMtu{false};                //!< attribute FitMtu
    uint32_t m_dataSize{0};              //!< data bytes of a packet
    WindowPolicy m_windowPolicy{};       //!< attribute WindowPolicy
    double m_maxLossRate{0};             //!< attribute MaxLossRate
    double m_minLossRate{-1};            //!< attribute MinLossRate
    double m_fullLoadRatio{0};           //!< attribute FullLoadRatio
    int64_t m_maxBurst{-1};              //!< attribute MaxBurst, B
    Time m_pingTimeout;                  //!< attribute PingTimeout
    uint32_t m_pingTries{0};             //!< attribute PingTries
    bool m_padPing{true};                //!< attribute PadPing
    bool m_closeOnDispose{false};        //!< attribute CloseOnDispose
    DataRate m_interfaceRate;            //!< attribute InterfaceRate
    Ptr<VrpRttEstimator> m_timeout;      //!< attribute RttEstimator
    Ptr<UniformRandomVariable> m_random; //!< first frame number

    State m_state{State::INIT};                   //!< the state
    Ptr<Socket> m_socket;                         //!< to the receiver
    HostSendGate m_gate;                          //!< when the host may send
    EventId m_pingTimer;                          //!< the PING's own timeout
    VrpPing m_ping;                               //!< the PINGs
    uint16_t m_boundPort{0};                      //!< port that packets leave from
    VrpSenderCore m_core;                         //!< the frames
    bool m_prepared{false};                       //!< Prepare() was called
    std::unordered_map<uint16_t, Frame> m_frames; //!< the same, as the shell holds them
    std::shared_ptr<VrpRateControl> m_rate;       //!< by WindowPolicy; null for none
    VrpSenderCore::Turn m_heldTurn;               //!< what m_held is
    Ptr<Packet> m_held;                           //!< packet that the host is busy with
    EventId m_heldEvent;                          //!< when the host is ready
    EventId m_pumpEvent;                          //!< Pump() is to be called
    bool m_finishing{false};                      //!< Finish() was called

    TracedCallback<Time, Time> m_rttTrace;              //!< RTT and timeout
    TracedCallback<const VrpFrameReport&> m_frameTrace; //!< a frame has ended
};

} // namespace ns3::lfn

#endif // VRP_SENDER_H
