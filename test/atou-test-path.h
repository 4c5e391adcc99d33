// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_TEST_PATH_H
#define ATOU_TEST_PATH_H

#include "atou-test-sender.h"

#include "ns3/atou-receiver-core.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-atou
 * A loop-back path without packets: a sender, a bottleneck, a delay and a receiver.
 */

namespace ns3::lfn::tests
{

/// A path: the sender's interface, a bottleneck with a FIFO queue, a delay, ACKs that take no room.
class AtouTestPath
{
  public:
    /// What the path is like.
    struct Settings
    {
        Time rtt{MilliSeconds(100)};       //!< without serialisation
        double rate{0};                    //!< of the bottleneck, b/s; 0: no limit
        double hostRate{1e9};              //!< of the sender's interface, b/s
        uint32_t overhead{30};             //!< headers of a datagram (UDP, IP, PPP), B
        uint32_t queue{0};                 //!< of the bottleneck, datagrams; 0: no limit
        AtouReceiverCore::Settings server; //!< the receiver
    };

    /// A transmission, as the client's trace has it.
    struct Sending
    {
        double time{0};      //!< s
        uint32_t segment{0}; //!< number
    };

    std::function<bool(uint32_t)> lose;             //!< says which segments the path loses
    std::function<void(const AtouTestPath&)> watch; //!< called after every ACK
    std::vector<Sending> sendings;                  //!< all transmissions
    uint64_t queueDrops{0};                         //!< lost at the bottleneck's queue
    AtouReceiverCore receiver;                      //!< the server

    /// A path for a sender with the given options.
    AtouTestPath(const Settings& settings,
                 Ptr<const AtouOptions> options,
                 const std::optional<AtouState>& first = std::nullopt)
        : m_settings(settings),
          m_options(options),
          m_sender(options, first)
    {
        receiver.Start(settings.server);
        Simulator::Run(); // until a first simulation ns-3 keeps a register of all Time objects
        Simulator::Destroy();
    }

    /// Run until the transfer ends or the time is over; the end's time, s.
    double Run(Time limit = Seconds(1000))
    {
        SendAll();
        while (m_sender.core.GetStatus() == AtouSenderCore::Status::RUNNING && m_now < limit)
        {
            Step();
        }
        return m_now.GetSeconds();
    }

    /// The sender.
    AtouTestSender& Sender()
    {
        return m_sender;
    }

    /// The sender.
    const AtouSenderCore& Core() const
    {
        return m_sender.core;
    }

    /// The time, s.
    double Now() const
    {
        return m_now.GetSeconds();
    }

    /// Mean send rate up to a time, Mb/s of UDP payload, as the page's plots have it.
    double SentRate(double until) const
    {
        const auto end = std::find_if(sendings.begin(), sendings.end(), [&](const auto& one) {
            return one.time > until;
        });
        return static_cast<double>(end - sendings.begin()) * m_options->mss * 8e-6 / until;
    }

  private:
    /// What arrives somewhere.
    struct Arrival
    {
        Time time;                       //!< when
        uint64_t order{0};               //!< of making: ties
        uint32_t segment{0};             //!< at the receiver; 0: an ACK at the sender
        Time sent;                       //!< when the segment was sent
        uint32_t next{0};                //!< of an ACK
        std::vector<AtouBlock> blocks{}; //!< of an ACK

        /// For a queue with the earliest on top.
        bool operator<(const Arrival& other) const
        {
            return std::pair(time, order) > std::pair(other.time, other.order);
        }
    };

    /// The next thing that happens.
    void Step()
    {
        const auto never = Time::Max();
        const auto arrival = m_arrivals.empty() ? never : m_arrivals.top().time;
        const auto heartbeat = receiver.GetDeadline().value_or(never);
        const auto timer = m_sender.core.GetDeadline().value_or(never);
        m_now = std::min({arrival, heartbeat, timer});
        if (m_now == arrival)
        {
            const auto one = m_arrivals.top();
            m_arrivals.pop();
            if (one.segment > 0)
            {
                receiver.OnSegment(one.segment,
                                   static_cast<uint64_t>(one.sent.GetNanoSeconds()),
                                   m_now);
                Acknowledge();
                return;
            }
            m_sender.core.OnAck({one.next, one.blocks, m_now - one.sent, m_now});
            SendAll();
            if (watch)
            {
                watch(*this);
            }
        }
        else if (m_now == heartbeat)
        {
            receiver.Expire(m_now);
            Acknowledge();
        }
        else
        {
            m_sender.core.Expire(m_now);
            SendAll();
        }
    }

    /// The sender's segments go into the path.
    void SendAll()
    {
        while (const auto next = m_sender.core.NextSegment())
        {
            sendings.push_back({m_now.GetSeconds(), next->segment});
            if (!next->isDropped)
            {
                Carry(next->segment);
            }
        }
    }

    /// A segment goes through the path.
    void Carry(uint32_t segment)
    {
        const double bits = 8.0 * (m_options->mss + m_settings.overhead);
        m_hostFree = std::max(m_hostFree, m_now) + Seconds(bits / m_settings.hostRate);
        auto time = m_hostFree;
        if (lose && lose(segment))
        {
            return;
        }
        if (m_settings.rate > 0)
        {
            const auto service = Seconds(bits / m_settings.rate);
            const auto backlog = (m_linkFree - time).GetSeconds() * m_settings.rate / bits;
            if (m_settings.queue > 0 && backlog > m_settings.queue)
            {
                ++queueDrops;
                return;
            }
            m_linkFree = std::max(m_linkFree, time) + service;
            time = m_linkFree;
        }
        m_arrivals.push({time + m_settings.rtt / 2, m_order++, segment, m_now});
    }

    /// The receiver's ACKs go back.
    void Acknowledge()
    {
        while (auto ack = receiver.NextAck())
        {
            const auto sent = NanoSeconds(static_cast<int64_t>(ack->time));
            m_arrivals.push({m_now + m_settings.rtt / 2,
                             m_order++,
                             0,
                             sent,
                             ack->next,
                             std::move(ack->blocks)});
        }
    }

    Settings m_settings;                     //!< of the path
    Ptr<const AtouOptions> m_options;        //!< of the sender
    AtouTestSender m_sender;                 //!< the sender
    Time m_now;                              //!< the time
    Time m_hostFree;                         //!< when the sender's interface is free
    Time m_linkFree;                         //!< when the bottleneck is free
    uint64_t m_order{0};                     //!< things made
    std::priority_queue<Arrival> m_arrivals; //!< under way
};

} // namespace ns3::lfn::tests

#endif // ATOU_TEST_PATH_H
