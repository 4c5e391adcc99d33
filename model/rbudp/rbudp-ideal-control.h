// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_IDEAL_CONTROL_H
#define RBUDP_IDEAL_CONTROL_H

#include "rbudp-control-channel.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <array>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief The control connection as the analytical model has it (equations 2 and 3): no packets.
 *
 * Messages to the receiver take T_prop, messages to the sender T_prop + T_ack, where T_ack is
 * their size at AckRate. Nothing is lost and no data packet is delayed; nor does a message wait
 * behind data in a queue, so a blast that the path cannot carry at its rate is overtaken by DONE.
 */
class RbudpIdealControl : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    RbudpIdealControl();
    ~RbudpIdealControl() override;

    /**
     * @brief Join as the sender.
     * @param connected called, in an event of its own, when both ends have joined
     * @return the sender's end
     */
    Ptr<RbudpControlChannel> JoinSender(Callback<void> connected);

    /**
     * @brief Join as the receiver.
     * @param connected called, in an event of its own, when both ends have joined
     * @return the receiver's end
     */
    Ptr<RbudpControlChannel> JoinReceiver(Callback<void> connected);

  protected:
    void DoDispose() override;

  private:
    /** @brief One end of the connection, which an application holds. */
    class End;

    /**
     * @brief Take one side.
     * @param side 0 the sender, 1 the receiver
     * @param connected called when both ends have joined
     * @return that side's end
     */
    Ptr<RbudpControlChannel> Join(std::size_t side, Callback<void> connected);

    /**
     * @brief How long a message is under way.
     * @param side who sends it
     * @param bytes its size
     * @return T_prop, and T_ack towards the sender
     */
    Time GetDelay(std::size_t side, std::size_t bytes) const;

    Time m_delay;                              //!< T_prop, one way
    DataRate m_ackRate;                        //!< rate of acknowledgement bits
    std::array<Ptr<End>, 2> m_ends;            //!< sender's and receiver's end
    std::array<Callback<void>, 2> m_connected; //!< called when both have joined
};

} // namespace ns3::lfn

#endif // RBUDP_IDEAL_CONTROL_H
