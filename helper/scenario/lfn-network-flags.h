// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_NETWORK_FLAGS_H
#define LFN_NETWORK_FLAGS_H

#include "lfn-background-traffic.h"
#include "lfn-link-schedule.h"
#include "lfn-path-losses.h"
#include "lfn-queue-disc-flag.h"

#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The flags of a network: its topology, and what all programs put at its bottlenecks.
 */
class NetworkFlags
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit NetworkFlags(Flags& flags);

    /** @brief Get the losses, to add models after Install(). */
    PathLosses& GetLosses();

    /** @brief Get the changes of links, to add some after Install(). */
    LinkSchedule& GetLinks();

    /** @brief Get the cross traffic. */
    BackgroundTraffic& GetBackground();

    /** @brief Get the topology of `--topology`, not yet built; null without it. */
    Ptr<TransportTopology> GetAsked() const;

    /**
     * @brief Declare the flags.
     * @param topologies Classes of the program's own network, see ScenarioOptions.
     * @param hasLinkFlags Declare `--linkRate`, `--rtt` and `--queue`.
     * @param hasQueueDisc Declare `--queueDisc`.
     */
    void Declare(const std::vector<std::string>& topologies, bool hasLinkFlags, bool hasQueueDisc);

    /**
     * @brief Make the topology of `--topology` and check the flags together.
     * @param duration When the run stops; 0 where it is not known.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(Time duration);

    /**
     * @brief Put queue discs and losses at the bottlenecks, and schedule changes of links.
     * @param topology The network, built; it outlives this.
     */
    void Install(const TransportTopology& topology);

    /** @brief Refuse `--queueDisc` where a transport has replaced it. */
    void RefuseReplaced();

  private:
    /** @brief Declare a flag that is an Attribute of the program's own network. */
    void DeclarePathFlag(const std::vector<std::string>& topologies,
                         const std::string& name,
                         const std::string& attribute,
                         const std::string& help);

    /** @brief Make the topology of `--topology`; as Check(). */
    std::optional<std::string> MakeTopology();

    Flags& m_flags;                 //!< The command line.
    std::string m_topologyText;     //!< Value of --topology.
    Ptr<TransportTopology> m_asked; //!< Made from --topology, or null.
    PathLosses m_losses;            //!< Losses at the bottlenecks.
    LinkSchedule m_links;           //!< Links that change over time.
    QueueDiscFlag m_queueDisc;      //!< Queue disc at the bottlenecks.
    BackgroundTraffic m_background; //!< Cross traffic.
};

} // namespace ns3::lfn

#endif // LFN_NETWORK_FLAGS_H
