// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-header.h"
#include "ns3/lfn-gilbert-elliott-error-model.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/lfn-packet-filter.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint32_t PAYLOAD = 1450; //!< user bytes of the paper's datagrams
constexpr double PAYLOAD_BITS = 8.0 * PAYLOAD; //!< user bits of the paper's datagrams
constexpr int64_t NO_TIES = 4096; //!< makes a service end between arrivals

/**
 * @brief Makes a host.
 * @param interruptNs cost of an arrival, [ns]
 * @param readNs cost of reading, [ns]
 * @param moveNs cost of moving, [ns]
 * @param bufferBytes size of the buffer, [B]
 * @return its costs
 */
Ptr<HostCost>
MakeCost(int64_t interruptNs, int64_t readNs, int64_t moveNs, uint32_t bufferBytes)
{
    auto cost = CreateObject<HostCost>();
    cost->SetAttribute("InterruptCost", TimeValue(NanoSeconds(interruptNs)));
    cost->SetAttribute("ReadCost", TimeValue(NanoSeconds(readNs)));
    cost->SetAttribute("MoveCost", TimeValue(NanoSeconds(moveNs)));
    cost->SetAttribute("BufferSize", UintegerValue(bufferBytes));
    return cost;
}

/** @brief The profiles hold the numbers of the papers, and memory passes add up. */
class HostCostTestCase : public TestCase
{
  public:
    HostCostTestCase()
        : TestCase("host cost: profiles and memory passes")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& name : HostCost::GetProfileNames())
        {
            const auto cost = HostCost::FindProfile(name);
            NS_TEST_ASSERT_MSG_EQ(cost.has_value(), true, name << " is listed but unknown");
            NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(*cost), (name != "none"), name);
        }
        NS_TEST_EXPECT_MSG_EQ(HostCost::FindProfile("").has_value(), false, "an unknown name");
        NS_TEST_EXPECT_MSG_EQ(HostCost::FindProfile("Livelock").has_value(), false, "wrong case");

        // The rate at which each profile saturates, from the published measurements.
        CheckSaturation("livelock", true, 617.7);
        CheckSaturation("livelock", false, 878.1);
        CheckSaturation("livelock-fast", true, 1235.4);
        CheckSaturation("constant", true, 643.0);
        CheckSaturation("constant", false, 878.1);
        CheckSaturation("pacing-16us", true, 725.0);

        // 238 MB/s: three passes over each byte leave 635 Mb/s, two leave 952.
        auto memory = MakeCost(0, 0, 0, 1);
        memory->SetAttribute("MemoryBandwidth", DataRateValue(DataRate(1904000000)));
        const double read = memory->GetReadTime(PAYLOAD).GetSeconds();
        const double move = memory->GetMoveTime(PAYLOAD).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / read, 952e6, 1e5, "two passes");
        NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / (read + move), 634.7e6, 1e5, "three passes");
    }

    /**
     * @brief Checks the rate above which a profile loses packets.
     * @param name the profile
     * @param moves whether the application's bytes are moved
     * @param mbps the rate of user bytes, [Mb/s]
     */
    void CheckSaturation(const std::string& name, bool moves, double mbps)
    {
        const auto cost = *HostCost::FindProfile(name);
        Time each = cost->GetInterruptTime() + cost->GetReadTime(PAYLOAD);
        each += moves ? cost->GetMoveTime(PAYLOAD) : Time(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(PAYLOAD_BITS / each.GetSeconds() / 1e6, mbps, 0.1, name);
    }
};

/** @brief A sending host delays packets, never the schedule, and follows its recurrence. */
class HostSendGateTestCase : public TestCase
{
  public:
    HostSendGateTestCase()
        : TestCase("host send gate: departures follow the recurrence")
    {
    }

