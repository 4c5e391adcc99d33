// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-window.h"

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Limits = VrpReceiveWindow::Limits;

/** @brief Figures 6 and 7: the same five losses with both algorithms. */
LFN_CASE_FROM(VrpFiguresTestCase, VrpWindowTestCase)
{
    const Limits limits = OfBurst(20, 1);
    VrpWindowProbe figure7(limits);
    figure7.OnPacket(Row(0, 5));
    Expect(figure7,
           {10},
           "store nack 6 8 accept 5 7 9 single 10 ack 5 : "
           "rrrrrawawar wait 6 next 11 loss 3",
           "figure 7: exactly what is required, and as soon as possible");
    Expect(figure7,
           {11},
           "store single 11 ack 5 : rrrrrawawarr wait 6 next 12 loss 3",
           "acknowledged while 6 is awaited, and nothing demanded twice (C14)");
    Expect(figure7, {8}, "store single 8 ack 5 : rrrrrawararr wait 6 next 12 loss 3", "8 first");
    Expect(figure7, {6}, "store single 6 ack 11 : rrrrrarararr wait 12 next 12 loss 3", "then 6");

    VrpWindowProbe figure6(limits, true);
    Expect(figure6, Row(0, 5), "store ack 4 : rrrrr wait 5 next 5 loss 0", "cumulative ACKs only");
    Expect(figure6,
           {10},
           "store nack 6 ack 5 : rrrrraw...r wait 6 next 11 loss 1",
           "figure 6: stuck on packet 6");
    Expect(figure6,
           {11},
           "store ack 5 : rrrrraw...rr wait 6 next 12 loss 1",
           "what is new is taken, and 6 is not demanded twice");
    Expect(figure6,
           {8},
           "refused ack 5 : rrrrraw...rr wait 6 next 12 loss 1",
           "neither wait_point nor new");
    Expect(figure6,
           {6},
           "store nack 8 ack 7 : rrrrraraw.rr wait 8 next 12 loss 2",
           "only now it is seen that 8 is required");
    Expect(figure6, {8}, "store ack 11 : rrrrrarararr wait 12 next 12 loss 3", "the same end");

    Limits whole = limits;
    whole.nackWholeGap = true;
    VrpWindowProbe all(whole, true);
    all.OnPacket(Row(0, 5));
    Expect(all,
           {10},
           "store nack 6 7 8 9 ack 5 : rrrrrawwwwr wait 6 next 11 loss 1",
           "figure 6: packets 6 through 9");
    all.OnPacket({6, 7, 8, 9});
    NS_TEST_EXPECT_MSG_EQ(all.window->GetWaitPoint(), 11, "all of them have come");
    VrpWindowProbe still(whole);
    still.OnPacket(Row(0, 5));
    still.OnPacket({10});
    NS_TEST_EXPECT_MSG_EQ(still.answer.nacks.size(), 2, "only for the basic algorithm");
}

/** @brief The basic algorithm's own rules: too_far, the burst before wait_point, critical packets.
 */
LFN_CASE_FROM(VrpBasicTestCase, VrpWindowTestCase)
{
    // Section 2.2.2: what is greater than wait_point + window is rejected.
    VrpWindowProbe edge(OfRate(40, 6, 0), true);
    edge.OnPacket(Row(0, 4));
    Expect(edge, {11}, "refused ack 3 : rrrr wait 4 next 4 loss 0", "far");
    Expect(edge, {10}, "store nack 4 ack 3 : rrrrw.....r wait 4 next 11 loss 0", "too_far itself");
    Expect(edge,
           {4},
           "store nack 5 ack 4 : rrrrrw....r wait 5 next 11 loss 0",
           "one after the other");
    Expect(edge, {40}, "outside ack 4 : rrrrrw....r wait 5 next 11 loss 0", "not of this frame");
    Expect(edge, {11}, "store ack 4 : rrrrrw....rr wait 5 next 12 loss 0", "too_far has moved");
    Expect(edge, {3}, "duplicate ack 4 : rrrrrw....rr wait 5 next 12 loss 0", "it was there");
    edge.OnPacket(Row(5, 10));
    NS_TEST_EXPECT_MSG_EQ(edge.GetState(),
                          "rrrrrrrrrrrr wait 12 next 12 loss 0",
                          "received ones are passed at once");

    // loss_cnt counts the window before wait_point, not the one before next_exp.
    VrpWindowProbe rate(OfRate(40, 6, 1), true);
    Expect(rate, {0, 2}, "store ack 2 : rar wait 3 next 3 loss 1", "1");
    Expect(rate, {3, 4, 6}, "store nack 5 ack 4 : rarrrwr wait 5 next 7 loss 1", "a second one");
    Expect(rate, {5}, "store ack 6 : rarrrrr wait 7 next 7 loss 1", "it came");
    Expect(rate, {8}, "store ack 8 : rarrrrrar wait 9 next 9 loss 1", "7");
    NS_TEST_EXPECT_MSG_EQ(rate.window->GetAcceptedLosses(), 2, "1 and 7");

    Limits limits = OfBurst(40, 2);
    limits.critical = {{0, 0}, {6, 7}};
    VrpWindowProbe burst(limits, true);
    Expect(burst, {1}, "store nack 0 : wr wait 0 next 2 loss 0", "required");
    burst.OnPacket({0});
    Expect(burst, {5}, "store nack 4 ack 3 : rraawr wait 4 next 6 loss 2", "the third in a row");
    Expect(burst, {4, 9}, "store nack 6 ack 5 : rraarrw..r wait 6 next 10 loss 2", "critical");
    Expect(burst, {6}, "store nack 7 ack 6 : rraarrrw.r wait 7 next 10 loss 2", "critical too");
    Expect(burst, {7}, "store ack 9 : rraarrrrar wait 10 next 10 loss 3", "8 may be lost");
}

const Suite g_suite("lfn-vrp-basic", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(
        new VrpFiguresTestCase("figures 6 and 7: what is demanded without and with anticipation"));
    suite.Add(new VrpBasicTestCase("basic algorithm: too_far, and limits at wait_point"));
});

} // namespace
