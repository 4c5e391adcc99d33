// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-captures.h"

#include "ns3/csma-net-device.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/loopback-net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/trace-helper.h"
#include "ns3/type-id.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"
#include "ns3/xcp-socket-factory.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace ns3::lfn
{

namespace
{

/**
 * @brief Get the files that are being written; what is left at the program's end is removed.
 */
std::set<std::string>&
GetParts()
{
    static std::set<std::string> parts;
    // LastWords leaves by std::quick_exit().
    [[maybe_unused]] static const int isRegistered =
        std::atexit(&Captures::RemoveParts) + std::at_quick_exit(&Captures::RemoveParts);
    return parts;
}

/** @brief Get what the packets of a device's capture begin with. */
PcapHelper::DataLinkType
FindType(Ptr<NetDevice> device)
{
    if (DynamicCast<PointToPointNetDevice>(device))
    {
        return PcapHelper::DLT_PPP;
    }
    if (DynamicCast<CsmaNetDevice>(device))
    {
        return PcapHelper::DLT_EN10MB;
    }
    if (DynamicCast<WifiNetDevice>(device))
    {
        return PcapHelper::DLT_IEEE802_11;
    }
    return PcapHelper::DLT_RAW;
}

/** @brief Add what the applications of a node say that they are. */
void
AddProtocols(const Node& node, std::set<std::string>& protocols)
{
    for (uint32_t i = 0; i < node.GetNApplications(); ++i)
    {
        if (const auto application = DynamicCast<TransferApplication>(node.GetApplication(i)))
        {
            // XCP is what carries the same applications as TCP.
            TypeIdValue factory;
            const bool isXcp = application->GetAttributeFailSafe("SocketFactory", factory) &&
                               factory.Get() == XcpSocketFactory::GetTypeId();
            protocols.insert(isXcp ? "xcp" : application->GetReport().protocol);
        }
    }
}

/** @brief Name what passes a node: its own protocols, or those of all nodes. */
std::string
NameProtocols(const Node& node)
{
    constexpr std::size_t MOST = 3;
    std::set<std::string> protocols;
    AddProtocols(node, protocols);
    const bool isHost = !protocols.empty();
    for (auto other = NodeList::Begin(); !isHost && other != NodeList::End(); ++other)
    {
        AddProtocols(**other, protocols);
    }
    if (protocols.size() > MOST)
    {
        return "mixed";
    }
    std::string name;
    for (const auto& protocol : protocols)
    {
        name += (name.empty() ? "" : "+") + protocol;
    }
    return name.empty() ? "ip" : name;
}

} // namespace

/** @brief The capture of one device. */
class Captures::Capture : public SimpleRefCount<Captures::Capture>
{
  public:
    /**
     * @brief Constructor; it opens the file.
     * @param name The name that it gets in the end.
     * @param link What packets begin with.
     * @param device The device.
     */
    Capture(std::string name, PcapHelper::DataLinkType link, Ptr<NetDevice> device)
        : m_name(std::move(name)),
          m_device(PeekPointer(device))
    {
        GetParts().insert(m_name + ".part");
        m_file = PcapHelper().CreateFile(m_name + ".part", std::ios::out, link);
    }

    /** @brief Write a packet, as long as that is possible. */
    void Write(Ptr<const Packet> packet)
    {
        // What is sent while the simulation is taken down finds the file closed.
        if (m_isOpen && !m_file->Fail())
        {
            m_file->Write(Simulator::Now(), packet);
            if (m_file->Fail())
            {
                Simulator::Stop();
            }
        }
    }

    /** @brief Write a frame that came by radio. */
    void WriteReceived(Ptr<const Packet> packet,
                       uint16_t /* frequency */,
                       WifiTxVector /* vector */,
                       MpduInfo /* mpdu */,
                       SignalNoiseDbm /* signal */,
                       uint16_t /* station */)
    {
        Write(packet);
    }

    /** @brief Write a frame that goes by radio. */
    void WriteSent(Ptr<const Packet> packet,
                   uint16_t /* frequency */,
                   WifiTxVector /* vector */,
                   MpduInfo /* mpdu */,
                   uint16_t /* station */)
    {
        Write(packet);
    }

    /** @brief Write a packet that IP, Ipv4 or Ipv6, hands to the device or gets from it. */
    template <typename Ip>
    void WriteIp(Ptr<const Packet> packet, Ptr<Ip> ip, uint32_t interface)
    {
        if (ip->GetNetDevice(interface) == m_device)
        {
            Write(packet);
        }
    }

    /** @brief Close the file; true if all of it was written. */
    bool Close()
    {
        m_isOpen = false;
        m_file->Close();
        return !m_file->Fail();
    }

    /** @brief Give the file its name if it is whole, or remove it. */
    void Settle(bool isWhole)
    {
        std::error_code error;
        if (isWhole)
        {
            std::filesystem::rename(m_name + ".part", m_name, error);
        }
        std::filesystem::remove(m_name + ".part", error);
        GetParts().erase(m_name + ".part");
    }

  private:
    std::string m_name;          //!< What the file will be called.
    const NetDevice* m_device;   //!< The device, which may be gone.
    Ptr<PcapFileWrapper> m_file; //!< The file.
    bool m_isOpen{true};         //!< It was not closed yet.
};

Captures::Captures() = default;

Captures::~Captures()
{
    Close();
}

std::optional<std::string>
Captures::CheckPrefix(const std::string& prefix)
{
    if (prefix.empty())
    {
        return std::nullopt;
    }
    namespace fs = std::filesystem;
    fs::path folder = fs::path(prefix).parent_path();
    folder = folder.empty() ? fs::path(".") : folder;
    std::error_code error;
    if (!fs::is_directory(folder, error))
    {
        return "there is no such folder, make it first";
    }
    // As long as the name of a capture gets, so that none turns out to be too long later.
    constexpr std::size_t LONGEST = 70;
    const auto own = "-" + std::to_string(getpid());
    const fs::path trial = prefix + own + std::string(LONGEST - own.size(), '-');
    const bool isWritable = std::ofstream(trial).is_open();
    fs::remove(trial, error);
    return isWritable
               ? std::nullopt
               : std::optional<std::string>("no file can be written there, give another prefix");
}

std::optional<std::string>
Captures::MakeRoom()
{
    constexpr uint64_t OTHERS = 32; // libraries, output, and what the caller left open
    uint64_t captures = 0;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            captures += DynamicCast<LoopbackNetDevice>((*node)->GetDevice(i)) ? 0 : 1;
        }
    }
    const uint64_t needed = captures + OTHERS;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
    {
        return std::nullopt;
    }
    if (limit.rlim_max >= needed)
    {
        limit.rlim_cur = needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        {
            return std::nullopt;
        }
    }
    return std::to_string(captures) + " captures and " + std::to_string(OTHERS) +
           " other files would be open at once, of " + std::to_string(limit.rlim_max) +
           " at most: raise the limit (ulimit -n " + std::to_string(needed) +
           "), or capture a smaller network";
}

