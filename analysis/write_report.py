# SPDX-License-Identifier: GPL-2.0-only
"""Gather the verdicts of all drawn figures and write the report.

python analysis/write_report.py --figures analysis/figures --build build
"""

import contextlib
import dataclasses
import datetime
import functools
import shutil
import sys
import time
from pathlib import Path

import pandas as pd
from PIL import Image

from lfn import crate
from lfn.campaign import PlanError, is_drawn, of_today, read_plan
from lfn.claims import COLUMNS, not_run
from lfn.files import locked, read_json, replaced, write_if_changed
from lfn.fingerprint import fingerprint
from lfn.flags import Parser
from lfn.places import FIGURES
from lfn.prose import read_deviations, read_text
from lfn.report import TITLE, Links, Paper, command, pages
from lfn.spec import Findings, SpecError, check, load_figures, read_toml
from lfn.statements import read
from lfn.which import by_claim, to_html

EVERY = 60
"""Seconds: the page of a campaign that goes on is not written more often."""

THUMBNAIL = (640, 400)
"""The most pixels of a picture on the first page, which shows it at half the size."""
COLOURS = 32


def is_made(build, figure, drawn, plan, fingerprint_of=fingerprint):
    """Check whether the campaign of ``plan`` has drawn a figure that it wanted."""
    runs = plan.get("runs", {}).get(figure.id)
    return (
        drawn["preset"] == plan["preset"]
        and (runs is None or drawn["runs"] == sum(runs.values()))
        and of_today(build, drawn, figure.folder, fingerprint_of)
    )


def gather(figures, build, plan):
    """Return [(Figure, drawn.json, verdicts)] of every figure that is drawn in ``build``.

    One that an earlier campaign drew with programs or definitions that have changed since is marked
    ``changed``, and left away where this campaign wanted it and left it out. One that this campaign
    needs and has still to make is marked ``pending``.
    """
    found = []
    fingerprint_of = functools.cache(fingerprint)
    for identity, figure in figures.items():
        folder = build / "figures" / identity
        drawn = read_json(folder / "drawn.json")
        if is_drawn(build, identity):
            wanted = identity in plan["figures"]
            changed = not wanted and not of_today(build, drawn, figure.folder, fingerprint_of)
            if changed and identity in plan.get("left_out", {}):
                continue
            # All as text: a statement may look like a number.
            verdicts = pd.read_csv(folder / "verdicts.csv", keep_default_na=False, dtype=str)
            verdicts = verdicts.reindex(columns=list(COLUMNS), fill_value="")  # of older pipelines
            pending = wanted and not is_made(build, figure, drawn, plan, fingerprint_of)
            marks = {"pending": pending}
            found.append((figure, {**drawn, **marks, "changed": changed}, verdicts))
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


class Prose:
    """The texts of the figures' folder whose sentences stand with claims, if they are there.

    What was drawn with programs or definitions that have changed since, has still to be made, or is
    of another preset than the campaign's, is missing there.
    """

    def __init__(self, figures, found, left_out, preset):
        self._figures = figures
        self._shown = {figure.id for figure, _, _ in found}
        today = [
            (figure, verdicts)
            for figure, drawn, verdicts in found
            if not drawn["changed"] and not drawn.get("pending") and drawn["preset"] == preset
        ]
        self._verdicts = by_claim(left_out + today)

    def html(self, text, name, to, brief):
        """Return a text as lfn.which makes it of today's claims; raises SpecError."""
        return to_html(text, name, self._figures, self._verdicts, self._shown, to.claim, brief)