  private:
    void DoRun() override
    {
        HostSendGate open;
        NS_TEST_EXPECT_MSG_EQ(open.Admit(Time(5), Time(3), 1), Time(5), "never into the past");
        NS_TEST_EXPECT_MSG_EQ(open.Admit(Time(5), Time(9), 1), Time(9), "an open gate");

        std::mt19937_64 random(1);
        for (int trial = 0; trial < 20; ++trial)
        {
            const auto read = static_cast<int64_t>(random() % 20000);
            const auto move = static_cast<int64_t>(random() % 20000);
            const bool moves = random() % 2 == 0;
            HostSendGate gate(MakeCost(777, read, move, 1), moves);
            int64_t wanted = 0;
            int64_t departure = 0;
            for (int i = 0; i < 200; ++i)
            {
                const int64_t now = departure;
                const int64_t hostIsFree = departure + read + (moves ? move : 0);
                departure = i == 0 ? 0 : std::max({now, wanted, hostIsFree});
                const Time admitted =
                    gate.Admit(NanoSeconds(now), NanoSeconds(wanted), PAYLOAD);
                NS_TEST_ASSERT_MSG_EQ(admitted, NanoSeconds(departure), "packet " << i);
                wanted += static_cast<int64_t>(random() % 30000);
            }
        }
    }
};

/** @brief One arriving packet of a HostQueue test. */
struct Arrival
{
    int64_t atNs;      //!< when it arrives, [ns]
    uint32_t bytes;    //!< its size, [B]
    int64_t serviceNs; //!< how long it keeps the processor, [ns]
};

/** @brief What became of one packet. */
struct Outcome
{
    bool isKept{false};     //!< it was not lost
    int64_t deliveredNs{0}; //!< when it was delivered, [ns]

    /**
     * @brief Compares.
     * @param other another outcome
     * @return true when they are equal
     */
    bool operator==(const Outcome& other) const = default;
};

