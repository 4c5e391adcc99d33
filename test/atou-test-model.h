// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_MODEL_H
#define ATOU_TEST_MODEL_H

#include "ns3/atou-congestion.h"
#include "ns3/atou-epoch.h"
#include "ns3/atou-options.h"
#include "ns3/atou-state.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * A second sender, written from the description alone with sets of single segments: slow, short,
 * and without anything in common with the engine except the congestion control and the account
 * of RTTs that it is given.
 */

namespace ns3::lfn::tests
{

/// Loss detection, recovery, windows and timers of atou, the plain way.
class AtouTestModel
{
  public:
    AtouState state;            //!< windows
    std::vector<uint32_t> sent; //!< what is to be sent, in this order; the caller empties it
    std::set<uint32_t> sacked;  //!< segments at or above una that a block has named
    uint64_t badacks{0};        //!< ACKs below una or above max
    uint64_t timeouts{0};       //!< retransmission timeouts
    bool hasGivenUp{false};     //!< maxidle timeouts in a row

    /// A transfer that begins.
    AtouTestModel(Ptr<const AtouOptions> options,
                  std::unique_ptr<AtouCongestion> congestion,
                  Time now)
        : m_options(options),
          m_congestion(std::move(congestion)),
          m_due(now + options->timeout),
          m_checked(now)
    {
        state.cwnd = options->initSegs;
        state.ssthresh = options->GetFirstSsthresh();
        m_congestion->Start(state);
        Send();
    }

    /// Everything is acknowledged.
    bool IsDone() const
    {
        return state.una == m_options->maxPkts;
    }

    /// When the timers are looked at next.
    Time GetDeadline() const
    {
        return m_options->exactTimers ? m_due : m_checked + m_options->tick;
    }

    /// An ACK comes.
    void OnAck(const AtouAck& ack)
    {
        m_now = m_checked = ack.now;
        if (ack.next <= state.max)
        {
            m_congestion->Observe(state, ack);
            m_epoch.OnRtt(ack.rtt);
            if (state.isMeasured && m_epoch.IsEndedBy(ack.next - (m_options->sack ? 1 : 0)))
            {
                m_congestion->OnEpoch(state, m_epoch);
                m_epoch.Continue(state.nxt);
            }
        }
        if (ack.next < state.una || ack.next > state.max)
        {
            ++badacks;
            state.dupacks = ack.next < state.una && !m_options->sack ? 0 : state.dupacks;
        }
        else
        {
            m_reported.clear();
            for (const auto& block : ack.blocks)
            {
                if (block.last < state.max) // others were never sent
                {
                    m_reported.push_back(block);
                }
            }
            if (state.inRecovery || m_options->carefulSack)
            {
                Mark(ack.next);
            }
            if (ack.next > state.una)
            {
                Advance(ack);
            }
            else if (m_options->sack)
            {
                RepeatedWithSack();
            }
            else
            {
                Repeated();
            }
        }
        CheckTimer();
    }

    /// The time has come to look at the timers.
    void Expire(Time now)
    {
        m_now = m_checked = now;
        CheckTimer();
    }

  private:
    /// Note what the blocks of the last ACK name.
    void Mark(uint32_t next)
    {
        // Without a block the program does not even look at what is acknowledged.
        if (m_options->sack && (m_options->carefulSack || !m_reported.empty()))
        {
            m_lowest = next;
            for (const auto& block : m_reported)
            {
                for (auto segment = block.first; segment <= block.last; ++segment)
                {
                    m_fresh += segment >= next && sacked.insert(segment).second ? 1 : 0;
                }
            }
            sacked.erase(sacked.begin(), sacked.lower_bound(next));
            m_again.erase(m_again.begin(), m_again.lower_bound(next));
        }
    }

    /// A count that only the program lets fall below 0.
    double Least(double count) const
    {
        return m_options->carefulSack ? std::max(0.0, count) : count;
    }

    /// A duplicate ACK, without SACK.
    void Repeated()
    {
        const auto& o = *m_options;
        ++state.dupacks;
        if (state.dupacks < o.dupThresh)
        {
            SendNew();
        }
        else if (state.dupacks > o.dupThresh)
        {
            state.cwnd += 1;
            Send();
        }
        else
        {
            m_due = m_now + o.timeout;
            state.isMeasured = false;
            if (o.newReno && state.una < state.recover)
            {
                state.dupacks = 0;
                state.cwnd += 1;
            }
            else
            {
                m_congestion->CutOnLoss(state);
                state.recover = state.max;
                state.cwnd += state.dupacks;
                state.inRecovery = true;
            }
            Retransmit(state.una);
        }
    }

