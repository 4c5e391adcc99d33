# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a policed path; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou_paths import MBPS, over_option, trace
from lfn.results import MissingDataError

WINDOW = 15


def _rates(results):
    return over_option(results, "windows", "rcvrwin").set_index("x")["mean"]


def flood(results):
    """Rates of the first whole interval of 5 ms and of the time after 50 ms, over 100 and 50."""
    samples = trace(results, "flood", "goodput_bps")
    first = samples["value"].iloc[1]
    later = samples[samples["time_s"].between(0.05, 0.15)]["value"].mean()
    return Measured({"at first": first / 100e6, "sustained": later / 50e6}, 1)


def window_of_22_kb(results):
    """Rate at 15 segments."""
    return Measured.one(_rates(results)[WINDOW] / MBPS, 1)


def _parts(values, windows):
    chosen = {f"{w:g} segments": value for w, value in values.items() if windows(w)}
    if not chosen:
        raise MissingDataError("no such windows")
    return chosen


def _again(results, windows):
    again = over_option(results, "windows", "rcvrwin", "retransmitted_packets").set_index("x")
    chosen = _parts(again["mean"], windows)
    return Measured(chosen, len(chosen))


no_loss = claim(_again, lambda w: w <= WINDOW)  # Segments retransmitted at 15 segments and fewer
larger_windows_lose = claim(_again, lambda w: w > WINDOW)  # Segments retransmitted


def _over(results, windows):
    rates = _rates(results)
    chosen = _parts(rates / rates[WINDOW], windows)
    return Measured(chosen, len(chosen) + 1)


larger_windows = claim(_over, lambda w: w > WINDOW)  # Rates over that at 15 segments
smaller_windows = claim(_over, lambda w: w < WINDOW)  # Rates over that at 15 segments
