# SPDX-License-Identifier: GPL-2.0-only
"""What the JRM figures have in common."""

import math

import numpy as np
import pandas as pd

from lfn.average import Average, averages, by_run
from lfn.claims import Measured
from lfn.figures.published import band, note, stars
from lfn.models import jrm as model
from lfn.results import MissingDataError, means
from lfn.style import GREEN, new_figure, style
from lfn.units import percent

RATE = model.MESSAGE_RATE
"""Messages per second, of the paper's sender."""
ATTEMPTS = 10
"""Requests after which a message is given up, unless a figure says otherwise."""
PAPER_MESSAGES = 1000
"""Messages of one experiment of the paper (section 4)."""
PACKET_BYTES = 1024 + 20 + 8 + 20 + 2
"""A packet of 1 KB on the wire: JRM, UDP, IP and PPP headers."""
NACK_BYTES = 6 + 20 + 8 + 20 + 2
"""A request for two packets on the wire: the list, JRM, UDP, IP and PPP headers."""
HIGH = 0.3
"""The error rate of the paper's printed numbers."""
FINE = np.linspace(0.0, 0.3, 61)
"""Error rates at which laws are drawn."""


def losses(results, series, flag="errorRate"):
    """Return the error rates that were run, ascending."""
    return sorted(results.rows(series)[f"--{flag}"].unique())


def over_rate(results, series, value, flag="errorRate"):
    """Mean over the error rate of what ``value`` makes of the rows: loss, mean, low, high, runs."""
    rows = results.rows(series)
    rows = rows.assign(value=value(rows))
    return means(rows, f"--{flag}", "value").rename(columns={f"--{flag}": "loss"})


def each_rate(results, series, value, flag="errorRate"):
    """{error rate: Average of what ``value`` makes of the rows}, ascending."""
    rows = results.rows(series)
    return averages(rows.assign(value=value(rows)), f"--{flag}", "value")


def _a_second(rows):
    return RATE * rows["transmissions_per_message"]


def transmissions(results, series, flag="errorRate"):
    """Transmissions per second over the error rate, as over_rate()."""
    return over_rate(results, series, _a_second, flag)


def each_transmissions(results, series, flag="errorRate"):
    """Transmissions per second, as each_rate()."""
    return each_rate(results, series, _a_second, flag)


def law(loss, packets, nack_loss=None):
    """Transmissions per second by the exact law, with the simulations' retry cap."""
    expected = model.capped(float(loss), packets, ATTEMPTS, nack_loss)
    return RATE * (expected.data + expected.nacks)


def paper(loss, packets):
    """Transmissions per second by the paper's equation (7)."""
    return RATE * model.transmissions(float(loss), packets)


def misfit(results, series, packets, nack_loss=None):
    """Measured transmissions minus the exact law in standard errors, by error rate.

    Their unit is the law's own error, so that they have no interval. Where nothing is random, at
    e = 0, any difference is infinite.
    """
    parts = {}
    for loss in losses(results, series):
        rows = results.rows(series, errorRate=loss)
        messages = rows["messages_sent"].sum()
        sends = rows[["msg_packets", "nack_requests", "nack_responses"]].to_numpy().sum()
        off = RATE * sends / messages - law(loss, packets, nack_loss)
        error = model.error_of_rate(loss, packets, messages, nack_loss, RATE)
        if error > 0.0:
            parts[percent(loss)] = off / error
        else:
            parts[percent(loss)] = 0.0 if abs(off) < 1e-9 else math.inf
    return Measured(parts, results.runs(series), basis="law")


def per_message(_, packets):
    """Equation (7) at HIGH."""
    return Measured.one(model.transmissions(HIGH, packets))


def per_second(_, packets):
    """The same, of 30 messages per second."""
    return Measured.one(paper(HIGH, packets))


def overhead_per_second(_, packets):
    """What (7) at HIGH has beyond the packets themselves, of 30 messages per second."""
    return Measured.one(paper(HIGH, packets) - RATE * packets)


def overhead_share(_, packets):
    """Overhead by (7) at HIGH in per cent of all transmissions."""
    return Measured.one(100 * model.overhead_share(model.transmissions(HIGH, packets), packets))


def over_paper(results, series, packets, chosen, flag="errorRate", overhead=False):
    """Measured transmissions over those of (7), {error rate: Average}, of the rates ``chosen``.

    ``overhead`` compares what exceeds the useful packets instead.
    """
    parts = {}
    useful = RATE * packets if overhead else 0.0
    found = each_transmissions(results, series, flag)
    for loss in chosen:
        if loss not in found:
            raise MissingDataError(f"no runs of series {series} at {flag}={loss:g}")
        parts[percent(loss)] = (found[loss] - useful) / (paper(loss, packets) - useful)
    return parts


