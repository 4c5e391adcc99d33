// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_PORT_H
#define XCP_PORT_H

#include "xcp-controller.h"
#include "xcp-packet-view.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief What all output ports of XCP routers have in common: the controller with both its timers,
 * the capacity, and the reading and writing of congestion headers.
 *
 * The capacity is the rate of the device, looked up at every control interval because it may
 * change, unless the Attribute Bandwidth gives it. How packets wait is up to the child.
 *
 * The timers of an idle port are suspended as soon as further intervals without packets would
 * change nothing; the next packet resumes them at the same instants as if they had never stopped.
 */
class XcpPort : public QueueDisc
{
  public:
    static constexpr const char* LIMIT_EXCEEDED_DROP = "Queue disc limit exceeded"; //!< tail drop

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /** @return the controller */
    Ptr<XcpController> GetController() const;

    /**
     * @brief Get the capacity that is used: Bandwidth or the device's rate.
     * @return the capacity, [B/s]; 0 when neither is known
     */
    double GetCapacity() const;

    /**
     * @brief Set the device that the port sends to, which ns-3 has only when the simulation begins.
     */
    void SetDevice(Ptr<NetDevice> device);

    /**
     * @brief Resume the timers of an idle port, as the next packet does.
     *
     * For a program that changes the device's rate: intervals that have ended are computed with the
     * rate before the change. Without this call the next packet finds the new rate, as if it had
     * applied in all of the intervals that the port was idle.
     */
    void ResumeTimers();

    /**
     * @brief Get what keeps this port from working, as CheckConfig() sees it.
     * @return a line that names the remedy; nothing when all is well
     */
    virtual std::optional<std::string> FindDefect();

    /**
     * @brief Fix the random streams.
     * @param stream the first stream
     * @return how many were used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief Get how many packets had a congestion header that could not be read.
     * @return the number; these packets were forwarded as they were
     */
    uint64_t GetMalformedHeaders() const;

  protected:
    /**
     * @brief Create a port.
     * @param policy of the sizes of its queues
     */
    explicit XcpPort(QueueDiscSizePolicy policy);

    void DoDispose() override;

    /** @brief A timer of a port that is suspended with the others. */
    struct SuspendedTimer
    {
        EventId* timer;       //!< the timer
        Ptr<EventImpl> event; //!< what it does
        Time due;             //!< when it would have expired next
        Time interval;        //!< its interval in steady state

        /**
         * @brief Skip the intervals that have ended by now; one that ends now is still to come.
         * @return the number of intervals
         */
        uint64_t Skip();
    };

    /**
     * @brief Check whether intervals without packets leave all that this port has as it is.
     * @return true in steady state: timers may be suspended; false unless the child decides
     */
    virtual bool IsSteady() const;

    /** @brief The timers of an idle port are suspended: the child stops its own. */
    virtual void OnSuspend();

    /**
     * @brief The timers are resumed.
     * @param intervals control intervals that were skipped
     * @return the timers of the child, due at this instant or later
     */
    virtual std::vector<SuspendedTimer> OnResume(uint64_t intervals);

    /**
     * @brief Look at an arriving packet; resumes the timers, reports a malformed header.
     * @param item the packet
     * @return what is seen
     */
    XcpPacketView Look(const QueueDiscItem& item);

    /**
     * @brief Check whether a packet is data of an end-to-end flow.
     * @param item the packet
     * @return whether it is; nothing is reported
     */
    bool IsE2eData(const QueueDiscItem& item) const;

    /**
     * @brief Get what a packet takes of the link.
     * @param item the packet
     * @return its size with the IP header and OverheadBytes, [B]
     */
    uint32_t GetLinkBytes(const QueueDiscItem& item) const;

    /**
     * @brief Get what several packets take of the link.
     * @param bytes their sizes with the IP headers, [B]
     * @param packets how many they are
     * @return the same with OverheadBytes for each, [B]
     */
    double GetLinkBytes(uint32_t bytes, uint32_t packets) const;

    /**
     * @brief Take account of an arriving packet in the controller.
     * @param view what was seen
     * @param bytes what it takes of the link, [B]
     */
    void CountArrival(const XcpPacketView& view, uint32_t bytes);

    /**
     * @brief Take account of an arriving packet that the controller does not rule.
     * @param view what was seen
     * @param bytes what it takes of the link, [B]
     */
    void CountForeign(const XcpPacketView& view, uint32_t bytes);

