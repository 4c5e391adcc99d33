// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-net-animation.h"

#include "ns3/lfn-topology-drawing.h"
#include "ns3/log.h"
#include "ns3/packet.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("NetAnimation");

namespace
{

/**
 * @brief Find what opens the file: linked in, or in the library next to the one with this function.
 * @return Null if there is none.
 */
decltype(&LfnOpenNetAnimation)
FindOpener()
{
    const auto* name = "LfnOpenNetAnimation";
    void* found = dlsym(RTLD_DEFAULT, name);
    Dl_info here{};
    if (!found && dladdr(reinterpret_cast<void*>(&FindOpener), &here) != 0)
    {
        const auto path = std::filesystem::path(here.dli_fname).parent_path() / "liblfn-netanim.so";
        // Lazy: the package of ns-3 for pip lacks functions that its module config-store names.
        void* library = dlopen(path.c_str(), RTLD_LAZY);
        found = library ? dlsym(library, name) : nullptr;
        NS_LOG_LOGIC(path << (found ? " is loaded" : " cannot be loaded"));
    }
    return reinterpret_cast<decltype(&LfnOpenNetAnimation)>(found);
}

} // namespace

void
NetAnimation::Declare(Flags& flags)
{
    flags.Text("netAnim",
               "file for ns-3's NetAnim (XML): nodes as drawn by --drawTopology, and the packets "
               "on the links",
               m_file);
    flags.Count("netAnimPackets",
                "most packets in --netAnim, about 100 B each: one per link that a packet crosses",
                m_packets,
                1,
                100'000'000);
    flags.Switch("netAnimMetadata",
                 "write the headers of packets into --netAnim as well, about 300 B per packet",
                 m_metadata);
}

std::optional<std::string>
NetAnimation::Check(const Flags& flags) const
{
    for (const auto* name : {"netAnimPackets", "netAnimMetadata"})
    {
        if (m_file.empty() && flags.IsSet(name))
        {
            return flags.Complaint(name, "give --netAnim=FILE as well");
        }
    }
    if (m_metadata)
    {
        Packet::EnablePrinting();
    }
    return std::nullopt;
}

void
NetAnimation::Begin(const Flags& flags, const TransportTopology& topology)
{
    NS_LOG_FUNCTION(this << m_file);
    if (m_file.empty())
    {
        return;
    }
    const auto open = FindOpener();
    flags.RefuseIf(!open,
                   "netAnim",
                   "ns-3's module netanim is not enabled or cannot be loaded: enable it, or leave "
                   "the flag away");
    flags.RefuseIf(!std::ofstream(m_file),
                   "netAnim",
                   "the file cannot be written, name another one in a folder that is there");
    const auto nodes = PlaceNodes(topology);
    m_writer.reset(open(m_file, nodes, m_packets, m_metadata));
    NS_LOG_INFO("an animation of " << nodes.size() << " nodes begins, at most " << m_packets
                                   << " packets");
}

std::optional<std::string>
NetAnimation::End(const Flags& flags)
{
    NS_LOG_FUNCTION(this);
    if (!m_writer)
    {
        return std::nullopt;
    }
    const bool isCut = m_writer->IsCut();
    m_writer.reset();
    const std::string last = "</anim>\n";
    std::ifstream file(m_file, std::ios::ate | std::ios::binary);
    std::string end(last.size(), ' ');
    file.seekg(-static_cast<std::streamoff>(last.size()), std::ios::end);
    if (!file.read(end.data(), static_cast<std::streamsize>(end.size())) || end != last)
    {
        return "the file is incomplete, is the disk full?";
    }
    if (isCut)
    {
        std::cerr << flags.GetProgram() << ": warning: "
                  << flags.Complaint("netAnim",
                                     "the file has the first " + std::to_string(m_packets) +
                                         " packets, --netAnimPackets=N takes more")
                  << std::endl;
    }
    return std::nullopt;
}

} // namespace ns3::lfn
