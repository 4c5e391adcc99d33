// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ATTRIBUTE_KIND_H
#define LFN_ATTRIBUTE_KIND_H

#include "lfn-values.h"

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief How a flag speaks of the values of an Attribute: with units, in words, in base units.
 */
struct AttributeKind
{
    /** @brief Read a text strictly; the value is null after a fault. */
    std::function<Ptr<AttributeValue>(const std::string& text, values::Fault& fault)> read;
    std::function<std::string(const AttributeValue&)> print; //!< What read() takes back.
    /** In base units (bytes, bit/s, seconds, packets) as a JSON number; empty, or an empty text, if
     * it is none. */
    std::function<std::string(const AttributeValue&)> base;
    std::string what;               //!< What to give, in words.
    std::string unit;               //!< What a bare number lacks.
    std::string example;            //!< A good value, should the default be none.
    std::vector<std::string> words; //!< The words taken, if there are no others.
    bool isSwitch{false};           //!< The flag may stand without a value.
    bool isSize{false};             //!< Whole numbers are bytes.
    /** Look at a text before read() does: a remedy, or nothing. */
    std::function<std::optional<std::string>(const std::string&)> explain;
};

/**
 * @ingroup lfn
 * @brief Make the kind of an Attribute's values.
 *
 * The names of an enumeration become lower-case words, ScatterGather is scatter-gather.
 *
 * @param checker The Attribute's checker.
 * @param isSize Whole numbers are bytes and take their units.
 * @return The kind.
 */
AttributeKind MakeAttributeKind(Ptr<const AttributeChecker> checker, bool isSize);

/**
 * @ingroup lfn
 * @brief Find an Attribute where it is declared.
 * @param name "ns3::Class::Attribute".
 * @return What its class says about it, with the default of now; std::logic_error when there is
 * none: the name is the program's.
 */
TypeId::AttributeInformation GetAttribute(const std::string& name);

} // namespace ns3::lfn

#endif // LFN_ATTRIBUTE_KIND_H
