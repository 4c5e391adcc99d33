// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_TEST_NETWORK_H
#define RBUDP_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/rbudp-helper.h"

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-rbudp
 * @brief Two hosts and a transfer between them, on a link of 1 Gb/s unless configured otherwise.
 */
class RbudpTestNetwork : public TestNetwork
{
  public:
    RbudpHelper helper;             //!< makes the transfer; content is checked
    RbudpHelper::Transfer transfer; //!< the ends, after Install()
    TestEnd sender;                 //!< how the sender ended
    TestEnd receiver;               //!< how the receiver ended

    /// A network.
    explicit RbudpTestNetwork(const TestLink& link = {.rate = "1Gbps"})
        : TestNetwork(link)
    {
        helper.SetAttribute("CheckContent", BooleanValue(true));
    }

    /// Choose RbudpIdealControl with this rate and a delay of 5 ms instead of TCP, or not.
    void UseControl(bool ideal, const std::string& rate = "600Mbps")
    {
        if (ideal)
        {
            helper.UseIdealControl(MilliSeconds(5), DataRate(rate));
        }
    }

    /// Install the transfer, to be started at GetStart(). With 0 bytes payloads are handed over;
    /// without a third host the receiver is node 1.
    void Install(uint64_t bytes, const std::string& sendRate = "600Mbps", const Host& third = {})
    {
        helper.SetSourceAttribute("Bytes", UintegerValue(bytes));
        helper.SetSourceAttribute("SendRate", StringValue(sendRate));
        transfer = helper.Install(nodes.Get(0),
                                  addresses[0],
                                  third.node ? third.node : nodes.Get(1),
                                  third.node ? third.address : addresses[1]);
        transfer.source->SetStartTime(GetStart());
        transfer.sink->SetStartTime(GetStart());
        sender.Watch(transfer.source);
        receiver.Watch(transfer.sink);
    }

    /// Whether both sides completed, once, and a number of bytes were delivered as they were sent.
    bool IsDelivered(uint64_t bytes) const
    {
        return sender.completed == 1 && sender.failed == 0 && receiver.completed == 1 &&
               receiver.failed == 0 && receiver.report.deliveredBytes == bytes &&
               sender.report.offeredBytes == bytes;
    }

    /// How both sides ended, for a test's message.
    std::string Describe() const
    {
        const auto describe = [](const TestEnd& end) {
            return std::to_string(end.completed) + " completed, " + std::to_string(end.failed) +
                   " failed '" + end.report.failure + "' at " +
                   std::to_string(end.report.finish.GetSeconds()) + " s with " +
                   std::to_string(end.report.deliveredBytes) + " of " +
                   std::to_string(end.report.offeredBytes) + " B";
        };
        return "sender " + describe(sender) + "; receiver " + describe(receiver);
    }
};

} // namespace ns3::lfn::tests

#endif // RBUDP_TEST_NETWORK_H
