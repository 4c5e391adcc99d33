// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_STRICT_CHECKERS_H
#define LFN_STRICT_CHECKERS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Make a checker for an attribute whose rate must not be zero.
 */
Ptr<const AttributeChecker> MakePositiveDataRateChecker();

/**
 * @ingroup lfn
 * @brief Make a checker for an attribute whose queue size must not be zero.
 */
Ptr<const AttributeChecker> MakePositiveQueueSizeChecker();

/**
 * @ingroup lfn
 * @brief Make a checker for a text attribute that is a comma list of times, none negative, or
 * empty.
 */
Ptr<const AttributeChecker> MakeTimeListChecker();

/**
 * @ingroup lfn
 * @brief Make a checker for a text attribute that is a PacketScript.
 */
Ptr<const AttributeChecker> MakePacketScriptChecker();

} // namespace ns3::lfn

#endif // LFN_STRICT_CHECKERS_H
