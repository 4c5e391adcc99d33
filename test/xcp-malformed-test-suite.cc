// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "xcp-test-dumbbell.h"
#include "xcp-test-forger.h"

#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

using Dumbbell = XcpTestDumbbell;       //!< shorter
using Ports = XcpTestNetwork;           //!< where the sinks' first port is known
constexpr uint16_t XCP_PORT = 9;        //!< where an XCP socket listens
constexpr uint16_t TCP_PORT = 10;       //!< where a TCP socket listens
constexpr uint16_t LATE_PORT = 11;      //!< where another XCP socket listens
constexpr uint8_t SYN = TcpHeader::SYN; //!< the flag
constexpr uint8_t ACK = TcpHeader::ACK; //!< the flag
constexpr uint8_t RST = TcpHeader::RST; //!< the flag
constexpr std::size_t FLAGS_AT = 33;    //!< place of TCP's flags
static_assert(Ports::PORT == XCP_PORT); // of the first flow

/** @brief What has to become of a packet of protocol 253, by the bytes alone. */
struct Fate
{
    bool isHeader{false}; //!< a congestion header begins it
    bool isTcp{false};    //!< and says that TCP follows
    bool isWhole{false};  //!< and so it does, with all of its options
    bool hasNews{false};  //!< there is feedback in it
    uint16_t to{0};       //!< TCP's port
    uint16_t from{0};     //!< TCP's port
    uint8_t flags{0};     //!< TCP's

    /** @brief Look at a packet. */
    explicit Fate(const Bytes& bytes)
    {
        const auto at = [&bytes](std::size_t i) { return i < bytes.size() ? bytes[i] : 0U; };
        isHeader = bytes.size() >= 20 && at(1) == 20 && (at(2) == 0x31 || at(2) == 0x32);
        isTcp = isHeader && at(0) == 6;
        const std::size_t end = 20 + 4 * (at(32) / 16);
        isWhole = isTcp && end >= 40 && end <= bytes.size() && HasOptions(bytes, 40, end);
        hasNews = (at(12) | at(13) | at(14) | at(15)) != 0;
        from = static_cast<uint16_t>(at(20) * 256 + at(21));
        to = static_cast<uint16_t>(at(22) * 256 + at(23));
        flags = static_cast<uint8_t>(at(FLAGS_AT));
    }

  private:
    /** @brief Check whether a list of options comes out even, and each is as long as it must be. */
    static bool HasOptions(const Bytes& bytes, std::size_t at, std::size_t end)
    {
        if (at == end || bytes[at] == 0)
        {
            return true;
        }
        if (bytes[at] == 1)
        {
            return HasOptions(bytes, at + 1, end);
        }
        const std::size_t length = at + 1 < end ? bytes[at + 1] : 0;
        if (length < 2 || length > end - at)
        {
            return false;
        }
        // Maximum segment size, window scale, SACK permitted, timestamps; SACK; all others.
        const std::map<uint8_t, std::size_t> fixed{{2, 4}, {3, 3}, {4, 2}, {8, 10}};
        const auto known = fixed.find(bytes[at]);
        const bool isLong = known == fixed.end() || length == known->second;
        const bool isEven = bytes[at] != 5 || (length - 2) % 8 == 0;
        return isLong && isEven && HasOptions(bytes, at + length, end);
    }
};

/** @brief Counts what arrives to a host, and what should become of it. */
struct ArrivalCounts
{
    uint64_t forged{0};     //!< packets of the forger
    uint64_t malformed{0};  //!< to be refused for that
    uint64_t wrong{0};      //!< to be refused as of wrong length
    uint64_t unexpected{0}; //!< whose feedback is for nobody
    uint64_t perhaps{0};    //!< whose feedback may be for a socket that a forged SYN has made
    uint64_t resets{0};     //!< that TCP has to answer to those to closed ports
    uint64_t answers{0};    //!< resets from closed ports that were sent

