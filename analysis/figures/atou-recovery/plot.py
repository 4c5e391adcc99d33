# SPDX-License-Identifier: GPL-2.0-only
"""Time-sequence plots of two recoveries, and the page's lines above ours."""

from lfn.figures.atou import events, trace
from lfn.figures.published import band, level, note, tag
from lfn.style import BLACK, BLUE, GREY, RED, new_figure

PANELS = (
    ("newreno", 2210, 2200, 2400, "NewReno, six losses: one gap per RTT"),
    ("sack", 7149, 7140, 7360, "SACK and rampdown, four losses: one RTT"),
)
FIELDS = ("pkt", "nxt", "max", "cwnd", "thresh", "recover", "una")
KINDS = ("3duprxmit", "packrxmit")


def _page(results, excerpt):
    text = []
    for _, line in results.printed(excerpt).groupby("x", sort=True):
        fields = dict(zip(line["series"], line["value"], strict=True))
        kind = next(name for name in fields if name in KINDS)
        text.append({"kind": kind, "pkt": fields[kind], **fields})
    return text


def _line(event):
    time = f"{event['time']:.2f}" if "time" in event else "    "
    fields = " ".join(f"{event[name]:>6.0f}" if name in event else 6 * " " for name in FIELDS)
    return f"{event['kind']:<9} {time} {fields}"


def _texts(results, series, first):
    ours = events(results.text(series, "client.events"))
    begin = next(i for i, event in enumerate(ours) if event.get("pkt") == first)
    chosen = []
    for event in ours[begin:]:
        if event["kind"] not in KINDS:
            break
        chosen.append(event)
    head = f"{'':<9} {'time':<4} " + " ".join(f"{name:>6}" for name in FIELDS)
    lines = ["printed on the page", head, *map(_line, _page(results, series))]
    return "\n".join([*lines, "", "here", head, *map(_line, chosen)]), chosen[0]["time"]


def _draw_paper(axes, results, series, begin):
    """How long the recovery takes on the page, from the third duplicate ACK on."""

    def trips(count):
        return begin + 0.095 * count

    name = f"{series}-duration"
    low, top = axes.get_ylim()
    high = low + (0.62 if series == "newreno" else 0.45) * (top - low)
    words = "paper: {}" if results.claims[name].band == "paper" else "paper: {}; hatched: accepted"
    band(axes, results, name, lambda time: begin + time, along="x")
    place = {"transform": axes.transData, "ha": "right", "va": "center", "fontsize": 9}
    note(axes, results, name, begin + 0.99 * results.claims[name].low, high, words, **place)
    if series == "newreno":
        words = "paper: {} RTTs"
        level(axes, results, "newreno-rtts", 0, trips, "x")
        note(axes, results, "newreno-rtts", 0.3, 0.02, words, fontsize=9)
        words = "paper: {} gap per RTT"
        note(axes, results, "one-gap-per-rtt", 0.3, 0.36, words, fontsize=9)
    else:
        over = low, low + 0.08 * (top - low)
        name, words = "sack-retransmits-at-once", "paper: all again in {} RTT"
        band(axes, results, name, trips, over, "x")
        place = {**place, "ha": "center", "va": "bottom"}
        note(axes, results, name, begin + 0.04, over[1] + 0.05 * (top - low), words, **place)


def draw(results):
    figure, axes = new_figure(9.4, 7.4, nrows=2, ncols=2, width_ratios=[1, 1.1])
    tables = []
    for (series, first, low, high, title), (panel, side) in zip(PANELS, axes, strict=True):
        sent, acks = trace(results.text(series, "client.trace"))
        text, begin = _texts(results, series, first)
        span = 0.72 if series == "newreno" else 0.26
        kept = []
        for table in (sent, acks):
            inside = (table["time_s"] > begin - 0.12) & (table["time_s"] < begin + span)
            inside &= (table["segment"] >= low) & (table["segment"] <= high)
            kept.append(table[inside])
        again = sent[sent.duplicated("segment")]
        again = again[again.index.isin(kept[0].index)]
        new = kept[0][~kept[0].index.isin(again.index)]
        panel.plot(new["time_s"], new["segment"], ".", color=BLUE, ms=4, label="sent")
        panel.plot(
            again["time_s"],
            again["segment"],
            "s",
            color=RED,
            mfc="white",
            ms=7,
            label="retransmitted",
        )
        panel.step(
            kept[1]["time_s"], kept[1]["segment"], where="post", color=GREY, lw=1.4, label="ACK"
        )
        panel.axvline(begin, color=BLACK, lw=1.0, ls="--", label="third duplicate ACK")
        panel.set_title(title, fontsize=10.5)
        panel.set(xlabel="time (s)", ylabel="segment")
        side.axis("off")
        look = {"family": "monospace", "fontsize": 9.3, "va": "top", "transform": side.transAxes}
        tag(side.text(0, 1, text, **look), results, f"{series}-lines")
        _draw_paper(panel, results, series, begin)
        tables += [new.assign(kind="sent"), again.assign(kind="again"), kept[1].assign(kind="ack")]
        tables[-3:] = [table.assign(series=series) for table in tables[-3:]]
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(
        "Time-sequence plots of two recoveries, and the events as the program writes them"
    )
    return figure, tables
