// SPDX-License-Identifier: GPL-2.0-only

#ifndef UDT_TEST_FLOW_H
#define UDT_TEST_FLOW_H

#include "udt-test-path.h"

#include "ns3/udt-connection.h"
#include "ns3/udt-variant.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lfn-udt
 * Both ends of a UDT connection over a path without the simulator, as the original program was
 * measured.
 */

namespace ns3::lfn::tests
{

/** @brief The original's receiving thread wakes so often. @return the time */
inline Time
GetUdtTestPoll()
{
    return MicroSeconds(100);
}

/** @brief A connection over a path: set-up, transfer. */
class UdtTestFlow
{
  public:
    /** @brief Packets of the set-up. */
    enum class Handshake : uint8_t
    {
        REQUEST, //!< the client's first
        COOKIE,  //!< the server's first
        SECOND,  //!< the client's second
        ANSWER   //!< the server's second
    };

    /** @brief What can be set. */
    struct Settings
    {
        Time rtt{MilliSeconds(20)};                  //!< twice the delay
        uint32_t window{8192};                       //!< receive buffer, packets
        uint64_t bytes{58240000};                    //!< to send
        uint32_t initial{0x7167a0ba};                //!< sequence number
        Time start;                                  //!< of the set-up
        Time stop{Time::Max()};                      //!< from then on the sender sends nothing
        Time dead{Time::Max()};                      //!< what is sent from then on is lost
        Time hostCost;                               //!< the sending host needs per data packet
        std::map<uint32_t, uint32_t> drops;          //!< data packet, times that it is lost
        std::map<Handshake, uint32_t> lost;          //!< packet of the set-up, times it is lost
        UdtVariant variant{UdtVariant::UDT4};        //!< decides on set-up and header
        UdtSettings udt;                             //!< of both ends
        std::unique_ptr<UdtCongestion> otherControl; //!< in place of the native one
    };

    /** @brief Everything that is counted besides what the cores count. */
    struct Counters
    {
        uint64_t handshakes{0};     //!< packets of the set-up sent
        uint64_t acks2{0};          //!< ACK2 sent
        uint64_t deliveredBytes{0}; //!< bytes that the application could read
    };

    /**
     * @brief A connection that is about to begin.
     * @param path what it goes over
     * @param settings what was set
     */
    UdtTestFlow(UdtTestPath& path, Settings settings)
        : m_path(path),
          m_settings(std::move(settings))
    {
        auto& udt = m_settings.udt;
        if (m_settings.variant == UdtVariant::UDT3)
        {
            m_header = 12;
            constexpr uint32_t IP_UDP_HEADER = 40;
            udt.sender.payloadSize = udt.sender.mss - IP_UDP_HEADER;
            udt.receiver.payloadSize = udt.sender.payloadSize;
        }
        udt.receiver.buffer = m_settings.window;
        for (auto* expiration : {&udt.sender.expiration, &udt.receiver.expiration})
        {
            // The receiving thread notices at its next waking. UDT3's checks whenever it wakes.
            expiration->check = m_settings.variant == UdtVariant::UDT3
                                    ? GetUdtTestPoll()
                                    : expiration->check + GetUdtTestPoll();
        }
        UdtHandshake own;
        own.initialSequence = m_settings.initial;
        own.window = m_settings.window;
        own.mss = udt.sender.mss;
        m_listener = std::make_unique<UdtListener>(own, 1);
        m_path.clock.At(m_settings.start, [this, own]() {
            m_connector = std::make_unique<UdtConnector>(own, Now());
            Request();
        });
    }

    /** @brief Whether everything is delivered and acknowledged, or the flow gave up. @return so */
    bool IsOver() const
    {
        return m_isDead || m_sender.IsComplete() ||
               (m_connector && m_connector->GetState() == UdtConnector::State::FAILED);
    }

    /** @brief Get the time from the first data sent to the last byte readable. @return seconds */
    double GetSpan() const
    {
        return ((m_isDead ? Now() : m_delivered) - m_start).GetSeconds();
    }

