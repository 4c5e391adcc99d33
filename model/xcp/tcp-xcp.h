// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_XCP_H
#define TCP_XCP_H

#include "xcp-controller.h"
#include "xcp-sender-core.h"

#include "ns3/tcp-congestion-ops.h"
#include "ns3/traced-callback.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Congestion control of an XCP sender within ns-3's TCP: the window follows the routers'
 * feedback (Katabi et al., section 3.4; draft-falk-xcp-spec-03, section 4.1).
 *
 * The node's XcpL4Protocol asks it for the header of each data packet and tells it what comes back.
 * Without that shim, on a socket that the shim does not know, it behaves as TcpNewReno.
 */
class TcpXcp : public TcpNewReno
{
  public:
    /** @brief What the sender does about lost packets. */
    enum LossPolicy
    {
        MIX,     //!< halve as Reno and go on obeying feedback (ns-2)
        FALLBACK //!< after a loss obey TCP alone until recovery is over (draft)
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpXcp();
    /**
     * @brief Copy for a forked socket: the settings, not the state.
     * @param other what to copy
     */
    TcpXcp(const TcpXcp& other);
    ~TcpXcp() override;

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    Ptr<TcpCongestionOps> Fork() override;

    /**
     * @brief Get what the header of the next data packet says.
     * @return X, RTT and Delta_Throughput; all 0 before the first RTT sample
     */
    XcpDemand MakeDemand();

    /**
     * @brief Obey feedback, now or after the recovery that is going on.
     * @param feedback sum of Reverse_Feedback since the last call, [B/s]
     */
    void OnFeedback(double feedback);

    /**
     * @brief Note the receiver's window, which limits the rate as the congestion window does.
     * @param bytes its size, [B]
     */
    void SetReceiverWindow(uint32_t bytes);

    /**
     * @brief Get the window as it is kept, with fractions.
     * @return the congestion window, [B]
     */
    double GetWindow() const;

  private:
    Ptr<TcpSocketState> m_tcb; //!< the socket's state; null before Init()
    XcpSenderCore m_core;      //!< the window
};

} // namespace ns3::lfn

#endif // TCP_XCP_H
