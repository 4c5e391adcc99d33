// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_TEARDOWN_H
#define XCP_TEARDOWN_H

#include "ns3/lfn-tcp-view.h"
#include "ns3/sequence-number.h"

#include <cstdint>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief Follows the end of a TCP connection by the packets that a host sends and receives.
 *
 * A connection is over when each side has acknowledged the other's FIN, or one has sent a reset.
 * A FIN that comes early, before data that were lost, does not count before it is acknowledged; one
 * that is retransmitted changes nothing.
 */
class XcpTeardown
{
  public:
    /**
     * @brief This host sends a packet.
     * @param tcp its TCP header
     * @param payload what follows it, [B]
     */
    void OnSend(const TcpView& tcp, uint32_t payload);

    /**
     * @brief A packet of the peer comes.
     * @param tcp its TCP header
     * @param payload what follows it, [B]
     */
    void OnReceive(const TcpView& tcp, uint32_t payload);

    /**
     * @brief Check whether what the peer has sent last may end the connection.
     * @return true when the peer's FIN or a reset has been seen
     */
    bool IsEnding() const;

    /**
     * @brief Check whether all is over.
     * @return true when neither side has anything to send any more
     */
    bool IsOver() const;

  private:
    /** @brief One direction. */
    struct Side
    {
        std::optional<SequenceNumber32> end; //!< behind the FIN
        bool isAcknowledged{false};          //!< the FIN is
    };

    /**
     * @brief Take note of a packet.
     * @param tcp its TCP header
     * @param payload what follows it, [B]
     * @param from the side that sends it
     * @param to the other side
     */
    void OnPacket(const TcpView& tcp, uint32_t payload, Side& from, Side& to);

    Side m_own;            //!< what this host sends
    Side m_peer;           //!< what the peer sends
    bool m_isReset{false}; //!< a side has sent a reset
};

} // namespace ns3::lfn

#endif // XCP_TEARDOWN_H
