# SPDX-License-Identifier: GPL-2.0-only
"""The plot of a figure without plot.py: mean and 95 % band of `y` over `x`, a line per series.

Over names, such as transports, points with bars stand side by side instead of a line.
"""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from lfn.columns import values
from lfn.results import means
from lfn.style import CYCLE, STYLES, look, new_figure, plot_band, series_key, series_label
from lfn.units import quantity

UNITS = {
    "bps": ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")),
    "bytes": ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")),
    "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")),
    "packets": ((1.0, "packets"),),
}
"""How the base units, which end the names of columns, are shown: the largest that fits."""

WIDE = 20
"""An axis of positive values is logarithmic where the largest is this multiple of the smallest."""


def words(name):
    """Return the words of a name, a flag or a column: ("loss rate", ""), ("goodput", "bps").

    The second is the base unit of a column, with which its name ends.
    """
    parts = name.rpartition("::")[2].split("_")
    unit = parts.pop() if len(parts) > 1 and parts[-1] in UNITS else ""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", " ".join(parts))
    return (split if split.isupper() else split.lower()), unit


def shown(unit, largest):
    """Return (divisor, name) in which values of a base unit up to ``largest`` are shown."""
    scales = UNITS.get(unit, ((1.0, unit),))
    return next((pair for pair in scales if largest >= pair[0]), scales[-1])


def _base_unit(texts):
    """Return the base unit of a flag's values as they were given; "" of texts without one."""
    for text in texts:
        try:
            return quantity(text)[1]
        except ValueError:
            continue
    return ""


def _table(figure, results):
    """Return (flags and series that distinguish lines, the name of x, table of the means)."""
    x = figure.abscissa or "series"
    rows = results.table
    rows = rows.assign(value=values(rows, figure.y, f"{figure.id}/figure.toml: y"))
    rows = rows.assign(**{x: rows["series" if x == "series" else f"--{x}"]})
    points = pd.DataFrame(
        {"point": point, **manifest["args"]} for point, manifest in results.manifests.items()
    )
    swept = [name for name in points.columns[1:] if points[name].nunique(dropna=False) > 1]
    keys = {"series": "series"} if rows["series"].nunique() > 1 else {}
    keys |= {f"--{name}": name for name in swept}
    keys = {column: name for column, name in keys.items() if name != x}
    groups = rows.groupby(list(keys), sort=False, dropna=False) if keys else [((), rows)]
    order = {value: place for place, value in enumerate(dict.fromkeys(rows[x]))}
    is_text = not pd.api.types.is_numeric_dtype(rows[x])
    tables = []
    for key, part in groups:
        table = means(part, x, "value")
        if is_text:  # as in the file: 10BDP after 2BDP
            table = table.sort_values(x, key=lambda column: column.map(order), ignore_index=True)
        for place, (name, value) in enumerate(zip(keys.values(), key, strict=True)):
            table.insert(place, name, value)
        tables.append(table)
    return list(keys.values()), x, pd.concat(tables, ignore_index=True)


def _label(results, keys, values_):
    """Return the legend's text of a line: a transport by its name, other flags with their words."""
    known = [key for value in values_ if (key := series_key(str(value))) in STYLES]
    texts = []
    for key, value in zip(keys, values_, strict=True):
        if pd.isna(value):
            continue
        if key == "series" or isinstance(value, str):
            texts.append(series_label(str(value)))
        else:
            unit = _base_unit(one["args"].get(key) for one in results.manifests.values())
            scale, name = shown(unit, abs(value))
            texts.append(f"{words(key)[0]} {value / scale:g} {name}".strip())
    return ", ".join(texts), known


def _has_own_look(label, known):
    """Check whether a line is that of a transport or series of style.STYLES and of nothing else."""
    return len(known) == 1 and label == STYLES[known[0]][0]


