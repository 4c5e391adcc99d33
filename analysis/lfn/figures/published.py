# SPDX-License-Identifier: GPL-2.0-only
"""What a source prints, drawn from the claim that judges it: picture and verdict cannot differ.

All of it is in style.PRINTED, which no series has. A band that the source prints is filled; one
that is our reading of its words is hatched and called so. Each artist has the claims that it shows
as its gid, "published:<claim>", by which shown() finds them. band() and slope() keep the axes as
they are, so they come last.
"""

import re
import textwrap
from math import isfinite

from matplotlib import patheffects

from lfn.spec import SpecError
from lfn.style import PRINTED, style

GID = "published:"
LEVEL = (0, (7, 1.5, 1, 1.5, 1, 1.5))
FILLED = {"color": PRINTED, "alpha": 0.18, "lw": 0, "zorder": 0.5}
HATCHED = {
    "facecolor": "none",
    "edgecolor": PRINTED,
    "hatch": "////",
    "alpha": 0.5,
    "lw": 0.8,
    "ls": (0, (4, 2)),
    "zorder": 0.5,
}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(claim):
    """The numbers that a claim's source prints, in order."""
    return [float(text) for text in NUMBER.findall(claim.published)]


def printed(results, name, index=0):
    """One of the numbers that the source of a claim prints."""
    return numbers(results.claims[name])[index]


def shown(figure):
    """The claims whose printed words or numbers a Matplotlib figure shows, in order."""
    found = set()
    for artist in figure.findobj(lambda one: (one.get_gid() or "").startswith(GID)):
        found.update(artist.get_gid().removeprefix(GID).split("+"))
    return sorted(found)


def tag(artist, results, *names):
    """Say that ``artist`` shows what these claims print; returns it."""
    for name in names:
        if name not in results.claims:
            raise SpecError(f"plot.py: '{name}' is no claim of this figure")
    artist.set_gid(GID + "+".join(names))
    return artist


def _words(results, name, index=None, text="paper: {}"):
    claim = results.claims[name]
    value = claim.published if index is None else f"{numbers(claim)[index]:g}"
    return text.format(value)


def note(axes, results, name, x, y, text="paper: {}", **look):
    """Write what a claim's source prints at a place, in units of the axes (0 to 1) by default."""
    place = {"transform": axes.transAxes, "fontsize": 8, "color": PRINTED, "va": "bottom", **look}
    halo = [patheffects.withStroke(linewidth=2.5, foreground="white")]
    words = axes.text(x, y, _words(results, name, None, text), path_effects=halo, **place)
    return tag(words, results, name)


