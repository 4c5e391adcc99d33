# SPDX-License-Identifier: GPL-2.0-only
"""What the figure of parallel TCP shares between its plot and its claims."""

from lfn.models import quanta as model

LINK = 100e6
"""Rate of the link, in bit/s."""

WINDOW = 65536
"""Window of a connection, in bytes."""

RTT = 0.11
"""Round trip, in s."""

MOST_WINDOWS = 16
"""Connections up to which the link has room for all windows and their headers."""


def windows_law(streams):
    """Rate of so many windows a round trip, at most the link's, in bit/s."""
    return model.windows_rate(streams, WINDOW, RTT, LINK)


def by_streams(results, series):
    """Mean goodput and segments sent again of a series, indexed by the number of connections."""
    rows = results.rows(series)
    streams = rows["--transport"].str.extract(r"Streams=(\d+)")[0].astype(int).rename("streams")
    return rows.groupby(streams)[["goodput_bps", "retransmitted_packets"]].mean()