    UdtSenderCore m_sender;                            //!< the sender
    UdtReceiverCore m_receiver;                        //!< the receiver
    std::vector<double> m_periods;                     //!< P after each second, us
    std::vector<double> m_windows;                     //!< W after each second, packets
    std::vector<double> m_rtts;                        //!< estimate each 0.1 s, us
    std::vector<uint64_t> m_bytesBySecond;             //!< readable in each second of the run
    Time m_start;                                      //!< first data
    Time m_delivered;                                  //!< when the last byte was readable
    bool m_isDead{false};                              //!< an end gave up
    Counters m_counters;                               //!< what is counted
    std::function<void(const UdtPacket&)> m_onControl; //!< sees what the receiver sends

  private:
    static constexpr uint32_t IP_UDP = 28; //!< headers, B

    /** @brief Get the time. @return it */
    Time Now() const
    {
        return m_path.clock.GetNow();
    }

    /** @brief Do something later. */
    void At(Time time, std::function<void()> action)
    {
        m_path.clock.At(time, std::move(action));
    }

    /** @brief Send a packet; when it arrives, do something. */
    void Transmit(UdtTestLink& link, uint32_t bytes, bool isLost, std::function<void()> action)
    {
        const auto left = link.Send(Now(), bytes + IP_UDP);
        if (left && !isLost && Now() < m_settings.dead)
        {
            At(*left + m_settings.rtt / 2, std::move(action));
        }
    }

    /** @brief Send a control packet; when it arrives, do something. */
    void TransmitControl(UdtTestLink& link, const UdtPacket& packet, std::function<void()> action)
    {
        auto bytes = static_cast<uint32_t>(WriteUdtControl(packet).size());
        if (m_settings.variant == UdtVariant::UDT3 && std::holds_alternative<UdtAck>(packet))
        {
            bytes -= sizeof(uint32_t); // it has no arrival rate
        }
        Transmit(link, bytes - UDT_HEADER_SIZE + m_header, false, std::move(action));
    }

    /** @brief Say whether a packet of the set-up is lost. */
    bool IsLost(Handshake kind)
    {
        ++m_counters.handshakes;
        const auto found = m_settings.lost.find(kind);
        if (found == m_settings.lost.end() || found->second == 0)
        {
            return false;
        }
        --found->second;
        return true;
    }

    /** @brief Get the size of a packet of the set-up. @return bytes of UDP's payload */
    uint32_t GetHandshakeBytes() const
    {
        constexpr uint32_t UDT4 = 64;
        constexpr uint32_t UDT3 = 40;
        return m_settings.variant == UdtVariant::UDT3 ? UDT3 : UDT4;
    }

    /** @brief The client sends its request, and repeats it. */
    void Request()
    {
        if (m_settings.variant == UdtVariant::UDT3)
        {
            RequestUdt3();
            return;
        }
        const auto request = m_connector->Request(Now());
        if (!request)
        {
            return;
        }
        const auto kind = request->cookie == 0 ? Handshake::REQUEST : Handshake::SECOND;
        Transmit(m_path.forward, GetHandshakeBytes(), IsLost(kind), [this, request]() {
            OnRequest(*request);
        });
        Repeat(*m_connector->GetNextRequest() + GetUdtTestPoll());
    }

    /** @brief Send the request again, unless the client has moved on. */
    void Repeat(Time time)
    {
        At(time, [this, due = m_connector->GetNextRequest()]() {
            if (m_connector->GetNextRequest() == due)
            {
                Request();
            }
        });
    }

    /** @brief The server gets a request. */
    void OnRequest(const UdtHandshake& request)
    {
        const auto outcome = m_listener->OnHandshake(Now(), 1, request);
        if (outcome.isAccepted)
        {
            Accept();
        }
        if (outcome.reply)
        {
            const auto kind = outcome.isAccepted ? Handshake::ANSWER : Handshake::COOKIE;
            Transmit(m_path.reverse,
                     GetHandshakeBytes(),
                     IsLost(kind),
                     [this, reply = *outcome.reply]() {
                         if (m_connector->OnHandshake(Now(), reply))
                         {
                             OnReply();
                         }
                     });
        }
    }

    /** @brief The client has got a reply that it waited for. */
    void OnReply()
    {
        if (m_connector->GetState() == UdtConnector::State::CONNECTED)
        {
            Start(m_connector->GetAnswer());
        }
        else
        {
            Request();
        }
    }

