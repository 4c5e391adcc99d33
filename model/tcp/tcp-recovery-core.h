// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_RECOVERY_CORE_H
#define TCP_RECOVERY_CORE_H

#include "tcp-rules.h"
#include "tcp-scoreboard-core.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief A TCP sender's loss recovery: RFC 6675 with SACK, RFC 6582 without, RFC 5681 and RFC 3168
 * for the window.
 *
 * Acknowledgements and timeouts come in, as offsets in the stream of the connection. Actions go
 * out, one by one: a later decision may depend on what an earlier action did. How far the window
 * shrinks and grows is the matter of a congestion control behind these actions.
 */
class TcpRecoveryCore
{
  public:
    using Range = TcpScoreboardCore::Range;     //!< a piece of the stream
    using Segment = TcpScoreboardCore::Segment; //!< data that were sent together

    /** @brief Congestion states; the names are those of TcpSocketState::TcpCongState_t. */
    enum class State : uint8_t
    {
        OPEN,     //!< no sign of a loss
        DISORDER, //!< duplicate ACKs, fewer than DupThresh
        CWR,      //!< the window is reduced because of a mark
        RECOVERY, //!< fast recovery
        LOSS      //!< the retransmission timer has expired
    };

    /** @brief What holds for the connection. */
    struct Settings
    {
        uint32_t segmentSize{536};  //!< SMSS, at least 1 [B]
        uint32_t dupThresh{3};      //!< DupThresh, at least 1
        bool hasSack{true};         //!< both ends use SACK
        bool limitedTransmit{true}; //!< RFC 3042, without SACK
        bool controlsWindow{false}; //!< the congestion control sets the window on its own, as BBR
        uint32_t partialAckSegments{1}; //!< retransmitted per partial ACK without SACK
        bool sackRetransmissions{true}; //!< what SACK says of retransmissions counts
    };

    /** @brief An acknowledgement that is not older than those before. */
    struct Ack
    {
        int64_t number{0};                 //!< behind the last byte that it acknowledges
        int64_t oldHead{0};                //!< first unacknowledged byte before
        int64_t highData{0};               //!< behind the last byte ever sent
        uint32_t writtenBytes{0};          //!< written and not acknowledged [B]
        uint32_t receiverWindow{0};        //!< that the peer offers [B]
        uint32_t deliveredBytes{0};        //!< newly acknowledged or SACKed [B]
        bool isDuplicate{false};           //!< by RFC 6675, without SACK by RFC 5681
        bool isRetransmissionAcked{false}; //!< acknowledges a segment that was retransmitted
    };

    /** @brief A decision that a log shows. */
    enum class Decision : uint8_t
    {
        COUNT_DUPLICATE, //!< a duplicate ACK counts
        START_RECOVERY,  //!< after DupThresh of them, or by SACK
        REDUCE_AGAIN,    //!< a retransmission is lost
        REDUCE_FOR_ECHO, //!< a mark was echoed
        GO_ON,           //!< a partial ACK
        END_RECOVERY     //!< all is acknowledged that was sent before the recovery
    };

    /** @brief Carries out what the core decides. */
    class Actions
    {
      public:
        virtual ~Actions() = default;

        /** @return the congestion window, [B] */
        virtual uint32_t GetCwnd() const = 0;

        /** @return the slow start threshold, [B] */
        virtual uint32_t GetSsThresh() const = 0;

        /**
         * @brief Enter a congestion state.
         * @param state the new one
         */
        virtual void SetState(State state) = 0;

        /**
         * @brief Reduce the slow start threshold.
         * @param flightBytes what is halved (RFC 5681, equation 4), [B]
         */
        virtual void ReduceSsThresh(uint32_t flightBytes) = 0;

        /** @brief Set the window to one segment (RFC 5681, section 3.1: loss window). */
        virtual void SetLossWindow() = 0;

        /**
         * @brief Have the recovery algorithm, such as PRR (RFC 6937), begin to reduce the window.
         * @param deliveredBytes by this ACK, [B]
         */
        virtual void BeginReduction(uint32_t deliveredBytes) = 0;

        /**
         * @brief Have the recovery algorithm set the window for an ACK.
         * @param deliveredBytes by this ACK, [B]
         * @param isDuplicate whether it is a duplicate
         */
        virtual void GoOnReducing(uint32_t deliveredBytes, bool isDuplicate) = 0;

