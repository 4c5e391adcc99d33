// SPDX-License-Identifier: GPL-2.0-only

#include "rbudp-test-peer.h"

#include "ns3/lfn-pacer.h"
#include "ns3/packet.h"
#include "ns3/rbudp-blast-schedule.h"
#include "ns3/rbudp-header.h"
#include "ns3/rbudp-object-stream.h"
#include "ns3/rbudp-receiver-core.h"
#include "ns3/rbudp-sender-core.h"
#include "ns3/rbudp-tally.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using ns3::lfn::tests::RbudpTestPeer;

namespace
{

using Bytes = std::vector<uint8_t>;
using SenderState = RbudpSenderCore::State;
using ReceiverState = RbudpReceiverCore::State;

/**
 * @brief Print bytes as hexadecimal digits.
 * @param bytes the bytes
 * @return two digits each
 */
std::string
Hex(std::span<const uint8_t> bytes)
{
    constexpr auto DIGITS = "0123456789abcdef";
    std::string text;
    for (const auto byte : bytes)
    {
        text += DIGITS[byte >> 4];
        text += DIGITS[byte & 15];
    }
    return text;
}

/**
 * @brief Make an acknowledgement bit by bit, without the model.
 * @param datagrams N
 * @param missing numbers of the missing ones
 * @return the message
 */
Bytes
MakeAck(uint64_t datagrams, const std::set<uint64_t>& missing)
{
    Bytes ack(datagrams / 8 + 2, 0xff);
    ack[0] = missing.empty() ? 1 : 0;
    for (const auto index : missing)
    {
        ack[1 + index / 8] -= static_cast<uint8_t>(1U << (index % 8));
    }
    return ack;
}

/** @brief Every message as literal bytes. */
class RbudpWireVectorsTestCase : public TestCase
{
  public:
    RbudpWireVectorsTestCase()
        : TestCase("wire: messages as literal bytes")
    {
    }

  private:
    void DoRun() override
    {
        const auto packet = Create<Packet>();
        packet->AddHeader(RbudpDataHeader(0x01020304));
        Bytes header(packet->GetSize());
        packet->CopyData(header.data(), static_cast<uint32_t>(header.size()));
        NS_TEST_EXPECT_MSG_EQ(Hex(header), "01020304", "most significant byte first");

        // 450 MB in 1450 B, near the end of the sequence space.
        const RbudpAnnouncement announcement{450'000'000, 1450, 0xfffffffe};
        NS_TEST_EXPECT_MSG_EQ(Hex(announcement.Write()),
                              "000000001ad27480000005aafffffffe",
                              "size, datagram size, first sequence");
        NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagrams(), 310'345, "N of the paper's payload");
        NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagramBytes(310'343), 1450, "the last but one");
        NS_TEST_EXPECT_MSG_EQ(announcement.GetDatagramBytes(310'344), 1200, "the last one");
        NS_TEST_EXPECT_MSG_EQ(RbudpAck::GetSize(310'345), 38'795, "its bitmap");

        NS_TEST_EXPECT_MSG_EQ(Hex(RbudpDone{5}.Write()), "00000005444e4500", "round and marker");
        NS_TEST_EXPECT_MSG_EQ(RbudpDone::Read(RbudpDone{0xfedcba98}.Write())->round,
                              0xfedcba98,
                              "all bits of the round");

        // Of ten datagrams 0, 3 and 9 are there.
        RbudpTally tally(10);
        tally.Record(0);
        tally.Record(3);
        tally.Record(9);
        NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(tally.GetBitmap(), false)),
                              "0009fe",
                              "least significant bit first, tail bits set");
        const RbudpTally eight(8);
        NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(eight.GetBitmap(), false)), "0000ff", "N = 8");
        const RbudpTally seven(7);
        NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(seven.GetBitmap(), false)), "0080", "N = 7");

        CheckFileRequests();
    }

    /** @brief Names up to 255 bytes, padded with zeros. */
    void CheckFileRequests()
    {
        NS_TEST_EXPECT_MSG_EQ(Hex(RbudpFileRequest{"ab"}.Write()),
                              "6162" + std::string(std::size_t{2} * 254, '0'),
                              "padded with zeros");
        const std::string longest(255, 'x');
        NS_TEST_EXPECT_MSG_EQ(RbudpFileRequest::Read(RbudpFileRequest{longest}.Write())->name,
                              longest,
                              "the longest name");
        NS_TEST_EXPECT_MSG_EQ(RbudpFileRequest::Read(RbudpFileRequest{longest + "y"}.Write())->name,
                              longest,
                              "a longer one is cut");
        const auto isRefused = [](const Bytes& bytes) {
            return !RbudpFileRequest::Read(bytes).has_value();
        };
        NS_TEST_EXPECT_MSG_EQ(isRefused(Bytes(256, 0)), true, "no name");
        NS_TEST_EXPECT_MSG_EQ(isRefused(Bytes(256, 'x')), true, "a name without end");
        Bytes dirty(256, 0);
        dirty[0] = 'a';
        dirty[255] = 1;
        NS_TEST_EXPECT_MSG_EQ(isRefused(dirty), true, "something behind the name");
    }
};

