// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-bytes.h"
#include "lfn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-route.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-segment-dispatch.h"

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * What a node with TcpSegmentDispatch does with a segment, compared with ns-3's TcpL4Protocol.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

constexpr uint16_t PORT = 80;         //!< of the node
constexpr uint16_t PEER_PORT = 49153; //!< of its peer
constexpr std::size_t OFFSET = 12;    //!< where the length of a header is

/** @brief TCP that counts what it receives; ns-3 may end the program for a header not whole. */
class CountingTcp : public TcpL4Protocol
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::tests::CountingTcp").SetParent<TcpL4Protocol>();
        return tid;
    }

    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> interface) override
    {
        return Count(packet, header, interface);
    }

    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> interface) override
    {
        return Count(packet, header, interface);
    }

    uint32_t received{0}; //!< segments

  private:
    /** @brief Count, and receive. */
    template <typename Header, typename Interface>
    RxStatus Count(Ptr<Packet> packet, const Header& header, Ptr<Interface> interface)
    {
        ++received;
        const auto bytes = ToBytes(packet);
        const bool isWhole = bytes.size() >= 20 && bytes[OFFSET] / 16 * 4U <= bytes.size();
        return isWhole ? TcpL4Protocol::Receive(packet, header, interface) : RX_OK;
    }
};

/** @brief IPv4. */
struct V4
{
    using Header = Ipv4Header;               //!< its header
    using Interface = Ipv4Interface;         //!< its interfaces
    using Protocol = Ipv4L3Protocol;         //!< itself
    using Endpoint = Ipv4EndPoint;           //!< an endpoint of TCP
    static constexpr auto NODE = "10.0.0.1"; //!< address of the node
    static constexpr auto PEER = "10.0.0.2"; //!< address of its peer

    /** @brief Make an endpoint. @return it */
    template <typename... T>
    static Ipv4EndPoint* Allocate(TcpL4Protocol& tcp, const T&... of)
    {
        return tcp.Allocate(nullptr, of...);
    }
};

/** @brief IPv6. */
struct V6
{
    using Header = Ipv6Header;              //!< its header
    using Interface = Ipv6Interface;        //!< its interfaces
    using Protocol = Ipv6L3Protocol;        //!< itself
    using Endpoint = Ipv6EndPoint;          //!< an endpoint of TCP
    static constexpr auto NODE = "2001::1"; //!< address of the node
    static constexpr auto PEER = "2001::2"; //!< address of its peer

    /** @brief Make an endpoint. @return it */
    template <typename... T>
    static Ipv6EndPoint* Allocate(TcpL4Protocol& tcp, const T&... of)
    {
        return tcp.Allocate6(nullptr, of...);
    }
};

/** @brief A node that writes down what its TCP hands to endpoints and sends. */
template <typename Ip>
class Host
{
  public:
    using IpAddress = decltype(typename Ip::Header().GetSource()); //!< an address

    /** @brief A node without endpoints. */
    explicit Host(bool isDispatched)
    {
        const auto node = CreateObject<Node>();
        node->AggregateObject(CreateObject<Ipv4L3Protocol>());
        node->AggregateObject(CreateObject<Ipv6L3Protocol>());
        node->AggregateObject(tcp);
        tcp->SetDownTarget(MakeDown<Ipv4Address, Ipv4Route>());
        tcp->SetDownTarget6(MakeDown<Ipv6Address, Ipv6Route>());
        if (isDispatched)
        {
            TcpSegmentDispatch::Install(node);
        }
        interface->SetDevice(device);
        protocol = node->GetObject<typename Ip::Protocol>()->GetProtocol(6);
    }

    /** @brief Write down what an endpoint gets. @return the same */
    template <typename Endpoint>
    Endpoint* Watch(Endpoint* endpoint)
    {
        const auto note = [this](Ptr<Packet> packet, const auto& header, uint16_t port, auto in) {
            Write("up", header.GetSource(), header.GetDestination(), packet)
                << port << (in ? " interface" : " none");
        };
        if constexpr (std::is_same_v<Endpoint, Ipv4EndPoint>)
        {
            endpoint->SetRxCallback(
                Callback<void, Ptr<Packet>, Ipv4Header, uint16_t, Ptr<Ipv4Interface>>(note));
        }
        else
        {
            endpoint->SetRxCallback(
                Callback<void, Ptr<Packet>, Ipv6Header, uint16_t, Ptr<Ipv6Interface>>(note));
        }
        return endpoint;
    }

