// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"

#include "ns3/config.h"
#include "ns3/double.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Dumbbell = XcpTestDumbbell; //!< shorter

/** @brief A lie. */
struct Lie
{
    std::string name;                              //!< what it is
    bool isReceiver;                               //!< the receiver's headers lie, or the sender's
    std::function<void(XcpHeader& header)> change; //!< changes a header
};

/** @brief What is to come of a lie. */
struct Bounds
{
    double least;       //!< share of the misbehaving host
    double most;        //!< share of the misbehaving host
    double honest;      //!< least goodput of the honest flow, [Mb/s]
    double utilisation; //!< least of the link
    double harmed;      //!< most of the link
    double queue;       //!< longest mean queue, [packets]
};

LFN_CASE_OF(XcpMisbehavingTestCase, Lie lie, Bounds bounds, uint32_t starts)
{
    // Run one pair; when each starts.
    const auto check =
        [&](const Lie& lie, const Bounds& bounds, Time misbehaving, Time honest, uint64_t run) {
            // Bursts make what a lie costs the honest one, and the misbehaving host, as bad as it
            // can be.
            Config::SetDefault("ns3::lfn::TcpXcp::PacedGrowth", DoubleValue(0));
            XcpTestDumbbell network({.run = run});
            network.AddFlow(0, true, misbehaving);
            network.AddFlow(1, true, honest);
            const auto own = Dumbbell::GetDevice(network.topology->GetSenders().Get(0));
            uint32_t lies = 0;
            network.Tap(lie.isReceiver ? own : Dumbbell::GetPeer(own), [&](XcpTestSight& sight) {
                if (sight.header && !sight.Has(TcpHeader::SYN) &&
                    (lie.isReceiver || sight.payload > 0))
                {
                    ++lies;
                    lie.change(*sight.header);
                }
                return false;
            });
            Dumbbell::Run(Seconds(5));
            const auto rates = network.Measure(Seconds(15));
            const auto means = network.monitor->Take();
            const double share = Dumbbell::GetShare(rates, 0);
            NS_TEST_EXPECT_MSG_GT(lies, 10, "lies");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(share, bounds.least, "share of the misbehaving host");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(share, bounds.most, "share of the misbehaving host");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(rates[1] / 1e6, bounds.honest, "the honest one goes on");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(means.utilisation, bounds.utilisation, "the link is used");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(means.utilisation, bounds.harmed, "as far as known");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(means.queuePackets, bounds.queue, "queue");
            NS_TEST_EXPECT_MSG_GT(rates[0], 0, "the misbehaving host lives");
            for (const auto& flow : network.flows)
            {
                NS_TEST_EXPECT_MSG_EQ(flow.sink->GetTotalDrops(), 0, "as it was sent");
            }
        };
    // Both at once, the honest one later, the misbehaving host later.
    for (uint32_t i = 0; i < starts; ++i)
    {
        const Time shift = MilliSeconds(170) * ((i + 1) / 2);
        check(lie, bounds, i % 2 == 0 ? shift : Time(0), i % 2 == 0 ? Time(0) : shift, i + 1);
    }
}

/** @brief An XCP sender or receiver that lies, alongside one that does not. */
const Suite g_suite("lfn-xcp-misbehaving", TestSuite::Type::SYSTEM, [](Suite& suite) {
    using Change = std::function<void(XcpHeader&)>;
    const auto add = [&suite](const Lie& lie, const Bounds& bounds) {
        const auto name = "a misbehaving host: " + lie.name;
        suite.Add(new XcpMisbehavingTestCase(name + ", 1 starts", lie, bounds, 1));
        suite.Add(new XcpMisbehavingTestCase(name + ", 9 starts", lie, bounds, 9),
                  TestCase::Duration::EXTENSIVE);
    };
    const auto sender = [&add](const std::string& name,
                               const Change& change,
                               const Bounds& bounds) { add({name, false, change}, bounds); };
    const auto receiver =
        [&add](const std::string& name, const Change& change, const Bounds& bounds) {
            add({"its receiver " + name, true, change}, bounds);
        };
    // Another RTT, and an X that goes with it.
    const auto scaleBoth = [](double factor) {
        return [factor](XcpHeader& header) {
            header.rtt *= factor;
            header.x *= factor;
        };
    };
    constexpr double most = std::numeric_limits<int32_t>::max();
    // 10 Mb/s carry 9.42 Mb/s of user data. What is shuffled is given by X and taken by bytes,
    // so in equilibrium both headers say the same X: rates are as k, the factor of the lie.
    const Bounds equal{0.48, 0.52, 4.5, 0.99, 1, 5};
    sender("nothing", scaleBoth(1), equal);
    sender("X ten times too large", [](XcpHeader& h) { h.x *= 10; }, {0.89, 0.93, 0.8, 0.99, 1, 5});
    sender("X ten times too small", [](XcpHeader& h) { h.x /= 10; }, {0.07, 0.11, 8.3, 0.99, 1, 5});
    // It only pays: a segment a RTT is left, 0.2 Mb/s, or one a delayed acknowledgement.
    sender("no X", [](XcpHeader& h) { h.x = 0; }, {0, 0.022, 9.2, 0.99, 1, 5});
    // The RTT says how often the router looks and how fast all go, not who gets what: too
    // short, rates swing; too long, it takes longer until they are equal and the queue drained.
    sender("RTT ten times too large",
           [](XcpHeader& h) { h.rtt *= 10; },
           {0.45, 0.55, 4.2, 0.98, 1, 12});
    sender("RTT ten times too small",
           [](XcpHeader& h) { h.rtt /= 10; },
           {0.45, 0.55, 4.2, 0.98, 1, 5});
    sender("RTT near 0", [](XcpHeader& h) { h.rtt = 1e-7; }, {0.45, 0.55, 4.2, 0.98, 1, 5});
    sender("RTT of 15 s", [](XcpHeader& h) { h.rtt = 15; }, {0.4, 0.6, 3.7, 0.98, 1, 24});
    sender("RTT and X ten times too large", scaleBoth(10), {0.75, 0.93, 0.8, 0.98, 1, 12});
    sender("RTT and X ten times too small", scaleBoth(0.1), {0.07, 0.11, 8.3, 0.98, 1, 5});
    // Every honest sender asks for more than it gets, too.
    const auto askForAll = [](XcpHeader& h) { h.deltaThroughput = most; };
    sender("asks for all", askForAll, equal);
    // It has a segment per RTT, as without X; what is taken from it is booked as paid.
    sender("asks for less",
           [](XcpHeader& h) { h.deltaThroughput = -most; },
           {0, 0.022, 8.5, 0.93, 1, 5});
    // XCP trusts receivers: losses alone bound such a sender. If it lies a little it keeps the
    // buffer full, and the honest one has a tenth of its fair share or less. If it lies a lot it
    // loses whole windows, waits for timeouts, and has less than the honest one.
    receiver("grants more",
             [](XcpHeader& h) { h.reverseFeedback += 20000; },
             {0.85, 1, 0.005, 0.97, 1, 45});
    receiver("grants all",
             [](XcpHeader& h) { h.reverseFeedback = most; },
             {0.05, 0.25, 6.5, 0.87, 0.97, 20});
    // Half of all that is given out is wasted on it: 0.4 (C - y) = 0.05 y, so y = 8/9 C.
    receiver("takes all",
             [](XcpHeader& h) { h.reverseFeedback = -most; },
             {0, 0.022, 8.2, 0.87, 0.91, 5});
});

} // namespace