/** @brief A HostQueue is a processor that serves interrupts before packets. */
class HostQueueBruteForceTestCase : public TestCase
{
  public:
    HostQueueBruteForceTestCase()
        : TestCase("host queue: equals a brute-force processor on random arrivals")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(2);
        uint64_t lost = 0;
        for (int trial = 0; trial < 40; ++trial)
        {
            const int64_t interruptNs = NO_TIES * static_cast<int64_t>(random() % 3);
            const auto bufferBytes = static_cast<uint32_t>(random() % 20000);
            const uint64_t spread = 1 + random() % 24;
            std::vector<Arrival> arrivals;
            int64_t at = 0;
            for (int i = 0; i < 300; ++i)
            {
                // Arrivals and interrupts take multiples of NO_TIES, services one more, and there
                // are fewer packets: a service never ends at the instant of an arrival.
                at += NO_TIES * static_cast<int64_t>(random() % spread);
                arrivals.push_back({at,
                                    static_cast<uint32_t>(random() % 3000),
                                    NO_TIES * static_cast<int64_t>(random() % 16) + 1});
            }
            const auto expected = Compute(arrivals, interruptNs, bufferBytes);
            const auto measured = Simulate(arrivals, interruptNs, bufferBytes);
            for (size_t i = 0; i < arrivals.size(); ++i)
            {
                lost += measured[i].isKept ? 0 : 1;
                NS_TEST_ASSERT_MSG_EQ(measured[i].isKept, expected[i].isKept, "packet " << i);
                NS_TEST_ASSERT_MSG_EQ(measured[i].deliveredNs,
                                      expected[i].deliveredNs,
                                      "packet " << i << " of trial " << trial);
            }
        }
        NS_TEST_EXPECT_MSG_GT(lost, 100, "the trials lose packets");
    }

    /**
     * @brief Runs the packets through a processor that is stepped from arrival to arrival: pending
     *        interrupt work first, then the packet in service, then the next one.
     * @param arrivals the packets
     * @param interruptNs cost of an arrival, [ns]
     * @param bufferBytes size of the buffer, [B]
     * @return what becomes of each packet
     */
    static std::vector<Outcome> Compute(const std::vector<Arrival>& arrivals,
                                        int64_t interruptNs,
                                        uint32_t bufferBytes)
    {
        std::vector<Outcome> outcomes(arrivals.size());
        std::deque<size_t> inHost; // the first one is in service
        int64_t clock = 0;
        int64_t interruptWork = 0;
        int64_t serviceWork = 0;
        const auto runUntil = [&](int64_t end) {
            while (clock < end && !inHost.empty())
            {
                const int64_t onInterrupts = std::min(interruptWork, end - clock);
                interruptWork -= onInterrupts;
                clock += onInterrupts;
                const int64_t onService = std::min(serviceWork, end - clock);
                serviceWork -= onService;
                clock += onService;
                if (interruptWork == 0 && serviceWork == 0)
                {
                    outcomes[inHost.front()].deliveredNs = clock;
                    inHost.pop_front();
                    serviceWork = inHost.empty() ? 0 : arrivals[inHost.front()].serviceNs;
                }
            }
            clock = std::max(clock, end);
        };
        for (size_t i = 0; i < arrivals.size(); ++i)
        {
            runUntil(arrivals[i].atNs);
            interruptWork += interruptNs;
            uint64_t waiting = 0;
            for (size_t j = 1; j < inHost.size(); ++j)
            {
                waiting += arrivals[inHost[j]].bytes;
            }
            outcomes[i].isKept = inHost.empty() || waiting + arrivals[i].bytes <= bufferBytes;
            if (outcomes[i].isKept)
            {
                inHost.push_back(i);
                serviceWork = inHost.size() == 1 ? arrivals[i].serviceNs : serviceWork;
            }
        }
        runUntil(INT64_MAX / 2);
        return outcomes;
    }

    /**
     * @brief Runs the packets through a HostQueue.
     * @param arrivals the packets
     * @param interruptNs cost of an arrival, [ns]
     * @param bufferBytes size of the buffer, [B]
     * @return what became of each packet
     */
    static std::vector<Outcome> Simulate(const std::vector<Arrival>& arrivals,
                                         int64_t interruptNs,
                                         uint32_t bufferBytes)
    {
        std::vector<Outcome> outcomes(arrivals.size());
        auto queue = CreateObject<HostQueue>();
        queue->SetCost(MakeCost(interruptNs, 0, 0, bufferBytes));
        std::deque<size_t> kept; // in the order of service, which is the order of arrival
        size_t served = 0;
        queue->SetServiceTime(HostQueue::ServiceTime([&](Ptr<const Packet>) {
            const size_t index = served < kept.size() ? kept[served] : kept.back();
            ++served;
            return NanoSeconds(arrivals[index].serviceNs);
        }));
        size_t delivered = 0;
        queue->SetDeliver(HostQueue::Deliver([&](Ptr<Packet>, const Address&) {
            outcomes[kept[delivered++]].deliveredNs = Simulator::Now().GetNanoSeconds();
        }));
        for (size_t i = 0; i < arrivals.size(); ++i)
        {
            Simulator::Schedule(NanoSeconds(arrivals[i].atNs), [&, i]() {
                // Put on the list first: an idle host asks for the service time at once.
                kept.push_back(i);
                outcomes[i].isKept = queue->Arrive(Create<Packet>(arrivals[i].bytes), Address());
                if (!outcomes[i].isKept)
                {
                    kept.pop_back();
                }
            });
        }
        Simulator::Run();
        queue->Dispose();
        Simulator::Destroy();
        return outcomes;
    }
};

/** @brief A saturated host delivers y = (1 - x c_i) / c_a: the losses of the Quanta paper. */
class HostQueueFluidTestCase : public TestCase
{
  public:
    HostQueueFluidTestCase()
        : TestCase("host queue: livelock and plateau as published")
    {
    }

