// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LOAD_BACKGROUND_H
#define LFN_LOAD_BACKGROUND_H

#include "lfn-background.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Cross traffic of a mean rate, in either direction or both.
 */
class LoadBackground : public Background
{
  public:
    /** @brief Directions of the data. */
    enum Direction
    {
        FORWARD, //!< from senders to receivers
        REVERSE, //!< from receivers to senders
        BOTH,    //!< either, each with the whole load
    };

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    std::optional<std::string> Install(const BackgroundPlace& place) override;

  private:
    /**
     * @brief Install the traffic of one direction.
     * @param direction "forward" or "reverse"
     * @param pairs the hosts
     * @param rate of user bits of each pair (bit/s), above 0
     * @param start of the applications
     */
    virtual void InstallPairs(const std::string& direction,
                              const std::vector<BackgroundPair>& pairs,
                              double rate,
                              Time start) = 0;

    double m_load{0};               //!< attribute Load
    DataRate m_rate{0};             //!< attribute Rate
    Direction m_direction{FORWARD}; //!< attribute Direction
};

} // namespace ns3::lfn

#endif // LFN_LOAD_BACKGROUND_H
