// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TCP_FAIRNESS_H
#define XCP_TCP_FAIRNESS_H

#include "xcp-drop-law.h"
#include "xcp-flow-count-estimator.h"
#include "xcp-handshake-timer.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The XCP-TCP fairness mechanism of report RR2007-46, sections 4 and 6: it counts the flows
 * of both classes and drops packets of end-to-end flows while these take more than their fair
 * share.
 *
 * Without packets, queues and simulator. Classes are XCP (data with a standard congestion header)
 * and E2E (data of any other transport); pure acknowledgements belong to neither.
 */
class XcpTcpFairness : public Object
{
  public:
    /** @brief The class of a data packet. */
    enum class TrafficClass : uint8_t
    {
        XCP, //!< has a standard congestion header
        E2E  //!< obeys no router: TCP, UDP
    };

    /** @brief Which bytes of E2E flows are compared with their fair share. */
    enum class RateMeasured : uint8_t
    {
        ARRIVED,  //!< all that come
        ACCEPTED, //!< those that this mechanism lets pass, tail drops included
        DEPARTED  //!< those that leave
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    XcpTcpFairness();

    /**
     * @brief Ask for this mechanism, which rules one port.
     * @param port who asks; only a name
     * @return whether it is the first one that asked
     */
    bool Serve(const void* port);

    /**
     * @brief Check whether one estimator was given for both classes, which would count them as one.
     * @return true when so
     */
    bool SharesEstimator() const;

    /**
     * @brief Check whether further intervals without packets change nothing but their number.
     * @return true in steady state: both classes are silent, and no interval has anything to report
     */
    bool IsSteady() const;

    /**
     * @brief Intervals without packets have ended in steady state.
     * @param intervals the number of them
     */
    void SkipIntervals(uint64_t intervals);

    /** @brief An interval begins: what was counted since the last one ended belongs to none. */
    void BeginInterval();

    /**
     * @brief A data packet arrives, before any tail drop.
     * @param trafficClass its class
     * @param flow its flow ID
     * @param bytes its size with the IP header, [B]
     * @return whether the mechanism drops (or marks) it
     */
    bool OnArrival(TrafficClass trafficClass, uint64_t flow, uint32_t bytes);

    /**
     * @brief A SYN of plain TCP arrives: its connection's handshake is timed.
     * @param connection hash of addresses and ports
     * @param now the time
     * @param wait how long it waits here if it is let in, [s]
     */
    void OnTcpSyn(uint64_t connection, Time now, double wait);

    /**
     * @brief Another packet of plain TCP arrives, an acknowledgement as well as data.
     * @param connection hash of addresses and ports
     * @param isData it has user data, and so counts in E2E's mean RTT
     * @param now the time
     * @param backlog that it waits for here, [B]
     */
    void OnTcp(uint64_t connection, bool isData, Time now, double backlog);

    /**
     * @brief A data packet that this mechanism has let pass is dropped here all the same, as the
     * buffer is full: its sender is going to send it again, maybe after a long timeout.
     */
    void OnTailDrop(TrafficClass trafficClass);

    /**
     * @brief Check whether OnDeparture() needs E2E's packets.
     * @return true when RateMeasured says so
     */
    bool MeasuresDepartures() const;

    /**
     * @brief A packet of any kind leaves.
     * @param bytes its size with the IP header, [B]
     * @param isE2e whether it is data of class E2E; matters if MeasuresDepartures() only
     */
    void OnDeparture(uint32_t bytes, bool isE2e = false);

    /**
     * @brief A packet that OnArrival() chose was marked, and not dropped: it goes on after all, and
     * counts as accepted.
     * @param trafficClass its class
     * @param bytes its size with the IP header, [B]
     */
    void OnMarked(TrafficClass trafficClass, uint32_t bytes);

    /**
     * @brief An adaptation interval ends: adapt the drop probability (section 4.2).
     * @param length of the interval that ends; ignored when not positive
     * @param capacity of the link, [B/s]
     * @param meanRtt of the XCP traffic when it last reported one, for the adaptive law, [s]
     */
    void OnInterval(Time length, double capacity, double meanRtt);

