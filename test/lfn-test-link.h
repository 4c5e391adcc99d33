// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_LINK_H
#define LFN_TEST_LINK_H

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/point-to-point-channel.h"

#include <vector>

namespace ns3::lfn::tests
{

inline const Time DELAY = MilliSeconds(10);    //!< of the channel
inline const Time INTERVAL = MicroSeconds(10); //!< between two packets

/** @brief What came in one direction. */
struct Journey
{
    std::vector<Time> sent;     //!< last bit at the sender, in the order of sending
    std::vector<uint32_t> came; //!< packets in the order of arrival
    std::vector<Time> arrived;  //!< last bit at the receiver, by packet

    /// The time that each packet was under way, by packet, [s].
    std::vector<double> Delays() const
    {
        std::vector<double> delays;
        delays.reserve(sent.size());
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            delays.push_back((arrived[i] - sent[i]).GetSeconds());
        }
        return delays;
    }
};

/** @brief Two devices and a channel; packets go both ways at equal intervals. */
class Link : public TestSimulation
{
  public:
    /// Connect two devices by a channel with a delay.
    explicit Link(Ptr<PointToPointChannel> channel, Time delay = DELAY)
        : m_channel(channel)
    {
        channel->SetAttribute("Delay", TimeValue(delay));
        NodeContainer nodes;
        nodes.Create(2);
        for (uint32_t i = 0; i < 2; ++i)
        {
            auto device = CreateObject<PointToPointNetDevice>();
            device->SetAttribute("DataRate", DataRateValue(DataRate("10Gbps")));
            nodes.Get(i)->AddDevice(device);
            device->SetQueue(CreateObject<DropTailQueue<Packet>>());
            device->Attach(channel);
            auto& journey = m_journeys[i];
            ConnectTrace(device, "PhyTxEnd", [&journey](Ptr<const Packet>) {
                journey.sent.push_back(Simulator::Now());
                journey.arrived.emplace_back();
            });
            m_devices[i] = device;
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            auto& journey = m_journeys[i];
            ConnectTrace(m_devices[1 - i], "PhyRxEnd", [&journey](Ptr<const Packet> packet) {
                // Behind the frame's header of 2 bytes the packet's number.
                std::array<uint8_t, 6> bytes;
                packet->CopyData(bytes.data(), bytes.size());
                const uint32_t number = bytes[2] << 24 | bytes[3] << 16 | bytes[4] << 8 | bytes[5];
                journey.came.push_back(number);
                journey.arrived.at(number) = Simulator::Now();
            });
        }
    }

    /**
     * @brief Sends packets, the first at once.
     * @param device the device that sends
     * @param packets how many
     * @param interval between two of them
     */
    void Send(uint32_t device, uint32_t packets, Time interval = INTERVAL)
    {
        const auto sender = m_devices[device];
        for (uint32_t i = 0; i < packets; ++i)
        {
            Simulator::Schedule(interval * i, [sender, i] {
                const std::array<uint8_t, 4> bytes{static_cast<uint8_t>(i >> 24),
                                                   static_cast<uint8_t>(i >> 16),
                                                   static_cast<uint8_t>(i >> 8),
                                                   static_cast<uint8_t>(i)};
                sender->Send(Create<Packet>(bytes.data(), 4), sender->GetBroadcast(), 0x0800);
            });
        }
    }

    /// Change the probability that a packet is held, from one on.
    void ChangeProbability(uint32_t packet, double probability)
    {
        Simulator::Schedule(INTERVAL * packet - INTERVAL / 2, [this, probability] {
            m_channel->SetAttribute("Probability", DoubleValue(probability));
        });
    }

    /// Change the delay in the middle of the run.
    void ChangeDelay(Time when, Time delay)
    {
        Simulator::Schedule(when, [channel = m_channel, delay] {
            channel->SetAttribute("Delay", TimeValue(delay));
        });
    }

    /// Run to the end: the journeys of the packets from either device.
    const std::array<Journey, 2>& Run()
    {
        Simulator::Run();
        m_end = Simulator::Now();
        return m_journeys;
    }

    /// The time of the last event.
    Time GetEnd() const
    {
        return m_end;
    }

  private:
    Ptr<PointToPointChannel> m_channel;                    //!< the channel
    std::array<Ptr<PointToPointNetDevice>, 2> m_devices{}; //!< its ends
    std::array<Journey, 2> m_journeys;                     //!< by sending device
    Time m_end;                                            //!< last event
};

} // namespace ns3::lfn::tests

#endif // LFN_TEST_LINK_H
