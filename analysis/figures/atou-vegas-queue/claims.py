# SPDX-License-Identifier: GPL-2.0-only
"""Claims about queueing; one function per claim."""

from lfn.average import Average, measured
from lfn.figures.atou import over_runs
from lfn.figures.atou_paths import MBPS, cuts, trace, windows, with_rate
from lfn.results import MissingDataError

VEGAS = {"exit by an eighth": "vegas-eighth", "exit by delta": "vegas-delta"}


def _mean(rows, name, random=True):
    return Average.of(rows, rows[name], random)


def _at_end(samples):
    """Mean of the last second."""
    return samples[samples["time_s"] > samples["time_s"].max() - 1]["value"].mean()


def _last_rtt(results, series, random=True):
    """Average RTT (s) of the last second."""

    def measure(run):
        return _at_end(trace(results, series, "rtt_s", run=run))

    return over_runs(results, series, measure, random)


def both_85(results):
    """Average rates."""
    series = {"standard": "standard", **VEGAS}
    return measured(
        {name: _mean(with_rate(results.rows(s)), "rate") / MBPS for name, s in series.items()}
    )


def standard_rtt(results):
    """RTT at the end."""
    return measured(1e3 * _last_rtt(results, "standard"))


def vegas_rtt(results):
    """RTT at the end over the least one."""
    return measured(
        {
            name: _last_rtt(results, series) / _mean(results.rows(series), "minrtt_s")
            for name, series in VEGAS.items()
        }
    )


def vegas_rtt_undelayed(results):
    """The same without delayed ACKs, exit by delta: another RngRun changes nothing."""
    series = "vegas-delta-undelayed"
    at_end = _last_rtt(results, series, random=False)
    return measured(at_end / _mean(results.rows(series), "minrtt_s", random=False))


def vegas_shorter(results):
    """RTT at the end over standard TCP's."""
    standard = _last_rtt(results, "standard")
    return measured({n: _last_rtt(results, s) / standard for n, s in VEGAS.items()})


def _growth(samples):
    """Window at the end over that 1 s after slow start ended."""
    times, values = samples["time_s"].to_numpy(), samples["value"].to_numpy()
    where = cuts(samples)
    later = values[times >= times[where[0]] + 1] if len(where) else values[:0]
    if not len(later):
        raise MissingDataError("no run that lasts a second after slow start")
    return values[-1] / later[0]


def window_grows(results):
    """Mean of the runs' growths."""
    return measured(
        {
            name: over_runs(results, s, lambda run, s=s: _growth(windows(results, s, run=run)))
            for name, s in VEGAS.items()
        }
    )
