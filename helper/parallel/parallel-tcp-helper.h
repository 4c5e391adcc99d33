// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_HELPER_H
#define PARALLEL_TCP_HELPER_H

#include "ns3/lfn-transfer-helper.h"
#include "ns3/parallel-tcp-sink.h"
#include "ns3/parallel-tcp-source.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Installs transfers over parallel TCP.
 */
class ParallelTcpHelper : public TransferHelper<ParallelTcpSource, ParallelTcpSink>
{
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_HELPER_H
