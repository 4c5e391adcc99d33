# SPDX-License-Identifier: GPL-2.0-only
"""Gather the verdicts of all drawn figures and write the report page.

python analysis/write_report.py --figures analysis/figures --build build
"""

import sys
from pathlib import Path

import pandas as pd

from lfn.campaign import PlanError, is_drawn, of_today, read_plan
from lfn.claims import COLUMNS, not_run
from lfn.files import read_json, write_if_changed
from lfn.flags import Parser
from lfn.places import FIGURES
from lfn.prose import read_ledger, read_text
from lfn.report import page
from lfn.spec import SpecError, load_figures
from lfn.which import to_html


def gather(figures, build, plan):
    """Return [(Figure, drawn.json, verdicts)] of every figure that is drawn in ``build``.

    One that an earlier campaign drew with programs or definitions that have changed since is marked
    ``changed``, and left away where this campaign wanted it and left it out.
    """
    found = []
    for identity, figure in figures.items():
        folder = build / "figures" / identity
        drawn = read_json(folder / "drawn.json")
        if is_drawn(build, identity):
            changed = identity not in plan["figures"] and not of_today(build, drawn, figure.folder)
            if changed and identity in plan.get("left_out", {}):
                continue
            # All as text: a statement may look like a number.
            verdicts = pd.read_csv(folder / "verdicts.csv", keep_default_na=False, dtype=str)
            verdicts = verdicts.reindex(columns=list(COLUMNS), fill_value="")  # of older pipelines
            found.append((figure, {**drawn, "changed": changed}, verdicts))
    return found


def gather_left_out(figures, found, plan):
    """Return [(Figure, verdicts)] of what this campaign left out and no earlier one drew.

    What an earlier one drew with other programs than today's counts as not drawn.
    """
    drawn = {figure.id for figure, _, _ in found}
    rest = []
    for name, need in plan.get("left_out", {}).items():
        if name not in drawn:
            why = f"it takes {need}, more than what the budget of {plan['budget']} had left"
            rows = pd.DataFrame(not_run(figures[name], why, plan["preset"]), columns=COLUMNS)
            rest.append((figures[name], rows))
    return rest


def compare(template, figures, found, left_out, preset):
    """Return the one-page comparison of a ``template``, if there is one; may raise SpecError.

    What was drawn with programs or definitions that have changed since, or of another preset than
    the campaign's, is missing there.
    """
    if template is None or not template.is_file():
        return ""
    shown = {figure.id for figure, _, _ in found}
    today = [
        (figure, verdicts)
        for figure, drawn, verdicts in found
        if not drawn["changed"] and drawn["preset"] == preset
    ]
    return to_html(read_text(template), template.name, figures, today + left_out, shown)


def write(options):
    """Write verdicts.csv and the page; raises SpecError and PlanError."""
    figures = load_figures(options.figures)
    plan = read_plan(options.build)
    found = gather(figures, options.build, plan)
    left_out = gather_left_out(figures, found, plan)
    rows = [v for _, _, v in found] + [v for _, v in left_out]
    if not rows:
        drawn = options.build / "figures"
        raise PlanError(f"{drawn}: no figure of {options.figures} is drawn; run {FIGURES}")
    verdicts = pd.concat(rows, ignore_index=True)[list(COLUMNS)]
    target = options.build / "figures" / "verdicts.csv"
    write_if_changed(target, verdicts.to_csv(index=False))
    ledger = read_ledger(options.ledger) if options.ledger else ""
    which = compare(options.comparison, figures, found, left_out, plan["preset"])
    html = page(found, options.build / "figures", plan, ledger, left_out, which)
    write_if_changed(options.build / "report" / "index.html", html)
    for path in (target, options.build / "report" / "index.html"):
        path.touch()


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Write verdicts.csv and the report page.")
    parser.add_argument("--figures", required=True, type=Path, help="folder of all figures")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    parser.add_argument("--ledger", type=Path, help="folder of the ledger of deviations, Markdown")
    parser.add_argument("--comparison", type=Path, help="template of the one-page comparison")
    try:
        write(parser.parse_args(argv))
    except (SpecError, PlanError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