def wire_load(loss, packets):
    """What leaves the hosts in a second: (datagrams, bits), discards being before the send."""
    data, nacks = model.datagrams_on_the_wire(loss, packets)
    bits = 8.0 * (data * PACKET_BYTES + nacks * NACK_BYTES)
    return RATE * (data + nacks), RATE * bits


def _share(rows):
    return rows["window_messages_complete"] / (RATE * rows["window_s"])


def share_complete(results, series):
    """Effective throughput over what was offered in the window, as over_rate()."""
    return over_rate(results, series, _share)


def each_share(results, series):
    """Effective throughput over what was offered in the window, as each_rate()."""
    return each_rate(results, series, _share)


def _whole(rows):
    return rows["messages_complete"] / rows["messages_sent"]


def each_whole(results, series, flag="errorRate"):
    """Messages complete over messages sent, one receiver, as each_rate()."""
    return each_rate(results, series, _whole, flag)


def a_message(results, series, column):
    """A column of summary.csv over the messages sent, all senders: a row per run.

    Columns: receivers, point, run, value.
    """
    rows = results.rows(series)
    runs = rows.groupby(["--receivers", "point", "run"])[[column, "messages_sent"]].sum()
    value = (runs[column] / runs["messages_sent"]).rename("value")
    return value.reset_index().rename(columns={"--receivers": "receivers"})


def over_receivers(results, series, column):
    """A column over the messages sent, for each number of receivers, as means()."""
    table = means(a_message(results, series, column), "receivers", "value")
    return table.astype({"receivers": int})


PARITY_SERIES = {
    "repeats": (0.05, 1, "jrm-aggregated"),
    "short": (0.05, 7, "jrm-parity-short"),
    "parity": (0.05, 20, "jrm-parity"),
    "repeats-one": (0.01, 1, "jrm-aggregated"),
    "parity-one": (0.01, 20, "jrm-parity"),
}
"""Series of jrm-parity: what every receiver loses, packets of a block or 1 for repeats, look."""


def a_packet(results, series):
    """Data sends over the packets of the messages: a row per run, as a_message()."""
    rows = results.rows(series)
    rows = rows.assign(value=1.0 + rows["nack_responses"] / rows["msg_packets"])
    return rows.rename(columns={"--receivers": "receivers"})[["receivers", "point", "run", "value"]]


def sends_law(loss, receivers, block):
    """Data sends a packet by the law of parities; of repeats for a ``block`` of 1."""
    if block == 1:
        return model.sends_to_receivers(loss, receivers)
    return model.sends_with_parity(loss, receivers, block)


def many_data_sends(results, series="many"):
    """Data sends a message of sessions in which all send: Average, and the receivers of each."""
    runs = a_message(results, series, "nack_responses")
    receivers = int(results.rows(series)["--senders"].iloc[0]) - 1
    return 1.0 + Average.of(runs, runs["value"]), receivers


def exponent(runs, least=1):
    """Average exponent of growth with the receivers, from ``least`` on; ``runs`` of a_message().

    A run's is the slope of the logarithms over all its numbers of receivers, by least squares.
    """
    runs = runs[runs["receivers"] >= least]
    if runs["receivers"].nunique() < 2:
        raise MissingDataError("fewer than two numbers of receivers")

    def slope(run):
        return np.polyfit(np.log(run["receivers"]), np.log(run["value"]), 1)[0]

    return by_run(runs, slope)


WIDE = 0.1
"""Part of a mean above which a 95 % interval is not drawn, but the runs themselves."""


def _draw_mean(axes, table, look):
    """Means over the error rate with their intervals; where these say nothing, the single runs.

    ``table`` has loss, mean, half, wide, and values, those of the runs.
    """
    bars = table["half"].where(~table["wide"], 0.0)
    axes.errorbar(100 * table["loss"], table["mean"], yerr=bars, capsize=2, **look)
    for _, row in table[table["wide"]].iterrows():
        places = [100 * row["loss"]] * len(row["values"])
        axes.plot(places, row["values"], ".", color=look["color"], ms=3)


def _each_run(results, series, value, flag, table):
    """``table`` of over_rate() with half, values and wide, for _draw_mean()."""
    rows = results.rows(series)
    runs = rows.assign(value=value(rows)).groupby(f"--{flag}")["value"].apply(list)
    half = table["high"] - table["mean"]
    values = runs.reindex(table["loss"]).to_list()
    return table.assign(half=half, values=values, wide=half > WIDE * table["mean"])


def _draw_paper(left, right, results, words):
    """What is printed: numbers next to the star, words as bands of the difference in per cent."""
    for place, (name, text) in enumerate(
        (("per-second", "paper: {} a second"), ("per-message", "{} a message"))
        + (("overhead-share", "{} of them overhead"),)
    ):
        note(left, results, name, 0.04, 0.93 - 0.06 * place, text, fontsize=9)
    for name, over in words:
        high = 100 * (results.claims[name].high - 1)
        at = (min(over[0], 12), high + 0.03 * np.ptp(right.get_ylim()))
        band(right, results, name, lambda v: 100 * (v - 1), over, text='paper: "{}"', at=at)


