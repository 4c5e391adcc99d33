// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SMALL_FILE_H
#define LFN_SMALL_FILE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/** @brief Why a file was not read. */
enum class FileProblem : uint8_t
{
    NONE,       //!< It was.
    ABSENT,     //!< There is none.
    NO_FILE,    //!< A folder, a pipe, a device.
    TOO_LARGE,  //!< More bytes than the caller takes.
    UNREADABLE, //!< It cannot be opened or read, or not without waiting.
};

/**
 * @ingroup lfn
 * @brief Read a whole file, and never wait for it: some of the system's own files look ordinary
 * and give nothing until something happens.
 * @param path The path.
 * @param most The most bytes taken.
 * @param text Gets the content.
 * @return Why it was not read, if so.
 */
FileProblem ReadSmallFile(const std::string& path, std::size_t most, std::string& text);

/**
 * @ingroup lfn
 * @brief The same, with a line for the user.
 * @param path The path.
 * @param most The most bytes taken.
 * @param kind What the file should be, such as "the CSV file of a network".
 * @param text Gets the content.
 * @return The path, what is wrong and the remedy, or nothing.
 */
std::optional<std::string> ReadSmallFile(const std::string& path,
                                         std::size_t most,
                                         const std::string& kind,
                                         std::string& text);

} // namespace ns3::lfn

#endif // LFN_SMALL_FILE_H
