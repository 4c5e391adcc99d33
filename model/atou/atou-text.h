// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEXT_H
#define ATOU_TEXT_H

#include "atou-options.h"
#include "atou-receiver-core.h"
#include "atou-state.h"
#include "atou-statistics.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief The lines that atou's programs write: traces, events, summaries.
 *
 * Words, order and digits are those of the atou page's samples. What later versions added stands
 * after that or, in the options, where they differ from their defaults.
 */
class AtouText
{
  public:
    static constexpr uint64_t MAX_MISSING = 1000; //!< lines of missing segments in a summary

    /** @brief What a client's summary needs in addition to options, state and counters. */
    struct ClientRun
    {
        std::string program{"atoucli"}; //!< name and version of the program
        std::string date;               //!< when it ran; may be empty
        std::string client;             //!< name of its host
        std::string server;             //!< name of the server's host
        Time elapsed;                   //!< from the first segment to the end
        uint32_t segmentBytes{1460};    //!< bytes that a segment counts
        double vegasDelta{0};           //!< Vegas: delta of the last epoch, segments
    };

    /** @brief What a server's summary needs in addition to its counters. */
    struct ServerRun
    {
        Time first;                  //!< when the first datagram came
        Time last;                   //!< when the last one came
        uint32_t segmentBytes{1472}; //!< bytes of a datagram
    };

    /**
     * @brief Write a trace line of a transmission.
     * @param time when, since the start
     * @param segment the segment
     * @return the line, without its end
     */
    static std::string MakeXmt(Time time, uint32_t segment);

    /**
     * @brief Write a trace line of an acknowledgement.
     * @param time when, since the start
     * @param segment next expected segment, or with SACK the last good one
     * @param rtt the round-trip time
     * @param state the sender's state before the acknowledgement
     * @param blocks SACK blocks
     * @return the line, without its end
     */
    static std::string MakeAck(Time time,
                               uint32_t segment,
                               Time rtt,
                               const AtouState& state,
                               std::span<const AtouBlock> blocks);

    /**
     * @brief Write a line of the event log.
     * @param event the event
     * @param hasVegas a loss also reports the Vegas delta
     * @return the line, without its end
     */
    static std::string MakeEvent(const AtouEvent& event, bool hasVegas);

    /**
     * @brief Write a client's summary.
     * @param options its options
     * @param statistics its counters
     * @param state its state at the end
     * @param run all else
     * @return the lines
     */
    static std::string MakeClientSummary(const AtouOptions& options,
                                         const AtouStatistics& statistics,
                                         const AtouState& state,
                                         const ClientRun& run);

    /**
     * @brief Write a server's summary; missing segments beyond MAX_MISSING share a line.
     * @param counters its counters
     * @param gaps runs of missing segments
     * @param run all else
     * @return the lines
     */
    static std::string MakeServerSummary(const AtouReceiverCore::Counters& counters,
                                         const std::vector<AtouBlock>& gaps,
                                         const ServerRun& run);
};

} // namespace ns3::lfn

#endif // ATOU_TEXT_H