    /**
     * @brief A packet leaves: sample the queue and cut the feedback that its header asks for.
     *
     * The header is rewritten in place; other packets that share the buffer keep theirs.
     * @param item the packet, out of its queue
     * @param bytes what it takes of the link, [B]
     */
    void CountDeparture(const QueueDiscItem& item, uint32_t bytes);

    /**
     * @brief Get what waits of the controller's traffic.
     * @return the bytes in the queues, those of the device included if CountDeviceQueue, [B]
     */
    double GetBacklog() const;

    bool CheckConfig() override;
    void InitializeParams() override;

  private:
    /** @brief Make an internal queue and add it. */
    virtual void MakeQueue() = 0;

    /** @brief Get how many internal queues there have to be. @return the number */
    virtual std::size_t GetWantedQueues() const = 0;

    /**
     * @brief Get what waits in the queue that the controller rules.
     * @return what it takes of the link, [B]
     */
    virtual double GetRuledBytes() const = 0;

    /**
     * @brief Get the part of the capacity that the controller gives out.
     * @param capacity of the link, [B/s]
     * @return that of the traffic it rules, [B/s]
     */
    virtual double GetRuledCapacity(double capacity) const;

    /** @brief The first control interval begins: what was counted before belongs to no interval. */
    virtual void OnControlStart();

    /**
     * @brief A control interval has ended, and the controller is going to compute.
     * @param length of the interval that ended
     */
    virtual void OnControlEnd(Time length);

    /**
     * @brief A control interval has ended, and the controller has computed.
     * @param length of the interval that ended
     * @param capacity of the link, [B/s]
     */
    virtual void OnControlInterval(Time length, double capacity);

    /** @brief The controller begins; its first control interval with it. */
    void StartController();
    /** @brief A control interval ends. */
    void OnControlTimeout();
    /** @brief A control interval begins. */
    void StartControlInterval(Time length);
    /** @brief An XCP packet has come: end an interval of unknown RTT early. */
    void HastenControlTimeout();
    /** @brief A queue interval ends. */
    void OnQueueTimeout();
    /** @brief Stop the timers of an idle port. */
    void SuspendTimers();
    /**
     * @brief Set the Attribute Bandwidth.
     * @param bandwidth its value
     */
    void SetBandwidth(DataRate bandwidth);
    /** @brief Get the Attribute Bandwidth. @return its value */
    DataRate GetBandwidth() const;
    /** @brief Look for the device and its own queue. */
    void FindDevice();

    DataRate m_bandwidth;            //!< Attribute Bandwidth
    uint32_t m_overheadBytes{0};     //!< Attribute OverheadBytes
    uint8_t m_protocol{0};           //!< Attribute ProtocolNumber
    bool m_countDeviceQueue{false};  //!< Attribute CountDeviceQueue
    bool m_timerJitter{false};       //!< Attribute TimerJitter
    XcpFlowId m_flowId{};            //!< Attribute FlowId
    Ptr<XcpController> m_controller; //!< Attribute Controller

    Ptr<NetDevice> m_device;             //!< the device; null when unknown
    Ptr<QueueBase> m_deviceQueue;        //!< the device's own queue; null when unknown
    Ptr<UniformRandomVariable> m_random; //!< start of the timers
    EventId m_controlTimer;              //!< end of the control interval
    EventId m_queueTimer;                //!< end of the queue interval
    Time m_controlStart;                 //!< when the control interval began
    Time m_controlEnd;                   //!< when it ends at the latest; 0: none has begun
    Time m_controlDue;                   //!< when it ends
    Time m_queueDue;                     //!< when the suspended queue interval ends
    bool m_isSuspended{false};           //!< whether the timers are suspended
    bool m_hasTraffic{true};             //!< packets arrived or left in this control interval
    std::optional<Time> m_firstRtt;      //!< when a packet reported the first RTT of an interval
    uint64_t m_xcpBytes{0};              //!< data of XCP in this interval, [B]
    uint64_t m_e2eBytes{0};              //!< data of other transports in this interval, [B]
    uint64_t m_malformedHeaders{0};      //!< headers that could not be read

    TracedValue<double> m_inputRate;                      //!< y, [B/s]
    TracedValue<double> m_xcpRate;                        //!< of XCP data, [B/s]
    TracedValue<double> m_e2eRate;                        //!< of other data, [B/s]
    TracedValue<double> m_persistentQueue;                //!< Q, [B]
    TracedValue<Time> m_controlInterval;                  //!< length of the present one
    TracedCallback<Ptr<const QueueDiscItem>> m_malformed; //!< such a packet
};

} // namespace ns3::lfn

#endif // XCP_PORT_H
