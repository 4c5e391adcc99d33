# SPDX-License-Identifier: GPL-2.0-only
"""Claims about Table 1; one function a claim."""

from lfn.claims import Measured
from lfn.vrp import MBPS, over_paths, ratio, table1_paths

BLOCKING = 6.4 * MBPS
"""No blocking frame of 100 kB over 60 ms is faster, however fast the link (lfn.models.vrp)."""


def _parts(paths, values, runs):
    """A Measured with a part a path from (value, half width) pairs."""
    names = list(paths["path"])
    parts = {name: value for name, (value, _) in zip(names, values, strict=True)}
    errors = {name: error for name, (_, error) in zip(names, values, strict=True)}
    return Measured(parts, runs, errors)


def _of_printed(results, series, column):
    paths = table1_paths(results)
    rates = over_paths(results, series, paths)
    values = [
        (mean / printed, half / printed)
        for (mean, half, _), printed in zip(rates, paths[column], strict=True)
    ]
    return _parts(paths, values, results.runs(series))


def _ratios(results):
    paths = table1_paths(results)
    vrp, tcp = (over_paths(results, series, paths) for series in ("vrp", "tcp"))
    values = [ratio(fast, slow) for fast, slow in zip(vrp, tcp, strict=True)]
    return _parts(paths, values, results.runs("vrp") + results.runs("tcp"))


def tcp_matched(results):
    """TCP's rate over the printed one."""
    return _of_printed(results, "tcp", "tcp")


def vrp_rates(results):
    """VRP's rate over the printed one."""
    return _of_printed(results, "vrp", "vrp")


def every_ratio(results):
    """VRP over TCP on every path."""
    return _ratios(results)


def largest_ratio(results):
    """The largest of VRP over TCP."""
    ratios = _ratios(results)
    path = max(ratios.parts, key=ratios.parts.get)
    return Measured.one(ratios.parts[path], ratios.runs, ratios.errors[path], note=f"on {path}")


def _residual(results, series):
    paths = table1_paths(results)
    return {
        path: 100.0 * results.rows(series, linkRate=link)["residual_loss"].mean()
        for path, link in zip(paths["path"], paths["link"], strict=True)
    }


def residual_loss(results):
    """Accepted losses in per cent of the packets, on every path."""
    return Measured(_residual(results, "vrp"), results.runs("vrp"))


def measured_loss(results):
    """Mean of the residual losses of all paths, with queues that hold all and with small ones."""
    parts, runs = {}, 0
    for series, name in (
        ("vrp", "bottleneck at the host"),
        ("flooding", "bottleneck behind 10 Mb/s"),
    ):
        losses = _residual(results, series)
        parts[name] = sum(losses.values()) / len(losses)
        runs += results.runs(series)
    listed = "; ".join(f"{name}: {value:.1f} %" for name, value in parts.items())
    return Measured(parts, runs, note=listed)


def one_frame_not_enough(results):
    """One frame at a time over the printed rate, where that is above the bound."""
    paths = table1_paths(results)
    paths = paths[paths["vrp"] > BLOCKING]
    parts = {
        path: mean / printed
        for path, printed, (mean, _, _) in zip(
            paths["path"], paths["vrp"], over_paths(results, "one-frame", paths), strict=True
        )
    }
    return Measured(parts, results.runs("one-frame"))