        /** @brief Set the window to the threshold. */
        virtual void EndReduction() = 0;

        /** @brief Inform the congestion control that a reduction is complete. */
        virtual void ReportReduction() = 0;

        /**
         * @brief Inform the congestion control of acknowledged segments.
         * @param segments how many
         */
        virtual void ReportAcked(uint32_t segments) = 0;

        /**
         * @brief Have the congestion control open the window.
         * @param segments that are acknowledged
         */
        virtual void OpenWindow(uint32_t segments) = 0;

        /**
         * @brief Deflate the window that a trace shows (RFC 6582, section 3.2, step 3).
         * @param bytes by so much
         */
        virtual void Deflate(uint32_t bytes) = 0;

        /**
         * @brief New data are acknowledged: inform the application.
         * @param restartTimer restart the retransmission timer (RFC 6298, 5.3)
         */
        virtual void ReportNewAck(bool restartTimer) = 0;

        /**
         * @brief Send a segment at once; OnSend() is called.
         * @param offset its first byte
         * @param bytes at most
         * @return bytes that were sent; 0 if there are none
         */
        virtual uint32_t SendNow(int64_t offset, uint32_t bytes) = 0;

        /**
         * @brief The same, which is what SND.NXT points to.
         * @param offset its first byte
         * @param bytes at most
         */
        virtual void SendNext(int64_t offset, uint32_t bytes) = 0;

        /** @brief GetBytesInFlight() may have changed. */
        virtual void UpdateBytesInFlight() = 0;

        /**
         * @brief Log a decision.
         * @param decision what was decided
         */
        virtual void Log(Decision decision) = 0;

        /**
         * @brief A SACK block cannot be true, and is ignored.
         * @param block the block
         */
        virtual void RefuseSack(const Range& block) = 0;
    };

    /**
     * @brief Nothing is sent yet.
     * @param actions carries out what is decided
     * @param rules that it follows; outlives the core
     * @param delivered called with what arrives
     */
    TcpRecoveryCore(Actions& actions,
                    const TcpRules& rules,
                    TcpScoreboardCore::Delivered delivered);

    /**
     * @brief Set what holds for the connection; to be called before the first event.
     * @param settings what holds
     */
    void Configure(const Settings& settings);

    /**
     * @brief Data are sent.
     * @param offset first byte; one that was sent, or where new data begin
     * @param bytes at most this number of those sent
     * @return the segment, valid until the next call
     */
    Segment& OnSend(int64_t offset, uint32_t bytes);

    /**
     * @brief A window is probed by one byte, which ns-3 notes and takes back.
     * @param offset the byte
     */
    void OnProbe(int64_t offset);

    /**
     * @brief Take the SACK blocks of an acknowledgement (RFC 6675: Update()).
     * @param blocks what the receiver says it holds
     * @return bytes that are new, [B]
     */
    uint32_t OnSacks(std::vector<Range> blocks);

    /**
     * @brief Take an acknowledgement into the scoreboard.
     * @param number behind the last byte that it acknowledges, not less than before
     * @param unsentBytes written and not sent yet, [B]; a byte of a probe may be among them
     * @return what it says
     */
    Ack Acknowledge(int64_t number, uint32_t unsentBytes);

    /**
     * @brief Leave CWR when all is acknowledged that was sent before the reduction.
     * @param number of an acknowledgement
     */
    void LeaveCwr(int64_t number);

    /**
     * @brief An ACK of new data has an ECN-Echo: reduce the window, once per window (RFC 3168,
     * 6.1.2).
     * @param ack that has it
     */
    void OnEcho(const Ack& ack);

    /**
     * @brief Decide what an acknowledgement means for recovery and window.
     * @param ack what Acknowledge() returned, with the connection's state
     */
    void OnAck(const Ack& ack);

    /**
     * @brief The retransmission timer has expired (RFC 5681, 3.1; RFC 6675, 5.1).
     * @param highData behind the last byte ever sent
     */
    void OnTimeout(int64_t highData);

