// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "vrp-test-outgoing.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using State = VrpFrameState;

LFN_CASE_FROM(VrpHeaderExchangeTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe lost(OfPackets(10));
    ExpectState(lost, State::CREATED, "at first");
    Expect(lost, 0, "H", "no data before FRAME_OK");
    ExpectState(lost, State::HEADER_SENT, "under way");
    NS_TEST_EXPECT_MSG_EQ(lost.Deadline(), 300, "the header's timer");
    Expect(lost, 299, "", "not yet");
    Expect(lost, 300, "H*", "header or FRAME_OK lost");
    NS_TEST_EXPECT_MSG_EQ(lost.rtt->GetTimeout(), MilliSeconds(600), "Karn's doubling");
    NS_TEST_EXPECT_MSG_EQ(lost.Deadline(), 900, "the doubled timer");
    Expect(lost, 900, "H*", "again");
    NS_TEST_EXPECT_MSG_EQ(lost.frame.GetCounters().headers, 3, "headers");
    NS_TEST_EXPECT_MSG_EQ(lost.frame.GetCounters().timeouts, 0, "those count data packets");
    lost.now = 1000;
    lost.frame.OnFrameOk(lost.Now());
    ExpectState(lost, State::SEND, "FRAME_OK");
    Expect(lost, 1000, "0 1 2 3", "a window of data");
    lost.frame.OnFrameOk(lost.Now());
    Expect(lost, 1001, "", "the other FRAME_OKs change nothing");
    NS_TEST_EXPECT_MSG_EQ(lost.frame.GetCounters().dataPackets, 4, "data packets");
    NS_TEST_EXPECT_MSG_EQ(lost.frame.GetHeader().number, 7, "its header");

    NS_TEST_EXPECT_MSG_EQ(lost.rtt->GetNSamples(), 1, "a repeated header is no sample");

    OutgoingProbe sampled(OfPackets(10));
    sampled.rtt->SetAttribute("SampleHeaders", BooleanValue(true));
    sampled.At(0);
    sampled.now = 140;
    sampled.frame.OnFrameOk(sampled.Now());
    NS_TEST_EXPECT_MSG_EQ(sampled.rtt->GetNSamples(), 2, "one that was sent once may be");
    NS_TEST_EXPECT_MSG_EQ(sampled.rtt->GetEstimate(), MilliSeconds(105), "7/8 100 + 1/8 140");

    OutgoingProbe refused(OfPackets(10));
    refused.At(0);
    refused.frame.OnRefused();
    ExpectEnd(refused, State::REFUSED, "no room");

    OutgoingProbe none(OfPackets(0));
    Expect(none, 0, "H", "a frame without data has a header");
    none.frame.OnFrameOk(none.Now());
    ExpectEnd(none, State::DONE, "and that is all");

    // Each control packet that comes before FRAME_OK is out of place, and does no harm.
    OutgoingProbe early(OfPackets(3));
    early.At(0);
    early.Nack(0);
    early.Single(1);
    early.Ack(2);
    ExpectState(early, State::HEADER_SENT, "nothing has been sent that could be acknowledged");
    Expect(early, 1, "", "waits");
    const auto data = early.Open(2);
    NS_TEST_EXPECT_MSG_EQ(data, "0 1 2", "all of it");
    early.Ack(2);
    ExpectEnd(early, State::DONE, "acknowledged");
}

LFN_CASE_FROM(VrpMissingHeaderTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe created(OfPackets(10));
    created.frame.OnMissingHeader();
    ExpectState(created, State::CREATED, "nothing was sent");
    Expect(created, 0, "H", "the first header");

    OutgoingProbe waiting(OfPackets(10));
    waiting.At(0);
    waiting.frame.OnMissingHeader();
    ExpectState(waiting, State::HEADER_SENT, "the header is under way");
    waiting.At(1);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(waiting.Deadline(), 301, "its timer runs");
    const auto data = waiting.Open(2);
    NS_TEST_EXPECT_MSG_EQ(data, "0 1 2 3", "as ever");

    OutgoingProbe sending(OfPackets(10));
    sending.Open();
    sending.Nack(2);
    sending.now = 50;
    sending.frame.OnMissingHeader();
    ExpectState(sending, State::HEADER_SENT, "the receiver began again");
    Expect(sending, 50, "H*", "so does the sender");
    Expect(sending, 349, "", "data timers are forgotten");
    Expect(sending, 350, "H*", "the header's is not");
    sending.frame.OnFrameOk(sending.Now());
    const auto again = sending.At(351);
    NS_TEST_EXPECT_MSG_EQ(again.substr(0, 1), "0", "from the first packet");
    NS_TEST_EXPECT_MSG_EQ(std::count(again.begin(), again.end(), ' '), 3, "a whole window");
    sending.Ack(3);
    NS_TEST_EXPECT_MSG_EQ(sending.frame.GetAckExpected(), 4, "received");
    NS_TEST_EXPECT_MSG_EQ(sending.rtt->GetNSamples(), 1, "Karn: they were sent before");

    for (const bool single : {false, true})
    {
        OutgoingProbe late(OfPackets(10));
        late.Open();
        single ? late.Single(3) : late.Ack(0);
        late.frame.OnMissingHeader();
        const auto failure = late.frame.GetFailure();
        NS_TEST_EXPECT_MSG_EQ(failure.starts_with("the receiver has lost the frame"),
                              true,
                              failure);
        ExpectEnd(late, State::ERROR, "lost");
    }
}

