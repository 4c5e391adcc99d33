# SPDX-License-Identifier: GPL-2.0-only
"""Twelve paths with three scripted losses, and one with random ones, for atou and ns-3's TCP."""

FRAME = 1502
"""Bytes of a full packet on the link."""

DELAYED = {"ackDelay": "200ms"}
RUNS = {"tiny": 1, "quick": 3, "full": 5}
GRID = {
    "runs": RUNS,
    "random": {"ackDelay": ["200ms"]},  # the phase of heartbeats
    "sweep": {"protocol": ["atou", "tcp"], "ackDelay": ["0ms", "200ms"]},
}
NEWRENO = {"protocol": "tcp", "congestion": "ns3::TcpNewReno", **DELAYED}


def path(rate, rtt):
    """Return (flags, options, packets) of a path of ``rate`` Mb/s and ``rtt`` ms.

    The window is 10 segments more than 1.2 times the bandwidth-delay product, 600 at most. Losses
    are 20, 45 and 70 RTTs after the start, the queue's time included.
    """
    packet_ms = FRAME * 8 / (1000 * rate)
    window = min(600, int(1.2 * rtt / packet_ms) + 10)
    packets = round(65 * window, -2) + 1
    trip = max(rtt, window * packet_ms)
    drops = ",".join(f"{trips * trip:.0f}ms" for trips in (20, 45, 70))
    options = f"rcvrwin {window}; maxpkts {packets}; maxtime 0; timeout 1; tick 0.01"
    return {"linkRate": f"{rate}Mbps", "rtt": f"{rtt}ms", "dropAt": drops}, options, packets


def of_path(rate, rtt):
    """Return the series of one path."""
    flags, options, packets = path(rate, rtt)
    presets = ["tiny", "quick", "full"] if rate == 10 and rtt in (50, 100) else ["quick", "full"]
    usual = {"presets": presets, "seconds": 0.1 if packets < 20000 else 0.2}
    same = {**flags, "options": options}
    twice = {**flags, "options": f"{options}; increment 2; ssincr 2"}
    yield {"series": "grid", "args": same, **usual, **GRID}
    yield {"series": "newreno", "random": False, "args": {**same, **NEWRENO}, **usual}
    yield {"series": "doubled", "runs": RUNS, "args": {**twice, **DELAYED}, **usual}
    if rtt == 10 or (rate == 10 and rtt < 200):
        args, sweep = {**twice, "ackDelay": "20ms"}, {"protocol": ["atou", "tcp"]}
        yield {"series": "heartbeat", "runs": RUNS, "args": args, "sweep": sweep, **usual}


RANDOM = {
    "random-atou": {},
    "random-tcp": {"protocol": "tcp"},
    "faults-tcp": {"protocol": "tcp", "ns3::lfn::LongFatTcpSocket::Ns3Faults": "true"},
    "sack-atou": {"serverSack": "true"},
    "sack-tcp": {"protocol": "tcp"},
}
LOSSES = [0.0003, 0.001, 0.003, 0.01]


def with_losses(series, flags):
    """Return a series with random losses, which are the same for all series."""
    rest = "maxtime 0; timeout 1; tick 0.01" + ("; sack 1" if series.startswith("sack") else "")
    packets = {"tiny": 3001, "quick": 20001, "full": 20001}
    options = {
        preset: f"rcvrwin 600; thresh_init 0.1; maxpkts {number}; {rest}"
        for preset, number in packets.items()
    }
    return {
        "series": series,
        "seconds": {"tiny": 0.1, "quick": 0.2, "full": 0.2},
        "runs": {"tiny": 1, "quick": 4, "full": 20},
        "args": {"linkRate": "100Mbps", "rtt": "50ms", "options": options, **flags},
        "sweep": {"lossRate": {"tiny": [0.001], "quick": LOSSES, "full": LOSSES}},
    }


def points():
    """Return what [[points]] would say."""
    paths = [(rate, rtt) for rate in (10, 100, 1000) for rtt in (10, 50, 100, 200)]
    grid = [series for rate, rtt in paths for series in of_path(rate, rtt)]
    return grid + [with_losses(series, flags) for series, flags in RANDOM.items()]
