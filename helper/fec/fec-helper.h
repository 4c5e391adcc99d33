// SPDX-License-Identifier: GPL-2.0-only

#ifndef FEC_HELPER_H
#define FEC_HELPER_H

#include "ns3/address.h"
#include "ns3/attribute.h"
#include "ns3/fec-udp-sink.h"
#include "ns3/fec-udp-source.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn-fec
 * @brief Installs transfers over FEC over UDP.
 */
class FecHelper
{
  public:
    /** @brief The two ends of a transfer. */
    struct Transfer
    {
        Ptr<FecUdpSource> source; //!< on the sending node
        Ptr<FecUdpSink> sink;     //!< on the receiving node
    };

    FecHelper();

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
     * @brief Set the ports of the transfers to come.
     * @param port UDP port of the data at the sinks
     * @param parityPort UDP port of the parity at the sinks, another one
     */
    void SetPorts(uint16_t port, uint16_t parityPort);

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

#endif // FEC_HELPER_H
