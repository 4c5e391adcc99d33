// SPDX-License-Identifier: GPL-2.0-only

#ifndef XCP_MULTIPLICATIVE_DROP_LAW_H
#define XCP_MULTIPLICATIVE_DROP_LAW_H

#include "xcp-drop-law.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-xcp
 * @brief The report's law (RR2007-46, section 4.2): once an interval, and once the link is used
 * enough, the probability rises by a factor while E2E flows take more than their fair share, and
 * falls by another while they take less, never below a floor of 0.01 %.
 */
class XcpMultiplicativeDropLaw : public XcpDropLaw
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    Decision Decide(const Observation& observation) override;
    Decision Rest() override;

  private:
    double m_threshold{0};      //!< Attribute UtilisationThreshold
    double m_minProbability{0}; //!< Attribute MinProbability
    double m_maxProbability{0}; //!< Attribute MaxProbability
    double m_increase{0};       //!< Attribute IncreaseFactor
    double m_decrease{0};       //!< Attribute DecreaseFactor
    double m_tolerance{0};      //!< Attribute Tolerance
    bool m_isGated{false};      //!< Attribute Gated
    double m_probability{0};    //!< p; 0 until E2E flows first take too much
};

} // namespace ns3::lfn

#endif // XCP_MULTIPLICATIVE_DROP_LAW_H
