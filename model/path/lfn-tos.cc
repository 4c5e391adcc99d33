// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tos.h"

#include "lfn-explaining-checker.h"

#include "ns3/uinteger.h"

#include <charconv>

namespace ns3::lfn
{

namespace tos
{

namespace
{

constexpr std::string_view HEX_DIGITS = "0123456789abcdef";
constexpr uint8_t EXPEDITED = 0xb8;    //!< EF, RFC 3246
constexpr uint8_t LOWER_EFFORT = 0x04; //!< LE, RFC 8622

/** @brief Get the digit at a place of a text; nothing when it is not from 0 to the largest. */
std::optional<uint8_t>
GetDigit(std::string_view text, std::size_t at, char largest)
{
    return text[at] >= '0' && text[at] <= largest
               ? std::optional(static_cast<uint8_t>(text[at] - '0'))
               : std::nullopt;
}

} // namespace

std::optional<uint8_t>
Read(std::string_view text)
{
    if (text == "EF")
    {
        return EXPEDITED;
    }
    if (text == "LE")
    {
        return LOWER_EFFORT;
    }
    if (text.size() == 3 && text.starts_with("CS"))
    {
        const auto selector = GetDigit(text, 2, '7');
        return selector ? std::optional<uint8_t>(*selector << 5) : std::nullopt;
    }
    if (text.size() == 4 && text.starts_with("AF"))
    {
        const auto forwarding = GetDigit(text, 2, '4');
        const auto drop = GetDigit(text, 3, '3');
        return forwarding.value_or(0) > 0 && drop.value_or(0) > 0
                   ? std::optional<uint8_t>(*forwarding << 5 | *drop << 3)
                   : std::nullopt;
    }
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = text.substr(isHex ? 2 : 0);
    uint8_t byte = 0;
    const auto [last, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, isHex ? 16 : 10);
    return error == std::errc() && last == digits.data() + digits.size() ? std::optional(byte)
                                                                         : std::nullopt;
}

std::string
Print(uint8_t byte)
{
    if (byte == EXPEDITED || byte == LOWER_EFFORT)
    {
        return byte == EXPEDITED ? "EF" : "LE";
    }
    const auto digit = [](int number) { return static_cast<char>('0' + number); };
    const int selector = byte >> 5;
    const int drop = byte >> 3 & 3;
    const bool isWhole = (byte & 7) == 0;
    if (isWhole && drop == 0)
    {
        return {'C', 'S', digit(selector)};
    }
    if (isWhole && selector >= 1 && selector <= 4)
    {
        return {'A', 'F', digit(selector), digit(drop)};
    }
    return {'0', 'x', HEX_DIGITS[byte >> 4], HEX_DIGITS[byte & 15]};
}

} // namespace tos

namespace
{

/** @brief A whole number that is read as a TOS byte. */
class TosValue : public UintegerValue
{
  public:
    Ptr<AttributeValue> Copy() const override
    {
        return ns3::Create<TosValue>(*this);
    }

    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> /* checker */) override
    {
        const auto byte = tos::Read(text);
        Set(byte.value_or(0));
        return byte.has_value();
    }
};

/** @brief Takes a UintegerValue of a TOS byte. */
class TosChecker : public ExplainingChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto* number = dynamic_cast<const UintegerValue*>(&value);
        return number && number->Get() <= UINT8_MAX;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::lfn::TosValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "a DSCP such as EF, or 0 to 255";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<TosValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const UintegerValue*>(&source);
        auto* to = dynamic_cast<UintegerValue*>(&destination);
        if (from && to)
        {
            to->Set(from->Get());
        }
        return from && to;
    }

    std::optional<std::string> Explain(const std::string& text) const override
    {
        if (tos::Read(text))
        {
            return std::nullopt;
        }
        return "give a DSCP (EF, LE, CS0 to CS7, AF11 to AF43) or a TOS byte from 0 to 255, such "
               "as "
               "184 or 0xb8";
    }
};

} // namespace

Ptr<const AttributeChecker>
MakeTosChecker()
{
    return Create<TosChecker>();
}

} // namespace ns3::lfn
