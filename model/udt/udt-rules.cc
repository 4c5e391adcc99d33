// SPDX-License-Identifier: GPL-2.0-only
#include "udt-rules.h"

#include <utility>

namespace ns3::lfn
{

void
UdtRules::Set(const std::string& name, Rule rule)
{
    if (rule)
    {
        m_own[name] = std::move(rule);
    }
    else
    {
        m_own.erase(name);
    }
}

bool
UdtRules::Has(const std::string& name) const
{
    return m_own.contains(name);
}

void
UdtRules::Apply(UdtSettings& settings) const
{
    ApplyUdtVariant(variant, settings);
    for (const auto& [name, rule] : m_own)
    {
        rule(settings);
    }
}

Ptr<const AttributeChecker>
MakeUdtVariantChecker()
{
    return MakeEnumChecker(UdtVariant::UDT4,
                           "Udt4",
                           UdtVariant::UDT3,
                           "Udt3",
                           UdtVariant::DRAFT,
                           "Draft",
                           UdtVariant::SRT,
                           "Srt");
}

} // namespace ns3::lfn
