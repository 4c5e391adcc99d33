// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/ns3-access.h"
#include "ns3/tcp-segment-check.h"

#include <algorithm>
#include <optional>

/**
 * @file
 * @ingroup lfn-tcp
 * What a TCP connection takes, by the numbers of RFC 9293, 3.10.7.4, and RFC 5961.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

constexpr uint8_t FIN = 1;  //!< a flag
constexpr uint8_t SYN = 2;  //!< a flag
constexpr uint8_t RST = 4;  //!< a flag
constexpr uint8_t ACK = 16; //!< a flag

/** @brief A segment and what is to become of it. */
struct Row
{
    int64_t ahead;                    //!< from the next expected one
    int64_t beyond;                   //!< acknowledges so much more than was sent
    uint8_t flags;                    //!< flags
    uint32_t dataBytes;               //!< length, [B]
    std::optional<TcpRefusal> reason; //!< why it is refused
    bool isAnswered{false};           //!< with an ACK
};

/** @brief Judges rows wherever the sequence numbers begin. */
LFN_CASE_OF(JudgeCase, bool isFinished, std::vector<Row> rows)
{
    for (const uint32_t base : {0U, 1000U, 0x7fffff00U, 0x80000000U, 0xffffff00U})
    {
        // 5000 B are in flight, the peer has offered 3000 B at most, and is offered 2000 B.
        const TcpLimits limits{.next = base,
                               .room = 2000,
                               .isFinished = isFinished,
                               .head = base + 77,
                               .sent = base + 5077,
                               .window = 3000};
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const auto& row = rows[i];
            const auto verdict =
                limits.Judge({.sequence = base + static_cast<uint32_t>(row.ahead),
                              .ack = base + 5077 + static_cast<uint32_t>(row.beyond),
                              .flags = row.flags,
                              .dataBytes = row.dataBytes});
            NS_TEST_EXPECT_MSG_EQ(verdict.has_value(), row.reason.has_value(), "row " << i);
            if (verdict && row.reason)
            {
                NS_TEST_EXPECT_MSG_EQ(verdict->reason, *row.reason, "row " << i);
                NS_TEST_EXPECT_MSG_EQ(verdict->isAnswered, row.isAnswered, "row " << i);
            }
        }
    }
}

/** @brief Time stamps have to be there, but in a reset. */
LFN_CASE(TimesCase)
{
    const TcpLimits limits{.room = 100, .hasTimes = true};
    TcpView segment{.flags = ACK};
    const auto verdict = limits.Judge(segment);
    NS_TEST_ASSERT_MSG_EQ(verdict.has_value(), true, "refused");
    NS_TEST_EXPECT_MSG_EQ(verdict->reason, TcpRefusal::NO_TIME, "for that");
    segment.flags = RST;
    NS_TEST_EXPECT_MSG_EQ(limits.Judge(segment).has_value(), false, "a reset is taken");
    segment = {.flags = ACK, .echo = 5};
    NS_TEST_EXPECT_MSG_EQ(limits.Judge(segment).has_value(), false, "with time stamps as well");
}

/** @brief PAWS: a time stamp older than the last one, by the difference (RFC 7323, section 5.3). */
LFN_CASE(OldTimeCase)
{
    for (const uint32_t recent : {0U, 1000U, 0x7fffffffU, 0x80000000U, 0xffffffffU})
    {
        TcpLimits limits{.room = 100, .hasTimes = true, .recentTime = recent};
        for (const int64_t ahead :
             {int64_t{-2147483647}, int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{2147483647}})
        {
            const TcpView segment{.flags = ACK,
                                  .time = static_cast<uint32_t>(recent + ahead),
                                  .echo = 5};
            const auto verdict = limits.Judge(segment);
            NS_TEST_ASSERT_MSG_EQ(verdict.has_value(), (ahead < 0), recent << ", " << ahead);
            NS_TEST_EXPECT_MSG_EQ((!verdict || verdict->reason == TcpRefusal::OLD_TIME),
                                  true,
                                  ahead);
            NS_TEST_EXPECT_MSG_EQ((!verdict || verdict->isAnswered), true, ahead);
            NS_TEST_EXPECT_MSG_EQ(
                limits.Judge({.flags = RST, .time = segment.time, .echo = 5}).has_value(),
                false,
                "a reset is taken");
        }
        limits.recentTime.reset();
        NS_TEST_EXPECT_MSG_EQ(
            limits.Judge({.flags = ACK, .time = recent - 1, .echo = 5}).has_value(),
            false,
            "24 days later nothing is compared");
    }
}

