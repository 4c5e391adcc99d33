// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_HOST_BUDGET_H
#define JRM_HOST_BUDGET_H

#include "jrm-source.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief What hosts may make a receiver hold and ask for (deviation JRM-D18).
 *
 * A host is an address, with all its ports. There is space for a number of streams, messages and
 * bytes, of which one host may have a share; and the requests to a host are in proportion to what
 * has come of it.
 */
class JrmHostBudget
{
  public:
    /** @brief What there is in all, and what of it one host may have. */
    struct Limits
    {
        std::size_t maxStreams{4096};  //!< streams at once
        std::size_t maxHolders{65536}; //!< messages begun at once; what is beyond is lost
        uint64_t maxBytes{1U << 30};   //!< what they take in all, B
        double hostShare{1}; //!< of streams, messages and bytes, what those of one host may take
        double nackLimit{0}; //!< bytes of requests over those that came of a host; 0: no limit
    };

    /** @brief What the streams of a host take. */
    struct Host
    {
        std::size_t streams{0}; //!< their number
        std::size_t holders{0}; //!< messages begun
        uint64_t bytes{0};      //!< what these take, B
        double credit{0};       //!< bytes that requests to it may still have
        uint32_t headers{0};    //!< of IP and UDP in its datagrams, B
    };

    /** @brief Nobody has anything, with the default limits. */
    JrmHostBudget() = default;

    /**
     * @brief Nobody has anything.
     * @param limits what may be had
     */
    explicit JrmHostBudget(const Limits& limits);

    /**
     * @brief A stream begins.
     * @param source where it comes from
     * @return its host, which stays where it is while it has streams; null when there are too many
     */
    Host* AddStream(const JrmSource& source);

    /**
     * @brief Some streams come from another source from now on: check whether it may have them.
     * @param from where they came from
     * @param to where they come from now
     * @param streams their number
     * @return false when the host of that source would have too many
     */
    bool MayMove(const JrmSource& from, const JrmSource& to, std::size_t streams) const;

    /**
     * @brief A stream that may move does so; its messages are still charged to its former host.
     * @param to where it comes from now
     * @return its host; RemoveStream() of its former source is next
     */
    Host* MoveStream(const JrmSource& to);

    /**
     * @brief A stream ends, none of whose messages takes anything any more.
     * @param source as given to AddStream()
     */
    void RemoveStream(const JrmSource& source);

    /**
     * @brief Check whether there is room.
     * @param host whose it would be
     * @param holders messages more
     * @param bytes bytes more, B
     * @return false when that is more than there is, or than the host may have
     */
    bool HasRoom(const Host& host, std::size_t holders, uint64_t bytes) const;

    /**
     * @brief A message begins.
     * @param host whose it is
     */
    void AddHolder(Host& host);

    /**
     * @brief A message ends.
     * @param host whose it was
     * @param bytes all that Charge() was notified of it, B
     */
    void RemoveHolder(Host& host, uint64_t bytes);

    /**
     * @brief A message takes more.
     * @param host whose it is
     * @param bytes so much, B
     */
    void Charge(Host& host, uint64_t bytes);

    /**
     * @brief A datagram of a host has come.
     * @param host the host
     * @param bytes size of its data, without headers, B
     */
    void Credit(Host& host, uint32_t bytes) const;

    /**
     * @brief Get how many packets one request to a host may still list, if it is not too long.
     * @param host the host
     * @return packets; 0 for no request
     */
    std::size_t GetRequestRoom(const Host& host) const;

    /**
     * @brief Take what a request costs from what its host has sent.
     * @param host the host
     * @param wanted packets to ask for, above 0
     * @return packets that may be asked for; 0 for no request
     */
    std::size_t Afford(Host& host, std::size_t wanted) const;

    /** @brief Count the messages begun. @return those of all hosts */
    std::size_t GetHolders() const;

    /** @brief Get the most messages that were begun at a time. @return those of all hosts */
    std::size_t GetPeakHolders() const;

    /** @brief A message was begun and ended at once: it counts in GetPeakHolders(). */
    void PassHolder();

  private:
    /** @brief Check whether a host may have more streams. */
    bool HasShare(const JrmHost& host, std::size_t more) const;

    Limits m_limits;                 //!< what may be had
    std::map<JrmHost, Host> m_hosts; //!< by address
    std::size_t m_streams{0};        //!< of all hosts
    std::size_t m_holders{0};        //!< messages begun
    std::size_t m_peakHolders{0};    //!< the most so far
    uint64_t m_bytes{0};             //!< what they take, B
};

} // namespace ns3::lfn

#endif // JRM_HOST_BUDGET_H