    /// A duplicate ACK, with SACK.
    void RepeatedWithSack()
    {
        const auto& o = *m_options;
        if (!m_reported.empty())
        {
            ++state.dupacks;
            const auto beyond = m_reported[0].last + 1;
            m_retran = beyond > m_fack ? m_retran : Least(m_retran - 1);
            m_fack = std::max(m_fack, beyond);
        }
        const bool isBeyond = o.fack && m_fack > state.una + o.dupThresh;
        bool grows = true;
        if (state.inRecovery)
        {
            m_pipe = Least(m_pipe - m_fresh);
            m_trim = o.rampDown ? std::max(0.0, m_trim - m_fresh / 2.0) : 0;
            m_fresh = 0;
            Send();
        }
        else if (!m_reported.empty() && (state.dupacks == o.dupThresh || isBeyond))
        {
            Enter();
        }
        else
        {
            grows = SendNew();
        }
        state.cwnd += grows && state.cwnd < state.ssthresh ? o.ssIncr : 0;
    }

    /// Recovery begins.
    void Enter()
    {
        const auto& o = *m_options;
        Mark(state.una);
        m_fresh = 0;
        state.isMeasured = false;
        state.recover = state.max - 1;
        state.inRecovery = true;
        m_congestion->CutOnLoss(state);
        m_trim = o.rampDown ? std::max(0.0, (double(state.nxt) - m_fack) / 2) : 0;
        m_pipe = double(state.nxt) - state.una - double(sacked.size());
        if (!o.fack && double(m_reported[0].first) - state.una > state.cwnd)
        {
            m_congestion->CutOnTimeout(state);
            m_pipe = o.initSegs;
            m_trim = 0;
        }
        m_pipe = Least(m_pipe);
        ResendHole(state.una);
        m_due = m_now + o.timeout;
        Send();
    }

    /// An ACK that acknowledges something.
    void Advance(const AtouAck& ack)
    {
        const auto& o = *m_options;
        const auto step = ack.next - state.una;
        const bool was = state.inRecovery;
        m_due = m_now + o.timeout;
        m_idle = 0;
        if (o.sack)
        {
            AdvanceWithSack(ack);
        }
        else
        {
            AdvanceWithout(ack);
        }
        state.una = ack.next;
        state.nxt = o.sack && !o.carefulSack ? state.nxt : std::max(state.nxt, state.una);
        if (!o.sack && !state.isMeasured && ack.next > state.recover)
        {
            state.isMeasured = true;
            m_epoch.Begin(state.nxt);
            m_congestion->Resume();
        }
        if (!o.sack || !state.inRecovery)
        {
            m_congestion->Grow(state, step, ack);
        }
        if (was && !state.inRecovery)
        {
            m_congestion->EndRecovery(state);
        }
        if (o.sack && !state.isMeasured && !state.inRecovery) // also after an exit of just now
        {
            state.isMeasured = true;
            m_epoch.Begin(state.nxt);
            m_congestion->Resume();
        }
        Send();
    }

    /// The same, without SACK, while una is still the old one.
    void AdvanceWithout(const AtouAck& ack)
    {
        const auto& o = *m_options;
        const auto step = ack.next - state.una;
        const auto dupacks = state.dupacks;
        const bool isInflated = dupacks > o.dupThresh - (o.stickyDupacks ? 0 : 1);
        const bool keeps = o.newReno && dupacks >= o.dupThresh;
        state.dupacks = keeps ? dupacks : 0;
        if (!o.newReno)
        {
            state.inRecovery = false;
            state.cwnd = isInflated && state.cwnd > state.ssthresh ? state.ssthresh : state.cwnd;
        }
        else if (isInflated && ack.next < state.recover)
        {
            if (step < o.rcvrWin && ack.next < o.maxPkts)
            {
                sent.push_back(ack.next);
                state.nxt = std::max(state.nxt, ack.next + 1);
            }
            const auto whole = static_cast<uint32_t>(state.cwnd);
            state.cwnd = std::max<double>(o.initSegs, double(whole) - step + 1);
        }
        else if (isInflated)
        {
            const auto flight = state.max - ack.next + 4;
            const bool burst = o.burstLimit > 0 && flight < state.ssthresh &&
                               state.cwnd - state.ssthresh > o.burstLimit;
            state.cwnd = burst ? flight : state.ssthresh;
            state.dupacks = 0;
            state.inRecovery = false;
        }
    }

    /// The same, with SACK.
    void AdvanceWithSack(const AtouAck& ack)
    {
        const auto fresh = m_options->carefulSack ? m_fresh : 0;
        m_fresh = 0;
        state.dupacks = 0;
        m_fack = std::max(m_fack, ack.next);
        if (!state.inRecovery)
        {
            return;
        }
        if (ack.next - 1 >= state.recover)
        {
            state.inRecovery = false;
            m_again.clear();
            if (!m_options->carefulSack)
            {
                sacked.clear();
            }
            m_retran = 0;
            m_lost = 0;
            m_trim = 0;
            return;
        }
        m_pipe = Least(m_pipe - fresh - 2);
        m_retran = Least(m_retran - 1);
    }

