# SPDX-License-Identifier: GPL-2.0-only
"""Claims about losses on the reverse path; one function per claim."""

from lfn.average import averages, measured
from lfn.figures.vrp import each, failing


def _failing(results, series, least=0.0):
    """{network's loss: Average of the failing frames of a thousand}, from a loss on."""
    return {
        loss: failed
        for loss, failed in averages(failing(results, series), "--lossRate", "failing").items()
        if loss >= least
    }


def frames_arrive(results):
    """Failing frames of a thousand at every loss, of 1 kB and of 1 MB."""
    parts, frames = {}, []
    for series in ("small-frames", "big-frames"):
        rows = failing(results, series)
        for loss, failed in _failing(results, series).items():
            parts[f"{series}, {100 * loss:g} %"] = failed
        sent = int(rows["sent"].groupby(rows["--lossRate"]).sum().min())
        frames.append(f"{sent} {series.replace('-', ' ')}")
    return measured(parts, f"of {' and '.join(frames)} at each loss")


def max_rto_alone(results):
    """Failing frames of a thousand from 5 % on, doublings bounded by MaxRto alone."""
    failed = _failing(results, "small-frames-max-rto", 0.05)
    return measured({f"{100 * loss:g} %": one for loss, one in failed.items()})


def answers_cost_little(results):
    """Throughput with losses both ways over that with losses of data."""
    both, data = (
        each(results, series, "lossRate") for series in ("big-frames", "big-frames-one-way")
    )
    return measured({f"{100 * loss:g} %": both[loss] / data[loss] for loss in both if loss > 0})
