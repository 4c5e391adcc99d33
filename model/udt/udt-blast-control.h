// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_BLAST_CONTROL_H
#define UDT_BLAST_CONTROL_H

#include "udt-congestion.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief No congestion control: a constant rate at any loss (UDT-54).
 */
class UdtBlastControl : public UdtCongestion
{
  public:
    /**
     * @brief A control.
     * @param periodUs time between two packets, us
     */
    explicit UdtBlastControl(double periodUs);

    void OnAck(Time now, int64_t next, const UdtPathState& path) override;
    Time OnLoss(int64_t first, const UdtPathState& path) override;
    void OnTimeout(const UdtPathState& path) override;
    double GetPeriod() const override;
    double GetWindow() const override;

  private:
    double m_period; //!< us
};

} // namespace ns3::lfn

#endif // UDT_BLAST_CONTROL_H