/** @brief Reading takes any bytes, and what it accepts writes back to the same bytes. */
class RbudpWireTotalityTestCase : public TestCase
{
  public:
    RbudpWireTotalityTestCase()
        : TestCase("wire: every length and random bytes are read or refused")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(1);
        for (std::size_t size = 0; size <= 300; ++size)
        {
            for (int turn = 0; turn < 20; ++turn)
            {
                Bytes bytes(size);
                // All random, all zero but a little, or all ones but a little.
                const uint8_t base = turn % 3 == 1 ? 0 : 0xff;
                std::generate(bytes.begin(), bytes.end(), [&] {
                    const auto drawn = static_cast<uint8_t>(random());
                    return turn % 3 == 0 || random() % 16 == 0 ? drawn : base;
                });
                CheckMessage<RbudpAnnouncement>(bytes);
                CheckMessage<RbudpDone>(bytes);
                CheckMessage<RbudpFileRequest>(bytes);
                CheckAck(bytes);
                CheckHeader(bytes);
            }
        }
        CheckAnnouncementLimits();
    }

    /**
     * @brief Read a message of fixed size.
     * @tparam T its type
     * @param bytes what arrived
     */
    template <typename T>
    void CheckMessage(const Bytes& bytes)
    {
        const auto message = T::Read(bytes);
        if (bytes.size() != T::SIZE)
        {
            NS_TEST_EXPECT_MSG_EQ(message.has_value(), false, "length " << bytes.size());
        }
        else if (message)
        {
            NS_TEST_EXPECT_MSG_EQ(Hex(message->Write()), Hex(bytes), "written back");
        }
    }

    /**
     * @brief Read an acknowledgement as one of every payload that has this length.
     * @param bytes what arrived
     */
    void CheckAck(const Bytes& bytes)
    {
        for (uint64_t datagrams = 0; datagrams < 40; ++datagrams)
        {
            const auto bitmap = RbudpAck::Read(bytes, datagrams);
            // The rules of RB-06 bit by bit.
            bool valid = bytes.size() == datagrams / 8 + 2;
            if (valid)
            {
                bool full = true;
                for (uint64_t bit = 0; bit < 8 * (bytes.size() - 1); ++bit)
                {
                    const bool set = ((bytes[1 + bit / 8] >> (bit % 8)) & 1) != 0;
                    full = full && set;
                    valid = valid && (set || bit < datagrams);
                }
                valid = valid && bytes[0] == (full ? 1 : 0);
            }
            NS_TEST_EXPECT_MSG_EQ(bitmap.has_value(), valid, Hex(bytes) << ", N = " << datagrams);
            if (bitmap)
            {
                NS_TEST_EXPECT_MSG_EQ(Hex(RbudpAck::Write(*bitmap, bytes[0] == 1)),
                                      Hex(bytes),
                                      "written back");
            }
        }
    }

    /**
     * @brief Read the header of a datagram.
     * @param bytes the datagram
     */
    void CheckHeader(const Bytes& bytes)
    {
        const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        RbudpDataHeader header(77);
        const uint32_t size = packet->PeekHeader(header);
        if (bytes.size() < 4)
        {
            NS_TEST_EXPECT_MSG_EQ(size, 0, "too short");
            NS_TEST_EXPECT_MSG_EQ(header.GetSequence(), 77, "unchanged");
        }
        else
        {
            const auto sequence = std::accumulate(
                bytes.begin(),
                bytes.begin() + 4,
                uint32_t{0},
                [](uint32_t value, uint8_t byte) { return value * 256 + byte; });
            NS_TEST_EXPECT_MSG_EQ(size, 4, "its size");
            NS_TEST_EXPECT_MSG_EQ(header.GetSequence(), sequence, "its value");
        }
    }

    /** @brief The ranges of an announcement's fields. */
    void CheckAnnouncementLimits()
    {
        const auto isRead = [](uint64_t bytes, uint32_t size) {
            return RbudpAnnouncement::Read(RbudpAnnouncement{bytes, size, 9}.Write()).has_value();
        };
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 0), false, "no datagram size");
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 65'503), true, "the largest datagram");
        NS_TEST_EXPECT_MSG_EQ(isRead(1, 65'504), false, "one byte more");
        NS_TEST_EXPECT_MSG_EQ(isRead(0, 1), true, "no such file");
        NS_TEST_EXPECT_MSG_EQ(isRead(1ULL << 31, 1), true, "half the sequence space");
        NS_TEST_EXPECT_MSG_EQ(isRead((1ULL << 31) + 1, 1), false, "one datagram more");
        NS_TEST_EXPECT_MSG_EQ(isRead(UINT64_MAX, 65'503), false, "far too much");
        NS_TEST_EXPECT_MSG_EQ(isRead(10'000'000'000, 1450), true, "10 GB");
        NS_TEST_EXPECT_MSG_EQ(isRead(6'000'000'000'000, 8192), true, "6 TB");
        const RbudpAnnouncement large{6'000'000'000'000, 8192, 0};
        NS_TEST_EXPECT_MSG_EQ(large.GetDatagrams(), 732'421'875, "6 TB in 8192 B");
        const RbudpAnnouncement huge{(1ULL << 31) * 65'503, 65'503, 0};
        NS_TEST_EXPECT_MSG_EQ(huge.GetDatagrams(), 1ULL << 31, "the largest payload");
        NS_TEST_EXPECT_MSG_EQ(huge.GetDatagramBytes((1ULL << 31) - 1), 65'503, "its last one");
    }
};

/** @brief The tally agrees with a set, on random input. */
class RbudpTallyTestCase : public TestCase
{
  public:
    RbudpTallyTestCase()
        : TestCase("tally: agrees with a set")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(2);
        for (int turn = 0; turn < 300; ++turn)
        {
            const uint64_t datagrams = turn < 40 ? turn : random() % 500;
            RbudpTally tally(datagrams);
            std::set<uint64_t> arrived;
            for (uint64_t i = 0; i < 3 * datagrams + 5; ++i)
            {
                // One in nine outside, some of them far.
                const uint64_t index =
                    random() % 9 == 0 ? datagrams + random() % (uint64_t{1} << (random() % 63))
                                      : random() % std::max<uint64_t>(datagrams, 1);
                const bool isNew = index < datagrams && arrived.insert(index).second;
                NS_TEST_ASSERT_MSG_EQ(tally.Record(index), isNew, index << " of " << datagrams);
                NS_TEST_ASSERT_MSG_EQ(tally.GetReceived(), arrived.size(), "received");
                NS_TEST_ASSERT_MSG_EQ(tally.GetMissing(), datagrams - arrived.size(), "missing");
                NS_TEST_ASSERT_MSG_EQ(tally.IsComplete(), (arrived.size() == datagrams), "complete");
            }
            std::set<uint64_t> missing;
            for (uint64_t index = 0; index < datagrams; ++index)
            {
                NS_TEST_ASSERT_MSG_EQ(tally.Has(index), arrived.contains(index), index);
                if (!arrived.contains(index))
                {
                    missing.insert(index);
                }
            }
            NS_TEST_ASSERT_MSG_EQ(Hex(RbudpAck::Write(tally.GetBitmap(), tally.IsComplete())),
                                  Hex(MakeAck(datagrams, missing)),
                                  "bitmap");
        }
        NS_TEST_EXPECT_MSG_EQ(RbudpTally().IsComplete(), true, "a tally of nothing");
        NS_TEST_EXPECT_MSG_EQ(RbudpTally().Record(0), false, "it takes nothing");
    }
};

/** @brief The schedule names the missing datagrams, all and only, in order. */
class RbudpScheduleTestCase : public TestCase
{
  public:
    RbudpScheduleTestCase()
        : TestCase("blast schedule: agrees with a scan bit by bit")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(3);
        for (int turn = 0; turn < 3000; ++turn)
        {
            const uint64_t datagrams = random() % 200;
            const double loss = turn % 5 * 0.25;
            std::set<uint64_t> missing;
            for (uint64_t index = 0; index < datagrams; ++index)
            {
                if (std::uniform_real_distribution()(random) < loss)
                {
                    missing.insert(index);
                }
            }
            Bytes bitmap = MakeAck(datagrams, missing);
            bitmap.erase(bitmap.begin());
            Check(RbudpBlastSchedule(datagrams, bitmap), {missing.begin(), missing.end()});
        }
        std::vector<uint64_t> all(77);
        std::iota(all.begin(), all.end(), 0);
        Check(RbudpBlastSchedule(77), all);
        Check(RbudpBlastSchedule(), {});
        Check(RbudpBlastSchedule(0), {});
    }

    /**
     * @brief Walk through a schedule.
     * @param schedule the schedule
     * @param expected what it has to name
     */
    void Check(RbudpBlastSchedule schedule, const std::vector<uint64_t>& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(schedule.GetSize(), expected.size(), "size");
        for (const auto index : expected)
        {
            const auto next = schedule.Next();
            NS_TEST_ASSERT_MSG_EQ(next.has_value(), true, "ends before " << index);
            NS_TEST_ASSERT_MSG_EQ(*next, index, "the next one");
        }
        NS_TEST_ASSERT_MSG_EQ(schedule.Next().has_value(), false, "no end");
        NS_TEST_ASSERT_MSG_EQ(schedule.Next().has_value(), false, "starts again");
    }
};

/** @brief Departure times against long integers. */
class RbudpPacerTestCase : public TestCase
{
  public:
    RbudpPacerTestCase()
        : TestCase("pacer: exact schedule, whole quanta, no drift")
    {
    }

  private:
    void DoRun() override
    {
        // The rates of spec 2.3: what each whole microsecond gives, and the paper's own figures.
        const std::array<std::tuple<int, double>, 7> steps{{{14, 828.6},
                                                            {15, 773.3},
                                                            {16, 725.0},
                                                            {17, 682.4},
                                                            {18, 644.4},
                                                            {19, 610.5},
                                                            {20, 580.0}}};
        for (const auto& [us, mbps] : steps)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(1450 * 8.0 / us, mbps, 0.051, "the table itself");
            // Any rate down to just above the next step's is sent at this step.
            const auto fastest = static_cast<uint64_t>(1450 * 8e6 / us);
            const auto slowest = static_cast<uint64_t>(1450 * 8e6 / (us + 1)) + 1;
            for (const auto rate : {fastest, (fastest + slowest) / 2, slowest})
            {
                CheckOffsets(rate, 1450, MicroSeconds(1), 1000);
                Pacer pacer(DataRate(rate), 1450, MicroSeconds(1));
                pacer.Advance();
                NS_TEST_EXPECT_MSG_EQ(pacer.GetOffset(), MicroSeconds(us), rate << " bit/s");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Second(611'000'000), MicroSeconds(18), "611 Mb/s: 18.99 us");
        NS_TEST_EXPECT_MSG_EQ(Second(610'500'000), MicroSeconds(19), "610.5 Mb/s: 19.001 us");

        std::mt19937_64 random(4);
        for (int turn = 0; turn < 300; ++turn)
        {
            const uint64_t rate = 1 + random() % (uint64_t{1} << (1 + random() % 40));
            const auto bytes = static_cast<uint32_t>(1 + random() % 65'503);
            const int64_t quantum = turn % 3 == 0 ? 0 : 1 + static_cast<int64_t>(random() % 50'000);
            CheckOffsets(rate, bytes, NanoSeconds(quantum), 200);
        }
        // A quantum above the interval takes its place.
        CheckOffsets(1'000'000'000, 1450, MilliSeconds(1), 100);
        Pacer coarse(DataRate("1Gbps"), 1450, MilliSeconds(1));
        coarse.Advance();
        NS_TEST_EXPECT_MSG_EQ(coarse.GetOffset(), MilliSeconds(1), "one quantum");

        CheckDrift();
    }

    /**
     * @brief Interval at a rate with the tools' clock.
     * @param rate bit/s
     * @return offset of the second datagram
     */
    static Time Second(uint64_t rate)
    {
        Pacer pacer(DataRate(rate), 1450, MicroSeconds(1));
        pacer.Advance();
        return pacer.GetOffset();
    }

    /**
     * @brief Compare the first offsets with the closed form.
     * @param rate bit/s
     * @param bytes of a datagram
     * @param quantum of the clock; 0 for none
     * @param datagrams how many to look at
     */
    void CheckOffsets(uint64_t rate, uint32_t bytes, Time quantum, uint64_t datagrams)
    {
        Pacer pacer(DataRate(rate), bytes, quantum);
        for (uint64_t i = 0; i < datagrams; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(pacer.GetOffset().GetNanoSeconds(),
                                  GetOffset(rate, bytes, quantum.GetNanoSeconds(), i),
                                  i << ": " << rate << " bit/s, " << bytes << " B, " << quantum);
            pacer.Advance();
        }
    }

    /**
     * @brief The closed form: floor(i * bits / rate), or i * floor(bits / rate / quantum) quanta.
     * @param rate bit/s
     * @param bytes of a datagram
     * @param quantum of the clock, ns
     * @param i number of the datagram
     * @return its offset, ns
     */
    static int64_t GetOffset(uint64_t rate, uint32_t bytes, int64_t quantum, uint64_t i)
    {
        __extension__ using Wide = unsigned __int128;
        const Wide scaled = Wide{8'000'000'000} * bytes;
        if (quantum == 0)
        {
            return static_cast<int64_t>(scaled * i / rate);
        }
        const Wide quanta = scaled / (Wide{rate} * static_cast<uint64_t>(quantum));
        return static_cast<int64_t>((quanta == 0 ? Wide{1} : quanta) * i *
                                    static_cast<uint64_t>(quantum));
    }

    /** @brief Ten million datagrams later the schedule is still exact. */
    void CheckDrift()
    {
        constexpr uint64_t DATAGRAMS = 10'000'000;
        Pacer pacer(DataRate(611'000'000), 1450, Time(0));
        for (uint64_t i = 0; i < DATAGRAMS; ++i)
        {
            pacer.Advance();
        }
        NS_TEST_EXPECT_MSG_EQ(pacer.GetOffset().GetNanoSeconds(),
                              GetOffset(611'000'000, 1450, 0, DATAGRAMS),
                              "drift");
        const long double seconds = DATAGRAMS * 11600.0L / 611e6L;
        NS_TEST_EXPECT_MSG_EQ_TOL(pacer.GetOffset().GetSeconds(),
                                  static_cast<double>(seconds),
                                  2e-9,
                                  "drift");
    }
};

/** @brief Every state with every event. */
class RbudpTransitionsTestCase : public TestCase
{
  public:
    RbudpTransitionsTestCase()
        : TestCase("transitions: every state with every event")
    {
    }

  private:
    void DoRun() override
    {
        using Event = RbudpSenderCore::Event;
        constexpr std::optional<SenderState> NONE;
        constexpr SenderState IDLE = SenderState::IDLE;
        constexpr SenderState BLASTING = SenderState::BLASTING;
        constexpr SenderState AWAITING = SenderState::AWAITING_ACK;
        constexpr SenderState COMPLETE = SenderState::COMPLETE;
        constexpr SenderState FAILED = SenderState::FAILED;
        constexpr std::array STATES{IDLE, BLASTING, AWAITING, COMPLETE, FAILED};
        const std::array EVENTS{Event::START,
                                Event::BLAST_SENT,
                                Event::ACK_FULL,
                                Event::ACK_GAPS,
                                Event::GIVE_UP};
        // Rows are states, columns are events, in the order above.
        const std::array<std::array<std::optional<SenderState>, 5>, 5> table{
            {{BLASTING, NONE, NONE, NONE, FAILED},
             {NONE, AWAITING, NONE, NONE, FAILED},
             {NONE, NONE, COMPLETE, BLASTING, FAILED},
             {BLASTING, NONE, NONE, NONE, FAILED},
             {NONE, NONE, NONE, NONE, FAILED}}};
        for (std::size_t row = 0; row < STATES.size(); ++row)
        {
            for (std::size_t column = 0; column < EVENTS.size(); ++column)
            {
                const auto next = RbudpSenderCore::Transition(STATES[row], EVENTS[column]);
                NS_TEST_EXPECT_MSG_EQ((next == table[row][column]),
                                      true,
                                      STATES[row] << ", event " << column);
            }
        }

        using Happens = RbudpReceiverCore::Event;
        const auto goes = [](ReceiverState from, Happens event, std::optional<ReceiverState> to) {
            return RbudpReceiverCore::Transition(from, event) == to;
        };
        constexpr auto REST = ReceiverState::IDLE;
        constexpr auto RECEIVING = ReceiverState::RECEIVING;
        NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::ANNOUNCED, RECEIVING), true, "a payload");
        NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::DONE_GAPS, std::nullopt), true, "no payload");
        NS_TEST_EXPECT_MSG_EQ(goes(REST, Happens::DONE_FULL, std::nullopt), true, "no payload");
        NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::ANNOUNCED, std::nullopt), true, "too soon");
        NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::DONE_GAPS, RECEIVING), true, "once more");
        NS_TEST_EXPECT_MSG_EQ(goes(RECEIVING, Happens::DONE_FULL, REST), true, "the end");

        CheckCalls();
    }

    /** @brief The methods refuse what the table refuses. */
    void CheckCalls()
    {
        RbudpTestPeer peer;
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::IDLE, "at first");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "nothing to send");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.EndBlast().has_value(), false, "no blast to end");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.TakeDone({0}).has_value(), false, "no payload");
        NS_TEST_EXPECT_MSG_EQ(peer.Announce(3000), true, "a payload");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::BLASTING, "A");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.Start({}, 1, {}).has_value(), false, "one at a time");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.TakeAnnouncement({1, 1, 3}), false, "one at a time");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.TakeDone({1}).has_value(), false, "not this round");
        peer.Blast();
        const auto ack = peer.Done();
        NS_TEST_ASSERT_MSG_EQ(ack.has_value(), true, "D");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetState(), SenderState::AWAITING_ACK, "C");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.EndBlast().has_value(), false, "DONE goes once");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "no blast");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.TakeAck(*ack, {}), SenderState::COMPLETE, "full");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.TakeAck(*ack, {}), SenderState::FAILED, "a second one");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure().empty(), false, "a reason");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.Start({}, 1, {}).has_value(), false, "failed for good");

        RbudpTestPeer early;
        early.Announce(3000);
        NS_TEST_EXPECT_MSG_EQ(early.sender.TakeAck(MakeAck(3, {}), {}),
                              SenderState::FAILED,
                              "an acknowledgement before DONE");

        RbudpSenderCore fresh;
        RbudpSenderCore::Settings settings;
        NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 0, {}).has_value(), false, "no bytes");
        settings.sendRate = DataRate(0);
        NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), false, "no rate");
        settings.sendRate = DataRate(1);
        settings.payloadSize = 0;
        NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), false, "no size");
        settings.payloadSize = 1;
        NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, (1ULL << 31) + 1, {}).has_value(),
                              false,
                              "too many datagrams");
        NS_TEST_EXPECT_MSG_EQ(fresh.Start(settings, 1, {}).has_value(), true, "still idle");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.TakeAnnouncement({0, 1, 0}), false, "an empty payload");
    }
};

