// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-reassembly.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-scoreboard-core.h"
#include "ns3/tcp-send-store.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn
 * The accounts of LongFatTcpSocket compared with the buffers of ns-3, which walk their lists.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

constexpr uint32_t SEGMENT = 1000;           //!< largest segment, [B]
constexpr uint32_t ALL = 100'000'000;        //!< written at once, [B]
const SequenceNumber32 FIRST{1};             //!< of the stream
const SequenceNumber32 LATE{4'294'900'000U}; //!< of one that wraps soon

/** @brief A scoreboard and ns-3's send buffer, to which the same happens. */
class Twins
{
  public:
    /** @brief Empty ones. */
    Twins(bool sack, SequenceNumber32 first)
        : m_first(first),
          m_ours([this](TcpScoreboardCore::Segment& segment) {
              m_ourDelivered.push_back(segment.bytes);
          }),
          m_theirs(CreateObject<TcpTxBuffer>())
    {
        m_theirs->SetHeadSequence(first);
        m_theirs->SetMaxBufferSize(ALL);
        m_theirs->SetSegmentSize(SEGMENT);
        m_theirs->SetDupAckThresh(3);
        m_theirs->SetSackEnabled(sack);
        m_theirs->SetRWndCallback(Callback<uint32_t>([] { return ALL; }));
        m_theirs->Add(Create<Packet>(ALL));
    }

    /** @brief Send new data. */
    void Send(uint32_t bytes)
    {
        m_theirs->CopyFromSequence(bytes, Get(m_ours.GetEnd()));
        m_ours.Send(bytes);
    }

    /** @brief Send data again. @return true if both sent as much */
    bool Retransmit(int64_t offset, uint32_t bytes)
    {
        const auto theirs = m_theirs->CopyFromSequence(bytes, Get(offset))->GetSeqSize();
        return m_ours.Retransmit(offset, bytes).bytes == theirs;
    }

    /** @brief The receiver says what it holds. @return true if the same was new */
    bool Update(const std::vector<TcpScoreboardCore::Range>& ranges)
    {
        TcpOptionSack::SackList list;
        for (const auto& [begin, end] : ranges)
        {
            list.emplace_back(Get(begin), Get(end));
        }
        return m_theirs->Update(list, GetDelivered()) == m_ours.Update(ranges, 3);
    }

    /** @brief Data are acknowledged. */
    void Discard(int64_t ack)
    {
        m_theirs->DiscardUpTo(Get(ack), GetDelivered());
        m_ours.Discard(ack);
    }

    /** @brief The timer expires. */
    void LoseAll(bool isForgetting)
    {
        m_theirs->SetSentListLost(isForgetting);
        m_ours.LoseAll(isForgetting);
    }

    /** @brief The first segment is lost. */
    void LoseHead()
    {
        m_theirs->MarkHeadAsLost();
        m_ours.LoseHead();
    }

    /** @brief A duplicate ACK comes. */
    void AddRenoSack()
    {
        m_theirs->AddRenoSack();
        m_ours.AddRenoSack();
    }

    /** @brief Duplicate ACKs are forgotten. */
    void ForgetSacks()
    {
        m_theirs->ResetRenoSack();
        m_ours.ForgetSacks();
    }

    /** @brief Compare both. @return what differs; empty when nothing does */
    std::string Compare(std::mt19937& random)
    {
        const auto& ours = m_ours;
        SequenceNumber32 next;
        SequenceNumber32 nextEnd;
        m_theirs->NextSeg(&next, &nextEnd, true); // there are always new data: rule 1 or 2
        const auto size = std::max<int64_t>(1, ours.GetSentBytes());
        const auto place = ours.GetHead() + static_cast<int64_t>(random() % size);
        const std::vector<std::pair<std::string, bool>> checks = {
            {"in flight", ours.GetBytesInFlight() == m_theirs->BytesInFlight()},
            {"sacked", ours.GetSackedBytes() == m_theirs->GetSacked()},
            {"lost", ours.GetLostBytes() == m_theirs->GetLost()},
            {"retransmitted", ours.GetRetransmittedBytes() == m_theirs->GetRetransmitsCount()},
            {"head", Get(ours.GetHead()) == m_theirs->HeadSequence()},
            {"next", Get(ours.FindLost().value_or(ours.GetEnd())) == next},
            // Where the numbers wrap, ns-3 takes 0 for a sacked segment.
            {"is lost", m_first == LATE || ours.IsLost(place) == m_theirs->IsLost(Get(place))},
            {"was retransmitted",
             ours.IsRetransmittedDataAcked(place) ==
                 m_theirs->IsRetransmittedDataAcked(Get(place))},
            {"delivered", m_ourDelivered == m_theirDelivered},
        };
        const auto bad = std::ranges::find(checks, false, &std::pair<std::string, bool>::second);
        return bad == checks.end() ? "" : bad->first;
    }

    /** @brief Get our side. */
    const TcpScoreboardCore& GetOurs() const
    {
        return m_ours;
    }

  private:
    /// Get the sequence number of an offset.
    SequenceNumber32 Get(int64_t offset) const
    {
        return m_first + SequenceNumber32(static_cast<uint32_t>(offset));
    }

    /// Note what ns-3 delivers.
    Callback<void, TcpTxItem*> GetDelivered()
    {
        return Callback<void, TcpTxItem*>(
            [this](TcpTxItem* item) { m_theirDelivered.push_back(item->GetSeqSize()); });
    }

    SequenceNumber32 m_first;               //!< of the stream
    std::vector<uint32_t> m_ourDelivered;   //!< sizes of what has arrived
    std::vector<uint32_t> m_theirDelivered; //!< the same by ns-3
    TcpScoreboardCore m_ours;               //!< the scoreboard
    Ptr<TcpTxBuffer> m_theirs;              //!< ns-3's
};

/** @brief What a receiver has, by segments as they were sent first. */
struct Sent
{
    int64_t begin;      //!< offset
    int64_t end;        //!< offset behind it
    bool isHeld{false}; //!< the receiver said so
};

/// The receiver reports up to three runs of segments, never of the first segment.
bool
Sack(Twins& twins, std::vector<Sent>& sent, std::mt19937& random)
{
    std::vector<TcpScoreboardCore::Range> ranges;
    for (auto left = 1 + random() % 3; left > 0; --left)
    {
        const auto from = 1 + random() % (sent.size() - 1);
        const auto to = from + random() % (sent.size() - from);
        ranges.push_back({sent[from].begin, sent[to].end});
        std::for_each(sent.begin() + static_cast<int64_t>(from),
                      sent.begin() + static_cast<int64_t>(to) + 1,
                      [](Sent& piece) { piece.isHeld = true; });
    }
    return twins.Update(ranges);
}

/** @brief Random connections give the same scoreboard at each step. */
LFN_CASE_OF(TwinsCase, bool sack, uint32_t seed)
{
    std::mt19937 random(seed);
    Twins twins(sack, seed % 5 == 0 ? LATE : FIRST);
    std::vector<Sent> sent;
    const bool isUneven = seed % 3 == 0;
    bool isTimeout = false;
    for (int step = 0; step < 400; ++step)
    {
        const auto& ours = twins.GetOurs();
        std::erase_if(sent, [&](const Sent& piece) { return piece.end <= ours.GetHead(); });
        isTimeout = isTimeout && ours.GetLostBytes() > 0;
        const auto what = random() % 100;
        std::string done;
        if (what < 45 || sent.size() < 3)
        {
            done = "send";
            const auto bytes = isUneven ? 1 + random() % SEGMENT : SEGMENT;
            sent.push_back({ours.GetEnd(), ours.GetEnd() + static_cast<int64_t>(bytes)});
            twins.Send(static_cast<uint32_t>(bytes));
        }
        else if (what < 60)
        {
            done = "retransmit";
            const auto lost = ours.FindLost();
            if (lost)
            {
                // Without SACK ns-3 counts no duplicate ACK for half a segment.
                const auto bytes = isUneven && sack ? 1 + random() % SEGMENT : SEGMENT;
                NS_TEST_EXPECT_MSG_EQ(twins.Retransmit(*lost, static_cast<uint32_t>(bytes)),
                                      true,
                                      "seed " << seed << " step " << step);
            }
        }
        else if (what < 85 && sack)
        {
            done = "sack";
            NS_TEST_EXPECT_MSG_EQ(Sack(twins, sent, random), true, "as much is new");
        }
        else if (what < 85)
        {
            done = "duplicate";
            if (!isTimeout) // none are counted after one
            {
                twins.AddRenoSack();
            }
        }
        else if (what < 94)
        {
            done = "discard";
            auto last = random() % std::min<std::size_t>(sent.size(), 3);
            while (last + 1 < sent.size() && sent[last + 1].isHeld)
            {
                ++last;
            }
            const bool isPart = isUneven && random() % 2 == 0 && !sack;
            twins.Discard(isPart ? std::max(ours.GetHead(), sent[last].end - 1) : sent[last].end);
        }
        else if (what < 97)
        {
            done = "lose head";
            twins.LoseHead();
        }
        else
        {
            done = "timeout";
            isTimeout = true;
            if (!sack)
            {
                twins.ForgetSacks();
            }
            twins.LoseAll(!sack);
        }
        const auto wrong = twins.Compare(random);
        NS_TEST_ASSERT_MSG_EQ(wrong, "", "seed " << seed << " step " << step << " " << done);
    }
}

/** @brief Random segments give the same receiver's buffer at each step. */
LFN_CASE(ReassemblyCase)
{
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        std::mt19937 random(seed);
        TcpRxBuffer ours;
        TcpRxBuffer theirs;
        for (auto* buffer : {&ours, &theirs})
        {
            buffer->SetNextRxSequence(FIRST);
            buffer->SetMaxBufferSize(60'000);
        }
        for (int step = 0; step < 400; ++step)
        {
            const auto offset = static_cast<int32_t>(random() % 70) * 1000 - 5000;
            const auto shift = seed % 2 == 0 ? static_cast<int32_t>(random() % 1500) : 0;
            const auto bytes = seed % 2 == 0 ? 1 + random() % 3000 : 1000;
            const auto sequence = theirs.NextRxSequence() + (offset + shift);
            std::vector<uint8_t> data(bytes, static_cast<uint8_t>(random()));
            const auto packet = Create<Packet>(data.data(), static_cast<uint32_t>(bytes));
            TcpHeader header;
            header.SetSequenceNumber(sequence);
            if (random() % 200 == 0 && !theirs.GotFin())
            {
                const auto fin = theirs.NextRxSequence() + 100'000;
                ours.SetFinSequence(fin);
                theirs.SetFinSequence(fin);
            }
            // ns-3 takes data behind the window where the buffer is empty: it gets what fits.
            const int32_t room = theirs.NextRxSequence() + 60'000 - theirs.Available() - sequence;
            const auto fits = std::clamp(room, 0, static_cast<int32_t>(bytes));
            const bool isNew =
                fits > 0 &&
                theirs.Add(packet->CreateFragment(0, static_cast<uint32_t>(fits)), header);
            const auto where = "seed " + std::to_string(seed) + " step " + std::to_string(step);
            NS_TEST_ASSERT_MSG_EQ(Reassemble(ours, packet, sequence), isNew, where);
            if (random() % 3 == 0)
            {
                const auto most = static_cast<uint32_t>(random() % 5000);
                const auto their = theirs.Extract(most);
                const auto piece = TakePiece(ours, most);
                const auto our = piece ? piece : ours.Extract(most);
                const auto read = [](Ptr<const Packet> data) {
                    return data ? ToBytes(data) : Bytes();
                };
                const bool isSame = read(our) == read(their);
                NS_TEST_ASSERT_MSG_EQ(isSame, true, where);
            }
            NS_TEST_ASSERT_MSG_EQ(ours.NextRxSequence(), theirs.NextRxSequence(), where);
            NS_TEST_ASSERT_MSG_EQ(ours.Size(), theirs.Size(), where);
            NS_TEST_ASSERT_MSG_EQ(ours.Available(), theirs.Available(), where);
            NS_TEST_ASSERT_MSG_EQ(ours.MaxRxSequence(), theirs.MaxRxSequence(), where);
            const auto ourSacks = ours.GetSackList();
            const auto theirSacks = theirs.GetSackList();
            NS_TEST_ASSERT_MSG_EQ(std::ranges::equal(ourSacks, theirSacks), true, where);
        }
    }
}

/** @brief What was written is read again at any place. */
LFN_CASE(StoreCase)
{
    std::mt19937 random(1);
    TcpSendStore store;
    std::vector<uint8_t> all;
    for (int write = 0; write < 50; ++write)
    {
        std::vector<uint8_t> data(1 + random() % 3000);
        if (random() % 2 == 0)
        {
            store.Add(Create<Packet>(static_cast<uint32_t>(data.size()))); // of zeros
        }
        else
        {
            std::ranges::generate(data, [&] { return static_cast<uint8_t>(random()); });
            store.Add(Create<Packet>(data.data(), static_cast<uint32_t>(data.size())));
        }
        all.insert(all.end(), data.begin(), data.end());
    }
    int64_t head = 0;
    while (head < static_cast<int64_t>(all.size()))
    {
        const auto left = all.size() - static_cast<std::size_t>(head);
        const auto bytes = static_cast<uint32_t>(1 + random() % std::min<std::size_t>(left, 4000));
        std::vector<uint8_t> read(bytes);
        NS_TEST_ASSERT_MSG_EQ(store.Get(head, bytes)->CopyData(read.data(), bytes), bytes, "all");
        NS_TEST_ASSERT_MSG_EQ(std::equal(read.begin(), read.end(), all.begin() + head),
                              true,
                              "at " << head);
        head += 1 + static_cast<int64_t>(random() % bytes);
        store.Discard(head);
    }
    const auto tagged = Create<Packet>(10);
    SocketPriorityTag tag;
    tag.SetPriority(3);
    tagged->AddPacketTag(tag);
    store.Add(Create<Packet>(10));
    store.Add(tagged);
    const auto end = static_cast<int64_t>(all.size());
    NS_TEST_EXPECT_MSG_EQ(store.Get(end + 10, 10)->PeekPacketTag(tag), true, "the tag is kept");
    NS_TEST_EXPECT_MSG_EQ(store.Get(end, 10)->PeekPacketTag(tag), false, "of its write alone");
}

/** @brief A segment, as the second computation has it. */
struct Mark
{
    bool isSacked{false};        //!< sacked
    bool isLost{false};          //!< DupThresh segments above it are sacked
    bool isRetransmitted{false}; //!< and that retransmission is not known to be lost
    int64_t sentBefore{0};       //!< segments that were sent when it was retransmitted
};

/** @brief RFC 6675's pipe and lost retransmissions, computed a second time by walking segments. */
LFN_CASE(RfcRulesCase)
{
    std::mt19937 random(7);
    for (int run = 0; run < 200; ++run)
    {
        TcpScoreboardCore core([](TcpScoreboardCore::Segment&) {});
        std::vector<Mark> marks;
        int64_t head = 0;
        int64_t lostRetransmission = 0;
        const auto update = [&](int64_t begin, int64_t end) {
            core.Update({{begin * SEGMENT, end * SEGMENT}}, 3, TcpScoreboardCore::Rules::RFC);
            bool isNew = false;
            for (auto i = begin; i < end; ++i)
            {
                auto& mark = marks[static_cast<std::size_t>(i)];
                isNew |= !mark.isSacked;
                mark = mark.isSacked ? mark : Mark{.isSacked = true};
            }
            int64_t sacked = 0;
            int64_t last = head;
            for (auto i = static_cast<int64_t>(marks.size()); i-- > head && sacked < 3;)
            {
                sacked += marks[static_cast<std::size_t>(i)].isSacked;
                last = i;
            }
            for (auto i = head; isNew && sacked == 3 && i < last; ++i)
            {
                auto& mark = marks[static_cast<std::size_t>(i)];
                mark.isLost = mark.isLost || !mark.isSacked;
            }
            for (auto i = static_cast<std::size_t>(head); i < marks.size(); ++i)
            {
                auto& mark = marks[i];
                if (isNew && sacked == 3 && mark.isRetransmitted && mark.sentBefore <= last)
                {
                    mark.isRetransmitted = false;
                    lostRetransmission = std::max(lostRetransmission, mark.sentBefore * SEGMENT);
                }
            }
        };
        for (int step = 0; step < 300; ++step)
        {
            const auto end = static_cast<int64_t>(marks.size());
            switch (random() % 4)
            {
            case 0:
                core.Send(SEGMENT);
                marks.emplace_back();
                break;
            case 1:
                if (const auto lost = core.FindLost())
                {
                    core.Retransmit(*lost, SEGMENT);
                    auto& mark = marks[static_cast<std::size_t>(*lost / SEGMENT)];
                    NS_TEST_ASSERT_MSG_EQ((mark.isLost && !mark.isRetransmitted), true, *lost);
                    mark.isRetransmitted = true;
                    mark.sentBefore = end;
                }
                break;
            case 2:
                if (end > head + 1)
                {
                    const auto from = head + 1 + static_cast<int64_t>(random()) % (end - head - 1);
                    update(from, std::min(end, from + 1 + static_cast<int64_t>(random() % 3)));
                }
                break;
            default:
                if (end > head && random() % 4 == 0)
                {
                    ++head;
                    while (head < end && marks[static_cast<std::size_t>(head)].isSacked)
                    {
                        ++head;
                    }
                    core.Discard(head * SEGMENT, false);
                }
                break;
            }
            uint32_t pipe = 0;
            for (auto i = static_cast<std::size_t>(head); i < marks.size(); ++i)
            {
                const auto& mark = marks[i];
                pipe += !mark.isSacked && !mark.isLost;
                pipe += !mark.isSacked && mark.isRetransmitted;
            }
            NS_TEST_ASSERT_MSG_EQ(core.GetBytesInFlight(), pipe * SEGMENT, run << ' ' << step);
            NS_TEST_ASSERT_MSG_EQ(core.GetLostRetransmission(), lostRetransmission, run);
        }
    }
}

const Suite g_suite("lfn-tcp-scoreboard", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new RfcRulesCase("as RFC 6675, walked a second time"));
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        const auto number = std::to_string(seed);
        suite.Add(new TwinsCase("as TcpTxBuffer, with SACK " + number, true, seed));
        suite.Add(new TwinsCase("as TcpTxBuffer, with duplicate ACKs " + number, false, seed));
    }
    suite.Add(new ReassemblyCase("as TcpRxBuffer"));
    suite.Add(new StoreCase("what was written is read"));
});

} // namespace
