// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_BASIC_WINDOW_H
#define VRP_BASIC_WINDOW_H

#include "vrp-receive-window.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The original algorithm, Kravets', as sections 2.2.2 and 2.3.1 describe it: cumulative.
 *
 * Losses are judged only when wait_point moves over them; while the packet at wait_point is
 * awaited nothing behind it is judged or acknowledged. Accepted are the packet at wait_point and
 * packets from next_exp to too_far = wait_point + window; every other one is refused. There are no
 * SINGLE_ACKs. With nackWholeGap every packet of a gap that is too large is demanded, without it
 * only the one that the window is stuck on: section 2.3.1 names both faults, too many NACKs and too
 * late ones, and figure 6 (packets 6 to 9 are retransmitted) is the first.
 */
class VrpBasicWindow : public VrpReceiveWindow
{
  public:
    using VrpReceiveWindow::VrpReceiveWindow;
    Outcome OnPacket(uint32_t packet, Answer& answer) override;

  private:
    /**
     * @brief Move wait_point over what has come and over losses that are within the limits.
     * @param answer gets the NACKs
     */
    void Advance(Answer& answer);

    uint32_t m_burst{0}; //!< accepted losses right before wait_point
};

} // namespace ns3::lfn

#endif // VRP_BASIC_WINDOW_H