  private:
    void DoRun() override
    {
        CheckLoss(611, 0.0);
        CheckLoss(617, 0.0);
        CheckLoss(643, 0.050);
        CheckLoss(682, 0.120);
        CheckLoss(725, 0.188);
        CheckLoss(834, 0.331);
        // A host twice as fast, 5 % below what the link carries: below 2 %.
        NS_TEST_EXPECT_MSG_EQ(1.0 - Run("livelock-fast", 834).second, 0.0, "the faster host");
        // No interrupts: a plateau, whatever is sent.
        for (const double mbps : {682.0, 725.0, 834.0, 892.0})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Run("constant", mbps).first, 643.0, 0.5, mbps << " sent");
        }
    }

    /**
     * @brief Checks the share of lost packets in the steady state.
     * @param mbps rate of user bytes sent, [Mb/s]
     * @param published the share that the profile was fitted to or that follows from the fit
     */
    void CheckLoss(double mbps, double published)
    {
        const auto [delivered, share] = Run("livelock", mbps);
        const double x = mbps * 1e6 / PAYLOAD_BITS;
        const double y = (1.0 - x * 4.01e-6) / 14.77e-6;
        const double formula = std::max(0.0, 1.0 - y / x);
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 - share, formula, 0.001, mbps << " Mb/s, fluid formula");
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 - share, published, 0.002, mbps << " Mb/s, published");
        NS_TEST_EXPECT_MSG_EQ_TOL(delivered, mbps * (1.0 - formula), 1.0, mbps << " Mb/s, rate");
    }

    /**
     * @brief Sends datagrams at a constant rate into a host that is already busy.
     * @param profile the host
     * @param mbps rate of user bytes sent, [Mb/s]
     * @return rate of user bytes delivered, [Mb/s], and share of the arriving packets kept
     */
    static std::pair<double, double> Run(const std::string& profile, double mbps)
    {
        constexpr int WARM_UP = 5000;
        constexpr int MEASURED = 20000;
        const auto period =
            NanoSeconds(static_cast<int64_t>(std::llround(PAYLOAD_BITS * 1e3 / mbps)));
        auto queue = CreateObject<HostQueue>();
        queue->SetCost(*HostCost::FindProfile(profile));
        int arrived = 0;
        int kept = 0;
        int delivered = 0;
        queue->SetDeliver(HostQueue::Deliver(
            [&](Ptr<Packet>, const Address&) { delivered += arrived > WARM_UP ? 1 : 0; }));
        const auto packet = Create<Packet>(PAYLOAD);
        std::function<void()> arrive = [&]() {
            const bool isKept = queue->Arrive(packet, Address());
            kept += isKept && arrived >= WARM_UP ? 1 : 0;
            if (++arrived < WARM_UP + MEASURED)
            {
                Simulator::Schedule(period, arrive);
            }
            else
            {
                Simulator::Stop();
            }
        };
        Simulator::ScheduleNow(arrive);
        Simulator::Run();
        queue->Dispose();
        Simulator::Destroy();
        const double seconds = MEASURED * period.GetSeconds();
        return {delivered * PAYLOAD_BITS / seconds / 1e6, static_cast<double>(kept) / MEASURED};
    }
};

/** @brief Nothing is delivered after Clear(), Dispose() or destruction; reentrance is allowed. */
class HostQueueLifeTestCase : public TestCase
{
  public:
    HostQueueLifeTestCase()
        : TestCase("host queue: no cost, clear, dispose, destroy, reentrance")
    {
    }

  private:
    void DoRun() override
    {
        int delivered = 0;
        const auto count =
            HostQueue::Deliver([&](Ptr<Packet>, const Address&) { ++delivered; });
        const auto packet = Create<Packet>(100);
        const auto cost = MakeCost(10, 1000, 0, 1000);

        auto free = CreateObject<HostQueue>();
        free->SetDeliver(count);
        NS_TEST_EXPECT_MSG_EQ(free->Arrive(packet, Address()), true, "a host without cost");
        NS_TEST_EXPECT_MSG_EQ(delivered, 1, "delivers at once");
        NS_TEST_EXPECT_MSG_EQ(free->IsIdle(), true, "and stays idle");

        // One in service, three waiting; then they are forgotten in three ways.
        std::vector<Ptr<HostQueue>> queues;
        for (int i = 0; i < 4; ++i)
        {
            auto queue = CreateObject<HostQueue>();
            queue->SetCost(cost);
            queue->SetDeliver(count);
            for (int k = 0; k < 4; ++k)
            {
                queue->Arrive(packet, Address());
            }
            NS_TEST_EXPECT_MSG_EQ(queue->GetWaitingPackets(), 3, "one is in service");
            NS_TEST_EXPECT_MSG_EQ(queue->GetWaitingBytes(), 300, "the others wait");
            queues.push_back(queue);
        }
        delivered = 0;
        queues[0]->Clear();
        NS_TEST_EXPECT_MSG_EQ(queues[0]->IsIdle(), true, "cleared");
        NS_TEST_EXPECT_MSG_EQ(queues[0]->GetWaitingBytes(), 0, "cleared");
        queues[1]->Dispose();
        queues[2] = nullptr;
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(delivered, 4, "only the fourth delivers");

        // A cleared queue works again.
        queues[0]->Arrive(packet, Address());
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(delivered, 5, "used again");

        // The taker hands in another packet, and finally drops the queue.
        auto queue = CreateObject<HostQueue>();
        queue->SetCost(cost);
        int turns = 0;
        queue->SetDeliver(HostQueue::Deliver([&](Ptr<Packet> back, const Address&) {
            if (++turns < 3)
            {
                queue->Arrive(back, Address());
                return;
            }
            queue->Dispose();
            queue = nullptr;
        }));
        queue->Arrive(packet, Address());
        queue->Arrive(packet, Address());
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(turns, 3, "the queue ends with its third packet");
        Simulator::Destroy();
    }
};

