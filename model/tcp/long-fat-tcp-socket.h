// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_SOCKET_H
#define LONG_FAT_TCP_SOCKET_H

#include "ns3-access.h"
#include "tcp-recovery-core.h"
#include "tcp-rules.h"
#include "tcp-segment-check.h"
#include "tcp-send-store.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-item.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief ns-3's TCP socket at a cost that does not grow with the window.
 *
 * The handshake, options, timers, traces, Attributes, congestion control, recovery algorithm and
 * estimates are those of TcpSocketBase. What differs is how a sender finds out what is lost and
 * what goes next: ns-3 walks its list of all segments in flight for that, this socket asks a
 * TcpRecoveryCore (RFC 6675, RFC 6582), and carries out what that decides. TcpRules are followed
 * where ns-3 errs; with Ns3Faults the packets are those of ns-3, to the nanosecond.
 *
 * TcpSocketBase's send buffer only counts bytes here: GetTxBuffer() has neither their contents
 * nor what was sent, sacked or lost.
 */
class LongFatTcpSocket : public NamedTcpSocketBase<LongFatTcpSocket>,
                         private TcpRecoveryCore::Actions
{
  public:
    /** @brief Who keeps account of what was sent. */
    enum Scoreboard
    {
        INDEXED, //!< TcpScoreboardCore
        NS3      //!< ns-3's TcpTxBuffer: TcpSocketBase as it is
    };

    /// Largest send or receive buffer, [B]: larger windows cannot be offered (RFC 7323, 2.3).
    static constexpr uint32_t MAX_BUFFER = uint32_t{1} << 30;

    /**
     * @brief A segment, or a part of what it says, was not taken.
     * @param reason why
     */
    typedef void (*RefusedTracedCallback)(TcpRefusal reason);

    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    LongFatTcpSocket();

    /**
     * @brief Copy for a forked socket: the settings, no data.
     * @param other what to copy
     */
    LongFatTcpSocket(const LongFatTcpSocket& other);

    ~LongFatTcpSocket() override;

    /**
     * @brief Check whether the segments of an endpoint are this socket's.
     * @param endPoint an Ipv4EndPoint or Ipv6EndPoint
     * @return true if they are
     */
    bool IsAt(const void* endPoint) const;

    /** @brief Trace that a segment was dropped whose header cannot be read. */
    void OnMalformed();

    int Connect(const Address& address) override;
    int Send(Ptr<Packet> packet, uint32_t flags) override;
    int Close() override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;

  protected:
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& tcpHeader,
                      const Address& fromAddress,
                      const Address& toAddress) override;

    /**
     * @brief Get how much more ns-3's SendPendingData() may send, which is not virtual.
     * @return 0, since this socket sends what the window allows itself
     */
    uint32_t AvailableWindow() const override;

    /**
     * @brief A segment arrives; nothing comes of one that no honest peer would send.
     * @param packet with its TCP header
     * @param fromAddress whence
     * @param toAddress where to
     */
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;

    Time CalculateRttSample(const TcpHeader& tcpHeader, const RttHistory& rttHistory) override;
    uint32_t BytesInFlight() const override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void NewAck(const SequenceNumber32& seq, bool resetRTO) override;
    void ReTxTimeout() override;
    void PersistTimeout() override;
    void LastAckTimeout() override;
    void DelAckTimeout() override;
    void SendEmptyPacket(uint8_t flags) override;
    void UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission) override;
    Ptr<TcpSocketBase> Fork() override;
    void SetSndBufSize(uint32_t size) override;
    void SetRcvBufSize(uint32_t size) override;

  private:
    uint32_t GetCwnd() const override;
    uint32_t GetSsThresh() const override;
    void SetState(TcpRecoveryCore::State state) override;
    void ReduceSsThresh(uint32_t flightBytes) override;
    void SetLossWindow() override;
    void BeginReduction(uint32_t deliveredBytes) override;
    void GoOnReducing(uint32_t deliveredBytes, bool isDuplicate) override;
    void EndReduction() override;
    void ReportReduction() override;
    void ReportAcked(uint32_t segments) override;
    void OpenWindow(uint32_t segments) override;
    void Deflate(uint32_t bytes) override;
    void ReportNewAck(bool restartTimer) override;
    uint32_t SendNow(int64_t offset, uint32_t bytes) override;
    void SendNext(int64_t offset, uint32_t bytes) override;
    void UpdateBytesInFlight() override;
    void Log(TcpRecoveryCore::Decision decision) override;
    void RefuseSack(const TcpRecoveryCore::Range& block) override;

    /// Follow ns-3 where it differs from the RFCs, or not: attribute Ns3Faults.
    void SetNs3Faults(bool isNs3);

    /// Get attribute Ns3Faults.
    bool HasNs3Faults() const;

    /// Set in the recovery what holds for the connection now.
    void ConfigureRecovery();

    /// Add the tags of a segment that is sent, ECT with any DSCP (TCP-D38).
    void AddTags(const Ptr<Packet>& packet, bool isEct) const;

    /// Whether TcpSocketBase does all.
    bool IsNs3Compatible() const;

    /// Whether both ends have set the connection up, and neither has ended it.
    bool IsSynchronized() const;

    /// Whether this end's FIN was sent and is not acknowledged.
    bool IsFinPending() const;

    /// Whether a segment of a connection is to be taken; if not, counts and answers it.
    bool Admit(const TcpView& segment);

    /// Take, answer or drop a segment where no connection is synchronised.
    void ForwardUnsynchronized(Ptr<Packet> packet,
                               const TcpView& segment,
                               const Address& fromAddress,
                               const Address& toAddress);

    /// Judge a segment where no connection is synchronised.
    TcpUnsynchronized::Verdict JudgeUnsynchronized(const TcpView& segment) const;

    /// Take a SYN, or the ACK of one's own: as far as a connection.
    void OpenConnection(Ptr<Packet> packet,
                        const TcpView& segment,
                        const Address& fromAddress,
                        const Address& toAddress);

    /// Have a listening socket fork for a SYN, which changes nothing else of it.
    void ForwardListen(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// A reset ends what is not synchronised.
    void EndUnsynchronized();

    /// Answer with a reset that is in sequence for the sender of a segment.
    void SendReset(Ptr<const Packet> packet,
                   const TcpView& segment,
                   const Address& fromAddress,
                   const Address& toAddress);

    /// Send the answer to a SYN or a FIN again, which was lost.
    void RepeatAnswer();

    /// Take the header off a segment, which is shown to whom traces segments.
    TcpHeader ExtractHeader(Ptr<Packet> packet);

    /// Take a segment of a connection that one end closes or has closed (RFC 9293, 3.10.7.4).
    void ProcessSegment(Ptr<Packet> packet);

    /// What an acknowledgement of this end's FIN changes.
    void ProcessFinAck();

    /// What the peer's FIN changes, with all data before it.
    void ProcessFin();

    /// Send the FIN again, later each time.
    void RepeatFin();

    /// The peer does not answer: report the error, and end.
    void GiveUp();

    /// The pacing timer has expired.
    void SendPaced();

    /// Get what PAWS compares with, if it is still valid (RFC 7323, 5.5).
    std::optional<uint32_t> GetRecentTime() const;

    /// Take the time stamp of the segment that opens the connection (RFC 7323, 4.3 and 5.3).
    void BeginTimes(uint32_t value);

    /// Note the time stamp of a segment, so that ns-3 takes it across the wrap of its numbers.
    void UpdateTimestamp(uint32_t value);

    /// Whether a time stamp is later than the peer's clock can be (RFC 7323, 5.4: 1 ms a tick).
    bool IsFalseTime(uint32_t value) const;

    /// Whether the window has grown so much that the peer should learn of it (RFC 9293, 3.8.6.2.2).
    bool IsWindowUpdateDue() const;

    /// Whether a time stamp [ms] is invalid: from before the socket was made, or to come.
    bool IsFalseEcho(uint32_t echo) const;

    /// Whether one more segment that is not taken may be answered (RFC 5961, section 7).
    bool MayAnswer();

    /// Say what is right, as often as is allowed.
    void Challenge();

    /// Note the window that a segment has offered.
    void UpdateWindow();

    /// Look at the window that a segment has offered, and at the timer that it may have stopped.
    void CheckWindow(bool wasProbing);

    /// Have the retransmission timer run, from now on.
    void StartTimer();

    /// Whether the retransmission timer has expired, or was started again since.
    void CheckTimer();

    /// Have what arrives looked at by OnFastPath() first.
    void CheckFirst();

    /// Take a segment as nearly all are, in one step instead of ns-3's three; false: an exception.
    bool OnFastPath(const Ptr<Packet>& packet);

    /// Get this end's port.
    uint16_t GetLocalPort() const;

    /// Take a reset, or a segment in TIME_WAIT, whose data ns-3 acknowledges without a check.
    bool OnSegmentAtEnd(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// Whether a segment is one that OnFastPath() may take.
    bool IsPlain(const TcpView& segment) const;

    /// Get an option for time stamps; the same again where nobody else has it.
    static Ptr<TcpOptionTS> MakeStamp(Ptr<TcpOptionTS>& last, uint32_t value, uint32_t echo);

    /// Get the offset in the stream of a sequence number near the window.
    int64_t GetOffset(SequenceNumber32 sequence) const;

    /// Get the sequence number of an offset.
    SequenceNumber32 GetSequence(int64_t offset) const;

    /// Look a little later for what can be sent, if that is due.
    void ScheduleCheck();

    /// Send what the window allows, if there is a connection.
    void SendPending();

    /// Send what the window allows.
    void SendWindow(uint32_t window);

    /// Whether a window is too small to be used (RFC 1122, 4.2.3.4).
    bool IsSilly(uint32_t window, uint32_t dataBytes);

    /// Whether a small segment has to wait for an acknowledgement (RFC 896).
    bool IsNagled(int64_t offset, uint32_t dataBytes) const;

    /// Have the pacing timer wait for a segment that was sent.
    void Pace(uint32_t bytes);

    /// Set SND.NXT to where new data begin: a retransmission does not move it (RFC 9293, 3.4).
    void PointToNew();

    /// After a pause begin with the initial window (RFC 5681, section 4.1).
    void RestartAfterIdle();

    /// Get the ECN flags of a segment with data, CWR only with new data (RFC 3168, 6.1.2, 6.1.3).
    uint8_t GetEcnFlags(SequenceNumber32 sequence, bool isAgain);

    /// Whether ACKs echo that packets were marked (RFC 3168, 6.1.3).
    bool IsEchoing() const;

    /// Take the mark of an arriving segment, and that the peer has reduced its window.
    void ProcessMark(const TcpView& segment);

    /// Take a packet from IP.
    template <typename Header, typename HandOn>
    void OnPacket(Ptr<Packet> packet, Header header, HandOn handOn);

    /// Make the header of a segment.
    TcpHeader MakeHeader(SequenceNumber32 sequence, uint8_t flags);

    /// Send a segment.
    void Transmit(Ptr<Packet> packet, const TcpHeader& header, bool isAgain);

    /// Notify the application, if it asked for it, of the number of new bytes sent.
    void ReportSent(uint32_t bytes);

    /// Take an acknowledgement into the recovery and the send buffers.
    TcpRecoveryCore::Ack Acknowledge(SequenceNumber32 number);

    /// Take the SACK option; returns what is new, in bytes.
    uint32_t ReadSacks(const TcpHeader& header);

    /// ECN: whether a mark was echoed for which the window is to be reduced (RFC 3168, 6.1.2).
    bool ReadEcho(const TcpHeader& header, bool isNew);

    /// Hand a segment to ns-3, and send what that would send.
    void ForwardToBase(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// Have a congestion control that does all by itself set the window.
    void ControlWindow(uint32_t deliveredBytes, uint32_t lostBefore, uint32_t inFlightBefore);

    /// Whether the connection has failed for good when the timer expires again.
    bool IsSpent(bool isTimed);

    /// Wait for a second segment to be acknowledged (RFC 1122, 4.2.3.2).
    void DelayAck();

    /// Acknowledge what has waited long enough.
    void AckDelayed();

    /// Send an acknowledgement with nothing special to say, as SendEmptyPacket() does.
    void SendPureAck();

    /// Acknowledge what has come, and that packets were marked (RFC 3168, 6.1.3).
    void SendAck();

    /// Give the estimate of the rate what arrived.
    void Deliver(TcpRecoveryCore::Segment& segment);

    Scoreboard m_scoreboard{INDEXED};         //!< attribute Scoreboard
    TcpRules m_rules;                         //!< attribute Ns3Faults
    TcpRecoveryCore m_recovery;               //!< what was sent, and what is lost of it
    const TcpScoreboardCore& m_board;         //!< m_recovery's
    TcpSendStore m_store;                     //!< what was written
    Ptr<TcpOptionTS> m_sentStamp;             //!< time stamps that were sent last
    Ptr<TcpOptionTS> m_takenStamp;            //!< time stamps that came last
    TcpTxItem m_item;                         //!< shows a segment to the estimate of the rate
    Time m_retxDeadline;                      //!< when the retransmission timer expires
    EventId m_delayedAckEvent;                //!< a look at m_ackDeadline
    Time m_ackDeadline;                       //!< when what came has to be acknowledged
    uint32_t m_partialAckSegments{1};         //!< attribute PartialAckSegments
    bool m_isReceiving{false};                //!< data are in work, and will be acknowledged
    Time m_recentTime;                        //!< when the peer's time stamp was noted last
    bool m_isCwrDue{false};                   //!< the next new data say that the window is reduced
    bool m_isMarked{false};                   //!< the segment in work has a CE mark
    bool m_isEct{false};                      //!< the segment in work could be marked
    bool m_keepBackOff{true};                 //!< attribute KeepBackOff
    bool m_sackOfRetransmissions{true};       //!< attribute SackOfRetransmissions
    bool m_restartAfterIdle{true};            //!< attribute RestartAfterIdle
    Time m_lastDataSent;                      //!< when data were sent last
    Time m_giveUpTime;                        //!< attribute GiveUpTime
    Time m_firstTimeout;                      //!< of those in a row without a new ACK
    uint32_t m_challengeLimit{10};            //!< attribute ChallengeAcks
    uint32_t m_challenges{0};                 //!< ACKs sent by Challenge()
    Time m_challengesEnd;                     //!< when they are counted again
    Time m_born;                              //!< nothing was sent before
    uint32_t m_maxWindow{0};                  //!< largest window that the peer has offered, [B]
    SequenceNumber32 m_windowEnd;             //!< where the window ends
    std::optional<SequenceNumber32> m_probed; //!< last byte of a window probe
    bool m_isActive{false};                   //!< this end has opened the connection
    bool m_isCloseDue{false};                 //!< to be closed as soon as it is open
    bool m_isFalseEcho{false};                //!< the segment in work echoes what was never sent
    bool m_isInAck{false};        //!< an acknowledgement is being taken, and sends at its end
    bool m_isCheckPending{false}; //!< data were written that may be sent
    bool m_isOverriding{false};   //!< a silly window is to be used
    TracedCallback<TcpRefusal> m_refusedTrace; //!< what was not taken
};

} // namespace ns3::lfn

#endif /* LONG_FAT_TCP_SOCKET_H */
