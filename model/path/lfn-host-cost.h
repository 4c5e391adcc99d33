// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_HOST_COST_H
#define LFN_HOST_COST_H

#include "lfn-storage-core.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief What a packet takes of the host that receives it. */
struct HostWork
{
    Time time;                      //!< of the processor
    uint32_t storedBytes{0};        //!< that go to the storage, [B]
    std::optional<uint64_t> offset; //!< their place; unless set the end of those before, [B]
};

/**
 * @ingroup lfn
 * @brief What a packet costs the host that sends or receives it.
 *
 * The host is one server. Every packet that arrives costs an interrupt, also one that finds the
 * buffer full; a packet that is read costs the reading; a packet whose bytes go to the application
 * costs the moving on top. With x packets offered a second, an interrupt cost c_i and c_a for
 * reading and moving, a saturated host delivers y = (1 - x * c_i) / c_a packets a second: the more
 * is offered, the less gets through (receive livelock). With c_i = 0 it is a plateau.
 *
 * A datagram larger than the path's packets can cost the host per fragment, too.
 *
 * With a StorageRate user bytes are read from a disk, or written to one, see StorageCore. Processor
 * and disk work at the same time. A receiver that waits for its disk reads no packets: they wait in
 * the buffer, where UDP loses what finds no room and TCP closes its window.
 *
 * Profiles, fitted to the published measurements with 1450-byte packets (Quanta paper,
 * section 4.2): | profile       | interrupt | read     | move    | buffer  | explains |
 * |---------------|-----------|----------|---------|---------|---------------------------------|
 * | livelock      | 4.01 us   | 9.20 us  | 5.57 us | 128 KiB | 12 % loss at 682, 33 % at 834   |
 * | livelock-fast | 2.005 us  | 4.60 us  | 2.785 us| 128 KiB | the same host, twice as fast    |
 * | constant      | 0         | 13.21 us | 4.83 us | 8 MiB   | plateau at 643, at 878 unmoved  |
 * | pacing-16us   | 0         | 16 us    | 0       | 8 MiB   | sending host's floor, 725 Mb/s  |
 *
 * Two more names: "none" stands for no host cost at all, a null pointer; "custom" for the
 * attributes' defaults, as Config::SetDefault() or `--ns3::lfn::HostCost::ReadCost=50us` set them.
 */
class HostCost : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    HostCost() = default;

    /**
     * @brief Makes a copy of a named profile.
     * @param name one of GetProfileNames()
     * @return the profile, null for "none", new with default attributes for "custom"; no value when
     * the name is unknown
     */
    static std::optional<Ptr<HostCost>> FindProfile(const std::string& name);

    /**
     * @brief Gives an application its host's speed, by its attribute HostCost.
     * @param application a sender or receiver with that attribute
     * @param profile one of GetProfileNames(); an unknown one and "none" change nothing
     */
    static void SetProfile(Ptr<Object> application, const std::string& profile);

    /** @brief Lists the profiles. @return their names, "none" first, "custom" last */
    static std::vector<std::string> GetProfileNames();

    /**
     * @brief Gives the time to take a packet off a socket, or to put it on one.
     * @param bytes size of the packet's payload, [B]
     * @return fixed cost, cost of the fragments, and two passes of the bytes through memory
     */
    Time GetReadTime(uint32_t bytes) const;

    /**
     * @brief Gives the time to move a packet between the socket and the application's memory.
     * @param bytes size of the packet's payload, [B]
     * @return fixed cost plus one pass of the bytes through memory
     */
    Time GetMoveTime(uint32_t bytes) const;

    /**
     * @brief Gives the time that every arriving packet takes, kept or not.
     * @return the time of one interrupt
     */
    Time GetInterruptTime() const;

    /**
     * @brief Gives what a packet takes of the host that receives it.
     * @param bytes size of the packet's payload, [B]
     * @param isMoved the bytes go to the application, and to the storage
     * @return time to read it, and to move it
     */
    HostWork GetWork(uint32_t bytes, bool isMoved = true) const;

    /** @brief Makes the disk. @return it, at rest; none when StorageRate is 0 */
    StorageCore MakeStorage() const;

    /** @brief Gives the room for packets that wait to be read. @return size of the buffer, [B] */
    uint32_t GetBufferSize() const;

  private:
    /**
     * @brief Gives the time that bytes need on the memory bus.
     * @param bytes how many, [B]
     * @param passes how often each byte crosses it
     * @return the time; 0 when the bandwidth is ignored
     */
    Time GetMemoryTime(uint32_t bytes, uint32_t passes) const;

    Time m_interruptCost;       //!< attribute InterruptCost
    Time m_readCost;            //!< attribute ReadCost
    Time m_moveCost;            //!< attribute MoveCost
    Time m_fragmentCost;        //!< attribute FragmentCost
    uint32_t m_fragmentSize{0}; //!< attribute FragmentSize, [B]
    DataRate m_memoryBandwidth; //!< attribute MemoryBandwidth
    uint32_t m_bufferSize{0};   //!< attribute BufferSize, [B]
    DataRate m_storageRate;     //!< attribute StorageRate
    uint64_t m_storageCache{0}; //!< attribute StorageCache, [B]
    Time m_seekTime;            //!< attribute SeekTime
};

/**
 * @ingroup lfn
 * @brief Holds packets back while the sending host is still busy with the one before.
 *
 * A value without timers: it is asked when a packet that is due may really leave. Packet i leaves
 * at max(wanted time, departure of packet i-1 + cost of packet i), and not before the disk has read
 * its last byte.
 */
class HostSendGate
{
  public:
    /** @brief Makes a gate that is always open. */
    HostSendGate() = default;

    /**
     * @brief Makes a gate for a host.
     * @param cost what a packet costs; null for a gate that is always open
     * @param moveData whether the application's bytes are moved (otherwise only the socket call
     *        is paid)
     */
    explicit HostSendGate(Ptr<const HostCost> cost, bool moveData = true);

    /**
     * @brief Has packets leave no faster than the host's interface takes them, as from a socket
     *        that blocks while its interface is busy.
     * @param rate rate of payload bytes; 0 bit/s for no limit
     */
    void SetInterfaceRate(DataRate rate);

    /**
     * @brief Lets one packet through and remembers when.
     * @param now the present time
     * @param wanted when the packet should leave
     * @param bytes size of its payload, [B]
     * @param stored user bytes that come from the storage; {} for none
     * @return when it leaves: not before now, nor wanted, nor the host has time for it
     */
    Time Admit(Time now, Time wanted, uint32_t bytes, const StorageCore::Range& stored = {});

  private:
    Ptr<const HostCost> m_cost;          //!< the host's costs; null for none
    StorageCore m_storage;               //!< the host's disk
    bool m_moveData{true};               //!< moving is paid too
    std::optional<Time> m_lastDeparture; //!< when the packet before left
    DataRate m_interfaceRate;            //!< 0 for no limit
    Time m_interfaceFree;                //!< when the interface has sent the packet before
};

} // namespace ns3::lfn

#endif /* LFN_HOST_COST_H */