/** @brief The filter reads real frames, and any bytes at all. */
class PacketFilterTestCase : public TestCase
{
  public:
    PacketFilterTestCase()
        : TestCase("packet filter: real frames, built headers, hostile bytes")
    {
    }

  private:
    void DoRun() override
    {
        CheckFrames(false);
        CheckFrames(true);
        CheckBuiltHeaders();
        CheckHostileBytes();
    }

    /**
     * @brief Sends a small and a fragmented datagram over a link and filters what arrives.
     * @param useIpv6 IPv6 instead of IPv4
     */
    void CheckFrames(bool useIpv6)
    {
        NodeContainer nodes(2);
        const NetDeviceContainer devices = PointToPointHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        Address remote;
        if (useIpv6)
        {
            Ipv6AddressHelper addresses;
            remote = Inet6SocketAddress(addresses.Assign(devices).GetAddress(1, 1), 4242);
        }
        else
        {
            Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
            remote = InetSocketAddress(addresses.Assign(devices).GetAddress(1), 4242);
        }
        std::vector<Ptr<const Packet>> frames;
        auto model = CreateObject<ScriptedErrorModel>();
        const PacketFilter udp{.ipProtocol = 17};
        const PacketFilter fragment{.ipProtocol = useIpv6 ? 44 : 17};
        model->SetFilter(ScriptedErrorModel::Filter([&](Ptr<const Packet> packet) {
            if (udp.Matches(packet) || fragment.Matches(packet))
            {
                frames.push_back(packet->Copy());
            }
            return false;
        }));
        devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        for (const uint32_t size : {100U, 4000U})
        {
            Simulator::Schedule(Seconds(3 + size / 1000.0), [&, size]() {
                socket->Connect(remote);
                socket->Send(Create<Packet>(size));
            });
        }
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        Simulator::Destroy();

        NS_TEST_ASSERT_MSG_EQ(frames.size(), 4, "one small datagram and three fragments");
        const PacketFilter port{.destinationPort = 4242};
        const PacketFilter otherPort{.destinationPort = 4243};
        const PacketFilter wrongWay{.sourcePort = 4242};
        const uint32_t small = 100 + 8 + (useIpv6 ? 40 : 20);
        const PacketFilter exactly{.minBytes = small, .maxBytes = small};
        for (size_t i = 0; i < frames.size(); ++i)
        {
            const bool hasPorts = i < 2; // the second and third fragment have none
            NS_TEST_EXPECT_MSG_EQ(PacketFilter{}.Matches(frames[i]), true, "an empty filter");
            NS_TEST_EXPECT_MSG_EQ(udp.Matches(frames[i]), true, "UDP " << i);
            NS_TEST_EXPECT_MSG_EQ(port.Matches(frames[i]), hasPorts, "port of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(otherPort.Matches(frames[i]), false, "another port");
            NS_TEST_EXPECT_MSG_EQ(wrongWay.Matches(frames[i]), false, "the other direction");
            NS_TEST_EXPECT_MSG_EQ(exactly.Matches(frames[i]), (i == 0), "size of frame " << i);
        }
    }

    /** @brief Random headers, with and without PPP, against filters of the same fields. */
    void CheckBuiltHeaders()
    {
        std::mt19937 random(3);
        for (int trial = 0; trial < 2000; ++trial)
        {
            const auto source = static_cast<uint16_t>(random());
            const auto destination = static_cast<uint16_t>(random());
            const bool isIpv4 = random() % 2 == 0;
            const uint32_t payload = random() % 1400;
            auto packet = Create<Packet>(payload);
            UdpHeader udp;
            udp.SetSourcePort(source);
            udp.SetDestinationPort(destination);
            packet->AddHeader(udp);
            const auto ipPayload = static_cast<uint16_t>(packet->GetSize());
            if (isIpv4)
            {
                Ipv4Header ip;
                ip.SetProtocol(17);
                ip.SetPayloadSize(ipPayload);
                packet->AddHeader(ip);
            }
            else
            {
                Ipv6Header ip;
                ip.SetNextHeader(17);
                ip.SetPayloadLength(ipPayload);
                packet->AddHeader(ip);
            }
            const uint32_t bytes = packet->GetSize();
            if (random() % 2 == 0)
            {
                PppHeader ppp;
                ppp.SetProtocol(isIpv4 ? 0x0021 : 0x0057);
                packet->AddHeader(ppp);
            }
            PacketFilter filter{.ipProtocol = 17,
                                .sourcePort = source,
                                .destinationPort = destination,
                                .minBytes = bytes,
                                .maxBytes = bytes};
            NS_TEST_ASSERT_MSG_EQ(filter.Matches(packet), true, "every field agrees");
            Disagree(filter, random() % 5);
            NS_TEST_ASSERT_MSG_EQ(filter.Matches(packet), false, "one field does not");
            const auto shortened = packet->CreateFragment(0, random() % 20);
            NS_TEST_ASSERT_MSG_EQ(PacketFilter{}.Matches(shortened), false, "cut in the header");
        }
    }

    /**
     * @brief Makes one field of a filter disagree.
     * @param filter the filter
     * @param field which field
     */
    static void Disagree(PacketFilter& filter, uint32_t field)
    {
        switch (field)
        {
        case 0:
            filter.ipProtocol = 6;
            break;
        case 1:
            filter.sourcePort = static_cast<uint16_t>(*filter.sourcePort + 1);
            break;
        case 2:
            filter.destinationPort = static_cast<uint16_t>(*filter.destinationPort + 1);
            break;
        case 3:
            ++*filter.minBytes;
            break;
        default:
            --*filter.maxBytes;
            break;
        }
    }

    /** @brief Random bytes of any length, many of them beginning like an IP packet. */
    void CheckHostileBytes()
    {
        std::mt19937 random(4);
        const PacketFilter filter{.sourcePort = 1, .destinationPort = 2};
        std::vector<uint8_t> bytes(220);
        uint32_t matches = 0;
        for (int trial = 0; trial < 50000; ++trial)
        {
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(random());
            }
            const size_t ip = random() % 2 == 0 ? 2 : 0;
            bytes[0] = 0;
            bytes[1] = random() % 2 == 0 ? 0x21 : 0x57;
            bytes[ip] = static_cast<uint8_t>((random() % 2 == 0 ? 0x40 : 0x60) | (random() % 16));
            // Chains of extension headers, some longer than the packet.
            bytes[ip + 6] = random() % 2 == 0 ? 0 : 44;
            bytes[ip + 40] = random() % 2 == 0 ? 60 : 43;
            const auto packet = Create<Packet>(bytes.data(), random() % bytes.size());
            matches += filter.Matches(packet) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_LT(matches, 100, "two random ports hardly ever agree");
    }
};

/** @brief A script loses exactly the packets that it names. */
class ScriptedErrorModelTestCase : public TestCase
{
  public:
    ScriptedErrorModelTestCase()
        : TestCase("scripted error model: counts, loses, parses")
    {
    }