LFN_CASE_FROM(VrpAcknowledgementTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe span(OfPackets(10));
    span.Open();
    span.Single(2);
    span.Single(3);
    Expect(span, 1, "", "the span counts, not what is unacknowledged (C11)");
    span.Ack(0);
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetAckExpected(), 1, "ack_expected");
    Expect(span, 2, "4", "one fewer");
    span.Single(1);
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetAckExpected(), 4, "over what was acknowledged");
    Expect(span, 3, "5 6 7", "a whole window");
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetNextToSend(), 8, "next_to_send");
    span.Ack(2);
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetAckExpected(), 4, "an old ACK");
    span.Ack(0xffffffff);
    span.Single(0xffffffff);
    span.Single(8);
    span.Single(9);
    ExpectState(span, State::SEND, "what was not sent cannot be acknowledged");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(span.frame.GetAckExpected(), 8, "nor passed");
    span.Ack(7);
    Expect(span, 4, "8 9", "the rest, after any claims about it");
    span.Ack(9);
    ExpectEnd(span, State::DONE, "all");
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetCounters().dataPackets, 10, "each once");
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetCounters().retransmissions, 0, "none again");
    NS_TEST_EXPECT_MSG_EQ(span.frame.GetCounters().acceptedLosses, 0, "none lost");

    // The ring is used over and over: its cells keep nothing of packets long gone.
    OutgoingProbe ring(OfPackets(1000));
    std::string sent = ring.Open();
    std::string expected = "0 1 2 3";
    for (uint32_t packet = 0; packet < 1000; ++packet)
    {
        packet % 3 == 0 ? ring.Ack(packet) : ring.Single(packet, packet % 7 == 0);
        const auto more = ring.At(ring.now + 1);
        sent += more.empty() ? "" : " " + more;
        expected += packet + 4 < 1000 ? " " + std::to_string(packet + 4) : "";
    }
    NS_TEST_EXPECT_MSG_EQ(sent, expected, "in order, each once");
    ExpectEnd(ring, State::DONE, "a long frame");
}

LFN_CASE_FROM(VrpSamplesTestCase, VrpOutgoingTestCase)
{
    // Compare the number of samples, the PING's included.
    const auto expectSamples =
        [&](const OutgoingProbe& probe, uint32_t samples, const std::string& message) {
            NS_TEST_EXPECT_MSG_EQ(probe.rtt->GetNSamples(), samples, message);
        };
    OutgoingProbe probe(OfPackets(20));
    probe.Open();
    probe.now = 120;
    probe.Single(0);
    NS_TEST_EXPECT_MSG_EQ(probe.rtt->GetEstimate(), MicroSeconds(102500), "V9's sample");
    probe.Single(0);
    probe.Ack(0);
    expectSamples(probe, 2, "one a packet");
    probe.Single(2, true);
    expectSamples(probe, 2, "an accepted loss has no RTT");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().acceptedLosses, 1, "it is counted");
    probe.Single(2, true);
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().acceptedLosses, 1, "once");
    probe.Nack(1);
    Expect(probe, 121, "1* 4", "1 again");
    probe.now = 200;
    probe.Single(1);
    expectSamples(probe, 2, "Karn: which of the two was it?");
    probe.Nack(3);
    probe.Single(3, true);
    Expect(probe, 210, "5 6 7", "3 need not be retransmitted");
    probe.now = 300;
    probe.Nack(6);
    Expect(probe, 300, "6*", "6 again");
    probe.Ack(7);
    expectSamples(probe, 2, "4, 5, 7: an ACK may cover accepted losses");

    // 1 and 2 are lost and accepted; the packet that said so is lost, too. What arrives next
    // reports 4, and covers them.
    OutgoingProbe covered(OfPackets(20));
    covered.Open();
    covered.now = 100;
    covered.Ack(0);
    expectSamples(covered, 2, "a receiver that has sent no SINGLE_ACK so far");
    covered.At(100);
    covered.now = 250;
    covered.Single(4);
    covered.Ack(4);
    expectSamples(covered, 3, "4 alone: the accepted losses feed nothing (C6)");
    NS_TEST_EXPECT_MSG_EQ(covered.frame.GetAckExpected(), 5, "all are acknowledged");

    // The original algorithm sends no SINGLE_ACK: the packet that an ACK names is a sample.
    OutgoingProbe original(OfPackets(20));
    original.Open();
    original.now = 120;
    original.Ack(3);
    expectSamples(original, 2, "3");
    NS_TEST_EXPECT_MSG_EQ(original.rtt->GetEstimate(), MicroSeconds(102500), "V9's sample");

    // By timer.
    OutgoingProbe timer(OfPackets(20));
    timer.Open();
    timer.At(300);
    timer.now = 350;
    timer.Single(1);
    timer.Ack(3);
    expectSamples(timer, 1, "retransmitted by timer");
    NS_TEST_EXPECT_MSG_EQ(timer.rtt->GetTimeout(), MilliSeconds(600), "the doubling stays");
}

