// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_WORDING_H
#define LFN_WORDING_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Get the length of the UTF-8 sequence at the beginning of a text.
 * @param text The text, not empty.
 * @return The number of bytes, 0 if they are no valid sequence.
 */
std::size_t Utf8Length(std::string_view text);

/**
 * @ingroup lfn
 * @brief Make any text fit one line of an error message: control characters and bytes that are no
 * valid UTF-8 become \\xNN, long texts are cut.
 * @param text The text.
 * @param most The most bytes shown; the last character is whole.
 * @return The printable text.
 */
std::string Printable(std::string_view text, std::size_t most = 120);

/**
 * @ingroup lfn
 * @brief Find the name that a misspelt one most likely means.
 * @param name The misspelt name.
 * @param known The names there are.
 * @return The nearest known name, or nothing when none is near.
 */
std::optional<std::string> FindNearest(std::string_view name,
                                       const std::vector<std::string>& known);

/**
 * @ingroup lfn
 * @brief Write texts one behind the other.
 * @param texts The texts.
 * @param between What is between two of them.
 * @return All of them.
 */
std::string Join(const std::vector<std::string>& texts, std::string_view between = ", ");

/**
 * @ingroup lfn
 * @brief Print a number for people.
 * @param value The number.
 * @return Four or so significant digits, without an exponent.
 */
std::string PrintShort(double value);

} // namespace ns3::lfn

#endif // LFN_WORDING_H
