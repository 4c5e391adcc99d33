// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_BACKGROUND_TRAFFIC_H
#define LFN_BACKGROUND_TRAFFIC_H

#include "ns3/lfn-background.h"
#include "ns3/lfn-flags.h"
#include "ns3/lfn-topology.h"
#include "ns3/nstime.h"
#include "ns3/tcp-background.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The cross traffic that `--background` asks for.
 *
 * The hosts are those of the topology: sender i and receiver i, from the first of each again when
 * there are fewer. Ports 40000 to 48999 belong to this traffic.
 */
class BackgroundTraffic
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     */
    explicit BackgroundTraffic(Flags& flags);

    /** @brief Declare `--background`. */
    void Declare();

    /** @brief Get the kinds, in the order of the flag; after Flags::Check(). */
    const std::vector<Ptr<Background>>& Get() const;

    /**
     * @brief Take the endless TCP flows over: Install() then leaves them to the program, which
     * calls TcpBackground::Add() for each.
     * @return The kind of each flow.
     */
    std::vector<Ptr<TcpBackground>> TakeTcp();

    /**
     * @brief Install what is not taken; an error ends the program with one line.
     * @param topology The network, built.
     * @param start When the traffic starts.
     */
    void Install(const TransportTopology& topology, Time start) const;

    /** @brief Get the text of background.csv; empty without cross traffic. */
    std::string Print() const;

  private:
    Flags& m_flags;                       //!< The command line.
    std::string m_text;                   //!< Value of --background.
    std::vector<Ptr<Background>> m_kinds; //!< Made from it.
    bool m_hasTakenTcp{false};            //!< TakeTcp() was called.
};

} // namespace ns3::lfn

#endif // LFN_BACKGROUND_TRAFFIC_H
