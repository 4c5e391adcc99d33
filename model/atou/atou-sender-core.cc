// SPDX-License-Identifier: GPL-2.0-only
#include "atou-sender-core.h"

#include "atou-newreno-recovery.h"
#include "atou-sack-recovery.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

AtouSenderCore::AtouSenderCore() = default;
AtouSenderCore::~AtouSenderCore() = default;

void
AtouSenderCore::Start(Ptr<const AtouOptions> options,
                      std::unique_ptr<AtouCongestion> congestion,
                      Time now,
                      const std::optional<AtouState>& first)
{
    m_options = options;
    m_congestion = std::move(congestion);
    m_state = AtouState();
    m_state.cwnd = options->initSegs;
    m_state.ssthresh = options->GetFirstSsthresh();
    m_state = first.value_or(m_state);
    m_statistics = AtouStatistics();
    m_output.Start(m_state, m_statistics, options->maxPkts, options->dropList);
    m_timer.Start(GetTimes(), now);
    m_epoch = AtouEpoch();
    m_epoch.Begin(m_state.nxt - 1); // the program's first bandwidth counts from 0
    m_epoch.Continue(m_state.nxt);
    m_start = now;
    m_now = now;
    m_idle = 0;
    const auto report = [this](const AtouEvent& event) { Report(event); };
    AtouRecovery::Parts
        parts{m_state, *m_options, *m_congestion, m_statistics, m_output, m_timer, report};
    if (options->sack)
    {
        m_recovery = std::make_unique<AtouSackRecovery>(std::move(parts));
    }
    else
    {
        m_recovery = std::make_unique<AtouNewRenoRecovery>(std::move(parts));
    }
    m_congestion->SetObserver([this](AtouEvent event) {
        event.state = m_state;
        Report(event);
    });
    m_congestion->Start(m_state);
    m_recovery->Send();
    m_status = m_output.IsDone() ? Status::DONE : Status::RUNNING;
}

void
AtouSenderCore::OnOptions()
{
    m_timer.SetSettings(GetTimes());
    m_congestion->OnOptions(*m_options);
}

AtouTimer::Settings
AtouSenderCore::GetTimes() const
{
    return {m_options->timeout, m_options->tick, m_options->exactTimers};
}

void
AtouSenderCore::SetObserver(std::function<void(const AtouEvent&)> observer)
{
    m_observer = std::move(observer);
}

bool
AtouSenderCore::OnAck(const AtouAck& ack)
{
    if (m_status != Status::RUNNING)
    {
        return true;
    }
    m_now = ack.now;
    ++m_statistics.packetsIn;
    m_statistics.OnRtt(ack.rtt);
    const bool isSent = ack.next <= m_state.max;
    const bool isGood = ack.next >= m_state.una && isSent;
    if (isSent)
    {
        m_congestion->Observe(m_state, ack);
        MeasureEpoch(ack);
    }
    if (isGood)
    {
        OnValidAck(ack);
    }
    else
    {
        ++m_statistics.badacks;
        AtouEvent event;
        event.kind = AtouEvent::Kind::BAD_ACK;
        event.packet = GetNumber(ack);
        event.state = m_state;
        Report(event);
        if (isSent && !m_options->sack)
        {
            m_state.dupacks = 0;
        }
    }
    CheckMaxTime();
    CheckTimer();
    return isGood;
}

void
AtouSenderCore::Expire(Time now)
{
    const auto deadline = GetDeadline();
    if (!deadline || now < *deadline)
    {
        return; // no ACK and no tick: the tick that is waited for does not begin again
    }
    m_now = now;
    CheckMaxTime();
    CheckTimer();
}

std::optional<Time>
AtouSenderCore::GetDeadline() const
{
    if (m_status != Status::RUNNING)
    {
        return std::nullopt;
    }
    return m_timer.GetNextCheck();
}

std::optional<AtouSenderCore::Transmission>
AtouSenderCore::NextSegment()
{
    return m_output.Take();
}

AtouSenderCore::Status
AtouSenderCore::GetStatus() const
{
    return m_status;
}

const AtouState&
AtouSenderCore::GetState() const
{
    return m_state;
}

const AtouCongestion&
AtouSenderCore::GetCongestion() const
{
    return *m_congestion;
}

const AtouStatistics&
AtouSenderCore::GetStatistics() const
{
    if (m_congestion)
    {
        m_congestion->CountInto(m_statistics);
    }
    return m_statistics;
}

