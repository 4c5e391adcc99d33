# SPDX-License-Identifier: GPL-2.0-only
"""Message sequence charts of one frame, without and with anticipation, time running down."""

from textwrap import fill

from lfn.figures.published import note
from lfn.figures.vrp import second_frame
from lfn.style import BLUE, GREEN, GREY, ORANGE, RED, new_figure

# colour, line and width of an arrow, and its name
LOOKS = {
    "data": (BLUE, "-", 1.1),
    "again": (ORANGE, (0, (6, 2)), 1.1),
    "lost": (RED, (0, (1, 1)), 1.4),
    "nack": (GREEN, (0, (6, 1, 1, 1)), 1.6),
    "other": (GREY, "-", 0.5),
}
NAMES = {
    "data": "data",
    "again": "data, again",
    "lost": "data, lost",
    "nack": "answer with a NACK",
    "other": "other answer",
}
CHARTS = (
    ("too-many", "Without anticipation: too many NACKs"),
    ("too-late", "Without anticipation: NACKs too late"),
    ("with", "With anticipation"),
)
SHORT = {"nack": "N", "single_ack": "S", "ack": "A"}


def _paired(frame):
    """Data packets sent, with when and whether they came: the n-th sending has the n-th fate."""
    data = frame[frame["message"] == "data"].copy()
    data["fate"] = data["event"] != "tx"
    data["nth"] = data.groupby(["fate", "sequence"]).cumcount()
    fates = data[data["fate"]][["sequence", "nth", "time_s", "event"]]
    fates = fates.rename(columns={"time_s": "end_s", "event": "end"})
    return data[~data["fate"]].merge(fates, on=["sequence", "nth"], how="left")


def _answers(frame):
    """Control packets of the receiver: when sent, when received, and their tags in short."""
    tags = frame[frame["message"].isin(SHORT)].copy()
    tags["nth"] = tags.groupby(["event", "message", "sequence"]).cumcount()
    sent = tags[(tags["node"] == "receiver") & (tags["event"] == "tx")]
    arrived = tags[(tags["node"] == "sender") & (tags["event"] == "rx")]
    arrived = arrived[["message", "sequence", "nth", "time_s"]].rename(columns={"time_s": "end_s"})
    both = sent.merge(arrived, on=["message", "sequence", "nth"], how="left")
    both["tag"] = both["message"].map(SHORT) + both["sequence"].astype(str)
    return (
        both.groupby("time_s")
        .agg(
            end_s=("end_s", "min"),
            tags=("tag", " ".join),
            nack=("message", lambda m: "nack" in set(m)),
        )
        .reset_index()
    )


def _look(kind):
    return dict(zip(("color", "linestyle", "linewidth"), LOOKS[kind], strict=True))


def _arrow(axes, start, end, look, lost):
    axes.annotate(
        "",
        end,
        start,
        arrowprops={
            "arrowstyle": "-" if lost else "-|>",
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 8,
            **look,
        },
    )


def _chart(axes, frame, title):
    data, answers = _paired(frame), _answers(frame)
    begin = data["time_s"].min()
    travel = (data["end_s"] - data["time_s"]).median()
    for _, row in data.iterrows():
        lost = row["end"] == "drop"
        kind = "lost" if lost else "again" if row["nth"] else "data"
        stop = row["time_s"] + travel * (0.72 if lost else 1.0)
        if row["end"] == "rx":  # the run ends before the last ones arrive
            stop = row["end_s"]
        start = (0.0, 1e3 * (row["time_s"] - begin))
        end = (0.72 if lost else 1.0, 1e3 * (stop - begin))
        _arrow(axes, start, end, _look(kind), lost)
        if lost:
            axes.plot(*end, marker="x", color=RED, markersize=6, linestyle="none")
    for side in (False, True):
        rows = data[(data["nth"] > 0) == side]
        for _, group in rows.groupby((rows["time_s"].diff() > 0.02).cumsum()):
            first, last = group["sequence"].iloc[0], group["sequence"].iloc[-1]
            packets = group["sequence"].tolist()
            text = ", ".join(map(str, packets))
            if packets == list(range(first, last + 1)) and len(packets) > 2:
                text = f"{first} to {last}"
            height = 1e3 * (group["time_s"].mean() - begin)
            marks = {"va": "center", "fontsize": 9}
            axes.text(-0.03, height, ("again\n" if side else "") + text, ha="right", **marks)
    shown = 0.0
    for _, row in answers.iterrows():
        start, end = 1e3 * (row["time_s"] - begin), 1e3 * (row["end_s"] - begin)
        look = _look("nack" if row["nack"] else "other")
        _arrow(axes, (1.0, start), (0.0, end), look, False)
        if row["nack"]:
            shown = max(start, shown + 14.0)
            tags = fill(row["tags"], 12)
            axes.text(1.03, shown, tags, ha="left", va="center", fontsize=9)
    for x, name in ((0.0, "sender"), (1.0, "receiver")):
        axes.axvline(x, color="black", linewidth=1.4)
        axes.text(x, 1.005, name, transform=axes.get_xaxis_transform(), ha="center", va="bottom")
    axes.set_title(title.replace(": ", ":\n"), pad=20)
    axes.set_xlim(-0.38, 1.5)
    axes.set_xticks([])
    axes.grid(axis="x", visible=False)
    axes.spines["bottom"].set_visible(False)
    ends = [data["end_s"].max(), answers["end_s"].max()]
    return 1e3 * (max(ends) - begin), data.assign(
        time_s=data["time_s"] - begin, end_s=data["end_s"] - begin
    )


def draw(results):
    """Return (figure, every data packet with its fate)."""
    figure, axes = new_figure(10.4, 7.8, ncols=3, sharey=True)
    tables, ends = [], []
    for chart, (series, title) in zip(axes, CHARTS, strict=True):
        end, table = _chart(chart, second_frame(results, series), title)
        ends.append(end)
        tables.append(table.assign(series=series))
    for chart, name, words in (
        (axes[0], "without-anticipation", "paper: again {}"),
        (axes[2], "demanded-at-once", "paper: {}"),
        (axes[2], "with-anticipation", "paper: again {}"),
    ):
        height = 0.07 if name == "demanded-at-once" else 0.01
        text = note(chart, results, name, 0.47, height, words, ha="center", fontsize=10)
        text.set_text(fill(text.get_text(), 28))
    axes[0].set(ylim=(max(ends) + 10, -10), ylabel="time since the frame's first data packet (ms)")
    ends = [axes[0].plot([], [], label=name, **_look(kind))[0] for kind, name in NAMES.items()]
    figure.legend(handles=ends, loc="outside lower center", ncols=5)
    figure.suptitle("One frame of VRP, without and with anticipation")
    return figure, tables
