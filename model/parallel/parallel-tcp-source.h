// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_SOURCE_H
#define PARALLEL_TCP_SOURCE_H

#include "parallel-sender-core.h"

#include "ns3/lfn-sent-stream.h"
#include "ns3/lfn-tcp-source-base.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Sends one transfer over several TCP connections to a ParallelTcpSink.
 *
 * The transfer starts with the first send call and completes when the last byte of every connection
 * is acknowledged. When one connection fails, so does the transfer.
 */
class ParallelTcpSource : public TcpSourceBase
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    ParallelTcpSource();

    /** @brief As the base's; refuses what is not a multiple of ChunkSize. */
    bool Offer(uint64_t bytes) override;
    void Finish() override;

    /**
     * @brief Fix the random streams of congestion controls that draw lots.
     * @param stream the first stream
     * @return the streams used, one a connection
     */
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void CancelEvents() override;

  private:
    /** @brief One connection. */
    struct Stream
    {
        Ptr<Socket> socket;                       //!< null once closed
        uint32_t bufferBytes{0};                  //!< room in its empty buffer, [B]
        std::optional<ParallelChunkHeader> chunk; //!< being written
        uint64_t position{0};                     //!< written of it, header included, [B]
        uint64_t written{0};                      //!< in all, headers included, [B]
        uint64_t acknowledged{0};                 //!< of that, [B]
        bool isConnected{false};                  //!< data can be written
        bool isClosed{false};                     //!< everything is written
        SentStream sent;                          //!< what was sent of what was written
        HostTurn turn;                            //!< its next write
    };

    void StartApplication() override;

    /**
     * @brief Opens a connection.
     * @param index its number
     * @return false when that failed, and with it the transfer
     */
    bool Open(uint32_t index);

    /**
     * @brief A connection stands.
     * @param index its number
     * @param socket its socket
     */
    void OnConnected(uint32_t index, Ptr<Socket> socket);

    /** @brief A connection was closed by the receiver or is lost. */
    void OnClose(uint32_t index, Ptr<Socket> socket);

    /**
     * @brief Closes a connection on which everything is written, so that its FIN goes with its
     * last data.
     * @param index its number
     */
    void CloseIfDone(uint32_t index);

    /**
     * @brief Something was acknowledged on a connection.
     * @param index its number
     * @param socket its socket
     * @param available room in its buffer, [B]
     */
    void OnWritable(uint32_t index, Ptr<Socket> socket, uint32_t available);

    /**
     * @brief Counts a segment that a connection sends.
     * @param index its number
     * @param segment its payload
     * @param header its TCP header
     * @param socket its socket
     */
    void OnSegment(uint32_t index,
                   Ptr<const Packet> segment,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);

    /**
     * @brief Writes to a connection, as much as it has room for and a few segments are unsent.
     * @param index its number
     * @param isOne a segment is written in any case
     */
    void Write(uint32_t index, bool isOne);

    /**
     * @brief Has the host get to the next piece of a connection.
     * @param index its number
     * @param bytes the piece's length, [B]
     * @return true when it may go now
     */
    bool AdmitPiece(uint32_t index, uint32_t bytes);

    /**
     * @brief Makes the next piece of a connection.
     * @param stream the connection, with a chunk
     * @param bytes its length, [B]
     * @return the piece: the rest of the chunk's header, user bytes, or both
     */
    Ptr<Packet> MakePiece(const Stream& stream, uint32_t bytes) const;

    ParallelSenderCore::Settings m_settings; //!< of the core; its bytes are the attribute Bytes

    ParallelSenderCore m_core;     //!< deals out the chunks
    bool m_isOffered{false};       //!< Offer() says what is sent
    uint32_t m_transfer{0};        //!< what the chunks' headers call the transfer
    std::vector<Stream> m_streams; //!< the connections
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_SOURCE_H
