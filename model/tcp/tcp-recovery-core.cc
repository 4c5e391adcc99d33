// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-recovery-core.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

TcpRecoveryCore::TcpRecoveryCore(Actions& actions,
                                 const TcpRules& rules,
                                 TcpScoreboardCore::Delivered delivered)
    : m_actions(actions),
      m_rules(rules),
      m_board(std::move(delivered))
{
}

void
TcpRecoveryCore::Configure(const Settings& settings)
{
    m_settings = settings;
}

const TcpScoreboardCore&
TcpRecoveryCore::GetScoreboard() const
{
    return m_board;
}

TcpRecoveryCore::State
TcpRecoveryCore::GetState() const
{
    return m_state;
}

uint32_t
TcpRecoveryCore::GetDuplicates() const
{
    return m_duplicates;
}

int64_t
TcpRecoveryCore::GetRecoveryPoint() const
{
    return m_recover;
}

bool
TcpRecoveryCore::IsBeyondRecover(int64_t ack) const
{
    // RFC 6582, section 3.2, step 2. TCP-D13: duplicates of the ACK of recover itself may come of
    // what was retransmitted needlessly.
    const bool isStrict = m_rules.requireBeyondRecover && !m_settings.hasSack;
    return isStrict ? ack > m_recover : ack >= m_recover;
}

uint32_t
TcpRecoveryCore::GetFlightSize() const
{
    return std::min(m_board.GetSentBytes(), m_actions.GetCwnd());
}

std::optional<TcpRecoveryCore::Range>
TcpRecoveryCore::FindNext(uint32_t writtenBytes, uint32_t receiverWindow) const
{
    return FindNext(writtenBytes, receiverWindow, m_settings.hasSack && m_state == State::RECOVERY);
}

std::optional<TcpRecoveryCore::Range>
TcpRecoveryCore::FindNext(uint32_t writtenBytes, uint32_t receiverWindow, bool rule3) const
{
    const auto size = m_settings.segmentSize;
    if (const auto lost = m_board.FindLost()) // RFC 6675, section 4, NextSeg(), (1)
    {
        return Range{*lost, *lost + size};
    }
    const auto sentBytes = m_board.GetSentBytes();
    if (sentBytes < writtenBytes) // (2)
    {
        const auto end = m_board.GetEnd();
        return sentBytes >= receiverWindow
                   ? std::nullopt
                   : std::optional(Range{end, end + std::min(size, receiverWindow - sentBytes)});
    }
    if (const auto gap = rule3 ? m_board.FindUnsacked() : std::nullopt) // (3)
    {
        return Range{*gap, *gap + size};
    }
    return std::nullopt;
}

TcpRecoveryCore::Segment&
TcpRecoveryCore::OnSend(int64_t offset, uint32_t bytes)
{
    return offset < m_board.GetEnd() ? m_board.Retransmit(offset, bytes) : m_board.Send(bytes);
}

void
TcpRecoveryCore::OnProbe(int64_t offset)
{
    OnSend(offset, 1);
    m_board.TakeBack();
}

uint32_t
TcpRecoveryCore::OnSacks(std::vector<Range> blocks)
{
    if (m_rules.checkSacks) // TCP-D10
    {
        std::erase_if(blocks, [this](const Range& block) {
            const bool isTrue = m_board.GetHead() < block.begin && block.begin < block.end &&
                                block.end <= m_board.GetEnd();
            const bool isOld = block.begin < block.end && block.end <= m_board.GetHead();
            if (!isTrue && !isOld)
            {
                m_actions.RefuseSack(block);
            }
            return !isTrue;
        });
    }
    const bool isRfc = m_settings.sackRetransmissions && m_rules.sackRetransmissions;
    const auto rules = isRfc ? TcpScoreboardCore::Rules::RFC : TcpScoreboardCore::Rules::NS3;
    return m_board.Update(blocks, m_settings.dupThresh, rules);
}

TcpRecoveryCore::Ack
TcpRecoveryCore::Acknowledge(int64_t number, uint32_t unsentBytes)
{
    Ack ack{.number = number, .oldHead = m_board.GetHead()};
    if (m_state == State::RECOVERY && number < m_recover)
    {
        const int64_t size = m_settings.segmentSize;
        for (auto end = number; end - size >= ack.oldHead; end -= size)
        {
            ack.isRetransmissionAcked |= m_board.IsRetransmittedDataAcked(end);
        }
    }
    ForgetDuplicates(ack);
    if (number > m_board.GetEnd() && unsentBytes > 0)
    {
        // A probe's byte, or without checkSegments a lie, is taken for sent.
        m_board.Send(
            static_cast<uint32_t>(std::min<int64_t>(number - m_board.GetEnd(), unsentBytes)));
    }
    m_board.Discard(number, !m_rules.trustSacks || !m_settings.hasSack);
    return ack;
}

