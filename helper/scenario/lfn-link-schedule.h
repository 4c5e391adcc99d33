// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_SCHEDULE_H
#define LFN_LINK_SCHEDULE_H

#include "lfn-link-actions.h"
#include "lfn-link-schedule-file.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/nstime.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Links that change over time: what `--linkSchedule` and `--linkTrace` ask for, and changes
 * of a program's own.
 */
class LinkSchedule
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit LinkSchedule(Flags& flags);

    /** @brief Declare `--linkSchedule` and `--linkTrace`. */
    void Declare();

    /**
     * @brief Check the flags together.
     * @param duration When the run stops; 0 where it is not known.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(Time duration) const;

    /**
     * @brief Schedule what the flags ask for; changes at time 0 happen at once. An error ends the
     * program with one line.
     * @param topology The network, built; it outlives the calls of Add() and GetLongestHold().
     */
    void Install(const TransportTopology& topology);

    /**
     * @brief Schedule a change of the program's own; after Install().
     * @param change The change.
     * @return What is wrong and the remedy, or nothing.
     */
    std::optional<std::string> Add(const LinkChange& change);

    /** @brief Get the highest rate that a link gets by a change (bit/s); 0 without one. */
    DataRate GetHighestRate() const;

    /**
     * @brief Get how much longer than at the beginning a round-trip time of propagation may become.
     */
    Time GetExtraRtt() const;

    /**
     * @brief Get how much longer a packet may be on its way to a receiver than delays and rates at
     * the beginning say; after Install().
     */
    Time GetLongestHold() const;

  private:
    Flags& m_flags;                               //!< The command line.
    std::string m_file;                           //!< Value of --linkSchedule.
    std::string m_traceText;                      //!< Value of --linkTrace.
    std::vector<LinkChange> m_changes;            //!< Of the file, then those added.
    std::vector<LinkTrace> m_traces;              //!< Of --linkTrace.
    std::unique_ptr<LinkActions> m_actions;       //!< Changes the links; null before Install().
    const TransportTopology* m_topology{nullptr}; //!< The network.
    Time m_extraRtt;                              //!< See GetExtraRtt().
};

} // namespace ns3::lfn

#endif // LFN_LINK_SCHEDULE_H
