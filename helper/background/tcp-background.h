// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_BACKGROUND_H
#define TCP_BACKGROUND_H

#include "lfn-background.h"

#include "ns3/lfn-transfer-application.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "tcp": TCP flows without end, with any congestion control of ns-3.
 */
class TcpBackground : public Background
{
  public:
    static constexpr uint32_t MOST_FLOWS = 2000; //!< of one kind

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::string Describe() const override;
    std::optional<std::string> Check() const override;
    std::optional<std::string> Install(const BackgroundPlace& place) override;
    std::vector<BackgroundRow> GetRows() const override;

    /** @brief Get the number of flows, for a program that installs them itself. */
    uint32_t GetFlows() const;

    /** @brief Get their congestion control, a TypeId; empty for the node's own. */
    std::string GetCongestion() const;

    /** @brief Count a flow that a program has installed: its sink. */
    void Add(Ptr<const TransferApplication> sink);

  private:
    uint32_t m_flows{0};                                 //!< attribute Flows
    std::string m_congestion;                            //!< attribute Congestion
    std::vector<Ptr<const TransferApplication>> m_sinks; //!< one per flow
};

} // namespace ns3::lfn

#endif // TCP_BACKGROUND_H
