// SPDX-License-Identifier: GPL-2.0-only

#ifndef PARALLEL_TCP_HELPER_H
#define PARALLEL_TCP_HELPER_H

#include "ns3/address.h"
#include "ns3/attribute.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/parallel-tcp-sink.h"
#include "ns3/parallel-tcp-source.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-parallel
 * @brief Installs transfers over parallel TCP.
 */
class ParallelTcpHelper
{
  public:
    /** @brief The two ends of a transfer. */
    struct Transfer
    {
        Ptr<ParallelTcpSource> source; //!< on the sending node
        Ptr<ParallelTcpSink> sink;     //!< on the receiving node
    };

    ParallelTcpHelper();

    /**
     * @brief Set an Attribute of the sources to come.
     * @param name its name
     * @param value its value
     */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Set an Attribute of the sinks to come.
     * @param name its name
     * @param value its value
     */
    void SetSinkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Set the port of the transfers to come.
     * @param port TCP port of the sinks
     */
    void SetPort(uint16_t port);

    /**
     * @brief Install a transfer.
     * @param sendingNode where the source goes
     * @param receivingNode where the sink goes
     * @param receiverAddress IPv4 or IPv6 address at which the source finds it; a port in it is
     *        replaced
     * @return both ends, not yet started
     */
    Transfer Install(Ptr<Node> sendingNode,
                     Ptr<Node> receivingNode,
                     const Address& receiverAddress) const;

  private:
    ObjectFactory m_source; //!< makes sources
    ObjectFactory m_sink;   //!< makes sinks
    uint16_t m_port{9};     //!< the sinks' port
};

} // namespace ns3::lfn

#endif // PARALLEL_TCP_HELPER_H