    /** @brief Make an endpoint of a connection. @return it */
    typename Ip::Endpoint* Connect()
    {
        auto* const endpoint =
            Ip::Allocate(*tcp, IpAddress(Ip::NODE), PORT, IpAddress(Ip::PEER), PEER_PORT);
        endpoint->SetIcmpCallback(Callback<void, IpAddress, uint8_t, uint8_t, uint8_t, uint32_t>(
            [this](IpAddress source, uint8_t, uint8_t, uint8_t, uint32_t info) {
                log << "icmp " << source << " " << info << ";";
            }));
        return Watch(endpoint);
    }

    /** @brief Receive a segment. */
    void Receive(const Bytes& segment)
    {
        typename Ip::Header header;
        header.SetSource(IpAddress(Ip::PEER));
        header.SetDestination(IpAddress(Ip::NODE));
        log << "status " << protocol->Receive(ToPacket(segment), header, interface) << ";";
    }

    /** @brief Receive what ICMP says of a segment of the connection. */
    void ReceiveIcmp()
    {
        const Bytes ports{PORT >> 8, PORT & 255, PEER_PORT >> 8, PEER_PORT & 255, 0, 0, 0, 0};
        const IpAddress node(Ip::NODE);
        const IpAddress peer(Ip::PEER);
        protocol->ReceiveIcmp(peer, 64, 3, 4, 1280, node, peer, ports.data());
    }

    Ptr<CountingTcp> tcp{CreateObject<CountingTcp>()};            //!< its TCP
    Ptr<IpL4Protocol> protocol;                                   //!< what IP hands segments to
    Ptr<SimpleNetDevice> device{CreateObject<SimpleNetDevice>()}; //!< where segments come in
    Ptr<typename Ip::Interface> interface{CreateObject<typename Ip::Interface>()}; //!< the same
    std::ostringstream log; //!< what became of them

  private:
    /** @brief Write down a segment. @return the log */
    template <typename A>
    std::ostream& Write(const char* what, A from, A to, Ptr<Packet> packet)
    {
        log << what << " " << from << " " << to << " ";
        for (const auto byte : ToBytes(packet))
        {
            log << uint32_t{byte} << ",";
        }
        return log;
    }

    /** @brief Make a target of what TCP sends. @return it */
    template <typename A, typename Route>
    Callback<void, Ptr<Packet>, A, A, uint8_t, Ptr<Route>> MakeDown()
    {
        return Callback<void, Ptr<Packet>, A, A, uint8_t, Ptr<Route>>(
            [this](Ptr<Packet> packet, A from, A to, uint8_t protocolNumber, Ptr<Route>) {
                Write("down", from, to, packet) << uint32_t{protocolNumber} << ";";
            });
    }
};

/** @brief Make a segment of the peer. @return its header */
TcpHeader
MakeHeader()
{
    TcpHeader header;
    header.SetSourcePort(PEER_PORT);
    header.SetDestinationPort(PORT);
    header.SetFlags(TcpHeader::ACK);
    header.SetSequenceNumber(SequenceNumber32(1000));
    header.SetAckNumber(SequenceNumber32(2000));
    return header;
}

/** @brief Set the length that a header names, in words of 32 bits. @return the segment */
Bytes
WithOffset(Bytes segment, uint8_t words)
{
    segment[OFFSET] = words * 16;
    return segment;
}

/** @brief Sends the same segments to both. */
template <typename Ip>
class SameCase : public Case
{
    using Case::Case;
    using Endpoint = typename Ip::Endpoint;
    using Prepare = std::function<void(Host<Ip>&)>; //!< opens what a host has

