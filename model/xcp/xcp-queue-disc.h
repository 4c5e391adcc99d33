// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_QUEUE_DISC_H
#define XCP_QUEUE_DISC_H

#include "xcp-port.h"
#include "xcp-tcp-fairness.h"

#include "ns3/event-id.h"
#include "ns3/traced-value.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The output port of an XCP router: one FIFO for all traffic, XCP's controller and, if
 * asked for, the XCP-TCP fairness mechanism (report RR2007-46).
 *
 * The capacity is the device's rate, looked up at each control interval, unless Bandwidth gives
 * it. A long queue of the device would hide the backlog from the tail drops here: XcpHelper makes
 * it one packet long.
 *
 * Every packet that the mechanism lets pass counts as input traffic, also when the buffer is full
 * and it is dropped.
 */
class XcpQueueDisc : public XcpPort
{
  public:
    static constexpr const char* FAIRNESS_DROP = "Fairness drop"; //!< by the mechanism
    static constexpr const char* FAIRNESS_MARK = "Fairness mark"; //!< instead of a drop

    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpQueueDisc();

    std::optional<std::string> FindDefect() override;

    /** @brief Get the fairness mechanism. @return the mechanism; null when there is none */
    Ptr<XcpTcpFairness> GetFairness() const;

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;
    bool CheckConfig() override;
    void InitializeParams() override;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    void MakeQueue() override;
    std::size_t GetWantedQueues() const override;
    double GetRuledBytes() const override;
    void OnControlStart() override;
    void OnControlInterval(Time length, double capacity) override;
    bool IsSteady() const override;
    void OnSuspend() override;
    std::vector<SuspendedTimer> OnResume(uint64_t intervals) override;

    /**
     * @brief Ask the mechanism about an arriving packet.
     * @param item the packet; may become marked
     * @param view what was seen of it
     * @param bytes what it takes of the link, [B]
     * @return whether it is to be dropped
     */
    bool IsRefused(const Ptr<QueueDiscItem>& item, const XcpPacketView& view, uint32_t bytes);

    /**
     * @brief The buffer has no room for a packet that the mechanism let pass.
     * @param view what was seen of the packet
     */
    void OnTailDrop(const XcpPacketView& view);

    /** @brief The mechanism's own interval ends. */
    void OnFairnessTimeout();

    /**
     * @brief Let the mechanism adapt.
     * @param length of the interval that ends
     * @param capacity of the link, [B/s]
     */
    void Adapt(Time length, double capacity);

    Ptr<XcpTcpFairness> m_fairness; //!< Attribute Fairness
    Time m_fairnessInterval;        //!< Attribute FairnessInterval
    bool m_mark{false};             //!< Attribute Mark
    EventId m_fairnessTimer;        //!< end of the mechanism's own interval
    Time m_fairnessDue;             //!< when the suspended timer would have expired

    TracedValue<double> m_xcpFlows;        //!< N
    TracedValue<double> m_tcpFlows;        //!< M
    TracedValue<double> m_tcpRtt;          //!< of TCP by its handshakes, [s]
    TracedValue<double> m_dropProbability; //!< p
};

} // namespace ns3::lfn

#endif // XCP_QUEUE_DISC_H