using State = TcpUnsynchronized::State;   //!< shorter
using Action = TcpUnsynchronized::Action; //!< shorter

/** @brief A segment where there is no connection, and what becomes of it. */
struct LoneRow
{
    uint8_t flags;                      //!< flags
    int64_t ahead;                      //!< from the next expected one
    int64_t beyond;                     //!< acknowledges so much more than the SYN
    uint32_t dataBytes;                 //!< length, [B]
    Action action;                      //!< what is to be done
    std::optional<TcpRefusal> reason{}; //!< why
};

/** @brief Judges rows of a state wherever the sequence numbers begin. */
LFN_CASE_OF(LoneCase, State state, bool isActive, std::vector<LoneRow> rows)
{
    for (const uint32_t base : {0U, 1000U, 0x7fffff00U, 0x80000000U, 0xffffff00U})
    {
        const TcpUnsynchronized limits{.state = state,
                                       .isActive = isActive,
                                       .initial = base + 77,
                                       .next = base,
                                       .room = 2000};
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const auto& row = rows[i];
            const auto verdict = limits.Judge({.sequence = base + static_cast<uint32_t>(row.ahead),
                                               .ack = base + 78 + static_cast<uint32_t>(row.beyond),
                                               .flags = row.flags,
                                               .dataBytes = row.dataBytes});
            NS_TEST_EXPECT_MSG_EQ((verdict.action == row.action), true, "row " << i);
            NS_TEST_EXPECT_MSG_EQ((verdict.reason == row.reason), true, "row " << i);
        }
    }
}

/** @brief SYN_RCVD takes a segment of which a part is in the window (RFC 9293, 3.10.7.4). */
LFN_CASE(AcceptableCase)
{
    for (const uint32_t room : {0U, 1U, 2U, 7U})
    {
        for (int64_t ahead = -4; ahead < 12; ++ahead)
        {
            for (uint32_t length = 0; length < 6; ++length)
            {
                // Without a window, an ACK in sequence is taken, but not its data.
                bool isAcceptable = ahead == 0;
                for (int64_t at = ahead; at < ahead + std::max(length, 1U); ++at)
                {
                    isAcceptable = isAcceptable || (at >= 0 && at < room);
                }
                const TcpUnsynchronized limits{.state = State::SYN_RCVD,
                                               .initial = 77,
                                               .next = 1000,
                                               .room = room};
                const auto verdict = limits.Judge({.sequence = 1000 + static_cast<uint32_t>(ahead),
                                                   .ack = 78,
                                                   .flags = ACK,
                                                   .dataBytes = length});
                NS_TEST_EXPECT_MSG_EQ((verdict.action == Action::TAKE),
                                      isAcceptable,
                                      "window " << room << ", " << ahead << " ahead, " << length
                                                << " bytes");
            }
        }
    }
}

/** @brief Versions of ns-3 are numbers, not texts. */
LFN_CASE(VersionCase)
{
    for (const auto* later :
         {"3.48", "3.48.1", "3.49", "3.100", "3.48-RC1", "3-dev", "4.0", "unknown"})
    {
        NS_TEST_EXPECT_MSG_EQ(IsNs3AtLeast(later, 48), true, later);
    }
    for (const auto* earlier : {"3.44", "3.5", "3.47.9", "3.9-dev"})
    {
        NS_TEST_EXPECT_MSG_EQ(IsNs3AtLeast(earlier, 48), false, earlier);
    }
}

