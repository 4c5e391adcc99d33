// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_VALUES_H
#define LFN_VALUES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @ingroup lfn
 * @brief Strict readers of values, and their canonical texts.
 *
 * A reader takes the whole text or nothing: no leading or trailing characters, no sign where none
 * makes sense, no overflow, no "nan" and no "inf". What a reader prints, it reads back equal.
 */
namespace ns3::lfn::values
{

/**
 * @brief The greatest rate that is read: a packet of 1500 bytes takes 1.2 ns, just more than one
 * step of ns-3's clock; beyond it links would take no time at all. ns-3's own arithmetic fails
 * from 2^63 bit/s on.
 */
inline const DataRate MOST_RATE{10'000'000'000'000};

/**
 * @brief The longest time that is read, either sign: ten years, of which 29 can be added before
 * ns-3's clock overflows.
 */
constexpr uint64_t MOST_DAYS = 3650;

/** @brief Why a reader refused a text. */
enum class Fault : uint8_t
{
    NONE,         //!< It did not refuse.
    SYNTAX,       //!< Not of the form at all.
    NEGATIVE,     //!< A minus sign where only positive values make sense.
    MISSING_UNIT, //!< A number, but its unit is missing.
    UNKNOWN_UNIT, //!< A number with an unknown unit.
    EXPONENT,     //!< A number in scientific notation where decimal digits are needed.
    FRACTION,     //!< A fraction of the smallest unit.
    TOO_LARGE,    //!< More than the type holds, or than makes sense.
};

/**
 * @brief A value, or why there is none.
 * @tparam T The type of the value.
 */
template <typename T>
struct Result
{
    std::optional<T> value;   //!< The value when the text was good.
    Fault fault{Fault::NONE}; //!< The fault otherwise.
};

/** @brief Read a whole number without a sign. */
Result<uint64_t> ReadCount(std::string_view text);

/** @brief Read a comma list of whole numbers, at least one. */
Result<std::vector<uint64_t>> ReadCountList(std::string_view text);

/** @brief Read a size in bytes: no unit, B, kB, KiB, MB, MiB, GB, GiB, TB or TiB. */
Result<uint64_t> ReadBytes(std::string_view text);

/**
 * @brief Read a rate with a unit of ns-3's DataRate, computed exactly and rounded to 1 bit/s;
 * MOST_RATE at most. 0 is read, although most flags refuse it.
 */
Result<DataRate> ReadRate(std::string_view text);

/**
 * @brief Read a time with a unit; 0 needs none. A sign and an exponent are read.
 * @return The time, MOST_DAYS at most, rounded to ns-3's resolution; a time that would round to 0
 * is refused.
 */
Result<Time> ReadTime(std::string_view text);

/** @brief Read a comma list of times, each as ReadTime() has it. */
Result<std::vector<Time>> ReadTimeList(std::string_view text);

/** @brief Read a queue size: p, kp, Kp, Kip, Mp, Mip, B, kB, KB, KiB, MB or MiB. */
Result<QueueSize> ReadQueueSize(std::string_view text);

/** @brief Read a finite number; a sign and an exponent are read. */
Result<double> ReadNumber(std::string_view text);

/** @brief Read true or false (also 1, 0, t, f as in ns-3). */
Result<bool> ReadBool(std::string_view text);

/** @brief Print a whole number. */
std::string Print(uint64_t value);

/** @brief Print a number with the fewest digits that read back equal. */
std::string PrintNumber(double value);

/** @brief Print a size in bytes with the largest decimal unit that divides it, such as "450MB". */
std::string PrintBytes(uint64_t bytes);

/**
 * @brief Get the unit that a number without one most likely has.
 * @param text the number
 * @param usual its usual unit
 * @return bps for rates that would be a Tb/s and more in Mbps, else the usual one
 */
std::string SuggestUnit(const std::string& text, const std::string& usual);

/** @brief Print a rate with the largest unit that divides it, such as "600Mbps". */
std::string PrintRate(DataRate rate);

/** @brief Print a time with the largest unit up to seconds that divides it, such as "100ms". */
std::string PrintTime(Time time);

/** @brief Print a queue size, such as "10000p". */
std::string PrintQueueSize(QueueSize size);

/** @brief Print numbers with commas between, such as "3,7,11". */
std::string PrintCountList(const std::vector<uint64_t>& list);

/** @brief Print times with commas between. */
std::string PrintTimeList(const std::vector<Time>& list);

} // namespace ns3::lfn::values

#endif // LFN_VALUES_H
