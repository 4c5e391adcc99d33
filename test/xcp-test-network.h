// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEST_NETWORK_H
#define XCP_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/double.h"
#include "ns3/lfn-tcp-sink.h"
#include "ns3/lfn-tcp-source.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/xcp-header.h"
#include "ns3/xcp-l4-protocol.h"
#include "ns3/xcp-socket-factory.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn::tests
{

/** @brief What a test sees of a packet that arrives at a host. */
struct XcpTestSight
{
    uint32_t to{0};                  //!< the host
    Time time;                       //!< when
    uint8_t protocol{0};             //!< IP's number
    uint8_t ecn{0};                  //!< IP's ECN bits
    uint32_t ipBytes{0};             //!< with the IP header, [B]
    std::optional<XcpHeader> header; //!< the congestion header; a judge may change it
    TcpHeader tcp;                   //!< behind it
    uint32_t payload{0};             //!< behind that, [B]

    /// Check whether a flag is set.
    bool Has(uint8_t flag) const
    {
        return (tcp.GetFlags() & flag) != 0;
    }

    /// Check whether there is a header of some format.
    bool Is(XcpHeader::Format format) const
    {
        return protocol == XcpL4Protocol::PROT_NUMBER && header && header->format == format;
    }
};

/** @brief Stands at the end of the link and shows every packet to a judge. */
class XcpTestTap : public ErrorModel
{
  public:
    /** @brief Decides whether a packet is lost. */
    std::function<bool(XcpTestSight& sight)> judge;
    uint32_t host{0};   //!< behind it
    bool isIpv6{false}; //!< version of IP

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        const uint32_t ip = isIpv6 ? 40 : 20;
        XcpTestSight sight;
        sight.to = host;
        sight.time = Simulator::Now();
        const auto inner = packet->Copy();
        inner->RemoveAtStart(2);
        sight.ipBytes = inner->GetSize();
        std::array<uint8_t, 40> bytes{};
        inner->CopyData(bytes.data(), ip);
        const bool isFragment = !isIpv6 && ((bytes[6] & 0x3f) != 0 || bytes[7] != 0);
        if (bytes[0] >> 4 != (isIpv6 ? 6 : 4) || isFragment)
        {
            return false;
        }
        sight.protocol = isIpv6 ? bytes[6] : bytes[9];
        sight.ecn = (isIpv6 ? bytes[1] >> 4 : bytes[1]) & 3;
        inner->RemoveAtStart(ip);
        XcpHeader header;
        const auto front = packet->CreateFragment(0, 2 + ip);
        if (sight.protocol == XcpL4Protocol::PROT_NUMBER && inner->PeekHeader(header) != 0)
        {
            sight.header = header;
            inner->RemoveAtStart(XcpHeader::SIZE);
        }
        else if (sight.protocol != 6)
        {
            return false;
        }
        const auto rest = inner->Copy();
        inner->RemoveHeader(sight.tcp);
        sight.payload = inner->GetSize();
        const bool isLost = judge && judge(sight);
        if (sight.header)
        {
            rest->AddHeader(*sight.header);
            front->AddAtEnd(rest);
            *packet = *front;
        }
        return isLost;
    }

    void DoReset() override
    {
    }
};

/**
 * @ingroup lfn-xcp
 * @brief Two hosts on a link with a tap at both ends; host 0 sends, host 1 listens.
 */
class XcpTestNetwork : public TestNetwork
{
  public:
    static constexpr uint16_t PORT = 9; //!< of the sinks

    std::array<Ptr<XcpL4Protocol>, 2> shims;        //!< null where there is none
    std::vector<XcpTestSight> seen;                 //!< all packets, after the judge
    std::function<bool(XcpTestSight& sight)> judge; //!< may change a header
    bool isKeeping{true};                           //!< packets are put into seen

