// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-scripted-error-model.h"

#include "ns3/log.h"
#include "ns3/string.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ScriptedErrorModel");
NS_OBJECT_ENSURE_REGISTERED(ScriptedErrorModel);

TypeId
ScriptedErrorModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::ScriptedErrorModel")
            .SetParent<ErrorModel>()
            .SetGroupName("Lfn")
            .AddConstructor<ScriptedErrorModel>()
            .AddAttribute(
                "Drop",
                "Which of the matching packets are lost: numbers from 1, separated by "
                "commas, or \"all\".",
                StringValue(""),
                MakeStringAccessor(&ScriptedErrorModel::SetScript, &ScriptedErrorModel::GetScript),
                MakeStringChecker());
    return tid;
}

void
ScriptedErrorModel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_filter = Filter();
    ErrorModel::DoDispose();
}

void
ScriptedErrorModel::SetFilter(const IpPacketFilter& filter)
{
    m_filter = Filter([filter](Ptr<const Packet> packet) { return filter.Matches(packet); });
}

void
ScriptedErrorModel::SetFilter(Filter filter)
{
    m_filter = filter;
}

void
ScriptedErrorModel::Drop(uint64_t k)
{
    NS_LOG_FUNCTION(this << k);
    m_script.Add(k);
}

void
ScriptedErrorModel::DropAll()
{
    NS_LOG_FUNCTION(this);
    m_script.AddAll();
}

bool
ScriptedErrorModel::SetScript(std::string script)
{
    NS_LOG_FUNCTION(this << script);
    return m_script.Set(script);
}

std::string
ScriptedErrorModel::GetScript() const
{
    return m_script.Get();
}

uint64_t
ScriptedErrorModel::GetMatched() const
{
    return m_matched;
}

uint64_t
ScriptedErrorModel::GetDropped() const
{
    return m_dropped;
}

bool
ScriptedErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    if (!IsEnabled())
    {
        return false;
    }
    if (!m_filter.IsNull() && !m_filter(packet))
    {
        return false;
    }
    ++m_matched;
    const bool isLost = m_script.Has(m_matched);
    NS_LOG_DEBUG("packet " << m_matched << " of the script: lost " << isLost);
    m_dropped += isLost ? 1 : 0;
    return isLost;
}

void
ScriptedErrorModel::DoReset()
{
    NS_LOG_FUNCTION(this);
    m_matched = 0;
    m_dropped = 0;
}

} // namespace ns3::lfn