const Suite g_suite("lfn-tcp-segment-check", TestSuite::Type::UNIT, [](Suite& suite) {
    constexpr auto TAKEN = std::nullopt;
    suite.Add(new JudgeCase("a connection takes what RFC 9293 says",
                            false,
                            {{0, 0, ACK, 0, TAKEN},
                             {0, -5000, ACK, 0, TAKEN},
                             {0, 1, ACK, 0, TcpRefusal::UNSENT_ACK, true},
                             {0, 1, FIN | ACK, 100, TcpRefusal::UNSENT_ACK, true},
                             {0, 0x70000000, ACK, 0, TcpRefusal::UNSENT_ACK, true},
                             {0, -8000, ACK, 0, TAKEN},
                             {0, -8001, ACK, 0, TcpRefusal::OLD_ACK, true},
                             {0, 1, 0, 1, TAKEN},
                             {0, 1, FIN, 1, TcpRefusal::MALFORMED, false},
                             {0, 0, 0, 0, TcpRefusal::MALFORMED, false},
                             {2001, 0, ACK, 0, TAKEN},
                             {2002, 0, ACK, 0, TcpRefusal::OUTSIDE, true},
                             {-50'000, 0, ACK, 0, TAKEN},
                             {0, 0, FIN | ACK, 0, TAKEN},
                             {-100, 0, FIN | ACK, 100, TAKEN},
                             {-101, 0, FIN | ACK, 100, TcpRefusal::OUTSIDE, true},
                             {0, 0, SYN, 0, TcpRefusal::SYN, true},
                             {-1, 0, SYN | ACK, 0, TcpRefusal::SYN, true},
                             {0, 99, RST, 0, TAKEN},
                             {0, 99, RST | SYN | ACK, 0, TAKEN},
                             {1, 0, RST, 0, TcpRefusal::RESET, true},
                             {1999, 0, RST, 0, TcpRefusal::RESET, true},
                             {2000, 0, RST, 0, TcpRefusal::RESET, false},
                             {-1, 0, RST, 0, TcpRefusal::RESET, false}}));
    suite.Add(new JudgeCase("behind a FIN there is nothing but ACKs and resets",
                            true,
                            {{0, 0, ACK, 0, TAKEN},
                             {0, 0, ACK, 1, TcpRefusal::OUTSIDE, true},
                             {0, 0, 0, 1, TcpRefusal::OUTSIDE, true},
                             {0, 0, FIN | ACK, 0, TcpRefusal::OUTSIDE, true},
                             {0, 0, RST, 0, TAKEN}}));
    suite.Add(new LoneCase("CLOSED resets all but resets",
                           State::CLOSED,
                           false,
                           {{RST, 0, 0, 0, Action::DROP, TcpRefusal::STRAY},
                            {SYN, 0, 0, 0, Action::RESET, TcpRefusal::STRAY},
                            {ACK, 0, 0, 9, Action::RESET, TcpRefusal::STRAY},
                            {0, 0, 0, 0, Action::RESET, TcpRefusal::STRAY}}));
    suite.Add(new LoneCase("LISTEN takes a SYN alone",
                           State::LISTEN,
                           false,
                           {{SYN, 5, 0, 0, Action::TAKE},
                            {SYN, 5, 0, 100, Action::TAKE},
                            {SYN | FIN, 5, 0, 0, Action::DROP, TcpRefusal::MALFORMED},
                            {SYN | ACK, 5, 0, 0, Action::RESET, TcpRefusal::UNSENT_ACK},
                            {SYN | RST, 5, 0, 0, Action::DROP, TcpRefusal::RESET},
                            {FIN, 5, 0, 0, Action::DROP, TcpRefusal::STRAY},
                            {0, 5, 0, 9, Action::DROP, TcpRefusal::STRAY}}));
    suite.Add(new LoneCase("SYN_SENT takes a SYN, and a reset that acknowledges",
                           State::SYN_SENT,
                           true,
                           {{SYN, 5, 0, 0, Action::TAKE},
                            {SYN | ACK, 5, 0, 0, Action::TAKE},
                            {SYN | ACK, 5, 1, 0, Action::RESET, TcpRefusal::UNSENT_ACK},
                            {SYN | ACK, 5, -1, 0, Action::RESET, TcpRefusal::UNSENT_ACK},
                            {ACK, 5, 0, 0, Action::DROP, TcpRefusal::STRAY},
                            {RST | ACK, 5, 0, 100, Action::END},
                            {RST | ACK, 5, 1, 0, Action::DROP, TcpRefusal::RESET},
                            {RST, 5, 0, 0, Action::DROP, TcpRefusal::RESET},
                            {0, 5, 0, 9, Action::DROP, TcpRefusal::STRAY}}));
    const std::vector<LoneRow> rows{{ACK, 0, 0, 0, Action::TAKE},
                                    {FIN | ACK, 0, 0, 9, Action::TAKE},
                                    {ACK, 1999, 0, 9, Action::TAKE},
                                    {ACK, -5, 0, 6, Action::TAKE},
                                    {ACK, -5, 0, 5, Action::ACK, TcpRefusal::OUTSIDE},
                                    {ACK, 2000, 0, 0, Action::ACK, TcpRefusal::OUTSIDE},
                                    {ACK, 0, 1, 0, Action::RESET, TcpRefusal::UNSENT_ACK},
                                    {ACK, 0, -1, 0, Action::RESET, TcpRefusal::UNSENT_ACK},
                                    {0, 0, 0, 9, Action::DROP, TcpRefusal::STRAY},
                                    {SYN, -1, 0, 0, Action::REPEAT},
                                    {SYN | ACK, -1, 0, 0, Action::ACK, TcpRefusal::SYN},
                                    {SYN, 2000, 0, 0, Action::ACK, TcpRefusal::SYN},
                                    {RST, 0, 0, 100, Action::END},
                                    {RST | ACK, 1, 0, 0, Action::ACK, TcpRefusal::RESET},
                                    {RST, -1, 0, 0, Action::DROP, TcpRefusal::RESET}};
    auto passive = rows;
    passive.push_back({SYN, 0, 0, 0, Action::END, TcpRefusal::SYN});
    auto active = rows;
    active.push_back({SYN, 0, 0, 0, Action::ACK, TcpRefusal::SYN});
    suite.Add(new LoneCase("SYN_RCVD of a listener", State::SYN_RCVD, false, passive));
    suite.Add(new LoneCase("SYN_RCVD of one that connects", State::SYN_RCVD, true, active));
    suite.Add(new AcceptableCase("SYN_RCVD takes segments of which a part is in the window"));
    suite.Add(new LoneCase("TIME_WAIT acknowledges a FIN again",
                           State::TIME_WAIT,
                           false,
                           {{FIN | ACK, -1, 0, 0, Action::REPEAT},
                            {FIN | ACK, -101, 0, 100, Action::REPEAT},
                            {FIN | ACK, 0, 0, 0, Action::ACK, TcpRefusal::OUTSIDE},
                            {ACK, 0, 0, 0, Action::DROP},
                            {ACK, 0, 0, 9, Action::ACK, TcpRefusal::OUTSIDE},
                            {SYN, 5000, 0, 0, Action::ACK, TcpRefusal::SYN},
                            {RST, 0, 0, 0, Action::END},
                            {RST, -1, 0, 0, Action::DROP, TcpRefusal::RESET}}));
    suite.Add(new TimesCase("time stamps have to stay"));
    suite.Add(new OldTimeCase("an old time stamp is refused"));
    suite.Add(new VersionCase("releases of ns-3 are compared as numbers"));
});

} // namespace
