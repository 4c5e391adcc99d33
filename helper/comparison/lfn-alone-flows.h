// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ALONE_FLOWS_H
#define LFN_ALONE_FLOWS_H

#include "ns3/lfn-flags.h"
#include "ns3/lfn-installed-objects.h"
#include "ns3/lfn-run-meter.h"
#include "ns3/lfn-run-recorder.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The flag `--alone`: a simulation for each flow, and one table of all.
 *
 * Each simulation runs in a forked child, one after the other, because ns-3 keeps state in the
 * process: addresses, random streams, defaults. A flow keeps its number, and with it its hosts,
 * ports and random streams.
 */
class AloneFlows
{
  public:
    /**
     * @brief Constructor.
     * @param flags the command line; it must stay
     * @param recorder the files of the run; it must stay
     */
    AloneFlows(Flags& flags, RunRecorder& recorder);

    /** @brief Declare the flag. */
    void Declare();

    /**
     * @brief Make the simulations, if the flag is given; before the topology is built.
     *
     * Flags that describe one network of all flows are refused. A simulation that fails ends the
     * program with status 1.
     *
     * @param flows number of flows
     * @return true in the parent, when all simulations have ended and the recorder has their rows;
     *         false in a child, and without the flag: the caller has to simulate
     */
    bool MakeRuns(uint32_t flows);

    /** @brief Get the flow of this child; nothing outside of a child. */
    std::optional<uint32_t> GetFlow() const;

    /**
     * @brief Pass what the recorder holds on to the parent.
     * @param cost what the simulation cost
     * @param absent Attributes that nothing of this flow takes; refused if that holds for all flows
     */
    void HandOver(const RunCost& cost, const InstalledObjects::Absent& absent) const;

  private:
    /**
     * @brief Wait for a child, and take what it passes on.
     * @param child its process id
     * @param pipe file descriptor to read from
     * @return what the child's recorder has packed
     */
    std::string Await(int child, int pipe) const;

    /**
     * @brief Take the Attributes without effect off what a child passes on.
     * @param[in,out] passed what Await() returned; what the recorder has packed is left
     * @return the Attributes, each with a remedy
     */
    static InstalledObjects::Absent TakeAbsent(std::string& passed);

    Flags& m_flags;                 //!< the command line
    RunRecorder& m_recorder;        //!< the files
    bool m_isWanted{false};         //!< value of --alone
    std::optional<uint32_t> m_flow; //!< of this child
    int m_pipe{-1};                 //!< of this child, to write to
};

} // namespace ns3::lfn

#endif // LFN_ALONE_FLOWS_H
