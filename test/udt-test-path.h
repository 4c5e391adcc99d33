// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDT_TEST_PATH_H
#define UDT_TEST_PATH_H

#include "ns3/udt-blast-control.h"
#include "ns3/udt-native-control.h"
#include "ns3/udt-receiver-core.h"
#include "ns3/udt-sender-core.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-udt
 * Both cores of UDT back to back over a path with a clock of its own, without the simulator: the
 * path on which the original program was measured.
 */

namespace ns3::lfn::tests
{

/** @brief One direction: a drop-tail queue, a link, losses, a delay. */
class UdtTestLink
{
  public:
    /**
     * @brief A direction.
     * @param rate of the link, bit/s
     * @param delay of propagation
     * @param queue packets that wait, without the one on the link
     */
    UdtTestLink(double rate, Time delay, std::size_t queue)
        : m_rate(rate),
          m_delay(delay),
          m_queue(queue)
    {
    }

    /**
     * @brief Put a packet on the queue.
     * @param now the time
     * @param bytes of IP
     * @return when it arrives; nothing when the queue is full
     */
    std::optional<Time> Send(Time now, uint32_t bytes)
    {
        while (!m_starts.empty() && m_starts.front() <= now)
        {
            m_starts.pop();
        }
        m_maxWaiting = std::max(m_maxWaiting, m_starts.size());
        if (m_starts.size() >= m_queue)
        {
            ++m_dropped;
            return std::nullopt;
        }
        const Time start = std::max(now, m_free);
        constexpr uint32_t FRAMING = 2;
        m_free = start + NanoSeconds(static_cast<int64_t>((bytes + FRAMING) * 8e9 / m_rate));
        m_starts.push(start);
        return m_free + m_delay;
    }

    std::size_t m_maxWaiting{0}; //!< most packets that waited
    uint64_t m_dropped{0};       //!< packets that found the queue full

  private:
    double m_rate;             //!< bit/s
    Time m_delay;              //!< of propagation
    std::size_t m_queue;       //!< packets
    Time m_free;               //!< when the link is idle
    std::queue<Time> m_starts; //!< when packets that wait begin to be sent
};

/** @brief A transfer between two cores. */
class UdtTestTransfer
{
  public:
    /** @brief What can be set. */
    struct Settings
    {
        double rate{100e6};                          //!< of the link, bit/s
        Time rtt{MilliSeconds(20)};                  //!< twice the delay
        std::size_t queue{1000};                     //!< packets
        uint32_t window{8192};                       //!< receive buffer, packets
        uint64_t bytes{58240000};                    //!< to send
        uint32_t initial{0x7167a0ba};                //!< sequence number
        Time dead{Time::Max()};                      //!< from then on nothing arrives
        std::map<uint32_t, uint32_t> drops;          //!< data packet, times that it is lost
        std::function<bool()> isLost;                //!< losses of data packets
        UdtSenderCore::Settings sender;              //!< of the sender
        UdtReceiverCore::Settings receiver;          //!< of the receiver
        UdtNativeControl::Settings control;          //!< of the congestion control
        std::unique_ptr<UdtCongestion> otherControl; //!< in place of the native one
    };

    /**
     * @brief A transfer.
     * @param settings what was set
     */
    explicit UdtTestTransfer(Settings settings)
        : m_settings(std::move(settings)),
          m_forward(m_settings.rate, m_settings.rtt / 2, m_settings.queue),
          m_reverse(m_settings.rate, m_settings.rtt / 2, REVERSE_QUEUE)
    {
        m_settings.receiver.buffer = m_settings.window;
        for (auto* expiration : {&m_settings.sender.expiration, &m_settings.receiver.expiration})
        {
            // The original's receiving thread wakes every 0.1 ms.
            expiration->check = MicroSeconds(100100);
        }
    }

