# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's window; one function a claim."""

from lfn.claims import Measured
from lfn.vrp import lost, mean_rate, ratio

LARGE = (128, 256)


def rises_to_64(results):
    """Throughput with 64 packets over that with 32."""
    value, error = ratio(*(mean_rate(results, "window", windowSize=n) for n in (64, 32)))
    return Measured.one(value, 2 * results.runs("window", windowSize=64), error)


def no_gain_at_128(results):
    """Throughput with 128 and 256 packets over that with 64."""
    base = mean_rate(results, "window", windowSize=64)
    parts, errors = {}, {}
    for size in LARGE:
        parts[f"{size}"], errors[f"{size}"] = ratio(
            mean_rate(results, "window", windowSize=size), base
        )
    return Measured(parts, 3 * base[2], errors)


def loss_jumps_at_128(results):
    """Share of packets lost over that at 64."""
    base = lost(results.rows("window", windowSize=64)).mean()
    parts = {
        f"{size}": lost(results.rows("window", windowSize=size)).mean() / base for size in LARGE
    }
    return Measured(parts, 3 * results.runs("window", windowSize=64))


def none_at_64(results):
    """Packets that found the receiver's buffer full, of those sent."""
    rows = results.rows("window", windowSize=64)
    return Measured.one(100.0 * (rows["host_drops"] / rows["data_packets"]).mean(), len(rows))
