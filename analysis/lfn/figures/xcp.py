# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of XCP alongside TCP have in common: class rates in bins, counts, the queue law.

A class is all flows of XCP or all of TCP. Rates are goodput in bit/s; shares of the link count
headers. Bins are named by their beginning, in s.
"""

import numpy as np
import pandas as pd

from lfn.average import over_runs
from lfn.claims import Measured
from lfn.models import xcp as model
from lfn.results import MissingDataError, mean_interval, means
from lfn.style import BLACK, new_figure, plot_band, style

MBPS = 1e6
BIN = 10.0
"""Width of the report's bins, s."""
SETTLED = 60.0
"""All flows are there from this time on, s; the queue's mean begins here."""
PAYLOAD = 1000
"""User bytes of a packet."""
TCP_PACKET = PAYLOAD + 40
"""Bytes of a data packet of TCP, IP header included."""
XCP_PACKET = TCP_PACKET + 20
"""The same of XCP, with the congestion header."""
PPP = 2
"""Bytes of the link a packet."""
SRED_RANGES = {1: (1.0, 1.0), 2: (1.94, 2.08), 3: (2.87, 3.16), 10: (8.95, 11.1)}
"""True count: 5 and 95 % quantile of SRED's estimate of flows of equal rates, a = 0.001."""


def path(results, series, metric):
    """Samples of a metric of the path: columns run, time_s (an interval's end), value."""
    chosen = results.samples(series, metric, -1)
    if chosen.empty:
        raise MissingDataError(f"series {series} has no metric {metric}")
    return chosen[["run", "time_s", "value"]].reset_index(drop=True)


def binned(results, series, metric, width=BIN, how="mean"):
    """A metric of the path in bins: columns run, start, value."""
    return into_bins(path(results, series, metric), width, how)


def into_bins(table, width=BIN, how="mean"):
    """Samples as path() gives them in bins: columns run, start, value."""
    start = width * np.floor(table["time_s"] / width - 1e-6)
    return table.assign(start=start).groupby(["run", "start"])["value"].agg(how).reset_index()


def rate_of_link(results, series):
    """Rate of the bottleneck, bit/s."""
    return float(results.rows(series)["--bottleneckRate"].iloc[0])


def classes(results, series, width=BIN):
    """The classes in bins, with the columns

    run, start, xcp, tcp (bit/s), share, tcp_share, fair, xcp_link, tcp_link.

    ``share`` is XCP's of all goodput, ``tcp_share`` the rest, ``fair`` N / (N + M) of the flows
    that ran, the last two the shares of the link with headers.
    """
    table = binned(results, series, "xcp_rate_bps", width).rename(columns={"value": "xcp"})
    table["tcp"] = binned(results, series, "tcp_rate_bps", width)["value"]
    flows = [binned(results, series, f"{c}_flows_exact", width)["value"] for c in ("xcp", "tcp")]
    table["fair"] = flows[0] / (flows[0] + flows[1])
    table["share"] = table["xcp"] / (table["xcp"] + table["tcp"])
    table["tcp_share"] = 1.0 - table["share"]
    link = rate_of_link(results, series)
    table["xcp_link"] = table["xcp"] * (XCP_PACKET + PPP) / PAYLOAD / link
    table["tcp_link"] = table["tcp"] * (TCP_PACKET + PPP) / PAYLOAD / link
    return table


def over_bins(table, column):
    """Mean of a column of classes() or binned() over the runs, with its 95 % interval, by bin."""
    return means(table, "start", column)


def _window(table, begin, end):
    chosen = table[(table["start"] >= begin - 1e-6) & (table["start"] < end - 1e-6)]
    if chosen.empty:
        raise MissingDataError(f"no bins from {begin:g} s on")
    return chosen


def bins_measured(table, column, begin, end=np.inf):
    """A Measured with a part for each bin that begins in [begin, end), mean of the runs."""
    bins = _window(table, begin, end).groupby("start")[column]
    return over_runs({f"{start:g} s": found for start, found in bins}, table["run"].nunique())


def shares(results, series, begin, end=np.inf, who="xcp"):
    """Share of a class of all goodput in a window, by run: a Series."""
    sums = _window(classes(results, series), begin, end).groupby("run")[["xcp", "tcp"]].sum()
    return sums[who] / sums.sum(axis=1)


