# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of atou on difficult paths have in common."""

import numpy as np
import pandas as pd

from lfn.average import Average
from lfn.figures.atou import option, options
from lfn.models.atou import PPP, ack_clock
from lfn.results import MissingDataError, mean_interval, means
from lfn.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, style

MBPS = 1e6
RTT_80 = 0.08
"""RTT of the paths of 80 ms, s."""

# Lines of one kind of figure: all are atou, so what differs is named.
LOOKS = (
    {"color": GREY, "marker": "x", "linestyle": (0, (6, 2))},
    {"color": GREEN, "marker": "^", "linestyle": "-"},
    {"color": BLUE, "marker": "o", "linestyle": (0, (4, 1, 1, 1))},
    {"color": ORANGE, "marker": "s", "linestyle": (0, (3, 1))},
    {"color": PURPLE, "marker": "D", "linestyle": (0, (1, 1))},
    {"color": RED, "marker": "v", "linestyle": (0, (8, 1, 2, 1))},
    {"color": SKY, "marker": "P", "linestyle": "-"},
)


def look(index, label, lines=False):
    """Arguments of Axes.plot for the series number ``index``; ``lines`` leaves out markers."""
    marks = LOOKS[index]
    colour = marks["color"]
    face = colour if marks["marker"] == "x" else "white"
    changes = {**marks, "markerfacecolor": face}
    if lines:
        changes["marker"] = None
    return style("atou", label, **changes)


def is_random(rows):
    """Whether another RngRun would change transfers without random losses: their ACKs are delayed.

    Heartbeats of atou's server begin at random; ns-3's TCP and ns's sink delay from an arrival.
    """
    delay = rows.get("--ackDelay", pd.Series(0.0, rows.index)).fillna(0.0).astype(float)
    rule = rows.get("--ackDelayRule", pd.Series("", rows.index))
    other = rows.get("--protocol", pd.Series("", rows.index))
    return bool(((delay > 0) & (rule != "ns-sink") & (other != "tcp")).any())


def with_rate(rows):
    """Rows with column rate: user bytes delivered over the simulated duration, bit/s."""
    return rows.assign(rate=8.0 * rows["delivered_bytes"] / rows["--duration"])


def rate(results, series, **flags):
    """(mean rate in bit/s, half width of its 95 % interval, runs) of the flows taken together."""
    rows = with_rate(results.rows(series, **flags))
    totals = rows.groupby(["point", "run"])["rate"].sum()
    return (*mean_interval(totals), len(totals))


def over_option(results, series, keyword, value="rate"):
    """Mean of a column over an option: columns x, mean, low, high, runs."""
    rows = with_rate(results.rows(series))
    return means(rows.assign(x=option(rows, keyword)), "x", value)


def trace(results, series, metric, flow=0, run=1, **flags):
    """Samples of a metric in one run of a series' point: columns time_s and value."""
    rows = results.rows(series, **flags)
    if rows["point"].nunique() != 1:
        raise MissingDataError(f"series {series} has {rows['point'].nunique()} points, not one")
    table = results.samples(series, metric, flow, run, **flags)
    return table.sort_values("time_s", kind="stable")[["time_s", "value"]]


def total(results, series, metric, **flags):
    """Like trace(), summed over the flows."""
    count = int(results.rows(series, **flags)["flow"].max()) + 1
    parts = [trace(results, series, metric, flow, **flags) for flow in range(count)]
    values = np.sum([part["value"].to_numpy() for part in parts], axis=0)
    return parts[0].assign(value=values)


def average_until(samples, time):
    """Mean of samples of equal length up to a time."""
    return samples[samples["time_s"] <= time + 1e-9]["value"].mean()


def running_average(samples):
    """Mean of everything up to each sample."""
    return samples["value"].expanding().mean()


def windows(results, series, mss=1472, run=1, **flags):
    """The congestion window over time, segments."""
    samples = trace(results, series, "cwnd_bytes", run=run, **flags)
    return samples.assign(value=samples["value"] / mss)


