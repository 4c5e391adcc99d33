// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_MESSAGE_SOURCE_H
#define JRM_MESSAGE_SOURCE_H

#include "jrm-peer.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief An application on top of a JrmPeer: messages of one size at a fixed rate, as in the
 *        paper's experiments (section 4: 30 a second).
 *
 * Messages go to the groups that the participant had joined when the source started, one after the
 * other. Message k is sent k / MessageRate after the start, so that no rounding adds up and the
 * time of any message is known without a list of them.
 */
class JrmMessageSource : public Application
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    JrmMessageSource();

    /** @brief Count the messages sent. @return their number */
    uint64_t GetSent() const;

    /**
     * @brief Check whether there is nothing more to send.
     * @return true after the last message, and when the participant takes no more
     */
    bool IsDone() const;

    /**
     * @brief Get when a message was sent.
     * @return time of its SendMessage(), or nothing when this source did not send it
     */
    std::optional<Time> GetSendTime(const JrmMessageId& id) const;

    /**
     * @brief Get the largest number of messages that the participant kept for requests.
     * @return the most at a time
     */
    std::size_t GetPeakKept() const;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** @brief Send the next message, and wait for the one after it. */
    void SendNext();

    /**
     * @brief Get when a message is due.
     * @param k its number, from 0
     * @return the time
     */
    Time GetTime(uint64_t k) const;

    Ptr<JrmPeer> m_peer;      //!< attribute Peer
    uint64_t m_messages{0};   //!< attribute Messages
    double m_messageRate{30}; //!< attribute MessageRate, 1/s
    uint32_t m_size{0};       //!< attribute MessageSize, B

    std::vector<Address> m_groups;       //!< groups in turn
    std::optional<JrmMessageId> m_first; //!< the first message
    Time m_start;                        //!< when it was sent
    uint64_t m_sent{0};                  //!< messages sent
    std::size_t m_peakKept{0};           //!< most messages kept
    bool m_done{false};                  //!< nothing more to send
    EventId m_next;                      //!< the next message
};

} // namespace ns3::lfn

#endif // JRM_MESSAGE_SOURCE_H
