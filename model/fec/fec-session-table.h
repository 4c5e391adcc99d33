// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_SESSION_TABLE_H
#define FEC_SESSION_TABLE_H

#include "fec-receiver-core.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief The flows of a FEC receiver, each with its own blocks.
 *
 * A flow is known by the random number in its headers, as a source of RTP is by its SSRC (RFC 3550,
 * section 8), and not by the address that it comes from. So a flow goes on when its sender's
 * address changes, and datagrams of another flow neither end it nor close its blocks. The number of
 * flows is bounded. Another flow replaces one of which a single datagram has come (RFC 3550,
 * appendix A.1), else one that is silent; without such a flow it is refused.
 */
class FecSessionTable
{
  public:
    /** @brief What holds for all flows. */
    struct Settings : FecReceiverCore::Settings
    {
        uint32_t maxSessions{16}; //!< flows that are open at a time, at least 1
        Time timeout;             //!< a flow that is silent for longer may be replaced
    };

    /** @brief A flow. */
    struct Session
    {
        FecReceiverCore core;  //!< its blocks
        uint64_t datagrams{0}; //!< its datagrams that were taken
        uint64_t largest{0};   //!< user bytes of its largest datagram, [B]
        Time lastArrival;      //!< when the last of its datagrams came
    };

    /** @brief A table with the default settings and without flows. */
    FecSessionTable() = default;

    /**
     * @brief A table without flows.
     * @param settings what holds for all flows
     */
    explicit FecSessionTable(const Settings& settings);

    /**
     * @brief Find or open the flow of a datagram.
     * @param now the time
     * @param number the flow's number
     * @return the flow, valid until the next call; null when there is no room for it
     */
    Session* Find(Time now, uint32_t number);

    /** @brief Close all blocks of all flows. */
    void Finish();

    /** @brief Get the number of flows that are open. @return the number */
    std::size_t GetSize() const;

    /**
     * @brief Get what was counted.
     *
     * A flow of which only one datagram has come counts nothing as lost: it may be forged.
     *
     * @return the counts, summed over all flows
     */
    FecReceiverCore::Counters GetCounters() const;

    /**
     * @brief Get what closed blocks lack.
     * @return user bytes, in datagrams of the flow's largest size, [B]
     */
    uint64_t GetLostBytes() const;

  private:
    using Sessions = std::map<uint32_t, Session>; //!< flows by their numbers

    /**
     * @brief Find the flow that another one may replace.
     * @param now the time
     * @return the flow; end() when there is none
     */
    Sessions::iterator FindReplaceable(Time now);

    /**
     * @brief Close a flow and keep its counts.
     * @param session the flow
     */
    void Close(Sessions::iterator session);

    /**
     * @brief Get what was counted of a flow.
     * @param session the flow
     * @return the counts
     */
    static FecReceiverCore::Counters GetCounters(const Session& session);

    /**
     * @brief Get what closed blocks of a flow lack.
     * @param session the flow
     * @return user bytes, [B]
     */
    static uint64_t GetLostBytes(const Session& session);

    Settings m_settings;                //!< what holds for all flows
    Sessions m_sessions;                //!< the flows that are open
    FecReceiverCore::Counters m_closed; //!< what was counted of closed flows
    uint64_t m_closedLostBytes{0};      //!< what they lack, [B]
};

} // namespace ns3::lfn

#endif // FEC_SESSION_TABLE_H
