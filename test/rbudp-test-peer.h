// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TEST_PEER_H
#define RBUDP_TEST_PEER_H

#include "ns3/lfn-pattern-payload.h"
#include "ns3/nstime.h"
#include "ns3/rbudp-receiver-core.h"
#include "ns3/rbudp-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-rbudp
 * @brief Couples a sender core and a receiver core, so that a test reads like figure 4.
 *
 * The clock is the test's: it stands still but for a blast, which takes until its last interval
 * is over, and for Advance(). Data take no time to arrive. Content is a pattern: what the receiver
 * has put together can be compared with what was sent.
 */
class RbudpTestPeer
{
  public:
    /** @brief Says which datagrams of a blast get lost, by their number in the payload. */
    using Loss = std::function<bool(uint64_t index)>;

    /** @brief Numbers of datagrams, in the order in which something happened to them. */
    using Indices = std::vector<uint64_t>;

    RbudpSenderCore sender;                             //!< the one end
    RbudpReceiverCore receiver;                         //!< the other end
    RbudpSenderCore::Settings settings;                 //!< of the payloads to come
    Time now;                                           //!< the clock
    std::vector<uint8_t> content;                       //!< what the receiver has put together
    Indices sent;                                       //!< datagrams of the last blast
    std::vector<RbudpSenderCore::Departure> departures; //!< the same in full
    std::vector<DropReason> refused; //!< why datagrams were refused, since the payload began
    RbudpAnnouncement announcement;  //!< of the payload in work

    /// Hand a payload to the sender and announce it; false when one of the ends refused.
    bool Announce(uint64_t bytes)
    {
        const auto message = sender.Start(settings, bytes, now);
        const auto arrived = message ? RbudpAnnouncement::Read(message->Write()) : std::nullopt;
        if (!arrived)
        {
            return false;
        }
        announcement = *arrived;
        content.assign(bytes, 0);
        refused.clear();
        return receiver.OnAnnouncement(announcement);
    }

    /// Send a blast, of which some datagrams do not arrive; the path may reorder the others and
    /// repeat some. Returns the datagrams that were sent.
    Indices Blast(const Loss& lost, const std::function<void(Indices&)>& reorder = nullptr)
    {
        sent.clear();
        departures.clear();
        Indices arriving;
        while (const auto departure = sender.Next())
        {
            const uint64_t index = departure->offset / settings.payloadSize;
            departures.push_back(*departure);
            sent.push_back(index);
            if (!lost(index))
            {
                arriving.push_back(index);
            }
        }
        if (reorder)
        {
            reorder(arriving);
        }
        for (const auto index : arriving)
        {
            Arrive(index);
        }
        now = std::max(now, sender.GetBlastEnd());
        return sent;
    }

    /// The same, by the numbers of the datagrams that do not arrive.
    Indices Blast(const std::set<uint64_t>& lost = {})
    {
        return Blast([&](uint64_t index) { return lost.contains(index); });
    }

    /// Have a datagram of the payload in work arrive: where it was put, or why it was refused.
    RbudpReceiverCore::Placement Arrive(uint64_t index)
    {
        const uint32_t bytes = announcement.GetDatagramBytes(index);
        const auto place =
            receiver.OnDatagram(announcement.firstSequence + static_cast<uint32_t>(index), bytes);
        if (place.refused)
        {
            refused.push_back(*place.refused);
        }
        else
        {
            // The sender took these bytes from index * size; the receiver says where they belong.
            PatternPayload::Fill(index * announcement.payloadSize,
                                 std::span(content).subspan(place.offset, bytes));
        }
        return place;
    }

    /// Send DONE; there is no answer when one of the ends found DONE out of place.
    std::optional<std::vector<uint8_t>> Done()
    {
        const auto done = sender.EndBlast();
        const auto arrived = done ? RbudpDone::Read(done->Write()) : std::nullopt;
        return arrived ? receiver.OnDone(*arrived) : std::nullopt;
    }

    /// Send DONE and bring the answer back: where the sender stands then, FAILED without answer.
    RbudpSenderCore::State Exchange()
    {
        const auto ack = Done();
        return ack ? sender.OnAck(*ack, now) : RbudpSenderCore::State::FAILED;
    }

    /// Let time go by.
    void Advance(Time time)
    {
        now += time;
    }

    /// Whether every byte that the receiver has put together is what was sent.
    bool IsByteExact() const
    {
        std::vector<uint8_t> expected(content.size());
        PatternPayload::Fill(0, expected);
        return content == expected;
    }
};

} // namespace ns3::lfn::tests

#endif // RBUDP_TEST_PEER_H
