// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TCP_WRR_QUEUE_DISC_H
#define XCP_TCP_WRR_QUEUE_DISC_H

#include "xcp-port.h"

#include "ns3/lfn-class-scheduler-core.h"
#include "ns3/traced-value.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The output port of an XCP router with two queues, one for XCP and one for the rest, that
 * share the link by weights (Katabi et al., section 8.2, and the ns-2 code).
 *
 * The queue that is behind its share goes first, packet by packet, and a queue that is empty saves
 * nothing for later (ClassSchedulerCore). XCP's controller rules its own queue only. Its capacity
 * is XCP's share of the link, or what the other queue left in the last control interval if that is
 * more.
 *
 * The buffer is shared by the same weights, and both queues together never exceed MaxSize.
 *
 * With Weights = Tfrc the weights move towards equal windows of XCP's and TCP's flows: XCP's mean
 * window is reported by its headers, TCP's by the TFRC equation from the drop rate of its queue.
 */
class XcpTcpWrrQueueDisc : public XcpPort
{
  public:
    /** @brief How the link is shared. */
    enum WeightLaw
    {
        FIXED, //!< ns-2: XcpWeight stays
        TFRC   //!< SIGCOMM paper: weights follow the windows
    };

    static constexpr std::size_t XCP_QUEUE = 0;  //!< internal queue of packets of XCP flows
    static constexpr std::size_t REST_QUEUE = 1; //!< internal queue of all others

    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpTcpWrrQueueDisc();

    /** @brief Get XCP's share of the link. @return the weight, above 0 and below 1 */
    double GetXcpWeight() const;

    /**
     * @brief Get the window that TCP's throughput equation gives (RFC 5348, section 3.1, with the
     * retransmission timeout of four RTTs).
     * @param dropRate packets dropped of those that came, 0..1
     * @return the window, [packets]; infinite when nothing is dropped
     */
    static double GetTfrcWindow(double dropRate);

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    void InitializeParams() override;
    void MakeQueue() override;
    std::size_t GetWantedQueues() const override;
    double GetRuledBytes() const override;
    double GetRuledCapacity(double capacity) const override;
    void OnControlStart() override;
    void OnControlEnd(Time length) override;
    bool IsSteady() const override;

    /** @brief Get the queues that have packets. @return the queues */
    ClassSchedulerCore::ClassSet GetReady() const;

    /**
     * @brief Set XCP's share of the link, and with it that of the rest.
     * @param weight above 0 and below 1
     */
    void SetXcpWeight(double weight);

    /**
     * @brief Check whether a queue has no room for a packet.
     * @param item the packet
     * @param queue where it would go
     * @return true when it has to be dropped
     */
    bool IsFull(const Ptr<QueueDiscItem>& item, std::size_t queue) const;

    /**
     * @brief Record the window that a congestion header reports.
     * @param header of a packet of an XCP flow
     */
    void OnWindow(const XcpHeader& header);

    /** @brief Move the weights after a control interval. */
    void MoveWeights();

    WeightLaw m_law{FIXED};     //!< Attribute Weights
    double m_firstWeight{0};    //!< Attribute XcpWeight
    double m_smallestWeight{0}; //!< Attribute SmallestWeight
    double m_kappa{0};          //!< Attribute Kappa
    double m_dropRateWeight{0}; //!< Attribute DropRateWeight

    ClassSchedulerCore m_scheduler; //!< chooses the queue that sends next
    double m_restRate{0};           //!< that the other queue sent in the last interval, [B/s]
    uint64_t m_restBytes{0};        //!< that the other queue sent in this interval, [B]
    uint64_t m_restPackets{0};      //!< that came for the other queue in this interval
    double m_sumX{0};               //!< of headers in this interval, [s]
    double m_sumRtt{0};             //!< of the same headers, [s]
    TracedValue<double> m_weight;   //!< of XCP
    TracedValue<double> m_dropRate; //!< of the other queue, smoothed
    TracedValue<double> m_window;   //!< mean window of XCP flows, [packets]
};

} // namespace ns3::lfn

#endif // XCP_TCP_WRR_QUEUE_DISC_H