    /** @brief Compare what becomes of a segment. */
    void Check(const std::string& name, bool isDirect, const Bytes& segment, const Prepare& prepare)
    {
        Host<Ip> theirs(false);
        Host<Ip> ours(true);
        NS_TEST_ASSERT_MSG_NE(DynamicCast<TcpSegmentDispatch>(ours.protocol), nullptr, name);
        for (auto* const host : {&theirs, &ours})
        {
            prepare(*host);
            host->Receive(segment);
        }
        NS_TEST_EXPECT_MSG_EQ(ours.log.str(), theirs.log.str(), name);
        NS_TEST_EXPECT_MSG_GT(theirs.tcp->received, 0, name << ": ns-3 receives it");
        NS_TEST_EXPECT_MSG_EQ(ours.tcp->received,
                              (isDirect ? 0 : theirs.tcp->received),
                              name << ": whether TcpL4Protocol receives it");
    }

    void DoRun() override
    {
        const auto connect = [](Host<Ip>& host) { host.Connect(); };
        const auto listen = [](Host<Ip>& host) { host.Watch(Ip::Allocate(*host.tcp, PORT)); };
        const auto header = MakeHeader();
        const auto data = Join(header, Bytes(100, 7));
        auto stamped = header;
        stamped.AppendOption(CreateObject<TcpOptionTS>());
        Check("an acknowledgement", true, Join(header), connect);
        Check("data", true, data, connect);
        Check("time stamps", true, Join(stamped, Bytes(100, 7)), connect);
        Check("a listener", true, data, listen);
        Check("a connection of a listener", true, data, [&](Host<Ip>& host) {
            listen(host);
            connect(host);
        });
        Check("its device", true, data, [](Host<Ip>& host) {
            host.Connect()->BindToNetDevice(host.device);
        });
        Check("another device", false, data, [](Host<Ip>& host) {
            host.Connect()->BindToNetDevice(CreateObject<SimpleNetDevice>());
        });
        Check("an endpoint that does not receive", false, data, [](Host<Ip>& host) {
            host.Connect()->SetRxEnabled(false);
        });
        Check("no endpoint", false, data, [](Host<Ip>&) {});
        auto reset = header;
        reset.SetFlags(TcpHeader::RST);
        Check("a reset without endpoint", false, Join(reset), [](Host<Ip>&) {});
        auto other = header;
        other.SetDestinationPort(PORT + 1);
        Check("another port", false, Join(other), connect);
        other = header;
        other.SetSourcePort(PEER_PORT + 1);
        Check("another port of the peer", false, Join(other), connect);
        CheckMalformed(data, connect, listen);
        CheckSums(header, connect);
        CheckIcmp();
        if constexpr (std::is_same_v<Ip, V4>)
        {
            Check("an IPv4-mapped endpoint", false, data, [](Host<Ip>& host) {
                const auto map = [](const char* address) {
                    return Ipv6Address::MakeIpv4MappedAddress(Ipv4Address(address));
                };
                host.Watch(V6::Allocate(*host.tcp, map(Ip::NODE), PORT, map(Ip::PEER), PEER_PORT));
            });
        }
        Simulator::Destroy();
    }

