// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_APPLICATION_TRANSPORT_H
#define LFN_APPLICATION_TRANSPORT_H

#include "lfn-transport.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A transport by name that is two applications, a source and a sink: a subclass names their
 * TypeIds in its constructor, and is complete.
 *
 * Both derive from TransferApplication. The source needs the Attribute Remote (Address), where it
 * sends to; the sink needs Port (whole number), where it receives. Either gets Bytes, SendRate,
 * PacketSize and CheckContent of the flow where it has an Attribute of that name, and what the
 * subclass has as an Attribute of the same name. Where the source's report says that nothing is
 * acknowledged, the flow ends with the sink's last delivery.
 */
class ApplicationTransport : public Transport
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Describe the applications: reliable where the sink acknowledges, with a configured
     * rate where the source has the Attribute SendRate.
     */
    TransportTraits GetTraits() const override;

    /** @brief Check that both applications exist and have what they need. */
    std::optional<std::string> Check() const override;

    std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) override;
    TransferReport GetReport(const TransportEnds& ends) const override;

    /**
     * @brief Bound the difference between report and packets.
     * @return the header; as surplus what the source retransmitted and what the sink lost
     */
    FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                  const TransportEnds& ends) const override;

  protected:
    /**
     * @brief Constructor.
     * @param source TypeId name of the source
     * @param sink TypeId name of the sink
     * @param headerBytes the transport's own header in each packet of data, [B]
     */
    ApplicationTransport(std::string source, std::string sink, uint32_t headerBytes = 0);

  private:
    /**
     * @brief Suggest an Attribute of a flow to an end that has it.
     * @return what is wrong, or nothing
     */
    static std::optional<std::string> Offer(Ptr<Object> end,
                                            const std::string& name,
                                            const AttributeValue& value);

    /**
     * @brief Give an end the values of the subclass's Attributes that it has as well.
     * @return what is wrong, or nothing
     */
    std::optional<std::string> HandOnAll(Ptr<Object> end) const;

    std::string m_source;     //!< TypeId name of the source
    std::string m_sink;       //!< TypeId name of the sink
    uint32_t m_headerBytes{}; //!< in each packet of data, [B]
};

} // namespace ns3::lfn

#endif // LFN_APPLICATION_TRANSPORT_H