  private:
    void DoRun() override
    {
        auto model = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue("7,3"));
        model->Drop(11);
        model->SetFilter(ScriptedErrorModel::Filter(
            [](Ptr<const Packet> packet) { return packet->GetSize() > 50; }));
        for (int repetition = 0; repetition < 2; ++repetition)
        {
            std::string lost;
            for (int i = 1; i <= 20; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(50)), false, "not meant");
                lost += model->IsCorrupt(Create<Packet>(51)) ? std::to_string(i) + " " : "";
            }
            NS_TEST_EXPECT_MSG_EQ(lost, "3 7 11 ", "the third, seventh and eleventh");
            NS_TEST_EXPECT_MSG_EQ(model->GetMatched(), 20, "counted");
            NS_TEST_EXPECT_MSG_EQ(model->GetDropped(), 3, "lost");
            model->Reset(); // and the script begins anew
        }
        NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "3,7,11", "in rising order");
        for (const auto* bad : {"0", ",", "1,", ",1", "1,,2", "1;2", " 1", "-1", "1.5", "ALL", "x"})
        {
            NS_TEST_EXPECT_MSG_EQ(model->SetScript(bad), false, "\"" << bad << "\"");
        }
        NS_TEST_EXPECT_MSG_EQ(model->SetScript("18446744073709551616"), false, "too large");
        NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "3,7,11", "a bad script changes nothing");
        NS_TEST_EXPECT_MSG_EQ(model->SetScript(""), true, "an empty script");
        NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(99)), false, "loses nothing");
        NS_TEST_EXPECT_MSG_EQ(model->SetScript("all"), true, "everything");
        NS_TEST_EXPECT_MSG_EQ(model->GetScript(), "all", "everything");
        NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(99)), true, "is lost");
        NS_TEST_EXPECT_MSG_EQ(model->IsCorrupt(Create<Packet>(9)), false, "that matches");
        model->Dispose();
    }
};

