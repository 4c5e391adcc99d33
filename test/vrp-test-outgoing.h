// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_OUTGOING_H
#define VRP_TEST_OUTGOING_H

#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/vrp-outgoing-frame.h"

#include <cstdint>
#include <string>

namespace ns3::lfn::tests
{

/// Settings of a frame of a number of packets, the last one shorter: a window of 4, a life of 5 s.
inline VrpOutgoingFrame::Settings
OfPackets(uint32_t packets)
{
    VrpOutgoingFrame::Settings settings;
    settings.header.number = 7;
    settings.header.packetSize = 100;
    settings.header.dataSize = packets == 0 ? 0 : packets * 100 - 1;
    settings.windowSize = 4;
    settings.frameTimeout = Seconds(5);
    return settings;
}

/**
 * @ingroup lfn-vrp
 * @brief A frame, its clock in milliseconds, and what it sends in words.
 */
class OutgoingProbe
{
  public:
    Ptr<VrpRttEstimator> rtt; //!< RTT 100 ms, first timeout 300 ms
    VrpOutgoingFrame frame;   //!< the frame
    int64_t now{0};           //!< the clock, ms

    /// A frame that has sent nothing.
    explicit OutgoingProbe(const VrpOutgoingFrame::Settings& settings)
        : rtt(CreateObject<VrpRttEstimator>()),
          frame(settings, rtt)
    {
        rtt->SetAttribute("FollowEstimate", BooleanValue(false));
        rtt->Measurement(MilliSeconds(100));
    }

    /// Move the clock to a time in ms and send what there is: H for a header, numbers for data,
    /// with a star when sent before.
    std::string At(int64_t milliseconds)
    {
        now = milliseconds;
        std::string text;
        for (int i = 0; i < 1000; ++i)
        {
            const auto step = frame.Next(Now());
            if (!step)
            {
                return text;
            }
            text += text.empty() ? "" : " ";
            text += step->header ? "H" : std::to_string(step->packet);
            text += step->repeat ? "*" : "";
        }
        return text + " without end";
    }

    /// Send the header, have it answered at a time in ms; what is sent then, the first window.
    std::string Open(int64_t milliseconds = 0)
    {
        At(now);
        now = milliseconds;
        frame.OnFrameOk(Now());
        return At(now);
    }

    /// Receive SINGLE_ACK, perhaps of an accepted loss.
    void Single(uint32_t packet, bool accepted = false)
    {
        frame.OnSingleAck(packet, accepted, Now());
    }

    /// Receive ACK.
    void Ack(uint32_t packet)
    {
        frame.OnAck(packet, Now());
    }

    /// Receive NACK.
    void Nack(uint32_t packet)
    {
        frame.OnNack(packet, Now());
    }

    /// Get the deadline in ms, rounded up; -1 when there is none.
    int64_t Deadline() const
    {
        const Time deadline = frame.GetDeadline();
        return deadline == Time::Max() ? -1 : (deadline.GetNanoSeconds() + 999999) / 1000000;
    }

    /// Get the clock.
    Time Now() const
    {
        return MilliSeconds(now);
    }
};

/**
 * @ingroup lfn-vrp
 * @brief A test of a frame.
 */
class VrpOutgoingTestCase : public Case
{
  protected:
    using Case::Case;

    /// Move the clock to a time in ms and compare what is sent.
    void Expect(OutgoingProbe& probe,
                int64_t milliseconds,
                const std::string& expected,
                const std::string& message)
    {
        const auto actual = probe.At(milliseconds);
        NS_TEST_EXPECT_MSG_EQ(actual, expected, message << ", at " << milliseconds << " ms");
    }

    /// Compare the state.
    void ExpectState(const OutgoingProbe& probe, VrpFrameState state, const std::string& message)
    {
        const bool ended = state != VrpFrameState::CREATED && state != VrpFrameState::HEADER_SENT &&
                           state != VrpFrameState::SEND;
        const bool failed = ended && state != VrpFrameState::DONE;
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(probe.frame.GetState())),
                              std::string(ToString(state)),
                              message);
        NS_TEST_EXPECT_MSG_EQ(probe.frame.IsEnded(), ended, message);
        NS_TEST_EXPECT_MSG_EQ(probe.frame.GetFailure().empty(), !failed, message);
        NS_TEST_EXPECT_MSG_EQ((probe.frame.GetDeadline() == Time::Max()), ended, message);
    }

    /// Nothing wakes a frame that has ended.
    void ExpectEnd(OutgoingProbe& probe, VrpFrameState state, const std::string& message)
    {
        ExpectState(probe, state, message);
        const auto samples = probe.rtt->GetNSamples();
        probe.frame.OnFrameOk(probe.Now());
        probe.frame.OnRefused();
        probe.frame.OnMissingHeader();
        probe.Nack(0);
        probe.Nack(99);
        probe.Single(0);
        probe.Ack(99);
        Expect(probe, probe.now + 20000, "", message);
        ExpectState(probe, state, message + " for good");
        NS_TEST_EXPECT_MSG_EQ(probe.rtt->GetNSamples(), samples, message);
    }
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_OUTGOING_H
