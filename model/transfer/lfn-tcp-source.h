// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SOURCE_H
#define LFN_TCP_SOURCE_H

#include "lfn-sent-stream.h"
#include "lfn-tcp-source-base.h"

#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Sends bulk data over ns-3's TCP, with the same report as every other sender.
 *
 * The baseline of all comparisons, so it uses TCP well: it writes whole segments, which spares the
 * socket merging and cutting them, and it never writes a part of a segment while more is to come.
 *
 * With a HostCost a write waits for the host; what TCP retransmits costs it nothing.
 *
 * The transfer starts with the first send call, once the connection stands. The source closes the
 * connection with its last write: the FIN goes with the last data, and the receiver acknowledges
 * both at once. The transfer completes when the last byte is acknowledged. It fails when the
 * connection cannot be opened, is lost or closed by the receiver, and when nothing has been
 * acknowledged for StallTimeout: TCP itself would probe a closed window for ever.
 */
class TcpSource : public TcpSourceBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    TcpSource();
    bool Offer(uint64_t bytes) override;
    void Finish() override;
    Window GetWindow() const override;

  protected:
    void CancelEvents() override;

  private:
    void StartApplication() override;

    /**
     * @brief Passes on the socket's congestion window.
     * @param before what it was, [B]
     * @param now what it is, [B]
     */
    void OnWindow(uint32_t before, uint32_t now);

    /**
     * @brief Notes the socket's slow-start threshold.
     * @param before what it was, [B]
     * @param now what it is, [B]
     */
    void OnThreshold(uint32_t before, uint32_t now);

    /**
     * @brief Passes on the socket's last sample of the RTT.
     * @param before the one before
     * @param now the sample
     */
    void OnRtt(Time before, Time now);

    /** @brief The connection stands: starts the transfer. */
    void OnConnected(Ptr<Socket> socket);

    /** @brief The receiver has closed the connection. */
    void OnPeerClose(Ptr<Socket> socket);

    /** @brief The connection was reset or has been given up. */
    void OnErrorClose(Ptr<Socket> socket);

    /**
     * @brief Something was acknowledged: takes account of it and writes more.
     * @param socket the socket
     * @param available room in the socket's buffer, [B]
     */
    void OnWritable(Ptr<Socket> socket, uint32_t available);

    /**
     * @brief Counts a segment that the socket sends.
     * @param segment its payload
     * @param header its TCP header
     * @param socket the socket
     */
    void OnSegment(Ptr<const Packet> segment,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);

    /**
     * @brief Notes the state of congestion.
     * @param before the state before
     * @param now the state
     */
    void OnState(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t now);

    /**
     * @brief Writes whole segments, as many as the socket has room for and a few are unsent.
     * @param isOne one is written in any case
     */
    void Write(bool isOne);

    /** @brief Closes the connection when everything is written and nothing more is offered. */
    void CloseIfWritten();

    /** @brief Gets how many segments are written and not sent. */
    uint64_t GetUnsentSegments() const;

    /** @brief Reports what an endless transfer has offered: all that fits into the buffer. */
    void UpdateOffered();

    Ptr<Socket> m_socket;       //!< the socket; null when there is no connection
    uint32_t m_bufferBytes{0};  //!< room in the socket's empty buffer, [B]
    uint64_t m_writtenBytes{0}; //!< bytes handed to the socket, [B]
    SentStream m_sent;          //!< what was sent of that
    HostTurn m_turn;            //!< the next write
    Window m_window;            //!< as the socket last reported it
    TcpSocketState::TcpCongState_t m_state{TcpSocketState::CA_OPEN}; //!< of congestion
    TracedCallback<uint32_t, uint32_t> m_cwndTrace; //!< the congestion window changes, [B]
    TracedCallback<Time, Time> m_rttTrace;          //!< there is a sample of the RTT
};

} // namespace ns3::lfn

#endif /* LFN_TCP_SOURCE_H */