def keep_inside(figure):
    """Move printed words of a Matplotlib figure that reach over the right edge of their axes.

    Words wider than the axes go onto two lines. Call it when the sizes of text are final: the axes
    stay where they are from then on.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        frame = axes.get_window_extent()
        for words in axes.texts:
            if not (words.get_gid() or "").startswith(GID):
                continue
            text = words.get_text()
            if words.get_window_extent().width > frame.width:
                words.set_text(textwrap.fill(text, 3 * len(text) // 5, break_long_words=False))
            over = words.get_window_extent().x1 - frame.x1
            if over > 0:
                x, y = words.get_transform().transform(words.get_position())
                words.set_position(words.get_transform().inverted().transform((x - over, y)))


def band(
    axes, results, name, to=lambda value: value, over=None, along="y", text="", at=None, edges=None
):
    """Shade what a claim accepts, its band as the axes show it; or ``edges`` made of numbers().

    ``to`` turns the claim's unit into the axis' own, ``over`` is where the band begins and ends on
    the other axis (all of it). An edge at infinity is the axes' own. A band without width is a
    line. ``text`` is written into its corner, "{}" for what is printed, or ``at`` (x, y) in data,
    unless that is outside the axes. "paper:" becomes "our reading:" where the source prints words
    and no number.
    """
    claim = results.claims[name]
    limits = axes.get_xlim(), axes.get_ylim()
    least, most = sorted(limits[along == "y"])
    is_printed = claim.band == "paper" or edges is not None
    edges = (claim.low, claim.high) if edges is None else edges
    low, high = sorted(
        min(max(float(to(edge)) if isfinite(edge) else edge, least), most) for edge in edges
    )
    begin, end = sorted(over or limits[along != "y"])
    look = FILLED if is_printed else HATCHED
    if high - low < 1e-9 * (most - least):
        look = {"color": PRINTED, "lw": 3, "alpha": 0.6, "zorder": 0.5, "solid_capstyle": "butt"}
        look["ls"] = "-" if is_printed else (0, (1.5, 1))
        ends = ((begin, end), (low, low))
        artist = axes.plot(*(ends if along == "y" else ends[::-1]), **look)[0]
    elif along == "y":
        artist = axes.fill_between((begin, end), low, high, **look)
    else:
        artist = axes.fill_betweenx((begin, end), low, high, **look)
    tag(artist, results, name)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    x, y = at or (limits[0][0], limits[1][0])
    if text and limits[0][0] <= x <= limits[0][1] and limits[1][0] <= y <= limits[1][1]:
        if not is_printed and not numbers(claim):
            text = text.replace("paper:", "our reading:")
        corner = (begin, high) if along == "y" else (low, end)
        look = {"transform": axes.transData, "va": "top" if at is None else "center"}
        note(axes, results, name, *(at or corner), text, **look).set_in_layout(False)
    return artist


def level(axes, results, name, index=0, to=lambda value: value, along="y", **look):
    """Draw a line at a printed number; ``to`` turns it into the axis' unit."""
    line = axes.axhline if along == "y" else axes.axvline
    looks = {"marker": None, "linestyle": LEVEL, "linewidth": 1.6}
    look = {"label": _words(results, name), **looks, **look}
    artist = line(to(printed(results, name, index)), **style("published", **look))
    return tag(artist, results, name)


def stars(axes, results, quantity, names, x=None, series=None, check="value", **look):
    """Draw the numbers of published.csv that claims print, as stars; returns the rows.

    ``names`` is a claim or several; a value that none of them prints is refused, for then picture
    and verdict differ. ``x`` takes the place of the file's, ``series`` picks rows, and ``check``
    is the column that the claims print.
    """
    names = [names] if isinstance(names, str) else names
    rows = results.printed(quantity)
    if series is not None:
        rows = rows[rows["series"] == series]
    reported = [number for name in names for number in numbers(results.claims[name])]
    for value in rows[check]:
        if not any(abs(value - number) <= 1e-6 * abs(number) for number in reported):
            raise SpecError(f"published.csv: {quantity}: no claim of {names} prints {value:g}")
    places = rows["x"] if x is None else [x] * len(rows)
    changes = {"zorder": 5, **look}
    artist = axes.plot(places, rows["value"], **style("published", **changes))[0]
    tag(artist, results, *names)
    return rows


def slope(axes, results, name, begin, length, to=lambda value: value, text="paper: {}"):
    """Shade the slopes that a claim accepts, as a wedge from a point on, and the printed one."""
    claim = results.claims[name]
    limits = axes.get_xlim(), axes.get_ylim()
    x, y = begin
    ends = [y + length * float(to(value)) for value in (claim.low, claim.high)]
    look = FILLED if claim.band == "paper" else HATCHED
    tag(axes.fill_between((x, x + length), (y, ends[0]), (y, ends[1]), **look), results, name)
    end = y + length * float(to(numbers(claim)[0]))
    axes.plot((x, x + length), (y, end), color=PRINTED, lw=1.6, ls=LEVEL)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    at = (x + 0.5 * length, y + 0.5 * (end - y) + 0.02 * (limits[1][1] - limits[1][0]))
    note(axes, results, name, *at, text, transform=axes.transData, ha="right")
