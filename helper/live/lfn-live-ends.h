// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LIVE_ENDS_H
#define LFN_LIVE_ENDS_H

#include "ns3/lfn-real-host.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-transfer-application.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The ends of a topology at which real hosts are: what `--live` asks for.
 */
class LiveEnds
{
  public:
    /** @brief One end, as a text asks for it. */
    struct End
    {
        bool isSender{false};         //!< A sender, else a receiver.
        uint32_t index{0};            //!< Which.
        std::string device;           //!< Name of the tun device.
        std::string networkNamespace; //!< Where it is; empty for the process's own.
    };

    /**
     * @brief Read a comma list of `sender` and `receiver`, each with an index, `=device` and
     * `@namespace` if wanted.
     * @param text Such as "receiver", "sender1=tun0@left,receiver1=tun1@right".
     * @param ends The result.
     * @return A remedy, or nothing when all is well.
     */
    static std::optional<std::string> Read(const std::string& text, std::vector<End>& ends);

    /**
     * @brief Open the devices and put the kernel in the places; the topology is built.
     * @param ends Which.
     * @param topology The network.
     * @return What is missing and the remedy, or nothing when all is well.
     */
    std::optional<std::string> TakePlaces(const std::vector<End>& ends,
                                          const TransportTopology& topology);

    /** @brief Get the real hosts, in the order of the text. */
    const std::vector<Ptr<RealHost>>& GetHosts() const;

    /** @brief Check whether a real host has taken the place of a node. */
    bool IsReal(Ptr<const Node> node) const;

    /**
     * @brief Join the reports of both ends; where one is a real host, what the other has.
     *
     * A receiver that is never notified the end counts as complete when something came: the real
     * sender reports whether it was all.
     *
     * @param source The sender.
     * @param sink The receiver.
     * @return The report of the transfer.
     */
    TransferReport JoinReports(const TransferApplication& source,
                               const TransferApplication& sink) const;

    /**
     * @brief Keep the applications on the nodes of real hosts from starting.
     * @param end When the run ends.
     * @return The number of applications.
     */
    uint32_t HoldApplications(Time end) const;

    /**
     * @brief Check whether a real sender has begun something.
     * @return True once one has sent a packet.
     */
    bool HasBegun() const;

    /**
     * @brief Check whether all real hosts have been silent for as long as their Attribute says.
     *
     * One without a flow, on whose node nothing is installed, is waited for.
     *
     * @param since When the flows ended.
     */
    bool AreSilent(Time since) const;

    /** @brief Describe what passed: a line per host. */
    std::vector<std::string> Describe() const;

    /** @brief Close the devices. */
    void Close();

  private:
    std::vector<End> m_ends;            //!< Where the hosts are.
    std::vector<Ptr<RealHost>> m_hosts; //!< One an end.
    std::vector<Ptr<Node>> m_nodes;     //!< Whose place is taken; one an end.
};

} // namespace ns3::lfn

#endif // LFN_LIVE_ENDS_H
