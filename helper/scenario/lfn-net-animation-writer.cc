// SPDX-License-Identifier: GPL-2.0-only

// A library of its own in the stand-alone build, liblfn-netanim.so: ns-3's module netanim needs
// many others, which every program would load.

#include "lfn-net-animation-writer.h"

#include "ns3/animation-interface.h"
#include "ns3/global-value.h"
#include "ns3/mobility-model.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ns3::lfn
{

namespace
{

constexpr double WIDTH = 220; //!< Of the area with places of the network's own (pixels).
constexpr double SIZE = 34;   //!< Diameter of a node (pixels).

/** @brief Remembers the latest event. */
class InsertionRecorder : public PriorityQueueScheduler
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::InsertionRecorder")
                                .SetParent<PriorityQueueScheduler>()
                                .SetGroupName("Lfn")
                                .AddConstructor<InsertionRecorder>();
        return tid;
    }

    void Insert(const Event& event) override
    {
        latest = event;
        PriorityQueueScheduler::Insert(event);
    }

    static Event latest; //!< The latest event.
};

Scheduler::Event InsertionRecorder::latest{};

/**
 * @brief Make ns-3's writer, without its event every quarter of a second, which looks for nodes
 * that have moved: a run that ends with its last event would be longer.
 */
std::unique_ptr<AnimationInterface>
MakeAnimation(const std::string& file)
{
    TypeIdValue usual;
    GlobalValue::GetValueByName("SchedulerType", usual);
    ObjectFactory factory;
    factory.SetTypeId(InsertionRecorder::GetTypeId());
    Simulator::SetScheduler(factory);
    const auto before = Simulator::ScheduleNow([] {});
    Simulator::Remove(before);
    auto animation = std::make_unique<AnimationInterface>(file);
    const auto& latest = InsertionRecorder::latest;
    if (latest.key.m_uid > before.GetUid())
    {
        Simulator::Remove(
            EventId(latest.impl, latest.key.m_ts, latest.key.m_context, latest.key.m_uid));
    }
    factory.SetTypeId(usual.Get());
    Simulator::SetScheduler(factory);
    return animation;
}

/**
 * @brief Give each node a place, as the drawing has it.
 * @return Units of the places per pixel of the drawing.
 */
double
PlaceAll(const std::vector<DrawnNode>& nodes)
{
    // Nodes with a place of their own keep it: results depend on it.
    Ptr<MobilityModel> first;
    Vector origin;
    double extent = 1;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const auto own = NodeList::GetNode(i)->GetObject<MobilityModel>();
        if (own && !first)
        {
            first = own;
            origin = Vector(nodes[i].x, nodes[i].y, 0);
        }
        extent = own ? std::max(extent, first->GetDistanceFrom(own)) : extent;
    }
    const Vector at = first ? first->GetPosition() : Vector();
    const double scale = first ? 2 * extent / WIDTH : 1;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const auto node = NodeList::GetNode(i);
        if (!node->GetObject<MobilityModel>())
        {
            AnimationInterface::SetConstantPosition(node,
                                                    at.x + scale * (nodes[i].x - origin.x),
                                                    at.y + scale * (nodes[i].y - origin.y));
        }
    }
    return scale;
}

/** @brief What NetAnimationWriter says, by ns3::AnimationInterface. */
class Writer : public NetAnimationWriter
{
  public:
    /** @brief Constructor: begin the file. */
    Writer(const std::string& file,
           const std::vector<DrawnNode>& nodes,
           uint64_t packets,
           bool hasMetadata)
        : m_packets(packets)
    {
        const double scale = PlaceAll(nodes);
        m_animation = MakeAnimation(file);
        m_animation->SetMaxPktsPerTraceFile(packets);
        m_animation->EnablePacketMetadata(hasMetadata);
        for (uint32_t i = 0; i < nodes.size(); ++i)
        {
            const auto& [name, role, colour, x, y] = nodes[i];
            const auto rgb = std::stoul(colour.substr(1), nullptr, 16);
            m_animation->UpdateNodeDescription(i, role.empty() ? name : name + ": " + role);
            m_animation->UpdateNodeColor(i, rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
            m_animation->UpdateNodeSize(i, SIZE * scale, SIZE * scale);
        }
    }

    bool IsCut() const override
    {
        return m_animation->GetTracePktCount() > m_packets;
    }

  private:
    uint64_t m_packets;                              //!< Most packets in the file.
    std::unique_ptr<AnimationInterface> m_animation; //!< Writes the file until it is destroyed.
};

} // namespace

} // namespace ns3::lfn

extern "C" ns3::lfn::NetAnimationWriter*
LfnOpenNetAnimation(const std::string& file,
                    const std::vector<ns3::lfn::DrawnNode>& nodes,
                    uint64_t packets,
                    bool hasMetadata)
{
    return new ns3::lfn::Writer(file, nodes, packets, hasMetadata);
}
