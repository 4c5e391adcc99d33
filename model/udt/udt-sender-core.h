// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_SENDER_CORE_H
#define UDT_SENDER_CORE_H

#include "udt-congestion.h"
#include "udt-estimates.h"
#include "udt-expiration.h"
#include "udt-header.h"
#include "udt-loss-list.h"
#include "udt-sequence.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief The sending side of UDT: what leaves when, and what the receiver's reports do (UDT-34 to
 *        UDT-40).
 *
 * Independent of sockets and simulator.
 */
class UdtSenderCore
{
  public:
    /** @brief What can be set. */
    struct Settings
    {
        uint32_t mss{1500};         //!< packet with IP and UDP headers, B
        uint32_t payloadSize{1456}; //!< user bytes of a full packet, B
        uint32_t sendBuffer{8192};  //!< packets
        uint32_t writeSize{145600}; //!< bytes that the application writes at a time
        uint64_t maxRate{0};        //!< most bits/s of packets of MSS bytes; 0: no limit
        bool strictErrors{false};   //!< reports about packets never sent are fatal
        bool messages{false};       //!< a write is a message and enters the send buffer as a whole
        bool isInOrder{false};      //!< messages wait for all earlier ones at the receiver
        Time timeToLive{0};         //!< messages are given up after this; 0: never
        uint32_t firstWindow{0};    //!< first flow window, packets; 0: the peer's
        bool smoothRtt{true};       //!< smooth the receiver's estimate; false: take it
        bool interruptible{false}; //!< a full ACK ends the wait for the next departure, and nothing
                                   //!< does while the host is busy (UDT3)
        bool nakAddsFirst{false};  //!< a NAK retransmits the first one not acknowledged too (UDT3)
        bool nakEndsWait{true};    //!< a NAK ends the wait for the next departure; otherwise it
                                   //!< only wakes a sender that has stopped (SRT)
        bool lightAckFrees{false}; //!< a light ACK frees the send buffer and wakes the sender (SRT)
        bool catchUp{false};       //!< the mean rate is kept after late departures and pairs (SRT)
        Time pacingGranularity{0}; //!< departures are P apart, rounded down to it; 0: exact
        bool zeroRates{false};     //!< rates of 0 are smoothed as others are (SRT)
        Time ack2Interval{0};      //!< least time from one ACK2 to the next; 0: none
        bool ackTimer{false};      //!< a timer from the last ACK on retransmits, not EXP (SRT)
        UdtExpiration::Settings expiration; //!< of the EXP timer
    };

    /** @brief A packet that leaves. */
    struct Departure
    {
        UdtData header;               //!< its header, without time stamp
        uint64_t offset{0};           //!< place of its first byte in everything sent, B
        uint64_t place{0};            //!< place of its first byte in its write, B
        uint32_t bytes{0};            //!< user bytes
        bool isRetransmission{false}; //!< it was sent before
    };

    /** @brief What happened. */
    struct Counters
    {
        uint64_t packets{0};       //!< data packets sent
        uint64_t retransmitted{0}; //!< of these, sent before
        uint64_t acks{0};          //!< full acknowledgements taken
        uint64_t lightAcks{0};     //!< light ones
        uint64_t naks{0};          //!< loss reports
        uint64_t lost{0};          //!< packets reported missing
        uint64_t expirations{0};   //!< of the EXP timer
        uint64_t refused{0};       //!< reports about packets never sent
        uint64_t lostMessages{0};  //!< messages that were given up
        uint64_t lostBytes{0};     //!< user bytes of these
    };

    /** @brief A core that waits for Start(). */
    UdtSenderCore() = default;

    /**
     * @brief The connection stands.
     * @param settings what was set
     * @param control the congestion control
     * @param peer the peer's answer: its socket ID, window and the initial sequence number
     * @param bytes to send in all
     * @param now the time
     */
    void Start(const Settings& settings,
               std::unique_ptr<UdtCongestion> control,
               const UdtHandshake& peer,
               uint64_t bytes,
               Time now);

    /**
     * @brief The application has more to send, behind what it had: a write of its own.
     * @param now the time
     * @param bytes how many, above 0
     */
    void Add(Time now, uint64_t bytes);

    /** @brief Get when the next packet leaves. @return the time; nothing while stopped */
    std::optional<Time> GetNextDeparture() const;

    /**
     * @brief Take the next packet, which is due. Messages whose time is over are given up instead
     *        of being retransmitted, which TakeReplies() has to send.
     * @param now the time
     * @return it; nothing when the window or the data are exhausted, and the sender stops
     */
    std::optional<Departure> Send(Time now);

    /**
     * @brief The host needs some time for the packet that Send() gave, and can send none before.
     * @param time when it is idle again
     */
    void SetBusyUntil(Time time);

    /**
     * @brief Take a packet of the receiver.
     * @param now the time
     * @param packet any but UdtMalformed and UdtData
     * @return whether it makes sense
     */
    bool OnPacket(Time now, const UdtPacket& packet);

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

    /** @brief Whether everything has been acknowledged. @return true when nothing is left */
    bool IsComplete() const;

    /** @brief Whether the peer reported nonsense and settings.strictErrors is set. @return so */
    bool IsBroken() const;

    /** @brief Count the user bytes that are acknowledged, or given up before these. @return bytes
     */
    uint64_t GetAcknowledgedBytes() const;

    /** @brief Get the connection as the congestion control sees it. @return its state */
    const UdtPathState& GetPath() const;

    /** @brief Get the congestion control. @return it; null before Start() */
    const UdtCongestion* GetControl() const;

    /** @brief Get the packets to retransmit. @return them, at most those not acknowledged */
    const UdtLossList& GetLost() const;

