// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_RECEIVER_CORE_H
#define UDT_RECEIVER_CORE_H

#include "udt-estimates.h"
#include "udt-expiration.h"
#include "udt-header.h"
#include "udt-loss-list.h"
#include "udt-loss-reports.h"
#include "udt-sequence.h"

#include "ns3/lfn-drop-reason.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief The receiving side of UDT: acknowledges, reports losses, measures the path (UDT-17 to
 *        UDT-33).
 *
 * Independent of sockets, simulator and content.
 */
class UdtReceiverCore
{
  public:
    /** @brief What can be set. */
    struct Settings
    {
        Time syn{MilliSeconds(10)};             //!< SYN, period of the ACK timer
        uint32_t buffer{8192};                  //!< receive buffer, packets
        uint32_t payloadSize{1456};             //!< user bytes of a full packet, B
        uint32_t lightAckPackets{64};           //!< packets per light acknowledgement; 0: none
        bool repeatNak{false};                  //!< report losses again after silence about them
        Time nakMinimum{MilliSeconds(300)};     //!< least time between two such reports
        bool nakPerLoss{false};                 //!< of repeatNak: each loss at times of its own, at
                                                //!< least 4 RTT + RTTVar + SYN apart (draft)
        uint32_t arrivalWindow{16};             //!< intervals of the arrival rate
        uint32_t probeWindow{64};               //!< pairs of the capacity
        UdtFilter filter{UdtFilter::UDT4};      //!< how intervals become a rate
        bool strictPairs{false};                //!< see UdtCapacity
        bool rttFromFirst{false};               //!< the first sample is the round-trip time (SRT)
        Time clockGranularity{MicroSeconds(1)}; //!< of arrival times; 0: exact
        uint32_t ackRepeatRtts{0};              //!< RTTs after which an ACK is repeated; 0: RTT + 4
                                                //!< RTTVar
        bool ratesInEveryAck{false};            //!< also in those less than SYN apart (UDT3)
        bool flowControl{false};       //!< the advertised window follows the arrival rate (UDT3)
        uint32_t largestWindow{25600}; //!< of flowControl, packets
        UdtExpiration::Settings expiration; //!< of the EXP timer
    };

    /** @brief What became of a data packet. */
    struct Arrival
    {
        std::optional<DropReason> refused; //!< set when it is not wanted
        int64_t index{0};                  //!< its number, from 0
    };

    /** @brief What happened. */
    struct Counters
    {
        uint64_t acks{0};       //!< full acknowledgements sent, with rates
        uint64_t shortAcks{0};  //!< without rates
        uint64_t lightAcks{0};  //!< light ones
        uint64_t naks{0};       //!< loss reports
        uint64_t lost{0};       //!< packets in them
        uint64_t keepAlives{0}; //!< keep-alives
        uint64_t drops{0};      //!< message drops that changed something
    };

    /** @brief A core that waits for a connection. */
    UdtReceiverCore();

    /**
     * @brief The connection stands.
     * @param settings what was set
     * @param peer the client's request: its socket ID and initial sequence number
     * @param now the time
     */
    UdtReceiverCore(const Settings& settings, const UdtHandshake& peer, Time now);

    /**
     * @brief Take a data packet.
     * @param now the time
     * @param header its header
     * @param bytes user bytes that it carries
     * @return what became of it
     */
    Arrival OnData(Time now, const UdtData& header, uint32_t bytes);

    /**
     * @brief Take a control packet of the sender.
     * @param now the time
     * @param signal the packet
     */
    void OnSignal(Time now, const UdtSignal& signal);

    /**
     * @brief Take a message drop: its packets are not awaited any more.
     * @param now the time
     * @param drop the packet
     * @return the first and the last packet that are given up; nothing when it changes nothing
     */
    std::optional<std::pair<int64_t, int64_t>> OnDrop(Time now, const UdtDrop& drop);

    /** @brief Get when to call OnCheck() if nothing arrives before. @return the time */
    Time GetNextCheck() const;

    /**
     * @brief Look at the timers.
     * @param now the time
     * @return false when the peer is gone
     */
    bool OnCheck(Time now);

    /** @brief Take the control packets that leave now. @return them, in order */
    std::vector<UdtPacket> TakeReplies();

    /**
     * @brief Get what the application can read (UDT-24).
     * @return first packet that it cannot
     */
    int64_t GetReadable() const;

    /**
     * @brief The application has read.
     * @param next first packet that it has not read
     */
    void SetRead(int64_t next);

    /** @brief Get the packets that are missing. @return them, fewer than the buffer takes */
    const UdtLossList& GetLost() const;

    /** @brief Get what happened. @return the counters */
    const Counters& GetCounters() const;

  private:
    /**
     * @brief Get the free buffer.
     * @return packets
     */
    int64_t GetFree() const;

    /**
     * @brief Look at the ACK and NAK timers.
     * @param now the time
     */
    void CheckAcks(Time now);

    /** @brief Get the first packet that is missing. @return its number */
    int64_t GetNextExpected() const;

    /**
     * @brief Send the acknowledgement of the ACK timer, if there is reason to.
     * @param now the time
     */
    void SendAck(Time now);

    /** @brief Send a light acknowledgement, if there is reason to. */
    void SendLightAck();

    /**
     * @brief Report losses again: all, unless one was found, recovered or reported a short time
     *        ago; or, by nakPerLoss, those whose time has come.
     * @param now the time
     */
    void RepeatNak(Time now);

    /** @brief Get the least time between two such reports. @return the time */
    Time GetNakPeriod() const;

    /**
     * @brief Get the window to advertise.
     * @return packets, at least 2
     */
    uint32_t UpdateWindow();

    Settings m_settings;              //!< what was set
    UdtNumbering m_numbering;         //!< of the data packets
    uint32_t m_peerId{0};             //!< socket ID of the sender
    UdtRttEstimator m_rtt;            //!< round-trip time
    UdtArrivalRate m_arrivalRate;     //!< arrival rate
    UdtCapacity m_capacity;           //!< capacity of the link
    UdtAckWindow m_ackWindow;         //!< acknowledgements without an answer
    UdtExpiration m_expiration;       //!< EXP timer
    UdtLossList m_lost;               //!< packets that are missing
    UdtLossReports m_reports;         //!< of nakPerLoss, when these were reported
    int64_t m_largest{-1};            //!< largest packet received
    int64_t m_lastAck{0};             //!< what the last acknowledgement expected next
    int64_t m_confirmed{0};           //!< what the largest answered one expected next
    int64_t m_read{0};                //!< first packet not read
    Time m_nextAck;                   //!< when the ACK timer is due
    std::optional<Time> m_lastFull;   //!< when the last acknowledgement with rates left
    Time m_nextNak;                   //!< when losses are reported again
    Time m_lastLoss;                  //!< when one was found, recovered or reported
    double m_window{16};              //!< of flowControl, packets
    bool m_isSlowStart{true};         //!< of flowControl
    uint32_t m_packets{0};            //!< since the ACK timer
    uint32_t m_nextLight{1};          //!< number of the next light acknowledgement since then
    std::vector<UdtPacket> m_replies; //!< control packets that leave now
    Counters m_counters;              //!< what happened
};

} // namespace ns3::lfn

#endif // UDT_RECEIVER_CORE_H
