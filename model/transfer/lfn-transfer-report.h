// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRANSFER_REPORT_H
#define LFN_TRANSFER_REPORT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief What became of one transfer: the same record for every transport.
 *
 * A sender and its receiver each keep one. The sender knows when the transfer began and ended and
 * what was sent; the receiver knows what arrived. TakeReceiverSide() joins the two into the row
 * that a scenario program writes.
 *
 * On the receiver's side offeredBytes and dataPackets count what reached the host.
 */
struct TransferReport
{
    std::string protocol;             //!< lower-case word: rbudp, udp, tcp, ...
    std::string variant;              //!< what tells two settings of one protocol apart
    Time applicationStart;            //!< when the application was started, before any handshake
    Time start;                       //!< first send call (receiver: first arrival)
    Time finish;                      //!< when the sender knew, or gave up, or was stopped
    Time lastDelivery;                //!< when the receiver had its last new byte
    bool started{false};              //!< start is valid
    bool completed{false};            //!< everything offered was dealt with; finish is valid
    std::string failure;              //!< why it failed; empty otherwise
    uint64_t offeredBytes{0};         //!< user bytes handed to the transport, [B]
    uint64_t deliveredBytes{0};       //!< user bytes delivered, each once and holes excluded, [B]
    uint64_t lostBytes{0};            //!< user bytes given up, [B]
    uint64_t dataPackets{0};          //!< data packets sent, repetitions included
    uint64_t retransmittedPackets{0}; //!< data packets sent again
    uint64_t controlPackets{0};       //!< other packets sent; 0 where nobody can tell

    /**
     * @brief Gives the rate at which user bytes were delivered.
     * @return 8 * deliveredBytes / (finish - start), [bit/s]; 0 when no time has passed
     */
    double GoodputBps() const;

    /**
     * @brief Overwrites what only the receiver can know.
     * @param receiver the receiver's report, whose delivered and lost bytes and time of last
     *        delivery are taken
     */
    void TakeReceiverSide(const TransferReport& receiver);
};

} // namespace ns3::lfn

#endif /* LFN_TRANSFER_REPORT_H */
