// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_JSON_H
#define LFN_JSON_H

#include <optional>
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
    /**
     * @brief Add a text.
     * @param name The member's name.
     * @param text The text; bytes that are no valid UTF-8 are replaced.
     */
    void AddText(std::string_view name, std::string_view text);

    /**
     * @brief Add a value that is JSON already, such as a number.
     * @param name The member's name.
     * @param json The value.
     */
    void AddRaw(std::string_view name, std::string_view json);

    /**
     * @brief Add an object.
     * @param name The member's name.
     * @param object The object.
     */
    void AddObject(std::string_view name, const JsonObject& object);

    /**
     * @brief Write the object.
     * @param indent How far its members are indented less one step.
     * @return The text, without a line break at its end.
     */
    std::string Print(int indent = 0) const;

    /**
     * @brief Make a JSON string of a text.
     * @param text The text.
     * @return The string with its quotes; control characters are escaped.
     */
    static std::string Quote(std::string_view text);

  private:
    /** @brief A member's value: JSON, or an object whose indent is known only when it is written.
     */
    struct Value
    {
        std::string json;               //!< The value, unless it is an object.
        std::vector<JsonObject> object; //!< The object, or nothing.
    };

    std::vector<std::pair<std::string, Value>> m_members; //!< In the order of addition.
};

/**
 * @ingroup lfn
 * @brief Find a text among the members of the outermost object of a JSON document.
 * @param json The document, of any content.
 * @param name The member's name.
 * @return The text, or nothing when the document is none or has no such text.
 */
std::optional<std::string> FindJsonText(std::string_view json, std::string_view name);

} // namespace ns3::lfn

#endif // LFN_JSON_H
