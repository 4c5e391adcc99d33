# SPDX-License-Identifier: GPL-2.0-only
"""Claims about gamma and limited slow start; one function per claim."""

import math

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou_paths import MBPS, rate, trace, windows
from lfn.results import MissingDataError

QUEUE = 520
"""The queue that is judged, packets, where others are drawn alongside it."""


def _queue(results):
    """Return the flags of the transfers that are judged: the one queue that there is, or QUEUE."""
    table = results.table
    there = table.loc[table["series"] == "drops", "--queue"].unique()
    return {"queue": float(there[0]) if len(there) == 1 else QUEUE}


def _rate(results, series, **flags):
    return rate(results, series, **flags)[0] / MBPS


def _average(results, series):
    return Measured.one(_rate(results, series), 1)


standard_vegas = claim(_average, "standard-vegas")
floyd_exit = claim(_average, "floyd-exit")


def _fired(results, series):
    """When delta first exceeded gamma (1)."""
    delta = trace(results, series, "vegas_delta_segments")
    return delta[delta["value"] > 1]["time_s"].min()


def gamma_time(results):
    """When gamma was exceeded."""
    return Measured({s: _fired(results, s) for s in ("standard-vegas", "floyd-exit")}, 2)


def gamma_window(results):
    """The window in the sample before; not a number where gamma is never exceeded."""
    parts = {}
    for series in ("standard-vegas", "floyd-exit"):
        samples = windows(results, series)
        before = samples[samples["time_s"] < _fired(results, series) - 1e-9]["value"]
        parts[series] = float(before.iloc[-1]) if len(before) else float("nan")
    return Measured(parts, 2)


def full_window(results):
    """When the window was full, over the run; standard Vegas' must not be."""
    if results.rows("standard-vegas")["full_window_s"].notna().any():
        return Measured.one(float("nan"), 2)
    row = results.rows("floyd-exit").iloc[0]
    return Measured.one(row["full_window_s"] / row["--duration"], 2)


def factor_of_eight(results):
    """Quotient of the printed rates."""
    printed = results.printed("rate").set_index("series")["value"]
    return Measured.one(printed["floyd-exit"] / printed["standard-vegas"])


def order_of_gammas(results):
    """Rates over those of the transfers that the page finds slower."""
    names = ("drops", "gamma-2", "gamma-60")
    rates = [_rate(results, name, **_queue(results)) for name in names]
    parts = {"gamma 2 over standard": rates[1] / rates[0], "gamma 60 over 2": rates[2] / rates[1]}
    return Measured({**parts, "gamma 60 over standard": rates[2] / rates[0]}, 3)


def _judged_rate(results, series):
    return Measured.one(_rate(results, series, **_queue(results)), 1)


rate_of_drops = claim(_judged_rate, "drops")
rate_of_gamma_2 = claim(_judged_rate, "gamma-2")
rate_of_gamma_60 = claim(_judged_rate, "gamma-60")


def _again(results, series):
    judged = _queue(results)
    rows = results.rows(series, **judged)
    standard = results.rows("drops", **judged)["retransmitted_packets"].sum()
    return rows["retransmitted_packets"].sum() / standard if standard else float("nan")


def no_loss(results):
    """Segments retransmitted over the standard transfer's, which must be some."""
    return Measured({name: _again(results, name) for name in ("gamma-2", "gamma-60")}, 3)


def low_ssthresh(results):
    """Segments retransmitted over the standard transfer's; there is nothing to avoid without."""
    again = _again(results, "low-ssthresh")
    if math.isnan(again):
        raise MissingDataError("the standard transfer loses nothing")
    return Measured.one(again, 2)


def burst_limit(results):
    """Rate over that without a limit."""
    without = _rate(results, "drops", **_queue(results))
    return Measured.one(_rate(results, "burst-limit") / without, 2)