def _looks(labels):
    """Return the changes to each line's style: none for one with its own, a free one for others.

    ``labels`` has (text, known keys) of each line.
    """
    used = {STYLES[known[0]][1] for text, known in labels if _has_own_look(text, known)}
    free = [place for place, one in enumerate(CYCLE) if one[0] not in used]
    free += [place for place in range(len(CYCLE)) if place not in free]
    rest = iter(range(len(labels)))
    return [
        {} if _has_own_look(text, known) else look(free[next(rest) % len(free)])
        for text, known in labels
    ]


def _is_ordered(texts):
    """Check whether texts are amounts, such as 0.5BDP, and not names, such as transports."""
    return all(re.match(r"\d", text) for text in texts)


def _tick(text):
    """Return the text of a tick: a transport by its name, an amount with a space: 0.5 BDP."""
    return series_label(re.sub(r"^([\d.]+)([A-Za-z]+)$", r"\1 \2", text))


def _plain_ticks(axis, numbers):
    """Mark 1, 2 and 5 of each decade of a logarithmic axis that has few, without powers of ten."""
    least, most = min(numbers), max(numbers)
    if least < 1e-3 or most >= 1e6 or most > 1e3 * least:
        return
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _is_wide(numbers):
    """Check whether values need a logarithmic axis."""
    least, most = min(numbers), max(numbers)
    return least > 0 and most >= WIDE * least


def draw(figure, results):
    """Return (Matplotlib figure, plotted numbers)."""
    keys, x, table = _table(figure, results)
    picture, axes = new_figure()
    text, unit = words(figure.y) if figure.y.isidentifier() else (figure.y, "")
    scale, name = shown(unit, table["mean"].abs().max())
    columns = ["mean", "low", "high"]
    is_number = pd.api.types.is_numeric_dtype(table[x])
    base = _base_unit(one["args"].get(x, "") for one in results.manifests.values())
    divisor, x_name = shown(base, table[x].abs().max()) if is_number else (1.0, "")
    places = {value: place for place, value in enumerate(dict.fromkeys(table[x]))}
    lines = list(table.groupby(keys, sort=False, dropna=False)) if keys else [((), table)]
    labels = [_label(results, keys, key) for key, _ in lines]
    is_joined = is_number or _is_ordered(map(str, places))
    for number, ((_, part), (label, known), changes) in enumerate(
        zip(lines, labels, _looks(labels), strict=True)
    ):
        at = part[x] / divisor if is_number else part[x].map(places)
        if not is_joined:  # names side by side, nothing between them
            at = at + 0.12 * (number - (len(lines) - 1) / 2)
            changes = {**changes, "linestyle": "none"}
        key = known[0] if _has_own_look(label, known) else label or "_"
        plot_band(axes, at, part[columns] / scale, key, label=label or "_", **changes)
    if is_number:
        at = np.unique(table[x] / divisor)
        if _is_wide(at):
            axes.set_xscale("log")
            _plain_ticks(axes.xaxis, at)
    else:
        axes.set_xticks(list(places.values()), [_tick(str(value)) for value in places])
        if not is_joined:
            axes.set_xlim(-0.5, len(places) - 0.5)
    if _is_wide(table["mean"]):
        axes.set_yscale("log")
        _plain_ticks(axes.yaxis, table["mean"] / scale)
    elif table["mean"].min() >= 0:  # a wide band of few runs is cut
        axes.set_ylim(0.0, min(axes.get_ylim()[1], 2 * table["mean"].max() / scale or 1.0))
    x_text, text = figure.x_label or words(x)[0], figure.y_label or text
    axes.set_xlabel(f"{x_text} ({x_name})" if x_name else x_text)
    axes.set(ylabel=f"{text} ({name})" if name else text, title=figure.title)
    if keys:
        axes.legend(loc="best")
    return picture, table


def of(figure):
    """Return what a plot.py would be, with draw(results)."""
    return SimpleNamespace(draw=lambda results: draw(figure, results))
