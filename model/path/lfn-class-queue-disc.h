// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_CLASS_QUEUE_DISC_H
#define LFN_CLASS_QUEUE_DISC_H

#include "lfn-class-scheduler-core.h"
#include "lfn-token-bucket.h"
#include "lfn-traffic-classes.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Classes of service by the DSCP of IPv4 and IPv6 packets, which share a link by weights.
 *
 * Each class has a queue. Of the classes with packets, the one that is behind its weight sends
 * (ClassSchedulerCore), so a class that is idle leaves its share to the others and saves nothing.
 * A packet that finds no room in the buffer of its class is dropped.
 *
 * A class with a cap sends at most its cap times t plus CapBurst in any time t. While it waits for
 * its cap it counts as idle; where no other class has packets the link is idle too, and the queue
 * disc runs again when the cap allows the next packet. A queue disc with caps has to be the root:
 * ns-3 runs no other.
 *
 * Other packets than those of IP, such as ARP's, are in the class `rest`.
 */
class ClassQueueDisc : public QueueDisc
{
  public:
    static constexpr const char* BUFFER_FULL_DROP = "Buffer of the class full"; //!< tail drop

    /** @brief What a class has done. */
    struct Counts
    {
        uint64_t sentPackets{0};    //!< packets that left
        uint64_t sentBytes{0};      //!< their bytes, OverheadBytes of each counted, [B]
        uint64_t droppedPackets{0}; //!< packets that found no room
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    ClassQueueDisc();

    /** @brief Get the classes. @return as Attribute Classes has them */
    const TrafficClasses& GetClasses() const;

    /**
     * @brief Get what a class has done.
     * @param index number of the class, in the order of Classes
     * @return the counts; zeros before the simulation begins
     */
    Counts GetCounts(std::size_t index) const;

  private:
    /** @brief What is kept per class. */
    struct State
    {
        QueueSize buffer;             //!< room for packets
        std::optional<uint64_t> rate; //!< cap, [bit/s]
        TokenBucket tokens;           //!< of the cap
        Counts counts;                //!< what it has done
    };

    void DoDispose() override;
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /**
     * @brief Get the class of a packet.
     * @param item the packet
     * @return the number of the class
     */
    std::size_t Classify(const QueueDiscItem& item) const;

    /**
     * @brief Get what a packet takes of the link.
     * @param item the packet
     * @return its size with the IP header and OverheadBytes, [B]
     */
    uint32_t GetLinkBytes(const QueueDiscItem& item) const;

    /** @brief Add the tokens of the time since the last call to the buckets of the caps. */
    void FillBuckets();

    /**
     * @brief Get how long the cap of a class delays its next packet.
     * @param index number of the class, which has a packet; the buckets are filled
     * @return the time; 0 without a cap
     */
    Time GetWait(std::size_t index) const;

    /** @brief Get the classes that may send; the buckets are filled. @return the classes */
    ClassSchedulerCore::ClassSet GetReady() const;

    /** @brief Run again when a cap allows the next packet, of all classes with packets. */
    void ScheduleRun();

    TrafficClasses m_classes;                 //!< Attribute Classes
    uint32_t m_overheadBytes{0};              //!< Attribute OverheadBytes
    uint32_t m_capBurst{0};                   //!< Attribute CapBurst
    ClassSchedulerCore m_scheduler{1};        //!< chooses the class that sends next
    std::vector<State> m_states;              //!< per class
    bool m_hasCaps{false};                    //!< a class has a cap
    ClassSchedulerCore::ClassSet m_waiting{}; //!< classes with packets
    Time m_filled;                            //!< when the buckets were filled
    EventId m_run;                            //!< runs the queue disc
};

} // namespace ns3::lfn

#endif // LFN_CLASS_QUEUE_DISC_H