    /** @brief UDT3 asks at each waking until it has an answer, without a cookie. */
    void RequestUdt3()
    {
        if (m_isStarted)
        {
            return;
        }
        Transmit(m_path.forward, GetHandshakeBytes(), IsLost(Handshake::REQUEST), [this]() {
            Accept();
            Transmit(m_path.reverse, GetHandshakeBytes(), IsLost(Handshake::ANSWER), [this]() {
                UdtHandshake answer;
                answer.initialSequence = m_settings.initial;
                answer.window = m_settings.window;
                Start(answer);
            });
        });
        At(Now() + GetUdtTestPoll(), [this]() { RequestUdt3(); });
    }

    /** @brief The server has the connection. */
    void Accept()
    {
        if (std::exchange(m_isAccepted, true))
        {
            return;
        }
        UdtHandshake peer;
        peer.initialSequence = m_settings.initial;
        m_receiver = UdtReceiverCore(m_settings.udt.receiver, peer, Now());
        CheckReceiver();
    }

    /** @brief The client has the connection. */
    void Start(const UdtHandshake& answer)
    {
        if (std::exchange(m_isStarted, true))
        {
            return;
        }
        auto control = m_settings.otherControl
                           ? std::move(m_settings.otherControl)
                           : std::make_unique<UdtNativeControl>(m_settings.udt.control);
        m_start = Now();
        m_sender.Start(m_settings.udt.sender,
                       std::move(control),
                       answer,
                       m_settings.bytes,
                       m_start);
        ScheduleSend();
        CheckSender();
        Sample();
    }

    /** @brief Send what is due, and wait for what arrives next. */
    void ScheduleSend()
    {
        const auto next = m_sender.GetNextDeparture();
        if (!next || Now() >= m_settings.stop)
        {
            return;
        }
        const Time at = std::max({*next, m_hostFree, Now()});
        if (m_sendAt && *m_sendAt == at)
        {
            return;
        }
        m_sendAt = at;
        At(at, [this, at]() {
            if (m_sendAt != at)
            {
                return;
            }
            m_sendAt.reset();
            const auto due = m_sender.GetNextDeparture();
            if (due && *due <= Now() && Now() < m_settings.stop)
            {
                SendData();
            }
            else
            {
                ScheduleSend();
            }
        });
    }

    /** @brief Send a data packet. */
    void SendData()
    {
        if (const auto departure = m_sender.Send(Now()))
        {
            m_hostFree = Now() + m_settings.hostCost;
            m_sender.SetBusyUntil(m_hostFree);
            // Those that find the queue full draw no number.
            const uint32_t bytes = departure->bytes + m_header + IP_UDP;
            const auto left = m_path.forward.Send(Now(), bytes);
            if (left && !IsDropped(*departure, bytes) && Now() < m_settings.dead)
            {
                At(*left + m_settings.rtt / 2, [this, departure = *departure]() {
                    m_receiver.OnData(Now(), departure.header, departure.bytes);
                    Reply();
                });
            }
        }
        ScheduleSend();
    }

