// SPDX-License-Identifier: GPL-2.0-only

#include "udp-transport.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"

namespace ns3::lfn
{

namespace
{

/** @brief Place of a datagram's first byte in the sequence of objects. */
class OffsetTag : public Tag
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::OffsetTag")
                                .SetParent<Tag>()
                                .SetGroupName("Lfn")
                                .AddConstructor<OffsetTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(offset);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU64(offset);
    }

    void Deserialize(TagBuffer buffer) override
    {
        offset = buffer.ReadU64();
    }

    void Print(std::ostream& os) const override
    {
        os << "from byte " << offset << " on";
    }

    uint64_t offset{0}; //!< [B]
};

} // namespace

NS_LOG_COMPONENT_DEFINE("UdpTransport");
NS_OBJECT_ENSURE_REGISTERED(UdpTransport);

TypeId
UdpTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::UdpTransport")
                            .SetParent<ApplicationTransport>()
                            .SetGroupName("Lfn")
                            .AddConstructor<UdpTransport>();
    return tid;
}

UdpTransport::UdpTransport()
    : ApplicationTransport("ns3::lfn::UdpSource", "ns3::lfn::UdpSink")
{
    NS_LOG_FUNCTION(this);
}

TransportTraits
UdpTransport::GetTraits() const
{
    auto traits = ApplicationTransport::GetTraits();
    traits.what = "datagrams at the flow's rate";
    traits.surplus = "what the sink lost within its host: 0";
    traits.takesObjects = true;
    return traits;
}

std::optional<std::string>
UdpTransport::Install(const TransportFlow& flow, TransportEnds& ends)
{
    const auto error = ApplicationTransport::Install(flow, ends);
    if (!error)
    {
        // The data go to the application for any cost of the receiving host, as those of others.
        Suggest(ends.sink, "MoveData", BooleanValue(true));
        if (flow.objects)
        {
            CarryObjects(flow, ends);
        }
    }
    return error;
}

void
UdpTransport::CarryObjects(const TransportFlow& flow, TransportEnds& ends)
{
    NS_LOG_FUNCTION(flow.index);
    auto* objects = flow.objects;
    // The last datagram of an object may be short, and takes the time of a whole one.
    const auto bytes = objects->GetSettings().bytes;
    const auto datagrams = bytes / ends.packetSize + (bytes % ends.packetSize > 0 ? 1 : 0);
    ends.source->SetAttribute("SendRate",
                              DataRateValue(objects->GetRate(datagrams * ends.packetSize)));
    FeedObjects(flow, ends);
    ends.source->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>>([sent = uint64_t{0}](Ptr<const Packet> packet) mutable {
            OffsetTag tag;
            tag.offset = sent;
            packet->AddByteTag(tag);
            sent += packet->GetSize();
        }));
    ends.sink->TraceConnectWithoutContext(
        "Delivered",
        Callback<void, Ptr<const Packet>>([objects](Ptr<const Packet> packet) {
            OffsetTag tag;
            if (packet->FindFirstMatchingByteTag(tag))
            {
                objects->OnDelivered(Simulator::Now(), tag.offset, packet->GetSize());
            }
        }));
}

} // namespace ns3::lfn
