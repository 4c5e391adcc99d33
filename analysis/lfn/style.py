# SPDX-License-Identifier: GPL-2.0-only
"""How every figure looks: one label, colour, marker and line a transport and a series.

The colours are Okabe and Ito's, distinguished by colour-blind readers; no two series of one
figure differ by colour alone.
"""

import sys
from pathlib import Path

import matplotlib

if "ipykernel" not in sys.modules:  # a notebook shows its plots itself
    matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib import font_manager

from lfn.files import SHOWN

LOOK = Path(__file__).with_name("lfn.mplstyle")


def prefer_bundled_fonts():
    """Take the fonts that come with Matplotlib before those of the machine that have their names.

    Their glyphs have other numbers, and so an SVG other bytes. Which comes first else depends on
    what Matplotlib has found, or another installation has left in the cache.
    """
    manager = font_manager.fontManager
    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    there = {font.fname for font in manager.ttflist}
    for path in sorted(folder.glob("DejaVuSans*.ttf")):
        if str(path) not in there:
            manager.addfont(path)
    manager.ttflist.sort(key=lambda font: Path(font.fname).parent != folder)


prefer_bundled_fonts()

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
RED = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#6E6E6E"
PALE = "#ABABAB"

# key: (label, colour, marker, line)
STYLES = {
    "vrp": ("VRP", ORANGE, "s", "-"),
    "rbudp": ("RBUDP", BLUE, "o", "-"),
    "jrm": ("JRM", PURPLE, "D", "-"),
    "atou": ("atou", GREEN, "^", "-"),
    "xcp": ("XCP", RED, "v", "-"),
    "control": ("control", PALE, "s", (0, (3, 1))),
    "tcp": ("TCP", GREY, "x", "-"),
    "udp": ("UDP", BLACK, "+", "-"),
    "udt": ("UDT", GREEN, "P", (0, (4, 1))),
    "parallel-tcp": ("parallel TCP", SKY, "s", "-"),
    "parallel-tcp-short-queue": ("parallel TCP, short queue", RED, "v", (0, (4, 1))),
    "fec-udp": ("FEC over UDP", YELLOW, "D", "-"),
    "tcp-newreno": ("TCP NewReno", GREY, "x", "-"),
    "tcp-reno": ("TCP Reno", BLUE, "P", (0, (3, 1, 1, 1))),
    "tcp-cubic": ("TCP CUBIC", BLACK, "<", (0, (4, 1))),
    "tcp-bbr": ("TCP BBR", PURPLE, ">", (0, (6, 1, 1, 1))),
    "tcp-scalable": ("TCP Scalable", GREEN, "^", (0, (1, 1))),
    "parallel-tcp-8": ("parallel TCP, 8 streams", SKY, "s", "-"),
    "parallel-reno-8": ("parallel TCP, 8 streams of Reno", SKY, "s", "-"),
    "atou-cubic": ("atou with CUBIC", ORANGE, "*", (0, (1, 1))),
    "vrp-lossy": ("VRP, 5 % loss accepted", ORANGE, "s", "-"),
    "fec-1": ("FEC, k = 1", BLUE, "o", "-"),
    "fec-2": ("FEC, k = 2", ORANGE, "s", (0, (4, 1))),
    "fec-3": ("FEC, k = 3", RED, "v", (0, (1, 1))),
    "fec-2-bursts": ("FEC, k = 2, losses in bursts", ORANGE, "^", "none"),
    "fec-3-bursts": ("FEC, k = 3, losses in bursts", RED, "x", "none"),
    "rbudp-fake": ("fake RBUDP", SKY, "^", "-"),
    "rbudp-scatter-gather": ("RBUDP, scatter/gather", GREEN, "s", "-"),
    "rbudp-second": ("RBUDP, second host model", ORANGE, "D", "-"),
    "rbudp-tcp-control": ("RBUDP, TCP control", PURPLE, "x", "none"),
    "rbudp-lossy": ("RBUDP, 12 % loss", RED, "v", "-"),
    "rbudp-host-loss": ("RBUDP, loss in the host", ORANGE, "D", "-"),
    "vrp-reliable": ("VRP, no loss accepted", SKY, "o", "-"),
    "vrp-one-frame": ("VRP, one frame at a time", GREEN, "^", "-"),
    "vrp-adaptive": ("VRP, interval of tolerance", BLUE, "D", "-"),
    "vrp-combined": ("VRP, header and data in one packet", GREEN, "^", "-"),
    "vrp-wan": ("VRP on a WAN", ORANGE, "s", "-"),
    "vrp-lan": ("VRP on a LAN", BLUE, "o", "-"),
    "vrp-lossy-wan": ("VRP on a lossier WAN", RED, "v", "-"),
    "jrm-lost": ("JRM, NACKs lost as well", PURPLE, "D", "none"),
    "jrm-safe": ("JRM, NACKs safe", SKY, "o", "none"),
    "jrm-adaptive": ("JRM, adaptive timers", ORANGE, "^", (0, (1, 1))),
    "jrm-paced": ("JRM, paced, short recvTimeout", GREEN, "s", "-"),
    "jrm-paced-copies": ("JRM, paced, copies of what waits", GREEN, "D", (0, (1, 1))),
    "jrm-paced-adaptive": ("JRM, paced, adaptive timers", RED, "v", (0, (6, 2))),
    "jrm-three": ("JRM, 3 requests", PURPLE, "x", (0, (4, 1))),
    "jrm-no-floor": ("JRM, adaptive timers, sendTimeout as well", BLACK, "*", "-"),
    "jrm-missing": ("JRM, host that misses datagrams", GREY, "P", "-"),
    "jrm-slow": ("JRM, busy host", BLUE, "o", (0, (3, 1, 1, 1))),
    "jrm-aggregated": ("JRM, requests gathered", BLUE, "o", "none"),
    "jrm-many": ("JRM, all participants send", BLACK, "*", "none"),
    "jrm-parity": ("JRM, repair by parity", GREEN, "s", "none"),
    "jrm-parity-short": ("JRM, repair by parity of short blocks", ORANGE, "^", "none"),
    "jrm-suppressed": ("JRM, requests suppressed", ORANGE, "^", "-"),
    "atou-standard": ("atou, standard", BLUE, "o", "-"),
    "atou-tuned": ("atou, tuned", RED, "s", (0, (4, 1))),
    "atou-third": ("atou, third", GREEN, "^", (0, (1, 1))),
    "atou-fourth": ("atou, fourth", ORANGE, "D", (0, (6, 1, 1, 1))),
    "timeout": ("timeout", RED, "", "-"),
    "round-trip": ("round trip", BLUE, "", "-"),
    "loss": ("packets lost", PURPLE, "x", (0, (6, 2))),
    "iperf": ("iperf", BLACK, "", (0, (5, 5))),
    "app-perf": ("app_perf", GREY, "", (5, (5, 5))),
    "model": ("the paper's model", BLACK, "", "-"),
    "second-model": ("the paper's model", GREY, "", "-"),
    "exact": ("exact law", GREEN, "", (0, (1, 1))),
    "exact-safe": ("exact law, NACKs safe", GREY, "", (0, (5, 2))),
    "bound": ("bound", BLACK, "", (0, (5, 5))),
    "monte-carlo": ("the report's rules, Monte Carlo", BLACK, "+", "none"),
    "fluid": ("fluid law of the host", RED, "", (0, (1, 1))),
    "published": ("printed in the paper", PURPLE, "*", "none"),
}


