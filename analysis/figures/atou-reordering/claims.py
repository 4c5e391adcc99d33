# SPDX-License-Identifier: GPL-2.0-only
"""Claims about reordering; one function per claim."""

from lfn.average import Average, averages, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import option
from lfn.figures.atou_paths import with_rate
from lfn.results import MissingDataError

GAP = 7
"""Segments that an early packet of LBNL's skips."""


def _at(results, series, threshold):
    """Rows of one dup_thresh."""
    rows = with_rate(results.rows(series))
    rows = rows[option(rows, "dup_thresh") == threshold]
    if rows.empty:
        raise MissingDataError(f"no runs of series {series} at dup_thresh {threshold}")
    return rows


def _rate(results, series, threshold):
    rows = _at(results, series, threshold)
    return Average.of(rows, rows["rate"])


def _tcp_rate(results):
    rows = with_rate(results.rows("cable-tcp"))
    return Average.of(rows, rows["rate"])


def cable_out_of_order(results):
    """Share of the packets that came after a later one, where nothing is retransmitted."""
    rows = _at(results, "cable", 31)
    return measured(Average.of(rows, rows["server_late"] / rows["data_packets"]))


def cable_gain(results):
    """Throughput at 9 over that of ns-3's TCP."""
    return measured(_rate(results, "cable", 9) / _tcp_rate(results))


def cable_monotone(results):
    """Throughput over that at the threshold before."""
    rows = with_rate(results.rows("cable"))
    rates = averages(rows.assign(threshold=option(rows, "dup_thresh")), "threshold", "rate")
    pairs = zip(rates, list(rates)[1:], strict=False)
    return measured({f"{b:g} over {a:g}": rates[b] / rates[a] for a, b in pairs})


def lbnl_gain(results):
    """Rate at 19 over that at 3."""
    return measured(_rate(results, "lbnl-high", 19) / _rate(results, "lbnl-low", 3))


def lbnl_no_retransmissions(results):
    """Most segments that any run retransmitted at 19: a largest value has no interval."""
    rows = _at(results, "lbnl-high", 19)
    return Measured.one(rows["retransmitted_packets"].max(), len(rows), basis="every run")


def lbnl_all_spurious(results):
    """Duplicates at the server over segments retransmitted, at 3.

    Of all runs together, in which every single one counts: no mean, no interval.
    """
    rows = _at(results, "lbnl-low", 3)
    again = rows["retransmitted_packets"].sum()
    if not again:
        raise MissingDataError("nothing was retransmitted")
    return Measured.one(rows["server_dups"].sum() / again, len(rows), basis="every run")


def lbnl_gap(results):
    """Largest gap of any run at 3: a largest value has no interval."""
    rows = _at(results, "lbnl-low", 3)
    return Measured.one(rows["server_max_gap"].max(), len(rows), basis="every run")


def _low_rate(results, series):
    """Rate at 3, Mb/s."""
    return measured(_rate(results, series, 3) / 1e6)


def lbnl_high_rate(results):
    """Rate at 19, Mb/s."""
    return measured(_rate(results, "lbnl-high", 19) / 1e6)


def _events(results, series):
    """Cuts at 3."""
    rows = _at(results, series, 3)
    return measured(Average.of(rows, rows["dup3s"]))


def _retransmissions(results, series):
    """Segments retransmitted over packets out of order, which skip GAP segments each, at 3."""
    rows = _at(results, series, 3)
    return measured(Average.of(rows, GAP * rows["retransmitted_packets"] / rows["server_late"]))


lbnl_low_rate = claim(_low_rate, "lbnl-low")
lbnl_low_rate_clusters = claim(_low_rate, "lbnl-clusters")
lbnl_events = claim(_events, "lbnl-low")
lbnl_events_clusters = claim(_events, "lbnl-clusters")
lbnl_events_sack = claim(_events, "lbnl-sack")
lbnl_retransmissions = claim(_retransmissions, "lbnl-low")
lbnl_retransmissions_clusters = claim(_retransmissions, "lbnl-clusters")
lbnl_retransmissions_sack = claim(_retransmissions, "lbnl-sack")


def _jumps(results, series, threshold):
    """Early packets: those that came after a later one, by GAP."""
    rows = _at(results, series, threshold)
    return measured(Average.of(rows, rows["server_late"] / GAP))


lbnl_late_at_3 = claim(_jumps, "lbnl-low", 3)
lbnl_late_at_19 = claim(_jumps, "lbnl-high", 19)


def grows_with_rate(results):
    """Printed share out of order at 218 Mb/s over that at 18 Mb/s."""
    printed = results.printed("out of order").set_index("x")["value"]
    return Measured.one(printed[19] / printed[3])


def cable_tcp_rate(results):
    """Rate of ns-3's TCP, Mb/s."""
    return measured(_tcp_rate(results) / 1e6)


def cable_rate_at_9(results):
    """Rate at 9, Mb/s."""
    return measured(_rate(results, "cable", 9) / 1e6)