    /// A packet comes, of the forger's or not; an XCP socket may have been made for some ports.
    void Book(const Bytes& bytes,
              bool isForged,
              const std::function<bool(uint16_t from, uint16_t to)>& hasOpened)
    {
        const Fate fate(bytes);
        forged += isForged ? 1 : 0;
        if (!fate.isTcp)
        {
            ++malformed;
            return;
        }
        if (!fate.isWhole)
        {
            ++wrong;
            return;
        }
        if ((fate.flags & (SYN | ACK | RST)) == 0)
        {
            ++malformed; // no segment of TCP
            return;
        }
        const bool isClosed = fate.to < XCP_PORT || fate.to > LATE_PORT;
        resets += isClosed && (fate.flags & RST) == 0 ? 1 : 0;
        const bool isForSomebody = !isForged && fate.to != TCP_PORT;
        if (fate.hasNews && !isForSomebody)
        {
            ++(hasOpened(fate.from, fate.to) ? perhaps : unexpected);
        }
    }
};

/// Book what arrives to a host for protocol 253, and the resets that leave it. Notes the ports
/// from which a SYN came, of either XCP port.
void
Observe(bool isIpv6,
        Ptr<Node> host,
        ArrivalCounts& counts,
        Ptr<TransportTopology> topology,
        std::vector<bool>& opened)
{
    const auto book = [&counts, &opened](Ptr<const Packet> packet, bool isForged) {
        const auto bytes = ToBytes(packet);
        const auto index = [](uint16_t from, uint16_t to) {
            return std::size_t{from} + (to == XCP_PORT ? 0 : 65536);
        };
        counts.Book(bytes, isForged, [&](uint16_t from, uint16_t to) {
            return (to == XCP_PORT || to == LATE_PORT) && opened[index(from, to)];
        });
        const Fate fate(bytes);
        const bool isXcp = fate.to == XCP_PORT || fate.to == LATE_PORT;
        if (isForged && isXcp && fate.isWhole && (fate.flags & SYN) != 0)
        {
            opened[index(fate.from, fate.to)] = true;
        }
    };
    const auto answer = [&counts](Ptr<const Packet> packet) {
        const auto bytes = ToBytes(packet);
        const auto port = bytes[0] * 256U + bytes[1];
        const bool isClosed = port < XCP_PORT || port > LATE_PORT;
        counts.answers += isClosed && (bytes[13] & RST) != 0 ? 1 : 0;
    };
    const auto watch = [=]<typename H>(Ptr<Object> ip, uint8_t (H::*number)() const, auto genuine) {
        using Listener = Callback<void, const H&, Ptr<const Packet>, uint32_t>;
        ip->TraceConnectWithoutContext(
            "LocalDeliver",
            Listener([=](const H& header, Ptr<const Packet> packet, uint32_t) {
                if ((header.*number)() == XcpL4Protocol::PROT_NUMBER)
                {
                    book(packet, header.GetSource() != genuine);
                }
            }));
        ip->TraceConnectWithoutContext(
            "SendOutgoing",
            Listener([=](const H& header, Ptr<const Packet> packet, uint32_t) {
                if ((header.*number)() == TcpL4Protocol::PROT_NUMBER)
                {
                    answer(packet);
                }
            }));
    };
    if (isIpv6)
    {
        watch(host->GetObject<Ipv6L3Protocol>(),
              &Ipv6Header::GetNextHeader,
              topology->GetSenderIpv6Address(0));
    }
    else
    {
        watch(host->GetObject<Ipv4L3Protocol>(),
              &Ipv4Header::GetProtocol,
              topology->GetSenderAddress(0));
    }
}

/// Nothing but random bytes.
Bytes
MakeRandom(std::mt19937& random)
{
    Bytes bytes(1 + random() % 120);
    std::ranges::generate(bytes, [&random] { return static_cast<uint8_t>(random()); });
    return bytes;
}

/// A good packet with up to four bytes changed, cut now and then.
Bytes
MakeMutated(std::mt19937& random, bool isOpening)
{
    const uint32_t options = random() % 4 == 0 ? 1 + random() % 10 : 0;
    // Few ports where forged packets can be for the connections of others.
    const auto from = static_cast<uint16_t>(isOpening ? 2000 + random() % 300 : random());
    const auto to = static_cast<uint16_t>(XCP_PORT + random() % 4);
    const auto flags = static_cast<uint8_t>(random());
    auto bytes = ToBytes(MakeForged(from, to, flags, 4 * options + random() % 60));
    bytes[32] = static_cast<uint8_t>((5 + options) << 4);
    for (std::size_t i = 40; i < 40 + 4 * options; ++i)
    {
        bytes[i] = random() % 8 == 0 ? static_cast<uint8_t>(random()) : random() % 5;
    }
    for (uint32_t i = random() % 5; i > 0; --i)
    {
        bytes[random() % 40] = static_cast<uint8_t>(random());
    }
    if (random() % 4 == 0)
    {
        bytes.resize(1 + random() % bytes.size());
    }
    const auto port = Fate(bytes).to;
    if (!isOpening && bytes.size() > FLAGS_AT && (port == XCP_PORT || port == LATE_PORT))
    {
        bytes[FLAGS_AT] &= static_cast<uint8_t>(~SYN);
    }
    return bytes;
}

