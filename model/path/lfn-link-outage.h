// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_OUTAGE_H
#define LFN_LINK_OUTAGE_H

#include "ns3/error-model.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Loses what a link carries while it is down: packets under way when it goes down, and those
 * that begin to be sent before it is up again.
 *
 * The sending device does not detect it, as ns-3's links have no carrier: it goes on sending from
 * its queue. On a point-to-point link packets are counted at both ends, so that an outage that is
 * shorter than the propagation delay loses what is under way as well. On other media, where
 * propagation takes no time, what arrives meanwhile is lost, see ReceivingLoss.
 */
class LinkOutage : public ErrorModel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    LinkOutage();

    /**
     * @brief Puts an outage, up at first, on a direction of a link, before anything is sent.
     * @param from the sending device
     * @param to the receiving device
     * @return the outage; null when the receiving node has no internet stack
     */
    static Ptr<LinkOutage> Install(Ptr<NetDevice> from, Ptr<NetDevice> to);

    /** @brief Takes the link down; once is enough. */
    void GoDown();

    /** @brief Brings the link up. */
    void GoUp();

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    /** @brief A packet begins to be sent. */
    void OnSent(Ptr<const Packet> packet);

    bool m_isDown{false};    //!< the link is down
    uint64_t m_inFlight{0};  //!< packets sent that have not arrived
    uint64_t m_condemned{0}; //!< those of them that the last outage has lost
};

} // namespace ns3::lfn

#endif // LFN_LINK_OUTAGE_H
