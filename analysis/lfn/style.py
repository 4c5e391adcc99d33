# SPDX-License-Identifier: GPL-2.0-only
"""How every figure looks: one label, colour, marker and line a transport and a series.

The colours are Okabe and Ito's, distinguished by colour-blind readers. No two series of one figure
differ by colour alone: alike() finds those that do. Figures are printed 180 mm wide at most, and
keep_legible() keeps their text large enough for that.
"""

import re
import sys
from itertools import combinations
from pathlib import Path

import matplotlib

if "ipykernel" not in sys.modules:  # a notebook shows its plots itself
    matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib import font_manager
from matplotlib.artist import Artist
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.container import Container
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

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
BLUE = "#0072B2"
RED = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#6E6E6E"
PALE = "#ABABAB"
OLIVE = "#857A00"
PRINTED = "#882255"
"""What a source prints, and no series."""

CYCLE = (
    (BLUE, "o", "-"),
    (RED, "s", (0, (4, 1))),
    (GREEN, "^", (0, (1, 1))),
    (ORANGE, "D", (0, (6, 1, 1, 1))),
    (PURPLE, "v", (0, (8, 2))),
    (SKY, "P", (0, (3, 1, 1, 1, 1, 1))),
    (GREY, "x", (0, (2, 2))),
    (BLACK, "<", "-"),
)
"""Colour, marker and line of series that STYLES does not have, in order: see look()."""

PAPER_WIDTH = 180 / 25.4
"""Inches at which a figure is printed at most; a wider one is scaled down to it."""
LEAST_SIZE = 7.0
"""Points that the smallest text of a printed figure has."""

# key: (label, colour, marker, line)
STYLES = {
    "vrp": ("VRP", ORANGE, "s", "-"),
    "rbudp": ("RBUDP", BLUE, "o", "-"),
    "jrm": ("JRM", PURPLE, "D", (0, (6, 2))),
    "atou": ("atou", GREEN, "^", (0, (6, 1, 1, 1))),
    "xcp": ("XCP", RED, "v", "-"),
    "control": ("control", PALE, "s", (0, (3, 1))),
    "control-tcp": ("control, TCP", PALE, "D", (0, (1, 1))),
    "tcp": ("TCP", GREY, "x", (0, (5, 1))),
    "udp": ("UDP", BLACK, "+", "-"),
    "udt": ("UDT", GREEN, "P", (0, (4, 1))),
    "parallel-tcp": ("parallel TCP", SKY, "<", (0, (3, 1, 1, 1))),
    "parallel-tcp-short-queue": ("parallel TCP, short queue", RED, "v", (0, (4, 1))),
    "fec-udp": ("FEC over UDP", OLIVE, "X", (0, (2, 1))),
    "tcp-newreno": ("TCP NewReno", GREY, "x", "-"),
    "tcp-reno": ("TCP Reno", BLUE, "P", (0, (3, 1, 1, 1))),
    "tcp-cubic": ("TCP CUBIC", BLACK, "<", (0, (4, 1))),
    "tcp-bbr": ("TCP BBR", PURPLE, ">", (0, (6, 1, 1, 1))),
    "tcp-scalable": ("TCP Scalable", GREEN, "^", (0, (1, 1))),
    "parallel-tcp-8": ("parallel TCP, 8 streams", SKY, "<", (0, (3, 1, 1, 1))),
    "parallel-reno-8": ("parallel TCP, 8 streams of Reno", SKY, "<", (0, (3, 1, 1, 1))),
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
    "rtt": ("RTT", BLUE, "", "-"),
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
    "published": ("printed in the paper", PRINTED, "*", "none"),
}


def series_key(name):
    """Return the key of STYLES for a series or a transport as --transport has it, else ``name``.

    ``tcp[Congestion=ns3::TcpBbr]`` has the look of tcp-bbr.
    """
    found = re.fullmatch(r"tcp\[Congestion=ns3::Tcp(?:Linux)?(\w+)\]", name)
    key = f"tcp-{found[1].lower()}" if found else name
    return key if key in STYLES else name


def series_label(name):
    """Return the text that a legend has for a series or a transport as --transport has it.

    Attributes follow the transport's name: "UDT (Congestion=Blast)", "TCP Vegas".
    """
    key = series_key(name)
    if key in STYLES:
        return STYLES[key][0]
    found = re.fullmatch(r"([\w-]+)\[(.+)\]", name)
    if not found or found[1] not in STYLES:
        return name
    text, settings = STYLES[found[1]][0], found[2].split("|")
    first = re.fullmatch(r"Congestion=ns3::Tcp(\w+)", settings[0])
    if first and found[1] == "tcp":
        text, settings = (
            STYLES.get(f"tcp-{first[1].lower()}", (f"TCP {first[1]}",))[0],
            settings[1:],
        )
    return f"{text} ({', '.join(settings)})" if settings else text