constexpr uint32_t LEAST_GENUINE = 500;     //!< genuine data packets are larger, [B]
inline const Time STEP = MicroSeconds(700); //!< between two of either kind

/** @brief Noise of protocol 253 through a router and into a host, while a transfer goes on. */
LFN_CASE_OF(XcpNoiseTestCase, bool isIpv6, uint32_t packets, bool isOpening)
{
    const auto law = CreateObject<XcpTestFixedLaw>();
    law->probability = 0.001;
    XcpTestDumbbell network({.bufferBdp = 4, .law = law, .isIpv6 = isIpv6});
    const Time end = MilliSeconds(500) + STEP * packets;
    network.AddFlow(0, true, Time(0), 2000000 + uint64_t{60} * packets);
    network.AddFlow(0, false, Time(0), 500000);
    network.AddFlow(0, true, std::max(end, Seconds(20)) + Seconds(15), 500000);
    const auto host = network.topology->GetReceivers().Get(0);
    const auto shim = host->GetObject<XcpL4Protocol>();
    shim->SetAttribute("EchoTimeout", TimeValue(Seconds(1)));
    std::array<uint64_t, static_cast<std::size_t>(DropReason::COUNT_)> traced{};
    ConnectTrace(shim, "Drop", [&traced](Ptr<const Packet>, DropReason reason) {
        ++traced[static_cast<std::size_t>(reason)];
    });
    ArrivalCounts counts;
    std::vector<bool> opened(2 * 65536);
    Observe(isIpv6, host, counts, network.topology, opened);
    uint64_t lost = 0;
    ConnectTrace(network.disc, "Drop", [&lost](Ptr<const QueueDiscItem> item) {
        lost += item->GetPacket()->GetSize() < LEAST_GENUINE ? 1 : 0;
    });
    XcpTestForger forger(network.topology->GetSenders().Get(1),
                         network.GetAddress(0, 0),
                         XcpL4Protocol::PROT_NUMBER);
    std::mt19937 random(isIpv6 ? 6 : 4);
    uint64_t unreadable = 0;
    std::size_t largest = 0;
    const std::function<void(uint32_t)> step = [&](uint32_t left) {
        for (const auto& bytes : {MakeRandom(random), MakeMutated(random, isOpening)})
        {
            unreadable += Fate(bytes).isHeader ? 0 : 1;
            forger.Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
        }
        largest = std::max(largest, shim->GetFlows());
        if (left > 1)
        {
            Simulator::Schedule(STEP, [&step, left] { step(left - 1); });
        }
    };
    Simulator::Schedule(MilliSeconds(500), [&step, packets] { step(packets); });
    Dumbbell::Run(std::max(end, Seconds(20)) + Seconds(40));
    for (const auto& flow : network.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.IsWhole(), true, "the transfers are whole");
    }
    const auto check = [&](DropReason reason, uint64_t least, uint64_t most) {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(shim->GetDrops(reason), least, reason);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(shim->GetDrops(reason), most, reason);
        NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(reason),
                              traced[static_cast<std::size_t>(reason)],
                              "traced: " << reason);
        NS_TEST_EXPECT_MSG_GT(most, packets / 50, "there are some: " << reason);
    };
    check(DropReason::MALFORMED, counts.malformed, counts.malformed);
    check(DropReason::WRONG_LENGTH, counts.wrong, counts.wrong);
    check(DropReason::UNEXPECTED, counts.unexpected, counts.unexpected + counts.perhaps);
    NS_TEST_EXPECT_MSG_EQ((counts.perhaps > 0), isOpening, "forged SYNs");
    NS_TEST_EXPECT_MSG_EQ(counts.forged + lost, 2 * uint64_t{packets}, "none is missing");
    NS_TEST_EXPECT_MSG_EQ(counts.answers, counts.resets, "what passes comes to TCP");
    NS_TEST_EXPECT_MSG_GT(counts.resets, packets / 50, "some does");
    NS_TEST_EXPECT_MSG_EQ(network.disc->GetMalformedHeaders(), unreadable, "at the router");
    NS_TEST_EXPECT_MSG_GT(unreadable, packets, "which sees all the noise");
    // A second's packets, each of a connection of its own, and as many since the last sweep.
    const auto alive = static_cast<std::size_t>(2 / STEP.GetSeconds());
    NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, 2 * alive + 64, "what is remembered at once");
    NS_TEST_EXPECT_MSG_EQ(shim->GetFlows(), 0, "and in the end");
}

