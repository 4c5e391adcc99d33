// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_MODEL_H
#define ATOU_TEST_MODEL_H

#include "ns3/atou-congestion.h"
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
 * and without anything in common with the engine except the congestion control, which both are
 * given.
 */

namespace ns3::lfn::tests
{

/// Loss detection, repair, windows and timers of atou, the plain way.
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
          m_looked(now)
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
        return m_options->exactTimers ? m_due : m_looked + m_options->tick;
    }

    /// An ACK comes.
    void TakeAck(const AtouAck& ack)
    {
        m_now = m_looked = ack.now;
        if (ack.next < state.una || ack.next > state.max)
        {
            ++badacks;
        }
        else
        {
            m_congestion->Observe(state, ack);
            const auto fresh = Mark(ack);
            if (ack.next > state.una)
            {
                Advance(ack, fresh);
            }
            else if (m_options->sack)
            {
                RepeatedWithSack(ack, fresh);
            }
            else
            {
                Repeated();
            }
        }
        LookAtTimer();
    }

    /// The time has come to look at the timers.
    void Expire(Time now)
    {
        m_now = m_looked = now;
        LookAtTimer();
    }

  private:
    /// Note what the blocks name; how many segments are new.
    uint32_t Mark(const AtouAck& ack)
    {
        uint32_t fresh = 0;
        if (m_options->sack)
        {
            for (const auto& block : ack.blocks)
            {
                if (block.last >= state.max)
                {
                    continue; // never sent
                }
                for (auto segment = block.first; segment <= block.last; ++segment)
                {
                    fresh += segment >= ack.next && sacked.insert(segment).second ? 1 : 0;
                }
            }
            sacked.erase(sacked.begin(), sacked.lower_bound(ack.next));
            m_again.erase(m_again.begin(), m_again.lower_bound(ack.next));
        }
        return fresh;
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
        else if (o.newReno && state.una < state.recover)
        {
            sent.push_back(state.una);
            state.dupacks = 0;
            state.cwnd += 1;
        }
        else
        {
            m_congestion->CutOnLoss(state);
            state.recover = state.max;
            state.cwnd += state.dupacks;
            state.inRecovery = true;
            sent.push_back(state.una);
            m_due = m_now + o.timeout;
        }
    }

    /// A duplicate ACK, with SACK.
    void RepeatedWithSack(const AtouAck& ack, uint32_t fresh)
    {
        const auto& o = *m_options;
        const auto block = Newest(ack);
        if (block)
        {
            ++state.dupacks;
            if (block->last + 1 > m_fack)
            {
                m_fack = block->last + 1;
            }
            else
            {
                m_retran = m_retran > 0 ? m_retran - 1 : 0;
            }
        }
        if (state.inRecovery)
        {
            m_pipe = std::max(0.0, m_pipe - fresh);
            m_trim = o.rampDown ? std::max(0.0, m_trim - fresh / 2.0) : 0;
            Send();
            state.cwnd += state.cwnd < state.ssthresh ? o.ssIncr : 0;
        }
        else if (block &&
                 (state.dupacks == o.dupThresh || (o.fack && m_fack > state.una + o.dupThresh)))
        {
            Enter(*block);
        }
        else
        {
            state.cwnd += state.cwnd < state.ssthresh ? o.ssIncr : 0;
            SendNew();
        }
    }

    /// Recovery begins.
    void Enter(const AtouBlock& block)
    {
        const auto& o = *m_options;
        state.recover = state.max - 1;
        state.inRecovery = true;
        m_congestion->CutOnLoss(state);
        m_trim = o.rampDown ? std::max(0.0, (double(state.nxt) - m_fack) / 2) : 0;
        m_pipe = double(state.nxt) - state.una - double(sacked.size());
        if (!o.fack && double(block.first) - state.una > state.cwnd)
        {
            m_congestion->CutOnTimeout(state);
            m_pipe = o.initSegs;
            m_trim = 0;
        }
        m_pipe = std::max(0.0, m_pipe);
        ResendHole(state.una);
        m_due = m_now + o.timeout;
        Send();
    }

    /// An ACK that acknowledges something.
    void Advance(const AtouAck& ack, uint32_t fresh)
    {
        const auto& o = *m_options;
        const auto step = ack.next - state.una;
        m_due = m_now + o.timeout;
        m_idle = 0;
        state.una = ack.next;
        state.nxt = std::max(state.nxt, state.una);
        m_fack = std::max(m_fack, state.una);
        if (!o.sack || !state.inRecovery)
        {
            m_congestion->Grow(state, step, ack);
        }
        if (o.sack)
        {
            AdvanceWithSack(ack, fresh);
        }
        else if (state.inRecovery)
        {
            if (o.newReno && ack.next < state.recover)
            {
                sent.push_back(ack.next);
                state.cwnd = std::max<double>(o.initSegs, state.cwnd - (step - 1));
            }
            else
            {
                const auto flight = state.max - ack.next + 4;
                const bool burst = o.newReno && o.burstLimit > 0 && flight < state.ssthresh &&
                                   state.cwnd - state.ssthresh > o.burstLimit;
                state.cwnd = burst ? std::max(flight, o.initSegs) : state.ssthresh;
                state.dupacks = 0;
                state.inRecovery = false;
                m_congestion->EndRecovery(state);
            }
        }
        else
        {
            state.dupacks = 0;
        }
        Send();
    }

    /// The same, with SACK.
    void AdvanceWithSack(const AtouAck& ack, uint32_t fresh)
    {
        if (!state.inRecovery)
        {
            state.dupacks = 0;
            return;
        }
        if (ack.next - 1 >= state.recover)
        {
            state.inRecovery = false;
            state.dupacks = 0;
            m_again.clear();
            m_retran = 0;
            m_lost = 0;
            m_trim = 0;
            m_congestion->EndRecovery(state);
            return;
        }
        m_pipe = std::max(0.0, m_pipe - fresh - 2);
        m_retran = m_retran > 0 ? m_retran - 1 : 0;
    }

    /// Look whether the retransmission timer has expired.
    void LookAtTimer()
    {
        const auto& o = *m_options;
        if (m_now < m_due || IsDone() || hasGivenUp)
        {
            return;
        }
        ++timeouts;
        if (++m_idle >= o.maxIdle)
        {
            hasGivenUp = true;
            return;
        }
        m_congestion->CutOnTimeout(state);
        state.dupacks = 0;
        m_due = m_now + 2 * o.timeout;
        m_again.clear(); // whatever was repeated is lost, too
        m_retran = 0;
        m_trim = 0;
        if (o.sack && !sacked.empty())
        {
            if (!state.inRecovery)
            {
                state.recover = state.max - 1;
            }
            state.inRecovery = true;
            m_pipe = 0;
            m_lost = state.nxt;
            ResendHole(state.una);
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
            const auto reached = std::max<double>(m_fack, m_lost);
            const auto beyond = std::max(0.0, double(state.nxt) - reached);
            usable = window - (o.fack ? beyond + m_retran : m_pipe);
        }
        auto left = usable > 0 ? static_cast<uint32_t>(usable) : 0;
        left = o.burstLimit > 0 ? std::min(left, o.burstLimit) : left;
        for (; left > 0; --left)
        {
            if (const auto hole = FindHole())
            {
                ResendHole(hole);
            }
            else if (!SendNew())
            {
                break;
            }
        }
    }

    /// The lowest hole that was not sent again; 0 for none.
    uint32_t FindHole() const
    {
        if (!m_options->sack || !state.inRecovery || sacked.empty())
        {
            return 0;
        }
        for (auto segment = state.una; segment < *sacked.rbegin(); ++segment)
        {
            if (!sacked.contains(segment) && !m_again.contains(segment))
            {
                return segment;
            }
        }
        return 0;
    }

    /// Send a hole again.
    void ResendHole(uint32_t segment)
    {
        sent.push_back(segment);
        m_again.insert(segment);
        m_retran++;
        m_pipe++;
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

    /// The most recent block of an ACK that may be believed; null for none.
    const AtouBlock* Newest(const AtouAck& ack) const
    {
        for (const auto& block : ack.blocks)
        {
            if (block.last < state.max)
            {
                return &block;
            }
        }
        return nullptr;
    }

    Ptr<const AtouOptions> m_options;             //!< the options
    std::unique_ptr<AtouCongestion> m_congestion; //!< grows and cuts
    Time m_now;                                   //!< the time
    Time m_due;                                   //!< retransmission timer
    Time m_looked;                                //!< when it was looked at
    std::set<uint32_t> m_again;                   //!< holes that were sent again
    uint32_t m_fack{1};                           //!< highest SACKed segment plus 1
    uint32_t m_lost{0};                           //!< nxt at the last timeout of a recovery
    double m_retran{0};                           //!< holes sent again that are under way
    double m_pipe{0};                             //!< segments under way in recovery
    double m_trim{0};                             //!< rampdown: window not yet given up
    uint32_t m_idle{0};                           //!< timeouts in a row
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_MODEL_H