/** @brief Figure 4: a blast, three losses, and just these three again. */
class RbudpFigure4TestCase : public TestCase
{
  public:
    RbudpFigure4TestCase()
        : TestCase("figure 4: three losses, and just these are resent")
    {
    }

  private:
    void DoRun() override
    {
        RbudpTestPeer peer;
        peer.settings.sendRate = DataRate("11600kbps"); // a datagram each millisecond
        peer.now = Seconds(7);
        peer.Announce(20 * 1450 - 50);
        NS_TEST_EXPECT_MSG_EQ(peer.Blast({4, 11, 19}).size(), 20, "A to B: the whole payload");
        for (uint32_t i = 0; i < 20; ++i)
        {
            const auto& departure = peer.departures[i];
            NS_TEST_EXPECT_MSG_EQ(departure.time, Seconds(7) + MilliSeconds(i), "when");
            NS_TEST_EXPECT_MSG_EQ(departure.offset, i * 1450, "from where");
            NS_TEST_EXPECT_MSG_EQ(departure.bytes, (i == 19 ? 1400 : 1450), "how much");
            NS_TEST_EXPECT_MSG_EQ(departure.sequence, i, "its number");
        }
        NS_TEST_EXPECT_MSG_EQ(peer.now, Seconds(7) + MilliSeconds(20), "T_udpSend");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, 17 * 1450, "tally");

