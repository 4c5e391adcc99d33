// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_SETTINGS_H
#define JRM_SETTINGS_H

#include "jrm-adaptive-timeout.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief What both halves of a participant have to know.
 */
struct JrmCommonSettings
{
    uint32_t packetSize{1024};       //!< data bytes of a packet, the same at all participants
    JrmAdaptiveTimeout::Rules adapt; //!< how timeouts adapt
    Time aggregation;       //!< how long a sender gathers requests; 0: each is answered at once
    uint8_t parityBlock{0}; //!< packets of a block that parities repair; 0: there are no parities
};

} // namespace ns3::lfn

#endif // JRM_SETTINGS_H
