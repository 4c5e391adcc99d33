// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TEST_BYTES_H
#define RBUDP_TEST_BYTES_H

#include "lfn-test-bytes.h"

#include <cstdint>
#include <set>

/**
 * @file
 * @ingroup lfn-rbudp
 * Messages as bytes, made without the model.
 */

namespace ns3::lfn::tests
{

/// Make an acknowledgement of N datagrams bit by bit, without the model.
inline Bytes
MakeAck(uint64_t datagrams, const std::set<uint64_t>& missing)
{
    Bytes ack(datagrams / 8 + 2, 0xff);
    ack[0] = missing.empty() ? 1 : 0;
    for (const auto index : missing)
    {
        ack[1 + index / 8] -= static_cast<uint8_t>(1U << (index % 8));
    }
    return ack;
}

} // namespace ns3::lfn::tests

#endif // RBUDP_TEST_BYTES_H
