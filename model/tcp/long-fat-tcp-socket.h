// SPDX-License-Identifier: GPL-2.0-only

#ifndef LONG_FAT_TCP_SOCKET_H
#define LONG_FAT_TCP_SOCKET_H

#include "ns3-access.h"
#include "tcp-plain-segment.h"
#include "tcp-scoreboard-core.h"
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
 * The handshake, options, timers, traces, Attributes, congestion control, recovery and estimates
 * are those of TcpSocketBase. What differs is how a sender finds out what is lost and what goes
 * next: ns-3 walks its list of all segments in flight for that, this socket asks a
 * TcpScoreboardCore (RFC 6675). Where ns-3 errs, this socket does what the RFC says; with
 * Ns3Faults its packets are those of ns-3, to the nanosecond.
 *
 * TcpSocketBase's send buffer only counts bytes here: GetTxBuffer() knows neither their contents
 * nor what was sent, sacked or lost.
 */
class LongFatTcpSocket : public NamedTcpSocketBase<LongFatTcpSocket>
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

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LongFatTcpSocket();

    /**
     * @brief Copy for a forked socket: the settings, no data.
     * @param other what to copy
     */
    LongFatTcpSocket(const LongFatTcpSocket& other);

    ~LongFatTcpSocket() override;

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
     * @brief How much more may be sent; as asked by SendPendingData(), sends it.
     *
     * ns-3 decides in SendPendingData() what goes next, which is not virtual. It asks for the
     * window first and does nothing when there is none.
     * @return window that is left, [B]
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
    /** @brief What an acknowledgement says. */
    struct Ack
    {
        SequenceNumber32 number;  //!< the acknowledgement number
        SequenceNumber32 oldHead; //!< first unacknowledged byte before
        bool isDuplicate;         //!< by the definition of RFC 6675, without SACK of RFC 5681
        uint32_t deliveredBytes;  //!< newly acknowledged or sacked, [B]
    };

    /**
     * @brief Tell whether an ACK covers more than recover, so that duplicates of it tell of a loss
     * (RFC 6582, section 3.2, step 2).
     * @param ack its number
     * @return true when it does
     */
    bool IsBeyondRecover(SequenceNumber32 ack) const;

    /** @brief Data to be sent. */
    struct Next
    {
        SequenceNumber32 sequence; //!< first byte
        uint32_t bytes;            //!< at most
    };

    /// Whether TcpSocketBase does all.
    bool IsStock() const;

    /// Whether both ends have set the connection up, and neither has ended it.
    bool IsSynchronized() const;

    /// Whether this end's FIN was sent and is not acknowledged.
    bool IsFinPending() const;

    /// Whether a segment of a connection is to be taken; if not, counts and answers it.
    bool Admit(const TcpSegment& segment);

    /// Take, answer or drop a segment where no connection is synchronised.
    void ForwardUnsynchronized(Ptr<Packet> packet,
                               const TcpSegment& segment,
                               const Address& fromAddress,
                               const Address& toAddress);

    /// Judge a segment where no connection is synchronised.
    TcpUnsynchronized::Verdict JudgeUnsynchronized(const TcpSegment& segment) const;

    /// Take a SYN, or the ACK of one's own: as far as a connection.
    void OpenConnection(Ptr<Packet> packet,
                        const TcpSegment& segment,
                        const Address& fromAddress,
                        const Address& toAddress);

    /// Have a listening socket fork for a SYN, which changes nothing else of it.
    void ForwardListen(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// A reset ends what is not synchronised.
    void EndUnsynchronized();

    /// Answer with a reset that is in sequence for the sender of a segment.
    void SendReset(Ptr<const Packet> packet,
                   const TcpSegment& segment,
                   const Address& fromAddress,
                   const Address& toAddress);

    /// Send the answer to a SYN or a FIN again, which was lost.
    void RepeatAnswer();

    /// Take the header off a segment, which is shown to whom traces segments.
    TcpHeader TakeHeader(Ptr<Packet> packet);

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
    void NoteTime(uint32_t value);

    /// Whether a time stamp is later than the peer's clock can be (RFC 7323, 5.4: 1 ms a tick).
    bool IsFalseTime(uint32_t value) const;

    /// Whether the window has grown so much that the peer should learn of it (RFC 9293, 3.8.6.2.2).
    bool IsWindowUpdateDue() const;

    /// Whether a time stamp [ms] is none of ours: from before the socket was made, or to come.
    bool IsFalseEcho(uint32_t echo) const;

    /// Whether one more segment that is not taken may be answered (RFC 5961, section 7).
    bool MayAnswer();

    /// Say what is right, as often as is allowed.
    void Challenge();

    /// Note the window that a segment has offered.
    void NoteWindow();

    /// Look at the window that a segment has offered, and at the timer that it may have stopped.
    void CheckWindow(bool wasProbing);

    /// Have the retransmission timer run, from now on.
    void StartTimer();

    /// Whether the retransmission timer has expired, or was started again since.
    void CheckTimer();

    /// Have what comes looked at by TakePlain() first.
    void LookFirst();

    /// Take a segment as nearly all are, in one step instead of ns-3's three; false: it is none.
    bool TakePlain(const Ptr<Packet>& packet);

    /// Get this end's port.
    uint16_t GetLocalPort() const;

    /// Take a reset, or a segment in TIME_WAIT, whose data ns-3 acknowledges without a check.
    bool TakeAtEnd(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// Whether a segment is one that TakePlain() may take.
    bool IsPlain(const TcpPlainSegment& segment, uint32_t dataBytes) const;

    /// Get an option for time stamps; the same again where nobody else has it.
    static Ptr<TcpOptionTS> MakeStamp(Ptr<TcpOptionTS>& last, uint32_t value, uint32_t echo);

    /// Get the offset in the stream of a sequence number near the window.
    int64_t GetOffset(SequenceNumber32 sequence) const;

    /// Get the sequence number of an offset.
    SequenceNumber32 GetSequence(int64_t offset) const;

    /// Find what goes next (RFC 6675: NextSeg()).
    std::optional<Next> FindNext(bool isRule3) const;

    /// Look a little later for what can be sent, if that is due.
    void ScheduleLook();

    /// Send what the window allows, if there is a connection.
    void SendPending();

    /// Send what the window allows.
    void SendWindow(uint32_t window);

    /// Whether a window is too small to be used (RFC 1122, 4.2.3.4).
    bool IsSilly(uint32_t window, uint32_t dataBytes);

    /// Whether a small segment has to wait for an acknowledgement (RFC 896).
    bool IsNagled(const Next& next, uint32_t dataBytes) const;

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
    void ProcessMark(const TcpSegment& segment);

    /// Take a packet from IP.
    template <typename Header, typename HandOn>
    void OnPacket(Ptr<Packet> packet, Header header, HandOn handOn);

    /// Make the header of a segment.
    TcpHeader MakeHeader(SequenceNumber32 sequence, uint8_t flags);

    /// Send a segment.
    void Transmit(Ptr<Packet> packet, const TcpHeader& header, bool isAgain);

    /// Tell the application, if it asked for it, that so many new bytes are sent.
    void TellSent(uint32_t bytes);

    /// Without SACK, forget what duplicate ACKs were taken for when they have an end.
    void ForgetDuplicates(const Ack& ack);

    /// Get what is half of at a loss (RFC 5681, eq. 4), [B].
    uint32_t GetFlightSize() const;

    /// Forget what is acknowledged.
    void Discard(SequenceNumber32 ack);

    /// Tell the congestion control and note a state.
    void EnterState(TcpSocketState::TcpCongState_t state);

    /// Take the SACK option; returns what is new, in bytes.
    uint32_t ReadSacks(const TcpHeader& header);

    /// ECN: leave CWR, and enter it when a mark was echoed (RFC 3168, 6.1.2).
    void ProcessEcho(const TcpHeader& header, const Ack& ack);

    /// Reduce the window once for a mark.
    void ReduceForEcn(uint32_t deliveredBytes);

    /// Reduce the window once more in a recovery, since a retransmission was lost.
    void ReduceAgain(uint32_t deliveredBytes);

    /// Count a duplicate ACK, and enter recovery at the third.
    void ProcessDuplicate(uint32_t deliveredBytes);

    /// Begin a recovery of ns-3's algorithm, unless the congestion control does without.
    void BeginRecovery(uint32_t deliveredBytes);

    /// Enter recovery.
    void Recover(uint32_t deliveredBytes);

    /// What an acknowledgement means for the window.
    void HandleAck(const Ack& ack);

    /// New data are acknowledged.
    void ProcessNew(const Ack& ack, uint32_t oldDupAckCount);

    /// In recovery, with more of it to come.
    void ProcessPartial(const Ack& ack, uint32_t segments, uint32_t bytes);

    /// New data are acknowledged, and no recovery goes on.
    void ProcessFull(const Ack& ack, uint32_t segments, uint32_t oldDupAckCount);

    /// Have the congestion control open the window for acknowledged segments.
    void OpenWindow(uint32_t segments);

    /// Send again what is next, or else the first segment.
    void Retransmit();

    /// Without SACK, go on sending again what is behind the first hole (RFC 3782, section 5).
    /// @param most segments at once
    void ResendMore(uint32_t most);

    /// Wait for a second segment to be acknowledged (RFC 1122, 4.2.3.2).
    void DelayAck();

    /// Acknowledge what has waited long enough.
    void AckDelayed();

    /// Send an acknowledgement with nothing special to say, as SendEmptyPacket() does.
    void SendPlainAck();

    /// Acknowledge what has come, and that packets were marked (RFC 3168, 6.1.3).
    void SendAck();

    /// Tell the estimate of the rate what arrived.
    void Deliver(TcpScoreboardCore::Segment& segment);

    Scoreboard m_scoreboard{INDEXED};         //!< attribute Scoreboard
    bool m_ns3Faults{false};                  //!< attribute Ns3Faults
    TcpScoreboardCore m_board;                //!< what was sent
    TcpSendStore m_store;                     //!< what was written
    Ptr<TcpOptionTS> m_sentStamp;             //!< time stamps that were sent last
    Ptr<TcpOptionTS> m_takenStamp;            //!< time stamps that came last
    TcpTxItem m_item;                         //!< shows a segment to the estimate of the rate
    Time m_retxDeadline;                      //!< when the retransmission timer expires
    EventId m_delayedAckEvent;                //!< a look at m_ackDeadline
    Time m_ackDeadline;                       //!< when what came has to be acknowledged
    int64_t m_timedOut{-1};                   //!< offset that the timer has expired for last
    uint32_t m_partialAckSegments{1};         //!< attribute PartialAckSegments
    int64_t m_resendRoom{0};                  //!< behind the head that may be sent again, [B]
    uint32_t m_vainSegments{0};               //!< copies under way of what had arrived
    SequenceNumber32 m_vainEnd{0};            //!< data sent after all these copies begin here
    int64_t m_resentEnd{0};                   //!< offset behind what was sent again
    int64_t m_reducedBefore{-1};              //!< of retransmissions later than this a loss counts
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
    Time m_challengesEnd;                     //!< when they are counted anew
    Time m_born;                              //!< nothing was sent before
    uint32_t m_maxWindow{0};                  //!< largest window that the peer has offered, [B]
    SequenceNumber32 m_windowEnd;             //!< where the window ends
    std::optional<SequenceNumber32> m_probed; //!< last byte of a window probe
    bool m_isActive{false};                   //!< this end has opened the connection
    bool m_isCloseDue{false};                 //!< to be closed as soon as it is open
    bool m_isFalseEcho{false};                //!< the segment in work echoes what was never sent
    bool m_isCounting{false};                 //!< AvailableWindow() is to count, not to send
    bool m_isInAck{false};      //!< an acknowledgement is being taken, and sends at its end
    bool m_isLookDue{false};    //!< data were written that may be sent
    bool m_isOverriding{false}; //!< a silly window is to be used
    TracedCallback<TcpRefusal> m_refusedTrace; //!< what was not taken
};

} // namespace ns3::lfn

#endif /* LONG_FAT_TCP_SOCKET_H */
