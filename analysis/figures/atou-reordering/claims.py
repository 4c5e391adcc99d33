# SPDX-License-Identifier: GPL-2.0-only
"""Claims about reordering; one function a claim."""

import numpy as np

from lfn.atou_paths import option, over_option, with_rate
from lfn.claims import Measured
from lfn.results import MissingDataError, mean_interval


def _at(results, series, threshold):
    """Rows of one dup_thresh."""
    rows = with_rate(results.rows(series))
    rows = rows[option(rows, "dup_thresh") == threshold]
    if rows.empty:
        raise MissingDataError(f"no runs of series {series} at dup_thresh {threshold}")
    return rows


def _gain(high, low):
    """Quotient of the mean rates of two sets of rows."""
    above, half = mean_interval(high["rate"])
    below, other = mean_interval(low["rate"])
    ratio = above / below
    error = ratio * float(np.hypot(half / above, other / below))
    return Measured.one(ratio, len(high) + len(low), error)


def cable_out_of_order(results):
    """Share of the packets that came after a later one, where nothing is sent again."""
    rows = _at(results, "cable", 31)
    return Measured.one((rows["server_late"] / rows["data_packets"]).mean(), len(rows))


def cable_gain(results):
    """Throughput at 9 over that at 3."""
    return _gain(_at(results, "cable", 9), _at(results, "cable", 3))


def cable_monotone(results):
    """Throughput over that at the threshold before."""
    table = over_option(results, "cable", "dup_thresh").set_index("x")["mean"]
    pairs = zip(table.index, table.index[1:], strict=False)
    return Measured({f"{b:g} over {a:g}": table[b] / table[a] for a, b in pairs}, len(table))


def lbnl_gain(results):
    """Rate at 19 over that at 3."""
    return _gain(_at(results, "lbnl-high", 19), _at(results, "lbnl-low", 3))


def lbnl_no_resends(results):
    """Most segments sent again at 19."""
    rows = _at(results, "lbnl-high", 19)
    return Measured.one(rows["retransmitted_packets"].max(), len(rows))


def lbnl_all_in_vain(results):
    """Duplicates at the server over segments sent again, all runs at 3."""
    rows = _at(results, "lbnl-low", 3)
    again = rows["retransmitted_packets"].sum()
    return Measured.one(rows["server_dups"].sum() / again if again else float("nan"), len(rows))


def lbnl_gap(results):
    """Largest gap at 3."""
    rows = _at(results, "lbnl-low", 3)
    return Measured.one(rows["server_max_gap"].max(), len(rows))