void
AtouSenderCore::Advance(const AtouAck& ack)
{
    const auto& options = *m_options;
    const auto acked = ack.next - m_state.una;
    const bool wasInRecovery = m_state.inRecovery;
    m_statistics.maxAck = std::max(m_statistics.maxAck, GetNumber(ack) - m_state.una);
    m_idle = 0;
    m_timer.Restart(ack.now);
    m_recovery->OnNewAck(ack);
    m_state.una = ack.next;
    if (!options.sack || options.carefulSack)
    {
        m_state.nxt = std::max(m_state.nxt, m_state.una); // after go-back-N it may lie below
    }
    if (!options.sack && !m_state.isMeasured)
    {
        Resume(ack);
    }
    if (!m_recovery->FreezesWindow())
    {
        m_congestion->Grow(m_state, acked, ack);
    }
    if (wasInRecovery && !m_state.inRecovery)
    {
        m_congestion->EndRecovery(m_state);
    }
    if (options.sack && !m_state.isMeasured)
    {
        Resume(ack);
    }
    m_recovery->Send();
    m_status = m_output.IsDone() ? Status::DONE : Status::RUNNING;
}

void
AtouSenderCore::Resume(const AtouAck& ack)
{
    const bool isOver = m_options->sack ? !m_state.inRecovery : ack.next > m_state.recover;
    if (!isOver)
    {
        return;
    }
    m_state.isMeasured = true;
    m_epoch.Begin(m_state.nxt);
    m_congestion->Resume();
    AtouEvent event;
    event.kind = AtouEvent::Kind::CA_EXIT;
    event.packet = GetNumber(ack);
    event.state = m_state;
    Report(event);
}

void
AtouSenderCore::OnValidAck(const AtouAck& ack)
{
    const auto isUnsent = [this](const AtouBlock& block) { return block.last >= m_state.max; };
    if (std::any_of(ack.blocks.begin(), ack.blocks.end(), isUnsent))
    {
        std::vector<AtouBlock> blocks(ack.blocks.begin(), ack.blocks.end());
        std::erase_if(blocks, isUnsent);
        AtouAck known = ack;
        known.blocks = blocks;
        OnValidAck(known);
        return;
    }
    ++m_statistics.goodacks;
    if (ack.next > m_state.una)
    {
        Advance(ack);
    }
    else
    {
        m_recovery->OnDuplicateAck(ack);
    }
}

uint32_t
AtouSenderCore::GetNumber(const AtouAck& ack) const
{
    return ack.next - (m_options->sack ? 1 : 0);
}

void
AtouSenderCore::MeasureEpoch(const AtouAck& ack)
{
    m_epoch.OnRtt(ack.rtt);
    const auto number = GetNumber(ack);
    if (!m_state.isMeasured || !m_epoch.IsEndedBy(number))
    {
        return;
    }
    m_congestion->OnEpoch(m_state, m_epoch);
    AtouEvent event;
    event.kind = AtouEvent::Kind::BWERTT;
    event.state = m_state;
    event.count = m_epoch.CountAcked(number);
    event.second = m_epoch.GetLast();
    m_epoch.Continue(m_state.nxt);
    if (event.second <= 0)
    {
        return;
    }
    event.value = 8e-6 * event.count * m_options->mss / event.second;
    m_statistics.bwertt = event.value;
    m_statistics.bwerttMax = std::max(m_statistics.bwerttMax, event.value);
    Report(event);
}

void
AtouSenderCore::CheckTimer()
{
    if (m_status != Status::RUNNING || !m_timer.Look(m_now))
    {
        return;
    }
    if (m_idle > m_options->maxIdle)
    {
        m_status = Status::GIVEN_UP;
        return;
    }
    ++m_statistics.timeouts;
    ++m_statistics.rxmts;
    AtouEvent event;
    event.kind = AtouEvent::Kind::TIMER_RXMT;
    event.packet = m_state.una;
    event.state = m_state;
    Report(event);
    ++m_idle;
    m_state.isMeasured = false;
    m_congestion->CutOnTimeout(m_state);
    m_state.dupacks = 0;
    m_recovery->OnTimeout();
    m_timer.BackOff(m_now);
}

void
AtouSenderCore::CheckMaxTime()
{
    if (m_options->maxTime.IsStrictlyPositive() && m_now - m_start >= m_options->maxTime)
    {
        m_output.Close();
        m_status = m_output.IsDone() ? Status::DONE : Status::RUNNING;
    }
}

void
AtouSenderCore::Report(AtouEvent event) const
{
    if (m_observer)
    {
        event.time = m_now - m_start;
        event.delta = m_congestion->GetDelta();
        m_observer(event);
    }
}

} // namespace ns3::lfn
