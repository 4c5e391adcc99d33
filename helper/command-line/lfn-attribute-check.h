// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ATTRIBUTE_CHECK_H
#define LFN_ATTRIBUTE_CHECK_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <string_view>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Check a text before an attribute's checker sees it.
 *
 * Many of ns-3's values end the program over a bad text, or take its beginning. Numbers, times,
 * rates, queue sizes, truth values, words and TypeIds are read strictly first, then the checker
 * reads the text. What ends the program even so gives the one line of LastWords.
 *
 * @return A remedy, or nothing when the value is good.
 */
std::optional<std::string> CheckAttributeText(Ptr<const AttributeChecker> checker,
                                              const std::string& text);

/**
 * @ingroup lfn
 * @brief Check an argument of the form "ns3::Class::Attribute" with its value.
 * @return A remedy, or nothing when ns-3 will take it.
 */
std::optional<std::string> CheckDefault(const std::string& name, const std::string& value);

/**
 * @ingroup lfn
 * @brief Check a global value of ns-3.
 * @return A remedy, or nothing when ns-3 will take it.
 */
std::optional<std::string> CheckGlobal(const std::string& name, const std::string& value);

/**
 * @ingroup lfn
 * @brief Check whether ns-3 has a global value of this name.
 */
bool IsGlobal(std::string_view name);

/**
 * @ingroup lfn
 * @brief Check the name behind `--PrintAttributes=` or `--PrintGroup=`.
 * @param printer "PrintAttributes" or "PrintGroup".
 * @param name The TypeId or the group.
 * @return A remedy, or nothing when ns-3 will take it.
 */
std::optional<std::string> CheckPrinter(const std::string& printer, const std::string& name);

/**
 * @ingroup lfn
 * @brief Make a factory from "ns3::Class[Attribute=value|Attribute=value]".
 * @param text The text.
 * @param parent The class must be this one or a descendant.
 * @param factory Set when the text is good.
 * @return A remedy, or nothing when the text is good.
 */
std::optional<std::string> MakeFactory(const std::string& text,
                                       TypeId parent,
                                       ObjectFactory& factory);

} // namespace ns3::lfn

#endif // LFN_ATTRIBUTE_CHECK_H
