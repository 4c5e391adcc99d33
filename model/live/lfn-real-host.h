// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_REAL_HOST_H
#define LFN_REAL_HOST_H

#include "lfn-tun.h"

#include "ns3/fd-reader.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A real host in the place of a node: the kernel behind a tun device, and what runs there.
 *
 * The host has the node's address. What the network has for the node is written to the device, and
 * what the kernel sends there enters the network as if the node had sent it, with all of its IP
 * header but the checksum; nothing of the node's own transports takes part. So any topology serves,
 * without a hop more than it has.
 *
 * Needs RealtimeSimulatorImpl and checksums (UseRealTime()). A thread reads the device; the packets
 * enter the simulation at the time at which they were read.
 */
class RealHost : public Object
{
  public:
    /** @brief What passed, and what did not. */
    struct Counters
    {
        uint64_t fromHost{0}; //!< Packets that entered the simulation.
        uint64_t toHost{0};   //!< Packets written to the device.
        uint64_t foreign{0};  //!< Packets from the host that the network has no way for, no IPv4.
        uint64_t unsound{0};  //!< Packets from the host that contradict themselves.
        uint64_t overflow{0}; //!< Packets from the host that found the backlog full.
        uint64_t refused{0};  //!< Packets that the device did not take.
        Time latest;          //!< How late at most a packet was written, by the wall clock.
    };

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    RealHost();
    ~RealHost() override;

    /**
     * @brief Have simulations run in real time and with checksums; before anything is built.
     *
     * Ends a simulation that is there, so nothing may be scheduled yet.
     */
    static void UseRealTime();

    /**
     * @brief Take the place of a node; once.
     * @param node The node, with an IPv4 stack.
     * @param address The node's address, which the host gets.
     * @param others Addresses that the host is to find behind the device.
     * @return What is missing and the remedy, or nothing when all is well.
     */
    std::optional<std::string> TakePlace(Ptr<Node> node,
                                         Ipv4Address address,
                                         const std::vector<Ipv4Address>& others);

    /** @brief Get the name of the device. */
    std::string GetDevice() const;

    /** @brief Get what passed so far. */
    const Counters& GetCounters() const;

    /** @brief Get the simulated time of the last packet of the host; nothing before the first. */
    std::optional<Time> GetLastArrival() const;

    /** @brief Get how long the host has to be silent to be done; the Attribute Silence. */
    Time GetSilence() const;

    /**
     * @brief Signature of the trace sources FromHost and ToHost.
     * @param packet The packet, from its IP header on.
     */
    typedef void (*PacketTracedCallback)(Ptr<const Packet> packet);

  protected:
    void DoDispose() override;

  private:
    class Reader;

    /** @brief Have what is for the node come here; when the run begins. */
    void TakeOverRouting();

    /** @brief Take what the thread has read, in the thread. */
    void OnRead(uint8_t* bytes, ssize_t length);

    /** @brief Send the oldest of what was read into the network. */
    void SendIntoNetwork();

    /** @brief Hand a packet of the network to the host. */
    void HandToHost(Ptr<const Packet> packet, const Ipv4Header& header);

    std::string m_device;           //!< Name of the tun device.
    std::string m_networkNamespace; //!< Where it is; empty for the process's own.
    bool m_ownAddress{true};        //!< The kernel has the node's address.
    uint32_t m_queue{0};            //!< Packets that may wait in the kernel.
    uint32_t m_backlog{0};          //!< Packets that may wait for the simulation.
    Time m_silence;                 //!< A host is done after so long.

    Tun m_tun;                                  //!< The device.
    Ptr<Reader> m_reader;                       //!< Reads the device in a thread.
    uint32_t m_nodeId{0};                       //!< Of the node, for the thread.
    Ptr<Ipv4> m_ipv4;                           //!< Of the node.
    Counters m_counters;                        //!< What passed.
    std::optional<Time> m_lastArrival;          //!< When the host sent last.
    std::mutex m_mutex;                         //!< Guards what follows.
    std::deque<std::vector<uint8_t>> m_pending; //!< Read, and not yet in the network.
    uint64_t m_overflow{0};                     //!< Read, and thrown away.

    TracedCallback<Ptr<const Packet>> m_fromHostTrace; //!< A packet enters the simulation.
    TracedCallback<Ptr<const Packet>> m_toHostTrace;   //!< A packet leaves it.
};

} // namespace ns3::lfn

#endif // LFN_REAL_HOST_H
