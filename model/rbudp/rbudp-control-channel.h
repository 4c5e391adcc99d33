// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_CONTROL_CHANNEL_H
#define RBUDP_CONTROL_CHANNEL_H

#include "ns3/callback.h"
#include "ns3/object.h"

#include <cstdint>
#include <span>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief One end of the reliable byte stream alongside the blasts: DONE one way, bitmaps the other.
 */
class RbudpControlChannel : public Object
{
  public:
    /** @brief Takes bytes that arrived, in any portions. */
    using ReceiveCallback = Callback<void, std::span<const uint8_t>>;

    /** @brief Takes the end of the stream: empty when the peer closed it, else what broke it. */
    using ClosedCallback = Callback<void, const std::string&>;

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Say who takes what happens on the stream.
     * @param receive takes the bytes
     * @param closed takes the end
     */
    void SetCallbacks(ReceiveCallback receive, ClosedCallback closed);

    /**
     * @brief Send bytes, all of them, in order, sooner or later.
     * @param bytes what to send
     */
    virtual void Send(std::span<const uint8_t> bytes) = 0;

    /** @brief Close this end when everything has been sent; the callbacks are not called again. */
    virtual void Close() = 0;

    /**
     * @brief End the channel with its user.
     * @param isBeingDisposed the user is disposed of, and with it the node
     */
    void End(bool isBeingDisposed);

  protected:
    void DoDispose() override;

    /**
     * @brief Hand bytes to the user.
     * @param bytes what arrived
     */
    void NotifyReceived(std::span<const uint8_t> bytes);

    /**
     * @brief Report to the user that the stream has ended; only the first call counts.
     * @param error empty when the peer closed it, else what broke it
     */
    void NotifyClosed(const std::string& error);

    /** @brief Forget the user. */
    void ClearCallbacks();

  private:
    ReceiveCallback m_receive; //!< takes the bytes
    ClosedCallback m_closed;   //!< takes the end
};

} // namespace ns3::lfn

#endif // RBUDP_CONTROL_CHANNEL_H
