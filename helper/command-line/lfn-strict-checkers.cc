// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-strict-checkers.h"

#include "lfn-values.h"

#include "ns3/data-rate.h"
#include "ns3/lfn-packet-script.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::lfn
{

namespace
{

/** @brief A checker that asks another one first and then looks at the value. */
class StricterChecker : public AttributeChecker
{
  public:
    /**
     * @brief Constructor.
     * @param base The checker to ask first.
     * @param isGood Looks at a value that the first checker takes.
     * @param takes What is taken, in words.
     */
    StricterChecker(Ptr<const AttributeChecker> base,
                    bool (*isGood)(const AttributeValue&),
                    std::string takes)
        : m_base(base),
          m_isGood(isGood),
          m_takes(std::move(takes))
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        return m_base->Check(value) && m_isGood(value);
    }

    std::string GetValueTypeName() const override
    {
        return m_base->GetValueTypeName();
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_takes;
    }

    Ptr<AttributeValue> Create() const override
    {
        return m_base->Create();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return m_base->Copy(source, destination);
    }

  private:
    Ptr<const AttributeChecker> m_base;      //!< Asked first.
    bool (*m_isGood)(const AttributeValue&); //!< Looks at the value.
    std::string m_takes;                     //!< What is taken, in words.
};

} // namespace

Ptr<const AttributeChecker>
MakePositiveDataRateChecker()
{
    const auto isPositive = [](const AttributeValue& value) {
        const auto rate = dynamic_cast<const DataRateValue*>(&value);
        return rate && rate->Get().GetBitRate() > 0;
    };
    return Create<StricterChecker>(MakeDataRateChecker(), isPositive, "ns3::DataRate above 0");
}

Ptr<const AttributeChecker>
MakePositiveQueueSizeChecker()
{
    const auto isPositive = [](const AttributeValue& value) {
        const auto size = dynamic_cast<const QueueSizeValue*>(&value);
        return size && size->Get().GetValue() > 0;
    };
    return Create<StricterChecker>(MakeQueueSizeChecker(), isPositive, "ns3::QueueSize above 0");
}

Ptr<const AttributeChecker>
MakeTimeListChecker()
{
    const auto isList = [](const AttributeValue& value) {
        const auto text = dynamic_cast<const StringValue*>(&value);
        if (!text || text->Get().empty())
        {
            return text != nullptr;
        }
        const auto times = values::ReadTimeList(text->Get()).value;
        return times && std::ranges::none_of(*times, &Time::IsStrictlyNegative);
    };
    return Create<StricterChecker>(MakeStringChecker(),
                                   isList,
                                   "times with units and commas between, such as 20ms,40ms");
}

Ptr<const AttributeChecker>
MakePacketScriptChecker()
{
    const auto isScript = [](const AttributeValue& value) {
        const auto text = dynamic_cast<const StringValue*>(&value);
        return text && PacketScript().Set(text->Get());
    };
    return Create<StricterChecker>(
        MakeStringChecker(),
        isScript,
        "whole numbers of at least 1 with commas between, such as 3,7,11, or \"all\"");
}

} // namespace ns3::lfn