LFN_CASE_FROM(VrpResendTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe probe(OfPackets(20));
    probe.Open();
    probe.now = 100;
    probe.Nack(1);
    probe.Nack(1);
    probe.Nack(3);
    probe.Ack(0);
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().nacks, 2, "1 and 3");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().ignoredNacks, 1, "1 was queued");
    Expect(probe, 100, "1* 3* 4", "at once, and before what is new");
    probe.Nack(1);
    Expect(probe, 110, "1*", "lost again");
    probe.Single(3);
    probe.Nack(0);          // below the window
    probe.Nack(3);          // acknowledged
    probe.Nack(5);          // not sent
    probe.Nack(0xffffffff); // no such packet
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().ignoredNacks, 5, "C9: late or wrong");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().nacks, 3, "of effect");
    Expect(probe, 120, "", "nothing to do");
    ExpectState(probe, State::SEND, "healthy");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().retransmissions, 3, "retransmissions");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().dataPackets, 8, "5 and 3 again");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().timeouts, 0, "no timer");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().headers, 1, "header");
}

LFN_CASE_FROM(VrpTimersTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe probe(OfPackets(20));
    probe.rtt->SetAttribute("MaxRto", TimeValue(MilliSeconds(300)));
    probe.rtt->SetAttribute("MinRto", TimeValue(MilliSeconds(300)));
    probe.Open();
    NS_TEST_EXPECT_MSG_EQ(probe.Deadline(), 300, "0's timer");
    probe.now = 50;
    probe.Ack(1);
    Expect(probe, 50, "4 5", "sent later");
    probe.now = 90;
    probe.Nack(3);
    Expect(probe, 90, "3*", "its timer starts again");
    NS_TEST_EXPECT_MSG_EQ(probe.Deadline(), 300, "2's timer");
    Expect(probe, 299, "", "not yet");
    Expect(probe, 300, "2*", "2 alone");
    Expect(probe, 349, "", "4 and 5 have time until 350");
    probe.Single(5);
    Expect(probe, 350, "4*", "an acknowledged packet has no timer");
    Expect(probe, 390, "3*", "3's");
    NS_TEST_EXPECT_MSG_EQ(probe.Deadline(), 600, "2's second");
    Expect(probe, 700, "2* 4* 3*", "several at once: in the order of their deadlines");
    NS_TEST_EXPECT_MSG_EQ(probe.frame.GetCounters().timeouts, 6, "expired");
    Expect(probe, 1000, "2* 4* 3*", "until it works");
    probe.now = 1001;
    probe.Nack(4);
    probe.Nack(2);
    Expect(probe, 1001, "4* 2*", "in the order in which it was known");
    Expect(probe, 1300, "3*", "3 was not demanded");
}