def style(key, label=None, **changes):
    """Return the keyword arguments of Axes.plot for a series.

    ``label`` replaces the series' own and ``changes`` single properties. A series that STYLES does
    not have is shown by its name.
    """
    text, colour, marker, line = STYLES.get(key, (key, BLACK, ".", (0, (2, 2))))
    return {
        "label": label or text,
        "color": colour,
        "marker": marker or None,
        "linestyle": line,
        "markerfacecolor": "white" if marker not in ("x", "+", "*") else colour,
        "markersize": 10 if marker == "*" else 5.5,
        "linewidth": 1.6,
        **changes,
    }


def new_figure(width=7.2, height=4.6, **subplots):
    """Return (figure, axes) in the common look; sizes in inches."""
    plt.style.use(LOOK)
    return plt.subplots(figsize=(width, height), **subplots)


def plot_band(axes, x, table, key, label=None, **changes):
    """Plot the mean column of ``table`` over ``x`` with its 95 % band where there is one.

    Points that no line joins have bars: a band would say something of what is between them.
    """
    look = style(key, label, **changes)
    if look["linestyle"] == "none":
        bars = [table["mean"] - table["low"], table["high"] - table["mean"]]
        axes.errorbar(x, table["mean"], yerr=bars, capsize=2, elinewidth=1, **look)
        return
    axes.plot(x, table["mean"], **look)
    if (table["high"] > table["low"]).any():
        axes.fill_between(x, table["low"], table["high"], color=look["color"], alpha=0.2, lw=0)


_OPTIONS = {
    "svg": {"metadata": {"Date": None}},
    "png": {"dpi": 130},
    "pdf": {"metadata": {"CreationDate": None}},
}


def save(figure, folder, name, formats=SHOWN):
    """Write ``name``.svg, ``name``.png and so on; equal figures give equal bytes.

    ``folder`` is a path, ``formats`` some of files.FORMATS: a PDF has its fonts embedded as Type 42
    (TrueType), which journals ask for. Returns the names of the files; closes the figure.
    """
    files = []
    # What a file is made with is looked up when it is written, not when it is drawn.
    with plt.style.context(LOOK):
        for one in formats:
            files.append(f"{name}.{one}")
            figure.savefig(Path(folder) / files[-1], **_OPTIONS[one])
    plt.close(figure)
    return files