def both_shares(results, mechanism, begin, end, who="xcp"):
    """A Measured of shares() at both RTTs, all with or without a mechanism."""
    names = [f"{mechanism}-{rtt}" for rtt in (20, 100)]
    return over_runs({rtt_of(name): shares(results, name, begin, end, who) for name in names})


def in_runs(spans):
    """Range of the values of single runs in words, by part ("": of all); "" for single runs."""
    words = [
        f"{name}: {min(values):.3g} to {max(values):.3g}".removeprefix(": ")
        for name, values in spans.items()
        if len(values) > 1
    ]
    return "In single runs " + "; ".join(words) if words else ""


def measured_share(results, series, begin, end=np.inf, who="xcp"):
    """A Measured of shares(); its note reports the range of the runs."""
    values = shares(results, series, begin, end, who)
    return over_runs(values, note=in_runs({"": values}))


def share_differences(results, pairs):
    """XCP's share since SETTLED in one series less that in another, paired by run.

    ``pairs`` is {part: (series, other series)}. A Measured; its note reports the range of the runs.
    """
    both = {
        name: (shares(results, ours, SETTLED) - shares(results, theirs, SETTLED)).dropna()
        for name, (ours, theirs) in pairs.items()
    }
    return over_runs(both, 2 * sum(map(len, both.values())), in_runs(both))


def sred_enough(results):
    """Share with SRED (series on-20 and on-100) minus that with the true count (exact-...)."""
    pairs = {f"{rtt} ms": (f"on-{rtt}", f"exact-{rtt}") for rtt in (20, 100)}
    return share_differences(results, pairs)


def measured_bins(results, series, column, begin, end=np.inf):
    """bins_measured() of a column of classes(); its note reports the range of single runs."""
    table = classes(results, series)
    found = bins_measured(table, column, begin, end)
    if found.runs > 1:
        found.note = in_runs({"": _window(table, begin, end)[column]})
    return found


def outside_sred_range(true, count):
    """How far a count lies outside SRED's 90 % range, over the true one; negative inside."""
    low, high = SRED_RANGES[true]
    return max(low - count, count - high) / true


def sred_excess(results, series):
    """outside_sred_range() of SRED's counts since SETTLED, mean of the runs.

    Measured, a part per series and class; the notes have the mean counts.
    """
    parts, errors, notes, runs = {}, {}, [], 0
    for name in series:
        for who in ("xcp", "tcp"):
            found = {}
            for kind in ("estimated", "exact"):
                table = path(results, name, f"{who}_flows_{kind}")
                table = table[table["time_s"] > SETTLED]
                if table.empty:
                    raise MissingDataError(f"no {SETTLED:g} s of series {name}")
                found[kind] = table.groupby("run")["value"].mean()
            true = round(found["exact"].mean())
            count, half = mean_interval(found["estimated"])
            label = f"{name}, {true} {who.upper()}"
            parts[label], errors[label] = outside_sred_range(true, count), half / true
            notes.append(f"{label}: {count:.3g}")
        runs += results.runs(name)
    return Measured(parts, runs, errors, "Mean counts: " + "; ".join(notes))


def queue_law(results, series):
    """The queue of each run compared with the law: run, rtt, e2e_share, queue, law (B), ratio.

    ``e2e_share`` is TCP's share of goodput with headers. The law's capacity is that
    which the routers have: the link's without PPP's bytes.
    """
    rows = results.rows(series)
    found = []
    for run, group in rows.groupby("run"):
        xcp = group.loc[group["protocol"] == "xcp", "window_goodput_bps"].sum() * XCP_PACKET
        tcp = group.loc[group["protocol"] == "tcp", "window_goodput_bps"].sum() * TCP_PACKET
        s = tcp / (xcp + tcp)
        packet = s * TCP_PACKET + (1.0 - s) * XCP_PACKET
        rate = rate_of_link(results, series) * packet / (packet + PPP)
        rtt = float(group["--rtt"].iloc[0])
        law = float(model.standing_queue(s, rate, rtt))
        queue = float(group["mean_queue_bytes"].iloc[0])
        found.append((run, rtt, s, queue, law, queue / law))
    return pd.DataFrame(found, columns=["run", "rtt", "e2e_share", "queue", "law", "ratio"])


def rtt_of(series):
    """RTT of a series named as "on-20", in words."""
    return f"{series.rsplit('-', 1)[1]} ms"


# Single flows.


