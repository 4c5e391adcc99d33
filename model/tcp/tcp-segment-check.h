// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_SEGMENT_CHECK_H
#define TCP_SEGMENT_CHECK_H

#include "ns3/lfn-tcp-view.h"

#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Why a TCP segment, or a part of what it says, was not taken.
 */
enum class TcpRefusal : uint8_t
{
    MALFORMED,   //!< its options do not fit, or it neither acknowledges nor holds anything
    OUTSIDE,     //!< it begins outside the window, or holds something behind the peer's FIN
    RESET,       //!< a reset that is not exactly the next in sequence
    OLD_TIME,    //!< its time stamp is older than the last one (PAWS)
    NO_TIME,     //!< it lacks the time stamps that were agreed on
    SYN,         //!< the connection is set up already
    UNSENT_ACK,  //!< it acknowledges what was never sent
    OLD_ACK,     //!< its acknowledgement is older than any window
    FALSE_TIME,  //!< its time stamp is of the future and not noted; the rest is taken
    FALSE_ECHO,  //!< it echoes a time at which nothing was sent; the rest is taken
    FALSE_SACK,  //!< a block of what was never sent or is impossible; the rest is taken
    LESS_WINDOW, //!< it takes an offered window back; taken
    STRAY,       //!< it belongs to no connection: not yet or no longer
    COUNT_       //!< number of reasons; no reason itself
};

/**
 * @brief Gives the name of a reason, as logs print it.
 * @param reason the reason
 * @return a lower-case word with dashes, "unknown" outside the enumeration
 */
const char* ToString(TcpRefusal reason);

/**
 * @brief Prints the name of a reason.
 * @param os the stream to print to
 * @param reason the reason
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, TcpRefusal reason);

/**
 * @ingroup lfn-tcp
 * @brief What a synchronised connection takes (RFC 9293, 3.10.7.4, and RFC 5961).
 */
struct TcpLimits
{
    uint32_t next{0};              //!< next sequence number that is expected (RCV.NXT)
    uint32_t room{0};              //!< largest window that is ever offered (RCV.WND), [B]
    bool isFinished{false};        //!< the peer's FIN is taken
    std::optional<uint32_t> fin{}; //!< sequence number of a FIN that came before its data
    uint32_t head{0};              //!< first unacknowledged sequence number (SND.UNA)
    uint32_t sent{0};     //!< behind the last one that was sent, of a FIN or a probe as well
    uint32_t window{0};   //!< largest window that the peer offered (MAX.SND.WND), [B]
    bool hasTimes{false}; //!< time stamps were agreed on
    /// Last time stamp in sequence, while it is valid (TS.Recent), [ms].
    std::optional<uint32_t> recentTime{};

    /** @brief What is wrong with a segment. */
    struct Verdict
    {
        TcpRefusal reason; //!< what
        bool isAnswered;   //!< an acknowledgement says what is right
    };

    /**
     * @brief Judge a segment.
     *
     * Below the window only resets, FINs and what TcpSocketBase refuses are refused: ns-3's
     * acknowledgements begin there after a retransmission.
     * @param segment the segment
     * @return nothing if it is to be taken
     */
    std::optional<Verdict> Judge(const TcpView& segment) const;
};

/**
 * @ingroup lfn-tcp
 * @brief What a socket takes that has no connection: not yet or no longer (RFC 9293,
 * 3.10.7.1 to 3.10.7.4, and RFC 5961).
 */
struct TcpUnsynchronized
{
    /** @brief The state, as RFC 9293 names it. */
    enum class State : uint8_t
    {
        CLOSED,   //!< nobody listens
        LISTEN,   //!< waits for a SYN
        SYN_SENT, //!< has sent a SYN
        SYN_RCVD, //!< has sent and received a SYN
        TIME_WAIT //!< the connection has ended
    };

    /** @brief What is to be done. */
    enum class Action : uint8_t
    {
        TAKE,   //!< the segment takes the connection further
        DROP,   //!< nothing
        ACK,    //!< an acknowledgement says what is right
        RESET,  //!< a reset is sent that the sender of the segment takes
        REPEAT, //!< the answer to this segment was lost: it is retransmitted
        END     //!< the connection ends
    };

    /** @brief What becomes of a segment. */
    struct Verdict
    {
        Action action;                      //!< what is to be done
        std::optional<TcpRefusal> reason{}; //!< what is wrong with it
    };

    State state{State::CLOSED}; //!< the state
    bool isActive{false};       //!< SYN_RCVD: this end has sent its SYN first
    uint32_t initial{0};        //!< number of the SYN that was sent (ISS)
    uint32_t next{0};           //!< next sequence number that is expected (RCV.NXT)
    uint32_t room{0};           //!< window that was offered (RCV.WND), [B]
    bool hasTimes{false};       //!< time stamps were agreed on

    /**
     * @brief Judge a segment.
     * @param segment the segment
     * @return what becomes of it
     */
    Verdict Judge(const TcpView& segment) const;

  private:
    /// Judge a segment in SYN_SENT.
    Verdict JudgeSynSent(const TcpView& segment) const;

    /// Judge a segment in SYN_RCVD.
    Verdict JudgeSynRcvd(const TcpView& segment) const;

    /// Judge a segment in TIME_WAIT.
    Verdict JudgeTimeWait(const TcpView& segment) const;

    /// Judge a reset where sequence numbers are known (RFC 5961, 3.2).
    Verdict JudgeReset(const TcpView& segment) const;
};

} // namespace ns3::lfn

#endif /* TCP_SEGMENT_CHECK_H */
