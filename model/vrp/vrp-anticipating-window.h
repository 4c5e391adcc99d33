// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_ANTICIPATING_WINDOW_H
#define VRP_ANTICIPATING_WINDOW_H

#include "vrp-receive-window.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The improved algorithm: incremental and anticipating (sections 2.3.4, 2.3.5 and 3.2.2).
 *
 * Losses are judged at next_exp, as soon as a later packet shows them; demanded packets do not
 * count as lost, since they have to arrive. Work a packet is constant: every packet enters the
 * history window once and leaves it once.
 */
class VrpAnticipatingWindow : public VrpReceiveWindow
{
  public:
    using VrpReceiveWindow::VrpReceiveWindow;
    Outcome OnPacket(uint32_t packet, Answer& answer) override;

  private:
    /**
     * @brief Judge the packet at next_exp, which a later one has shown to be lost.
     * @param burst cons_loss: accepted losses right before it; changed
     * @param answer gets the NACK, or the SINGLE_ACK of an accepted loss
     */
    void JudgeLoss(uint32_t& burst, Answer& answer);

    /** @brief Move next_exp by one: the oldest packet leaves the history window. */
    void ShiftWindow();

    /** @brief Move wait_point over what is valid. */
    void AdvanceWaitPoint();
};

} // namespace ns3::lfn

#endif // VRP_ANTICIPATING_WINDOW_H
