# SPDX-License-Identifier: GPL-2.0-only
"""Figures by a call: run what is missing, draw, judge. Behind draw_figure.py and notebooks.

import lfn
drawn = lfn.figure("rbudp-fig7", preset="tiny")
drawn.tables["rbudp-fig7"], drawn.verdicts, drawn.plots["rbudp-fig7"].savefig("mine.pdf")
"""

import base64
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from lfn import choices, claims, default_plot
from lfn.campaign import fingerprints_of, make_plan, runs_there, stale_points
from lfn.columns import functions
from lfn.figures import published
from lfn.mistakes import reported_in_one_line
from lfn.places import ANALYSIS, build_folder
from lfn.process import ending_with_this_process
from lfn.results import Results
from lfn.spec import PRESETS, Figure, SpecError, load_figures, load_module
from lfn.style import keep_legible
from lfn.targets import grown


class CampaignError(Exception):
    """A figure's runs are missing or failed; the text says what to do."""


@dataclass
class DrawnFigure:
    """A figure with everything behind it.

    ``plots`` are Matplotlib figures and ``tables`` the plotted numbers, both by name;
    ``verdicts`` has a row per claim; ``results`` are the runs.
    """

    figure: Figure
    preset: str
    plots: dict
    tables: dict
    verdicts: pd.DataFrame
    results: Results

    def _repr_html_(self):
        """Show all plots and the verdicts in a notebook."""
        parts = [f"<p><b>{escape(self.figure.title)}</b>, preset {self.preset}</p>"]
        for name, plot in self.plots.items():
            image = io.BytesIO()
            plot.savefig(image, format="png", dpi=80)
            data = base64.b64encode(image.getvalue()).decode()
            parts.append(f'<img alt="{name}" src="data:image/png;base64,{data}">')
        shown = self.verdicts[["claim", "published", "measured", "low", "high", "verdict"]]
        return "".join(parts) + shown.to_html(index=False)


def _whole(table):
    """Return a table, or a list of them below each other."""
    return pd.concat(table, ignore_index=True) if isinstance(table, list) else table


def draw_and_judge(figure, build, preset, members, limits):
    """Return the DrawnFigure of a Figure from the results of ``members`` in ``build``.

    ``limits`` are the runs to take of each point. Without a plot.py the default plot is drawn.
    What is wrong in plot.py or claims.py is a SpecError of one line that says where.
    """
    folder = figure.folder
    with reported_in_one_line(folder):
        own = folder / "plot.py"
        plot = load_module(own) if own.is_file() else default_plot.of(figure)
        judges = functions(figure)
    results = Results.load(figure, Path(build), preset, members, limits)
    with reported_in_one_line(folder):
        drawn = plot.draw(results)
        if not isinstance(drawn, dict):
            drawn = {figure.id: drawn}
        tables = {name: _whole(table) for name, (_, table) in drawn.items()}
    if tuple(drawn) != figure.plots:
        raise SpecError(f"{figure.id}/plot.py: draws {list(drawn)}, not {list(figure.plots)}")
    for image, _ in drawn.values():
        if not image.get_suptitle() and not (len(image.axes) == 1 and image.axes[0].get_title()):
            image.suptitle(figure.title)
        keep_legible(image)
        published.keep_inside(image)
    with reported_in_one_line(folder):
        rows = choices.decided(figure, claims.judge_all(figure, judges, results))
    return DrawnFigure(
        figure=figure,
        preset=preset,
        plots={name: image for name, (image, _) in drawn.items()},
        tables=tables,
        verdicts=pd.DataFrame(rows, columns=claims.COLUMNS),
        results=results,
    )


def _campaign(identity, build, preset, figures, jobs):
    """Run a campaign for one figure; raises CampaignError with what it printed."""
    command = [sys.executable, str(ANALYSIS / "figures.py"), "--only", identity]
    command += ["--preset", preset, "--build", str(build), "--figures", str(figures)]
    command += ["--jobs", str(jobs or os.cpu_count())]
    done = subprocess.run(
        ending_with_this_process(*command), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CampaignError(done.stderr.strip() or done.stdout.strip())


def figure(identity, build=None, preset="quick", figures=None, run=True, jobs=None):
    """Reproduce a figure: run what its points need, draw it, judge its claims.

    ``build`` is the build folder with the programs (default as of lfn.run), ``figures`` the folder
    of the figures' folders. Without ``run`` nothing is run, and CampaignError names what is
    missing. The same as ``./waf figures --only=ID``, and what that has made is used.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset={preset}: take one of {', '.join(PRESETS)}")
    build = build_folder(build)
    root = Path(figures or ANALYSIS / "figures").resolve()
    every = load_figures(root)
    if identity not in every:
        raise ValueError(f"{identity}: no such figure; there are {', '.join(every)}")
    base = make_plan(every, [identity], preset)

    def look():
        """Return the plan, with the runs that intervals need, and its stale points."""
        prints = fingerprints_of(build, base)

        def there(point):
            return runs_there(build, point, base.points[point], prints)

        plan, _ = grown(base, every, build, there)
        return plan, stale_points(build, plan, prints)

    plan, stale = look()
    if stale and not run:
        raise CampaignError(
            f"{identity}: {len(stale)} of {len(plan.points)} points of preset {preset} have no "
            f"current results in {build}; call without run=False"
        )
    if stale:
        _campaign(identity, build, preset, root, jobs)
        plan, stale = look()
        if stale:
            raise CampaignError(f"{identity}: programs or files changed while it ran; call again")
    members = plan.figures[identity]
    drawn = draw_and_judge(every[identity], build, preset, members, plan.limits[identity])
    for plot in drawn.plots.values():
        plt.close(plot)  # or a notebook shows it twice
    return drawn