    /**
     * @brief Find what goes next (RFC 6675: NextSeg()).
     * @param writtenBytes written and not acknowledged, [B]
     * @param receiverWindow that the peer offers, [B]
     * @return a piece of a segment at most; nothing if nothing may go
     */
    std::optional<Range> FindNext(uint32_t writtenBytes, uint32_t receiverWindow) const;

    /** @return what was sent, SACKed and taken for lost */
    const TcpScoreboardCore& GetScoreboard() const;

    /** @return the congestion state */
    State GetState() const;

    /** @return duplicate ACKs in a row */
    uint32_t GetDuplicates() const;

    /** @return RecoveryPoint (RFC 6675), recover (RFC 6582): a recovery ends with an ACK of it */
    int64_t GetRecoveryPoint() const;

    /** @return pipe (RFC 6675), and copies of what had arrived that are on their way, [B] */
    uint32_t GetBytesInFlight() const
    {
        // Where all is acknowledged, no ACK would report copies that are lost.
        const auto copies = m_board.GetSentBytes() > 0 ? m_copies : 0;
        return m_board.GetBytesInFlight() + copies * m_settings.segmentSize;
    }

  private:
    /// Whether an ACK covers more than recover: duplicates of it indicate a loss.
    bool IsBeyondRecover(int64_t ack) const;

    /// Get what a loss halves (RFC 5681, equation 4; RFC 6675, section 5, (4.2)), [B].
    uint32_t GetFlightSize() const;

    /// Find what goes next, with rule 3 of NextSeg() or without.
    std::optional<Range> FindNext(uint32_t writtenBytes, uint32_t receiverWindow, bool rule3) const;

    /// Enter a congestion state.
    void Enter(State state);

    /// Have the recovery algorithm begin, unless the congestion control does without.
    void BeginReduction(uint32_t deliveredBytes);

    /// Have the recovery algorithm go on, unless the congestion control does without.
    void GoOnReducing(uint32_t deliveredBytes, bool isDuplicate);

    /// Without SACK, forget what duplicate ACKs were taken for when they have an end.
    void ForgetDuplicates(const Ack& ack);

    /// Count a duplicate ACK, and enter recovery at DupThresh.
    void ProcessDuplicate(const Ack& ack);

    /// A duplicate ACK in recovery.
    void ProcessInflating(const Ack& ack, bool isOfCopy);

    /// Enter recovery.
    void EnterRecovery(const Ack& ack);

    /// Reduce the window again in a recovery.
    void ReduceAgain(const Ack& ack);

    /// New data are acknowledged.
    void ProcessNew(const Ack& ack, uint32_t oldDuplicates);

    /// Estimate how many copies of what had arrived are on their way.
    void CountCopies(const Ack& ack);

    /// In recovery, with more of it to come.
    void ProcessPartial(const Ack& ack, uint32_t segments);

    /// New data are acknowledged, and no recovery goes on behind them.
    void ProcessFull(const Ack& ack, uint32_t segments, uint32_t oldDuplicates);

    /// Without SACK, go on retransmitting what is behind the first gap (RFC 3782, section 5).
    void ResendMore(uint32_t most);

    Actions& m_actions;           //!< carries out what is decided
    const TcpRules& m_rules;      //!< that hold
    TcpScoreboardCore m_board;    //!< what was sent
    Settings m_settings;          //!< of the connection
    State m_state{State::OPEN};   //!< congestion state
    uint32_t m_duplicates{0};     //!< duplicate ACKs in a row
    int64_t m_recover{-1};        //!< RecoveryPoint
    bool m_isRecoverValid{false}; //!< m_recover is of a loss that is not recovered yet
    bool m_isFirstPartial{true};  //!< no partial ACK in this recovery yet
    uint32_t m_partBytes{0};      //!< acknowledged of a segment that is not whole yet, [B]
    int64_t m_timedOut{-1};       //!< what the timer has expired for last
    int64_t m_reducedBefore{-1};  //!< of retransmissions later than this a loss counts
    int64_t m_resendBytes{0};     //!< behind the head that may be retransmitted, [B]
    int64_t m_resentEnd{0};       //!< behind what was retransmitted
    uint32_t m_copies{0};         //!< segments under way again that had arrived before
    int64_t m_copiesEnd{-1};      //!< data sent after all these copies begin here
};

} // namespace ns3::lfn

#endif // TCP_RECOVERY_CORE_H