def flow_samples(results, series):
    """Goodput of the flows in a series' first run: flow, time_s (an interval's end), value."""
    table = results.samples(series, "goodput_bps", run=1)
    return table.loc[table["flow"] >= 0, ["flow", "time_s", "value"]].reset_index(drop=True)


def flow_rates(results, series, begin, end):
    """Mean goodput of each flow between two times that are ends of intervals: a Series by flow."""
    table = flow_samples(results, series)
    table = table[(table["time_s"] > begin + 1e-6) & (table["time_s"] <= end + 1e-6)]
    if table.empty:
        raise MissingDataError(f"no {end:g} s of series {series}")
    return table.groupby("flow")["value"].mean()


# Drawing.


def class_panels(rows=2, columns=2):
    """Return (figure, axes[row, column]): RTTs side by side; Mb/s above, shares below."""
    heights = [1.0, 1.0, 0.7][:rows]
    figure, axes = new_figure(
        4.6 * columns,
        2.6 * sum(heights) + 0.6,
        nrows=rows,
        ncols=columns,
        sharex=True,
        gridspec_kw={"height_ratios": heights},
    )
    return figure, np.reshape(axes, (rows, columns))


def on_link(who):
    """The share of a full link, with headers, of a class that has a share of the goodput."""
    sizes = (XCP_PACKET + PPP, TCP_PACKET + PPP)
    own, other = sizes if who == "xcp" else sizes[::-1]
    return lambda share: share * own / (share * own + (1.0 - share) * other)


def class_legend(figure):
    """One legend below for all panels: the same line is named once."""
    shown = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    figure.legend(
        shown.values(), shown.keys(), loc="outside lower center", ncols=min(len(shown), 4)
    )


def _centres(table):
    return table["start"] + BIN / 2


def draw_classes(column, results, series, control=None, control_class="xcp", word="no mechanism"):
    """Draw the classes of a series into a column of axes, and one class of a control in grey.

    The first axes, for the goodput, may be None. Returns the plotted tables.
    """
    tables = []
    lines = [(series, who, who, None) for who in ("xcp", "tcp")]
    if control:
        look = "control" if control_class == "xcp" else "control-tcp"
        lines.insert(0, (control, control_class, look, f"{control_class.upper()}, {word}"))
    for name, who, look, label in lines:
        found = classes(results, name)
        for axes, value, scale in ((column[0], who, MBPS), (column[1], f"{who}_link", 1.0)):
            table = over_bins(found, value)
            scaled = table.assign(**{c: table[c] / scale for c in ("mean", "low", "high")})
            if axes is not None:
                plot_band(axes, _centres(table), scaled, look, label)
            tables.append(table.assign(series=name, quantity=value))
    draw_fair_share(column[1], results, series)
    column[1].set_ylabel("share of the link,\nwith headers")
    if column[0] is not None:
        column[0].set(title=f"RTT {rtt_of(series)}", ylabel="goodput (Mb/s)")
        column[0].set_ylim(bottom=0)
    column[1].set_ylim(0, 1.08)
    column[-1].set_xlabel("time (s)")
    column[-1].set_xlim(left=0)
    return tables


def draw_fair_share(axes, results, series):
    """Draw XCP's fair share of the link, of the flows that run, dashed."""
    table = means(classes(results, series, 1.0), "start", "fair")
    axes.plot(
        table["start"],
        table["mean"],
        color=BLACK,
        linestyle=(0, (5, 4)),
        linewidth=1.2,
        drawstyle="steps-post",
        label="XCP's fair share",
    )


def draw_probability(axes, results, series):
    """Draw the drop probability, mean of the runs that apply one, over time; returns the table."""
    found = path(results, series, "drop_probability")
    table = means(found[found["value"] > 0.0], "time_s", "value")
    applied = table.set_index("time_s")["mean"].reindex(found["time_s"].unique())
    axes.plot(applied, **style("loss", "drop probability", linestyle="-", marker="."))
    axes.axhline(
        model.LEAST_PROBABILITY, color=BLACK, linestyle=(0, (1, 1)), linewidth=1.2, label="floor"
    )
    axes.set(yscale="log", ylim=(3e-5, max(3e-3, 1.5 * table["mean"].max())))
    axes.set(ylabel="drop probability\napplied", xlabel="time (s)")
    return table.assign(series=series, quantity="drop probability")
