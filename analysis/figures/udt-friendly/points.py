# SPDX-License-Identifier: GPL-2.0-only
"""Ten TCP flows alongside five of UDT or of TCP at each round-trip time."""

from lfn.figures.udt_grids import RENO, UDT3, UDT3_HOST, over_rtt

RTTS = {
    "tiny": [10],
    "quick": [1, 10, 50, 100],
    "full": [0.01, 0.1, 1, 10, 50, 100, 500, 1000],
}
ONE = {preset: ["0s,130ms,370ms"] for preset in RTTS}
TWO = {"tiny": ["0s,130ms,370ms"], "quick": ["0s,130ms,370ms", "0s,290ms,710ms"]}
TWO["full"] = [*TWO["quick"], "0s,530ms,970ms"]

ARGS = {
    "topology": "ns3::lfn::DumbbellTopology",
    "ns3::lfn::DumbbellTopology::LinkRate": "100Mbps",
    "ns3::lfn::DumbbellTopology::AccessRate": "1Gbps",
    "ns3::lfn::DumbbellTopology::Pairs": 15,
    "ns3::TcpSocket::DelAckCount": 1,  # as receivers of ns-2
    "flows": 5,
    "duration": {"tiny": "2s", "quick": "40s", "full": "100s"},
    "seriesInterval": {"tiny": "100ms", "quick": "1s", "full": "1s"},
}


def points():
    """Five flows of each of three transports; TCP draws nothing, so it has other starts as runs."""
    tcp = f"{RENO},{RENO}"
    return [
        *over_rtt("udt4", f"{tcp},udt", RTTS, ONE, args=ARGS),
        *over_rtt("tcp", f"{tcp},{RENO}", RTTS, TWO, args=ARGS, random=False, runs=1),
        *over_rtt("udt3", f"{tcp},{UDT3}", RTTS, ONE, args=ARGS | UDT3_HOST),
    ]
