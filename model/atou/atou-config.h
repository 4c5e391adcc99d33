// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_CONFIG_H
#define ATOU_CONFIG_H

#include "atou-options.h"

#include <optional>
#include <string>

/**
 * @defgroup lfn-atou atou
 * @ingroup lfn
 * The instrumented, tunable TCP over UDP of T. Dunigan and F. Fowler.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Reads atou's configuration files.
 *
 * A line is a keyword and its value between blanks; what follows a '#' is a comment. Unlike the
 * original, which warns of an unknown keyword, it refuses the file. A keyword may be
 * given once in a file and again in a text.
 */
class AtouConfig
{
  public:
    static constexpr std::size_t MAX_SIZE = 65536; //!< of a file, B

    /**
     * @brief Read a file.
     * @param path where it is
     * @param options takes what it says; what it does not name stays as it is
     * @return "path:line: keyword: what is wrong, remedy", when the options may be set in part;
     *         nothing when all is well
     */
    static std::optional<std::string> ReadFile(const std::string& path, AtouOptions& options);

    /**
     * @brief Read "keyword value; keyword value".
     * @param text the text; may be empty
     * @param options takes what it says; what it does not name stays as it is
     * @return "keyword: what is wrong, remedy", when the options may be set in part; nothing when
     *         all is well
     */
    static std::optional<std::string> ReadText(const std::string& text, AtouOptions& options);
};

} // namespace ns3::lfn

#endif // ATOU_CONFIG_H
