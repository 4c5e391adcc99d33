// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-scripted-error-model.h"

#include "ns3/string.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace ns3::lfn
{

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
    m_drop.insert(k);
}

void
ScriptedErrorModel::DropAll()
{
    m_dropAll = true;
}

bool
ScriptedErrorModel::SetScript(std::string script)
{
    if (script == "all")
    {
        m_drop.clear();
        m_dropAll = true;
        return true;
    }
    std::set<uint64_t> drop;
    for (std::string_view rest = script; !rest.empty();)
    {
        uint64_t k = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), k);
        if (error != std::errc() || k == 0)
        {
            return false;
        }
        drop.insert(k);
        rest.remove_prefix(static_cast<size_t>(end - rest.data()));
        if (!rest.empty())
        {
            const bool isSeparated = rest.front() == ',' && rest.size() > 1;
            if (!isSeparated)
            {
                return false;
            }
            rest.remove_prefix(1);
        }
    }
    m_drop = std::move(drop);
    m_dropAll = false;
    return true;
}

std::string
ScriptedErrorModel::GetScript() const
{
    if (m_dropAll)
    {
        return "all";
    }
    std::string script;
    for (const uint64_t k : m_drop)
    {
        script += script.empty() ? "" : ",";
        script += std::to_string(k);
    }
    return script;
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
    if (!m_filter.IsNull() && !m_filter(packet))
    {
        return false;
    }
    ++m_matched;
    const bool isLost = m_dropAll || m_drop.contains(m_matched);
    m_dropped += isLost ? 1 : 0;
    return isLost;
}

void
ScriptedErrorModel::DoReset()
{
    m_matched = 0;
    m_dropped = 0;
}

} // namespace ns3::lfn