/** @brief Mean loss and mean burst length are those of the closed form. */
class GilbertElliottTestCase : public TestCase
{
  public:
    GilbertElliottTestCase()
        : TestCase("Gilbert-Elliott: stationary loss, burst length, streams")
    {
    }

  private:
    void DoRun() override
    {
        CheckLoss(0.02, 0.25, 0.0, 1.0);
        CheckLoss(0.01, 0.10, 0.005, 0.7);
        CheckLoss(0.50, 0.50, 0.1, 0.1); // both states alike: independent losses
        CheckBursts();
        CheckStart();
        CheckCertainties();
        CheckStreams();
    }

    /**
     * @brief Makes a model.
     * @param p probability to turn bad
     * @param r probability to turn good
     * @param good loss in the good state
     * @param bad loss in the bad state
     * @return the model
     */
    static Ptr<GilbertElliottErrorModel> Make(double p, double r, double good, double bad)
    {
        auto model = CreateObjectWithAttributes<GilbertElliottErrorModel>("GoodToBad",
                                                                          DoubleValue(p),
                                                                          "BadToGood",
                                                                          DoubleValue(r),
                                                                          "LossInGood",
                                                                          DoubleValue(good),
                                                                          "LossInBad",
                                                                          DoubleValue(bad));
        model->AssignStreams(7);
        return model;
    }

