# SPDX-License-Identifier: GPL-2.0-only
"""Message sequence chart of one transfer, time running down."""

import pandas as pd

from lfn.style import BLUE, ORANGE, PURPLE, RED, new_figure

LOOKS = {
    "size": ("announced size", "#BBBBBB", 5.0, "-"),
    "data": ("data datagram", BLUE, 0.9, "-"),
    "done": ("DONE", ORANGE, 1.8, (0, (5, 1.5))),
    "ack": ("bitmap", PURPLE, 1.8, (0, (4, 1.5, 1, 1.5))),
}
"""Label, colour, width and line by message."""
KEY = ["message", "round", "sequence"]


def _pair(messages):
    """Return one row per sent message, with its arrival time or none (rx_s)."""
    sent = messages[messages["event"] == "tx"]
    arrived = messages[messages["event"] == "rx"][[*KEY, "time_s"]]
    arrived = arrived.rename(columns={"time_s": "rx_s"}).drop_duplicates(KEY)
    return sent.merge(arrived, on=KEY, how="left").sort_values("time_s", kind="stable")


def _arrow(axes, row, lost_after):
    label, colour, width, line = LOOKS[row["message"]]
    start, end = (0.0, 1.0) if row["node"] == "sender" else (1.0, 0.0)
    lost = pd.isna(row["rx_s"])
    stop = start + (end - start) * 0.72 if lost else end
    arrival = row["time_s"] + lost_after * 0.72 if lost else row["rx_s"]
    axes.annotate(
        "",
        (stop, 1e3 * arrival),
        (start, 1e3 * row["time_s"]),
        arrowprops={
            "arrowstyle": "-" if lost else "-|>",
            "color": RED if lost else colour,
            "linewidth": width,
            "linestyle": line,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 8,
        },
    )
    if lost:
        axes.plot([stop], [1e3 * arrival], marker="x", color=RED, markersize=7, linestyle="none")
    return label, {"color": colour, "linewidth": width, "linestyle": line}


def draw(results):
    """Return (figure, every message with its arrival)."""
    messages = results.extra("three-lost", "messages")
    delay = float(results.rows("three-lost")["--rtt"].iloc[0]) / 2.0
    table = _pair(messages[messages["message"].isin(LOOKS)])
    begin = table.loc[table["message"] == "data", "time_s"].min()
    table[["time_s", "rx_s"]] -= begin
    figure, axes = new_figure(6.4, 7.4)
    figure.suptitle("An RBUDP transfer that loses three datagrams")
    shown = {}
    for _, row in table.iterrows():
        label, look = _arrow(axes, row, delay)
        shown[label] = axes.plot([], [], label=label, **look)[0]
    lost = table["rx_s"].isna().any()
    handles = list(shown.values())
    if lost:
        handles += axes.plot([], [], color=RED, marker="x", linewidth=0.9, label="lost datagram")
    for x, name in ((0.0, "sender"), (1.0, "receiver")):
        axes.axvline(x, color="black", linewidth=1.4)
        axes.text(x, 1.01, name, transform=axes.get_xaxis_transform(), ha="center", va="bottom")
    blast = table[(table["message"] == "data") & (table["round"] == table["round"].min())]
    done = table[table["message"] == "done"].iloc[0]
    answer = table[table["message"] == "ack"].iloc[0]
    gap = max(8.0, 1e3 * (done["time_s"] - blast["time_s"].max()))
    for time, x, shift, text in (
        (blast["time_s"].min(), -0.03, 0.0, "A"),
        (blast["time_s"].max(), -0.03, -gap / 2, "B"),
        (done["time_s"], -0.03, gap / 2, "C"),
        (answer["time_s"], 1.03, 0.0, "D"),
    ):
        side = "right" if x < 0 else "left"
        axes.text(x, 1e3 * time + shift, text, ha=side, va="center", fontweight="bold")
    again = table[(table["message"] == "data") & (table["round"] > table["round"].min())]
    if len(again):
        numbers = ", ".join(str(value) for value in again["sequence"])
        look = {"ha": "right", "va": "center", "fontsize": 9}
        axes.text(-0.03, 1e3 * again["time_s"].mean(), f"again,\nfrom 0:\n{numbers}", **look)
    axes.set(xlim=(-0.22, 1.12), ylim=(1e3 * table[["time_s", "rx_s"]].max().max() + 15, -15))
    axes.set_xticks([])
    axes.grid(axis="x", visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_ylabel("time (ms)")
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=3)
    return figure, table
