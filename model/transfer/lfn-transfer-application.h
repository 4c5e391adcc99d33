// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRANSFER_APPLICATION_H
#define LFN_TRANSFER_APPLICATION_H

#include "lfn-drop-reason.h"
#include "lfn-transfer-report.h"

#include "ns3/application.h"
#include "ns3/lfn-host-cost.h"
#include "ns3/lfn-host-queue.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Base of every sender and every receiver: one report, one set of trace sources.
 *
 * A subclass calls Begin() at its first send call (a receiver at its first arrival) and then, once,
 * either Complete() or Fail(). It releases its sockets and timers in CancelEvents(). Everything
 * after the end is ignored, so a subclass need not guard against late callbacks twice.
 *
 * An application that is stopped before its end fails with "stopped", unless it says IsEndless():
 * a receiver, or a sender without a size, then simply ends.
 */
class TransferApplication : public Application
{
  public:
    /** @brief Get the type ID. @return the object TypeId */
    static TypeId GetTypeId();

    TransferApplication() = default;
    ~TransferApplication() override = default;

    /**
     * @brief Gives the account of the transfer so far.
     * @return the report, joined with the receiver's if SetReceiver() was called; it lives as long
     *         as the application
     */
    const TransferReport& GetReport() const;

    /**
     * @brief Sets the only receiver of this sender, which acknowledges nothing
     * (TransferReport::isAcknowledged).
     *
     * GetReport() then takes what was delivered from the receiver. No packet changes.
     * @param receiver the receiver
     */
    void SetReceiver(Ptr<const TransferApplication> receiver);

    /**
     * @brief Makes user bytes available to send, behind those before: objects in time.
     *
     * A sender without a size that gets its first offer before it has sent anything sends what is
     * offered, waits for more, and completes after Finish().
     * @param bytes how many, above 0
     * @return false when they are refused: by a sender that has a size, has sent data of its own
     *         accord, has ended, or was instructed to finish; and by those that take no offers
     */
    virtual bool Offer(uint64_t bytes);

    /** @brief Reports that no offer follows: the sender completes when all is delivered. */
    virtual void Finish();

    /** @brief What a sender's congestion control is at; empty what it does not have. */
    struct Window
    {
        std::optional<double> cwnd;     //!< congestion window, [B]
        std::optional<double> ssthresh; //!< slow-start threshold, [B]
        std::optional<Time> rtt;        //!< last sample of the round-trip time, or its estimate
    };

    /** @brief Gets what the congestion control is at; of a sender without one all is empty. */
    virtual Window GetWindow() const;

    /**
     * @brief Counts the packets thrown away for one reason.
     * @param reason the reason
     * @return the number of packets
     */
    uint64_t GetDrops(DropReason reason) const;

    /** @brief Counts the packets thrown away for any reason. @return the number of packets */
    uint64_t GetTotalDrops() const;

    /**
     * @brief Indicates whether the transfer has come to its end, good or bad.
     * @return true after completion, failure or stop
     */
    bool IsFinished() const;

    /**
     * @brief Indicates whether packets that have arrived wait in this host, see HostCost.
     * @return true while the host reads or writes
     */
    bool IsHostBusy() const;

    /**
     * @brief Gives when the last byte that was written reaches this host's disk.
     * @return the time; nothing when there is no disk, see HostCost::StorageRate
     */
    std::optional<Time> GetLastWrite() const;

    /**
     * @brief Signature of the trace source Drop.
     * @param packet the packet that was thrown away
     * @param reason why
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

    /**
     * @brief Signature of the trace source Progress.
     * @param deliveredBytes user bytes delivered so far, as far as this side has counted, [B]
     * @param offeredBytes user bytes to deliver in all, as far as this side has counted, [B]
     */
    typedef void (*ProgressTracedCallback)(uint64_t deliveredBytes, uint64_t offeredBytes);

    /**
     * @brief Signature of the trace sources Completed and Failed.
     * @param report the final account of the transfer
     */
    typedef void (*ReportTracedCallback)(const TransferReport& report);

  protected:
    /**
     * @brief Counts and traces a packet that is thrown away.
     * @param packet the packet
     * @param reason why
     */
    void DropPacket(Ptr<const Packet> packet, DropReason reason);

    /** @brief Marks the start of the transfer; only the first call counts. */
    void Begin();

    /** @brief Ends the transfer well: fires Completed, then releases everything. */
    void Complete();

    /**
     * @brief Ends the transfer badly: fires Failed, then releases everything.
     * @param reason one line that says why
     */
    void Fail(const std::string& reason);

    /**
     * @brief Makes the host that receives, if HostCost is set; m_host stays null else.
     * @param getWork what a packet takes of it; null: it is read and moved
     * @param deliver takes a packet when the host is done with it
     */
    void StartHost(HostQueue::GetWork getWork, HostQueue::Deliver deliver);

    /**
     * @brief Releases sockets and timers; packets in the host are gone by then.
     *
     * Called at the end of the transfer, when the application is stopped and when it is disposed
     * of, so it has to stand being called again.
     */
    virtual void CancelEvents() = 0;

    /**
     * @brief Indicates whether being stopped is this application's normal end.
     * @return true for receivers and for senders without a size
     */
    virtual bool IsEndless() const;

    /**
     * @brief Indicates whether the simulation is being taken apart, when there may be no IP left to
     * send a farewell with.
     * @return true in CancelEvents() when DoDispose() calls it
     */
    bool IsBeingDisposed() const;

    /** @brief Notes when the application will start: the same event for every transport. */
    void DoInitialize() override;

    void StopApplication() override;
    void DoDispose() override;

    /**
     * @brief Takes an offer for a sender that keeps its size in a number.
     * @param bytes what is offered, [B]
     * @param size what is offered in all, [B]; grows
     * @return false when it is refused, and nothing has changed
     */
    bool AcceptOffer(uint64_t bytes, uint64_t& size);

    bool m_isOpen{false};     //!< something was offered, and more may be
    TransferReport m_report;  //!< the account of the transfer
    uint8_t m_tos{0};         //!< attribute Tos; a subclass gives it to its sockets by SetTos()
    Ptr<HostCost> m_hostCost; //!< attribute HostCost; null for a host that takes no time
    Ptr<HostQueue> m_host;    //!< the host that receives; null if it takes no time

    TracedCallback<Ptr<const Packet>> m_txTrace;        //!< a packet is handed to a socket
    TracedCallback<Ptr<const Packet>> m_rxTrace;        //!< a packet comes from a socket
    TracedCallback<uint64_t, uint64_t> m_progressTrace; //!< bytes delivered, bytes offered

  private:
    /** @brief Marks the end of the transfer. @return false when it had ended before */
    bool End();

    /** @brief Releases everything at the end. */
    void Release();

    Ptr<const TransferApplication> m_receiver; //!< see SetReceiver(); null if not set
    mutable TransferReport m_joined;           //!< of both sides, if there is a receiver

    bool m_finished{false};      //!< the transfer has ended
    bool m_beingDisposed{false}; //!< the simulation is being taken apart
    std::array<uint64_t, static_cast<size_t>(DropReason::COUNT_)> m_drops{}; //!< by reason

    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; //!< a packet is thrown away
    TracedCallback<const TransferReport&> m_completedTrace;    //!< the transfer ended well
    TracedCallback<const TransferReport&> m_failedTrace;       //!< the transfer ended badly
};

} // namespace ns3::lfn

#endif /* LFN_TRANSFER_APPLICATION_H */
