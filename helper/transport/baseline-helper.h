// SPDX-License-Identifier: GPL-2.0-only

#ifndef BASELINE_HELPER_H
#define BASELINE_HELPER_H

#include "ns3/address.h"
#include "ns3/attribute.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <string>

/**
 * @file
 * @ingroup lfn
 * BaselineHelper.
 */

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Installs the transports that others are compared with: TcpSource and TcpSink, or UdpSource
 * and UdpSink.
 */
class BaselineHelper
{
  public:
    /** @brief The two ends of a flow. */
    struct Transfer
    {
        Ptr<TransferApplication> source; //!< on the sending node
        Ptr<TransferApplication> sink;   //!< on the receiving node
    };

    /**
     * @brief Constructor.
     * @param protocol "Tcp" or "Udp"
     */
    explicit BaselineHelper(const std::string& protocol);

    /**
     * @brief Sets an attribute of the sources.
     * @param name its name
     * @param value its value
     */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Sets an attribute of the sinks.
     * @param name its name
     * @param value its value
     */
    void SetSinkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Installs a source and its sink.
     * @param sendingNode where the source goes
     * @param receivingNode where the sink goes
     * @param remote the sink's InetSocketAddress or Inet6SocketAddress, port included
     * @return the two ends
     */
    Transfer Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote) const;

  private:
    ObjectFactory m_source; //!< makes sources
    ObjectFactory m_sink;   //!< makes sinks
};

} // namespace ns3::lfn

#endif // BASELINE_HELPER_H