        const auto bitmap = peer.Done();
        NS_TEST_ASSERT_MSG_EQ(bitmap.has_value(), true, "C");
        NS_TEST_EXPECT_MSG_EQ(Hex(*bitmap), Hex(MakeAck(20, {4, 11, 19})), "D");
        peer.Advance(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(peer.sender.TakeAck(*bitmap, peer.now), SenderState::BLASTING, "E");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().acknowledgedBytes,
                              20 * 1450 - 50 - 3 * 1450,
                              "a missing datagram counts as a full one");

        NS_TEST_EXPECT_MSG_EQ((peer.Blast() == RbudpTestPeer::Indices{4, 11, 19}), true, "E to F");
        NS_TEST_EXPECT_MSG_EQ(peer.departures[0].time, Seconds(7) + MilliSeconds(120), "at once");
        NS_TEST_EXPECT_MSG_EQ(peer.departures[2].time, Seconds(7) + MilliSeconds(122), "same rate");
        NS_TEST_EXPECT_MSG_EQ(peer.departures[2].bytes, 1400, "the short one");
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "G");
        NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");

        const auto& work = peer.sender.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(work.blasts, 2, "both blasts");
        NS_TEST_EXPECT_MSG_EQ(work.dataPackets, 23, "datagrams");
        NS_TEST_EXPECT_MSG_EQ(work.retransmittedPackets, 3, "again");
        NS_TEST_EXPECT_MSG_EQ(work.firstBlastPackets, 20, "N");
        NS_TEST_EXPECT_MSG_EQ(work.residualPacketsFirstBlast, 3, "missing after the first");
        NS_TEST_EXPECT_MSG_EQ(work.acknowledgedBytes, 20 * 1450 - 50, "all");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetState(), ReceiverState::IDLE, "ready for the next");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().rounds, 2, "answers");
    }
};