def style(key, label=None, **changes):
    """Return the keyword arguments of Axes.plot for a series.

    ``label`` replaces the series' own and ``changes`` single properties. A series that STYLES does
    not have is black, with the text of series_label().
    """
    key = series_key(key)
    text, colour, marker, line = STYLES.get(key, (series_label(key), BLACK, ".", (0, (2, 2))))
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


def look(number, **changes):
    """Return the keyword arguments of Axes.plot for the series of a number, from 0, of CYCLE.

    ``changes`` replace single properties, as ``marker=None`` for a line over time.
    """
    colour, marker, line = CYCLE[number % len(CYCLE)]
    face = colour if marker == "x" else "white"
    look_ = {"color": colour, "marker": marker, "linestyle": line, "markerfacecolor": face}
    return {**look_, **changes}


def new_figure(width=7.2, height=4.6, **subplots):
    """Return (figure, axes) in the common look; sizes in inches."""
    plt.style.use(LOOK)
    return plt.subplots(figsize=(width, height), **subplots)


def plot_band(axes, x, table, key, label=None, **changes):
    """Plot the mean column of ``table`` over ``x`` with its 95 % band where there is one.

    Points that no line joins have bars: a band would say something of what is between them.
    """
    looks = style(key, label, **changes)
    if looks["linestyle"] == "none":
        bars = [table["mean"] - table["low"], table["high"] - table["mean"]]
        axes.errorbar(x, table["mean"], yerr=bars, capsize=2, elinewidth=1, **looks)
        return
    axes.plot(x, table["mean"], **looks)
    if (table["high"] > table["low"]).any():
        axes.fill_between(x, table["low"], table["high"], color=looks["color"], alpha=0.2, lw=0)


def keep_legible(figure):
    """Enlarge text of a figure that would be below LEAST_SIZE once printed; return that size."""
    least = LEAST_SIZE * max(1.0, figure.get_figwidth() / PAPER_WIDTH)
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            sizes = [label.get_size() for label in axis.get_ticklabels(which="both")]
            if sizes and min(sizes) < least:
                axis.set_tick_params(which="both", labelsize=least)
            axis.offsetText.set_size(max(axis.offsetText.get_size(), least))
    for text in figure.findobj(Text):
        text.set_size(max(text.get_size(), least))
    return least


ALIKE = 20.0
"""Difference in lightness (CIE L*, 0 to 100) below which two colours are one in grey."""


def lightness(colour):
    """Return the CIE lightness, 0 (black) to 100, of a colour on white paper."""
    *rgb, alpha = to_rgba(colour)
    rgb = [alpha * part + 1.0 - alpha for part in rgb]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def _seen(handle):
    """Return (what a legend shows of a handle but its grey level, the grey levels)."""
    if isinstance(handle, Container):
        parts = [part for part in handle if isinstance(part, Artist)]
        handle = parts[0] if parts else handle[1][0]
    if isinstance(handle, Line2D):
        line = handle.get_linestyle()
        dashes = handle._unscaled_dash_pattern if line not in ("None", "-") else line
        marker = handle.get_marker()
        if marker in ("None", "", None):
            return ("line", str(dashes), round(handle.get_linewidth())), [
                lightness(handle.get_color())
            ]
        face = handle.get_markerfacecolor()
        levels = [lightness(handle.get_color()), lightness(face) if face != "none" else 100.0]
        return ("line", str(dashes), marker, round(handle.get_markersize() / 4)), levels
    if isinstance(handle, Collection):
        shape, face, edge = handle.get_hatch(), handle.get_facecolor(), handle.get_edgecolor()
        return (type(handle).__name__, shape), [lightness(c) for c in (*face[:1], *edge[:1])]
    if isinstance(handle, Patch):
        face = lightness(handle.get_facecolor())
        return ("patch", handle.get_hatch()), [face]
    return (repr(handle),), []


def alike(figure):
    """Return the pairs of legend entries that a reader of a grey copy cannot distinguish.

    Two entries of one legend are alike if they have the same line, the same marker and nearly the
    same grey.
    """
    legends = [[axes] for axes in figure.axes if axes.get_legend()]
    if figure.legends:
        legends.append(figure.axes)
    found = []
    for group in legends:
        shown = {}
        for axes in group:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                shown.setdefault(label, _seen(handle))
        for (one, (shape, levels)), (other, (second, others)) in combinations(shown.items(), 2):
            if shape == second and len(levels) == len(others):
                steps = [abs(a - b) for a, b in zip(levels, others, strict=True)]
                if max(steps, default=0.0) < ALIKE:
                    found.append((one, other))
    return found


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