void
Captures::Open(const std::string& prefix, Ptr<NetDevice> device)
{
    if (DynamicCast<LoopbackNetDevice>(device))
    {
        return;
    }
    const auto node = device->GetNode();
    const auto name = prefix + "-node" + std::to_string(node->GetId()) + "-device" +
                      std::to_string(device->GetIfIndex()) + "-" + NameProtocols(*node) + ".pcap";
    const auto type = FindType(device);
    const auto capture = Create<Capture>(name, type, device);
    m_captures.push_back(capture);
    if (const auto wifi = DynamicCast<WifiNetDevice>(device))
    {
        const auto phy = wifi->GetPhy();
        phy->TraceConnectWithoutContext("MonitorSnifferRx",
                                        MakeCallback(&Capture::WriteReceived, capture));
        phy->TraceConnectWithoutContext("MonitorSnifferTx",
                                        MakeCallback(&Capture::WriteSent, capture));
        return;
    }
    if (type != PcapHelper::DLT_RAW)
    {
        device->TraceConnectWithoutContext("PromiscSniffer",
                                           MakeCallback(&Capture::Write, capture));
        return;
    }
    for (const auto* way : {"Tx", "Rx"})
    {
        if (const auto ipv4 = node->GetObject<Ipv4L3Protocol>())
        {
            ipv4->TraceConnectWithoutContext(way, MakeCallback(&Capture::WriteIp<Ipv4>, capture));
        }
        if (const auto ipv6 = node->GetObject<Ipv6L3Protocol>())
        {
            ipv6->TraceConnectWithoutContext(way, MakeCallback(&Capture::WriteIp<Ipv6>, capture));
        }
    }
}

std::optional<std::string>
Captures::Close()
{
    bool isWhole = true;
    for (const auto& capture : m_captures)
    {
        isWhole = capture->Close() && isWhole;
    }
    for (const auto& capture : m_captures)
    {
        capture->Settle(isWhole);
    }
    m_captures.clear();
    return isWhole ? std::nullopt
                   : std::optional<std::string>("a capture cannot be written to its end: make "
                                                "room, or give another prefix");
}

void
Captures::RemoveParts()
{
    std::error_code error;
    for (const auto& part : std::exchange(GetParts(), {}))
    {
        std::filesystem::remove(part, error);
    }
}

} // namespace ns3::lfn