    /** @brief What ns-3 cannot read reaches neither its TCP nor an endpoint. */
    void CheckMalformed(const Bytes& data, const Prepare& connect, const Prepare& listen)
    {
        std::vector<Bytes> malformed;
        for (const uint8_t words : {0, 4})
        {
            malformed.push_back(WithOffset(data, words));
        }
        for (const std::size_t size : {0, 1, 3, 12, 13, 19})
        {
            malformed.emplace_back(data.begin(), data.begin() + size);
        }
        malformed.push_back(WithOffset(Bytes(data.begin(), data.begin() + 20), 6));
        malformed.push_back(WithOffset(data, 6));
        malformed.back()[20] = 254; // an unknown option of length 0, which ns-3 reads for ever
        malformed.back()[21] = 0;
        for (const auto& prepare : {connect, listen, Prepare([](Host<Ip>&) {})})
        {
            for (const bool hasChecksums : {false, true})
            {
                GlobalValue::Bind("ChecksumEnabled", BooleanValue(hasChecksums));
                for (const auto& segment : malformed)
                {
                    Host<Ip> host(true);
                    prepare(host);
                    host.Receive(segment);
                    NS_TEST_EXPECT_MSG_EQ(host.log.str(), "status 0;", "dropped");
                    NS_TEST_EXPECT_MSG_EQ(host.tcp->received, 0, "before ns-3's TCP");
                }
            }
        }
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /** @brief With checksums TcpL4Protocol receives all. */
    void CheckSums(TcpHeader header, const Prepare& connect)
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        using IpAddress = typename Host<Ip>::IpAddress;
        header.EnableChecksums();
        header.InitializeChecksum(IpAddress(Ip::PEER), IpAddress(Ip::NODE), 6);
        auto segment = Join(header, Bytes(100, 7));
        Check("a right checksum", false, segment, connect);
        segment.back() = 8;
        Check("a wrong checksum", false, segment, connect);
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /** @brief ICMP reaches the endpoint. */
    void CheckIcmp()
    {
        Host<Ip> host(true);
        host.Connect();
        host.ReceiveIcmp();
        NS_TEST_EXPECT_MSG_EQ(host.log.str(),
                              std::string("icmp ") + Ip::PEER + " 1280;",
                              "ICMP is handed on");
    }
};

LFN_CASE(InstallCase)
{
    const auto node = CreateObject<Node>();
    TcpSegmentDispatch::Install(node);
    const auto ipv4 = CreateObject<Ipv4L3Protocol>();
    node->AggregateObject(ipv4);
    TcpSegmentDispatch::Install(node);
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetProtocol(6), nullptr, "without TCP there is nothing to do");
    const auto tcp = CreateObject<TcpL4Protocol>();
    node->AggregateObject(tcp);
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetProtocol(6), tcp, "ns-3's TCP until it is installed");
    TcpSegmentDispatch::Install(node);
    const auto first = ipv4->GetProtocol(6);
    NS_TEST_EXPECT_MSG_NE(DynamicCast<TcpSegmentDispatch>(first), nullptr, "it is installed");
    NS_TEST_EXPECT_MSG_EQ(first->GetProtocolNumber(), 6, "it is TCP's number");

    const auto ipv6 = CreateObject<Ipv6L3Protocol>();
    node->AggregateObject(ipv6);
    NS_TEST_EXPECT_MSG_EQ(ipv6->GetProtocol(6), tcp, "IPv6 came later");
    TcpSegmentDispatch::Install(node);
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetProtocol(6), first, "twice does no harm");
    const auto second = ipv6->GetProtocol(6);
    NS_TEST_EXPECT_MSG_NE(DynamicCast<TcpSegmentDispatch>(second), nullptr, "IPv6 has it as well");
    NS_TEST_EXPECT_MSG_EQ(node->GetObject<TcpL4Protocol>(), tcp, "the node's TCP is ns-3's");

    first->SetDownTarget({});
    second->SetDownTarget6({});
    NS_TEST_EXPECT_MSG_EQ(tcp->GetDownTarget().IsNull(), true, "the target is TCP's");
    NS_TEST_EXPECT_MSG_EQ(tcp->GetDownTarget6().IsNull(), true, "and that of IPv6");
    NS_TEST_EXPECT_MSG_EQ(first->GetDownTarget().IsNull(), true, "in both directions");
    NS_TEST_EXPECT_MSG_EQ(second->GetDownTarget6().IsNull(), true, "and with IPv6");

    const auto foreign = CreateObject<CountingTcp>();
    ipv4->Insert(foreign);
    TcpSegmentDispatch::Install(node);
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetProtocol(6), foreign, "another protocol keeps its place");
    Simulator::Destroy();
}

const Suite g_suite("lfn-tcp-segment-dispatch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new SameCase<V4>("the same as with ns-3's TCP alone, IPv4"));
    suite.Add(new SameCase<V6>("the same as with ns-3's TCP alone, IPv6"));
    suite.Add(new InstallCase("it stands in front of ns-3's TCP, and of no other protocol"));
});

} // namespace
