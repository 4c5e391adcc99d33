# SPDX-License-Identifier: GPL-2.0-only
"""Claims about RBUDP out of a slow computer; one function per claim."""

from lfn.claims import Measured
from lfn.figures.rbudp import MBPS, highest_receiver_rate, over_send_rate
from lfn.models import rbudp as model

LIMIT = 725 * MBPS
"""Printed in the caption of the figure."""


def sending_limit(results):
    """Highest rate at which data leave the sending computer."""
    return Measured.one(highest_receiver_rate(results, "iperf") / MBPS, results.runs("iperf"))


def equation_4(results):
    """Throughput over B_best of the smaller of the rate asked for and the limit."""
    parts = {}
    for series in ("real", "fake"):
        rows = results.rows(series)
        payload, rtt = rows["--bytes"].iloc[0], rows["--rtt"].iloc[0]
        table = over_send_rate(results, series)
        best = model.best_bandwidth(payload, table["send_rate"].clip(upper=LIMIT), rtt)
        for rate, value in zip(table["send_rate"], table["mean"] / best, strict=True):
            parts[f"{series} at {rate / MBPS:.1f} Mb/s"] = value
    return Measured(parts, len(parts))


def tools_agree(results):
    """app_perf's maximum over iperf's."""
    ratio = highest_receiver_rate(results, "app-perf") / highest_receiver_rate(results, "iperf")
    return Measured.one(ratio, results.runs("app-perf") + results.runs("iperf"))


def implementations_agree(results):
    """Real over fake at every rate that both ran."""
    real, fake = (over_send_rate(results, series) for series in ("real", "fake"))
    both = real.merge(fake, on="send_rate", suffixes=("_real", "_fake"))
    ratios = both["mean_real"] / both["mean_fake"]
    parts = {
        f"{rate / MBPS:.1f} Mb/s": value
        for rate, value in zip(both["send_rate"], ratios, strict=True)
    }
    return Measured(parts, 2 * len(both))


def reaches_tools(results):
    """Best throughput of each implementation over the maximum of its tool."""
    pairs = (("fake", "iperf"), ("real", "app-perf"))
    parts = {
        f"{series} over {tool}": over_send_rate(results, series)["mean"].max()
        / highest_receiver_rate(results, tool)
        for series, tool in pairs
    }
    return Measured(parts, sum(results.runs(series) for pair in pairs for series in pair))
