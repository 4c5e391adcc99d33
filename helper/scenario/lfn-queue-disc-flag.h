// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_QUEUE_DISC_FLAG_H
#define LFN_QUEUE_DISC_FLAG_H

#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <optional>
#include <set>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The queue disc that `--queueDisc` puts at all bottlenecks of a topology.
 */
class QueueDiscFlag
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit QueueDiscFlag(Flags& flags);

    /** @brief Declare `--queueDisc`. */
    void Declare();

    /** @brief Install the queue disc at all bottlenecks; without the flag nothing is changed. */
    void Install(const TransportTopology& topology);

    /** @brief End the program with one line where something has replaced the queue disc. */
    void RefuseReplaced();

    /**
     * @brief Read a queue disc.
     * @param text Such as "ns3::FqCoDelQueueDisc[Target=5ms]".
     * @param factory Set when the text is good.
     * @return A remedy, or nothing when the text is good.
     */
    static std::optional<std::string> Read(const std::string& text, ObjectFactory& factory);

    /**
     * @brief Install a queue disc at a bottleneck; where that cannot be, end the program with one
     * line.
     * @param flags The command line.
     * @param factory Makes the queue disc.
     * @param device The bottleneck's sending device.
     * @param size MaxSize of the queue disc, unless its own is given; nothing leaves it.
     * @return The queue disc.
     */
    static Ptr<QueueDisc> InstallAt(const Flags& flags,
                                    const ObjectFactory& factory,
                                    Ptr<NetDevice> device,
                                    const std::optional<QueueSize>& size);

  private:
    Flags& m_flags;                     //!< The command line.
    std::string m_text;                 //!< Value of --queueDisc.
    ObjectFactory m_factory;            //!< Makes the queue disc.
    std::set<Ptr<NetDevice>> m_devices; //!< That have it; until the run.
};

} // namespace ns3::lfn

#endif // LFN_QUEUE_DISC_FLAG_H
