// SPDX-License-Identifier: GPL-2.0-only

// The yardsticks of `./waf bench` over the path that the scenario programs use: ns-3's UdpClient
// and UdpServer with datagrams as large as RBUDP's; or a bare pair of UDP sockets with datagrams
// as large as VRP's, a window of them under way and one small reply to each.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-fast-settings.h"
#include "ns3/lfn-scenario.h"
#include "ns3/network-module.h"
#include "ns3/rbudp-header.h"
#include "ns3/vrp-header.h"

using namespace ns3;
using namespace ns3::lfn;

namespace
{

constexpr uint16_t PORT = 38000; //!< of the receiver

/// What the command line asks for.
struct Request
{
    std::string baseline{"stream"}; //!< stream or echo
    uint64_t bytes{450'000'000};    //!< user bytes
    DataRate sendRate{600'000'000}; //!< rate of user bits
    uint32_t packetSize{1450};      //!< user bytes a datagram
    uint32_t windowSize{64};        //!< datagrams under way
    uint32_t replySize{17};         //!< bytes of a reply
};

/// A pair of sockets: every reply lets the next datagram go.
class Echo
{
  public:
    /// Open both sockets and send the first window.
    Echo(const TransportTopology& path, const Request& request, uint64_t packets)
        : m_size(request.packetSize + VrpHeader::SIZE),
          m_replySize(request.replySize),
          m_waiting(packets)
    {
        const auto type = UdpSocketFactory::GetTypeId();
        m_receiver = Socket::CreateSocket(path.GetReceivers().Get(0), type);
        m_receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_receiver->SetRecvCallback(MakeCallback(&Echo::OnData, this));
        m_sender = Socket::CreateSocket(path.GetSenders().Get(0), type);
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(path.GetReceiverAddress(), PORT));
        m_sender->SetRecvCallback(MakeCallback(&Echo::OnReply, this));
        for (uint32_t i = 0; i < request.windowSize; ++i)
        {
            Simulator::ScheduleNow(&Echo::SendNext, this);
        }
    }

    /// Get the number of datagrams that arrived.
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    /// Send a datagram if there is one left.
    void SendNext()
    {
        if (m_waiting > 0)
        {
            m_waiting--;
            m_sender->Send(Create<Packet>(m_size));
        }
    }

    /// Answer datagrams.
    void OnData(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            m_received++;
            socket->SendTo(Create<Packet>(m_replySize), 0, from);
        }
    }

    /// Take replies.
    void OnReply(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            SendNext();
        }
    }

    Ptr<Socket> m_receiver; //!< answers
    Ptr<Socket> m_sender;   //!< sends
    uint32_t m_size;        //!< bytes of a datagram
    uint32_t m_replySize;   //!< bytes of a reply
    uint64_t m_waiting;     //!< datagrams not sent yet
    uint64_t m_received{0}; //!< datagrams that arrived
};

} // namespace

int
main(int argc, char* argv[])
{
    UseFastAllocator();
    Scenario scenario("lfn-bench-baseline",
                      "ns-3's UdpClient and UdpServer, or a bare pair of UDP sockets, on the path "
                      "of the scenario programs.");
    Request request;
    auto& flags = scenario.GetFlags();
    flags.Choice("baseline",
                 "what runs: UdpClient and UdpServer, or sockets with a reply to each datagram",
                 request.baseline,
                 {"stream", "echo"});
    flags.Bytes("bytes", "user bytes to send", request.bytes);
    flags.Rate("sendRate", "rate of user bits (stream)", request.sendRate);
    flags.Bytes("packetSize", "user bytes a datagram", request.packetSize, 12, 65501);
    flags.Count("windowSize", "datagrams under way (echo)", request.windowSize, 1);
    flags.Bytes("replySize", "bytes of a reply (echo)", request.replySize, 1, 65507);
    scenario.Parse(argc, argv);
    const auto path = scenario.BuildTopology();

    const auto packets = (request.bytes + request.packetSize - 1) / request.packetSize;
    std::unique_ptr<Echo> echo;
    Ptr<UdpServer> server;
    if (request.baseline == "echo")
    {
        echo = std::make_unique<Echo>(*path, request, packets);
    }
    else
    {
        const auto interval = request.sendRate.CalculateBytesTxTime(request.packetSize);
        server = DynamicCast<UdpServer>(
            UdpServerHelper(PORT).Install(path->GetReceivers().Get(0)).Get(0));
        UdpClientHelper client(InetSocketAddress(path->GetReceiverAddress(), PORT));
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("Interval", TimeValue(interval));
        client.SetAttribute("PacketSize",
                            UintegerValue(request.packetSize + RbudpDataHeader::SIZE));
        client.Install(path->GetSenders().Get(0));
    }
    scenario.Run();

    TransferReport report;
    report.protocol = "udp";
    report.variant = echo ? "echo" : "UdpClient";
    report.finish = Simulator::Now();
    report.dataPackets = packets;
    report.offeredBytes = request.bytes;
    const auto received = echo ? echo->GetReceived() : server->GetReceived();
    report.deliveredBytes = received == packets ? request.bytes : received * request.packetSize;
    report.lostBytes = request.bytes - report.deliveredBytes;
    report.started = true;
    report.completed = received == packets;
    scenario.GetRecorder().AddFlow(0, report);
    return scenario.Finish();
}