/// Make an error of ICMP about a packet, of which it quotes something; type, code and numbers
/// at random.
Ptr<Packet>
MakeError(std::mt19937& random, Ipv4Address source, Ipv4Address destination, Ptr<Packet> quoted)
{
    Ipv4Header ip;
    ip.SetSource(source);
    ip.SetDestination(destination);
    ip.SetProtocol(XcpL4Protocol::PROT_NUMBER);
    ip.SetPayloadSize(100);
    const auto packet = Create<Packet>();
    Icmpv4Header icmp;
    if (random() % 2 == 0)
    {
        Icmpv4DestinationUnreachable error;
        error.SetHeader(ip);
        error.SetData(quoted);
        error.SetNextHopMtu(static_cast<uint16_t>(random()));
        packet->AddHeader(error);
        icmp.SetType(Icmpv4Header::ICMPV4_DEST_UNREACH);
        icmp.SetCode(random() % 6);
    }
    else
    {
        Icmpv4TimeExceeded error;
        error.SetHeader(ip);
        error.SetData(quoted);
        packet->AddHeader(error);
        icmp.SetType(Icmpv4Header::ICMPV4_TIME_EXCEEDED);
        icmp.SetCode(random() % 2);
    }
    packet->AddHeader(icmp);
    return packet;
}

/** @copydoc MakeError */
Ptr<Packet>
MakeError(std::mt19937& random, Ipv6Address source, Ipv6Address destination, Ptr<Packet> quoted)
{
    const auto packet = quoted->Copy();
    Ipv6Header ip;
    ip.SetSource(source);
    ip.SetDestination(destination);
    ip.SetNextHeader(XcpL4Protocol::PROT_NUMBER);
    ip.SetPayloadLength(100);
    packet->AddHeader(ip);
    const auto code = static_cast<uint8_t>(random());
    const auto number = static_cast<uint32_t>(random());
    const auto add = [&packet, code](auto error) {
        error.SetCode(code);
        error.SetPacket(packet);
        packet->AddHeader(error);
    };
    switch (random() % 4)
    {
    case 0:
        add(Icmpv6DestinationUnreachable());
        break;
    case 1: {
        // ns-3 believes any MTU, which is its own business: none below what IPv6 links have.
        Icmpv6TooBig error;
        error.SetMtu(std::max(number, 1280U));
        add(error);
        break;
    }
    case 2:
        add(Icmpv6TimeExceeded());
        break;
    default: {
        Icmpv6ParameterError error;
        error.SetPtr(number);
        add(error);
        break;
    }
    }
    return packet;
}