    /// Look whether the retransmission timer has expired.
    void CheckTimer()
    {
        const auto& o = *m_options;
        if (m_now < m_due || IsDone() || hasGivenUp)
        {
            return;
        }
        if (m_idle > o.maxIdle)
        {
            hasGivenUp = true;
            return;
        }
        ++timeouts;
        ++m_idle;
        state.isMeasured = false;
        m_congestion->CutOnTimeout(state);
        state.dupacks = 0;
        m_due = m_now + 2 * o.timeout;
        if (o.carefulSack)
        {
            m_again.clear(); // all retransmissions are lost, too
            m_retran = 0;
            m_trim = 0;
        }
        if (o.sack && (o.carefulSack ? !sacked.empty() : !m_reported.empty()))
        {
            if (!state.inRecovery)
            {
                Mark(state.una);
                state.recover = state.max - 1;
            }
            state.inRecovery = true;
            m_trim = 0;
            m_pipe = 0;
            m_lost = state.nxt;
            ResendHole(state.una);
        }
        else if (o.sack && !o.carefulSack)
        {
            state.nxt = state.una; // a recovery goes on
            Send();
        }
        else
        {
            if (state.inRecovery)
            {
                m_congestion->EndRecovery(state);
            }
            state.inRecovery = false;
            state.nxt = state.una;
            Send();
        }
    }

    /// Send what the window allows.
    void Send()
    {
        const auto& o = *m_options;
        state.cwnd = std::min<double>(state.cwnd, o.rcvrWin);
        double usable = state.cwnd - state.GetFlight();
        if (o.sack && state.inRecovery)
        {
            const auto window = state.cwnd + m_trim;
            // What was under way at a timeout is under way no more; after go-back-N blocks may
            // lie above nxt.
            const auto reached = o.carefulSack ? std::max(m_fack, m_lost) : m_fack;
            const auto beyond = Least(double(state.nxt) - reached);
            usable = window - (o.fack ? beyond + m_retran : m_pipe);
            usable = std::min<double>(usable, o.rcvrWin);
        }
        auto left = usable > 0 ? static_cast<uint32_t>(usable) : 0;
        left = o.burstLimit > 0 ? std::min(left, o.burstLimit) : left;
        for (; left > 0; --left)
        {
            const bool isOver = state.nxt >= o.maxPkts && !o.carefulSack;
            if (const auto gap = isOver ? 0 : FindGap())
            {
                ResendHole(gap);
            }
            else if (!SendNew())
            {
                break;
            }
        }
    }

    /// The lowest gap that was not retransmitted; 0 for none.
    uint32_t FindGap() const
    {
        if (!m_options->sack || !state.inRecovery || sacked.empty())
        {
            return 0;
        }
        for (auto segment = m_lowest; segment < *sacked.rbegin(); ++segment)
        {
            if (!sacked.contains(segment) && !m_again.contains(segment))
            {
                return segment;
            }
        }
        return 0;
    }

    /// Send a gap again.
    void ResendHole(uint32_t segment)
    {
        Retransmit(segment);
        m_again.insert(segment);
        m_retran++;
        m_pipe++;
    }

    /// Retransmit; the program's max then counts the segment at nxt, too.
    void Retransmit(uint32_t segment)
    {
        sent.push_back(segment);
        state.max = std::max(state.max, state.nxt + 1);
    }

    /// Send the next segment; false when there is none.
    bool SendNew()
    {
        if (state.nxt >= m_options->maxPkts)
        {
            return false;
        }
        sent.push_back(state.nxt++);
        state.max = std::max(state.max, state.nxt);
        m_pipe += state.inRecovery ? 1 : 0;
        return true;
    }

    Ptr<const AtouOptions> m_options;             //!< the options
    std::unique_ptr<AtouCongestion> m_congestion; //!< grows and cuts
    AtouEpoch m_epoch;                            //!< the RTT under way
    Time m_now;                                   //!< the time
    Time m_due;                                   //!< retransmission timer
    Time m_checked;                               //!< when it was looked at
    std::set<uint32_t> m_again;                   //!< gaps that were retransmitted
    std::vector<AtouBlock> m_reported;            //!< blocks of the last ACK
    uint32_t m_lowest{1};                         //!< segments from it on may be gaps
    uint32_t m_fresh{0};                          //!< segments noted since pipe was brought down
    uint32_t m_fack{1};                           //!< highest SACKed segment plus 1
    uint32_t m_lost{0};                           //!< nxt at the last timeout of a recovery
    double m_retran{0};                           //!< gaps retransmitted that are under way
    double m_pipe{0};                             //!< segments under way in recovery
    double m_trim{0};                             //!< rampdown: window not yet given up
    uint32_t m_idle{0};                           //!< timeouts in a row
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_MODEL_H