    /** @brief What the last interval came to. */
    struct Account
    {
        double xcpFlows{0};     //!< N
        double e2eFlows{0};     //!< M
        double xcpRate{0};      //!< accepted bytes of XCP, [B/s]
        double e2eRate{0};      //!< bytes of E2E as RateMeasured says, [B/s]
        double e2eFairShare{0}; //!< BW_T = C M / (N + M), [B/s]
        double e2eRtt{0};       //!< of TCP by its handshakes, without this queue, [s]; 0: unknown
        double e2eWait{0};      //!< of TCP's data in this queue, mean, [s]
        double utilisation{0};  //!< departed bytes over capacity
        double dropProbability{0}; //!< p, whether it is applied or not
        bool isApplied{false};     //!< packets are being dropped
    };

    /** @return the account */
    const Account& GetAccount() const;

    /**
     * @brief Get what counts the flows of a class.
     * @return its estimator, made now if none was given
     */
    Ptr<XcpFlowCountEstimator> GetEstimator(TrafficClass trafficClass);

    /**
     * @brief Fix the random streams of inspection, dropping and both estimators.
     * @param stream the first stream
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /** @brief What is kept of a class. */
    struct ClassState
    {
        uint64_t accepted{0}; //!< accepted in this interval, [B]
        uint64_t arrived{0};  //!< that arrived in this interval, [B]
        uint64_t packets{0};  //!< that arrived in this interval
        bool isLost{false};   //!< the latest one was dropped here
        bool isSilent{false}; //!< none arrived for so long that it has no flows
        Time silence;         //!< until then: since when none arrived, in whole intervals
    };

    /** @brief Make the parts that no Attribute gave. */
    void Prepare();

    /** @brief Get the state of a class. @return its state */
    ClassState& StateOf(TrafficClass trafficClass);

    /**
     * @brief Get what E2E flows took of the interval that ends.
     * @return the bytes that RateMeasured says, [B]
     */
    uint64_t GetE2eBytes() const;

    /**
     * @brief An interval ends: get E2E's mean RTT, and let what it is made of fade.
     *
     * Reported are the means over data packets of known connections; 0 where none is known.
     * @param seconds its length, [s]
     * @param capacity of the link, [B/s]
     */
    void TakeE2eRtt(double seconds, double capacity);

    /**
     * @brief Get how long a class of which nothing comes is taken to be there.
     * @param state of the class
     * @param length of the interval that ends
     * @return the time
     */
    Time GetPatience(const ClassState& state, Time length) const;

    /**
     * @brief An interval ends for a class: count its flows, which are 0 if it is silent.
     * @param trafficClass the class
     * @param length of the interval
     * @return N or M
     */
    double Count(TrafficClass trafficClass, Time length);

    double m_inspectProbability{0};                      //!< Attribute InspectProbability
    Ptr<XcpFlowCountEstimator> m_xcpEstimator;           //!< Attribute XcpEstimator
    Ptr<XcpFlowCountEstimator> m_e2eEstimator;           //!< Attribute E2eEstimator
    Ptr<XcpDropLaw> m_dropLaw;                           //!< Attribute DropLaw
    Time m_silenceTimeout;                               //!< Attribute SilenceTimeout
    Time m_lossTimeout;                                  //!< Attribute LossTimeout
    bool m_forgetSilent{false};                          //!< Attribute ForgetSilent
    RateMeasured m_rateMeasured{RateMeasured::ACCEPTED}; //!< Attribute RateMeasured

    XcpHandshakeTimer m_handshakes;      //!< of TCP
    double m_rttSum{0};                  //!< over data of TCP whose RTT is known, fading, [s]
    double m_backlogSum{0};              //!< that these waited for, fading likewise, [B]
    double m_rttPackets{0};              //!< and how many packets these are, fading likewise
    ClassState m_xcp;                    //!< of class XCP
    ClassState m_e2e;                    //!< of class E2E
    uint64_t m_departed{0};              //!< of any kind in this interval, [B]
    uint64_t m_e2eDeparted{0};           //!< of class E2E in this interval, [B]
    const void* m_port{nullptr};         //!< the port that it rules; only a name
    Account m_account;                   //!< of the last interval
    Ptr<UniformRandomVariable> m_random; //!< inspection and dropping
};

} // namespace ns3::lfn

#endif // XCP_TCP_FAIRNESS_H
