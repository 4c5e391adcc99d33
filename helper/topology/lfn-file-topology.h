// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FILE_TOPOLOGY_H
#define LFN_FILE_TOPOLOGY_H

#include "lfn-network-topology.h"

#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A network of nodes and links that a CSV file describes, see TopologyFile.
 *
 * The bottlenecks are the links that the file marks, each in the direction of the first pair whose
 * data cross it; without a mark those of every NetworkTopology. A link's loss, jitter and policer
 * act as those of PointToPointTopology, in both directions.
 */
class FileTopology : public NetworkTopology
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;

  private:
    void Describe() const override;

    std::string m_file; //!< Attribute File.
};

} // namespace ns3::lfn

#endif // LFN_FILE_TOPOLOGY_H
