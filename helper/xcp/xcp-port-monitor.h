// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_PORT_MONITOR_H
#define XCP_PORT_MONITOR_H

#include "ns3/lfn-path-monitor.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Looks at a router's output port: the queue over time, and what became of the packets of
 * both classes.
 *
 * Works with any queue disc. XCP's packets are recognised by their IP protocol number, also behind
 * IPv6's extension headers, all others are end-to-end. The number is ProtocolNumber of the disc,
 * or, where that has none, HeaderProtocol of XcpL4Protocol as it is by default when the monitor is
 * made. The queue is that of the disc and that of the device, the packet being sent excluded. It
 * must outlive the simulation.
 */
class XcpPortMonitor
{
  public:
    /** @brief What the packets of a class have suffered. */
    struct Losses
    {
        uint64_t tail{0};     //!< dropped, not by the fairness mechanism
        uint64_t fairness{0}; //!< dropped by the fairness mechanism
        uint64_t marks{0};    //!< marked instead of dropped

        /** @brief Add those of another port or class. */
        Losses& operator+=(const Losses& other);
    };

    /** @brief Means over a window of time. */
    struct Means
    {
        double queuePackets{0}; //!< packets that wait
        double queueBytes{0};   //!< what they take, [B]
        double utilisation{0};  //!< share of time in which the device was sending
        bool isReported{false}; //!< the device reports that
    };

    /**
     * @brief Constructor.
     * @param device the sending device
     * @param disc its root queue disc; null when it has none, and no losses are counted then
     */
    XcpPortMonitor(Ptr<NetDevice> device, Ptr<QueueDisc> disc);

    XcpPortMonitor(const XcpPortMonitor&) = delete;
    XcpPortMonitor& operator=(const XcpPortMonitor&) = delete;

    /**
     * @brief Get what a class has suffered since the start.
     * @param isXcp XCP's packets, or else all others
     * @return the counts
     */
    const Losses& GetLosses(bool isXcp) const;

    /** @brief Get the longest queue since the last call, however short its stay [packets]. */
    uint32_t TakePeak();

    /** @brief Begin a window of time; what was before is forgotten. */
    void Begin();

    /** @brief Get the means since the last call of this or of Begin(), and begin again. */
    Means Take();

  private:
    /** @brief What waits in one place. */
    struct Waiting
    {
        uint32_t packets{0}; //!< how many
        uint32_t bytes{0};   //!< what they take, [B]
    };

    /** @brief Compute with the queue as it was until now. */
    void Settle();

    /** @brief What waits in one place has changed. */
    void Change(Waiting& part, Waiting now);

    /**
     * @brief The packets in the device's queue change; its bytes have changed before. While a trace
     * source calls, the queue itself still reports the count of before.
     */
    void OnQueue(uint32_t before, uint32_t now);

    /** @brief The bytes in the disc change; its packets have changed before. */
    void OnDisc(uint32_t before, uint32_t now);

    /** @brief The disc has dropped a packet. */
    void OnDrop(Ptr<const QueueDiscItem> item, const char* reason);

    /** @brief The disc has marked a packet. */
    void OnMark(Ptr<const QueueDiscItem> item, const char* reason);

    Ptr<QueueDisc> m_disc;     //!< the queue disc; null when there is none
    Ptr<QueueBase> m_queue;    //!< the device's own queue; null when it shows none
    PathMonitor m_path;        //!< of the device
    Losses m_xcp;              //!< of XCP's packets
    Losses m_e2e;              //!< of all others
    Time m_begin;              //!< when the window began
    Time m_since;              //!< since when the queue has been as it is
    uint8_t m_protocol{0};     //!< IP protocol number of XCP
    Waiting m_inQueue;         //!< in the device's queue
    Waiting m_inDisc;          //!< in the disc
    uint32_t m_peak{0};        //!< most packets that waited since TakePeak()
    double m_packetSeconds{0}; //!< integral over the window
    double m_byteSeconds{0};   //!< integral over the window
};

} // namespace ns3::lfn

#endif // XCP_PORT_MONITOR_H
