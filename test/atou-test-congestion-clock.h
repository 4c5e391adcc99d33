// SPDX-License-Identifier: GPL-2.0-only

#ifndef ATOU_TEST_CONGESTION_CLOCK_H
#define ATOU_TEST_CONGESTION_CLOCK_H

#include "ns3/atou-options.h"
#include "ns3/atou-tcp-congestion.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ns3::lfn::tests
{

/// Makes a congestion control of a class, named without its namespace.
inline Ptr<TcpCongestionOps>
MakeOps(const std::string& name)
{
    return ObjectFactory("ns3::" + name).Create<TcpCongestionOps>();
}

/// Makes options whose first window and floor are a number of segments.
inline Ptr<AtouOptions>
MakeOptions(uint32_t initSegs = 2)
{
    auto options = CreateObject<AtouOptions>();
    options->initSegs = initSegs;
    return options;
}

/** @brief A sender's part: state, ACK clock, and losses when the test says so. */
class Clock
{
  public:
    /// Starts a transfer; the first threshold is in segments.
    Clock(Ptr<TcpCongestionOps> ops, Ptr<AtouOptions> options, uint32_t ssthresh)
        : congestion(ops, options)
    {
        state.cwnd = options->initSegs;
        state.ssthresh = ssthresh;
        congestion.Start(state);
        Send();
    }

    ~Clock()
    {
        Simulator::Destroy();
    }

    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

    /** @brief Sends what the window allows. */
    void Send()
    {
        const auto window = static_cast<uint32_t>(state.cwnd);
        state.nxt = std::max(state.nxt, state.una + window);
        state.max = std::max(state.max, state.nxt);
    }

    /// An ACK of a number of segments arrives, 0 for a duplicate, after the time that it takes a
    /// window of ACKs to come in an RTT.
    void Ack(uint32_t acked)
    {
        // Beyond 100 segments a queue builds up, 1 ms a segment, as if at 1000 segments/s.
        const double queue = std::max(0.0, state.cwnd - 100) * 0.001;
        const Time rtt = base + Seconds(queue);
        Advance(Seconds(rtt.GetSeconds() * std::max(acked, 1U) / std::max(state.cwnd, 1.0)));
        const AtouAck ack{.next = state.una + acked, .rtt = rtt, .now = Simulator::Now()};
        congestion.Observe(state, ack);
        if (acked == 0)
        {
            return;
        }
        state.una = ack.next;
        state.nxt = std::max(state.nxt, state.una);
        state.max = std::max(state.max, state.una);
        congestion.Grow(state, acked, ack);
        Send();
    }

    /// A number of times ACKs arrive until as many segments are acknowledged as the window has
    /// then.
    void RunRtts(int times)
    {
        for (; times > 0; --times)
        {
            for (auto left = std::max(1U, static_cast<uint32_t>(state.cwnd)); left > 0; --left)
            {
                Ack(1);
            }
        }
    }

    /** @brief Duplicate ACKs indicate a loss, from which it recovers. */
    void Lose()
    {
        Ack(0);
        Ack(0);
        Ack(0);
        state.inRecovery = true;
        congestion.CutOnLoss(state);
        const double cut = state.cwnd;
        // As NewReno inflates it; the congestion control does not see that.
        state.cwnd += 3;
        Ack(0);
        state.cwnd = cut;
        state.una = state.nxt;
        state.inRecovery = false;
        congestion.EndRecovery(state);
        Send();
    }

    /** @brief The timer expires. */
    void Expire()
    {
        Advance(Seconds(1));
        congestion.CutOnTimeout(state);
        state.nxt = state.una;
        Send();
    }

    /// Lets time pass.
    static void Advance(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    Time base{MilliSeconds(100)}; //!< round-trip time without a queue
    AtouState state;              //!< the sender's state
    AtouTcpCongestion congestion; //!< under test
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_CONGESTION_CLOCK_H