/** @brief Errors for every type and code, with anything quoted. */
LFN_CASE_OF(XcpIcmpTestCase, bool isIpv6)
{
    XcpTestDumbbell network({.bufferBdp = 4, .isIpv6 = isIpv6});
    network.AddFlow(0, true, Time(0), 2000000);
    const auto topology = network.topology;
    const auto shim = topology->GetSenders().Get(0)->GetObject<XcpL4Protocol>();
    const Address victim = isIpv6
                               ? Address(Inet6SocketAddress(topology->GetSenderIpv6Address(0), 0))
                               : Address(InetSocketAddress(topology->GetSenderAddress(0), 0));
    XcpTestForger forger(topology->GetReceivers().Get(1), victim, isIpv6 ? 58 : 1);
    std::mt19937 random(8);
    uint64_t traced = 0;
    uint64_t known = 0;
    const auto quotable = MakeForged(49153, XCP_PORT, 0, 10)->CreateFragment(0, 20);
    const auto start = ToBytes(quotable->CreateFragment(0, 8));
    ConnectTrace(shim, "Drop", [&](Ptr<const Packet> packet, DropReason reason) {
        traced += reason == DropReason::UNEXPECTED ? 1 : 0;
        known += ToBytes(packet) == start ? 1 : 0;
    });
    constexpr uint32_t errors = 4000;
    for (uint32_t i = 0; i < errors; ++i)
    {
        const auto quoted = quotable->CreateFragment(0, random() % 2 == 0 ? 8 : 20);
        const auto packet = isIpv6 ? MakeError(random,
                                               topology->GetSenderIpv6Address(0),
                                               topology->GetReceiverIpv6Address(0),
                                               quoted)
                                   : MakeError(random,
                                               topology->GetSenderAddress(0),
                                               topology->GetReceiverAddress(0),
                                               quoted);
        Simulator::Schedule(MilliSeconds(300) + MicroSeconds(250) * i,
                            [&forger, packet] { forger.Send(packet); });
    }
    Dumbbell::Run(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(shim->GetDrops(DropReason::UNEXPECTED), errors, "all are counted");
    NS_TEST_EXPECT_MSG_EQ(traced, errors, "and traced");
    NS_TEST_EXPECT_MSG_EQ(known, errors, "with what they quote");
    NS_TEST_EXPECT_MSG_EQ(network.flows[0].IsWhole(), true, "and do nothing");
    NS_TEST_EXPECT_MSG_LT(network.flows[0].source->GetReport().finish, Seconds(4), "in time");
}

/** @brief Data from ever new ports to a port that listens. */
LFN_CASE_OF(XcpEchoesTestCase, bool isIpv6)
{
    constexpr uint32_t batches = 10;
    constexpr uint32_t batch = 500;
    XcpTestDumbbell network({.bufferBdp = 20, .isIpv6 = isIpv6});
    network.AddFlow(0, true, Time(0), 2000000);
    const auto shim = network.topology->GetReceivers().Get(0)->GetObject<XcpL4Protocol>();
    shim->SetAttribute("EchoTimeout", TimeValue(Seconds(1)));
    XcpTestForger forger(network.topology->GetSenders().Get(1),
                         network.GetAddress(0, 0),
                         XcpL4Protocol::PROT_NUMBER);
    for (uint32_t i = 0; i < batches * batch; ++i)
    {
        // SYN and FIN: the listener drops it. An ACK is answered with a reset, which the shim
        // takes for an end.
        const auto packet = MakeForged(static_cast<uint16_t>(1000 + i), XCP_PORT, 3, 50);
        Simulator::Schedule(Seconds(1) + Seconds(1.5) * (i / batch) +
                                MicroSeconds(200) * (i % batch),
                            [&forger, packet] { forger.Send(packet); });
    }
    std::size_t largest = 0;
    for (uint32_t i = 0; i < 200; ++i)
    {
        Simulator::Schedule(MilliSeconds(100) * i,
                            [&largest, shim] { largest = std::max(largest, shim->GetFlows()); });
    }
    Dumbbell::Run(Seconds(20));
    NS_TEST_EXPECT_MSG_EQ(network.flows[0].IsWhole(), true, "the transfer is whole");
    NS_TEST_EXPECT_MSG_GT(largest, batch - 64, "all of a batch are remembered");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, 2 * batch + 64, "never much more than is alive");
}

/** @brief XCP hosts and routers among packets that nobody should have sent. */
const Suite g_suite("lfn-xcp-malformed", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string noise = " random and mutated packets, ";
    for (const bool isIpv6 : {false, true})
    {
        const std::string ip = isIpv6 ? "IPv6" : "IPv4";
        const auto syns = ip + ", SYNs as well";
        suite.Add(new XcpNoiseTestCase("4000" + noise + ip, isIpv6, 2000, false));
        suite.Add(new XcpNoiseTestCase("4000" + noise + syns, isIpv6, 2000, true));
        suite.Add(new XcpIcmpTestCase("malformed ICMP: " + ip, isIpv6));
        suite.Add(new XcpEchoesTestCase("spoofed data, whose echoes are forgotten: " + ip, isIpv6));
        suite.Add(new XcpNoiseTestCase("40000" + noise + syns, isIpv6, 20000, true),
                  TestCase::Duration::EXTENSIVE);
        suite.Add(new XcpNoiseTestCase("500000" + noise + ip, isIpv6, 250000, false),
                  TestCase::Duration::TAKES_FOREVER);
    }
});

} // namespace