    /** @brief Say whether the path loses a data packet. */
    bool IsDropped(const UdtSenderCore::Departure& departure, uint32_t bytes)
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
            isDropped = bytes >= LEAST_BYTES && m_path.isLost && m_path.isLost();
        }
        m_path.lossDrops += isDropped ? 1 : 0;
        return isDropped;
    }

    /** @brief Take what is readable, and send what the receiver has to say. */
    void Reply()
    {
        const auto readable = m_receiver.GetReadable();
        if (readable > m_lastReadable)
        {
            m_lastReadable = readable;
            m_receiver.SetRead(readable);
            m_delivered = Now();
            const auto before = std::exchange(m_counters.deliveredBytes, GetOffset(readable));
            const auto second = static_cast<std::size_t>(Now().GetSeconds());
            m_bytesBySecond.resize(std::max(m_bytesBySecond.size(), second + 1));
            m_bytesBySecond[second] += m_counters.deliveredBytes - before;
        }
        for (auto& packet : m_receiver.TakeReplies())
        {
            if (m_onControl)
            {
                m_onControl(packet);
            }
            TransmitControl(m_path.reverse, packet, [this, packet]() {
                m_sender.OnPacket(Now(), packet);
                Answer();
            });
        }
    }

    /** @brief Find where a packet's bytes begin. */
    uint64_t GetOffset(int64_t index) const
    {
        const uint64_t write = m_settings.udt.sender.writeSize;
        const uint64_t payload = m_settings.udt.sender.payloadSize;
        const uint64_t packets = (write + payload - 1) / payload;
        const auto at = static_cast<uint64_t>(index);
        return std::min(at / packets * write + at % packets * payload, m_settings.bytes);
    }

    /** @brief Send what the sender has to say. */
    void Answer()
    {
        for (auto& packet : m_sender.TakeReplies())
        {
            const auto signal = std::get<UdtSignal>(packet);
            m_counters.acks2 += signal.type == UdtType::ACK2 ? 1 : 0;
            TransmitControl(m_path.forward, packet, [this, signal]() {
                m_receiver.OnSignal(Now(), signal);
                Reply();
            });
        }
        ScheduleSend();
    }

    /** @brief The receiver looks at its timers. */
    void CheckReceiver()
    {
        if (Now() >= m_receiver.GetNextCheck())
        {
            m_isDead = !m_receiver.OnCheck(Now()) || m_isDead;
            Reply();
        }
        At(m_receiver.GetNextCheck(), [this]() { CheckReceiver(); });
    }

    /** @brief The sender looks at its timers. */
    void CheckSender()
    {
        if (Now() >= m_sender.GetNextCheck())
        {
            m_isDead = !m_sender.OnCheck(Now()) || m_isDead;
            Answer();
        }
        At(m_sender.GetNextCheck(), [this]() { CheckSender(); });
    }

    /** @brief Remember the state of the sender, as the original's sampler did. */
    void Sample()
    {
        // It woke every 0.1 s of a clock that began with the run.
        const int64_t step = MilliSeconds(100).GetNanoSeconds();
        const int64_t ticks = Now().GetNanoSeconds() / step + 1;
        At(NanoSeconds(ticks * step), [this]() {
            m_rtts.push_back(m_sender.GetPath().rttUs);
            if (Now() > m_start + Seconds(1 + static_cast<double>(m_periods.size())))
            {
                m_periods.push_back(m_sender.GetControl()->GetPeriod());
                m_windows.push_back(m_sender.GetControl()->GetWindow());
            }
            Sample();
        });
    }

    UdtTestPath& m_path;                       //!< what it goes over
    Settings m_settings;                       //!< what was set
    uint32_t m_header{UDT_HEADER_SIZE};        //!< of UDT in each packet, B
    std::unique_ptr<UdtConnector> m_connector; //!< of the client
    std::unique_ptr<UdtListener> m_listener;   //!< of the server
    bool m_isAccepted{false};                  //!< the server has the connection
    bool m_isStarted{false};                   //!< the client has it
    std::optional<Time> m_sendAt;              //!< the departure that is scheduled
    Time m_hostFree;                           //!< when the sending host is idle
    int64_t m_lastReadable{0};                 //!< what was delivered
};

/** @brief A connection that has a path for itself. */
class UdtTestTransfer
{
  public:
    /** @brief What can be set. */
    struct Settings : UdtTestFlow::Settings
    {
        UdtTestPath::Settings path; //!< of the path
    };

    /**
     * @brief A transfer.
     * @param settings what was set
     */
    explicit UdtTestTransfer(Settings settings)
        : m_bytes(settings.bytes),
          m_path(settings.path),
          m_flow(m_path, std::move(settings))
    {
    }

    /** @brief Run until everything has been delivered and acknowledged, or an end gives up. */
    void Run()
    {
        while (!m_flow.IsOver() && m_path.clock.Step())
        {
        }
    }

    /** @brief Get the goodput from the first data sent to the last byte readable. @return Mb/s */
    double GetGoodput() const
    {
        return 8e-6 * static_cast<double>(m_bytes) / m_flow.GetSpan();
    }

    /** @brief Get both ends. @return them */
    UdtTestFlow& Get()
    {
        return m_flow;
    }

    /** @brief Get the time. @return since the start */
    Time GetNow() const
    {
        return m_path.clock.GetNow();
    }

  private:
    uint64_t m_bytes;   //!< to send
    UdtTestPath m_path; //!< what it goes over
    UdtTestFlow m_flow; //!< both ends
};

} // namespace ns3::lfn::tests

#endif // UDT_TEST_FLOW_H