PAPER = ("lost", "safe")
"""Series as the paper has them; the others are variants."""


def _finish_variants(figure, first, differences, complete, exact):
    """Label the lower row of a figure with variants, and draw the exact law into it."""
    differences.plot(100 * FINE, exact, **style("exact"))
    differences.set_yscale("symlog", linthresh=10, linscale=2)
    differences.set_yticks([-10, -5, 0, 5, 10, 30, 100])
    differences.yaxis.set_major_formatter("{x:g}")
    differences.minorticks_off()
    differences.set_ylabel("difference from equation (7) (%)")
    differences.set_title("variants: transmissions", fontsize=10.5)
    complete.set_ylabel("messages complete (%)")
    complete.set_title("variants: complete messages", fontsize=10.5)
    first.legend(loc="lower right")
    lines, labels = complete.get_legend_handles_labels()
    figure.legend(lines, labels, loc="outside lower center", ncols=2)


def draw_transmissions(results, packets, shown, printed, limits, words, complete=False):
    """Figures 1 and 2: (figure, plotted numbers), transmissions and differences from (7).

    ``shown`` lists (series, style, flag of the error rate); ``printed`` is the quantity of
    published.csv, ``limits`` those of the second plot in per cent, ``words`` its claims and the
    error rates that they are about, in per cent. ``complete`` adds a row: the series but PAPER have
    their differences there, and the messages that arrive whole in the same runs.
    """
    rows = 2 if complete else 1
    figure, panels = new_figure(9.2, 4.4 * rows + 0.6, nrows=rows, ncols=2, squeeze=False)
    left, right = panels[0]
    lower, *third = panels[1] if complete else (right,)
    predicted = np.array([paper(loss, packets) for loss in FINE])
    lines = [
        ("model", predicted),
        ("exact", np.array([law(loss, packets) for loss in FINE])),
        ("exact-safe", np.array([law(loss, packets, 0.0) for loss in FINE])),
    ]
    tables = []
    for key, line in lines:
        label = "equation (7)" if key == "model" else None
        left.plot(100 * FINE, line, **style(key, label))
        right.plot(100 * FINE, 100 * (line / predicted - 1), **style(key, label))
        tables.append(pd.DataFrame({"series": key, "loss": FINE, "mean": line}))
    noise = [model.error_of_rate(loss, packets, PAPER_MESSAGES, None, RATE) for loss in FINE]
    noise = 100 * np.array(noise) / predicted
    exact = 100 * (lines[1][1] / predicted - 1)
    label = "exact law, standard error of 1000 messages"
    right.fill_between(
        100 * FINE, exact - noise, exact + noise, color=GREEN, alpha=0.15, lw=0, label=label
    )
    for series, key, flag in shown:
        table = transmissions(results, series, flag)
        found = _each_run(results, series, _a_second, flag, table)
        is_variant = complete and series not in PAPER
        if not is_variant:
            _draw_mean(left, found, style(key))
        base = np.array([paper(loss, packets) for loss in table["loss"]])
        off = found.assign(
            mean=100 * (found["mean"] / base - 1),
            half=100 * found["half"] / base,
            values=[
                [100 * (v / b - 1) for v in vs] for vs, b in zip(found["values"], base, strict=True)
            ],
        )
        _draw_mean(lower if is_variant else right, off, style(key))
        tables.append(table.assign(series=series))
        for axes in third:
            share = over_rate(results, series, _whole, flag)
            found = _each_run(results, series, _whole, flag, share)
            found["values"] = [[100 * v for v in values] for values in found["values"]]
            found[["mean", "half"]] *= 100
            if is_variant:
                _draw_mean(axes, found, style(key))
            tables.append(share.assign(series=f"{series}, complete"))
    stars(left, results, printed, "per-second")
    top = 1.08 * predicted[-1]
    left.set(ylim=(0.9 * RATE * packets, top), ylabel="transmissions per second")
    right.set_ylim(*limits)
    right.set_ylabel("difference from equation (7) (%)")
    _draw_paper(left, right, results, words)
    for axes in panels.flat:
        axes.set_xlabel("error rate (%)")
    if complete:
        _finish_variants(figure, left, lower, *third, exact)
        return figure, pd.concat(tables, ignore_index=True)
    lines, labels = right.get_legend_handles_labels()
    star, printed_label = left.get_legend_handles_labels()
    where = printed_label.index(style("published")["label"])
    figure.legend(
        [star[where], *lines],
        [printed_label[where], *labels],
        loc="outside lower center",
        ncols=3,
    )
    return figure, pd.concat(tables, ignore_index=True)