    /// A network; bits 0 and 1 say which hosts have the shim.
    explicit XcpTestNetwork(bool isIpv6 = false,
                            uint32_t shimAt = 3,
                            const std::string& rate = "10Mbps",
                            Time delay = MilliSeconds(10))
        : TestNetwork({rate, delay, isIpv6, 1500, 100})
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            if ((shimAt >> i & 1) != 0)
            {
                XcpSocketFactory::Install(nodes.Get(i));
                shims[i] = nodes.Get(i)->GetObject<XcpL4Protocol>();
            }
            const auto tap = CreateObject<XcpTestTap>();
            tap->host = i;
            tap->isIpv6 = isIpv6;
            tap->judge = [this](XcpTestSight& sight) {
                const bool isLost = judge && judge(sight);
                if (isKeeping)
                {
                    seen.push_back(sight);
                }
                return isLost;
            };
            Lose(i, tap);
        }
    }

    /// Put a bulk sender on host 0, from 3 s on, over XCP or plain TCP.
    Ptr<TcpSource> AddSource(uint64_t bytes, bool isXcp = true, uint16_t port = PORT)
    {
        const auto source = CreateObject<TcpSource>();
        source->SetAttribute("Remote", AddressValue(GetEnd(1, port)));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetAttribute("SegmentSize", UintegerValue(1000));
        source->SetAttribute("CheckContent", BooleanValue(true));
        source->SetAttribute("SndBufSize", UintegerValue(1000000));
        source->SetAttribute("SocketFactory", TypeIdValue(GetFactory(isXcp)));
        source->SetStartTime(Seconds(3));
        nodes.Get(0)->AddApplication(source);
        return source;
    }

    /// Put a bulk receiver on host 1, for XCP or plain TCP.
    Ptr<TcpSink> AddSink(bool isXcp = false, uint16_t port = PORT)
    {
        const auto sink = CreateObject<TcpSink>();
        sink->SetAttribute("Local", AddressValue(GetEnd(1, port)));
        sink->SetAttribute("CheckContent", BooleanValue(true));
        sink->SetAttribute("RcvBufSize", UintegerValue(1000000));
        sink->SetAttribute("SocketFactory", TypeIdValue(GetFactory(isXcp)));
        nodes.Get(1)->AddApplication(sink);
        return sink;
    }

    /// Have a packet arrive at a host as protocol 253, over IPv4.
    void Inject(uint32_t to, Ptr<const Packet> packet)
    {
        const auto address = [this](uint32_t host) {
            return Ipv4Address::ConvertFrom(addresses.at(host));
        };
        Arrive(devices.Get(to),
               MakeFrame(address(1 - to), address(to), XcpL4Protocol::PROT_NUMBER, packet));
    }

    /// Run until a limit at the latest.
    static void Run(Time limit = Seconds(200))
    {
        TestNetwork::Run(limit);
    }

    /// Make a socket of XCP or plain TCP at a host, which forgets a connection after twice
    /// segmentLifetime, in seconds.
    Ptr<Socket> MakeSocket(uint32_t host, bool isXcp, double segmentLifetime = 120) const
    {
        const auto socket = Socket::CreateSocket(nodes.Get(host), GetFactory(isXcp));
        socket->SetAttribute("MaxSegLifetime", DoubleValue(segmentLifetime));
        return socket;
    }

    /// Have a socket of host 1 listen, and hand over the sockets of its connections.
    void Listen(Ptr<Socket> listener, const std::function<void(Ptr<Socket>)>& accept) const
    {
        listener->Bind(GetEnd(1, PORT));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [accept](Ptr<Socket> socket, const Address&) { accept(socket); }));
    }

    /// Read what a socket has and what it receives, and count the bytes. The count outlives the
    /// simulation.
    static void Receive(Ptr<Socket> socket, uint64_t& received)
    {
        const auto read = [&received](Ptr<Socket> from) {
            while (const auto packet = from->Recv())
            {
                received += packet->GetSize();
            }
        };
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>(read));
        read(socket);
    }

    /// Have a socket of host 1 accept connections, count the bytes that come on all of them, and
    /// close when the peer does; a rude one does not read, and closes at the first byte.
    void Serve(Ptr<Socket> listener, uint64_t& received, bool isRude = false) const
    {
        Listen(listener, [&received, isRude](Ptr<Socket> socket) {
            const Callback<void, Ptr<Socket>> close([](Ptr<Socket> from) { from->Close(); });
            isRude ? socket->SetRecvCallback(close) : Receive(socket, received);
            socket->SetCloseCallbacks(close, MakeNullCallback<void, Ptr<Socket>>());
        });
    }

    /// Get the type of the factory of XCP or plain TCP.
    static TypeId GetFactory(bool isXcp)
    {
        return isXcp ? XcpSocketFactory::GetTypeId() : TcpSocketFactory::GetTypeId();
    }
};

} // namespace ns3::lfn::tests

#endif // XCP_TEST_NETWORK_H
