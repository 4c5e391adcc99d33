// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_TEST_NETWORK_H
#define UDT_TEST_NETWORK_H

#include "lfn-test-network.h"

#include "ns3/udt-helper.h"

#include <optional>
#include <string>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-udt
 * @brief Read the packet of UDT in a frame.
 * @param frame with its PPP header
 * @return the packet; nothing when the frame holds no UDP
 */
inline std::optional<UdtPacket>
OpenUdt(Ptr<const Packet> frame)
{
    UdpHeader udp;
    const auto datagram = OpenDatagram(frame, udp);
    if (!datagram)
    {
        return std::nullopt;
    }
    UdtPacketHeader header;
    datagram->PeekHeader(header);
    return header.GetPacket();
}

/**
 * @ingroup lfn-udt
 * @brief Two hosts and a transfer between them.
 */
class UdtTestNetwork : public TestNetwork
{
  public:
    UdtHelper helper;             //!< makes the transfer; content is checked
    UdtHelper::Transfer transfer; //!< the ends, after Install()
    TestEnd sender;               //!< how the source ended
    TestEnd receiver;             //!< how the sink ended, if it failed

    /// A network.
    explicit UdtTestNetwork(const TestLink& link = {})
        : TestNetwork(link)
    {
        helper.SetAttribute("CheckContent", BooleanValue(true));
    }

    /// Install the transfer, to be started at GetStart(). With 0 bytes data are offered.
    void Install(uint64_t bytes)
    {
        helper.SetSourceAttribute("Bytes", UintegerValue(bytes));
        transfer = helper.Install(nodes.Get(0), nodes.Get(1), addresses[1]);
        transfer.source->SetStartTime(GetStart());
        sender.Watch(transfer.source);
        receiver.Watch(transfer.sink);
    }

    /// Whether the source completed, the sink did not fail, and a number of bytes were delivered.
    bool IsDelivered(uint64_t bytes) const
    {
        const auto& received = transfer.sink->GetReport();
        return sender.completed == 1 && sender.failed == 0 && receiver.failed == 0 &&
               received.deliveredBytes == bytes && sender.report.deliveredBytes == bytes &&
               transfer.sink->GetUndelivered() == 0;
    }

    /// Goodput from the first data sent to the last byte delivered, Mb/s.
    double GetGoodput() const
    {
        const auto& received = transfer.sink->GetReport();
        const Time span = received.lastDelivery - transfer.source->GetConnected().value();
        return 8e-6 * static_cast<double>(received.deliveredBytes) / span.GetSeconds();
    }

    /// How both sides ended, for a test's message.
    std::string Describe() const
    {
        const auto& received = transfer.sink->GetReport();
        return "source: " + std::to_string(sender.completed) + " completed, " +
               std::to_string(sender.failed) + " failed '" + sender.report.failure + "' at " +
               std::to_string(sender.report.finish.GetSeconds()) + " s with " +
               std::to_string(sender.report.deliveredBytes) + " of " +
               std::to_string(sender.report.offeredBytes) +
               " B; sink: " + std::to_string(received.deliveredBytes) + " B, '" + received.failure +
               "', " + std::to_string(transfer.sink->GetConnections()) + " connections";
    }
};

} // namespace ns3::lfn::tests

#endif // UDT_TEST_NETWORK_H
