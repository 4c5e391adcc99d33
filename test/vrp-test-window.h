// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_WINDOW_H
#define VRP_TEST_WINDOW_H

#include "lfn-test-case.h"

#include "ns3/vrp-anticipating-window.h"
#include "ns3/vrp-basic-window.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Reports what a receive window does in one line, so that a test reads like section 2.3.5.
 */
class VrpWindowProbe
{
  public:
    std::unique_ptr<VrpReceiveWindow> window; //!< the window
    VrpReceiveWindow::Answer answer;          //!< to the last packet
    VrpReceiveWindow::Outcome outcome{};      //!< of the last packet

    /// A new window of the anticipating algorithm, or of the basic, original one.
    explicit VrpWindowProbe(const VrpReceiveWindow::Limits& limits, bool basic = false)
    {
        if (basic)
        {
            window = std::make_unique<VrpBasicWindow>(limits);
        }
        else
        {
            window = std::make_unique<VrpAnticipatingWindow>(limits);
        }
    }

    /// Have packets arrive; what the last of them did: outcome, answer and the state after it.
    std::string OnPacket(const std::vector<uint32_t>& packets)
    {
        for (const auto packet : packets)
        {
            answer = {};
            outcome = window->OnPacket(packet, answer);
        }
        const auto ack = window->GetCumulativeAck();
        return std::string(Name(outcome)) + List(" nack", answer.nacks) +
               List(" accept", answer.acceptedAcks) + List(" single", answer.singleAcks) +
               (ack ? " ack " + std::to_string(*ack) : "") + " : " + GetState();
    }

    /// Get the state: a letter per packet before next_exp (r received, a accepted as lost, w
    /// awaited, . neither), wait_point, next_exp and loss_cnt.
    std::string GetState() const
    {
        std::string text;
        for (uint32_t i = 0; i < window->GetNextExpected(); ++i)
        {
            const char missing = window->IsWaiting(i) ? 'w' : '.';
            const char absent = window->IsValid(i) ? 'a' : missing;
            text += window->IsReceived(i) ? 'r' : absent;
        }
        return text + " wait " + std::to_string(window->GetWaitPoint()) + " next " +
               std::to_string(window->GetNextExpected()) + " loss " +
               std::to_string(window->GetLossCount());
    }

  private:
    /// Name an outcome.
    static const char* Name(VrpReceiveWindow::Outcome outcome)
    {
        switch (outcome)
        {
        case VrpReceiveWindow::Outcome::STORE:
            return "store";
        case VrpReceiveWindow::Outcome::DUPLICATE:
            return "duplicate";
        case VrpReceiveWindow::Outcome::REFUSED:
            return "refused";
        default:
            return "outside";
        }
    }

    /// Write numbers behind what they are; nothing when there are none.
    static std::string List(const std::string& name, const std::vector<uint32_t>& numbers)
    {
        std::string text = numbers.empty() ? "" : name;
        for (const auto number : numbers)
        {
            text += " " + std::to_string(number);
        }
        return text;
    }
};

/// Numbers in a row, without the end.
inline std::vector<uint32_t>
Row(uint32_t first, uint32_t end)
{
    std::vector<uint32_t> numbers(end - first);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

/// Limits of a frame whose losses only the rate limits: a number in a window of packets.
inline VrpReceiveWindow::Limits
OfRate(uint32_t packets, uint32_t window, uint32_t losses)
{
    VrpReceiveWindow::Limits limits;
    limits.packets = packets;
    limits.historyWindow = window;
    limits.maxLosses = losses;
    return limits;
}

/// Limits of a frame that may lose anything, but at most a number of consecutive packets.
inline VrpReceiveWindow::Limits
OfBurst(uint32_t packets, uint32_t burst)
{
    VrpReceiveWindow::Limits limits = OfRate(packets, 64, 64);
    limits.maxBurst = burst;
    return limits;
}

/**
 * @ingroup lfn-vrp
 * @brief A test of a receive window.
 */
class VrpWindowTestCase : public Case
{
  protected:
    using Case::Case;

    /// Have packets arrive and compare.
    void Expect(VrpWindowProbe& probe,
                const std::vector<uint32_t>& packets,
                const std::string& expected,
                const std::string& message = "")
    {
        const auto actual = probe.OnPacket(packets);
        NS_TEST_EXPECT_MSG_EQ(actual, expected, message << ", packet " << packets.back());
    }
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_WINDOW_H
