// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_SENDER_H
#define ATOU_TEST_SENDER_H

#include "lfn-test-case.h"

#include "ns3/atou-native-congestion.h"
#include "ns3/atou-sender-core.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * A sender whose ACKs are given by hand; what it sends and reports, in words.
 */

namespace ns3::lfn::tests
{

/// Options of a test: those given in atou's own words over the defaults.
inline Ptr<AtouOptions>
Options(const std::string& words)
{
    auto options = CreateObject<AtouOptions>();
    std::istringstream lines(words);
    for (std::string line; std::getline(lines, line, ';');)
    {
        std::istringstream parts(line);
        std::string keyword;
        std::string value;
        parts >> keyword >> std::ws;
        std::getline(parts, value);
        options->SetByKeyword(keyword, value);
    }
    options->Settle();
    return options;
}

/// A state in the middle of a transfer; ssthresh is the window unless it is given.
inline AtouState
Middle(uint32_t una,
       uint32_t nxt,
       double cwnd,
       std::optional<uint32_t> ssthresh = std::nullopt,
       uint32_t recover = 0)
{
    AtouState state;
    state.una = una;
    state.nxt = nxt;
    state.max = nxt;
    state.cwnd = cwnd;
    state.ssthresh = ssthresh.value_or(static_cast<uint32_t>(cwnd));
    state.recover = recover;
    return state;
}

/// An event in the words of the page's logs; those that they have no example of, by name only.
inline std::string
Words(const AtouEvent& event)
{
    using Kind = AtouEvent::Kind;
    const auto& state = event.state;
    std::ostringstream os;
    const auto windows = [&]() {
        os << " cwnd " << static_cast<uint32_t>(state.cwnd) << " thresh " << state.ssthresh;
    };
    switch (event.kind)
    {
    case Kind::DUP_RXMT:
    case Kind::PAC_RXMT:
        os << (event.kind == Kind::DUP_RXMT ? "3dup" : "pack") << "rxmit pkt " << event.packet
           << " nxt " << state.nxt << " max " << state.max;
        windows();
        os << " recover " << state.recover;
        os << (event.kind == Kind::PAC_RXMT ? " una " + std::to_string(state.una) : "");
        break;
    case Kind::TIMER_RXMT:
        os << "timerxmit pkt " << event.packet << " snd_nxt " << state.nxt << " snd_max "
           << state.max;
        windows();
        break;
    case Kind::BAD_ACK:
        os << "badack " << event.packet << " snd_max " << state.max << " snd_nxt " << state.nxt
           << " snd_una " << state.una;
        break;
    case Kind::CA_EXIT:
        os << "CAexit " << event.packet;
        break;
    case Kind::VSS:
        os << "vss";
        windows();
        break;
    case Kind::FLOYD:
        os << "floyd " << event.count << " " << event.value << " " << event.second;
        break;
    case Kind::BWERTT:
        break;
    }
    return os.str();
}

/// A sender and its log.
class AtouTestSender
{
  public:
    AtouSenderCore core;          //!< the sender
    std::vector<std::string> log; //!< its events; FLOYD and BWERTT are left out

    /// A transfer that begins at time 0, perhaps from a given state.
    explicit AtouTestSender(Ptr<const AtouOptions> options,
                            const std::optional<AtouState>& first = std::nullopt)
    {
        core.SetObserver([this](const AtouEvent& event) {
            if (event.kind != AtouEvent::Kind::FLOYD && event.kind != AtouEvent::Kind::BWERTT)
            {
                log.push_back(Words(event));
            }
        });
        core.Start(options, std::make_unique<AtouNativeCongestion>(*options), Time(), first);
    }

    /// What it sends, such as "1-10 r3 x7": r repeated, x by the droplist.
    std::string Sent()
    {
        std::string words;
        uint32_t first = 0;
        uint32_t last = 0;
        std::string mark;
        const auto flush = [&]() {
            if (first > 0)
            {
                words += (words.empty() ? "" : " ") + mark + std::to_string(first);
                words += last > first ? "-" + std::to_string(last) : "";
            }
        };
        while (const auto next = core.NextSegment())
        {
            const auto kind =
                std::string(next->isRepeated ? "r" : "") + (next->isDropped ? "x" : "");
            if (first == 0 || next->segment != last + 1 || kind != mark)
            {
                flush();
                first = next->segment;
                mark = kind;
            }
            last = next->segment;
        }
        flush();
        return words;
    }

    /// An ACK comes at a time in milliseconds; what is sent then.
    std::string Ack(uint32_t next,
                    int64_t ms = 100,
                    const std::vector<AtouBlock>& blocks = {},
                    Time rtt = MilliSeconds(100))
    {
        core.OnAck({next, blocks, rtt, MilliSeconds(ms)});
        return Sent();
    }

    /// Many equal ACKs; what is sent then.
    std::string Acks(uint32_t count, uint32_t next, int64_t ms = 100)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            core.OnAck({next, {}, MilliSeconds(100), MilliSeconds(ms)});
        }
        return Sent();
    }

    /// The timer's next look; what is sent then.
    std::string Expire()
    {
        core.Expire(core.GetDeadline().value_or(Time()));
        return Sent();
    }

    /// Windows as "cwnd ssthresh", whole segments.
    std::string Windows() const
    {
        const auto& state = core.GetState();
        return std::to_string(static_cast<uint32_t>(state.cwnd)) + " " +
               std::to_string(state.ssthresh);
    }

    /// The log since the last call, a line per event.
    std::string Log()
    {
        std::string words;
        for (const auto& line : log)
        {
            words += (words.empty() ? "" : "\n") + line;
        }
        log.clear();
        return words;
    }
};

/** @brief A case that compares words, each computed once. */
class AtouTestCase : public Case
{
  public:
    using Case::Case;

  protected:
    /// Compare two texts.
    void Same(const std::string& actual, const std::string& expected, const std::string& why)
    {
        NS_TEST_EXPECT_MSG_EQ(actual, expected, why);
    }
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_SENDER_H
