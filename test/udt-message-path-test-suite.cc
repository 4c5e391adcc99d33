// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"

#include "ns3/udt-blast-control.h"
#include "ns3/udt-message-buffer.h"
#include "ns3/udt-receiver-core.h"
#include "ns3/udt-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief Messages of random sizes between both cores, over a path that loses packets. */
class MessagePath
{
  public:
    /**
     * @brief Draw everything that can be chosen.
     * @param seed of the random numbers
     */
    explicit MessagePath(uint32_t seed)
        : isInOrder(seed % 2 == 1),
          m_random(seed)
    {
        m_lossPercent = Draw(4) * 8;
        m_delay = MilliSeconds(1 + Draw(40));
        UdtHandshake peer;
        peer.initialSequence = UDT_SEQUENCES - Draw(500) - 1; // wraps soon
        peer.window = BUFFER;
        UdtSenderCore::Settings settings;
        settings.payloadSize = PAYLOAD;
        settings.writeSize = 1 + Draw(12 * PAYLOAD);
        settings.sendBuffer = 16 + Draw(BUFFER - 16);
        settings.messages = true;
        settings.isInOrder = isInOrder;
        settings.timeToLive = seed % 5 == 0 ? Time(0) : MilliSeconds(1 + Draw(120));
        UdtReceiverCore::Settings other;
        other.payloadSize = PAYLOAD;
        other.buffer = BUFFER;
        other.repeatNak = seed % 3 == 0;
        m_receiver = UdtReceiverCore(other, peer, m_now);
        m_sender.Start(settings, std::make_unique<UdtBlastControl>(400), peer, 0, m_now);
        for (int i = 0; i < 12; ++i)
        {
            const uint64_t bytes = 1 + Draw(40 * PAYLOAD);
            m_sender.Add(m_now, bytes);
            // Counted again: a message has writeSize bytes, a packet PAYLOAD.
            for (uint64_t left = bytes; left > 0; left -= messages.back().bytes)
            {
                const auto size = std::min<uint64_t>(left, settings.writeSize);
                const auto packets = static_cast<int64_t>((size + PAYLOAD - 1) / PAYLOAD);
                messages.push_back({m_packets, m_packets + packets - 1, size, {}});
                m_packets += packets;
            }
        }
    }

    /** @brief A message, and what has become of it. */
    struct Sent
    {
        int64_t first{0};          //!< its first packet
        int64_t last{0};           //!< its last packet
        uint64_t bytes{0};         //!< user bytes
        std::set<int64_t> arrived; //!< its packets that were taken
        bool isDropped{false};     //!< the receiver skips it

        bool IsWhole() const //!< everything has arrived
        {
            return static_cast<int64_t>(arrived.size()) == last - first + 1;
        }
    };

    /** @brief Run until everything is acknowledged. @return whether that happened */
    bool Run()
    {
        const Time end = m_now + Seconds(200);
        for (; m_now < end && !m_sender.IsComplete(); m_now += MicroSeconds(500))
        {
            while (!m_wire.empty() && m_wire.begin()->first <= m_now)
            {
                const auto action = m_wire.begin()->second;
                m_wire.erase(m_wire.begin());
                action();
            }
            if (m_now >= m_receiver.GetNextCheck())
            {
                m_receiver.OnCheck(m_now);
                Deliver();
            }
            if (m_now >= m_sender.GetNextCheck())
            {
                m_sender.OnCheck(m_now);
            }
            while (m_sender.GetNextDeparture() && *m_sender.GetNextDeparture() <= m_now)
            {
                if (const auto departure = m_sender.Send(m_now))
                {
                    Transmit([this, data = *departure]() { OnData(data); });
                }
            }
            for (const auto& reply : m_sender.TakeReplies())
            {
                Transmit([this, reply]() { OnReply(reply); });
            }
        }
        return m_sender.IsComplete();
    }

    const bool isInOrder;                             //!< messages wait for earlier ones
    std::vector<Sent> messages;                       //!< by message number - 1
    std::vector<UdtMessageBuffer::Message> delivered; //!< in this order
    UdtMessageBuffer buffer;                          //!< at the receiver
    uint64_t put{0};                                  //!< bytes put into it
    bool isPrompt{true};                              //!< without order, nothing whole ever waits

    /** @brief Get the sender. @return it */
    const UdtSenderCore& GetSender() const
    {
        return m_sender;
    }

  private:
    static constexpr uint32_t PAYLOAD = 100; //!< of a packet, B
    static constexpr uint32_t BUFFER = 64;   //!< of the receiver, packets

    /** @brief Draw a number. @return below the limit */
    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

    /** @brief Send something, which may get lost or be late. */
    void Transmit(std::function<void()> action)
    {
        if (Draw(100) >= m_lossPercent)
        {
            m_wire.emplace(m_now + m_delay + MicroSeconds(Draw(3) == 0 ? Draw(3000) : 0),
                           std::move(action));
        }
    }

    /** @brief Find the message of a packet. @return it */
    Sent& Find(int64_t index)
    {
        return *std::ranges::find_if(messages,
                                     [index](const auto& each) { return index <= each.last; });
    }