def cuts(samples):
    """Positions at which a window fell below 95 % of the sample before."""
    values = samples["value"].to_numpy()
    return np.flatnonzero(values[1:] < 0.95 * values[:-1]) + 1


def recovery_time(samples):
    """Time (s) from the last cut of a window until it is what it was; infinite if it never is."""
    where = cuts(samples)
    if len(where) == 0:
        return float("nan")
    times, values = samples["time_s"].to_numpy(), samples["value"].to_numpy()
    back = np.flatnonzero(values[where[-1] :] >= 0.999 * values[where[-1] - 1])
    return times[where[-1] + back[0]] - times[where[-1]] if len(back) else float("inf")


def mean_of_cycles(samples, cycles=3):
    """Mean of a window over its last whole cycles from cut to cut."""
    where = cuts(samples)
    if len(where) <= cycles:
        return float("nan")
    return samples["value"].to_numpy()[where[-1 - cycles] : where[-1]].mean()


def drop_period(text):
    """Segments between the losses of a droplist of equal distances."""
    first, second = options(text)["droplist"].split()[:2]
    return int(second) - int(first)


def recoveries(results, series):
    """{window: RTTs until it is back, without that of the recovery} of a series."""
    found = {}
    for text in results.rows(series)["--options"]:
        time = recovery_time(windows(results, series, options=text))
        found[int(options(text)["rcvrwin"])] = time / RTT_80 - 1
    return found


def responses(results):
    """{loss probability: mean window} of HighSpeed TCP under losses at equal distances."""
    return {
        1 / drop_period(text): mean_of_cycles(windows(results, "response", options=text))
        for text in results.rows("response")["--options"]
    }


def limited(results):
    """{window: RTTs of limited slow start to it}."""
    rows = results.rows("limited")
    return dict(zip(option(rows, "rcvrwin"), rows["full_window_s"] / RTT_80, strict=True))


def lost_share(results, series, begin=2.0):
    """Share of the rate before a loss that is missing after it."""
    samples = total(results, series, "goodput_bps")
    before = samples[(samples["time_s"] > begin - 0.5) & (samples["time_s"] <= begin)]
    after = samples[samples["time_s"] > begin]
    return 1 - after["value"].mean() / before["value"].mean()


def link_share(results, series, queue):
    """Average share of the link's capacity for user bytes that a series' flow gets at a queue."""
    rows = with_rate(results.rows(series, queue=queue))
    user = int(options(rows["--options"].iloc[0])["mss"]) - 12
    frame = user + 40 + PPP  # the headers of TCP and of atou over UDP are equally long
    return Average.of(rows, rows["rate"] * frame / user / rows["--linkRate"], is_random(rows))


def over_queue(results, series):
    """Columns queue (packets) and share of a series."""
    queues = sorted(results.rows(series)["--queue"].unique())
    return pd.DataFrame(
        {"queue": queues, "share": [link_share(results, series, q).value for q in queues]}
    )


USER = 1460
"""User bytes of a segment."""
# IP bytes of an acknowledgement and the segments that it acknowledges
ACKS = {"padded": (68, 1), "trimmed": (44, 1), "delayed": (44, 2), "tcp": (40, 2)}


def ack_ceiling(series, ack_rate, link_rate):
    """Most user bytes per second (bit/s) that ACKs over a reverse path and a link allow."""
    size, segments = ACKS[series]
    link = link_rate * USER / (USER + 40 + PPP)
    return np.minimum(ack_clock(ack_rate, size, USER, segments), link)


def steady_rate(results, series, **flags):
    """Average goodput (bit/s) in the second half of the runs, when queues have formed."""
    rows = results.rows(series, **flags)
    found = []
    for run in rows["run"]:
        samples = trace(results, series, "goodput_bps", run=run, **flags)
        found.append(samples[samples["time_s"] > samples["time_s"].max() / 2]["value"].mean())
    return Average.of(rows, found, is_random(rows))
