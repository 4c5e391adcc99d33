// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_OBJECT_LOG_H
#define LFN_OBJECT_LOG_H

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/lfn-delay-statistics.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Objects of one size that become available at a constant rate, and when they have arrived.
 *
 * An object has arrived when each of its bytes was delivered. Its delay counts from when it became
 * available.
 */
class ObjectLog
{
  public:
    /** @brief What the objects are. */
    struct Settings
    {
        uint64_t bytes{0};   //!< size of an object (S_obj), [B], above 0
        double rate{0};      //!< objects per second (B_obj), above 0
        uint64_t objects{0}; //!< how many; 0: until the end of the run
        Time begin;          //!< when the first one becomes available
        Time deadline;       //!< delay after which an object is late; 0: none is
    };

    /** @brief No objects; assign others before use. */
    ObjectLog() = default;

    /** @brief Objects, none of which has arrived. */
    explicit ObjectLog(const Settings& settings);

    /** @brief Get what the objects are. */
    const Settings& GetSettings() const;

    /** @brief Get when an object becomes available; they count from 0. */
    Time GetTime(uint64_t object) const;

    /** @brief Get how many objects have become available by a time. */
    uint64_t GetAvailable(Time now) const;

    /**
     * @brief Get the rate at which a sender carries the objects in time.
     * @param bytes what it sends for each, [B]
     * @param share part of the time in which it sends, above 0
     * @return the rate, rounded up; 10^18 bit/s at most
     */
    DataRate GetRate(uint64_t bytes, double share = 1) const;

    /**
     * @brief Bytes were delivered, each once.
     * @param now the time
     * @param offset of the first of them in the sequence of objects, [B]
     * @param bytes how many
     */
    void OnDelivered(Time now, uint64_t offset, uint64_t bytes);

    /**
     * @brief A whole object has arrived.
     * @param now the time
     * @param available when it became available
     */
    void OnArrived(Time now, Time available);

    /** @brief Get the delays of the objects that have arrived. */
    const DelayStatistics& GetDelays() const;

    /** @brief Get how many of those came after the deadline. */
    uint64_t GetLate() const;

  private:
    Settings m_settings;                    //!< what the objects are
    std::map<uint64_t, uint64_t> m_missing; //!< bytes that objects lack of which some came, [B]
    DelayStatistics m_delays;               //!< of those that have arrived
    uint64_t m_late{0};                     //!< of those, after the deadline
};

/**
 * @ingroup lfn
 * @brief Offers the objects of an ObjectLog to a sender, each when it becomes available or in
 * blocks that are gathered, and finishes it after the last one.
 */
class ObjectFeeder : public Application
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Offer objects; when each is an offer, the first one is offered now.
     * @param log the objects, which outlive this
     * @param sender on the same node, not yet started
     * @param block objects that are gathered for an offer, above 0; the last offer may have fewer
     * @return false when the sender takes no offers
     */
    bool Feed(const ObjectLog& log, Ptr<TransferApplication> sender, uint64_t block = 1);

  private:
    void StartApplication() override;
    void StopApplication() override;
    void DoDispose() override;

    /** @brief Get how many objects the next offer has; 0 after the last one. */
    uint64_t GetNextObjects() const;

    /** @brief Wait for the objects of the next offer, or finish after the last one. */
    void ScheduleNext();

    /** @brief The objects of the next offer are available. */
    void OfferNext();

    const ObjectLog* m_log{nullptr};   //!< the objects
    Ptr<TransferApplication> m_sender; //!< takes them
    uint64_t m_block{1};               //!< objects per offer
    uint64_t m_offered{0};             //!< objects
    EventId m_next;                    //!< the next offer
};

} // namespace ns3::lfn

#endif // LFN_OBJECT_LOG_H
