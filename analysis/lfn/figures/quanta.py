# SPDX-License-Identifier: GPL-2.0-only
"""What the figure of parallel TCP shares between its plot and its claims."""

from lfn.models import quanta as model
from lfn.results import MissingDataError

LINK = 100e6
"""Rate of the link, in bit/s."""

WINDOW = 65536
"""Window of a connection, in bytes."""

RTT = 0.11
"""Round trip, in s."""

START = 10.0
"""Slow start and the recovery from its losses are over by then, in s."""

MOST_WINDOWS = 16
"""Connections up to which the link has room for all windows and their headers."""


def windows_law(streams):
    """Rate of so many windows a round trip, at most the link's, in bit/s."""
    return model.windows_rate(streams, WINDOW, RTT, LINK)


def by_streams(results, series):
    """Mean goodput and segments sent again of a series, indexed by the number of connections."""
    rows = results.rows(series)
    return rows.groupby(_streams(rows))[["goodput_bps", "retransmitted_packets"]].mean()


def _streams(rows):
    return rows["--transport"].str.extract(r"Streams=(\d+)")[0].astype(int).rename("streams")


def over_time(results, series, **flags):
    """{number of connections: goodput of the first run, in bit/s, indexed by time in s}."""
    rows = results.rows(series, **flags)
    names = dict(zip(rows["point"], _streams(rows), strict=True))
    table = results.samples(series, "goodput_bps", 0, 1, **flags)
    parts = {names[point]: part for point, part in table.groupby("point")}
    return {n: parts[n].set_index("time_s")["value"] for n in sorted(parts)}


def scatter(samples):
    """Coefficient of variation of goodput over time, slow start and end left out.

    Raises MissingDataError for fewer than ten samples: a transfer of a few seconds.
    """
    chosen = samples[(samples.index > START) & (samples.index <= 0.75 * samples.index.max())]
    if len(chosen) < 10:
        raise MissingDataError(f"only {len(chosen)} samples after {START:g} s")
    return float(chosen.std(ddof=0) / chosen.mean())
