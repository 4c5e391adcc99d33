// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_VARIANT_H
#define UDT_VARIANT_H

#include "udt-native-control.h"
#include "udt-receiver-core.h"
#include "udt-sender-core.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief Which program or text the rules come from where these differ.
 */
enum class UdtVariant : uint8_t
{
    UDT4,  //!< the program UDT4 of February 2013
    UDT3,  //!< the program UDT3 of 2006, with which the published figures were made
    DRAFT, //!< draft-gg-udt-03 as posted
    SRT    //!< SRT 1.5 in file mode, UDT4's descendant
};

/**
 * @ingroup lfn-udt
 * @brief The settings of both cores and of the native congestion control.
 */
struct UdtSettings
{
    UdtSenderCore::Settings sender;     //!< of the sender
    UdtReceiverCore::Settings receiver; //!< of the receiver
    UdtNativeControl::Settings control; //!< of the congestion control
};

/**
 * @ingroup lfn-udt
 * @brief Set the rules that differ between the variants; everything else stays. Each can be
 *        changed afterwards.
 * @param variant the variant
 * @param settings what is set
 */
void ApplyUdtVariant(UdtVariant variant, UdtSettings& settings);

} // namespace ns3::lfn

#endif // UDT_VARIANT_H
