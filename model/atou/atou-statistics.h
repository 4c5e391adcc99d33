// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_STATISTICS_H
#define ATOU_STATISTICS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief The counters of a client's summary (spec 2.4), by the original's names.
 */
class AtouStatistics
{
  public:
    uint64_t packetsIn{0};  //!< ACKs that came (pkts in)
    uint64_t packetsOut{0}; //!< segments sent, droplist's not (pkts out)
    uint64_t repeated{0};   //!< segments retransmitted, go-back-N's too
    uint64_t rxmts{0};      //!< dup3s, packs and timeouts: go-back-N counts once
    uint64_t dup3s{0};      //!< retransmissions after dup_thresh duplicate ACKs
    uint64_t packs{0};      //!< retransmissions after partial ACKs or SACK blocks
    uint64_t timeouts{0};   //!< retransmission timeouts
    uint64_t dups{0};       //!< duplicate ACKs
    uint64_t badacks{0};    //!< ACKs below una or above max
    uint64_t goodacks{0};   //!< ACKs that are no badacks
    uint64_t cumacks{0};    //!< SACK: ACKs that advanced una in recovery
    uint64_t ooacks{0};     //!< SACK: ACKs at una without a block
    uint32_t maxAck{0};     //!< largest step of una, with SACK less 1, segments
    uint32_t maxBurst{0};   //!< largest usable window while there was more to send, segments
    uint64_t vssCount{0};   //!< how often gamma was exceeded in slow start (vsscnt)
    uint64_t vDecreases{0}; //!< ACKs that made Vegas shrink the window (vdecr)
    uint64_t vHolds{0};     //!< ACKs that made Vegas keep the window (v0)
    double vRtt{0};         //!< R of the latest Vegas delta, s (vrtt)
    double maxDelta{0};     //!< largest Vegas delta, segments (max_delta)
    double bwertt{0};       //!< bandwidth of the last RTT, Mb/s
    double bwerttMax{0};    //!< largest of them, Mb/s

    /**
     * @brief Take a round-trip time; the estimates are reported, not used (spec 2.4).
     *
     * srtt has gain 1/8 from 0; err is taken against the new srtt and rttvar becomes
     * 0.75 rttvar + 0.25 (|err| - rttvar), from 3 s, as the original has it; rto = srtt + 4 rttvar.
     *
     * @param rtt the round-trip time
     */
    void OnRtt(Time rtt);

    /** @brief Get the smallest round-trip time. @return s; 0 before the first */
    double GetMinRtt() const;

    /** @brief Get the largest round-trip time. @return s; 0 before the first */
    double GetMaxRtt() const;

    /** @brief Get the mean round-trip time. @return s; 0 before the first */
    double GetMeanRtt() const;

    /** @brief Get the smoothed round-trip time. @return s */
    double GetSrtt() const;

    /** @brief Get the variation, by the original's recursion. @return s */
    double GetRttVar() const;

    /** @brief Get the timeout that the estimates would give. @return srtt + 4 rttvar, s */
    double GetRto() const;

  private:
    uint64_t m_samples{0}; //!< round-trip times taken
    double m_min{0};       //!< smallest, s
    double m_max{0};       //!< largest, s
    double m_sum{0};       //!< their sum, s
    double m_srtt{0};      //!< smoothed, s
    double m_rttVar{3};    //!< variation, s
};

} // namespace ns3::lfn

#endif // ATOU_STATISTICS_H