/** @brief Rounds under random loss, duplication and reordering against a set of missing numbers. */
class RbudpRoundsTestCase : public TestCase
{
  public:
    RbudpRoundsTestCase()
        : TestCase("rounds: random loss against an independent computation")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t seed = 0; seed < 400; ++seed)
        {
            RunOne(seed);
        }
    }

    /**
     * @brief One connection with up to three payloads.
     * @param seed of its losses
     */
    void RunOne(uint64_t seed)
    {
        std::mt19937_64 random(seed);
        RbudpTestPeer peer;
        peer.settings.payloadSize = static_cast<uint32_t>(1 + random() % 40);
        peer.settings.noProgressRounds = 1000;
        const double loss = static_cast<double>(seed % 10) / 11;
        uint32_t firstSequence = 0;
        for (int payload = 0; payload < 3; ++payload)
        {
            const uint64_t bytes = 1 + random() % 4000;
            const uint64_t datagrams = 1 + (bytes - 1) / peer.settings.payloadSize;
            NS_TEST_ASSERT_MSG_EQ(peer.Announce(bytes), true, "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(peer.announcement.firstSequence, firstSequence, "numbers go on");
            RbudpTestPeer::Indices missing(datagrams);
            std::iota(missing.begin(), missing.end(), 0);
            uint32_t blasts = 0;
            uint64_t packets = 0;
            uint64_t duplicates = 0;
            while (!missing.empty())
            {
                RbudpTestPeer::Indices left;
                const auto lose = [&](uint64_t index) {
                    const bool isLost = std::uniform_real_distribution()(random) < loss;
                    if (isLost)
                    {
                        left.push_back(index);
                    }
                    return isLost;
                };
                const auto disturb = [&](RbudpTestPeer::Indices& arriving) {
                    const auto copies = arriving.size() / 4;
                    for (std::size_t i = 0; i < copies; ++i)
                    {
                        arriving.push_back(arriving[random() % arriving.size()]);
                    }
                    duplicates += copies;
                    std::shuffle(arriving.begin(), arriving.end(), random);
                };
                NS_TEST_ASSERT_MSG_EQ((peer.Blast(lose, disturb) == missing), true, "resent");
                packets += missing.size();
                CheckDepartures(peer);
                missing = left;
                ++blasts;
                const auto state = peer.Exchange();
                NS_TEST_ASSERT_MSG_EQ(state,
                                      (missing.empty() ? SenderState::COMPLETE
                                                       : SenderState::BLASTING),
                                      "seed " << seed << ", blast " << blasts);
            }
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().blasts, blasts, "blasts");
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().dataPackets, packets, "packets");
            NS_TEST_ASSERT_MSG_EQ(peer.sender.GetCounters().retransmittedPackets,
                                  packets - datagrams,
                                  "resends");
            NS_TEST_ASSERT_MSG_EQ(peer.receiver.GetCounters().duplicatePackets, duplicates, "twice");
            NS_TEST_ASSERT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, bytes, "delivered");
            NS_TEST_ASSERT_MSG_EQ(peer.IsByteExact(), true, "content, seed " << seed);
            firstSequence += static_cast<uint32_t>(datagrams);
        }
    }

    /**
     * @brief Check where and when a blast's datagrams leave.
     * @param peer after the blast
     */
    void CheckDepartures(const RbudpTestPeer& peer)
    {
        const auto bits = 8.0 * peer.settings.payloadSize;
        for (std::size_t i = 0; i < peer.departures.size(); ++i)
        {
            const auto& departure = peer.departures[i];
            const uint64_t index = peer.sent[i];
            NS_TEST_ASSERT_MSG_EQ(departure.offset, index * peer.settings.payloadSize, "offset");
            NS_TEST_ASSERT_MSG_EQ(departure.sequence,
                                  peer.announcement.firstSequence + static_cast<uint32_t>(index),
                                  "sequence");
            NS_TEST_ASSERT_MSG_EQ(departure.bytes,
                                  std::min<uint64_t>(peer.settings.payloadSize,
                                                     peer.content.size() - departure.offset),
                                  "bytes");
            const double offset = (departure.time - peer.departures[0].time).GetSeconds();
            const double due = static_cast<double>(i) * bits / 600e6;
            NS_TEST_ASSERT_MSG_EQ_TOL(offset, due, 1.1e-9, "time");
        }
    }
};

/** @brief Giving up: too many blasts, or too many in a row that brought nothing. */
class RbudpGiveUpTestCase : public TestCase
{
  public:
    RbudpGiveUpTestCase()
        : TestCase("giving up: MaxRounds and NoProgressRounds")
    {
    }

  private:
    void DoRun() override
    {
        const auto all = [](uint64_t) { return true; };
        for (uint32_t limit = 1; limit <= 5; ++limit)
        {
            RbudpTestPeer peer;
            peer.settings.noProgressRounds = limit;
            peer.Announce(10'000);
            for (uint32_t blast = 1; blast <= limit; ++blast)
            {
                peer.Blast(all);
                NS_TEST_EXPECT_MSG_EQ(peer.Exchange(),
                                      (blast < limit ? SenderState::BLASTING : SenderState::FAILED),
                                      "useless blast " << blast << " of " << limit);
            }
            NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure(),
                                  "no progress in " + std::to_string(limit) + " blasts",
                                  "the reason");
            NS_TEST_EXPECT_MSG_EQ(peer.sender.Next().has_value(), false, "nothing more is sent");
        }
        CheckProgressResets();
        CheckMaxRounds();
    }

    /** @brief One datagram that arrives starts the count again. */
    void CheckProgressResets()
    {
        RbudpTestPeer peer;
        peer.settings.noProgressRounds = 3;
        peer.settings.payloadSize = 10;
        peer.Announce(50);
        uint32_t blasts = 0;
        for (uint64_t arriving = 0; arriving < 4; ++arriving)
        {
            for (int useless = 0; useless < 2; ++useless)
            {
                peer.Blast([](uint64_t) { return true; });
                NS_TEST_ASSERT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, ++blasts);
            }
            peer.Blast([=](uint64_t index) { return index != arriving; });
            NS_TEST_ASSERT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, ++blasts);
        }
        peer.Blast();
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "at last");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().blasts, 13, "blasts");
        NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");

        // The next payload starts with a clean record.
        peer.Announce(50);
        peer.Blast([](uint64_t) { return true; });
        peer.Exchange();
        peer.Blast([](uint64_t) { return true; });
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "two useless blasts");
    }

    /** @brief The last blast that is allowed may still complete. */
    void CheckMaxRounds()
    {
        for (const bool arrives : {false, true})
        {
            RbudpTestPeer peer;
            peer.settings.maxRounds = 4;
            peer.settings.payloadSize = 10;
            peer.Announce(100);
            for (uint64_t blast = 1; blast < 4; ++blast)
            {
                peer.Blast([=](uint64_t index) { return index >= blast; });
                NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, blast);
            }
            peer.Blast([=](uint64_t index) { return !arrives && index == 9; });
            NS_TEST_EXPECT_MSG_EQ(peer.Exchange(),
                                  (arrives ? SenderState::COMPLETE : SenderState::FAILED),
                                  "the fourth blast");
            NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure(),
                                  (arrives ? "" : "still incomplete after 4 blasts"),
                                  "the reason");
        }
    }
};