void
TcpRecoveryCore::ForgetDuplicates(const Ack& ack)
{
    // RFC 6582, section 3.2, step 3; TCP-D1
    const bool isRecovered = m_state == State::RECOVERY && ack.number >= m_recover;
    const bool isOrdered = m_state == State::DISORDER && ack.number > ack.oldHead;
    if (m_rules.forgetDuplicates && !m_settings.hasSack && (isRecovered || isOrdered))
    {
        m_board.ForgetSacks();
    }
}

void
TcpRecoveryCore::Enter(State state)
{
    m_actions.SetState(state);
    m_state = state;
}

void
TcpRecoveryCore::BeginReduction(uint32_t deliveredBytes)
{
    if (!m_settings.controlsWindow)
    {
        m_actions.BeginReduction(deliveredBytes);
    }
}

void
TcpRecoveryCore::GoOnReducing(uint32_t deliveredBytes, bool isDuplicate)
{
    if (!m_settings.controlsWindow)
    {
        m_actions.GoOnReducing(deliveredBytes, isDuplicate);
    }
}

void
TcpRecoveryCore::LeaveCwr(int64_t number)
{
    if (m_state != State::CWR || number <= m_recover)
    {
        return;
    }
    Enter(State::OPEN);
    if (!m_settings.controlsWindow)
    {
        m_actions.EndReduction();
        m_actions.ReportReduction();
    }
}

void
TcpRecoveryCore::OnEcho(const Ack& ack)
{
    // RFC 3168, 6.1.2: once per window, for any reason (TCP-D30).
    const bool isInLoss = m_state == State::RECOVERY || m_state == State::LOSS;
    if (m_state == State::CWR || (m_rules.reduceOncePerWindow && isInLoss))
    {
        return;
    }
    m_actions.UpdateBytesInFlight();
    m_actions.ReduceSsThresh(GetBytesInFlight());
    m_recover = ack.highData;
    Enter(State::CWR);
    m_actions.Log(Decision::REDUCE_FOR_ECHO);
    BeginReduction(ack.deliveredBytes);
}

void
TcpRecoveryCore::OnAck(const Ack& ack)
{
    if (m_state == State::RECOVERY && m_board.GetLostRetransmission() > m_reducedBefore)
    {
        ReduceAgain(ack);
    }
    const auto oldDuplicates = m_duplicates;
    if (ack.isDuplicate)
    {
        ProcessDuplicate(ack);
    }
    if (ack.number > ack.oldHead)
    {
        ProcessNew(ack, oldDuplicates);
    }
    else if (ack.number == ack.highData)
    {
        m_copies -= m_copies > 0;
    }
    else if (ack.number < ack.highData && (ack.isDuplicate || !m_rules.countDuplicates))
    {
        m_actions.ReportAcked(1); // TCP-D35: a duplicate means that one segment has arrived
    }
}

void
TcpRecoveryCore::ProcessDuplicate(const Ack& ack)
{
    if (m_state == State::LOSS)
    {
        return; // whether of a spurious retransmission or of a loss, is not known
    }
    const bool isOfCopy = m_copies > 0;
    m_copies -= isOfCopy;
    if (m_state == State::RECOVERY)
    {
        ProcessInflating(ack, isOfCopy);
        return;
    }
    if (isOfCopy)
    {
        return; // it says nothing of a loss
    }
    ++m_duplicates; // RFC 6675, section 5
    m_actions.Log(Decision::COUNT_DUPLICATE);
    if (m_state == State::OPEN)
    {
        Enter(State::DISORDER);
    }
    const bool isInCwr = m_state == State::CWR && m_rules.reduceOncePerWindow; // TCP-D30
    if (m_state != State::DISORDER && !isInCwr)
    {
        return;
    }
    const auto head = m_board.GetHead();
    const bool isThird =
        m_duplicates == m_settings.dupThresh && (IsBeyondRecover(head) || !m_isRecoverValid);
    if (isThird || m_board.IsLost(head)) // RFC 6675, section 5, (1) and (2)
    {
        EnterRecovery(ack);
    }
    else if (!m_settings.hasSack && m_settings.limitedTransmit)
    {
        m_board.AddRenoSack(); // RFC 3042
    }
}

