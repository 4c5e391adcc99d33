// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_PATH_H
#define LFN_TEST_PATH_H

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transfer-report.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

namespace ns3::lfn::tests
{

inline constexpr uint16_t PORT = 9; //!< where the sinks listen

/** @brief Two hosts and one link, and what ended on them. */
class TestPath
{
  public:
    /**
     * @brief Builds the hosts and the link.
     * @param rate rate of the link
     * @param delay propagation delay of the link
     * @param useIpv6 IPv6 instead of IPv4
     */
    TestPath(const std::string& rate, Time delay, bool useIpv6 = false)
        : m_nodes(2)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", TimeValue(delay));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        m_devices = link.Install(m_nodes);
        InternetStackHelper().Install(m_nodes);
        if (useIpv6)
        {
            Ipv6AddressHelper addresses;
            m_remote = Inet6SocketAddress(addresses.Assign(m_devices).GetAddress(1, 1), PORT);
        }
        else
        {
            Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
            m_remote = InetSocketAddress(addresses.Assign(m_devices).GetAddress(1), PORT);
        }
        TrafficControlHelper().Uninstall(m_devices);
    }

    ~TestPath()
    {
        Simulator::Destroy();
    }

    TestPath(const TestPath&) = delete;
    TestPath& operator=(const TestPath&) = delete;

    /**
     * @brief Puts a sender on the first host.
     * @tparam T class of the sender
     * @param bytes user bytes to send
     * @param start when it starts; addresses are ready after 3 s
     * @return the sender, listened to
     */
    template <typename T>
    Ptr<T> AddSource(uint64_t bytes, Time start = Seconds(3))
    {
        auto source = CreateObject<T>();
        source->SetAttribute("Remote", AddressValue(m_remote));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetAttribute("CheckContent", BooleanValue(true));
        source->SetStartTime(start);
        m_nodes.Get(0)->AddApplication(source);
        source->TraceConnectWithoutContext(
            "Completed",
            Callback<void, const TransferReport&>([this](const TransferReport&) { ++completed; }));
        source->TraceConnectWithoutContext(
            "Failed",
            Callback<void, const TransferReport&>([this](const TransferReport& report) {
                ++failed;
                failure = report.failure;
            }));
        return source;
    }

    /**
     * @brief Puts a receiver on the second host.
     * @tparam T class of the receiver
     * @return the receiver
     */
    template <typename T>
    Ptr<T> AddSink()
    {
        auto sink = CreateObject<T>();
        sink->SetAttribute("CheckContent", BooleanValue(true));
        m_nodes.Get(1)->AddApplication(sink);
        return sink;
    }

    /**
     * @brief Puts an error model on the way.
     * @param node the host that receives through it
     * @param script the packets that it loses
     * @return the model, still without a filter
     */
    Ptr<ScriptedErrorModel> Lose(uint32_t node, const std::string& script)
    {
        auto model = CreateObjectWithAttributes<ScriptedErrorModel>("Drop", StringValue(script));
        m_devices.Get(node)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        return model;
    }

    /**
     * @brief Puts any error model on the way to the second host.
     * @param model the model
     */
    void Lose(Ptr<ErrorModel> model)
    {
        m_devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }

    /**
     * @brief Runs to the end, or to a limit.
     * @param limit when to stop at the latest
     */
    static void Run(Time limit)
    {
        Simulator::Stop(limit);
        Simulator::Run();
    }

    /**
     * @brief Gives the first host.
     * @return the node
     */
    Ptr<Node> GetSendingNode() const
    {
        return m_nodes.Get(0);
    }

    /**
     * @brief Gives the second host.
     * @return the node
     */
    Ptr<Node> GetReceivingNode() const
    {
        return m_nodes.Get(1);
    }

    /**
     * @brief Gives the address of the sink.
     * @return a socket address
     */
    Address GetRemote() const
    {
        return m_remote;
    }

    int completed{0};    //!< how many senders completed
    int failed{0};       //!< how many senders failed
    std::string failure; //!< why the last one failed

  private:
    NodeContainer m_nodes;        //!< the hosts
    NetDeviceContainer m_devices; //!< their devices
    Address m_remote;             //!< address of the second host
};

} // namespace ns3::lfn::tests

#endif /* LFN_TEST_PATH_H */
