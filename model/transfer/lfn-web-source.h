// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_WEB_SOURCE_H
#define LFN_WEB_SOURCE_H

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Sends short flows over TCP, as a server of the Web does: each flow has a connection of its
 * own, and the next one begins whether or not those before have ended.
 *
 * Intervals between flows and sizes are random variables; exponential intervals make a Poisson
 * process. A flow begins with its SYN and is complete when the sink has its last byte, which the
 * sink reports by OnDelivered(): connect it to the trace source ConnectionEnded of a TcpSink. A
 * flow fails when its connection cannot be opened or is lost.
 *
 * A finished connection holds its port and its memory for TimeWait. A port is the next free one of
 * ns-3's ephemeral range (16384 ports), so none is used again while it waits.
 */
class WebSource : public Application
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Take account of a connection that the sink has read to its end.
     * @param peer the socket address of this node that it came from
     * @param bytes what the sink has read
     */
    void OnDelivered(const Address& peer, uint64_t bytes);

    /** @brief Get the number of flows that have neither completed nor failed. */
    std::size_t GetNActive() const;

    /**
     * @brief Signature of the trace source FlowStarted.
     * @param bytes the flow's size
     */
    typedef void (*FlowStartedTracedCallback)(uint64_t bytes);

    /**
     * @brief Signature of the trace source FlowEnded.
     * @param bytes the flow's size
     * @param duration from its SYN to its end
     * @param isComplete all bytes have arrived
     */
    typedef void (*FlowEndedTracedCallback)(uint64_t bytes, Time duration, bool isComplete);

  protected:
    void DoDispose() override;

  private:
    /** @brief A flow under way. */
    struct Flow
    {
        Ptr<Socket> socket;  //!< its connection
        uint64_t bytes{0};   //!< its size
        uint64_t written{0}; //!< what the socket has taken
        Time start;          //!< of its SYN
    };

    void StartApplication() override;
    void StopApplication() override;

    /** @brief Schedule the next flow. */
    void ScheduleNext();

    /** @brief Begin a flow. */
    void StartFlow();

    /** @brief Make a socket as the Attributes say; null when that is not possible. */
    Ptr<Socket> MakeFlowSocket() const;

    /** @brief The connection stands, or its buffer has room: write. */
    void OnWritable(uint16_t port, Ptr<Socket> socket, uint32_t available);

    /** @brief The connection stands. */
    void OnConnected(uint16_t port, Ptr<Socket> socket);

    /** @brief The connection was refused, reset or given up, or the sink closed it early. */
    void OnFailed(uint16_t port, Ptr<Socket> socket);

    /** @brief End a flow. */
    void End(uint16_t port, bool isComplete);

    Address m_remote;                                  //!< attribute Remote
    Ptr<RandomVariableStream> m_interval;              //!< attribute Interval
    Ptr<RandomVariableStream> m_size;                  //!< attribute Size
    uint32_t m_segmentSize{0};                         //!< attribute SegmentSize
    uint32_t m_sndBufSize{0};                          //!< attribute SndBufSize
    TypeId m_socketFactory;                            //!< attribute SocketFactory
    std::string m_congestion;                          //!< attribute Congestion
    Time m_timeWait;                                   //!< attribute TimeWait
    int64_t m_stream{-1};                              //!< of congestion controls
    EventId m_next;                                    //!< the next flow
    std::map<uint16_t, Flow> m_flows;                  //!< under way, by local port
    TracedCallback<uint64_t> m_startedTrace;           //!< trace source FlowStarted
    TracedCallback<uint64_t, Time, bool> m_endedTrace; //!< trace source FlowEnded
};

} // namespace ns3::lfn

#endif // LFN_WEB_SOURCE_H
