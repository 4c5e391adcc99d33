# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's packet size; one function per claim."""

from lfn.average import averages, measured
from lfn.figures.vrp import KB, each, lost, mean_rate
from lfn.results import MissingDataError

LANS = {"lan": "50 us", "lan-fast-hosts": "no cost", "lan-slow-hosts": "150 us"}


def lan_rises(results):
    """Throughput over that of the next smaller size, for each cost of a packet."""
    parts = {}
    for series, cost in LANS.items():
        rates = each(results, series, "packetSize", random=False)
        for small, big in zip(rates, list(rates)[1:], strict=False):
            parts[f"{big / KB:g} kB, {cost}"] = rates[big] / rates[small]
    return measured(parts)


def wan_peak(results):
    """Throughput with 2 kB over that of every other size."""
    rates = each(results, "wan", "packetSize")
    best = rates.pop(2 * KB)
    return measured({f"{size / KB:g} kB": best / rate for size, rate in rates.items()})


def sometimes_one(results):
    """Throughput with 1 kB over that with 2 kB on the lossier WAN."""
    one, two = (mean_rate(results, "lossy-wan", packetSize=size * KB) for size in (1, 2))
    return measured(one / two)


def more_loss_from_three(results):
    """Share of packets lost over that at 2 kB."""
    rows = results.rows("wan")
    shares = averages(rows.assign(lost=lost(rows)), "--packetSize", "lost")
    larger = [size for size in shares if size > 2 * KB]
    if not larger:
        raise MissingDataError("no packets above 2 kB")
    return measured({f"{size / KB:g} kB": shares[size] / shares[2 * KB] for size in larger})
