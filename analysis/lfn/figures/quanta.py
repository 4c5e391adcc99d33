# SPDX-License-Identifier: GPL-2.0-only
"""What Quanta's figures share between their plots and claims: parallel TCP, FEC, objects."""

from lfn.models import quanta as model
from lfn.results import MissingDataError

LINK = 100e6
"""Rate of the link, in bit/s."""

WINDOW = 65536
"""Window of a connection, in bytes."""

RTT = 0.11
"""RTT, in s."""

START = 10.0
"""Slow start and the recovery from its losses are over by then, in s."""

CODES = (
    (1, 1),
    (2, 1),
    (3, 1),
    (1, 2),
    (2, 2),
    (4, 2),
    (6, 2),
    (8, 2),
    (12, 3),
    (20, 3),
    (20, 4),
    (32, 4),
)
"""Datagrams of data, and of parity, of a block: the codes that are measured."""

FEC = "fec-udp"
CUBIC = "tcp[Congestion=ns3::TcpCubic]"
OBJECTS = {
    "fec-3": FEC,
    "tcp-newreno": "tcp[Congestion=ns3::TcpNewReno]",
    "tcp-cubic": CUBIC,
    "tcp-bbr": "tcp[Congestion=ns3::TcpBbr]",
    "tcp-scalable": "tcp[Congestion=ns3::TcpScalable]",
    "vrp": "vrp",
    "jrm": "jrm[Adaptive=false|Grtt=false]",
}
"""--transport of those that send objects in time, by key of lfn.style.STYLES."""

MOST_WINDOWS = 16
"""Connections up to which the link has room for all windows and their headers."""


def windows_law(streams):
    """Rate of a number of windows per RTT, at most the link's, in bit/s."""
    return model.windows_rate(streams, WINDOW, RTT, LINK)


def by_streams(results, series):
    """Mean goodput and segments retransmitted of a series, indexed by the number of connections."""
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


def residual_rows(results, code, **flags):
    """Rows of a code of CODES, with the share of datagrams that stay lost."""
    rows = results.rows(f"k-{code[0]}-m-{code[1]}", **flags)
    return rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"])


def object_rows(results, key, series="objects", **flags):
    """Rows of a transport of OBJECTS, with the shares of objects that are late and lost."""
    rows = results.rows(series, transport=OBJECTS[key], **flags)
    return rows.assign(
        late=rows["objects_late"] / rows["objects"],
        lost=rows["objects_lost"] / rows["objects"],
    )
