// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TCP_SOURCE_BASE_H
#define LFN_TCP_SOURCE_BASE_H

#include "lfn-transfer-application.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Base of the senders over TCP: opens connections, ends the transfer when all is
 * acknowledged, or when nothing is for StallTimeout.
 */
class TcpSourceBase : public TransferApplication
{
  public:
    /**
     * @brief Fix the random stream of a congestion control that draws lots.
     * @return 1, the streams used
     */
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /**
     * @brief Add the common Attributes to a subclass, where Config::SetDefault() finds them.
     * @param tid the subclass
     * @return the subclass
     */
    static TypeId AddAttributes(TypeId tid);

    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief A connection's next write, as far as the host has come with it. */
    struct HostTurn
    {
        EventId event;          //!< when the host gets to it
        bool isAdmitted{false}; //!< it may go then
    };

    /**
     * @brief Have the host get to a write, if there is a HostCost.
     * @param turn the connection's
     * @param bytes how many, [B]
     * @param stored which of them come from the storage
     * @param write called when the host gets to it, and not before now
     * @return true when it may go now
     */
    bool Admit(HostTurn& turn,
               uint32_t bytes,
               const StorageCore::Range& stored,
               const std::function<void()>& write);

    /** @brief Begin to wait for acknowledgements. */
    void StartStallTimer();

    /**
     * @brief Make a socket with the Attributes; the transfer fails when there is none.
     * @param index number of the connection, added to the random stream
     * @return the socket, or null
     */
    Ptr<Socket> MakeSocket(uint32_t index = 0);

    /**
     * @brief Connect a socket to Remote, to send only; the transfer fails when that cannot be.
     * @param socket the socket
     * @param connected called when the connection stands
     * @return false when the transfer has failed
     */
    bool Connect(Ptr<Socket> socket, const Callback<void, Ptr<Socket>>& connected);

    /**
     * @brief Let a socket go, which may live on until its FIN is acknowledged.
     * @param socket the socket
     */
    void Release(Ptr<Socket> socket) const;

    /**
     * @brief Take account of what was acknowledged.
     * @param bytes user bytes of it, [B]
     * @return false when a trace sink has ended the transfer
     */
    bool OnAcknowledged(uint64_t bytes);

    /**
     * @brief Complete, an instant later, when everything is acknowledged.
     * @return true when everything is
     */
    bool CompleteIfDone();

    /** @brief Check whether everything is acknowledged and the end is an instant away. */
    bool IsCompleting() const;

    /**
     * @brief Get the size of a socket's send buffer.
     * @param socket the socket
     * @return its size, [B]
     */
    static uint32_t GetBufferBytes(Ptr<Socket> socket);

    uint64_t m_bytes{0};        //!< attribute Bytes
    uint32_t m_segmentSize{0};  //!< attribute SegmentSize
    bool m_checkContent{false}; //!< attribute CheckContent
    HostSendGate m_gate;        //!< the sending host

  private:
    /** @brief A connection could not be opened. */
    void OnRefused(Ptr<Socket> socket);

    /** @brief Fail when nothing has been acknowledged for too long, else wait on. */
    void CheckStall();

    Address m_remote;         //!< attribute Remote
    uint32_t m_sndBufSize{0}; //!< attribute SndBufSize
    TypeId m_socketFactory;   //!< attribute SocketFactory
    std::string m_congestion; //!< attribute Congestion
    Time m_stallTimeout;      //!< attribute StallTimeout

    int64_t m_stream{-1};    //!< first random stream; below 0: one of ns-3's
    EventId m_completeEvent; //!< everything is acknowledged
    EventId m_stallEvent;    //!< the next look at whether anything moves
    Time m_lastProgress;     //!< when a byte was last acknowledged
};

} // namespace ns3::lfn

#endif // LFN_TCP_SOURCE_BASE_H