    /** @brief Run until everything has been delivered and acknowledged, or an end gives up. */
    void Run()
    {
        UdtHandshake peer;
        peer.initialSequence = m_settings.initial;
        peer.window = m_settings.window;
        m_receiver = UdtReceiverCore(m_settings.receiver, peer, Time(0));
        CheckReceiver();
        // The answer takes half a round-trip time.
        constexpr uint32_t HANDSHAKE = 92;
        const auto start = m_reverse.Send(Time(0), HANDSHAKE).value();
        At(start, [this, start, peer]() {
            auto control = m_settings.otherControl
                               ? std::move(m_settings.otherControl)
                               : std::make_unique<UdtNativeControl>(m_settings.control);
            m_start = start;
            m_sender.Start(m_settings.sender, std::move(control), peer, m_settings.bytes, start);
            ScheduleSend();
            CheckSender();
            EverySecond();
        });
        while (!m_events.empty() && !m_sender.IsComplete() && !m_isDead)
        {
            const auto event = m_events.top();
            m_events.pop();
            m_now = event.time;
            event.action();
        }
    }

    /** @brief Get the time from the first data sent to the last byte readable. @return seconds */
    double GetSpan() const
    {
        return (m_delivered - m_start).GetSeconds();
    }

    /** @brief Get the goodput over that time. @return Mb/s */
    double GetGoodput() const
    {
        return 8e-6 * static_cast<double>(m_settings.bytes) / GetSpan();
    }

    UdtSenderCore m_sender;                            //!< the sender
    UdtReceiverCore m_receiver;                        //!< the receiver
    std::vector<double> m_periods;                     //!< P after each second, us
    std::vector<double> m_windows;                     //!< W after each second, packets
    Time m_now;                                        //!< the clock
    Time m_start;                                      //!< first data
    Time m_delivered;                                  //!< when the last byte was readable
    bool m_isDead{false};                              //!< an end gave up
    uint64_t m_lossDrops{0};                           //!< packets lost on the path
    std::function<void(const UdtPacket&)> m_onControl; //!< sees what the receiver sends

    /** @brief Get the forward direction. @return it */
    const UdtTestLink& GetForward() const
    {
        return m_forward;
    }

  private:
    static constexpr std::size_t REVERSE_QUEUE = 10000; //!< packets
    static constexpr uint32_t IP_UDP = 28;              //!< headers, B

    /** @brief Something to come. */
    struct Event
    {
        Time time;                    //!< when
        uint64_t order;               //!< breaks ties
        std::function<void()> action; //!< what

        /** @brief Compare. @return whether this one comes later */
        bool operator<(const Event& other) const
        {
            return time == other.time ? order > other.order : time > other.time;
        }
    };

    /** @brief Do something later. */
    void At(Time time, std::function<void()> action)
    {
        m_events.push({time, m_order++, std::move(action)});
    }

    /** @brief Send what is due, and wait for what comes next. */
    void ScheduleSend()
    {
        const auto next = m_sender.GetNextDeparture();
        if (!next || (m_sendAt && *m_sendAt == *next))
        {
            return;
        }
        m_sendAt = next;
        At(std::max(*next, m_now), [this, time = *next]() {
            if (m_sendAt == time && m_sender.GetNextDeparture() == time)
            {
                m_sendAt.reset();
                SendData();
            }
        });
    }

    /** @brief Send a data packet. */
    void SendData()
    {
        const auto departure = m_sender.Send(m_now);
        if (departure)
        {
            const auto arrives = m_forward.Send(m_now, departure->bytes + UDT_HEADER_SIZE + IP_UDP);
            if (arrives && !IsDropped(*departure) && *arrives < m_settings.dead)
            {
                At(*arrives, [this, departure = *departure]() { Receive(departure); });
            }
        }
        ScheduleSend();
    }

