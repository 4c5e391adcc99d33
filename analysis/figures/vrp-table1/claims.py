# SPDX-License-Identifier: GPL-2.0-only
"""Claims about Table 1; one function per claim."""

from lfn.average import Average, extreme, measured
from lfn.figures import claim
from lfn.figures.vrp import MBPS, over_paths, table1_paths

BLOCKING = 6.4 * MBPS
"""No blocking frame of 100 kB over 60 ms is faster, however fast the link (lfn.models.vrp)."""


def _of_printed(results, series, column, above=0.0):
    """Rates over the printed ones, of paths whose printed VRP rate is ``above`` a bound."""
    paths = table1_paths(results)
    paths = paths[paths["vrp"] > above]
    rates = zip(over_paths(results, series, paths), paths[column], strict=True)
    parts = [rate / printed for rate, printed in rates]
    return measured(dict(zip(paths["path"], parts, strict=True)))


def _ratios(results):
    """{path: Average of VRP's rate over TCP's}."""
    paths = table1_paths(results)
    vrp, tcp = (over_paths(results, series, paths) for series in ("vrp", "tcp"))
    ratios = [fast / slow for fast, slow in zip(vrp, tcp, strict=True)]
    return dict(zip(paths["path"], ratios, strict=True))


tcp_matched = claim(_of_printed, "tcp", "tcp")  # TCP's rate over the printed one
vrp_rates = claim(_of_printed, "vrp", "vrp")  # VRP's rate over the printed one
every_ratio = claim(_ratios)  # VRP over TCP on every path


def largest_ratio(results):
    """The largest of VRP over TCP."""
    path, ratio = extreme(max, _ratios(results))
    return measured(ratio, f"on {path}")


def _residual(results, series):
    """{path: Average of the accepted losses in per cent of the packets}."""
    paths = table1_paths(results)
    parts = {}
    for path, link in zip(paths["path"], paths["link"], strict=True):
        rows = results.rows(series, linkRate=link)
        parts[path] = Average.of(rows, 100.0 * rows["residual_loss"])
    return parts


# Accepted losses in per cent of the packets, on every path, and where it follows a faster host.
residual_loss = claim(_residual, "vrp")
residual_loss_behind_ten = claim(_residual, "flooding")


def measured_loss(results):
    """Mean of the residual losses of all paths, with queues that hold all and with small ones."""
    names = {"vrp": "bottleneck at the host", "flooding": "bottleneck behind 10 Mb/s"}
    parts = {}
    for series, name in names.items():
        losses = _residual(results, series).values()
        parts[name] = sum(losses) / len(losses)
    listed = "; ".join(f"{name}: {one.value:.1f} %" for name, one in parts.items())
    return measured(parts, listed)


# One frame at a time over the printed rate, where that is above the bound.
one_frame_not_enough = claim(_of_printed, "one-frame", "vrp", BLOCKING)
