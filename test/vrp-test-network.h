// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_NETWORK_H
#define VRP_TEST_NETWORK_H

#include "lfn-test-network.h"
#include "vrp-test-account.h"
#include "vrp-test-sight.h"

#include "ns3/vrp-helper.h"

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief Two hosts and VRP on both.
 */
class VrpTestNetwork : public TestNetwork, public VrpTestAccount
{
  public:
    static constexpr uint16_t PORT = 7667; //!< the receivers'

    using Fate = TestFate; //!< of a packet

    VrpHelper helper;          //!< makes the ends; data are kept
    Ptr<VrpReceiver> receiver; //!< the receiver, after Install()

    /** @brief Decides about VRP packets; not asked about fragments but the first. May be null. */
    std::function<Fate(int direction, const VrpTestSight& sight)> judge;

    /// A network.
    explicit VrpTestNetwork(const TestLink& link = {})
        : TestNetwork(link)
    {
        helper.SetSourceAttribute("PacketSize", UintegerValue(PACKET));
        helper.SetSinkAttribute("KeepData", BooleanValue(true));
    }

    /** @brief Install both ends, to be started at GetStart(). */
    void Install()
    {
        receiver = AddReceiver(GetStart());
        sender = AddSender(GetStart());
    }

    /// Install a sender on a host, or on the sending host when none is given.
    Ptr<VrpSender> AddSender(Time start, const Host& host = {})
    {
        const auto added = host.node ? helper.AddSource(host.node, host.neighbour)
                                     : helper.AddSource(nodes.Get(0), Address(addresses[1]));
        added->SetStartTime(start);
        m_homes[added] = host.node ? host.address : addresses[0];
        return added;
    }

    /// Install a receiver on the receiving host; its deliveries are recorded.
    Ptr<VrpReceiver> AddReceiver(Time start)
    {
        const auto added = helper.AddSink(nodes.Get(1));
        added->SetStartTime(start);
        Watch(added);
        return added;
    }

    /// Use another PacketSize from now on; gaps are not counted in packets then.
    void SetPacketSize(uint32_t bytes)
    {
        helper.SetSourceAttribute("PacketSize", UintegerValue(bytes));
        m_otherPacketSize = true;
    }

  private:
    Fate Judge(int direction, Ptr<const Packet> frame) override
    {
        const auto fate = TestNetwork::Judge(direction, frame);
        const auto sight =
            judge && fate == Fate::PASS ? VrpTestSight::Of(frame, PORT) : std::nullopt;
        return sight ? judge(direction, *sight) : fate;
    }
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_NETWORK_H