    /** @brief Say whether the path loses a data packet. */
    bool IsDropped(const UdtSenderCore::Departure& departure)
    {
        constexpr uint32_t LEAST_BYTES = 1000;
        const auto offset =
            static_cast<uint32_t>(UdtDistance(m_settings.initial, departure.header.sequence));
        const auto script = m_settings.drops.find(offset);
        bool isDropped = false;
        if (script != m_settings.drops.end() && script->second > 0)
        {
            --script->second;
            isDropped = true;
        }
        else
        {
            isDropped = departure.bytes + UDT_HEADER_SIZE + IP_UDP >= LEAST_BYTES &&
                        m_settings.isLost && m_settings.isLost();
        }
        m_lossDrops += isDropped ? 1 : 0;
        return isDropped;
    }

    /** @brief A data packet arrives. */
    void Receive(const UdtSenderCore::Departure& departure)
    {
        m_receiver.OnData(m_now, departure.header, departure.bytes);
        Reply();
    }

    /** @brief Send what the receiver has to say. */
    void Reply()
    {
        const auto readable = m_receiver.GetReadable();
        if (readable > m_lastReadable)
        {
            m_lastReadable = readable;
            m_receiver.SetRead(readable);
            m_delivered = m_now;
        }
        for (auto& packet : m_receiver.TakeReplies())
        {
            if (m_onControl)
            {
                m_onControl(packet);
            }
            const auto bytes = static_cast<uint32_t>(WriteUdtControl(packet).size()) + IP_UDP;
            const auto arrives = m_reverse.Send(m_now, bytes);
            if (arrives && *arrives < m_settings.dead)
            {
                At(*arrives, [this, packet]() {
                    m_sender.OnPacket(m_now, packet);
                    Answer();
                });
            }
        }
    }

    /** @brief Send what the sender has to say. */
    void Answer()
    {
        for (auto& packet : m_sender.TakeReplies())
        {
            const auto bytes = static_cast<uint32_t>(WriteUdtControl(packet).size()) + IP_UDP;
            const auto arrives = m_forward.Send(m_now, bytes);
            if (arrives && *arrives < m_settings.dead)
            {
                At(*arrives, [this, signal = std::get<UdtSignal>(packet)]() {
                    m_receiver.OnSignal(m_now, signal);
                    Reply();
                });
            }
        }
        ScheduleSend();
    }

    /** @brief The receiver looks at its timers. */
    void CheckReceiver()
    {
        if (m_now >= m_receiver.GetNextCheck())
        {
            m_isDead = !m_receiver.OnCheck(m_now) || m_isDead;
            Reply();
        }
        At(m_receiver.GetNextCheck(), [this]() { CheckReceiver(); });
    }

    /** @brief The sender looks at its timers. */
    void CheckSender()
    {
        if (m_now >= m_sender.GetNextCheck())
        {
            m_isDead = !m_sender.OnCheck(m_now) || m_isDead;
            Answer();
        }
        At(m_sender.GetNextCheck(), [this]() { CheckSender(); });
    }

    /** @brief Remember period and window every second, as the original's sampler did. */
    void EverySecond()
    {
        // It woke every 0.1 s of a clock that began with the first handshake.
        const int64_t step = MilliSeconds(100).GetNanoSeconds();
        const Time begin = m_start - 2 * m_settings.rtt;
        const Time wanted = m_start - begin + Seconds(1 + static_cast<double>(m_periods.size()));
        const int64_t ticks = wanted.GetNanoSeconds() / step + 1;
        At(begin + NanoSeconds(ticks * step), [this]() {
            m_periods.push_back(m_sender.GetControl()->GetPeriod());
            m_windows.push_back(m_sender.GetControl()->GetWindow());
            EverySecond();
        });
    }

    Settings m_settings;                 //!< what was set
    UdtTestLink m_forward;               //!< data
    UdtTestLink m_reverse;               //!< reports
    std::priority_queue<Event> m_events; //!< what is to come
    uint64_t m_order{0};                 //!< of events
    std::optional<Time> m_sendAt;        //!< the departure that is scheduled
    int64_t m_lastReadable{0};           //!< what was delivered
};

} // namespace ns3::lfn::tests

#endif // UDT_TEST_PATH_H
