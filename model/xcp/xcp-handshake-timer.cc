// SPDX-License-Identifier: GPL-2.0-only

#include "xcp-handshake-timer.h"

namespace ns3::lfn
{

void
XcpHandshakeTimer::OnSyn(uint64_t connection, double now, double wait)
{
    m_places.resize(PLACES);
    Place& place = m_places[connection % PLACES];
    const bool isOurs = place.isTaken && place.connection == connection;
    const bool isKept = place.isTaken && !place.isOpening && now - place.lastPacket < IDLE_TIME;
    if (!isOurs && isKept)
    {
        return;
    }
    // A place whose handshake is not complete goes to the latest SYN: none is kept by SYNs alone.
    place = {.connection = connection,
             .sent = now + wait,
             .lastPacket = now,
             .rtt = 0.0,
             .isOpening = true,
             .isTaken = true};
}

double
XcpHandshakeTimer::OnPacket(uint64_t connection, double now)
{
    if (m_places.empty())
    {
        return 0.0;
    }
    Place& place = m_places[connection % PLACES];
    if (!place.isTaken || place.connection != connection)
    {
        return 0.0;
    }
    if (place.isOpening)
    {
        const double rtt = now - place.sent;
        place.rtt = rtt > 0.0 && rtt <= MAX_RTT ? rtt : 0.0;
        place.isOpening = false;
    }
    place.lastPacket = now;
    return place.rtt;
}

} // namespace ns3::lfn
