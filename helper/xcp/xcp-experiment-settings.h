// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_EXPERIMENT_SETTINGS_H
#define XCP_EXPERIMENT_SETTINGS_H

#include "ns3/lfn-link-schedule-file.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief What an XcpExperiment does that is no Attribute; see the flags of xcp-tcp-fairness.
 */
struct XcpExperimentSettings
{
    double bufferBdp{1};                 //!< buffer over bandwidth-delay product
    QueueSize queue{"1000p"};            //!< instead of that, if it is given
    uint32_t xcpFlows{1};                //!< of XCP
    uint32_t tcpFlows{2};                //!< of TCP
    uint32_t udpFlows{0};                //!< of UDP, 0 or 1
    std::vector<Time> xcpStart{Time(0)}; //!< one, or one a flow
    std::vector<Time> tcpStart{Time(0)}; //!< one, or one a flow
    std::vector<Time> xcpStop{Time(0)};  //!< one, or one a flow; 0: never
    std::vector<Time> tcpStop{Time(0)};  //!< one, or one a flow; 0: never
    Time startSpread{Seconds(1)};        //!< starts are late by up to this, at random
    std::string mechanism{"none"};       //!< the routers' fairness mechanism
    std::string estimator{"sred"};       //!< counts flows
    std::string queueDisc{"xcp"};        //!< or another one
    bool ecn{false};                     //!< mark instead of dropping
    Time udpStart;                       //!< when UDP starts
    std::string rateChange;              //!< time:rate, ...
    bool xcpAccess{false};               //!< XCP on the access links, too
    Time statsFrom;                      //!< window of the statistics
    Time statsTo;                        //!< its end; 0: that of the run
    ObjectFactory disc;                  //!< makes the bottleneck's queue disc
    std::vector<LinkChange> changes;     //!< made from rateChange

    /** @brief Get the number of all flows, of XCP, TCP and UDP. */
    uint32_t GetFlows() const
    {
        return xcpFlows + tcpFlows + udpFlows;
    }

    /**
     * @brief Check whether XCP's FIFO is at the bottleneck, with the mechanism: persistent, gated
     * or adaptive.
     */
    bool HasMechanism() const
    {
        return mechanism != "none" && mechanism != "wrr";
    }
};

} // namespace ns3::lfn

#endif // XCP_EXPERIMENT_SETTINGS_H
