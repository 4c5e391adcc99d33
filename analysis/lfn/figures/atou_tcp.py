# SPDX-License-Identifier: GPL-2.0-only
"""atou alongside ns-3's TCP: ratios by path and by run, and the law of TCP's head start."""

import math

from lfn.average import Average, over_runs
from lfn.figures.atou_paths import is_random
from lfn.results import MissingDataError
from lfn.units import path_name, percent

GAIN = 2
"""Segments by which ns-3's TCP leaves a recovery ahead of atou."""


def paths(results, series):
    """List the (rate, rtt) of a series in order."""
    rows = results.rows(series)
    found = rows[["--linkRate", "--rtt"]].drop_duplicates()
    return sorted((float(rate), float(rtt)) for rate, rtt in found.itertuples(index=False))


def path_ratios(results, ours, theirs, column):
    """Ratio of the averages of a column by path, as {path's name: Average}.

    ``ours`` and ``theirs`` are (series, flags) of atou's and TCP's runs; paths that only one of
    them has are left out.
    """
    values = []
    for series, flags in (ours, theirs):
        rows = results.rows(series, **flags)
        by_path = rows.astype({"--linkRate": float, "--rtt": float}).groupby(
            ["--linkRate", "--rtt"]
        )
        values.append({key: Average.of(r, r[column], is_random(r)) for key, r in by_path})
    common = sorted(values[0].keys() & values[1].keys())
    if not common:
        raise MissingDataError(f"no path of both {ours[0]} and {theirs[0]}")
    return {path_name(*key): values[0][key] / values[1][key] for key in common}


def pairs(results, ours, theirs):
    """Runs of two series with the same losses: a table of loss, run, ratio and shares.

    ``ratio`` is the first one's goodput over the other's; ``repeats`` and ``theirs_repeats`` are
    the shares of the data packets that were retransmitted.
    """
    keys = ["--lossRate", "run"]
    columns = [*keys, "mbs", "retransmitted_packets", "data_packets"]
    left, right = (results.rows(series)[columns] for series in (ours, theirs))
    table = left.merge(right, on=keys, suffixes=("_ours", "_theirs"))
    return table.assign(
        loss=table["--lossRate"].astype(float),
        ratio=table["mbs_ours"] / table["mbs_theirs"],
        repeats=table["retransmitted_packets_ours"] / table["data_packets_ours"],
        theirs_repeats=table["retransmitted_packets_theirs"] / table["data_packets_theirs"],
    )


def mean_ratios(table):
    """The Measured of the mean ratios of pairs() by loss rate."""
    parts = {f"{percent(loss)} lost": ratios for loss, ratios in table.groupby("loss")["ratio"]}
    if not parts:
        raise MissingDataError("no such pairs of runs")
    return over_runs(parts, 2 * len(table))


def mean_window(loss, gain=0):
    """Mean window (segments) of a regular sawtooth with one loss every 1/``loss`` segments.

    Each RTT adds a segment; a loss at W leaves W/2 + ``gain``. So a tooth has W/2 - gain
    RTTs of (3 W / 2 + gain) / 2 segments on average.
    """
    top = (gain / 2 + math.sqrt(gain**2 / 4 + 1.5 * (gain**2 / 2 + 1 / loss))) / 0.75
    return 0.75 * top + gain / 2


def law_ratio(loss):
    """Mean window without the gain over that with it."""
    return mean_window(loss) / mean_window(loss, GAIN)


def gain_after_loss(table):
    """Segments an RTT of the second one after a lone loss, less half of those at the loss.

    ``table`` has time_s and value (segments per RTT) in samples of one RTT; the loss
    is where they fall most.
    """
    values = [float(v) for v in table.sort_values("time_s")["value"]]
    falls = [a - b for a, b in zip(values, values[1:], strict=False)]
    at = max(range(1, len(falls) - 2), key=falls.__getitem__)
    if falls[at] <= 0:
        raise MissingDataError("no loss in the samples")
    return values[at + 2] - values[at] / 2