/** @brief The rate after a lossy first blast. */
class RbudpRateAdaptTestCase : public TestCase
{
  public:
    RbudpRateAdaptTestCase()
        : TestCase("rate adaptation: 1 - loss - 0.05, after the first blast only")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t lost : {1U, 10U, 33U, 50U, 90U, 94U, 99U, 100U})
        {
            RbudpTestPeer peer;
            peer.settings.payloadSize = 1000;
            peer.settings.sendRate = DataRate(8'000'000); // a datagram each millisecond
            peer.settings.rateAdapt = RbudpSenderCore::RateAdapt::LOSS_BASED;
            peer.Announce(100'000);
            peer.Blast([=](uint64_t index) { return index < lost; });
            NS_TEST_EXPECT_MSG_EQ(peer.departures[1].time, MilliSeconds(1), "B_send");
            peer.Exchange();
            const double factor = std::max(0.05, 1 - static_cast<double>(lost) / 100 - 0.05);
            CheckRate(peer, factor);
            peer.Blast([](uint64_t) { return true; });
            CheckInterval(peer, factor);
            peer.Exchange();
            CheckRate(peer, factor); // a second lossy blast changes nothing
            peer.Blast();
            CheckInterval(peer, factor);
            NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "end");
            peer.Announce(100'000);
            CheckRate(peer, 1); // the next payload is sent as the user wants it
        }
        RbudpTestPeer none;
        none.Announce(100'000);
        none.Blast({1, 2, 3});
        none.Exchange();
        NS_TEST_EXPECT_MSG_EQ(none.sender.GetSendRate(), DataRate("600Mbps"), "the paper");
    }

    /**
     * @brief Check the rate of the present blast.
     * @param peer the ends
     * @param factor by which it differs from 8 Mb/s
     */
    void CheckRate(const RbudpTestPeer& peer, double factor)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(peer.sender.GetSendRate().GetBitRate()),
                                  8e6 * factor,
                                  1.01,
                                  "rate");
    }

    /**
     * @brief Check the interval of the blast that was sent.
     * @param peer the ends
     * @param factor by which its rate differs from 8 Mb/s
     */
    void CheckInterval(const RbudpTestPeer& peer, double factor)
    {
        if (peer.departures.size() > 1)
        {
            const Time interval = peer.departures[1].time - peer.departures[0].time;
            NS_TEST_EXPECT_MSG_EQ_TOL(interval.GetSeconds(), 1e-3 / factor, 3e-8, "interval");
        }
    }
};

/** @brief Acknowledged bytes for every set of missing datagrams of a small payload. */
class RbudpAcknowledgedBytesTestCase : public TestCase
{
  public:
    RbudpAcknowledgedBytesTestCase()
        : TestCase("acknowledged bytes: never more than arrived, exact when the short one is there")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BYTES = 5 * 10 - 7; // four full ones and one of 3 B
        for (unsigned mask = 0; mask < 32; ++mask)
        {
            RbudpTestPeer peer;
            peer.settings.payloadSize = 10;
            peer.Announce(BYTES);
            peer.Blast([=](uint64_t index) { return ((mask >> index) & 1) != 0; });
            peer.Exchange();
            const auto claimed = peer.sender.GetCounters().acknowledgedBytes;
            const auto arrived = peer.receiver.GetCounters().deliveredBytes;
            const bool isShortMissing = (mask & 16) != 0;
            const uint64_t expected =
                isShortMissing ? std::max<uint64_t>(arrived, 7) - 7 : arrived;
            NS_TEST_EXPECT_MSG_EQ(claimed, expected, "mask " << mask);
        }
    }
};

/** @brief Sequence numbers over several payloads, and over the end of their range. */
class RbudpSequenceTestCase : public TestCase
{
  public:
    RbudpSequenceTestCase()
        : TestCase("sequence numbers: they go on, wrap, and tell late datagrams apart")
    {
    }

  private:
    void DoRun() override
    {
        CheckLate();
        CheckReceiverWrap();
    }

    /** @brief Datagrams of an earlier payload that arrive during the next one. */
    void CheckLate()
    {
        RbudpTestPeer peer;
        peer.settings.payloadSize = 10;
        for (uint32_t payload = 0; payload < 5; ++payload)
        {
            NS_TEST_EXPECT_MSG_EQ(peer.Announce(95), true, "payload " << payload);
            NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 10 * payload, "numbers go on");
            for (uint32_t late = 0; late < 10 * payload; ++late)
            {
                NS_TEST_EXPECT_MSG_EQ((peer.receiver.TakeDatagram(late, 10).refused ==
                                       DropReason::OUT_OF_RANGE),
                                      true,
                                      "late " << late);
            }
            NS_TEST_EXPECT_MSG_EQ((peer.receiver.TakeDatagram(10 * payload + 10, 10).refused ==
                                   DropReason::OUT_OF_RANGE),
                                  true,
                                  "too early");
            NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, 0, "none is taken");
            peer.Blast({3});
            peer.Exchange();
            peer.Blast();
            NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "payload " << payload);
            NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");
        }
        NS_TEST_EXPECT_MSG_EQ((peer.receiver.TakeDatagram(49, 5).refused ==
                               DropReason::UNANNOUNCED),
                              true,
                              "between payloads");
    }

    /** @brief A payload over the end of the range. */
    void CheckReceiverWrap()
    {
        for (uint32_t before = 0; before <= 20; ++before)
        {
            RbudpReceiverCore receiver;
            const uint32_t first = 0 - before;
            receiver.TakeAnnouncement({195, 10, first});
            for (uint32_t index = 0; index < 20; ++index)
            {
                NS_TEST_EXPECT_MSG_EQ(receiver.Predict(first + index), true, "in order");
                const auto place =
                    receiver.TakeDatagram(first + index, index == 19 ? 5 : 10);
                NS_TEST_EXPECT_MSG_EQ(place.refused.has_value(), false, "taken");
                NS_TEST_EXPECT_MSG_EQ(place.offset, 10 * index, "its place");
            }
            NS_TEST_EXPECT_MSG_EQ((receiver.TakeDatagram(first - 1, 10).refused ==
                                   DropReason::OUT_OF_RANGE),
                                  true,
                                  "before the first");
            NS_TEST_EXPECT_MSG_EQ((receiver.TakeDatagram(first + 20, 10).refused ==
                                   DropReason::OUT_OF_RANGE),
                                  true,
                                  "behind the last");
            NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), true, "all there");
        }
    }
};

/** @brief 2^32 datagrams on one connection. */
class RbudpSequenceWrapTestCase : public TestCase
{
  public:
    RbudpSequenceWrapTestCase()
        : TestCase("sequence numbers: a connection of more than 2^32 datagrams")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BIG = uint64_t{1} << 28;
        RbudpTestPeer peer;
        peer.settings.payloadSize = 1;
        const auto ack = MakeAck(BIG - 4, {});
        for (uint64_t payload = 0; payload < 16; ++payload)
        {
            const auto announcement = peer.sender.Start(peer.settings, BIG - 4, {});
            NS_TEST_ASSERT_MSG_EQ(announcement.has_value(), true, "payload " << payload);
            NS_TEST_ASSERT_MSG_EQ(announcement->firstSequence, payload * (BIG - 4), "numbers");
            peer.sender.EndBlast();
            NS_TEST_ASSERT_MSG_EQ(peer.sender.TakeAck(ack, {}), SenderState::COMPLETE, "full");
        }
        // 64 numbers are left: the next payload needs a hundred.
        NS_TEST_EXPECT_MSG_EQ(peer.Announce(100), true, "over the end");
        NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 0 - uint32_t{64}, "first");
        peer.Blast({63, 64});
        NS_TEST_EXPECT_MSG_EQ(peer.departures[63].sequence, UINT32_MAX, "the last number");
        NS_TEST_EXPECT_MSG_EQ(peer.departures[64].sequence, 0, "the first one again");
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "gaps");
        NS_TEST_EXPECT_MSG_EQ((peer.Blast() == RbudpTestPeer::Indices{63, 64}), true, "resent");
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "full");
        NS_TEST_EXPECT_MSG_EQ(peer.IsByteExact(), true, "content");
        NS_TEST_EXPECT_MSG_EQ(peer.Announce(1), true, "and on");
        NS_TEST_EXPECT_MSG_EQ(peer.announcement.firstSequence, 36, "numbers");
    }
};