void
TcpRecoveryCore::ProcessInflating(const Ack& ack, bool isOfCopy)
{
    if (!m_settings.hasSack && !isOfCopy)
    {
        m_board.AddRenoSack(); // RFC 5681, section 3.2, step 4
    }
    GoOnReducing(ack.deliveredBytes, true);
    if (m_resendBytes > m_settings.segmentSize)
    {
        ResendMore(1); // before the new segment that a duplicate ACK permits
    }
}

void
TcpRecoveryCore::EnterRecovery(const Ack& ack)
{
    if (!m_settings.hasSack)
    {
        m_board.AddRenoSack();
        m_board.LoseHead();
    }
    else if (!m_board.IsLost(m_board.GetHead()))
    {
        m_board.LoseHead();
    }
    const bool isReduced = m_state == State::CWR; // RFC 3168, 6.1.2
    m_recover = ack.highData;                     // RFC 6675, section 5, (4.1)
    m_isRecoverValid = true;
    m_reducedBefore = m_board.GetEnd() - 1;
    Enter(State::RECOVERY);
    m_actions.UpdateBytesInFlight();
    if (!isReduced) // (4.2)
    {
        // TCP-D2. Without SACK ns-3 still takes the first segment for one in flight.
        const auto pipe = GetBytesInFlight() + (m_settings.hasSack ? 0 : m_settings.segmentSize);
        m_actions.ReduceSsThresh(m_rules.halveFlightSize ? GetFlightSize() : pipe);
    }
    m_actions.Log(Decision::START_RECOVERY);
    BeginReduction(ack.deliveredBytes);
    m_resendBytes = m_settings.segmentSize;
    m_resentEnd = m_board.GetHead();
    m_resentEnd += m_actions.SendNow(m_resentEnd, m_settings.segmentSize); // (4.3)
}

void
TcpRecoveryCore::ReduceAgain(const Ack& ack)
{
    // RFC 5681, section 4.3: the loss of a retransmission is a second sign of congestion.
    m_reducedBefore = m_board.GetEnd() - 1;
    m_recover = ack.highData;
    m_actions.ReduceSsThresh(GetFlightSize());
    m_actions.Log(Decision::REDUCE_AGAIN);
    BeginReduction(ack.deliveredBytes);
}

void
TcpRecoveryCore::CountCopies(const Ack& ack)
{
    if (m_state == State::RECOVERY)
    {
        // Of what was retransmitted all that this ACK covers but the first segment is taken to have
        // arrived before: its copies are on their way, behind that of the first.
        const int64_t size = m_settings.segmentSize;
        const auto passed = std::min(ack.number, m_resentEnd) - ack.oldHead;
        m_copies = static_cast<uint32_t>(std::max<int64_t>(passed - size, 0) / size);
        m_copiesEnd = ack.highData;
        m_actions.UpdateBytesInFlight();
    }
    else if (ack.number > m_copiesEnd)
    {
        m_copies = 0; // they, or their ACKs, were lost
    }
}

void
TcpRecoveryCore::ProcessNew(const Ack& ack, uint32_t oldDuplicates)
{
    const auto size = m_settings.segmentSize;
    m_partBytes += ack.deliveredBytes % size;
    auto segments = ack.deliveredBytes / size;
    if (m_partBytes >= size)
    {
        ++segments;
        m_partBytes -= size;
    }
    if (!ack.isDuplicate)
    {
        m_duplicates = 0;
    }
    CountCopies(ack);
    const bool isPartial = ack.number < m_recover;
    if (isPartial && m_state == State::RECOVERY)
    {
        ProcessPartial(ack, segments);
    }
    else if (isPartial && m_state == State::LOSS)
    {
        m_actions.ReportAcked(segments);
        m_actions.OpenWindow(segments);
        m_actions.ReportNewAck(true);
    }
    else if (m_state == State::CWR)
    {
        m_actions.ReportAcked(segments);
        if (segments >= 1)
        {
            GoOnReducing(ack.deliveredBytes, false);
        }
        m_actions.ReportNewAck(true);
    }
    else
    {
        ProcessFull(ack, segments, oldDuplicates);
    }
}

