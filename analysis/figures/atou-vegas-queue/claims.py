# SPDX-License-Identifier: GPL-2.0-only
"""Claims about queueing; one function a claim."""

from lfn.claims import Measured
from lfn.figures.atou_paths import MBPS, cuts, rate, trace, windows
from lfn.results import MissingDataError

VEGAS = {"exit by an eighth": "vegas-eighth", "exit by delta": "vegas-delta"}


def _last_rtt(results, series):
    """Mean round trip (s) of the last second."""
    samples = trace(results, series, "rtt_s")
    return samples[samples["time_s"] > samples["time_s"].max() - 1]["value"].mean()


def both_85(results):
    """Average rates."""
    series = {"standard": "standard", **VEGAS}
    return Measured({name: rate(results, s)[0] / MBPS for name, s in series.items()}, 3)


def standard_rtt(results):
    """Round trip at the end."""
    return Measured.one(1e3 * _last_rtt(results, "standard"), 1)


def vegas_rtt(results):
    """Round trip at the end over the least one."""
    parts = {}
    for name, series in VEGAS.items():
        parts[name] = _last_rtt(results, series) / results.rows(series)["minrtt_s"].iloc[0]
    return Measured(parts, 2)


def vegas_shorter(results):
    """Round trip at the end over standard TCP's."""
    standard = _last_rtt(results, "standard")
    return Measured({n: _last_rtt(results, s) / standard for n, s in VEGAS.items()}, 3)


def window_grows(results):
    """Window at the end over that 1 s after slow start ended."""
    parts = {}
    for name, series in VEGAS.items():
        samples = windows(results, series)
        times, values = samples["time_s"].to_numpy(), samples["value"].to_numpy()
        where = cuts(samples)
        later = values[times >= times[where[0]] + 1] if len(where) else values[:0]
        if not len(later):
            raise MissingDataError("no run that lasts a second after slow start")
        parts[name] = values[-1] / later[0]
    return Measured(parts, 2)
