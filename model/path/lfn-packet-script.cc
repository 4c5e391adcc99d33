// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-packet-script.h"

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

namespace ns3::lfn
{

void
PacketScript::Add(uint64_t k)
{
    m_numbers.insert(k);
}

void
PacketScript::AddAll()
{
    m_isAll = true;
}

bool
PacketScript::Set(const std::string& script)
{
    if (script == "all")
    {
        m_numbers.clear();
        m_isAll = true;
        return true;
    }
    std::set<uint64_t> numbers;
    for (std::string_view rest = script; !rest.empty();)
    {
        uint64_t k = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), k);
        if (error != std::errc() || k == 0)
        {
            return false;
        }
        numbers.insert(k);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
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
    m_numbers = std::move(numbers);
    m_isAll = false;
    return true;
}

std::string
PacketScript::Get() const
{
    if (m_isAll)
    {
        return "all";
    }
    std::string script;
    for (const uint64_t k : m_numbers)
    {
        script += script.empty() ? "" : ",";
        script += std::to_string(k);
    }
    return script;
}

bool
PacketScript::Has(uint64_t k) const
{
    return m_isAll || m_numbers.contains(k);
}

bool
PacketScript::IsEmpty() const
{
    return !m_isAll && m_numbers.empty();
}

} // namespace ns3::lfn