def thumbnail(source, target):
    """Write a small picture of ``source`` to ``target``; return its (width, height) on the page."""
    with Image.open(source) as image:
        small = image.convert("RGB")
    small.thumbnail(THUMBNAIL)
    small.quantize(COLOURS).save(target, optimize=True)
    return tuple(side // 2 for side in small.size)


def questions_of(paper, figures, name):
    """Return ((question, ((figure, claim), ...)), ...) of a paper of the file ``name``.

    Raises SpecError for a claim that does not exist.
    """
    found = []
    for question in paper.question:
        pairs = [tuple(words.split()) for words in question.claims]
        for pair in pairs:
            if len(pair) != 2:
                raise SpecError(
                    f"{name}: {paper.name}: write 'figure claim', not '{' '.join(pair)}'"
                )
            figure, claim = pair
            if figure not in figures or claim not in figures[figure].claims_by_id:
                raise SpecError(f"{name}: {paper.name}: there is no claim {figure} {claim}")
        found.append((question.text, tuple(pairs)))
    return tuple(found)


def papers_of(path, figures, drawn, work, prose):
    """Return the Papers that the file ``path`` lists; write their pictures to ``work``.

    ``drawn`` is the folder of the drawn figures. Raises SpecError.
    """
    if not path.is_file():
        return []
    papers = []
    for number, paper in enumerate(check(Findings, read_toml(path, path.name), path.name).paper):
        if paper.picture not in figures:
            raise SpecError(f"{path.name}: {paper.name}: there is no figure {paper.picture}")
        finding = prose.html(paper.finding, f"{path.name}: {paper.name}", Links(), True)
        questions = questions_of(paper, figures, path.name)
        shown = Paper(paper.name, finding, paper.picture, questions=questions)
        picture = drawn / paper.picture / f"{figures[paper.picture].plots[0]}.png"
        if picture.is_file():
            name = f"paper-{number + 1}.png"
            size = thumbnail(picture, work / name)
            shown = dataclasses.replace(shown, thumbnail=name, size=size)
        papers.append(shown)
    return papers


def copy_data(found, drawn, work):
    """Copy the pictures and the plotted numbers of all figures to data/ of the report."""
    for figure, document, _ in found:
        target = work / "data" / figure.id
        target.mkdir(parents=True)
        for name in document["plots"]:
            pdf = [f"{name}.pdf"] if f"{name}.pdf" in document["files"] else []
            for file in (f"{name}.svg", f"{name}.csv", *pdf):
                shutil.copyfile(drawn / figure.id / file, target / file)
        if document.get("sensitivity"):
            name = "sensitivity.csv"
            shutil.copyfile(drawn / figure.id / name, target / name)


def describe(found, plan, work):
    """Write what the folder of the report is and was made with, as RO-Crate metadata."""
    versions, commits = {}, set()
    for _, drawn, _ in found:
        commits.add(drawn.get("commit", ""))
        for package, number in drawn["versions"].items():
            versions.setdefault(package, set()).add(number)
    presets = sorted({drawn["preset"] for _, drawn, _ in found})
    crate.write(
        work,
        name=plan.get("title") or TITLE,
        description=f"{len(found)} figures, preset {', '.join(presets)}: pages, pictures, numbers",
        date=datetime.date.today().isoformat(),
        command=command(plan["preset"], plan.get("campaign", "")),
        versions={name: "; ".join(sorted(every)) for name, every in versions.items()},
        revision="; ".join(sorted(filter(None, commits))),
    )


def write(options):
    """Write verdicts.csv and the report; raises SpecError and PlanError."""
    figures = load_figures(options.figures)
    plan = read_plan(options.build, options.campaign)
    found = gather(figures, options.build, plan)
    left_out = gather_left_out(figures, found, plan)
    rows = [v for _, _, v in found] + [v for _, v in left_out]
    drawn = options.build / "figures"
    if not rows:
        raise PlanError(f"{drawn}: no figure of {options.figures} is drawn; run {FIGURES}")
    verdicts = pd.concat(rows, ignore_index=True)[list(COLUMNS)]
    listing = read_deviations(options.deviations) if options.deviations else ""
    prose = Prose(figures, found, left_out, plan["preset"])

    def text(name, to):
        source = options.figures / f"{name}.md"
        if not source.is_file():
            return ""
        return prose.html(read_text(source), source.name, to, brief=name == "summary")

    target = options.build / "report"
    with locked(target), replaced(target) as work:
        papers = papers_of(options.figures / "findings.toml", figures, drawn, work, prose)
        listed = read(options.figures)
        for name, content in pages(found, plan, listing, left_out, text, papers, listed).items():
            (work / name).write_text(content, encoding="utf-8")
        copy_data(found, drawn, work)
        describe(found, plan, work)
        write_if_changed(drawn / "verdicts.csv", verdicts.to_csv(index=False))
    for path in (drawn / "verdicts.csv", target / "index.html"):
        path.touch()


def write_so_far(options):
    """Write the page of a campaign that goes on, unless it was written just now.

    What is wrong with the page is given when all is drawn; the figure that was drawn is good.
    """
    page_file = options.build / "report" / "index.html"
    if page_file.is_file() and 0 <= time.time() - page_file.stat().st_mtime < EVERY:
        return
    with contextlib.suppress(SpecError, PlanError, OSError):
        write(options)


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Write verdicts.csv and the report.")
    parser.add_argument("--figures", required=True, type=Path, help="folder of all figures")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    parser.add_argument("--campaign", default="", help="which in plan/ (default: the last one)")
    parser.add_argument("--deviations", type=Path, help="folder of the deviations, Markdown")
    try:
        write(parser.parse_args(argv))
    except (SpecError, PlanError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
