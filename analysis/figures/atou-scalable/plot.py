# SPDX-License-Identifier: GPL-2.0-only
"""Windows after one loss; recovery, response function and slow start compared with their laws;
streams."""

import numpy as np
import pandas as pd

from lfn.figures import three_panels
from lfn.figures.atou import options
from lfn.figures.atou_paths import (
    MBPS,
    limited,
    look,
    recoveries,
    responses,
    total,
    windows,
)
from lfn.figures.published import level, stars
from lfn.models import atou as model
from lfn.style import new_figure, style

NAMES = (
    ("kelly", "Scalable (0.01, 0.875)"),
    ("high-speed", "HighSpeed"),
    ("kelly-halving", "Scalable's increase, halving"),
    ("standard", "standard (1, 0.5)"),
)


def _largest(results, series):
    texts = results.rows(series)["--options"]
    return max(texts, key=lambda text: float(options(text)["rcvrwin"]))


def _windows(results):
    figure, axes = new_figure(8.2, 4.4)
    tables = []
    for index, (series, label) in enumerate(NAMES):
        texts = [t for t in results.rows(series)["--options"] if "rcvrwin 1500" in t]
        text = texts[0] if texts else _largest(results, series)
        samples = windows(results, series, options=text)
        axes.plot(samples["time_s"], samples["value"], **look(index, label, lines=True))
        tables.append(samples.assign(series=series))
    axes.set(xlim=(0, 13), ylim=(0, None), xlabel="time (s)")
    axes.set(ylabel="congestion window (segments)", title="Windows after one loss, 80 ms")
    axes.legend(loc="lower right")
    return figure, pd.concat(tables, ignore_index=True)


def _laws(results):
    figure, left, middle, right = three_panels()
    rows = []
    w = np.geomspace(100, 4000, 60)
    left.plot(w, np.full_like(w, model.scalable_recovery()), **style("bound", "laws"))
    left.plot(w, [model.high_speed_recovery(x) for x in w], **style("bound", "_"))
    left.plot(w, model.standard_recovery(w), **style("bound", "_"))
    halving = model.scalable_recovery(0.01, 0.5)
    left.plot(w, np.full_like(w, halving), **style("bound", "_"))
    for index, (series, label) in enumerate(NAMES):
        found = recoveries(results, series)
        kept = sorted((x, y) for x, y in found.items() if np.isfinite(y))
        x, y = np.array(kept).reshape(-1, 2).T
        left.plot(x, y, **{**look(index, label), "linestyle": "none"})
        rows += [{"law": series, "x": x, "value": y} for x, y in kept]
    level(left, results, "constant-recovery", label="Scalable, printed: 13.4")
    left.set(xscale="log", yscale="log", xlabel="window (segments)", ylabel="RTTs")
    left.set_ylim(top=5e4)  # the legend above the curves
    figure.suptitle("Laws of HighSpeed and Scalable TCP and of limited slow start; 80 ms")
    left.set_title("recovery from one loss")
    left.legend(loc="upper left", fontsize=8)
    p = np.geomspace(3e-6, 2e-2, 60)
    middle.plot(p, model.high_speed_window(p), **style("bound", "HighSpeed, RFC 3649"))
    middle.plot(p, model.standard_window(p), **style("exact", "standard, 1.2 / sqrt(p)"))
    stars(middle, results, "response", "response-function", label="RFC 3649, table 2")
    found = sorted(responses(results).items())
    middle.plot(*zip(*found, strict=True), **{**look(1, "atou, floyd 1"), "linestyle": "none"})
    rows += [{"law": "response", "x": x, "value": y} for x, y in found]
    middle.set(xscale="log", yscale="log", xlabel="loss probability")
    middle.set(ylabel="mean window (segments)", title="response function")
    middle.legend(loc="upper right", fontsize=8)
    w = np.linspace(2, 2100, 200)
    right.plot(w, model.limited_slow_start(w), **style("bound", "limited, RFC 3742"))
    right.plot(w, model.slow_start(w), **style("exact", "slow start"))
    found = sorted(limited(results).items())
    right.plot(
        *zip(*found, strict=True), **{**look(1, "atou, max_ssthresh 100"), "linestyle": "none"}
    )
    rows += [{"law": "limited", "x": x, "value": y} for x, y in found]
    right.set(xlabel="window reached (segments)", ylabel="RTTs", title="limited slow start")
    right.legend(loc="upper left", fontsize=8)
    return figure, pd.DataFrame(rows)


def _streams(results):
    figure, axes = new_figure(7.2, 4.2)
    tables = []
    for index, (series, label) in enumerate(
        (("one-stream", "1 stream of 1000 segments"), ("four-streams", "4 streams of 250"))
    ):
        samples = total(results, series, "goodput_bps")
        smooth = samples["value"].rolling(4, min_periods=1).mean() / MBPS
        axes.plot(samples["time_s"], smooth, **look(index, label, lines=True))
        tables.append(samples.assign(series=series))
    axes.set(xlabel="time (s)", ylabel="goodput of all streams (Mb/s)")
    axes.set(ylim=(0, None), title="One lost packet at 2 s, one stream and four")
    axes.legend(loc="lower right")
    return figure, pd.concat(tables, ignore_index=True)


def draw(results):
    """Return the three plots and their numbers."""
    plots = {"atou-scalable": _windows(results), "atou-scalable-laws": _laws(results)}
    return {**plots, "atou-parallel": _streams(results)}
