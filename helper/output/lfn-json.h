// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_JSON_H
#define LFN_JSON_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A JSON object that is written member by member, in the order of addition.
 */
class JsonObject
{
  public:
    /** @brief Add a text; bytes that are no valid UTF-8 are replaced. */
    void AddText(std::string_view name, std::string_view text);

    /** @brief Add a value that is JSON already, such as a number. */
    void AddRaw(std::string_view name, std::string_view json);

    /** @brief Add an object. */
    void AddObject(std::string_view name, const JsonObject& object);

    /** @brief Write the object, a line per member, without a line break at its end. */
    std::string Print() const;

    /**
     * @brief Check whether a text that Print() made has a text among its outermost members.
     * @param printed Any text; one that was printed otherwise has none.
     * @param name The member's name.
     * @param text Its value.
     * @return True if it has.
     */
    static bool HasText(std::string_view printed, std::string_view name, std::string_view text);

    /** @brief Make a JSON string of a text, with its quotes; control characters are escaped. */
    static std::string Quote(std::string_view text);

  private:
    /** Names and their values as JSON, in the order of addition. */
    std::vector<std::pair<std::string, std::string>> m_members;
};

} // namespace ns3::lfn

#endif // LFN_JSON_H
