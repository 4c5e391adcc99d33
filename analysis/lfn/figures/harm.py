# SPDX-License-Identifier: GPL-2.0-only
"""Harm to traffic like the Web's: completion times alongside a transport, over those without it.

Ware et al., "Beyond Jain's fairness index", HotNets 2019: harm is what a metric of the other flows
loses. The metric is the median time of a class of sizes, from background.csv. The arrivals of the
web traffic are the same alongside each transport, so runs of one RngRun are compared as pairs.
"""

from lfn.average import Average
from lfn.figures.compare import TRANSPORTS

SIZES = ("0-10kB", "10kB-100kB", "100kB-1MB", "1MB-")
"""Classes of sizes in background.csv."""

NAMES = ("below 10 kB", "10 to 100 kB", "100 kB to 1 MB", "1 MB and more")
"""Their names in figures."""

HALF = 0.5
"""Load of the web traffic of most claims, over the bottleneck's rate."""

RTT = 0.05
"""Round-trip time of propagation, s."""

ONE_FLIGHT = 1.5
"""RTTs of a flow that fits into the first window: connection, and half of one for data."""


def _flags(key, load):
    background = f"web[Load={load:g}|Congestion=ns3::TcpCubic]"
    return {"transport": TRANSPORTS[key], "background": background}


def web_rows(results, series, key, size, load=HALF):
    """Rows of background.csv of one class of sizes alongside a transport, a row per run."""
    table = results.extra(series, "background", **_flags(key, load))
    return table[table["size_class"] == size]


def web_average(results, series, key, column, size="all", load=HALF):
    """Average of a column of web_rows(); not a number where a run has no flow of the class."""
    rows = web_rows(results, series, key, size, load)
    return Average.of(rows, rows[column])


def relative(results, series, key, column, size="all", load=HALF):
    """The same over that of the web traffic alone."""
    alone = web_average(results, "alone", "udp", column, size, load)
    return web_average(results, series, key, column, size, load) / alone


def slowdown(results, series, key, size, load=HALF):
    """Median completion time of a class alongside a transport, over that alone."""
    return relative(results, series, key, "completion_p50_s", size, load)


def over_waiting(results, series, key, load=HALF):
    """Median time of flows below 10 kB, over one and a half RTTs and two waits.

    Their SYN and their one flight of data each wait in the bottleneck's queue, for its mean here.
    """
    rows = results.rows(series, **_flags(key, load))
    wait = Average.of(rows, rows["mean_queue_s"])
    return web_average(results, series, key, "completion_p50_s", SIZES[0], load) / (
        ONE_FLIGHT * RTT + 2 * wait
    )