/** @brief Each reason to refuse a datagram. */
class RbudpRefusalsTestCase : public TestCase
{
  public:
    RbudpRefusalsTestCase()
        : TestCase("refusals: duplicates, wrong lengths, out of range, unannounced")
    {
    }

  private:
    void DoRun() override
    {
        RbudpReceiverCore receiver;
        Expect(receiver.TakeDatagram(0, 10), DropReason::UNANNOUNCED);
        receiver.TakeAnnouncement({95, 10, 100});
        Expect(receiver.TakeDatagram(99, 10), DropReason::OUT_OF_RANGE);
        Expect(receiver.TakeDatagram(110, 10), DropReason::OUT_OF_RANGE);
        Expect(receiver.TakeDatagram(0, 10), DropReason::OUT_OF_RANGE);
        for (uint32_t index = 0; index < 10; ++index)
        {
            const uint32_t right = index == 9 ? 5 : 10;
            for (uint32_t bytes = 0; bytes < 30; ++bytes)
            {
                if (bytes != right)
                {
                    Expect(receiver.TakeDatagram(100 + index, bytes), DropReason::WRONG_LENGTH);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().deliveredBytes, 0, "nothing taken");
        for (uint32_t index = 0; index < 10; ++index)
        {
            const uint32_t right = index == 9 ? 5 : 10;
            NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), false, "before " << index);
            Expect(receiver.TakeDatagram(100 + index, right), std::nullopt);
            Expect(receiver.TakeDatagram(100 + index, right), DropReason::DUPLICATE);
            // A wrong length is not a duplicate.
            Expect(receiver.TakeDatagram(100 + index, right + 1), DropReason::WRONG_LENGTH);
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.IsComplete(), true, "all there");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().deliveredBytes, 95, "each once");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().duplicatePackets, 10, "duplicates");
        Expect(receiver.TakeDatagram(100, 10), DropReason::DUPLICATE);
        NS_TEST_EXPECT_MSG_EQ(receiver.TakeDone({0}).has_value(), true, "done");
        Expect(receiver.TakeDatagram(100, 10), DropReason::UNANNOUNCED);
        NS_TEST_EXPECT_MSG_EQ(receiver.TakeDone({1}).has_value(), false, "done twice");
    }

    /**
     * @brief Check what became of a datagram.
     * @param place the receiver's answer
     * @param refused what it should be
     */
    void Expect(const RbudpReceiverCore::Placement& place, std::optional<DropReason> refused)
    {
        NS_TEST_EXPECT_MSG_EQ(place.refused.value_or(DropReason::COUNT_),
                              refused.value_or(DropReason::COUNT_),
                              "refusal");
    }
};

/** @brief What the scatter/gather receiver expects next. */
class RbudpPredictionTestCase : public TestCase
{
  public:
    RbudpPredictionTestCase()
        : TestCase("scatter-gather: prediction in the first blast and in resends")
    {
    }

  private:
    void DoRun() override
    {
        RbudpReceiverCore receiver;
        NS_TEST_EXPECT_MSG_EQ(receiver.Predict(0), false, "no payload");
        receiver.TakeAnnouncement({100, 10, 50});
        // Datagram 2 is lost, 6 overtakes 5, 7 comes twice, 9 is lost.
        Read(receiver, 0, true);
        Read(receiver, 1, true);
        Read(receiver, 3, false);
        Read(receiver, 4, true);
        Read(receiver, 6, false);
        Read(receiver, 5, false);
        Read(receiver, 7, true);
        Read(receiver, 7, false);
        Read(receiver, 8, true);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets, 4, "mispredictions");
        NS_TEST_EXPECT_MSG_EQ(receiver.Predict(49), false, "out of range");
        NS_TEST_EXPECT_MSG_EQ(receiver.Predict(60), false, "out of range");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets, 4, "these do not count");
        receiver.TakeDone({0});
        // 2 and 9 are known to come, in this order.
        Read(receiver, 2, true);
        Read(receiver, 9, true);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetCounters().unpredictedPackets, 4, "resends are foreseen");

        // Resends that are lost again.
        RbudpReceiverCore lossy;
        lossy.TakeAnnouncement({100, 10, 50});
        Read(lossy, 5, false);
        lossy.TakeDone({0});
        Read(lossy, 0, true);
        Read(lossy, 4, false);
        Read(lossy, 6, true); // 5 is there, so 6 follows 4
        Read(lossy, 9, false);
        lossy.TakeDone({1});
        Read(lossy, 1, true);
        Read(lossy, 2, true);
        Read(lossy, 3, true);
        Read(lossy, 7, true);
        Read(lossy, 8, true);
        NS_TEST_EXPECT_MSG_EQ(lossy.IsComplete(), true, "all there");
        NS_TEST_EXPECT_MSG_EQ(lossy.GetCounters().unpredictedPackets, 3, "mispredictions");

        // Without loss every datagram is where it should be.
        RbudpReceiverCore clean;
        clean.TakeAnnouncement({100'000, 10, UINT32_MAX - 50});
        for (uint32_t index = 0; index < 10'000; ++index)
        {
            NS_TEST_ASSERT_MSG_EQ(clean.Predict(UINT32_MAX - 50 + index), true, index);
        }
    }

    /**
     * @brief Read and take a datagram.
     * @param receiver who reads it
     * @param index its number
     * @param predicted whether it should be the expected one
     */
    void Read(RbudpReceiverCore& receiver, uint32_t index, bool predicted)
    {
        NS_TEST_EXPECT_MSG_EQ(receiver.Predict(50 + index), predicted, "datagram " << index);
        receiver.TakeDatagram(50 + index, 10);
    }
};

/** @brief Acknowledgements that no receiver sends. */
class RbudpMalformedAckTestCase : public TestCase
{
  public:
    RbudpMalformedAckTestCase()
        : TestCase("malformed acknowledgements fail the payload with a reason")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t datagrams = 1; datagrams <= 24; ++datagrams)
        {
            const auto full = MakeAck(datagrams, {});
            const auto gaps = MakeAck(datagrams, {datagrams - 1});
            Check(datagrams, full, SenderState::COMPLETE);
            Check(datagrams, gaps, SenderState::BLASTING);
            Check(datagrams, {}, SenderState::FAILED);
            Check(datagrams, {full.begin(), full.end() - 1}, SenderState::FAILED);
            auto longer = full;
            longer.push_back(0xff);
            Check(datagrams, longer, SenderState::FAILED);
            for (const int first : {0, 2, 255})
            {
                auto wrong = full;
                wrong[0] = static_cast<uint8_t>(first);
                Check(datagrams, wrong, SenderState::FAILED);
            }
            auto claims = gaps;
            claims[0] = 1;
            Check(datagrams, claims, SenderState::FAILED);
            for (uint64_t bit = datagrams; bit < 8 * (full.size() - 1); ++bit)
            {
                auto tail = gaps;
                tail[1 + bit / 8] &= static_cast<uint8_t>(~(1U << (bit % 8)));
                Check(datagrams, tail, SenderState::FAILED);
            }
        }
    }

    /**
     * @brief Hand an acknowledgement to a sender that waits for one.
     * @param datagrams N
     * @param ack its bytes
     * @param expected where the sender then stands
     */
    void Check(uint64_t datagrams, const Bytes& ack, SenderState expected)
    {
        RbudpTestPeer peer;
        peer.settings.payloadSize = 3;
        peer.Announce(3 * datagrams);
        peer.Blast();
        peer.sender.EndBlast();
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetAckSize(), datagrams / 8 + 2, "size");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.TakeAck(ack, peer.now), expected, Hex(ack));
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetFailure(),
                              (expected == SenderState::FAILED ? "the acknowledgement is malformed"
                                                               : ""),
                              Hex(ack));
    }
};