    /** @brief Get what happened. @return the counters */
    const Counters& GetCounters() const;

  private:
    /** @brief Data that the application handed over together. */
    struct Batch
    {
        int64_t first{0};    //!< first packet
        uint64_t offset{0};  //!< place of its first byte, B
        uint64_t bytes{0};   //!< user bytes
        uint64_t message{0}; //!< writes before it
    };

    /** @brief Packets that the send buffer has room for. */
    struct Admission
    {
        int64_t end{0}; //!< first packet behind them
        Time time;      //!< when there was room
    };

    /** @brief The packets of a write. */
    struct Message
    {
        int64_t first{0};   //!< first packet
        int64_t last{0};    //!< last packet
        uint32_t number{0}; //!< message number on the wire
        uint64_t bytes{0};  //!< user bytes
    };

    /**
     * @brief Find the message of a packet.
     * @param index number of the packet
     * @return the message
     */
    Message FindMessage(int64_t index) const;

    /**
     * @brief Remember when the application could write what the send buffer takes.
     * @param now the time
     */
    void Admit(Time now);

    /**
     * @brief Give messages up that would be retransmitted next and whose time is over.
     * @param now the time
     */
    void GiveUp(Time now);

    /**
     * @brief Put data behind those there are.
     * @param bytes how many
     */
    void Append(uint64_t bytes);

    /**
     * @brief Find where a packet's bytes are.
     * @param index number of the packet
     * @return header, offset and size
     */
    Departure Describe(int64_t index) const;

    /** @brief Set when the packet after the last one leaves. */
    void SetNext();

    /**
     * @brief Send the next packet at once, if nothing prevents that.
     * @param now the time
     */
    void Interrupt(Time now);

    /**
     * @brief Remember the least time between two departures.
     * @param now the time
     */
    void MeasureGap(Time now);

    /**
     * @brief Whether a new packet may leave.
     * @return whether windows, buffer and data allow it
     */
    bool CanSendNew() const;

    /**
     * @brief Take an acknowledgement.
     * @param now the time
     * @param ack the acknowledgement
     * @return whether it makes sense
     */
    bool OnAck(Time now, const UdtAck& ack);

    /**
     * @brief Take a light acknowledgement.
     * @param now the time
     * @param next packet that the receiver expects next
     */
    void OnLightAck(Time now, int64_t next);

    /**
     * @brief Answer a full acknowledgement, unless that is too early.
     * @param now the time
     * @param number of the acknowledgement
     */
    void AnswerAck(Time now, uint32_t number);

    /**
     * @brief Forget what the receiver has.
     * @param now the time
     * @param next packet that the receiver expects next
     */
    void Free(Time now, int64_t next);

    /**
     * @brief Retransmit everything that is not acknowledged, unless losses are known.
     * @param now the time
     */
    void OnTimeout(Time now);

    /**
     * @brief Look at the timer from the last acknowledgement on, if there is one.
     * @param now the time
     */
    void CheckAckTimer(Time now);

    /**
     * @brief Take what a full acknowledgement measured.
     * @param ack the acknowledgement
     */
    void UpdateEstimates(const UdtAck& ack);

    /**
     * @brief Take a loss report.
     * @param now the time
     * @param nak the report
     * @return whether it makes sense
     */
    bool OnNak(Time now, const UdtNak& nak);

    /** @brief Take period and window of the control. */
    void UpdateControl();

    Settings m_settings;                      //!< what was set
    std::unique_ptr<UdtCongestion> m_control; //!< the congestion control
    UdtNumbering m_numbering;                 //!< of the data packets
    uint32_t m_peerId{0};                     //!< socket ID of the receiver
    std::deque<Batch> m_batches;              //!< what is not acknowledged, and the last one
    uint64_t m_bytes{0};                      //!< to send in all
    int64_t m_packets{0};                     //!< packets that they make
    uint64_t m_packetsPerWrite{1};            //!< packets of a whole write
    UdtRttEstimator m_rtt;                    //!< smoothed again
    UdtPathState m_path;                      //!< state for the control
    UdtExpiration m_expiration;               //!< EXP timer
    UdtExpiration m_ackTimer;                 //!< with ackTimer: since the last ACK
    Time m_period;                            //!< between two packets
    Time m_pause;                             //!< after the next packet, once
    Time m_late;                              //!< with catchUp: behind P; below 0 ahead of it
    std::optional<Time> m_lastDeparture;      //!< of any packet
    bool m_isPair{false};                     //!< the last packet began a pair
    Time m_busyUntil;                         //!< the host is idle from then on
    int64_t m_window{0};                      //!< congestion window, packets
    int64_t m_flowWindow{0};                  //!< the receiver's, packets
    int64_t m_nextNew{0};                     //!< first packet never sent
    int64_t m_lastAck{0};                     //!< first packet not acknowledged at all
    int64_t m_dataAck{0};                     //!< first packet in the send buffer
    int64_t m_fullAck{0};                     //!< what the last full acknowledgement expected
    uint32_t m_answered{0};                   //!< number of the ACK answered last
    std::optional<Time> m_lastAnswer;         //!< when that was
    UdtLossList m_lost;                       //!< packets to retransmit
    std::deque<Admission> m_admissions;       //!< with a time to live: what was written when
    std::map<int64_t, int64_t> m_givenUp;     //!< first and last packets of such messages that
                                              //!< are not acknowledged
    std::optional<Time> m_next;               //!< next departure; nothing while stopped
    std::vector<UdtPacket> m_replies;         //!< control packets that leave now
    bool m_isBroken{false};                   //!< the peer reported nonsense
    Counters m_counters;                      //!< what happened
};

} // namespace ns3::lfn

#endif // UDT_SENDER_CORE_H
