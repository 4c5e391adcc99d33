# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's packet size; one function a claim."""

from lfn.claims import Measured
from lfn.results import MissingDataError
from lfn.vrp import KB, lost, mean_rate, over, ratio


def lan_rises(results):
    """Throughput over that of the next smaller size."""
    table = over(results, "lan", "packetSize")
    parts = {
        f"{big / KB:g} kB": table["mean"].iloc[i + 1] / table["mean"].iloc[i]
        for i, big in enumerate(table["packetSize"].iloc[1:])
    }
    return Measured(parts, int(table["runs"].sum()))


def wan_peak(results):
    """Throughput with 2 kB over that of every other size."""
    best = mean_rate(results, "wan", packetSize=2 * KB)
    parts, errors = {}, {}
    for size in over(results, "wan", "packetSize")["packetSize"]:
        if size != 2 * KB:
            name = f"{size / KB:g} kB"
            parts[name], errors[name] = ratio(best, mean_rate(results, "wan", packetSize=size))
    return Measured(parts, results.runs("wan"), errors)


def sometimes_one(results):
    """Throughput with 1 kB over that with 2 kB on the lossier WAN."""
    one, two = (mean_rate(results, "lossy-wan", packetSize=size * KB) for size in (1, 2))
    value, error = ratio(one, two)
    return Measured.one(value, one[2] + two[2], error)


def more_loss_from_three(results):
    """Share of packets lost over that at 2 kB."""
    rows = results.rows("wan")
    shares = lost(rows).groupby(rows["--packetSize"]).mean()
    larger = [size for size in shares.index if size > 2 * KB]
    if not larger:
        raise MissingDataError("no packets above 2 kB")
    parts = {f"{size / KB:g} kB": shares[size] / shares[2 * KB] for size in larger}
    return Measured(parts, len(rows))
