// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LISTEN_ADDRESS_H
#define LFN_LISTEN_ADDRESS_H

#include "ns3/address.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @brief Finds the socket addresses that a sink has to listen on.
 * @param local an IPv4 or IPv6 socket address (its own port counts), a bare IPv4 or IPv6 address,
 *        or an address that is not set, which means every address of both families
 * @param port the port, unless the address brings its own
 * @return one socket address, or one a family; none when the address is of another kind
 */
std::vector<Address> MakeListenAddresses(const Address& local, uint16_t port);

} // namespace ns3::lfn

#endif /* LFN_LISTEN_ADDRESS_H */
