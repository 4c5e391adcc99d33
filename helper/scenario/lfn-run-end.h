// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RUN_END_H
#define LFN_RUN_END_H

#include "ns3/lfn-live-ends.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Stops the simulation when all given transfers have ended; with real hosts, once they are
 * silent as well.
 */
class RunEnd
{
  public:
    /**
     * @brief Constructor.
     * @param live The real hosts; it outlives this.
     */
    explicit RunEnd(const LiveEnds& live);

    /**
     * @brief Stop the simulation when this application and all others given have ended, well or
     * not.
     * @param application An application that has not ended yet.
     */
    void StopAfter(Ptr<TransferApplication> application);

    /**
     * @brief Stop the simulation when this transfer and all others given have ended: the source
     * has ended, and unless it failed the sink has delivered everything.
     * @param source A source that has not ended yet, and that its sink acknowledges to.
     * @param sink Its sink, which serves no other source.
     */
    void StopAfter(Ptr<TransferApplication> source, Ptr<TransferApplication> sink);

    /** @brief Wait for the silence of real hosts; before the simulation runs. */
    void Begin();

    /** @brief Get the number of given transfers that have not ended. */
    uint32_t GetRunning() const;

  private:
    /** @brief Count an application that has ended, and stop after the last one. */
    void OnEnd(const TransferReport& report);

    /**
     * @brief A source has completed: its transfer ends when the sink has delivered everything.
     * @param source The source.
     * @param sink Its sink.
     */
    void AwaitDelivery(const TransferApplication* source, TransferApplication* sink);

    /** @brief Stop when the transfers have ended and the real hosts are silent. */
    void WatchSilence();

    const LiveEnds& m_live;   //!< The real hosts.
    uint32_t m_running{0};    //!< Transfers that have not ended.
    bool m_hadRunning{false}; //!< There was something to wait for.
    Time m_lastEnd;           //!< When the last of these ended.
};

} // namespace ns3::lfn

#endif // LFN_RUN_END_H
