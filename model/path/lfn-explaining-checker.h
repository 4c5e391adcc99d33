// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_EXPLAINING_CHECKER_H
#define LFN_EXPLAINING_CHECKER_H

#include "ns3/attribute.h"

#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A checker of an Attribute that says why it refuses a text.
 */
class ExplainingChecker : public AttributeChecker
{
  public:
    /**
     * @brief Check a text.
     * @param text the value of the Attribute
     * @return what to write instead, in one line; nothing when the text is good
     */
    virtual std::optional<std::string> Explain(const std::string& text) const = 0;
};

} // namespace ns3::lfn

#endif // LFN_EXPLAINING_CHECKER_H
