// SPDX-License-Identifier: GPL-2.0-only

#ifndef ONOFF_BACKGROUND_H
#define ONOFF_BACKGROUND_H

#include "lfn-load-background.h"

#include <memory>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "onoff": UDP datagrams in bursts, by ns3::OnOffApplication: sources that send at a
 * constant rate for an exponential time, then rest for another one.
 */
class OnoffBackground : public LoadBackground
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::string Describe() const override;
    std::optional<std::string> Check() const override;
    std::vector<BackgroundRow> GetRows() const override;

  private:
    void InstallPairs(const std::string& direction,
                      const std::vector<BackgroundPair>& pairs,
                      double rate,
                      Time start) override;

    Time m_on;                                          //!< attribute OnTime
    Time m_off;                                         //!< attribute OffTime
    uint32_t m_packetSize{0};                           //!< attribute PacketSize
    std::vector<std::unique_ptr<BackgroundRow>> m_rows; //!< one per direction
};

} // namespace ns3::lfn

#endif // ONOFF_BACKGROUND_H
