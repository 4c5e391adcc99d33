// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_ROWS_H
#define LFN_TOPOLOGY_ROWS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/** @brief The fields of a line of a CSV file, such as that of a topology. */
struct TopologyRow
{
    uint32_t line;                   //!< Its number, from 1.
    std::vector<std::string> fields; //!< Without spaces around them and empty ones at the end.
};

/**
 * @ingroup lfn
 * @brief Split the text of a file into rows: CSV with quotes, lines ended by LF or CR LF
 * (by CR alone they are refused), with or without the mark that some editors put before UTF-8.
 *
 * Empty lines, comments (`#`) and a first line that is a header are left away.
 *
 * @param text The text.
 * @param rows Gets the rows.
 * @param header The first field of a header.
 * @return The error behind the file's name, or nothing.
 */
std::optional<std::string> ReadTopologyRows(std::string_view text,
                                            std::vector<TopologyRow>& rows,
                                            std::string_view header = "kind");

} // namespace ns3::lfn

#endif // LFN_TOPOLOGY_ROWS_H
