// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_CONTROLLER_H
#define XCP_CONTROLLER_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/** @brief What a data packet of an XCP flow says of the flow. */
struct XcpDemand
{
    double x{0};     //!< inter-packet time, [s]; 0: unknown
    double rtt{0};   //!< smoothed RTT, [s]; 0: unknown
    double delta{0}; //!< change of throughput asked for, [B/s]
};

/**
 * @ingroup lfn-xcp
 * @brief The router's arithmetic for one output port: efficiency and fairness controllers
 * (draft-falk-xcp-spec-03, section 4; Katabi et al., section 3.5).
 *
 * Without packets, queues and simulator: it is notified of arrivals, departures, queue
 * lengths and the ends of both its intervals, and answers with feedback and the next intervals.
 * Bytes are those of IP packets. Where the draft, the first ns-2 code and the SIGCOMM paper differ,
 * the draft is the default and an Attribute chooses the other.
 */
class XcpController : public Object
{
  public:
    /** @brief Which traffic pays for negative feedback. */
    enum NegativePool
    {
        ALL_BYTES, //!< every byte that arrived, as published: TCP dilutes it
        XCP_BYTES  //!< bytes of XCP packets only
    };

    /** @brief What stands for the sum of X after an interval without XCP traffic. */
    enum SilentSum
    {
        LAST,   //!< the last one: the first packet is granted what one of a flow gets
        NONE,   //!< nothing: the first packet is granted nothing
        SECOND, //!< 1 s (ns-2): an almost arbitrary grant
    };

    /** @brief When the persistent queue is sampled. */
    enum QueueSampling
    {
        AT_DEPARTURE, //!< draft and ns-2
        AT_ARRIVAL    //!< SIGCOMM paper
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpController();

    /**
     * @brief Begin again: no sums, no queue, the first interval.
     * @return the length of the first control interval
     */
    Time Start();

    /**
     * @brief Take account of an arriving packet that is no XCP data.
     * @param bytes its size with the IP header, [B]
     */
    void OnArrival(uint32_t bytes);

    /**
     * @brief Take account of an arriving packet with a standard congestion header.
     * @param bytes its size with the IP header, [B]
     * @param demand its header; x and rtt may be any number: what is no positive number is
     * unknown, and none counts for more than the header can say (16 s)
     */
    void OnArrival(uint32_t bytes, const XcpDemand& demand);

    /**
     * @brief A packet with a standard congestion header leaves: cut what it asks for.
     * @param bytes its size with the IP header, [B]
     * @param demand its header
     * @return the Delta_Throughput that it goes on with, [B/s]
     */
    double OnDeparture(uint32_t bytes, const XcpDemand& demand);

    /**
     * @brief Check whether the queue is sampled at arrivals, or at departures.
     * @return true at arrivals: SampleAtDeparture() does nothing; else SampleAtArrival() does
     */
    bool SamplesAtArrival() const
    {
        return m_queueSampling == AT_ARRIVAL;
    }

    /**
     * @brief Note the queue at an arrival, if QueueSampling says so.
     * @param queueBytes what waits, [B]
     */
    void SampleAtArrival(double queueBytes);

    /**
     * @brief Note the queue at a departure, if QueueSampling says so.
     * @param queueBytes what waits, without what leaves, [B]
     */
    void SampleAtDeparture(double queueBytes);

    /**
     * @brief Get how long a control interval of unknown RTT goes on after its first packet that
     * has one, unless it ends before.
     * @return FirstRtts times the mean RTT of the packets so far, 1 us at least; nothing while no
     * packet has reported an RTT, in all other intervals, and with FirstRtts 0
     */
    std::optional<Time> GetFirstRtts() const;

    /**
     * @brief The present control interval ends early: to be called before OnControlTimeout().
     * @param length what it has lasted; more than 0
     */
    void CutInterval(Time length);

    /**
     * @brief A control interval ends: compute the pools of the next one.
     * @param capacity of the link, [B/s]; 0 or less: nothing is granted
     * @return the length of the next interval
     */
    Time OnControlTimeout(double capacity);

    /**
     * @brief A queue interval ends: the persistent queue is the least that was seen in it.
     * @param queueBytes what waits now, [B]
     * @param capacity of the link, [B/s]
     * @return the length of the next queue interval
     */
    Time OnQueueTimeout(double queueBytes, double capacity);

    /**
     * @brief Check whether further intervals without packets, with the same capacity, change
     * nothing: to be called after OnControlTimeout() for an interval without packets.
     * @return true in steady state
     */
    bool IsSteady() const;

    /** @brief What the last control interval came to, for traces and tests. */
    struct Account
    {
        double inputRate{0}; //!< y, [B/s]
        double meanRtt{0};   //!< d, [s]; FirstInterval at the start and while none is reported
        double knownRtt{0};  //!< mean RTT when XCP traffic last reported one, [s]; until then d
        double aggregate{0}; //!< F, [B/s]
        double shuffled{0};  //!< h, [B/s]
        double persistentQueue{0}; //!< Q, [B]
        double positiveFactor{0};  //!< Cp, [1/s of X]
        double negativeFactor{0};  //!< Cn, [1/s]
        double positiveResidue{0}; //!< what is left of the positive pool, [B/s]
        double negativeResidue{0}; //!< what is left of the negative pool, [B/s]
    };

    /** @return the account */
    const Account& GetAccount() const;

  private:
    double m_alpha{0};                           //!< Attribute Alpha
    double m_beta{0};                            //!< Attribute Beta
    double m_gamma{0};                           //!< Attribute Gamma
    double m_targetUtilisation{0};               //!< Attribute TargetUtilisation
    double m_queueIntervalFraction{0};           //!< Attribute QueueIntervalFraction
    Time m_firstInterval;                        //!< Attribute FirstInterval
    double m_firstRtts{0};                       //!< Attribute FirstRtts
    Time m_minInterval;                          //!< Attribute MinInterval
    Time m_maxInterval;                          //!< Attribute MaxInterval
    Time m_allowedQueue;                         //!< Attribute AllowedQueue
    bool m_clipByResidues{true};                 //!< Attribute ClipByResidues
    bool m_zeroRttGetsNothing{false};            //!< Attribute ZeroRttGetsNothing
    bool m_keepMeanRtt{false};                   //!< Attribute KeepMeanRtt
    SilentSum m_silentSum{LAST};                 //!< Attribute SilentSum
    NegativePool m_negativePool{ALL_BYTES};      //!< Attribute NegativePool
    QueueSampling m_queueSampling{AT_DEPARTURE}; //!< Attribute QueueSampling

    double m_longestRtt{0};     //!< m_maxInterval, [s]
    double m_inputBytes{0};     //!< of all packets in this interval, [B]
    double m_xcpBytes{0};       //!< of XCP packets in this interval, [B]
    double m_sumX{0};           //!< sum of X, [s]
    double m_lastSumX{0};       //!< of the last interval with XCP traffic, [s]
    double m_sumTimedX{0};      //!< sum of X where the RTT is known, [s]
    double m_sumXRtt{0};        //!< sum of X times RTT, [s^2]
    double m_interval{0};       //!< length of this interval, [s]
    double m_leastQueue{0};     //!< least queue seen in this queue interval, [B]
    bool m_isRttUnknown{false}; //!< this interval's length is FirstInterval
    Account m_account;          //!< the present account
};

} // namespace ns3::lfn

#endif // XCP_CONTROLLER_H
