# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the latency of small frames; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.vrp import frame_latency, tcp_latency

FITS = 1024
"""Frames up to this size share a packet with their header; 2048 bytes and a header do not fit."""


def _difference(results, over, under, largest):
    """{size: latency of one table less another's, in RTTs}."""
    rtt = results.rows("vrp")["--rtt"].iloc[0]
    both = over.merge(under, on="bytes", suffixes=("_over", "_under"))
    both = both[both["bytes"] <= largest]
    gained = (both["latency_over"] - both["latency_under"]) / rtt
    return {f"{size:g} bytes": value for size, value in zip(both["bytes"], gained, strict=True)}


def _over_tcp(results, first="frame_create", handshakes=0):
    """{size: VRP's latency from a first message on over TCP's less this number of RTTs}."""
    vrp, tcp = frame_latency(results, "vrp", first), tcp_latency(results, "tcp")
    both = vrp.merge(tcp, on="bytes", suffixes=("_vrp", "_tcp"))
    saved = handshakes * results.rows("tcp")["--rtt"].iloc[0]
    ratios = both["latency_vrp"] / (both["latency_tcp"] - saved)
    parts = {f"{size:g} bytes": one for size, one in zip(both["bytes"], ratios, strict=True)}
    return Measured(parts, 2 * len(parts))


same_as_tcp = claim(_over_tcp)  # VRP's latency over TCP's
same_as_tcp_with_ping = claim(_over_tcp, "ping")  # the same from the opening PING on
same_as_tcp_connected = claim(_over_tcp, "frame_create", 1)  # over TCP's without a handshake


def one_packet_saves(results):
    """Latency with a handshake less that without, in RTTs."""
    vrp, combined = (frame_latency(results, series) for series in ("vrp", "combined"))
    parts = _difference(results, vrp, combined, FITS)
    return Measured(parts, 2 * len(parts))


def overtakes(results):
    """Longest time of a small frame over the big frame's, until its sender has the last ACK."""
    row = results.rows("alongside-bulk").iloc[0]
    note = f"{row['probes']:.0f} small frames alongside one that takes {row['max_frame_s']:.2f} s"
    return Measured.one(row["max_probe_s"] / row["max_frame_s"], 1, note=note)


def no_traffic_jam(results):
    """Mean and longest time of a small frame, in RTTs, until its sender has the acknowledgement."""
    row = results.rows("alongside-bulk").iloc[0]
    rtt = row["--rtt"]
    parts = {"mean": row["mean_probe_s"] / rtt, "longest": row["max_probe_s"] / rtt}
    note = f"{row['probes']:.0f} small frames alongside one that takes {row['max_frame_s']:.2f} s"
    return Measured(parts, 1, note=note)