void
TcpRecoveryCore::ProcessPartial(const Ack& ack, uint32_t segments)
{
    // RFC 6582, section 3.2, step 3, partial acknowledgements; RFC 6675, section 5, (B)
    m_actions.Log(Decision::GO_ON);
    const auto size = m_settings.segmentSize;
    const auto most = m_settings.partialAckSegments;
    const bool isMore = !m_settings.hasSack && m_rules.resendMore && most > 1;
    const auto head = m_board.GetHead();
    if (!m_settings.hasSack)
    {
        m_board.LoseHead();
    }
    if (const auto end = std::min(m_resentEnd, m_board.GetEnd()); isMore && head < end)
    {
        // It is on its way again already.
        m_board.Retransmit(head,
                           static_cast<uint32_t>(std::min<int64_t>(m_resentEnd - head, size)));
    }
    if (segments >= 1)
    {
        GoOnReducing(ack.deliveredBytes, false);
    }
    if (isMore)
    {
        m_resendBytes =
            std::min<int64_t>(m_resendBytes * most, std::max(m_actions.GetSsThresh(), size));
        m_resentEnd = std::max(m_resentEnd, head);
        ResendMore(most * (segments == 2 ? 2 : 1)); // a delayed ACK reports two segments
        m_actions.Deflate(segments * size);
    }
    else if (!m_board.IsRetransmittedDataAcked(head + size))
    {
        const auto next = FindNext(ack.writtenBytes, ack.receiverWindow, false)
                              .value_or(Range{head, head + size});
        m_actions.SendNext(next.begin, static_cast<uint32_t>(next.end - next.begin));
        m_actions.Deflate(segments * size);
    }
    m_actions.ReportAcked(1);
    m_actions.ReportNewAck(m_isFirstPartial || isMore);
    m_isFirstPartial = false;
}

void
TcpRecoveryCore::ProcessFull(const Ack& ack, uint32_t segments, uint32_t oldDuplicates)
{
    const auto size = m_settings.segmentSize;
    const auto oldState = m_state;
    switch (m_state)
    {
    case State::OPEN:
        m_actions.ReportAcked(segments);
        break;
    case State::DISORDER:
        if (segments >= oldDuplicates)
        {
            m_actions.ReportAcked(segments - oldDuplicates);
        }
        if (!ack.isDuplicate)
        {
            Enter(State::OPEN); // it was reordering
        }
        break;
    case State::RECOVERY: // RFC 6675, section 5, (A); RFC 6582, section 3.2, step 3
        m_isFirstPartial = true;
        segments = static_cast<uint32_t>(ack.number - ack.oldHead) / size;
        m_actions.ReportAcked(segments);
        m_actions.ReportReduction();
        Enter(State::OPEN);
        m_duplicates = 0;
        break;
    case State::LOSS:
        m_isFirstPartial = true;
        segments = static_cast<uint32_t>(ack.number - m_recover) / size;
        m_actions.ReportAcked(segments);
        Enter(State::OPEN);
        break;
    case State::CWR:
        break;
    }
    if (IsBeyondRecover(ack.number))
    {
        m_isRecoverValid = false;
    }
    if (oldState == State::RECOVERY)
    {
        m_actions.Log(Decision::END_RECOVERY);
        m_actions.ReportNewAck(true);
        m_actions.EndReduction();
        m_actions.UpdateBytesInFlight();
    }
    if (m_state == State::OPEN)
    {
        m_actions.OpenWindow(segments);
        m_actions.ReportNewAck(true);
    }
}

void
TcpRecoveryCore::ResendMore(uint32_t most)
{
    const auto end = std::min(m_board.GetHead() + m_resendBytes, m_recover);
    for (uint32_t i = 0; i < most && m_resentEnd < end; ++i)
    {
        const auto bytes = m_actions.SendNow(m_resentEnd, m_settings.segmentSize);
        if (bytes == 0)
        {
            return;
        }
        m_resentEnd += bytes;
    }
}

void
TcpRecoveryCore::OnTimeout(int64_t highData)
{
    const auto flight = m_rules.halveFlightSize ? GetFlightSize() : GetBytesInFlight(); // TCP-D2
    const bool isRepeated = m_timedOut == m_board.GetHead();
    m_timedOut = m_board.GetHead();
    m_duplicates = 0;
    m_copies = 0;
    // Without SACK it is a guess; with it the receiver has gone back on its word (RFC 2018, 8).
    m_board.LoseAll(!m_settings.hasSack || (m_rules.noticeReneging && m_board.IsHeadSacked()));
    m_recover = highData; // RFC 6675, section 5.1
    m_isRecoverValid = true;
    if (!m_rules.holdSsThresh || !isRepeated) // TCP-D3: RFC 5681, section 3.1
    {
        m_actions.ReduceSsThresh(flight);
    }
    Enter(State::LOSS);
    m_actions.SetLossWindow();
}

} // namespace ns3::lfn
