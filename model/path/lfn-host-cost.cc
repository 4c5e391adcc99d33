// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-host-cost.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("HostCost");
NS_OBJECT_ENSURE_REGISTERED(HostCost);

namespace
{

/** @brief One named set of costs. */
struct Profile
{
    const char* name;     //!< how the profile is called
    int64_t interruptNs;  //!< cost of an interrupt, [ns]
    int64_t readNs;       //!< cost of reading, [ns]
    int64_t moveNs;       //!< cost of moving, [ns]
    uint32_t bufferBytes; //!< size of the buffer, [B]
};

constexpr uint32_t KIB = 1024; //!< bytes in a kibibyte

constexpr std::array<Profile, 4> PROFILES{{
    {"livelock", 4010, 9200, 5570, 128 * KIB},
    {"livelock-fast", 2005, 4600, 2785, 128 * KIB},
    {"constant", 0, 13210, 4830, 8 * KIB* KIB},
    {"pacing-16us", 0, 16000, 0, 8 * KIB* KIB},
}}; //!< every profile but "none" and "custom"

constexpr uint32_t READ_PASSES = 2; //!< into memory by the device, out of it by the copy
constexpr uint32_t MOVE_PASSES = 1; //!< into the application's memory

} // namespace

TypeId
HostCost::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::HostCost")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<HostCost>()
            .AddAttribute("InterruptCost",
                          "Time that every arriving packet takes, also a dropped one (c_i).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostCost::m_interruptCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReadCost",
                          "Time to take a packet off a socket or to put it on one "
                          "(the part of c_a that a receiver pays that ignores the data).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostCost::m_readCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MoveCost",
                          "Time to move a packet to or from the application's memory "
                          "(the rest of c_a).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostCost::m_moveCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FragmentCost",
                          "Time that every IP packet of a datagram adds to its reading.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostCost::m_fragmentCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FragmentSize",
                          "Bytes of an IP packet that FragmentCost counts, UDP header included, IP "
                          "header not; 1480 for an MTU of 1500.",
                          UintegerValue(1480),
                          MakeUintegerAccessor(&HostCost::m_fragmentSize),
                          MakeUintegerChecker<uint32_t>(8))
            .AddAttribute(
                "MemoryBandwidth",
                "Bandwidth of the host's memory: reading costs two more passes over the "
                "bytes and moving one. 0 ignores it. (Quanta paper, section 4.2: 238 MB/s "
                "for the slow host; three passes then give 635 Mb/s.)",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&HostCost::m_memoryBandwidth),
                MakeDataRateChecker())
            .AddAttribute("BufferSize",
                          "Space for packets that wait to be read, in bytes of payload.",
                          UintegerValue(8 * KIB * KIB),
                          MakeUintegerAccessor(&HostCost::m_bufferSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("StorageRate",
                          "Rate at which user bytes are read from the disk or written to it, both "
                          "in sequence; 0: there is no disk.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&HostCost::m_storageRate),
                          MakeDataRateChecker())
            .AddAttribute("StorageCache",
                          "Bytes that the disk's cache holds: written ones that are not yet on the "
                          "disk, or the last ones read. 0: each write waits for the disk.",
                          UintegerValue(64 * KIB * KIB),
                          MakeUintegerAccessor(&HostCost::m_storageCache),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SeekTime",
                          "Time of an access to the disk that does not begin where the one before "
                          "has ended. 0, since file systems gather writes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HostCost::m_seekTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

std::optional<Ptr<HostCost>>
HostCost::FindProfile(const std::string& name)
{
    NS_LOG_FUNCTION(name);
    if (name == "none")
    {
        return Ptr<HostCost>();
    }
    if (name == "custom")
    {
        return CreateObject<HostCost>();
    }
    const auto found = std::find_if(PROFILES.begin(), PROFILES.end(), [&](const Profile& profile) {
        return name == profile.name;
    });
    if (found == PROFILES.end())
    {
        return std::nullopt;
    }
    auto cost = CreateObject<HostCost>();
    cost->m_interruptCost = NanoSeconds(found->interruptNs);
    cost->m_readCost = NanoSeconds(found->readNs);
    cost->m_moveCost = NanoSeconds(found->moveNs);
    cost->m_bufferSize = found->bufferBytes;
    return cost;
}

void
HostCost::SetProfile(Ptr<Object> application, const std::string& profile)
{
    NS_LOG_FUNCTION(application << profile);
    const auto cost = FindProfile(profile);
    if (cost && *cost) // ns-3 refuses to set a pointer to null
    {
        application->SetAttribute("HostCost", PointerValue(*cost));
    }
}

std::vector<std::string>
HostCost::GetProfileNames()
{
    std::vector<std::string> names{"none"};
    for (const auto& profile : PROFILES)
    {
        names.emplace_back(profile.name);
    }
    names.emplace_back("custom");
    return names;
}

Time
HostCost::GetReadTime(uint32_t bytes) const
{
    constexpr uint32_t UDP_HEADER = 8;
    const Time time = m_readCost + GetMemoryTime(bytes, READ_PASSES);
    if (m_fragmentCost.IsZero())
    {
        return time;
    }
    return time + m_fragmentCost * ((bytes + UDP_HEADER + m_fragmentSize - 1) / m_fragmentSize);
}

Time
HostCost::GetMoveTime(uint32_t bytes) const
{
    return m_moveCost + GetMemoryTime(bytes, MOVE_PASSES);
}

Time
HostCost::GetInterruptTime() const
{
    return m_interruptCost;
}

HostWork
HostCost::GetWork(uint32_t bytes, bool isMoved) const
{
    return isMoved ? HostWork{GetReadTime(bytes) + GetMoveTime(bytes), bytes, {}}
                   : HostWork{GetReadTime(bytes), 0, {}};
}

StorageCore
HostCost::MakeStorage() const
{
    return StorageCore({m_storageRate, m_storageCache, m_seekTime});
}

uint32_t
HostCost::GetBufferSize() const
{
    return m_bufferSize;
}

Time
HostCost::GetMemoryTime(uint32_t bytes, uint32_t passes) const
{
    const uint64_t bitRate = m_memoryBandwidth.GetBitRate();
    if (bitRate == 0)
    {
        return Time(0);
    }
    const uint64_t bits = uint64_t{8} * passes * bytes;
    return Seconds(int64x64_t(bits) / int64x64_t(bitRate));
}

HostSendGate::HostSendGate(Ptr<const HostCost> cost, bool moveData)
    : m_cost(cost),
      m_moveData(moveData)
{
    if (cost)
    {
        m_storage = cost->MakeStorage();
    }
}

void
HostSendGate::SetInterfaceRate(DataRate rate)
{
    m_interfaceRate = rate;
}

Time
HostSendGate::Admit(Time now, Time wanted, uint32_t bytes, const StorageCore::Range& stored)
{
    Time departure = std::max({now, wanted, m_interfaceFree});
    if (m_cost && m_lastDeparture)
    {
        Time free = *m_lastDeparture + m_cost->GetReadTime(bytes);
        if (m_moveData)
        {
            free += m_cost->GetMoveTime(bytes);
        }
        departure = std::max(departure, free);
    }
    departure = std::max(departure, m_storage.Read(now, stored));
    m_lastDeparture = departure;
    if (m_interfaceRate.GetBitRate() > 0)
    {
        m_interfaceFree = departure + m_interfaceRate.CalculateBytesTxTime(bytes);
    }
    return departure;
}

} // namespace ns3::lfn