/** @brief Payloads beyond 32 bits. */
class RbudpLargePayloadTestCase : public TestCase
{
  public:
    RbudpLargePayloadTestCase()
        : TestCase("payloads of 10 GB and 6 TB")
    {
    }

  private:
    void DoRun() override
    {
        // 10 GB in datagrams of 65503 B: both ends, the last resend is behind 2^33 B.
        RbudpTestPeer peer;
        const uint64_t bytes = 10'000'000'000;
        peer.settings.payloadSize = 65'503;
        const auto announcement = peer.sender.Start(peer.settings, bytes, {});
        NS_TEST_ASSERT_MSG_EQ(announcement.has_value(), true, "10 GB");
        NS_TEST_ASSERT_MSG_EQ(peer.receiver.TakeAnnouncement(*announcement), true, "10 GB");
        const uint64_t datagrams = 1 + (bytes - 1) / 65'503;
        uint64_t sum = 0;
        uint64_t sent = 0;
        while (const auto departure = peer.sender.Next())
        {
            sum += departure->bytes;
            if (++sent < datagrams)
            {
                peer.receiver.TakeDatagram(departure->sequence, departure->bytes);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(sent, datagrams, "datagrams");
        NS_TEST_EXPECT_MSG_EQ(sum, bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::BLASTING, "one is missing");
        const auto last = peer.sender.Next();
        NS_TEST_ASSERT_MSG_EQ(last.has_value(), true, "the last one");
        NS_TEST_EXPECT_MSG_EQ(last->offset, (datagrams - 1) * 65'503, "its place");
        NS_TEST_EXPECT_MSG_EQ(last->bytes, bytes - last->offset, "its size");
        const auto place = peer.receiver.TakeDatagram(last->sequence, last->bytes);
        NS_TEST_EXPECT_MSG_EQ(place.offset, last->offset, "where it is put");
        NS_TEST_EXPECT_MSG_EQ(peer.Exchange(), SenderState::COMPLETE, "full");
        NS_TEST_EXPECT_MSG_EQ(peer.sender.GetCounters().acknowledgedBytes, bytes, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(peer.receiver.GetCounters().deliveredBytes, bytes, "delivered");

        // The sender alone, 6 TB: no memory is taken before the bitmap.
        RbudpSenderCore sender;
        RbudpSenderCore::Settings settings;
        settings.payloadSize = 8192;
        const auto huge = sender.Start(settings, 6'000'000'000'000, {});
        NS_TEST_ASSERT_MSG_EQ(huge.has_value(), true, "6 TB");
        NS_TEST_EXPECT_MSG_EQ(sender.GetAckSize(), 732'421'875 / 8 + 2, "its bitmap");
        const auto read = RbudpAnnouncement::Read(huge->Write());
        NS_TEST_EXPECT_MSG_EQ(read->bytes, 6'000'000'000'000, "announced");
        NS_TEST_EXPECT_MSG_EQ(read->GetDatagramBytes(732'421'874), 8192, "an exact fit");
    }
};

/** @brief Equation (9) in whole objects. */
class RbudpObjectsPerBlockTestCase : public TestCase
{
  public:
    RbudpObjectsPerBlockTestCase()
        : TestCase("equation (9): objects per block")
    {
    }

  private:
    void DoRun() override
    {
        const auto objects = RbudpObjectStream::GetObjectsPerBlock;
        NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(500)), 10, "the paper's example");
        NS_TEST_EXPECT_MSG_EQ(objects(30, MilliSeconds(100)), 3, "30 * 0.1");
        NS_TEST_EXPECT_MSG_EQ(objects(10, MilliSeconds(700)), 7, "10 * 0.7");
        NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(499)), 9, "just below a whole number");
        NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(549)), 10, "just below the next");
        NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(550)), 11, "the next");
        NS_TEST_EXPECT_MSG_EQ(objects(20, MilliSeconds(1)), 1, "at least one");
        NS_TEST_EXPECT_MSG_EQ(objects(1e-6, Time(0)), 1, "at least one");
        NS_TEST_EXPECT_MSG_EQ(objects(0.1, Seconds(30)), 3, "0.1 * 30");
        // Every whole product of tenths of objects/s and milliseconds, by integers.
        for (uint64_t tenths = 1; tenths <= 600; ++tenths)
        {
            for (uint64_t ms = 1; ms <= 2000; ms += 7)
            {
                const uint64_t expected = std::max<uint64_t>(1, tenths * ms / 10'000);
                NS_TEST_ASSERT_MSG_EQ(objects(static_cast<double>(tenths) / 10, MilliSeconds(ms)),
                                      expected,
                                      tenths << " / 10 objects/s, " << ms << " ms");
            }
        }
    }
};

/** @brief The suite of RBUDP's wire format and cores. */
class RbudpCoreTestSuite : public TestSuite
{
  public:
    RbudpCoreTestSuite()
        : TestSuite("lfn-rbudp", Type::UNIT)
    {
        AddTestCase(new RbudpWireVectorsTestCase, Duration::QUICK);
        AddTestCase(new RbudpWireTotalityTestCase, Duration::QUICK);
        AddTestCase(new RbudpTallyTestCase, Duration::QUICK);
        AddTestCase(new RbudpScheduleTestCase, Duration::QUICK);
        AddTestCase(new RbudpPacerTestCase, Duration::QUICK);
        AddTestCase(new RbudpTransitionsTestCase, Duration::QUICK);
        AddTestCase(new RbudpFigure4TestCase, Duration::QUICK);
        AddTestCase(new RbudpRoundsTestCase, Duration::QUICK);
        AddTestCase(new RbudpGiveUpTestCase, Duration::QUICK);
        AddTestCase(new RbudpRateAdaptTestCase, Duration::QUICK);
        AddTestCase(new RbudpAcknowledgedBytesTestCase, Duration::QUICK);
        AddTestCase(new RbudpSequenceTestCase, Duration::QUICK);
        AddTestCase(new RbudpSequenceWrapTestCase, Duration::EXTENSIVE);
        AddTestCase(new RbudpRefusalsTestCase, Duration::QUICK);
        AddTestCase(new RbudpPredictionTestCase, Duration::QUICK);
        AddTestCase(new RbudpMalformedAckTestCase, Duration::QUICK);
        AddTestCase(new RbudpLargePayloadTestCase, Duration::QUICK);
        AddTestCase(new RbudpObjectsPerBlockTestCase, Duration::QUICK);
    }
};

const RbudpCoreTestSuite g_rbudpCoreTestSuite; //!< registers itself

} // namespace