    /**
     * @brief Compares the share of lost packets with the closed form.
     * @param p probability to turn bad
     * @param r probability to turn good
     * @param good loss in the good state
     * @param bad loss in the bad state
     */
    void CheckLoss(double p, double r, double good, double bad)
    {
        constexpr int PACKETS = 200000;
        const auto model = Make(p, r, good, bad);
        const auto packet = Create<Packet>();
        int lost = 0;
        for (int i = 0; i < PACKETS; ++i)
        {
            lost += model->IsCorrupt(packet) ? 1 : 0;
        }
        const double share = p / (p + r);
        const double mean = share * bad + (1.0 - share) * good;
        // Correlated samples: the variance of the state's share grows by (1+rho)/(1-rho).
        const double rho = 1.0 - p - r;
        const double ofState = share * (1.0 - share) * (bad - good) * (bad - good);
        const double error =
            std::sqrt((mean * (1.0 - mean) + ofState * 2.0 * rho / (1.0 - rho)) / PACKETS);
        NS_TEST_EXPECT_MSG_EQ_TOL(model->GetMeanLoss(), mean, 1e-12, "closed form");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / PACKETS, mean, 4 * error, "mean");
        NS_TEST_EXPECT_MSG_EQ(model->GetDropped(), static_cast<uint64_t>(lost), "counted");
    }

    /** @brief With sure loss in the bad state, bursts last 1/r packets on average. */
    void CheckBursts()
    {
        constexpr double R = 0.2;
        const auto model = Make(0.02, R, 0.0, 1.0);
        const auto packet = Create<Packet>();
        int lost = 0;
        int bursts = 0;
        bool before = false;
        for (int i = 0; i < 200000; ++i)
        {
            const bool isLost = model->IsCorrupt(packet);
            lost += isLost ? 1 : 0;
            bursts += isLost && !before ? 1 : 0;
            before = isLost;
        }
        const double error = std::sqrt((1.0 - R) / (R * R) / bursts);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / bursts, 1.0 / R, 4 * error, "1/r");
    }

    /** @brief Already the first packet meets the stationary chain. */
    void CheckStart()
    {
        constexpr int TRIALS = 20000;
        const auto model = Make(0.001, 0.004, 0.0, 1.0);
        int lost = 0;
        for (int i = 0; i < TRIALS; ++i)
        {
            lost += model->IsCorrupt(Create<Packet>()) ? 1 : 0;
            model->Reset();
        }
        const double error = std::sqrt(0.2 * 0.8 / TRIALS);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost) / TRIALS, 0.2, 4 * error, "start");
    }

    /** @brief Probabilities of 0 and 1 are exact. */
    void CheckCertainties()
    {
        const auto never = Make(0.0, 0.0, 0.0, 1.0);
        const auto always = Make(1.0, 0.0, 0.0, 1.0);
        const auto alternating = Make(1.0, 1.0, 0.0, 1.0);
        bool before = alternating->IsCorrupt(Create<Packet>());
        for (int i = 0; i < 1000; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(never->IsCorrupt(Create<Packet>()), false, "never bad");
            NS_TEST_ASSERT_MSG_EQ(always->IsCorrupt(Create<Packet>()), true, "always bad");
            const bool isLost = alternating->IsCorrupt(Create<Packet>());
            NS_TEST_ASSERT_MSG_EQ(isLost, (!before), "every second one");
            before = isLost;
        }
    }

    /** @brief Equal streams lose the same packets, others do not. */
    void CheckStreams()
    {
        std::string lost[3];
        for (int i = 0; i < 3; ++i)
        {
            const auto model = Make(0.1, 0.3, 0.0, 1.0);
            NS_TEST_EXPECT_MSG_EQ(model->AssignStreams(i < 2 ? 100 : 101), 1, "one stream");
            for (int k = 0; k < 500; ++k)
            {
                lost[i] += model->IsCorrupt(Create<Packet>()) ? 'x' : '.';
            }
        }
        NS_TEST_EXPECT_MSG_EQ(lost[0], lost[1], "the same stream");
        NS_TEST_EXPECT_MSG_NE(lost[0], lost[2], "another stream");
    }
};

/** @brief The suite of model/path. */
class LfnPathTestSuite : public TestSuite
{
  public:
    LfnPathTestSuite()
        : TestSuite("lfn-path", Type::UNIT)
    {
        AddTestCase(new HostCostTestCase, Duration::QUICK);
        AddTestCase(new HostSendGateTestCase, Duration::QUICK);
        AddTestCase(new HostQueueBruteForceTestCase, Duration::QUICK);
        AddTestCase(new HostQueueFluidTestCase, Duration::QUICK);
        AddTestCase(new HostQueueLifeTestCase, Duration::QUICK);
        AddTestCase(new PacketFilterTestCase, Duration::QUICK);
        AddTestCase(new ScriptedErrorModelTestCase, Duration::QUICK);
        AddTestCase(new GilbertElliottTestCase, Duration::QUICK);
    }
};

const LfnPathTestSuite g_lfnPathTestSuite; //!< registers itself

} // namespace