LFN_CASE_FROM(VrpTimeoutsTestCase, VrpOutgoingTestCase)
{
    // C8: a whole window expires, and the timeout doubles once.
    OutgoingProbe burst(OfPackets(20));
    burst.Open();
    Expect(burst, 300, "0* 1* 2* 3*", "all of the window");
    NS_TEST_EXPECT_MSG_EQ(burst.frame.GetCounters().timeouts, 4, "expired");
    NS_TEST_EXPECT_MSG_EQ(burst.rtt->GetTimeout(), MilliSeconds(600), "doubled once");
    NS_TEST_EXPECT_MSG_EQ(burst.Deadline(), 900, "the doubled timer holds at once");
    // A timeout that has grown holds for what is under way: the first expiry doubles it.
    OutgoingProbe followed(OfPackets(20));
    followed.rtt->SetAttribute("FollowEstimate", BooleanValue(true));
    followed.Open();
    Expect(followed, 300, "0*", "the first one's");
    NS_TEST_EXPECT_MSG_EQ(followed.Deadline(), 600, "the others run on");
    Expect(followed, 600, "1* 2* 3*", "until the doubled timeout, from their sending");
    // One that has shrunk holds as well: samples of 100 ms end what a doubling has begun.
    OutgoingProbe shrunk(OfPackets(20));
    shrunk.rtt->SetAttribute("FollowEstimate", BooleanValue(true));
    shrunk.Open();
    Expect(shrunk, 300, "0*", "doubled to 600 ms");
    const auto before = shrunk.Deadline();
    for (int i = 0; i < 50; ++i)
    {
        shrunk.rtt->Measurement(MilliSeconds(100));
    }
    NS_TEST_EXPECT_MSG_EQ(before, 600, "1's timer");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(shrunk.rtt->GetTimeout(), MilliSeconds(120), "samples");
    Expect(shrunk, 301, "1* 2* 3*", "they are long overdue");
    // The header's timer is one like any other.
    OutgoingProbe header(OfPackets(20));
    header.rtt->SetAttribute("FollowEstimate", BooleanValue(true));
    header.At(0);
    header.rtt->Measurement(MilliSeconds(400));
    Expect(header, 300, "", "another frame's sample lengthens it");
    NS_TEST_EXPECT_MSG_GT(header.Deadline(), 400, "as it lengthens the timeout");
}

LFN_CASE_FROM(VrpExpiryTestCase, VrpOutgoingTestCase)
{
    OutgoingProbe raced(OfPackets(20));
    raced.Open();
    raced.now = 300;
    const auto first = raced.frame.Next(raced.Now());
    NS_TEST_ASSERT_MSG_EQ(first.has_value(), true, "all have expired");
    NS_TEST_EXPECT_MSG_EQ(first->packet, 0, "the first of them");
    raced.Single(1);
    raced.Ack(2);
    Expect(raced, 300, "3* 4 5 6", "1 and 2 have come after all");
    OutgoingProbe above(OfPackets(20));
    above.Open();
    above.Nack(1);
    above.Nack(2);
    above.Nack(3);
    above.Single(2); // behind ack_expected
    Expect(above, 1, "1* 3*", "2 has come after all");
}

LFN_CASE(VrpLifeTriesTestCase)
{
    const auto count = [](Time limit) {
        auto settings = OfPackets(1);
        settings.backoffLimit = limit;
        OutgoingProbe probe(settings);
        // What earlier losses have left behind: a timeout as long as they may make it.
        for (int i = 0; i < 20; ++i)
        {
            probe.rtt->Backoff(Seconds(100 * i), limit);
        }
        int tries = 0;
        for (; !probe.frame.IsEnded(); ++tries)
        {
            probe.At(probe.Deadline());
        }
        return tries - 1; // the last time it gives up
    };
    NS_TEST_EXPECT_MSG_EQ(count(Seconds(5) / 8), 8, "of a life of 5 s");
    NS_TEST_EXPECT_MSG_EQ(count(Time::Max()), 1, "MaxRto alone is longer than that");
}

LFN_CASE_FROM(VrpStrictTestCase, VrpOutgoingTestCase)
{
    auto settings = OfPackets(20);
    settings.strictErrors = true;
    const auto ends =
        [&](const std::string& what, State state, const std::function<void(OutgoingProbe&)>& f) {
            OutgoingProbe probe(settings);
            probe.Open();
            probe.Ack(1);
            f(probe);
            ExpectState(probe, state, what);
        };
    ends("NACK below", State::ERROR, [](OutgoingProbe& p) { p.Nack(1); });
    ends("NACK unsent", State::ERROR, [](OutgoingProbe& p) { p.Nack(4); });
    ends("SINGLE_ACK unsent", State::ERROR, [](OutgoingProbe& p) { p.Single(4); });
    ends("ACK unsent", State::ERROR, [](OutgoingProbe& p) { p.Ack(4); });
    ends("NACK in the window", State::SEND, [](OutgoingProbe& p) { p.Nack(2); });
    ends("SINGLE_ACK in the window", State::SEND, [](OutgoingProbe& p) { p.Single(3); });
    // Every control packet repeats the latest ACK: an old one is the rule, not an error.
    ends("ACK below", State::SEND, [](OutgoingProbe& p) { p.Ack(0); });

    OutgoingProbe probe(settings);
    probe.Open();
    probe.Nack(4);
    ExpectEnd(probe, State::ERROR, "for good");
}

