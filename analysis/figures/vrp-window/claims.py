# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's window; one function a claim."""

from lfn.average import Average, measured
from lfn.figures.vrp import lost, mean_rate

LARGE = (128, 256)


def _rate(results, size):
    return mean_rate(results, "window", windowSize=size)


def rises_to_64(results):
    """Throughput with 64 packets over that with 32."""
    return measured(_rate(results, 64) / _rate(results, 32))


def no_gain_at_128(results):
    """Throughput with 128 and 256 packets over that with 64."""
    return measured({f"{size}": _rate(results, size) / _rate(results, 64) for size in LARGE})


def _lost(results, size):
    rows = results.rows("window", windowSize=size)
    return Average.of(rows, lost(rows))


def loss_jumps_at_128(results):
    """Share of packets lost over that at 64."""
    return measured({f"{size}": _lost(results, size) / _lost(results, 64) for size in LARGE})


def none_at_64(results):
    """Packets that found the receiver's buffer full, of those sent."""
    rows = results.rows("window", windowSize=64)
    return measured(Average.of(rows, 100.0 * rows["host_drops"] / rows["data_packets"]))
