// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRANSFER_HELPER_H
#define LFN_TRANSFER_HELPER_H

#include "ns3/address.h"
#include "ns3/attribute.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Installs transfers, each a source on one node and a sink on another.
 * @tparam Source the application that sends to its Attribute Remote
 * @tparam Sink the application that receives at its Attribute Port
 */
template <typename Source, typename Sink>
class TransferHelper
{
  public:
    /** @brief The two ends of a transfer. */
    struct Transfer
    {
        Ptr<Source> source; //!< on the sending node
        Ptr<Sink> sink;     //!< on the receiving node
    };

    /**
     * @brief Constructor.
     * @param source TypeId name of the sources
     * @param sink TypeId name of the sinks
     */
    explicit TransferHelper(const std::string& source = Source::GetTypeId().GetName(),
                            const std::string& sink = Sink::GetTypeId().GetName())
        : m_source(source),
          m_sink(sink)
    {
    }

    /** @brief Set an Attribute of the sources to come. */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value)
    {
        m_source.Set(name, value);
    }

    /** @brief Set an Attribute of the sinks to come. */
    void SetSinkAttribute(const std::string& name, const AttributeValue& value)
    {
        m_sink.Set(name, value);
    }

    /** @brief Set the sinks' port of the transfers to come, 9 unless set. */
    void SetPort(uint16_t port)
    {
        m_port = port;
    }

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
                     const Address& receiverAddress) const
    {
        Transfer transfer{m_source.template Create<Source>(), m_sink.template Create<Sink>()};
        const auto remote = UdpEndpoint::WithPort(receiverAddress, m_port);
        transfer.source->SetAttribute("Remote", AddressValue(remote));
        transfer.sink->SetAttribute("Port", UintegerValue(m_port));
        sendingNode->AddApplication(transfer.source);
        receivingNode->AddApplication(transfer.sink);
        if (!transfer.source->GetReport().isAcknowledged)
        {
            transfer.source->SetReceiver(transfer.sink);
        }
        return transfer;
    }

  private:
    ObjectFactory m_source; //!< makes sources
    ObjectFactory m_sink;   //!< makes sinks
    uint16_t m_port{9};     //!< the sinks' port
};

} // namespace ns3::lfn

#endif // LFN_TRANSFER_HELPER_H
