# SPDX-License-Identifier: GPL-2.0-only
"""What the figures about UDT's rate control share: looks, and times read from series.csv."""

from dataclasses import dataclass

import numpy as np

from lfn.average import Average, by_run
from lfn.models import udt as model
from lfn.results import MissingDataError
from lfn.style import BLACK, BLUE, GREEN, ORANGE, RED, style

MBPS = 1e6
GBPS = 1e9
SET_UP = 2.0
"""RTTs of the connection before the first packet."""

_LOOKS = ((BLUE, "o", "-"), (ORANGE, "s", (0, (5, 1))), (GREEN, "^", (0, (1, 1))))
_LOOKS += ((RED, "v", (0, (6, 1, 1, 1))), (BLACK, "D", (0, (3, 2))))


def look(index, label, lines=False, **changes):
    """Arguments of Axes.plot for curve number ``index`` of a figure; ``lines``: no markers."""
    colour, marker, line = _LOOKS[index]
    marks = {"color": colour, "marker": None if lines else marker, "linestyle": line}
    return style("udt", label, **{**marks, **changes})


def law_goodput(size, link, rtt, loss, window):
    """The fluid's goodput in bit/s from the application's start, over ``link`` bit/s."""
    packets = model.capacity(link)
    whole = 8.0 * size / model.goodput(size, packets, rtt, loss, window)
    return 8.0 * size / (whole + SET_UP * rtt)


def curve(results, series, metric, run=1, flow=0, **flags):
    """(times in s, values) of a metric of one run, as arrays."""
    table = results.samples(series, metric, flow, run, **flags).sort_values("time_s")
    if table.empty:
        raise MissingDataError(f"series {series} has no samples of {metric}")
    return table["time_s"].to_numpy(), table["value"].to_numpy()


def crossing(times, values, goal):
    """First time at which rising ``values`` reach ``goal``, interpolated; infinity if never."""
    above = np.flatnonzero(values >= goal)
    if not len(above):
        return np.inf
    k = above[0]
    if k == 0:
        return float(times[0])
    share = (goal - values[k - 1]) / (values[k] - values[k - 1])
    return float(times[k - 1] + share * (times[k] - times[k - 1]))


LOSS_SERIES = {"one-loss-100": 100 * MBPS, "one-loss-1000": GBPS}
"""Series with one lost packet, and the rate of their link."""


@dataclass(frozen=True)
class OneLoss:
    """What a NAK did: its time, the period in us before it, and when the period was back, s."""

    time: float
    before: float
    back: float


def one_loss_of(times, periods):
    """The OneLoss of a run, from its sampled period; MissingDataError if none is seen."""
    steps = np.flatnonzero(np.diff(periods) > 0.05 * periods[:-1])
    steps = [k for k in steps if periods[k] > 2]  # slow start has a period of 1 us
    if not steps:
        raise MissingDataError("no decrease is in the samples")
    k = steps[-1]
    back = crossing(times[k + 1 :], -periods[k + 1 :], -periods[k])
    return OneLoss(float(times[k + 1]), float(periods[k]), back)


def one_losses(results):
    """{link: Average of the time until the rate is back, over the rules'}."""
    found = {}
    there = set(results.table["series"])
    for series, link in LOSS_SERIES.items():
        if series not in there:
            continue
        rows = results.rows(series)

        def over_law(part, series=series, link=link):
            run = int(part["run"].iloc[0])
            loss = one_loss_of(*curve(results, series, "period_us", run))
            law = model.recovery(loss.before, model.capacity(link))
            return (loss.back - loss.time) / law

        found[f"{link / MBPS:g} Mb/s"] = by_run(rows, over_law)
    return found


def rise(results, link, run=1):
    """(times in s, sending rates in bit/s) from the end of slow start on, whose period is 1 us."""
    times, values = curve(results, "rise", "send_rate_bps", run, linkRate=link)
    after = values < 1.5 * link
    return times[after], values[after]


def rise_times(results):
    """{link in bit/s: Average of the time from a tenth to nine tenths of it in s}."""
    found = {}
    for link, rows in results.rows("rise").groupby("--linkRate"):
        whole = model.user_rate(model.capacity(link))

        def between(part, link=link, whole=whole):
            run = int(part["run"].iloc[0])
            times, values = rise(results, link, run)
            low, high = (crossing(times, values, share * whole) for share in (0.1, 0.9))
            return high - low

        found[link] = by_run(rows, between)
    return found


GRANULARITY = "ns3::lfn::UdtSource::PeriodGranularity"


def goodput_over_time(results, series, granularity, run=1):
    """(times in s, goodput in bit/s) of a run whose period is rounded up to ``granularity`` s."""
    return curve(results, series, "goodput_bps", run, **{GRANULARITY: granularity})


def ratio_of_goodputs(results, series):
    """Average of the bytes delivered with rounded periods over those with exact ones."""

    def delivered(granularity):
        rows = results.rows(series, **{GRANULARITY: granularity})
        return Average.of(rows, rows["delivered_bytes"])

    return delivered(1e-6) / delivered(0.0)


DELAYS = (2, 20, 30, 40, 50)
"""Delays of the five flows that share a link, in ms, by flow."""


def goodput_of_flow(results, series, flow):
    """Average of a flow's goodput in bit/s after the first fifth of a run."""
    samples = results.samples(series, "goodput_bps", flow)
    rows = results.rows(series)
    rows = rows[rows["flow"] == flow]
    end = samples["time_s"].max()
    late = samples[samples["time_s"] > 0.21 * end]
    means = late.groupby("run")["value"].mean()
    return Average.of(rows, [means[run] for run in rows["run"]])