LFN_CASE_FROM(VrpLifeTestCase, VrpOutgoingTestCase)
{
    // Go on by the frame's own deadlines, a packet arriving at each, until it gives up; when, in
    // ms.
    const auto expectTimeOut = [&](OutgoingProbe& probe,
                                   int64_t end,
                                   const std::string& message,
                                   const std::function<void(OutgoingProbe&)>& arrive) {
        for (int i = 0; i < 200 && !probe.frame.IsEnded(); ++i)
        {
            probe.At(std::max(probe.Deadline(), probe.now));
            arrive(probe);
        }
        NS_TEST_EXPECT_MSG_EQ(probe.now, end, message);
        ExpectEnd(probe, State::TIMED_OUT, message);
    };
    OutgoingProbe unresponsive(OfPackets(10));
    unresponsive.At(1000);
    expectTimeOut(unresponsive, 6000, "no answer to the header", [](OutgoingProbe&) {});

    OutgoingProbe silent(OfPackets(10));
    silent.Open(100);
    expectTimeOut(silent, 5100, "silence after FRAME_OK", [](OutgoingProbe&) {});

    OutgoingProbe stale(OfPackets(10));
    stale.Open(100);
    stale.now = 200;
    stale.Ack(0);
    stale.Single(2);
    expectTimeOut(stale, 5200, "it receives stale things only", [](OutgoingProbe& p) {
        p.frame.OnFrameOk(p.Now());
        p.Ack(0);
        p.Single(2);
        p.Single(2, true);
        p.Nack(0);
        p.Nack(2);
        p.Nack(9);
    });

    // A receiver that forgets the frame again and again answers, but gets nowhere.
    OutgoingProbe forgetful(OfPackets(10));
    forgetful.Open(100);
    expectTimeOut(forgetful, 5100, "FRAME_OK is news once", [](OutgoingProbe& p) {
        p.frame.OnMissingHeader();
        p.At(p.now);
        p.frame.OnFrameOk(p.Now());
    });

    OutgoingProbe demanded(OfPackets(10));
    demanded.Open(100);
    demanded.At(4900);
    demanded.Nack(1); // has an effect, as 1 is under way
    demanded.Nack(1); // has none
    demanded.At(9800);
    ExpectState(demanded, State::SEND, "a demand is news");
    expectTimeOut(demanded, 9900, "the last news", [](OutgoingProbe&) {});

    OutgoingProbe alive(OfPackets(10));
    alive.Open(100);
    for (uint32_t i = 0; i < 10; ++i)
    {
        alive.At(alive.now + 4900);
        ExpectState(alive, State::SEND, "slow, but alive");
        i % 2 == 0 ? alive.Single(i) : alive.Ack(i);
    }
    ExpectEnd(alive, State::DONE, "after 49 s");
}

const Suite g_suite("lfn-vrp-outgoing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new VrpHeaderExchangeTestCase(
        "the frame header: timer, FRAME_OK, FRAME_REFUSED, MISSING_HDR"));
    suite.Add(new VrpMissingHeaderTestCase("MISSING_HDR in every state"));
    suite.Add(new VrpAcknowledgementTestCase("ACK, SINGLE_ACK, window span, samples"));
    suite.Add(new VrpSamplesTestCase("Karn's rule and C6: which acknowledgements are samples"));
    suite.Add(new VrpResendTestCase("NACKs and timers: what is retransmitted, and when"));
    suite.Add(new VrpTimersTestCase("every packet has its own timer"));
    suite.Add(new VrpTimeoutsTestCase("timeouts that double, grow and shrink (C8)"));
    suite.Add(new VrpExpiryTestCase("an acknowledgement between the expiry and the sending"));
    suite.Add(new VrpLifeTriesTestCase("several tries before the life timeout (VRP-D23)"));
    suite.Add(new VrpStrictTestCase("C9: the report's literal rule"));
    suite.Add(new VrpLifeTestCase("the life timeout"));
});

} // namespace
