// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_LOG_H
#define ATOU_LOG_H

#include "atou-helper.h"

#include "ns3/lfn-run-recorder.h"

#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Keeps what an atou client of the original writes: trace, event log and summary.
 *
 * The option debug says how much: events of losses from 2 on, Vegas's exit from 3, the trace from
 * 4, bandwidths from 5, badacks from 6. Connected before the start.
 */
class AtouLog
{
  public:
    /** @brief Declare the files, before the recorder's Prepare(). */
    static void Declare(RunRecorder& recorder);

    /**
     * @brief Constructor: listens to the client.
     * @param recorder takes the files; it must outlive the transfer
     * @param transfer the two ends
     */
    AtouLog(RunRecorder& recorder, const AtouHelper::Transfer& transfer);

    AtouLog(const AtouLog&) = delete;
    AtouLog& operator=(const AtouLog&) = delete;

    /** @brief Hand the files to the recorder: client.trace, client.events and the summaries. */
    void Write() const;

    /** @brief Get the trace: a line per transmission and a line per ACK; empty below debug 4. */
    const std::string& GetTrace() const;

    /** @brief Get the event log, a line per event; empty below debug 2. */
    const std::string& GetEvents() const;

    /** @brief Write the client's summary. */
    std::string MakeClientSummary() const;

    /** @brief Write the server's summary. */
    std::string MakeServerSummary() const;

  private:
    /** @brief A segment is sent, or retransmitted. */
    void OnTransmit(uint32_t segment, bool isRepeated);

    /** @brief An acknowledgement has come, with the state before it. */
    void OnAck(const AtouAck& ack, const AtouState& before);

    /** @brief An event. */
    void OnEvent(const AtouEvent& event);

    /** @brief Get the time since the client's start. */
    Time GetTime() const;

    RunRecorder& m_recorder;  //!< takes the files
    Ptr<AtouClient> m_client; //!< the client
    Ptr<AtouServer> m_server; //!< its server
    std::string m_trace;      //!< the trace
    std::string m_events;     //!< the event log
};

} // namespace ns3::lfn

#endif // ATOU_LOG_H
