// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-application-transport.h"

#include "lfn-transfer-helper.h"

#include "ns3/boolean.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <tuple>
#include <utility>

namespace ns3::lfn
{

namespace
{

/** @brief Say that an Attribute of an end refuses a value. */
std::string
Refuse(Ptr<Object> end, const std::string& name, const std::string& value)
{
    return end->GetInstanceTypeId().GetName() + ": its Attribute " + name + " does not take " +
           value;
}

} // namespace

NS_LOG_COMPONENT_DEFINE("ApplicationTransport");
NS_OBJECT_ENSURE_REGISTERED(ApplicationTransport);

TypeId
ApplicationTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::ApplicationTransport").SetParent<Transport>().SetGroupName("Lfn");
    return tid;
}

ApplicationTransport::ApplicationTransport(std::string source,
                                           std::string sink,
                                           uint32_t headerBytes)
    : m_source(std::move(source)),
      m_sink(std::move(sink)),
      m_headerBytes(headerBytes)
{
}

TransportTraits
ApplicationTransport::GetTraits() const
{
    TransportTraits traits;
    traits.what = m_source + " and " + m_sink;
    traits.headerBytes = m_headerBytes;
    if (!ApplicationTransport::Check())
    {
        const auto source = ObjectFactory(m_source).Create<TransferApplication>();
        TypeId::AttributeInformation rate;
        traits.isReliable = source->GetReport().isAcknowledged;
        traits.usesSendRate = source->GetInstanceTypeId().LookupAttributeByName("SendRate", &rate);
    }
    return traits;
}

std::optional<std::string>
ApplicationTransport::Check() const
{
    for (const auto& [name, needed, type] : {std::tuple{m_source, "Remote", "ns3::AddressValue"},
                                             std::tuple{m_sink, "Port", "ns3::UintegerValue"}})
    {
        TypeId tid;
        if (!TypeId::LookupByNameFailSafe(name, &tid))
        {
            return "there is no class " + name + ": register it with NS_OBJECT_ENSURE_REGISTERED";
        }
        if (!tid.IsChildOf(TransferApplication::GetTypeId()) || !tid.HasConstructor())
        {
            return name + ": derive it from ns3::lfn::TransferApplication, and give its TypeId a "
                          "constructor";
        }
        TypeId::AttributeInformation about;
        if (!tid.LookupAttributeByName(needed, &about) || about.checker->GetValueTypeName() != type)
        {
            return name + ": give it the Attribute " + needed + ", a " + type;
        }
    }
    return std::nullopt;
}

std::optional<std::string>
ApplicationTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(this << flow.index << flow.sender << flow.receiver << flow.port << flow.bytes);
    if (const auto complaint = ApplicationTransport::Check())
    {
        return complaint;
    }
    const auto remote = UdpEndpoint::WithPort(flow.receiverAddress, flow.port);
    const TransferHelper<TransferApplication, TransferApplication> helper(m_source, m_sink);
    const auto [source, sink] = helper.Install(flow.sender, flow.receiver, remote);
    ends = {.source = source, .sink = sink};
    int64_t stream = flow.stream;
    for (const auto& end : {source, sink})
    {
        for (const auto& complaint : {Offer(end, "Bytes", UintegerValue(flow.bytes)),
                                      Offer(end, "SendRate", DataRateValue(flow.sendRate)),
                                      Offer(end, "PacketSize", UintegerValue(flow.packetSize)),
                                      Offer(end, "CheckContent", BooleanValue(flow.checkContent)),
                                      HandOnAll(end)})
        {
            if (complaint)
            {
                return complaint;
            }
        }
        stream += end->AssignStreams(stream);
    }
    UintegerValue packetSize;
    source->GetAttributeFailSafe("PacketSize", packetSize);
    ends.packetSize = static_cast<uint32_t>(packetSize.Get());
    source->SetStartTime(flow.start);
    HandOnTos(ends);
    return std::nullopt;
}

std::optional<std::string>
ApplicationTransport::Offer(Ptr<Object> end, const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation about;
    if (!end->GetInstanceTypeId().LookupAttributeByName(name, &about))
    {
        return std::nullopt;
    }
    if (!about.checker->Check(value))
    {
        return Refuse(end, name, value.SerializeToString(about.checker));
    }
    Suggest(end, name, value);
    return std::nullopt;
}

std::optional<std::string>
ApplicationTransport::HandOnAll(Ptr<Object> end) const
{
    const auto taker = end->GetInstanceTypeId();
    for (auto type = GetInstanceTypeId(); type != GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto own = type.GetAttribute(i);
            TypeId::AttributeInformation about;
            if (!taker.LookupAttributeByName(own.name, &about))
            {
                continue;
            }
            const auto value = own.checker->Create();
            own.accessor->Get(this, *value);
            if (!about.checker->CreateValidValue(*value))
            {
                return Refuse(end, own.name, value->SerializeToString(own.checker));
            }
            HandOn(end, own.name);
        }
    }
    return std::nullopt;
}

TransferReport
ApplicationTransport::GetReport(const TransportEnds& ends) const
{
    auto report = Transport::GetReport(ends);
    if (!report.isAcknowledged)
    {
        EndAtSink(report);
    }
    return report;
}

FlowCounter::Bounds
ApplicationTransport::GetBounds(const TransportFlow& flow, const TransportEnds& ends) const
{
    auto bounds = Transport::GetBounds(flow, ends);
    bounds.headerBytes = m_headerBytes;
    bounds.surplusBytes += ends.sink->GetReport().lostBytes; // within the receiving host
    return bounds;
}

} // namespace ns3::lfn
