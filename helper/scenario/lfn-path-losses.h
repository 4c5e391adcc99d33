// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_PATH_LOSSES_H
#define LFN_PATH_LOSSES_H

#include "ns3/error-model.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Losses at the bottlenecks of a topology: those that `--lossRate` asks for, and others.
 *
 * Every model sees every packet, so one model's losses never shift another's random stream.
 */
class PathLosses
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit PathLosses(Flags& flags);

    /** @brief Declare `--lossRate`, `--lossBurst` and `--reverseLoss`. */
    void Declare();

    /**
     * @brief Check the flags together.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check() const;

    /**
     * @brief Lose packets at all bottlenecks as the flags say.
     * @param topology The network, built; it outlives the calls of AddData() and AddReverse().
     */
    void Install(const TransportTopology& topology);

    /**
     * @brief Add a loss model for data; after Install().
     * @param model The model; it sees packets as they arrive at the bottleneck's receiving device.
     * @param bottleneck The bottleneck's index; if it does not exist, the program ends with one
     * line.
     */
    void AddData(Ptr<ErrorModel> model, uint32_t bottleneck = 0);

    /**
     * @brief Add a loss model for the reverse path; as AddData().
     * @param model The model; it sees packets as they arrive at the bottleneck's sending device.
     * @param bottleneck The bottleneck's index.
     */
    void AddReverse(Ptr<ErrorModel> model, uint32_t bottleneck = 0);

  private:
    /** @brief Make the error model that the flags describe; null if no such model exists. */
    Ptr<ErrorModel> MakeModel(int64_t stream) const;

    /** @brief Get a bottleneck; if it does not exist, end the program with one line. */
    const TransportTopology::Link& GetBottleneck(uint32_t index) const;

    /** @brief Add a loss model to a device, in addition to those that it has. */
    void Add(Ptr<NetDevice> device, Ptr<ErrorModel> model) const;

    Flags& m_flags;         //!< The command line.
    double m_rate{0};       //!< Loss probability of an IP packet.
    double m_burst{0};      //!< Mean length of a burst of losses; 0: no bursts.
    bool m_bothWays{false}; //!< Lose packets of the reverse path as well.
    const TransportTopology* m_topology{nullptr}; //!< The network.
};

} // namespace ns3::lfn

#endif // LFN_PATH_LOSSES_H
