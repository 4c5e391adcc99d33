// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRANSFER_HELPER_H
#define LFN_TRANSFER_HELPER_H

#include "ns3/address.h"
#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/lfn-udp-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Base of the helpers of transports: installs sources and sinks, and sets their Attributes.
 * @tparam Source the application that sends
 * @tparam Sink the application that receives
 */
template <typename Source, typename Sink>
class EndsHelper
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
    explicit EndsHelper(const std::string& source = Source::GetTypeId().GetName(),
                        const std::string& sink = Sink::GetTypeId().GetName())
        : m_source(source),
          m_sink(sink)
    {
    }

    virtual ~EndsHelper() = default;

    /** @brief Set an Attribute that sources and sinks have, of those to come. */
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetSourceAttribute(name, value);
        SetSinkAttribute(name, value);
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

    /**
     * @brief Install a source on each node, which sends to its Attribute Remote.
     * @param nodes the nodes, or one
     * @return the sources, not yet started
     */
    ApplicationContainer Install(const NodeContainer& nodes) const
    {
        ApplicationContainer sources;
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            const auto source = MakeSource();
            (*node)->AddApplication(source);
            sources.Add(source);
        }
        return sources;
    }

    /**
     * @brief Install a sink on each node.
     * @param nodes the nodes, or one
     * @return the sinks, not yet started
     */
    ApplicationContainer InstallSink(const NodeContainer& nodes) const
    {
        ApplicationContainer sinks;
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            const auto sink = MakeSink();
            (*node)->AddApplication(sink);
            sinks.Add(sink);
        }
        return sinks;
    }

    /**
     * @brief Fix the random streams of the sources and the sinks on nodes.
     * @param nodes the nodes, or one
     * @param stream the first stream
     * @return the number of streams used
     */
    int64_t AssignStreams(const NodeContainer& nodes, int64_t stream) const
    {
        int64_t used = 0;
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            for (uint32_t i = 0; i < (*node)->GetNApplications(); ++i)
            {
                const auto application = (*node)->GetApplication(i);
                const auto type = application->GetInstanceTypeId();
                const bool isOurs = type == m_source.GetTypeId() || type == m_sink.GetTypeId();
                used += isOurs ? application->AssignStreams(stream + used) : 0;
            }
        }
        return used;
    }

  protected:
    /** @brief Make a source, not yet on a node. */
    virtual Ptr<Source> MakeSource() const
    {
        return m_source.template Create<Source>();
    }

    /** @brief Make a sink, not yet on a node. */
    virtual Ptr<Sink> MakeSink() const
    {
        return m_sink.template Create<Sink>();
    }

  private:
    ObjectFactory m_source; //!< makes sources
    ObjectFactory m_sink;   //!< makes sinks
};

/**
 * @ingroup lfn
 * @brief Installs transfers, each a source on one node and a sink on another.
 * @tparam Source the application that sends to its Attribute Remote
 * @tparam Sink the application that receives at its Attribute Port
 */
template <typename Source, typename Sink>
class TransferHelper : public EndsHelper<Source, Sink>
{
  public:
    using Base = EndsHelper<Source, Sink>;    //!< installs single ends
    using Transfer = typename Base::Transfer; //!< the two ends of a transfer
    using Base::Install;

    /**
     * @brief Constructor.
     * @param source TypeId name of the sources
     * @param sink TypeId name of the sinks
     */
    explicit TransferHelper(const std::string& source = Source::GetTypeId().GetName(),
                            const std::string& sink = Sink::GetTypeId().GetName())
        : Base(source, sink)
    {
        TypeId::AttributeInformation port;
        TypeId::LookupByName(sink).LookupAttributeByName("Port", &port);
        const auto value = DynamicCast<const UintegerValue>(port.initialValue);
        if (!value)
        {
            throw std::logic_error(sink + " has no Attribute Port that is a whole number");
        }
        m_port = static_cast<uint16_t>(value->Get());
    }

    /**
     * @brief Set the port of the sinks to come, to which the sources of AddSource() send; the
     * default of the sinks' Attribute Port unless set.
     */
    void SetPort(uint16_t port)
    {
        this->SetSinkAttribute("Port", UintegerValue(port));
        m_port = port;
    }

    /** @brief Get the sinks' port. */
    uint16_t GetPort() const
    {
        return m_port;
    }

    /**
     * @brief Install a source.
     * @param node where
     * @param remote IPv4 or IPv6 address of the sink, with or without a port
     * @return the source, not yet started
     */
    Ptr<Source> AddSource(Ptr<Node> node, const Address& remote) const
    {
        const auto source = this->MakeSource();
        SetRemote(source, remote, m_port);
        node->AddApplication(source);
        return source;
    }

    /**
     * @brief Install a sink.
     * @param node where
     * @return the sink, not yet started
     */
    Ptr<Sink> AddSink(Ptr<Node> node) const
    {
        const auto sink = this->MakeSink();
        node->AddApplication(sink);
        return sink;
    }

    /**
     * @brief Install a transfer.
     * @param sendingNode where the source goes
     * @param receivingNode where the sink goes
     * @param remote IPv4 or IPv6 address at which the source finds the sink; a port in it becomes
     *        the sink's
     * @return both ends, not yet started
     */
    Transfer Install(Ptr<Node> sendingNode, Ptr<Node> receivingNode, const Address& remote) const
    {
        const Transfer transfer{AddSource(sendingNode, remote), AddSink(receivingNode)};
        Pair(transfer.source, transfer.sink, remote);
        if (!transfer.source->GetReport().isAcknowledged)
        {
            transfer.source->SetReceiver(transfer.sink);
        }
        return transfer;
    }

  protected:
    /** @brief Have a source send to the port of a sink: the address's, or else the sink's own. */
    static void Pair(Ptr<Source> source, Ptr<Sink> sink, const Address& remote)
    {
        if (const auto port = UdpEndpoint::GetPort(remote))
        {
            sink->SetAttribute("Port", UintegerValue(*port));
        }
        UintegerValue port;
        sink->GetAttribute("Port", port);
        SetRemote(source, remote, static_cast<uint16_t>(port.Get()));
    }

  private:
    /** @brief Set the address that a source sends to; its port, or else the given one. */
    static void SetRemote(Ptr<Source> source, const Address& remote, uint16_t port)
    {
        const auto to = UdpEndpoint::WithPort(remote, UdpEndpoint::GetPort(remote).value_or(port));
        source->SetAttribute("Remote", AddressValue(to));
    }

    uint16_t m_port{0}; //!< the sinks' port
};

} // namespace ns3::lfn

#endif // LFN_TRANSFER_HELPER_H
