// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_HOST_QUEUE_H
#define LFN_HOST_QUEUE_H

#include "lfn-host-cost.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A receiving host: packets wait in a finite buffer for one processor that serves interrupts
 *        first.
 *
 * A packet that arrives costs an interrupt at once, whether or not it finds room: the service in
 * progress is put off by that much. Service is first come, first served; the packet in service has
 * left the buffer, so the buffer counts the bytes of the waiting packets only, and an idle host
 * accepts a packet of any size. Service of a packet that finds the host idle begins when its own
 * interrupt is done.
 *
 * When the processor is done with a packet, its bytes are written to the storage. The next service
 * begins when the write call returns; the disk works on meanwhile.
 *
 * There is one timer. A stretched service does not move it: it finds itself early and sets itself
 * again, so an arrival costs no event.
 */
class HostQueue : public Object
{
  public:
    /** @brief What a packet takes of the host; asked once, when its service begins. */
    using GetWork = Callback<HostWork, Ptr<const Packet>>;

    /** @brief Takes a packet whose service has ended, and the address that it came from. */
    using Deliver = Callback<void, Ptr<Packet>, const Address&>;

    /** @return the object TypeId */
    static TypeId GetTypeId();

    HostQueue() = default;
    ~HostQueue() override;

    /**
     * @brief Sets what packets cost.
     * @param cost the costs; null for a host that takes no time: packets are delivered at once
     */
    void SetCost(Ptr<const HostCost> cost);

    /**
     * @brief Sets what a packet takes of the host.
     * @param getWork the work of one packet; without it, every packet is read and moved
     */
    void SetWork(GetWork getWork);

    /**
     * @brief Sets where packets go when their service has ended.
     * @param deliver the taker; it may call any method of this queue
     */
    void SetDeliver(Deliver deliver);

    /**
     * @brief Hands an arriving packet to the host.
     * @param packet the packet, whose size is what counts against the buffer
     * @param from the address that it came from
     * @return false when the buffer is full; the caller then counts the loss
     */
    bool Arrive(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Indicates whether the host has nothing to do.
     * @return true when no packet is in service or waiting
     */
    bool IsIdle() const;

    /**
     * @brief Gives when the last byte that was written reaches the disk.
     * @return the time; nothing when nothing was written or there is no disk
     */
    std::optional<Time> GetLastWrite() const;

    /** @brief Forgets every packet, the one in service included; nothing will be delivered. */
    void Clear();

    /**
     * @brief Gives the occupation of the buffer.
     * @return bytes of the waiting packets, without the one in service, [B]
     */
    uint64_t GetWaitingBytes() const;

    /**
     * @brief Gives the occupation of the buffer.
     * @return number of the waiting packets, without the one in service
     */
    size_t GetWaitingPackets() const;

  protected:
    void DoDispose() override;

  private:
    /** @brief A packet in the host, with its origin. */
    struct Item
    {
        Ptr<Packet> packet; //!< the packet
        Address from;       //!< where it came from
    };

    /**
     * @brief Begins the service of a packet.
     * @param item the packet
     * @param begin when the service begins, now or after an interrupt
     */
    void StartService(Item item, Time begin);

    /** @brief Ends the service in progress when its time has come, else sets the timer again. */
    void OnTimer();

    Ptr<const HostCost> m_cost; //!< what packets cost; null for nothing
    GetWork m_getWork;          //!< work of one packet; null for reading and moving
    Deliver m_deliver;          //!< where packets go
    std::deque<Item> m_waiting; //!< the buffer
    uint64_t m_waitingBytes{0}; //!< bytes in the buffer, [B]
    StorageCore m_storage;      //!< the disk
    Item m_served;              //!< the packet in service; null packet when idle
    HostWork m_work;            //!< what that packet takes
    bool m_isWriting{false};    //!< the processor is done with it
    Time m_finish;              //!< end of the service in progress
    EventId m_timer;            //!< never later than m_finish while a packet is in service
};

} // namespace ns3::lfn

#endif /* LFN_HOST_QUEUE_H */
