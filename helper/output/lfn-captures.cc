// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-captures.h"

#include "ns3/csma-net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/trace-helper.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"

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
 * @brief Get the files that are being written; whatever is left at the program's end is removed.
 */
std::set<std::string>&
GetParts()
{
    static std::set<std::string> parts;
    [[maybe_unused]] static const int isRegistered = std::atexit(&Captures::RemoveParts);
    return parts;
}

/** @brief Get what the packets of a device begin with; nothing for devices without captures. */
std::optional<PcapHelper::DataLinkType>
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
    return std::nullopt;
}

} // namespace

/** @brief The capture of one device. */
class Captures::Capture : public SimpleRefCount<Captures::Capture>
{
  public:
    /**
     * @brief Constructor; it opens the file.
     * @param name The name that it gets in the end.
     * @param type What the packets begin with.
     */
    Capture(std::string name, PcapHelper::DataLinkType type)
        : m_name(std::move(name))
    {
        GetParts().insert(m_name + ".part");
        m_file = PcapHelper().CreateFile(m_name + ".part", std::ios::out, type);
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
    const fs::path trial = prefix + "-" + std::to_string(getpid()) + ".trial";
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
            captures += FindType((*node)->GetDevice(i)) ? 1 : 0;
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
    const auto type = FindType(device);
    if (!type)
    {
        return;
    }
    const auto capture = Create<Capture>(PcapHelper().GetFilenameFromDevice(prefix, device), *type);
    if (const auto wifi = DynamicCast<WifiNetDevice>(device))
    {
        const auto phy = wifi->GetPhy();
        phy->TraceConnectWithoutContext("MonitorSnifferRx",
                                        MakeCallback(&Capture::WriteReceived, capture));
        phy->TraceConnectWithoutContext("MonitorSnifferTx",
                                        MakeCallback(&Capture::WriteSent, capture));
    }
    else
    {
        device->TraceConnectWithoutContext("PromiscSniffer",
                                           MakeCallback(&Capture::Write, capture));
    }
    m_captures.push_back(capture);
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