    /** @brief A data packet arrives. */
    void OnData(const UdtSenderCore::Departure& departure)
    {
        const auto arrival = m_receiver.OnData(m_now, departure.header, departure.bytes);
        if (!arrival.refused)
        {
            put += departure.bytes;
            buffer.Put(arrival.index, departure.header, departure.bytes);
            Find(arrival.index).arrived.insert(arrival.index);
        }
        Deliver();
    }

    /** @brief A control packet of the sender arrives. */
    void OnReply(const UdtPacket& packet)
    {
        if (const auto* drop = std::get_if<UdtDrop>(&packet))
        {
            auto& message = messages.at(drop->message - 1);
            if (const auto gone = m_receiver.OnDrop(m_now, *drop))
            {
                message.isDropped = !IsDelivered(drop->message);
                buffer.Drop(gone->first, gone->second);
            }
        }
        else
        {
            m_receiver.OnSignal(m_now, std::get<UdtSignal>(packet));
        }
        Deliver();
    }

    /** @brief Whether a message was delivered. @return so */
    bool IsDelivered(uint32_t number) const
    {
        return std::ranges::any_of(delivered,
                                   [=](const auto& each) { return each.number == number; });
    }

    /** @brief The receiver does what a sink does after each packet. */
    void Deliver()
    {
        for (const auto& reply : m_receiver.TakeReplies())
        {
            Transmit([this, reply]() { m_sender.OnPacket(m_now, reply); });
        }
        while (const auto message = buffer.Take(m_receiver.GetReadable()))
        {
            delivered.push_back(*message);
        }
        m_receiver.SetRead(buffer.GetNext());
        if (!isInOrder)
        {
            const auto whole = std::ranges::count_if(messages, [](const auto& each) {
                return each.IsWhole() && !each.isDropped;
            });
            isPrompt = isPrompt && std::cmp_equal(whole, delivered.size());
        }
    }

    std::mt19937 m_random;                             //!< random numbers
    uint32_t m_lossPercent{0};                         //!< of packets
    Time m_delay;                                      //!< one way
    UdtSenderCore m_sender;                            //!< the sender
    UdtReceiverCore m_receiver;                        //!< the receiver
    int64_t m_packets{0};                              //!< in all
    Time m_now{Seconds(1)};                            //!< the time
    std::multimap<Time, std::function<void()>> m_wire; //!< what is under way
};

LFN_CASE(UdtMessagePathTestCase)
{
    // Every message is delivered once and whole, or dropped, as counted a second time.
    uint64_t lost = 0;
    uint64_t overtakes = 0;
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        MessagePath path(seed);
        NS_TEST_ASSERT_MSG_EQ(path.Run(), true, "seed " << seed << " comes to its end");
        std::set<uint32_t> numbers;
        uint64_t bytes = 0;
        for (const auto& message : path.delivered)
        {
            const auto& sent = path.messages.at(message.number - 1);
            NS_TEST_EXPECT_MSG_EQ(message.first, sent.first, "seed " << seed << ": its place");
            NS_TEST_EXPECT_MSG_EQ(message.last, sent.last, "seed " << seed << ": its end");
            NS_TEST_EXPECT_MSG_EQ(message.bytes, sent.bytes, "seed " << seed << ": its size");
            NS_TEST_EXPECT_MSG_EQ(numbers.insert(message.number).second, true, "once");
            bytes += message.bytes;
        }
        uint64_t dropped = 0;
        for (std::size_t i = 0; i < path.messages.size(); ++i)
        {
            const auto& message = path.messages[i];
            NS_TEST_EXPECT_MSG_EQ(numbers.contains(static_cast<uint32_t>(i + 1)),
                                  (message.IsWhole() && !message.isDropped),
                                  "seed " << seed << ", message " << i + 1);
            NS_TEST_EXPECT_MSG_EQ((message.IsWhole() || message.isDropped), true, "no third way");
            dropped += message.isDropped ? 1 : 0;
        }
        const auto& counters = path.GetSender().GetCounters();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(counters.lostMessages,
                                    dropped,
                                    "seed " << seed << ": all drops are the sender's");
        NS_TEST_EXPECT_MSG_EQ(bytes + path.buffer.GetDiscarded(), path.put, "seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(path.buffer.GetBytes(), 0, "seed " << seed << ": nothing waits");
        NS_TEST_EXPECT_MSG_EQ(path.isPrompt, true, "seed " << seed << ": nothing whole waits");
        const bool isSorted =
            std::ranges::is_sorted(path.delivered, {}, &UdtMessageBuffer::Message::number);
        NS_TEST_EXPECT_MSG_EQ((isSorted || !path.isInOrder), true, "seed " << seed << ": order");
        overtakes += isSorted ? 0 : 1;
        lost += dropped;
    }
    NS_TEST_EXPECT_MSG_GT(lost, 500, "messages are dropped");
    NS_TEST_EXPECT_MSG_GT(overtakes, 20, "messages overtake");
}

// NOLINTNEXTLINE(cert-err58-cpp,cppcoreguidelines-avoid-non-const-global-variables)
const Suite SUITE("lfn-udt-message-path", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new UdtMessagePathTestCase("Messages over paths with losses, counted twice"));
});

} // namespace
