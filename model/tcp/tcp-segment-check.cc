// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-segment-check.h"

namespace ns3::lfn
{

namespace
{

constexpr auto FIN = TcpView::FIN; //!< shorter
constexpr auto SYN = TcpView::SYN; //!< shorter
constexpr auto RST = TcpView::RST; //!< shorter
constexpr auto ACK = TcpView::ACK; //!< shorter

/// Get the distance from one sequence number to another.
int32_t
GetDistance(uint32_t from, uint32_t to)
{
    return static_cast<int32_t>(to - from);
}

} // namespace

const char*
ToString(TcpRefusal reason)
{
    switch (reason)
    {
    case TcpRefusal::MALFORMED:
        return "malformed";
    case TcpRefusal::OUTSIDE:
        return "outside";
    case TcpRefusal::RESET:
        return "reset";
    case TcpRefusal::OLD_TIME:
        return "old-time";
    case TcpRefusal::NO_TIME:
        return "no-time";
    case TcpRefusal::SYN:
        return "syn";
    case TcpRefusal::UNSENT_ACK:
        return "unsent-ack";
    case TcpRefusal::OLD_ACK:
        return "old-ack";
    case TcpRefusal::FALSE_TIME:
        return "false-time";
    case TcpRefusal::FALSE_ECHO:
        return "false-echo";
    case TcpRefusal::FALSE_SACK:
        return "false-sack";
    case TcpRefusal::LESS_WINDOW:
        return "less-window";
    case TcpRefusal::STRAY:
        return "stray";
    case TcpRefusal::COUNT_:
        break;
    }
    return "unknown";
}

std::ostream&
operator<<(std::ostream& os, TcpRefusal reason)
{
    return os << ToString(reason);
}

std::optional<TcpLimits::Verdict>
TcpLimits::Judge(const TcpView& segment) const
{
    const auto ahead = GetDistance(next, segment.sequence);
    if ((segment.flags & RST) != 0) // RFC 5961, 3.2
    {
        const bool isInside = ahead >= 0 && ahead < int64_t{room};
        return ahead == 0 ? std::nullopt : std::optional<Verdict>({TcpRefusal::RESET, isInside});
    }
    if ((segment.flags & SYN) != 0) // RFC 5961, 4.2
    {
        return Verdict{TcpRefusal::SYN, true};
    }
    const bool hasFin = (segment.flags & FIN) != 0;
    const bool isOldFin = hasFin && ahead + static_cast<int64_t>(segment.dataBytes) < 0;
    const bool isBehindFin = isFinished && (hasFin || segment.dataBytes > 0);
    const auto finAhead =
        fin ? GetDistance(segment.sequence + segment.dataBytes, *fin) : int32_t{0};
    const bool isOtherFin = hasFin && finAhead != 0;
    // One more: a FIN takes a sequence number, but no room.
    if (ahead > int64_t{room} + 1 || isOldFin || isBehindFin || isOtherFin || finAhead < 0)
    {
        return Verdict{TcpRefusal::OUTSIDE, true};
    }
    if (hasTimes && !segment.echo) // RFC 7323, 3.2
    {
        return Verdict{TcpRefusal::NO_TIME, false};
    }
    if (hasTimes && recentTime &&
        GetDistance(*recentTime, segment.time.value_or(*recentTime)) < 0) // RFC 7323, 5.3
    {
        return Verdict{TcpRefusal::OLD_TIME, true};
    }
    if ((segment.flags & ACK) == 0)
    {
        // ns-3's window probes do not acknowledge anything either.
        const bool isProbe = segment.dataBytes > 0 && !hasFin;
        return isProbe ? std::nullopt : std::optional<Verdict>({TcpRefusal::MALFORMED, false});
    }
    if (GetDistance(sent, segment.ack) > 0)
    {
        return Verdict{TcpRefusal::UNSENT_ACK, true};
    }
    if (GetDistance(head, segment.ack) < -static_cast<int64_t>(window)) // RFC 5961, 5.2
    {
        return Verdict{TcpRefusal::OLD_ACK, true};
    }
    return std::nullopt;
}

TcpUnsynchronized::Verdict
TcpUnsynchronized::Judge(const TcpView& segment) const
{
    const bool isReset = (segment.flags & RST) != 0;
    switch (state)
    {
    case State::LISTEN: // 3.10.7.2
        if (isReset)
        {
            return {Action::DROP, TcpRefusal::RESET};
        }
        if ((segment.flags & ACK) != 0)
        {
            return {Action::RESET, TcpRefusal::UNSENT_ACK};
        }
        if ((segment.flags & SYN) == 0)
        {
            return {Action::DROP, TcpRefusal::STRAY};
        }
        return (segment.flags & FIN) == 0 ? Verdict{Action::TAKE}
                                          : Verdict{Action::DROP, TcpRefusal::MALFORMED};
    case State::SYN_SENT:
        return JudgeSynSent(segment);
    case State::SYN_RCVD:
        return isReset ? JudgeReset(segment) : JudgeSynRcvd(segment);
    case State::TIME_WAIT:
        return isReset ? JudgeReset(segment) : JudgeTimeWait(segment);
    case State::CLOSED: // 3.10.7.1
        break;
    }
    return {isReset ? Action::DROP : Action::RESET, TcpRefusal::STRAY};
}

TcpUnsynchronized::Verdict
TcpUnsynchronized::JudgeSynSent(const TcpView& segment) const
{
    // 3.10.7.3
    const bool isReset = (segment.flags & RST) != 0;
    const bool hasAck = (segment.flags & ACK) != 0;
    if (hasAck && segment.ack != initial + 1)
    {
        return isReset ? Verdict{Action::DROP, TcpRefusal::RESET}
                       : Verdict{Action::RESET, TcpRefusal::UNSENT_ACK};
    }
    if (isReset)
    {
        return hasAck ? Verdict{Action::END} : Verdict{Action::DROP, TcpRefusal::RESET};
    }
    return (segment.flags & SYN) != 0 ? Verdict{Action::TAKE}
                                      : Verdict{Action::DROP, TcpRefusal::STRAY};
}

TcpUnsynchronized::Verdict
TcpUnsynchronized::JudgeReset(const TcpView& segment) const
{
    const auto ahead = GetDistance(next, segment.sequence);
    if (ahead == 0)
    {
        return {Action::END};
    }
    const bool isInside = ahead > 0 && ahead < int64_t{room};
    return {isInside ? Action::ACK : Action::DROP, TcpRefusal::RESET};
}

TcpUnsynchronized::Verdict
TcpUnsynchronized::JudgeSynRcvd(const TcpView& segment) const
{
    // 3.10.7.4
    const auto ahead = GetDistance(next, segment.sequence);
    const auto end = ahead + static_cast<int64_t>(segment.dataBytes);
    // An ACK is taken while the window is closed, too.
    const bool isInside =
        ahead == 0 || (room > 0 && ahead < int64_t{room} && (ahead > 0 || end > 0));
    const bool hasAck = (segment.flags & ACK) != 0;
    if ((segment.flags & SYN) != 0)
    {
        if (ahead == -1 && !hasAck)
        {
            return {Action::REPEAT};
        }
        // Another SYN takes a passive open back to LISTEN.
        return {isInside && !isActive ? Action::END : Action::ACK, TcpRefusal::SYN};
    }
    if (!isInside)
    {
        return {Action::ACK, TcpRefusal::OUTSIDE};
    }
    if (!hasAck)
    {
        return {Action::DROP, TcpRefusal::STRAY};
    }
    if (segment.ack != initial + 1)
    {
        return {Action::RESET, TcpRefusal::UNSENT_ACK};
    }
    if (hasTimes && !segment.echo) // RFC 7323, 3.2
    {
        return {Action::DROP, TcpRefusal::NO_TIME};
    }
    return {Action::TAKE};
}

TcpUnsynchronized::Verdict
TcpUnsynchronized::JudgeTimeWait(const TcpView& segment) const
{
    // 3.10.7.4
    if ((segment.flags & SYN) != 0)
    {
        return {Action::ACK, TcpRefusal::SYN};
    }
    if ((segment.flags & FIN) != 0 && segment.sequence + segment.dataBytes + 1 == next)
    {
        return {Action::REPEAT};
    }
    if ((segment.flags & FIN) != 0 || segment.dataBytes > 0)
    {
        return {Action::ACK, TcpRefusal::OUTSIDE};
    }
    return {Action::DROP}; // an answer to an ACK could repeat for ever
}

} // namespace ns3::lfn
