# SPDX-License-Identifier: GPL-2.0-only
"""Points of the figures of many flows on a link of 100 Mb/s over the round-trip time."""

LINK = 100e6
PACKET = 1500
LEAST_QUEUE = 1000
SECONDS = {"tiny": 0.4, "quick": 5, "full": 12}
"""Processor time of a run."""

DUMBBELL = "ns3::lfn::DumbbellTopology::"

MSS = {"ns3::lfn::UdtSource::Mss": 1500}

RENO = "tcp[Congestion=ns3::TcpLinuxReno]"
UDT3 = "udt[Variant=Udt3]"
UDT3_HOST = {"senderHost": "custom", "ns3::lfn::HostCost::ReadCost": "120us"}
"""UDT3 does not pace on a fast host: an interface of 100 Mb/s."""


def queue(ms):
    """One bandwidth-delay product, and 1000 packets at least."""
    return f"{max(LEAST_QUEUE, round(LINK * ms / 1e3 / 8 / PACKET))}p"


def over_rtt(series, transport, rtts, start, **more):
    """[[points]] of a series for {preset: round-trip times in ms} and {preset: values of --start}.

    ``more`` are further keys; args of them are added to those of the path.
    """
    args = more.pop("args", {})
    return [
        {
            "series": series,
            "presets": [preset],
            "seconds": SECONDS[preset],
            "args": {
                "transport": transport,
                f"{DUMBBELL}Rtt": f"{ms:g}ms",
                f"{DUMBBELL}Queue": queue(ms),
                **(MSS if "udt" in transport else {}),
                **args,
            },
            "sweep": {"start": start[preset]},
            **more,
        }
        for preset, values in rtts.items()
        for ms in values
    ]
