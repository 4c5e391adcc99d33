// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

namespace ns3::lfn::values
{

namespace
{

/** @brief A unit's name and how many of the smallest unit it is. */
struct Unit
{
    std::string_view name; //!< As written behind the number.
    uint64_t factor;       //!< In the smallest unit.
};

constexpr uint64_t KIBI = 1024;
constexpr uint64_t MEBI = KIBI * KIBI;
constexpr uint64_t GIBI = MEBI * KIBI;

constexpr auto BYTE_UNITS = std::to_array<Unit>({
    {"", 1},
    {"B", 1},
    {"kB", 1000},
    {"KB", 1000},
    {"KiB", KIBI},
    {"MB", 1000000},
    {"MiB", MEBI},
    {"GB", 1000000000},
    {"GiB", GIBI},
    {"TB", 1000000000000},
    {"TiB", GIBI* KIBI},
});

constexpr auto RATE_UNITS = std::to_array<Unit>({
    {"bps", 1},           {"b/s", 1},           {"Bps", 8},           {"B/s", 8},
    {"kbps", 1000},       {"kb/s", 1000},       {"Kbps", 1000},       {"Kb/s", 1000},
    {"kBps", 8000},       {"kB/s", 8000},       {"KBps", 8000},       {"KB/s", 8000},
    {"Kib/s", KIBI},      {"KiB/s", 8 * KIBI},  {"Mbps", 1000000},    {"Mb/s", 1000000},
    {"MBps", 8000000},    {"MB/s", 8000000},    {"Mib/s", MEBI},      {"MiB/s", 8 * MEBI},
    {"Gbps", 1000000000}, {"Gb/s", 1000000000}, {"GBps", 8000000000}, {"GB/s", 8000000000},
    {"Gib/s", GIBI},      {"GiB/s", 8 * GIBI},
});

/// Of packets (p) and of bytes (B).
constexpr auto QUEUE_UNITS = std::to_array<Unit>({
    {"p", 1},
    {"kp", 1000},
    {"Kp", 1000},
    {"Kip", KIBI},
    {"Mp", 1000000},
    {"Mip", MEBI},
    {"B", 1},
    {"kB", 1000},
    {"KB", 1000},
    {"KiB", KIBI},
    {"MB", 1000000},
    {"MiB", MEBI},
});

/** @brief A unit of time and its length as a ratio, which keeps conversions exact. */
struct TimeUnit
{
    std::string_view name; //!< As written behind the number.
    uint64_t multiplier;   //!< Its length, numerator (s).
    uint64_t divisor;      //!< Its length, denominator.
};

constexpr auto TIME_UNITS = std::to_array<TimeUnit>({
    {"s", 1, 1},
    {"ms", 1, 1000},
    {"us", 1, 1000000},
    {"ns", 1, 1000000000},
    {"ps", 1, 1000000000000},
    {"fs", 1, 1000000000000000},
    {"min", 60, 1},
    {"h", 3600, 1},
    {"d", 86400, 1},
    {"y", 31536000, 1},
});

/** @brief Check whether a character is a decimal digit in any locale. */
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** @brief A number without sign and exponent: digits / 10^places, followed by a unit. */
struct Decimal
{
    uint64_t digits{0};    //!< All digits as one number.
    uint32_t places{0};    //!< How many of them are behind the point.
    std::string_view unit; //!< What follows.
};

/** @brief Split a text into a decimal number and the rest. */
Result<Decimal>
ReadDecimal(std::string_view text)
{
    if (!text.empty() && text.front() == '-')
    {
        return {std::nullopt, Fault::NEGATIVE};
    }
    std::size_t end = 0;
    std::size_t point = std::string_view::npos;
    while (end < text.size() &&
           (IsDigit(text[end]) || (text[end] == '.' && point == std::string_view::npos)))
    {
        if (text[end] == '.')
        {
            point = end;
        }
        ++end;
    }
    std::string_view number = text.substr(0, end);
    Decimal decimal;
    decimal.unit = text.substr(end);
    if (point != std::string_view::npos)
    {
        // "1." and ".5" are typing errors more often than numbers.
        if (point == 0 || point + 1 == end)
        {
            return {std::nullopt, Fault::SYNTAX};
        }
        while (number.back() == '0')
        {
            number.remove_suffix(1);
        }
        decimal.places = static_cast<uint32_t>(number.size() - point - 1);
    }
    if (number.empty())
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    for (const char c : number)
    {
        if (c == '.')
        {
            continue;
        }
        if (__builtin_mul_overflow(decimal.digits, uint64_t{10}, &decimal.digits) ||
            __builtin_add_overflow(decimal.digits, static_cast<uint64_t>(c - '0'), &decimal.digits))
        {
            return {std::nullopt, Fault::TOO_LARGE};
        }
    }
    // 10^places must fit as well; 19 digits are more than any unit here can use.
    if (decimal.places > 19)
    {
        return {std::nullopt, Fault::FRACTION};
    }
    const auto rest = decimal.unit;
    if (rest.size() > 1 && (rest[0] == 'e' || rest[0] == 'E') &&
        (IsDigit(rest[1]) || rest[1] == '-' || rest[1] == '+'))
    {
        return {std::nullopt, Fault::EXPONENT};
    }
    return {decimal, Fault::NONE};
}

/**
 * @brief Multiply a decimal number by a factor, exactly.
 * @param decimal The number.
 * @param factor The factor.
 * @param round Round to the nearest whole number instead of refusing a fraction.
 */
Result<uint64_t>
Multiply(const Decimal& decimal, uint64_t factor, bool round)
{
    uint64_t power = 1;
    for (uint32_t i = 0; i < decimal.places; ++i)
    {
        power *= 10;
    }
    // digits * factor / power: whole and fractional part of the number one after the other keep
    // the intermediate products small.
    uint64_t whole = 0;
    uint64_t part = 0;
    if (__builtin_mul_overflow(decimal.digits / power, factor, &whole))
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    if (__builtin_mul_overflow(decimal.digits % power, factor, &part))
    {
        // More digits behind the point than any unit makes whole.
        return {std::nullopt, Fault::FRACTION};
    }
    const uint64_t remainder = part % power;
    if (remainder != 0 && !round)
    {
        return {std::nullopt, Fault::FRACTION};
    }
    const uint64_t carry = part / power + (remainder >= power - power / 2 && remainder > 0 ? 1 : 0);
    if (__builtin_add_overflow(whole, carry, &whole))
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    return {whole, Fault::NONE};
}

/**
 * @brief Read a number with its unit, exactly.
 * @param text The text.
 * @param units The units taken.
 * @param round Round to the nearest whole number instead of refusing a fraction.
 * @return The number in the smallest unit.
 */
Result<uint64_t>
ReadAmount(std::string_view text, std::span<const Unit> units, bool round)
{
    const auto decimal = ReadDecimal(text);
    if (!decimal.value)
    {
        return {std::nullopt, decimal.fault};
    }
    const auto& name = decimal.value->unit;
    const auto unit = std::ranges::find(units, name, &Unit::name);
    if (unit == units.end())
    {
        return {std::nullopt, name.empty() ? Fault::MISSING_UNIT : Fault::UNKNOWN_UNIT};
    }
    return Multiply(*decimal.value, unit->factor, round);
}

/** @brief Split a text into a floating-point number and the rest. */
Result<std::pair<double, std::string_view>>
ReadFloating(std::string_view text)
{
    std::string_view body = text;
    if (!body.empty() && (body.front() == '+' || body.front() == '-'))
    {
        body.remove_prefix(1);
    }
    // from_chars would take "inf", "nan" and a second sign; a number here starts with a digit, and
    // has digits on both sides of its point.
    if (body.empty() || !IsDigit(body.front()))
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    const std::size_t digits = std::ranges::find_if_not(body, IsDigit) - body.begin();
    if (digits < body.size() && body[digits] == '.' &&
        (digits + 1 == body.size() || !IsDigit(body[digits + 1])))
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    double value = 0;
    const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
    if (error == std::errc::result_out_of_range || !std::isfinite(value))
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    if (error != std::errc())
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    if (text.front() == '-')
    {
        value = -value;
    }
    return {{{value, body.substr(end - body.data())}}, Fault::NONE};
}

/// Read a comma list whose elements have a reader of their own.
template <typename T>
Result<std::vector<T>>
ReadList(std::string_view text, Result<T> (*read)(std::string_view))
{
    std::vector<T> list;
    while (true)
    {
        const std::size_t comma = text.find(',');
        const auto element = read(text.substr(0, comma));
        if (!element.value)
        {
            return {std::nullopt, element.fault};
        }
        list.push_back(*element.value);
        if (comma == std::string_view::npos)
        {
            return {std::move(list), Fault::NONE};
        }
        text.remove_prefix(comma + 1);
    }
}

/// Print a number in the first of some units that divides it; the last one has factor 1.
template <typename T>
std::string
PrintAmount(T value, std::initializer_list<Unit> units)
{
    const auto* const unit = std::ranges::find_if(units, [value](const Unit& some) {
        return value % static_cast<T>(some.factor) == 0;
    });
    return std::to_string(value / static_cast<T>(unit->factor)) + std::string(unit->name);
}

/// Print a list with commas between.
template <typename T, typename P>
std::string
PrintList(const std::vector<T>& list, P print)
{
    std::string text;
    for (const auto& element : list)
    {
        text += (text.empty() ? "" : ",") + print(element);
    }
    return text;
}

} // namespace

Result<uint64_t>
ReadCount(std::string_view text)
{
    const auto decimal = ReadDecimal(text);
    if (!decimal.value)
    {
        return {std::nullopt, decimal.fault};
    }
    if (!decimal.value->unit.empty())
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    if (text.find('.') != std::string_view::npos)
    {
        return {std::nullopt, Fault::FRACTION};
    }
    return {decimal.value->digits, Fault::NONE};
}

Result<std::vector<uint64_t>>
ReadCountList(std::string_view text)
{
    return ReadList(text, ReadCount);
}

Result<uint64_t>
ReadBytes(std::string_view text)
{
    return ReadAmount(text, BYTE_UNITS, false);
}

Result<DataRate>
ReadRate(std::string_view text)
{
    const auto bits = ReadAmount(text, RATE_UNITS, true);
    if (!bits.value)
    {
        return {std::nullopt, bits.fault};
    }
    if (*bits.value > MOST_RATE.GetBitRate())
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    return {DataRate(*bits.value), Fault::NONE};
}

Result<Time>
ReadTime(std::string_view text)
{
    const auto number = ReadFloating(text);
    if (!number.value)
    {
        return {std::nullopt, number.fault};
    }
    const auto [value, name] = *number.value;
    if (name.empty())
    {
        if (value == 0.0)
        {
            return {Time(0), Fault::NONE};
        }
        return {std::nullopt, Fault::MISSING_UNIT};
    }
    const auto unit = std::ranges::find(TIME_UNITS, name, &TimeUnit::name);
    if (unit == TIME_UNITS.end())
    {
        return {std::nullopt, Fault::UNKNOWN_UNIT};
    }
    const long double ticks = static_cast<long double>(value) * unit->multiplier *
                              Seconds(1).GetTimeStep() / unit->divisor;
    if (std::abs(ticks) > static_cast<long double>(Days(MOST_DAYS).GetTimeStep()))
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    // To the nearest tick: a double just below a whole number of ticks must not lose one.
    const Time time = TimeStep(std::llround(ticks));
    if (time.IsZero() && value != 0.0)
    {
        return {std::nullopt, Fault::FRACTION};
    }
    return {time, Fault::NONE};
}

Result<std::vector<Time>>
ReadTimeList(std::string_view text)
{
    return ReadList(text, ReadTime);
}

Result<QueueSize>
ReadQueueSize(std::string_view text)
{
    const auto size = ReadAmount(text, QUEUE_UNITS, false);
    if (!size.value)
    {
        return {std::nullopt, size.fault};
    }
    if (*size.value > UINT32_MAX)
    {
        return {std::nullopt, Fault::TOO_LARGE};
    }
    const auto unit = text.ends_with('p') ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES;
    return {QueueSize(unit, static_cast<uint32_t>(*size.value)), Fault::NONE};
}

Result<double>
ReadNumber(std::string_view text)
{
    const auto number = ReadFloating(text);
    if (!number.value)
    {
        return {std::nullopt, number.fault};
    }
    if (!number.value->second.empty())
    {
        return {std::nullopt, Fault::SYNTAX};
    }
    return {number.value->first, Fault::NONE};
}

Result<bool>
ReadBool(std::string_view text)
{
    if (text == "true" || text == "1" || text == "t")
    {
        return {true, Fault::NONE};
    }
    if (text == "false" || text == "0" || text == "f")
    {
        return {false, Fault::NONE};
    }
    return {std::nullopt, Fault::SYNTAX};
}

std::string
Print(uint64_t value)
{
    return std::to_string(value);
}

std::string
PrintNumber(double value)
{
    std::array<char, 32> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::string(text.data(), end) : std::string();
}

std::string
PrintBytes(uint64_t bytes)
{
    return bytes == 0 ? "0B"
                      : PrintAmount(bytes,
                                    {{"TB", 1000000000000},
                                     {"GB", 1000000000},
                                     {"MB", 1000000},
                                     {"kB", 1000},
                                     {"B", 1}});
}

std::string
SuggestUnit(const std::string& text, const std::string& usual)
{
    constexpr double TERABIT_MBPS = 1e6;
    return usual == "Mbps" && std::strtod(text.c_str(), nullptr) >= TERABIT_MBPS ? "bps" : usual;
}

std::string
PrintRate(DataRate rate)
{
    const uint64_t bits = rate.GetBitRate();
    return bits == 0
               ? "0bps"
               : PrintAmount(bits,
                             {{"Gbps", 1000000000}, {"Mbps", 1000000}, {"kbps", 1000}, {"bps", 1}});
}

std::string
PrintTime(Time time)
{
    return PrintAmount(time.GetNanoSeconds(),
                       {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}});
}

std::string
PrintQueueSize(QueueSize size)
{
    return Print(size.GetValue()) + (size.GetUnit() == QueueSizeUnit::PACKETS ? "p" : "B");
}

std::string
PrintCountList(const std::vector<uint64_t>& list)
{
    return PrintList(list, [](uint64_t number) { return Print(number); });
}

std::string
PrintTimeList(const std::vector<Time>& list)
{
    return PrintList(list, PrintTime);
}

} // namespace ns3::lfn::values
