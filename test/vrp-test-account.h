// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_ACCOUNT_H
#define VRP_TEST_ACCOUNT_H

#include "ns3/address.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/packet.h"
#include "ns3/vrp-receiver.h"
#include "ns3/vrp-sender.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Books of frames sent and frames delivered, and their comparison.
 */
class VrpTestAccount
{
  public:
    static constexpr uint32_t PACKET = 1024; //!< PacketSize of the senders unless a test changes it

    /** @brief A frame that was handed to a sender. */
    struct Sent
    {
        std::vector<uint8_t> content; //!< its bytes, none of them null
        Ptr<VrpSender> sender;        //!< who sent it
        bool accepted{false};         //!< what SendFrame() said
        uint32_t ends{0};             //!< calls of its callback
        VrpFrameReport report;        //!< what the last call said
    };

    /** @brief A frame that was delivered. */
    struct Received
    {
        VrpReceivedFrame frame;    //!< as the receiver reported it; its data pointer is stale
        std::vector<uint8_t> data; //!< its bytes
        std::size_t blocks{0};     //!< the receiver's blocks at that time
    };

    Ptr<VrpSender> sender;          //!< the first sender
    std::deque<Sent> sent;          //!< all frames
    std::vector<Received> received; //!< all deliveries, of all receivers

    /** @brief Called when a frame has ended; may be null. */
    std::function<void(std::size_t index)> onEnd;
    /** @brief Called when a frame was delivered; may be null. */
    std::function<void(const VrpReceivedFrame& frame)> onReceive;

    /// Record the deliveries of a receiver.
    void Watch(Ptr<VrpReceiver> watched)
    {
        watched->SetReceive(VrpReceiver::ReceiveCallback([this, pointer = PeekPointer(watched)](
                                                             const VrpReceivedFrame& frame) {
            received.push_back(
                {frame, frame.data ? *frame.data : std::vector<uint8_t>(), pointer->GetBlocks()});
            if (onReceive)
            {
                onReceive(frame);
            }
        }));
    }

    /// Hand a frame of a given size to a sender, null for the first one; its place in the list of
    /// deviations.
    std::size_t Send(uint32_t bytes,
                     const VrpTolerance& tolerance = {},
                     Ptr<VrpSender> by = nullptr)
    {
        const auto index = sent.size();
        auto& entry = sent.emplace_back();
        entry.sender = by ? by : sender;
        entry.content.resize(bytes);
        for (uint32_t i = 0; i < bytes; ++i)
        {
            entry.content[i] = static_cast<uint8_t>(1 + (index * 31 + i * 7 + i / PACKET) % 255);
        }
        VrpFrame frame;
        frame.bytes = bytes;
        frame.data = Create<Packet>(entry.content.data(), bytes);
        frame.tolerance = tolerance;
        entry.accepted = entry.sender->SendFrame(
            frame,
            VrpSender::FrameCallback([this, index](const VrpFrameReport& report) {
                ++sent[index].ends;
                sent[index].report = report;
                if (onEnd)
                {
                    onEnd(index);
                }
            }));
        return index;
    }

    /// Find the only delivery of a frame; null when there is none or more than one.
    const Received* Find(std::size_t index) const
    {
        const auto& entry = sent.at(index);
        const auto from =
            UdpEndpoint::WithPort(m_homes.at(entry.sender), entry.sender->GetLocalPort());
        const Received* found = nullptr;
        for (const auto& delivery : received)
        {
            if (delivery.frame.from == from && delivery.frame.number == entry.report.number)
            {
                if (found)
                {
                    return nullptr;
                }
                found = &delivery;
            }
        }
        return found;
    }

    /// Get the delivery of a frame, for tests that have verified it; an empty one when there is
    /// none.
    const VrpReceivedFrame& Get(std::size_t index) const
    {
        static const VrpReceivedFrame none;
        const auto* found = Find(index);
        return found ? found->frame : none;
    }

    /// Look for what is wrong with a frame that ought to have arrived; nothing when it was
    /// delivered once, byte by byte but for the gaps that were reported, which are null, and its
    /// callback was called once.
    std::string Verify(std::size_t index) const
    {
        const auto& entry = sent.at(index);
        if (!entry.accepted || entry.ends != 1)
        {
            return "ended " + std::to_string(entry.ends) + " times";
        }
        if (entry.report.state != VrpFrameState::DONE)
        {
            return std::string(ToString(entry.report.state)) + ": " + entry.report.failure;
        }
        const auto* found = Find(index);
        if (!found)
        {
            return "not delivered exactly once";
        }
        auto expected = entry.content;
        uint64_t gaps = 0;
        uint64_t end = 0;
        for (const auto& gap : found->frame.lost)
        {
            if (gap.size == 0 || gap.offset + gap.size > expected.size() ||
                (end > 0 && gap.offset <= end))
            {
                return "gaps out of place";
            }
            std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(gap.offset), gap.size, 0);
            end = gap.offset + gap.size;
            gaps += (gap.size + PACKET - 1) / PACKET;
        }
        if (found->data != expected)
        {
            return "bytes differ";
        }
        return gaps == found->frame.acceptedLosses || m_otherPacketSize
                   ? ""
                   : "gaps are not the accepted losses";
    }

    /// Look for what is wrong with the frames from one on, which has to exist; nothing when each
    /// was delivered once.
    std::string VerifyFrom(std::size_t first) const
    {
        for (std::size_t index = first; index < sent.size(); ++index)
        {
            if (const auto wrong = Verify(index); !wrong.empty())
            {
                return "frame " + std::to_string(index) + ": " + wrong;
            }
        }
        return first < sent.size() ? "" : "not sent";
    }

    /// Look for what is wrong with all frames; nothing when each was delivered once, and nothing
    /// else.
    std::string VerifyAll() const
    {
        const auto wrong = VerifyFrom(0);
        return wrong.empty() && received.size() != sent.size() ? "more was delivered than was sent"
                                                               : wrong;
    }

  protected:
    std::map<Ptr<VrpSender>, Address> m_homes; //!< addresses of the senders
    bool m_otherPacketSize{false};             //!< gaps cannot be counted in packets
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_ACCOUNT_H
