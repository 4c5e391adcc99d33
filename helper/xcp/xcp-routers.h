// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_ROUTERS_H
#define XCP_ROUTERS_H

#include "xcp-experiment-settings.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/xcp-tcp-fairness.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Makes a topology's bottlenecks, and with it the hosts' links, output ports as the settings
 * of an XcpExperiment ask: queue disc, buffer, ECN, fairness mechanism.
 *
 * What follows from the settings is the default of an Attribute, unless the command line gives it.
 */
class XcpRouters
{
  public:
    /// First random stream of the ports on the hosts' links, beyond all flows.
    static constexpr int64_t ACCESS_STREAM = int64_t{5} << 50;

    /** @brief List the sending devices of a topology's bottlenecks, each once, in their order. */
    static std::vector<Ptr<NetDevice>> ListDevices(const TransportTopology& topology);

    /**
     * @brief Constructor.
     * @param flags the command line, of xcp-tcp-fairness
     * @param settings what to do
     * @param topology the network
     * @param laterRate highest rate that a bottleneck gets during the run (bit/s); 0 for none
     */
    XcpRouters(const Flags& flags,
               const XcpExperimentSettings& settings,
               Ptr<TransportTopology> topology,
               DataRate laterRate);

    /**
     * @brief Install the queue discs, and let sockets to come have buffers for a path with them;
     * what cannot be ends the program.
     * @return the queue discs, those of ListDevices()
     */
    std::vector<Ptr<QueueDisc>> Install();

  private:
    /** @brief Make a bottleneck's sending device an output port; its queue disc is returned. */
    Ptr<QueueDisc> InstallPort(Ptr<NetDevice> device);

    /** @brief Put XCP's queue discs on the links of the hosts. */
    void InstallAccessPorts() const;

    /** @brief Let sockets have the buffers that the path asks for. */
    void ImplySocketBuffers() const;

    /** @brief Get the size of the buffer that the flags ask for at a bottleneck's rate [bit/s]. */
    QueueSize GetBuffer(double rate) const;

    /** @brief Get the size of a TCP packet with its IP header [B]. */
    uint32_t GetWireSize() const;

    /** @brief Make the fairness mechanism of a port. */
    Ptr<XcpTcpFairness> MakeFairness() const;

    const Flags& m_flags;                    //!< the command line
    const XcpExperimentSettings& m_settings; //!< what is asked for
    DataRate m_laterRate;                    //!< highest rate of a bottleneck in the run
    Ptr<TransportTopology> m_topology;       //!< the network
    double m_rate{0};                        //!< largest of a bottleneck, ever, [bit/s]
    double m_queued{0};                      //!< what the bottlenecks' buffers hold, [B]
};

} // namespace ns3::lfn

#endif // XCP_ROUTERS_H
