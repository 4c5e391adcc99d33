// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-queue-limit.h"

#include <algorithm>
#include <cmath>

namespace ns3::lfn
{

namespace
{

constexpr std::string_view UNIT = "BDP";
constexpr double MOST_BYTES = UINT32_MAX; //!< of a queue of ns-3
constexpr double LINK_HEADER = 40;        //!< more than a device adds to an IP packet (bytes)

/** @brief Get the bandwidth-delay product of a path (bytes). */
double
GetProduct(DataRate rate, Time rtt)
{
    return static_cast<double>(rate.GetBitRate()) / 8 * rtt.GetSeconds();
}

/** @brief A checker of limits above 0. */
class QueueLimitChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto limit = QueueLimitValue::From(value);
        return limit && limit->IsPositive();
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::lfn::QueueLimitValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "QueueSize above 0, or BDP as in 0.5BDP";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<QueueLimitValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* const from = dynamic_cast<const QueueLimitValue*>(&source);
        auto* const to = dynamic_cast<QueueLimitValue*>(&destination);
        if (!from || !to)
        {
            return false;
        }
        *to = *from;
        return true;
    }
};

} // namespace

QueueLimit::QueueLimit(QueueSize size)
    : m_size(size)
{
}

QueueLimit
QueueLimit::OfBdp(double multiple)
{
    QueueLimit limit;
    limit.m_bdp = multiple;
    return limit;
}

bool
QueueLimit::IsBdp() const
{
    return m_bdp > 0;
}

double
QueueLimit::GetBdp() const
{
    return m_bdp;
}

QueueSize
QueueLimit::GetSize() const
{
    return m_size;
}

bool
QueueLimit::IsPositive() const
{
    return IsBdp() || m_size.GetValue() > 0;
}

QueueSize
QueueLimit::Resolve(DataRate rate, Time rtt, uint32_t mtu) const
{
    if (!IsBdp())
    {
        return m_size;
    }
    const double bytes = std::max(m_bdp * GetProduct(rate, rtt), mtu + LINK_HEADER);
    return {QueueSizeUnit::BYTES, static_cast<uint32_t>(std::min(std::round(bytes), MOST_BYTES))};
}

std::optional<std::string>
QueueLimit::Check(DataRate rate, Time rtt) const
{
    if (!IsBdp())
    {
        return std::nullopt;
    }
    const auto path = values::PrintRate(rate) + " and an RTT of " + values::PrintTime(rtt);
    if (rtt.IsZero())
    {
        return "with " + path + " there is no bandwidth-delay product, give packets or bytes";
    }
    if (m_bdp * GetProduct(rate, rtt) > MOST_BYTES)
    {
        return "with " + path + " it is more than a queue can have, 4294967295B: give less";
    }
    return std::nullopt;
}

values::Result<QueueLimit>
values::ReadQueueLimit(std::string_view text)
{
    if (!text.ends_with(UNIT))
    {
        const auto size = ReadQueueSize(text);
        return {size.value ? std::optional(QueueLimit(*size.value)) : std::nullopt, size.fault};
    }
    text.remove_suffix(UNIT.size());
    const auto multiple = ReadNumber(text);
    if (!multiple.value || !std::isfinite(*multiple.value) || *multiple.value < 0)
    {
        return {std::nullopt, multiple.value ? Fault::SYNTAX : multiple.fault};
    }
    return {QueueLimit::OfBdp(*multiple.value), Fault::NONE};
}

std::string
values::PrintQueueLimit(QueueLimit limit)
{
    return limit.IsBdp() ? PrintNumber(limit.GetBdp()) + std::string(UNIT)
                         : PrintQueueSize(limit.GetSize());
}

QueueLimitValue::QueueLimitValue(const QueueLimit& limit)
    : m_limit(limit)
{
}

std::optional<QueueLimit>
QueueLimitValue::From(const AttributeValue& value)
{
    if (const auto* const size = dynamic_cast<const QueueSizeValue*>(&value))
    {
        return QueueLimit(size->Get());
    }
    const auto* const limit = dynamic_cast<const QueueLimitValue*>(&value);
    return limit ? std::optional(limit->m_limit) : std::nullopt;
}

QueueLimit
QueueLimitValue::Get() const
{
    return m_limit;
}

void
QueueLimitValue::Set(const QueueLimit& limit)
{
    m_limit = limit;
}

Ptr<AttributeValue>
QueueLimitValue::Copy() const
{
    return Create<QueueLimitValue>(m_limit);
}

std::string
QueueLimitValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    return values::PrintQueueLimit(m_limit);
}

bool
QueueLimitValue::DeserializeFromString(std::string value, Ptr<const AttributeChecker> /* checker */)
{
    const auto limit = values::ReadQueueLimit(value);
    m_limit = limit.value.value_or(m_limit);
    return limit.value.has_value();
}

Ptr<const AttributeChecker>
MakePositiveQueueLimitChecker()
{
    return Create<QueueLimitChecker>();
}

} // namespace ns3::lfn
