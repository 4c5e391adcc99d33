// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-forger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Datagrams at random, to both ends, in a number of runs. */
class VrpFuzzTestCase : public CaseOf<uint32_t>
{
    using CaseOf::CaseOf;

    static constexpr uint32_t DATAGRAMS = 500;     //!< a run
    static constexpr uint32_t MAX_FRAME = 300'000; //!< MaxFrameSize
    static constexpr uint32_t MAX_GAP = 256;       //!< MaxGap, packets

    void RunWith(uint32_t runs) override
    {
        uint64_t done = 0;
        for (uint32_t seed = 0; seed < runs; ++seed)
        {
            done += Run(seed, seed % 2 == 0);
        }
        NS_TEST_EXPECT_MSG_GT(done, runs, "frames were delivered");
    }

    /// Run six frames, of which the delivered ones are counted; no datagram of unauthenticated
    /// hosts comes from the ends' addresses.
    uint64_t Run(uint32_t seed, bool unknownHosts)
    {
        VrpForger forger(seed);
        VrpTestNetwork network;
        network.helper.SetSourceAttribute("LocalPort", UintegerValue(VrpForger::SENDER_PORT));
        network.helper.SetSourceAttribute("CombineSmall", BooleanValue(seed % 3 == 0));
        network.helper.SetSourceAttribute("StrictErrors", BooleanValue(seed % 5 == 0));
        network.helper.SetSinkAttribute("MaxFrameSize", UintegerValue(MAX_FRAME));
        network.helper.SetSinkAttribute("MaxGap", UintegerValue(MAX_GAP));
        network.helper.SetSinkAttribute("FreeEarly", BooleanValue(seed % 4 < 2));
        network.helper.SetSinkAttribute("Algorithm",
                                        StringValue(seed % 7 == 0 ? "Basic" : "Anticipating"));
        network.Install();
        for (const uint32_t bytes : {100'000U, 0U, 500U, 60'000U, 2000U, 90'000U})
        {
            network.Send(bytes);
        }
        std::vector<uint16_t> numbers;
        network.judge = [&](int, const VrpTestSight& sight) {
            if (std::find(numbers.begin(), numbers.end(), sight.frame) == numbers.end() &&
                sight.Has(VrpTagCode::FRAME_CREATE))
            {
                numbers.push_back(sight.frame);
            }
            return VrpTestNetwork::Fate::PASS;
        };
        uint64_t traced = 0;
        const auto count = Callback<void, Ptr<const Packet>, DropReason>(
            [&](Ptr<const Packet>, DropReason) { ++traced; });
        network.receiver->TraceConnectWithoutContext("Drop", count);
        network.sender->TraceConnectWithoutContext("Drop", count);
        std::size_t mostBlocks = 0;
        for (uint32_t i = 0; i < DATAGRAMS; ++i)
        {
            Simulator::Schedule(MicroSeconds(forger.Draw(90'000)), [&] {
                const int direction = forger.Draw(4) == 0 ? 1 : 0;
                const auto message = forger.Make(numbers);
                auto from =
                    direction == 0 ? VrpForger::OfSender(network) : VrpForger::OfReceiver(network);
                if (unknownHosts)
                {
                    from.SetPort(static_cast<uint16_t>(9 + forger.Draw(3)));
                }
                VrpForger::Inject(network,
                                  direction,
                                  from,
                                  direction == 0 ? VrpTestNetwork::PORT : VrpForger::SENDER_PORT,
                                  message);
                mostBlocks = std::max(mostBlocks, network.receiver->GetBlocks());
            });
        }
        VrpTestNetwork::Run();
        const auto message = "seed " + std::to_string(seed);
        const auto& receiver = network.receiver;
        // Data at most doubled by the growth of a vector; cells of a few bytes; the fixed part and
        // critical intervals.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(receiver->GetPeakBlockBytes(),
                                    64 * (2 * MAX_FRAME + 4 * 2 * MAX_FRAME + 20'000),
                                    message);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(mostBlocks, 64, message);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetBlocks(), 0, message);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetBlockBytes(), 0, message);
        NS_TEST_EXPECT_MSG_EQ(receiver->IsFinished(), false, message);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetTotalDrops() + network.sender->GetTotalDrops(),
                              traced,
                              message);
        NS_TEST_EXPECT_MSG_GT(traced, DATAGRAMS / 5, message);
        // No datagram has more answers than MaxGap NACKs fill, and those of a frame's life.
        const auto sent =
            network.sender->GetReport().dataPackets + network.sender->GetReport().controlPackets;
        NS_TEST_EXPECT_MSG_LT(receiver->GetReport().controlPackets,
                              2 * (DATAGRAMS + sent),
                              message);
        NS_TEST_EXPECT_MSG_LT(sent, 400 + 64 * DATAGRAMS, message);
        uint64_t done = 0;
        for (std::size_t i = 0; i < network.sent.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(network.sent[i].ends, 1, message);
            done += network.sent[i].report.state == VrpFrameState::DONE ? 1 : 0;
            if (unknownHosts)
            {
                // Unauthenticated hosts may fill the blocks but cannot touch a frame.
                const bool isRefused = network.sent[i].report.state == VrpFrameState::REFUSED;
                NS_TEST_EXPECT_MSG_EQ((isRefused ? "" : network.Verify(i)), "", message);
            }
        }
        return done;
    }
};

const Suite g_suite("lfn-vrp-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(
        new VrpFuzzTestCase("20000 datagrams at random, from the peer and unauthenticated hosts",
                            40));
    suite.Add(
        new VrpFuzzTestCase("1000000 datagrams at random, from the peer and unauthenticated hosts",
                            2000),
        TestCase::Duration::TAKES_FOREVER);
});

} // namespace
