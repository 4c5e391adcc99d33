// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_SESSION_H
#define JRM_SESSION_H

#include "ns3/jrm-message-source.h"
#include "ns3/jrm-peer.h"
#include "ns3/lfn-flow-monitoring.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/lfn-topology.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief Senders and receivers of messages on a network, and what became of the messages.
 *
 * What participants and sources are like the defaults of their Attributes say. With a number of
 * messages the simulation is stopped when all were sent and nothing comes any more.
 */
class JrmSession
{
  public:
    /** @brief Who takes part, and what counts. */
    struct Shape
    {
        uint32_t senders{1};   //!< participants that send, and receive
        uint32_t receivers{1}; //!< participants that only receive
        uint32_t groups{1};    //!< all participants are in all of them
        bool spread{true};     //!< senders do not begin together
        bool ipv6{false};      //!< the groups are of IPv6
        Time warmup;           //!< the window begins here
    };

    /**
     * @brief Constructor.
     * @param shape who takes part
     */
    explicit JrmSession(const Shape& shape);

    /**
     * @brief Install participants and sources on the hosts of a network, and the groups' routes.
     * @param path the network; the session must be there while it runs
     * @return the error line, with nothing to run, or nothing
     */
    std::optional<std::string> Install(const TransportTopology& path);

    /** @brief Sample goodput_bps and data_packets of every sender. */
    void Sample(RunRecorder& recorder, Time end, Time interval);

    /** @brief Have the delay of every sender's packets measured, at all others; once installed. */
    void Watch(FlowMonitoring& monitoring) const;

    /** @brief Write the row of every sender, after the run. */
    void AddRows(RunRecorder& recorder) const;

  private:
    /** @brief What became of one sender's messages at all receivers. */
    struct MessageCounters
    {
        uint64_t complete{0}; //!< messages
        uint64_t sampled{0};  //!< of those, at the last sample
        uint64_t window{0};   //!< of those, after the warm-up
        Time latencies;       //!< their sum
        Time longest;         //!< the longest
        Time last;            //!< when the last one was complete
    };

    /**
     * @brief Pick the hosts of the participants.
     * @return the hosts, the senders first; too few when the network has no more
     */
    NodeContainer PickHosts(const TransportTopology& path) const;

    /**
     * @brief Set the routes of the groups.
     * @param hosts the participants' hosts
     * @return the error line, or nothing
     */
    std::optional<std::string> InstallTree(const NodeContainer& hosts) const;

    /** @brief Get the address of a group. */
    Address GetGroup(uint32_t index) const;

    /** @brief Write the row of a sender. */
    void AddRow(RunRecorder& recorder, uint32_t index) const;

    /** @brief A participant has a whole message. */
    void OnMessage(const JrmReceiverCore::Delivery& message);

    /** @brief Stop when all was sent and nothing has come for a while; else come again. */
    void CheckForEnd();

    Shape m_shape;                                  //!< who takes part
    uint64_t m_messages{0};                         //!< of a sender; 0 without end
    uint64_t m_messageSize{0};                      //!< B
    std::vector<Ptr<JrmPeer>> m_peers;              //!< participants, the senders first
    std::vector<Ptr<JrmMessageSource>> m_sources;   //!< one a sender
    std::vector<MessageCounters> m_messageCounters; //!< one a sender
    Time m_silence;                                 //!< that proves the end
    bool m_wasQuiet{false};                         //!< at the last look
    Time m_quietSince;                              //!< nothing has happened since
    uint64_t m_received{0};                         //!< datagrams that had come then
};

} // namespace ns3::lfn

#endif // JRM_SESSION_H
