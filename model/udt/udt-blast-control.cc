// SPDX-License-Identifier: GPL-2.0-only
#include "udt-blast-control.h"

namespace ns3::lfn
{

UdtBlastControl::UdtBlastControl(double periodUs)
    : m_period(periodUs)
{
}

void
UdtBlastControl::OnAck(Time /* now */, int64_t /* next */, const UdtPathState& /* path */)
{
}

Time
UdtBlastControl::OnLoss(int64_t /* first */, const UdtPathState& /* path */)
{
    return Time(0);
}

void
UdtBlastControl::OnTimeout(const UdtPathState& /* path */)
{
}

double
UdtBlastControl::GetPeriod() const
{
    return m_period;
}

double
UdtBlastControl::GetWindow() const
{
    constexpr double UNLIMITED = 1 << 30;
    return UNLIMITED;
}

} // namespace ns3::lfn
