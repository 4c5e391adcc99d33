// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_XCP_H
#define TCP_XCP_H

#include "xcp-controller.h"
#include "xcp-sender-core.h"

#include "ns3/data-rate.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Congestion control of an XCP sender within ns-3's TCP: the window follows the routers'
 * feedback (Katabi et al., section 3.4; draft-falk-xcp-spec-03, section 4.1).
 *
 * The node's XcpL4Protocol asks it for the header of each data packet and passes it what arrives
 * back. Without that shim, and with a peer that has none, it behaves as TcpNewReno.
 *
 * TCP's timestamps should be off: they measure the RTT in whole milliseconds.
 */
class TcpXcp : public TcpNewReno
{
  public:
    /** @brief What the sender does about lost packets. */
    enum LossPolicy
    {
        MIX,     //!< halve as Reno, obey no feedback in the recovery, but after a timeout (ns-2)
        FALLBACK //!< after a loss or a timeout obey TCP alone until recovery is over (draft)
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    TcpXcp();
    /**
     * @brief Copy for a forked socket: the settings, not the state.
     * @param other what to copy
     */
    TcpXcp(const TcpXcp& other);

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    Ptr<TcpCongestionOps> Fork() override;

    /**
     * @brief Get what the header of the next data packet says.
     * @return X, RTT and Delta_Throughput; all 0 before the first RTT sample
     */
    XcpDemand MakeDemand();

    /**
     * @brief A congestion header of the flow has come from the peer: it obeys feedback from now on.
     * Before, and without that for ever, it behaves as TcpNewReno.
     */
    void OnPeerSpeaks();

    /**
     * @brief Obey feedback; in a recovery forget it. To be called before TCP sees the packet, and
     * for every packet with a congestion header.
     * @param feedback Reverse_Feedback of the packet, which may be 0, [B/s]
     */
    void OnFeedback(double feedback);

    /**
     * @brief Take a sample of the RTT into the smoothed one that routers receive.
     * @param rtt the sample
     */
    void OnRttSample(Time rtt);

    /**
     * @brief Note the receiver's window, which limits the rate as the congestion window does.
     * @param bytes its size, [B]
     */
    void SetReceiverWindow(uint32_t bytes);

    /** @brief Get the window as it is kept, with fractions. @return the congestion window, [B] */
    double GetWindow() const;

  private:
    /**
     * @brief Get what becomes of feedback in TCP's present state.
     * @return whether it is obeyed; else it is forgotten
     */
    bool IsObedient() const;

    /** @brief Gather what the window law depends on. @return the sight */
    XcpSenderCore::Sight Look() const;

    /** @brief Take over TCP's window, and its pacing, when somebody else has written it. */
    void Sync();

    /** @brief Write the window to TCP. */
    void Write();

    /** @brief Give the core the Attributes, which may have changed. */
    void Configure();

    /**
     * @brief Note the time and what is in flight: unused allowance ages.
     * @param sight what the window law depends on
     */
    void Advance(const XcpSenderCore::Sight& sight);

    LossPolicy m_lossPolicy{FALLBACK};   //!< Attribute LossPolicy
    XcpSenderCore::Settings m_settings;  //!< the Attributes that are the core's
    bool m_newAcksOnly{false};           //!< Attribute ApplyOnNewAcksOnly
    double m_pacedGrowth{0};             //!< Attribute PacedGrowth
    bool m_isPaced{false};               //!< TCP's own pacing is on
    bool m_pacingWritten{false};         //!< what Write() wrote last of pacing
    Ptr<TcpSocketState> m_tcb;           //!< the socket's state; null before Init()
    Ptr<RttMeanDeviation> m_rtt;         //!< smoothed RTT; null before the first sample
    double m_srtt{0};                    //!< its estimate, [s]
    XcpSenderCore m_core;                //!< the window
    uint32_t m_written{0};               //!< what Write() wrote last, [B]
    uint32_t m_receiverWindow{1U << 30}; //!< the peer's window, [B]
    double m_fresh{0};                   //!< feedback of the present packet, [B/s]
    bool m_isActive{false};              //!< the peer speaks XCP
    bool m_isWarned{false};              //!< of doing without it
};

} // namespace ns3::lfn

#endif // TCP_XCP_H
