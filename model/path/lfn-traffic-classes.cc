// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-traffic-classes.h"

#include "lfn-class-scheduler-core.h"
#include "lfn-explaining-checker.h"
#include "lfn-tos.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace ns3::lfn
{

namespace
{

const std::string REST = "rest"; //!< name of the class of all other packets

/** @brief Split a text at a separator; n separators give n + 1 parts. */
std::vector<std::string_view>
Split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true)
    {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
        {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

/** @brief Quote a part of the text for a message: printable, and not long. */
std::string
Quote(std::string_view text)
{
    constexpr std::size_t MOST = 40;
    std::string quoted(text.substr(0, MOST));
    std::ranges::replace_if(quoted, [](char c) { return c < ' ' || c > '~'; }, '?');
    return quoted + (text.size() > MOST ? "..." : "");
}

/**
 * @brief Read a number with its unit.
 * @tparam V an AttributeValue that reads 1 with this unit
 * @param text the text
 * @param checker of the AttributeValue
 * @param[out] unit 1 of this unit
 * @return the number, without unit; 0 when the text is not a number with a unit
 */
template <typename V>
double
ReadAmount(std::string_view text, Ptr<const AttributeChecker> checker, V& unit)
{
    const auto at = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto digits = text.substr(0, at);
    double number = 0;
    const auto [last, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool isNumber = at > 0 && error == std::errc() && last == digits.data() + digits.size();
    return isNumber && unit.DeserializeFromString("1" + std::string(text.substr(at)), checker)
               ? number
               : 0;
}

/** @brief Read a weight. */
std::optional<std::string>
ReadWeight(std::string_view text, double& weight)
{
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
    if (error != std::errc() || last != text.data() + text.size() ||
        !(weight >= TrafficClasses::LEAST_WEIGHT) || weight > TrafficClasses::MOST_WEIGHT)
    {
        return "write a weight from 1e-6 to 1e6 after the name, such as 0.6";
    }
    return std::nullopt;
}

/** @brief Read a buffer. */
std::optional<std::string>
ReadBuffer(std::string_view text, TrafficClass& read)
{
    QueueSizeValue unit;
    const double size = ReadAmount(text, MakeQueueSizeChecker(), unit) * unit.Get().GetValue();
    if (!(size >= 1) || size > UINT32_MAX || size != std::floor(size))
    {
        return "a buffer is a whole number above 0 with its unit, such as 500p or 64KiB, and a cap "
               "is a rate, such as 60Mbps";
    }
    read.buffer = QueueSize(unit.Get().GetUnit(), static_cast<uint32_t>(size));
    return std::nullopt;
}

/** @brief Read a cap. */
std::optional<std::string>
ReadCap(std::string_view text, TrafficClass& read)
{
    constexpr double MOST_RATE = 1e13; // of a link: ten bits per ns
    DataRateValue unit;
    const double rate = ReadAmount(text, MakeDataRateChecker(), unit) *
                        static_cast<double>(unit.Get().GetBitRate());
    if (!(rate >= 1) || rate > MOST_RATE)
    {
        return "a cap is a rate above 0 with its unit, 10000Gbps at most, such as 60Mbps";
    }
    read.cap = DataRate(static_cast<uint64_t>(std::llround(rate)));
    return std::nullopt;
}

/** @brief Read the DSCPs and TOS bytes of a class. */
std::optional<std::string>
ReadNames(std::string_view text, TrafficClass& read)
{
    for (const auto name : Split(text, '+'))
    {
        if (name == REST)
        {
            return REST + " stands alone: it has all packets that no other class has";
        }
        const auto byte = tos::Read(name);
        if (!byte)
        {
            return "there is no DSCP " + Quote(name) +
                   ", give EF, LE, CS0 to CS7, AF11 to AF43, a TOS byte such as 0x28 or 40, or " +
                   REST;
        }
        if ((*byte & ~tos::DSCP_MASK) != 0)
        {
            return "the lowest two bits of TOS byte " + Quote(name) + " are those of ECN: give " +
                   tos::Print(*byte & tos::DSCP_MASK);
        }
        read.tos.push_back(*byte);
    }
    return std::nullopt;
}

/** @brief Takes a TrafficClassesValue. */
class TrafficClassesChecker : public ExplainingChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        return dynamic_cast<const TrafficClassesValue*>(&value) != nullptr;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::lfn::TrafficClassesValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "classes as name:weight[:buffer][:cap], with commas between";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<TrafficClassesValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const TrafficClassesValue*>(&source);
        auto* to = dynamic_cast<TrafficClassesValue*>(&destination);
        if (from && to)
        {
            *to = *from;
        }
        return from && to;
    }

    std::optional<std::string> Explain(const std::string& text) const override
    {
        TrafficClasses classes;
        return TrafficClasses::Read(text, classes);
    }
};

} // namespace

TrafficClasses::TrafficClasses()
    : m_classes(1)
{
}

std::optional<std::string>
TrafficClasses::Read(std::string_view text, TrafficClasses& classes)
{
    TrafficClasses read;
    read.m_classes.clear();
    std::optional<std::size_t> rest;
    for (const auto item : Split(text, ','))
    {
        bool isRest = false;
        if (auto remedy = read.Add(item, isRest))
        {
            return "class " + Quote(item) + ": " + *remedy;
        }
        if (isRest && rest)
        {
            return "give one class " + REST;
        }
        rest = isRest ? std::optional(read.m_classes.size() - 1) : rest;
    }
    if (!rest)
    {
        return "add a class for all other packets, such as " + REST + ":0.4";
    }
    read.m_rest = *rest;
    read.m_byDscp.fill(static_cast<uint8_t>(*rest));
    std::set<uint8_t> seen;
    for (std::size_t i = 0; i < read.m_classes.size(); ++i)
    {
        for (const auto byte : read.m_classes[i].tos)
        {
            if (!seen.insert(byte).second)
            {
                return "give " + tos::Print(byte) + " to one class, once";
            }
            read.m_byDscp[byte >> 2] = static_cast<uint8_t>(i);
        }
    }
    classes = std::move(read);
    return std::nullopt;
}

std::optional<std::string>
TrafficClasses::Add(std::string_view item, bool& isRest)
{
    const auto parts = Split(item, ':');
    TrafficClass read;
    isRest = parts[0] == REST;
    auto remedy = isRest ? std::nullopt : ReadNames(parts[0], read);
    remedy = remedy ? remedy : ReadWeight(parts.size() > 1 ? parts[1] : "", read.weight);
    for (std::size_t i = 2; !remedy && i < parts.size(); ++i)
    {
        const bool isRate = parts[i].ends_with('s');
        if (isRate ? read.cap.has_value() : read.buffer.has_value() || read.cap)
        {
            return "write name:weight, then at most one buffer, then at most one cap";
        }
        remedy = isRate ? ReadCap(parts[i], read) : ReadBuffer(parts[i], read);
    }
    m_classes.push_back(std::move(read));
    if (!remedy && m_classes.size() > ClassSchedulerCore::MOST_CLASSES)
    {
        return "give at most " + std::to_string(ClassSchedulerCore::MOST_CLASSES) + " classes";
    }
    return remedy;
}

std::string
TrafficClasses::Print() const
{
    std::string text;
    for (std::size_t i = 0; i < m_classes.size(); ++i)
    {
        const auto& known = m_classes[i];
        std::array<char, 32> weight;
        const auto [end, error] =
            std::to_chars(weight.data(), weight.data() + weight.size(), known.weight);
        text += (i > 0 ? "," : "") + GetName(i) + ":" + std::string(weight.data(), end);
        if (known.buffer)
        {
            const bool isPackets = known.buffer->GetUnit() == QueueSizeUnit::PACKETS;
            text += ":" + std::to_string(known.buffer->GetValue()) + (isPackets ? "p" : "B");
        }
        if (known.cap)
        {
            text += ":" + std::to_string(known.cap->GetBitRate()) + "bps";
        }
    }
    return text;
}

const std::vector<TrafficClass>&
TrafficClasses::Get() const
{
    return m_classes;
}

std::string
TrafficClasses::GetName(std::size_t index) const
{
    std::string name;
    for (const auto byte : m_classes[index].tos)
    {
        name += (name.empty() ? "" : "+") + tos::Print(byte);
    }
    return name.empty() ? REST : name;
}

std::size_t
TrafficClasses::Find(uint8_t tos) const
{
    return m_byDscp[tos >> 2];
}

std::size_t
TrafficClasses::GetRest() const
{
    return m_rest;
}

TrafficClassesValue::TrafficClassesValue(const TrafficClasses& value)
    : m_value(value)
{
}

void
TrafficClassesValue::Set(const TrafficClasses& value)
{
    m_value = value;
}

TrafficClasses
TrafficClassesValue::Get() const
{
    return m_value;
}

Ptr<AttributeValue>
TrafficClassesValue::Copy() const
{
    return Create<TrafficClassesValue>(*this);
}

std::string
TrafficClassesValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    return m_value.Print();
}

bool
TrafficClassesValue::DeserializeFromString(std::string value,
                                           Ptr<const AttributeChecker> /* checker */)
{
    return !TrafficClasses::Read(value, m_value);
}

Ptr<const AttributeChecker>
MakeTrafficClassesChecker()
{
    return Create<TrafficClassesChecker>();
}

} // namespace ns3::lfn
