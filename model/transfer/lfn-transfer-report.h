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
 * A sender and its receiver each keep one. The sender records when the transfer began and ended and
 * what was sent; the receiver what arrived. MergeReceiver() joins the two into the row
 * that a scenario program writes.
 *
 * On the receiver's side offeredBytes and dataPackets count what reached the host.
 */
struct TransferReport
{
    std::string protocol;             //!< lower-case word: rbudp, udp, tcp, ...
    std::string variant;              //!< what distinguishes two settings of one protocol
    Time applicationStart;            //!< when the application was started, before any handshake
    Time start;                       //!< first send call (receiver: first arrival)
    Time finish;                      //!< when the sender knew, or gave up, or was stopped
    Time lastDelivery;                //!< of the last new byte (sender: its acknowledgement)
    bool started{false};              //!< start is valid
    bool completed{false};            //!< everything promised was delivered; finish is valid
    bool isAcknowledged{true};        //!< the receiver acknowledges what it delivers
    std::string failure;              //!< why it failed; empty otherwise
    uint64_t offeredBytes{0};         //!< user bytes handed to the transport, [B]
    uint64_t deliveredBytes{0};       //!< user bytes delivered, each once and gaps excluded, [B]
    uint64_t lostBytes{0};            //!< user bytes given up, [B]
    uint64_t dataPackets{0};          //!< data packets sent, repetitions included
    uint64_t retransmittedPackets{0}; //!< data packets retransmitted
    uint64_t controlPackets{0};       //!< other packets sent; 0 where it is not known
    uint32_t receivers{1};            //!< receivers that deliveredBytes is summed over

    /**
     * @brief Gives the end of the flow's time, which begins with applicationStart.
     * @return lastDelivery of a completed transfer; of any other one the later of that and finish
     */
    Time GetEnd() const;

    /**
     * @brief Gives the rate at which user bytes were delivered to a receiver.
     * @return 8 * deliveredBytes / receivers / (GetEnd() - applicationStart), [bit/s]; 0 when no
     *         time has passed
     */
    double GoodputBps() const;

    /**
     * @brief Overwrites what only the receiver can count.
     *
     * If it acknowledges what it delivers, the joined transfer is completed, and finishes, when it
     * has delivered everything. Of what the sender gave up, bytes that arrived are not lost. If
     * both have failed, the earlier failure is the reason.
     *
     * @param receiver the receiver's report, whose delivered and lost bytes, time of last delivery
     *        and earlier failure are taken
     */
    void MergeReceiver(const TransferReport& receiver);
};

} // namespace ns3::lfn

#endif /* LFN_TRANSFER_REPORT_H */
