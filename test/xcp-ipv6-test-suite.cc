// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"

#include "ns3/random-variable-stream.h"
#include "ns3/xcp-multiplicative-drop-law.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A sample. */
struct Sample
{
    double mean{0};     //!< of the shares
    double variance{0}; //!< of one of them
};

/** @brief The means over several runs from when to when, compared with what they differ by among
 * themselves. */
LFN_CASE_OF(XcpIpv6TestCase, uint32_t runs, Time from, Time to)
{
    // Measure the share of one XCP flow alongside two of TCP in the goodput.
    const auto share = [&](bool isIpv6, uint64_t run, Time from, Time to) {
        XcpTestDumbbell network({.pairs = 3,
                                 .rttMs = 20,
                                 .law = CreateObject<XcpMultiplicativeDropLaw>(),
                                 .isIpv6 = isIpv6,
                                 .isExact = false,
                                 .run = run});
        const auto late = CreateObject<UniformRandomVariable>();
        late->SetStream(500);
        for (uint32_t i = 0; i < 3; ++i)
        {
            network.AddFlow(i, i == 0, Seconds(late->GetValue()));
        }
        XcpTestDumbbell::Run(from);
        const auto rates = network.Measure(to);
        NS_TEST_EXPECT_MSG_GT(network.monitor->GetLosses(false).fairness, 0, "drops");
        NS_TEST_EXPECT_MSG_GT(network.monitor->Take().utilisation, 0.99, "the link is used");
        return XcpTestDumbbell::GetShare(rates, 0);
    };
    // Measure all runs of a version.
    const auto measure = [&](bool isIpv6, uint32_t runs, Time from, Time to) {
        std::vector<double> shares;
        Sample sample;
        for (uint32_t run = 1; run <= runs; ++run)
        {
            shares.push_back(share(isIpv6, run, from, to));
            sample.mean += shares.back() / runs;
        }
        for (const double share : shares)
        {
            sample.variance += (share - sample.mean) * (share - sample.mean) / (runs - 1);
        }
        return sample;
    };
    const auto ipv4 = measure(false, runs, from, to);
    const auto ipv6 = measure(true, runs, from, to);
    // Drops hold TCP at a window in packets, and IPv6's are 20 of 1062 bytes larger: TCP has up
    // to 1.9 % more of the link, and XCP so much less.
    const double header = 20.0 / 1062 * (1 - ipv4.mean);
    const double error = std::sqrt((ipv4.variance + ipv6.variance) / runs);
    NS_TEST_EXPECT_MSG_LT(std::abs(ipv4.mean - ipv6.mean), 2 * error + header, "equal shares");
    NS_TEST_EXPECT_MSG_LT(2 * error, 0.06, "the runs are long enough to decide");
    NS_TEST_EXPECT_MSG_GT(ipv4.mean, 0.15, "XCP has something");
    NS_TEST_EXPECT_MSG_LT(ipv4.mean, 0.45, "TCP has most");
}

/// XCP's share alongside TCP with the fairness mechanism as it is by default, over IPv4 and over
/// IPv6.
const Suite g_suite("lfn-xcp-ipv6", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string what = "SRED and the report's law: shares of IPv6 as those of IPv4, ";
    suite.Add(new XcpIpv6TestCase(what + "3 runs of 15 s each", 3, Seconds(10), Seconds(25)));
    suite.Add(new XcpIpv6TestCase(what + "5 runs of 50 s each", 5, Seconds(10), Seconds(60)),
              TestCase::Duration::EXTENSIVE);
});

} // namespace
