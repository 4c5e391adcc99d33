# SPDX-License-Identifier: GPL-2.0-only
"""The report: a folder of light pages that needs no network, for the screen and for paper.

In front (index.html) the finding of each paper with its picture and its counts; summary.html says
it in few words, claims.html has all claims with filters, which.html which transport to take when,
figure-<id>.html a figure: picture and caption, claims, deviations, parameters and the command that
makes it again. deviations.html has the deviations, all.html everything on one page, for paper. What
stands where say the templates in pages/; what is shown is gathered here.
"""

import functools
import os
import platform
import re
import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lfn.claims import DEPENDS, MISS, NOT, PARTLY, REFUTED, VERDICTS, describe_band
from lfn.prose import deviation_entries, mentioned, parts_of_readme, read_text, to_html
from lfn.spec import PRESETS
from lfn.statements import judged
from lfn.strip import drawn as strip_of

_HERE = Path(__file__).resolve().parent / "pages"
_NAMES = {"ns3": "ns-3"}
_CHANGED = "programs or definitions that have changed since"
_PRESET_FLAGS = {"full": " --full", "tiny": " --tiny"}
TITLE = "Long fat networks: the papers, run again"
_MOST_VALUES = 14
"""More values of a swept flag are shown by the first and the last."""


def _number(value):
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return value


def _day(date):
    """Return the day of a commit's date; "not committed" stays."""
    return date.partition("T")[0]


def _words(flags):
    """Return flags as words of a command line."""
    words = []
    for name, value in flags.items():
        if isinstance(value, list):
            short = len(value) <= _MOST_VALUES
            value = ",".join(value if short else [value[0], "...", value[-1]])
        words.append(f"--{name}={value}")
    return words


def _html(text, *places):
    return Markup(to_html(text, *places)) if text else ""


class Links:
    """Where links lead: to another page, or within the ``whole`` report on one page."""

    top = "#top"

    def __init__(self, whole=False):
        self._whole = whole

    def figure(self, figure):
        """Return the address of a figure by its id."""
        return f"#{figure}" if self._whole else f"figure-{figure}.html"

    def anchor(self, figure, claim):
        """Return the id of a claim's place."""
        return f"{figure}.{claim}"

    def claim(self, figure, claim):
        """Return the address of a claim."""
        page = "" if self._whole else self.figure(figure)
        return f"{page}#{self.anchor(figure, claim)}"

    def deviation(self, name):
        """Return the address of an entry of the list of deviations."""
        return f"{'' if self._whole else 'deviations.html'}#deviation-{name}"


def _words_about(figure):
    """Return words by which a reader may look for a figure's claims."""
    programs = dict.fromkeys(series.program for series in figure.series)
    flags = [one for series in figure.series for one in (series.args, series.sweep)]
    named = " ".join(str(one.get("transport", "")) for one in flags).lower()
    transports = dict.fromkeys(re.findall(r"[a-z][a-z0-9-]+", named))
    found = [one for one in transports if one not in PRESETS]
    words = [figure.title, figure.place, figure.paper, *programs, figure.summary, *found]
    return " ".join(words).lower()


def _system(figure):
    return figure.id.split("-")[0]


def _strip(row, claim):
    """Return the picture of a claim's single runs, if they judged it."""
    singles = [float(word) for word in str(row.get("single_runs", "")).split()]
    return strip_of(singles, claim.published_value, claim.unit) if claim and singles else ""


def _claims(figure, verdicts):
    """Return the rows of verdicts.csv with what the tables show besides."""
    rows = []
    for row in verdicts.to_dict("records"):
        claim = figure.claims_by_id.get(row["claim"])
        rows.append(
            {
                **row,
                "id": figure.id,
                "system": _system(figure),
                "unit": claim.unit if claim else "",
                "evidence": claim.evidence if claim else "",
                "variant_of": claim.variant_of if claim else "",
                "choice": claim.choice if claim else "",
                "cause": claim.reason if claim else "",
                "accepted": describe_band(float(row["low"]), float(row["high"])),
                "strip": _strip(row, claim),
            }
        )
    return rows


def _commits(found):
    """Return the commits that figures were drawn with, and the days of their last runs."""
    commits = sorted({drawn.get("commit") or "unknown commit" for _, drawn, _ in found})
    days = sorted(filter(None, (drawn.get("date", "") for _, drawn, _ in found)))
    when = " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "unknown date"
    return f"commit {', '.join(commits)}, runs of {when}"


def command(preset, campaign="", only=""):
    """Return the command that makes the figures of a preset, or ``only`` one of them."""
    words = f" --campaign={shlex.quote(campaign)}" if campaign else ""
    words += f" --only={only}" if only else ""
    return f"./waf figures{words}{_PRESET_FLAGS.get(preset, '')}"


def command_of(figure, drawn, plan):
    """Return the command that makes a figure again."""
    varied = drawn.get("sensitivity") and drawn["preset"] != "full"
    made = command(drawn["preset"], plan.get("campaign", ""), figure.id)
    return f"{made}{' --sensitivity' if varied else ''}"


def _first(drawn):
    """Return the first run's command without the folder of the program."""
    program, _, rest = drawn["example"].partition(" ")
    return f"{program.rsplit('/', 1)[-1]} {rest}"


def _section(figure, drawn, verdicts, plan, listing, ids, to):
    """Return what the section of a figure shows."""
    readme = read_text(figure.folder / "README.md")
    body, deviations = parts_of_readme(readme)
    texts = [f"{claim.statement} {claim.reason} {claim.note}" for claim in figure.claims]
    claims = _claims(figure, verdicts)
    return {
        "figure": figure,
        "file": Links().figure(figure.id),
        "drawn": {"changed": False, "sensitivity": [], **drawn},
        "earlier": figure.id not in plan["figures"] or drawn["preset"] != plan["preset"],
        "plots": drawn["plots"],
        "claims": claims,
        "counts": Counter(row["verdict"] for row in claims),
        "story": _html(body, ids, figure.folder, to.figure),
        "deviations": _html(deviations, ids, figure.folder, to.figure),
        "named": mentioned(figure.id, [readme, *texts], listing),
        "command": command_of(figure, drawn, plan),
        "first": _first(drawn),
    }


def _counted(groups):
    """Return [(name, counts of verdicts)] of {name: rows of _claims}, the last one of all."""
    counts = [(name, Counter(row["verdict"] for row in rows)) for name, rows in groups.items()]
    return [*counts, ("together", sum((found for _, found in counts), Counter()))]


def _counts(row):
    """Check whether a row of _claims counts: no calibration, and no variant of another claim."""
    return not row["calibration"] and not row["variant_of"]


def _statements(claims, listed):
    """Return {paper: [Judged]} of rows of _claims: statements of papers judged by simulation.

    ``listed`` are the Statements that several claims may share.
    """
    groups = {}
    for row in claims:
        if row["origin"] == "paper" and _counts(row) and row["evidence"] == "simulation":
            groups.setdefault(row["paper"], []).append(row)
    return {paper: judged(rows, listed) for paper, rows in groups.items()}


def _counted_statements(groups):
    """Return [(paper, counts of verdicts, number of sound ones)] of _statements, and of all."""
    rows = [
        (paper, Counter(one.verdict for one in mine), sum(one.sound for one in mine))
        for paper, mine in groups.items()
    ]
    whole = sum((counts for _, counts, _ in rows), Counter())
    return [*rows, ("together", whole, sum(sound for *_, sound in rows))]


def _said(groups):
    """Return the verdicts that statements of _statements have, in their order."""
    found = {one.verdict for mine in groups.values() for one in mine}
    return [name for name in VERDICTS if name in found]


_FAILING = (NOT, REFUTED, PARTLY, DEPENDS)
"""Verdicts that need an explanation, in the order of the tables."""


_OWN = "Figures of our own"


def _slug(name):
    """Return a name as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _explained(row):
    """Return a row of _claims with ``where`` it fails, and ``why``.

    The reason of figure.toml is preferred; without one, the rest of what the judge reports.
    """
    first, _, rest = row["reason"].partition(". ")
    outside = first.startswith("not ")
    where = first if outside and first != f"not {row['accepted']}" else ""
    why = row["cause"] or (rest if outside else row["reason"])
    return {**row, "where": row["depends_on"] if row["verdict"] == DEPENDS else where, "why": why}


def _failed(claims, statements):
    """Return what is not reproduced: {paper: [(verdict, statements, rows of _claims)]}.

    Claims of figures without a paper come last, as _OWN.
    Each entry of the list is a table. A statement of ``statements``, {paper: [Judged]}, stands in
    that of its verdict with its claims that fail. The last table, with an empty verdict and no
    number of statements, has the other claims that count.
    """
    groups = {}
    failing = [_explained(row) for row in claims if row["verdict"] in _FAILING and _counts(row)]
    for row in sorted(failing, key=lambda row: not row["paper"]):
        groups.setdefault(row["paper"] or _OWN, []).append(row)
    tables = {}
    for name, rows in groups.items():
        of_claim = {row["id"] + "." + row["claim"]: row for row in rows}
        mine = []
        for verdict in _FAILING:
            judged_so = [one for one in statements.get(name, ()) if one.verdict == verdict]
            names = [f"{row['id']}.{row['claim']}" for one in judged_so for row in one.rows]
            found = [of_claim.pop(one) for one in names if one in of_claim]
            mine += [(verdict, len(judged_so), found)] if found else []
        tables[name] = [*mine, *([("", 0, list(of_claim.values()))] if of_claim else [])]
    return tables


def _choices(statements):
    """Return {paper: {choice: rows of _claims}} of the statements that depend on choices."""
    papers = {}
    for paper, mine in statements.items():
        for one in mine:
            for row in one.rows if one.verdict == DEPENDS else ():
                for words in filter(None, row["depends_on"].split("; ")):
                    name, colon, _ = words.partition(": reproduced with ")
                    choice = name if colon else words
                    papers.setdefault(paper, {}).setdefault(choice, []).append(row)
    return papers


_REST = {
    "arithmetic of the papers": ("paper", "arithmetic"),
    "derived from numbers of the papers": ("derived", None),
    "other literature": ("literature", None),
    "checks of our own": ("own", None),
}
"""What is no statement of a paper that simulation could judge: {name: (origin, evidence)}."""


def _rest(claims):
    """Return the rows of _claims that _statements() leaves and that count, by the names above."""
    groups = {}
    for name, (origin, evidence) in _REST.items():
        rows = [
            row
            for row in claims
            if row["origin"] == origin and _counts(row) and evidence in (None, row["evidence"])
        ]
        if rows:
            groups[name] = rows
    return groups


def _versions(found):
    """Return the versions that the runs report; more than one set when builds were mixed."""
    sets = {
        ", ".join(f"{_NAMES.get(key, key)} {text}" for key, text in drawn["versions"].items())
        for _, drawn, _ in found
    }
    return "; ".join(sorted(filter(None, sets))) or "versions unknown"


@dataclass(frozen=True)
class Paper:
    """What the first page shows of a paper.

    ``finding`` is HTML, ``picture`` the id of a figure, of which ``thumbnail`` (a file of the
    report) of ``size`` shows the first plot; without one there is none. ``questions`` are
    (question, claims that answer it as (figure, claim)).
    """

    name: str
    finding: str = ""
    picture: str = ""
    thumbnail: str = ""
    size: tuple = (0, 0)
    questions: tuple = ()


def _answered(questions, rows):
    """Return [(question, rows of _claims)] of those with an answer in {(figure, claim): row}."""
    found = [(text, [rows[one] for one in claims if one in rows]) for text, claims in questions]
    return [(text, answers) for text, answers in found if answers]


def _papers(papers, sections, findings):
    """Return what the first page shows of each Paper, in that order, with the ``_findings``."""
    rows = {(row["id"], row["claim"]): row for row in findings["claims"]}
    shown = []
    for paper in papers:
        own = [one for one in sections if one["figure"].paper == paper.name]
        shown.append(
            {
                "name": paper.name,
                "finding": Markup(paper.finding),
                "thumbnail": paper.thumbnail,
                "size": paper.size,
                "file": Links().figure(paper.picture),
                "questions": _answered(paper.questions, rows),
                "title": paper.picture,
                "counts": Counter(one.verdict for one in findings["judged"].get(paper.name, [])),
                "figures": [(one["file"], one["figure"].id) for one in own],
            }
        )
    return shown


def _listed(sections):
    """Return [(system, sections)] for the navigation."""
    groups = {}
    for one in sections:
        groups.setdefault(_system(one["figure"]), []).append(one)
    return list(groups.items())


@functools.cache
def _environment():
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"number": _number, "words": _words, "prose": _html, "day": _day}
    environment.filters["slug"] = _slug
    environment.filters["extract"] = lambda key, mapping: mapping[key]
    return environment


def _findings(found, plan, left_out, listed):
    """Return the data of the pages about all figures; pages() has the parameters."""
    ids = [figure.id for figure, _, _ in found]
    others = {f.id: drawn["preset"] for f, drawn, _ in found if drawn["preset"] != plan["preset"]}
    awaited = {figure.id for figure, drawn, _ in found if drawn.get("pending")}
    counting = [one for one in found if one[0].id not in others and one[0].id not in awaited]
    everything = [(figure, verdicts) for figure, _, verdicts in counting]
    everything += left_out
    claims = [row for figure, verdicts in everything for row in _claims(figure, verdicts)]
    total = Counter(row["verdict"] for row in claims if _counts(row))
    decided = sum(int(row["intervals"] or 0) for row in claims)
    statements = _statements(claims, listed)
    late = [*plan.get("left_out", {}), *(figure.id for figure, _ in left_out)]
    return {
        "runs": sum(drawn["runs"] for _, drawn, _ in counting),
        "counting": len(counting),
        "others": others,
        "pending": [name for name in plan["figures"] if name in awaited or name not in ids],
        "late": list(dict.fromkeys(late)),
        "old": [f.id for f, drawn, _ in found if drawn.get("changed") and f.id not in awaited],
        "shown": ids,
        "claims": claims,
        "judged": statements,
        "statements": _counted_statements(statements),
        "said": _said(statements),
        "depending": _choices(statements),
        "failed": _failed(claims, statements),
        "failing": _FAILING,
        "states": {
            f"{row['id']}.{row['claim']}": one.verdict
            for mine in statements.values()
            for one in mine
            for row in one.rows
        },
        "index": {figure.id: _words_about(figure) for figure, _ in everything},
        "rest": _counted(_rest(claims)),
        "tried": [
            claim["survives"]
            for _, drawn, _ in counting
            for block in drawn.get("sensitivity", ())
            for claim in block["claims"]
            if claim["counts"]
        ],
        "decided": decided,
        "wrong": f"{MISS * decided:.2g}",
        "calibrations": sum(bool(row["calibration"]) for row in claims),
        "apart": sum(not _counts(row) for row in claims),
        "total": total,
        "used": [name for name in VERDICTS if total[name]],
        "papers": list(dict.fromkeys(row["paper"] for row in claims if row["paper"])),
        "systems": list(dict.fromkeys(row["system"] for row in claims)),
        "kinds": list(dict.fromkeys(row["kind"] for row in claims)),
        "origins": list(dict.fromkeys(row["origin"] for row in claims)),
    }


def pages(  # noqa: PLR0913
    found, plan, listing="", left_out=(), text=lambda name, to: "", papers=(), statements=()
):
    """Return the report as {file name: text}; pictures and tables are expected in data/<figure>/.

    ``found`` is [(Figure, drawn.json, verdicts)], ``listing`` the text of the list of deviations,
    ``left_out`` [(Figure, verdicts)] of what the campaign did not run and no earlier one has drawn
    with the same programs. ``text`` gives for "which" and "summary" the comparison and the summary
    as HTML (lfn.which) whose links are those of a Links, nothing where there is none; ``papers``
    are the Papers of the first page, ``statements`` the Statements that several claims share. A
    drawn.json with ``changed`` is of other programs than
    today's. Figures of another preset than the campaign's are shown, and count nowhere; so are
    those with ``pending``, which this campaign has still to make.
    """
    findings = _findings(found, plan, left_out, statements)
    entries = deviation_entries(listing)

    def sections_of(to):
        return [_section(*one, plan, entries, findings["shown"], to) for one in found]

    sections = sections_of(Links())
    named = {name for section in sections for name in section["named"]}
    appendix = [name for name in entries if name in named]
    summary, which = text("summary", Links()), text("comparison", Links())
    menu = [
        ("index.html", "Findings"),
        *([("summary.html", "Summary")] if summary else []),
        ("claims.html", "Claims"),
        *([("failed.html", "What does not hold")] if findings["failed"] else []),
        *([("which.html", "Which transport when")] if which else []),
        *([("deviations.html", "Deviations")] if appendix else []),
        ("all.html", "All on one page"),
    ]
    shared = findings | {
        "title": plan.get("title") or TITLE,
        "plan": {"campaign": "", **plan},
        "menu": menu,
        "listed": _listed(sections),
        "order": VERDICTS,
        "versions": _versions(found),
        "commits": _commits(found),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "changed": _CHANGED,
        "sections": sections,
        "entry_of": entries,
        "appendix": appendix,
        "to": Links(),
    }
    bodies = (("summary", "Summary", summary), ("which", "Which transport when", which))
    made = _rendered(shared, bodies, _papers(papers, sections, findings))
    whole = Links(whole=True)
    more = {"to": whole, "sections": sections_of(whole), "which": Markup(text("comparison", whole))}
    made["all.html"] = _render("all.html", "all.html", shared, **more)
    return made


def _render(file, template, shared, **more):
    """Return a page; ``more`` is what it needs beyond what all of them share."""
    return _environment().get_template(template).render({**shared, "here": file, **more})


def _rendered(shared, bodies, papers):
    """Return {file name: text} of all pages but the one with everything.

    ``bodies`` are (id, heading, HTML) of the pages of text, which are left out without one.
    """
    made = {name: read_text(_HERE / name) for name in ("report.css", "report.js")}
    made["index.html"] = _render("index.html", "index.html", shared, papers=papers)
    made["claims.html"] = _render("claims.html", "claims.html", shared)
    if shared["failed"]:
        made["failed.html"] = _render("failed.html", "failed.html", shared)
    for name, heading, body in bodies:
        if body:
            more = {"id": name, "heading": heading, "text": Markup(body)}
            made[f"{name}.html"] = _render(f"{name}.html", "text.html", shared, **more)
    if shared["appendix"]:
        made["deviations.html"] = _render("deviations.html", "deviations.html", shared)
    sections = shared["sections"]
    around = [None, *sections, None]
    for before, one, after in zip(around, sections, around[2:], strict=False):
        more = {"one": one, "before": before, "after": after}
        made[one["file"]] = _render(one["file"], "figure.html", shared, **more)
    return made


def _newer(figures, verdicts, made):
    """Return {figure: its claims that are newer than what it was made with}."""
    judged = set(zip(verdicts["figure"], verdicts["claim"], strict=True))
    every = {
        name: [claim.id for claim in figures[name].claims if (name, claim.id) not in judged]
        for name in made["figure"]
        if name in figures
    }
    return {name: claims for name, claims in every.items() if claims}


def _took(seconds):
    """Return a time in words."""
    if seconds >= 3600:
        return f"{seconds / 3600:.1f} hours"
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} s"


def kept_page(figures, verdicts, made, made_by, statements=(), archived=False):
    """Return results that a command made as Markdown: counts, then each figure with its claims.

    ``figures`` is {id: Figure}; ``verdicts`` has a row per claim with the columns of lfn.stored,
    ``made`` one a figure that is kept, both as text. Pictures are expected in <figure>/.
    ``made_by`` is the command; ``archived`` results have the runs as well.
    """
    parts = [
        (figures[name], verdicts[verdicts["figure"] == name], row)
        for row in made.to_dict("records")
        if (name := row["figure"]) in figures
    ]
    shown = [(figure, _claims(figure, rows), row) for figure, rows, row in parts]
    claims = [claim for _, rows, _ in shown for claim in rows]
    total = Counter(claim["verdict"] for claim in claims)
    decided = sum(int(claim["intervals"] or 0) for claim in claims)
    said = _statements(claims, statements)
    return (
        _environment()
        .get_template("kept.md")
        .render(
            command=made_by,
            archived=archived,
            commits=sorted(set(made["commit"])),
            versions=sorted({f"lfn {row['lfn']}, ns-3 {row['ns3']}" for _, _, row in shown}),
            took=_took(made["runs_wall_s"].astype(float).sum()),
            used=[name for name in VERDICTS if total[name]],
            statements=_counted_statements(said),
            said=_said(said),
            rest=_counted(_rest(claims)),
            calibrations=sum(bool(claim["calibration"]) for claim in claims),
            decided=decided,
            wrong=f"{MISS * decided:.2g}",
            lacking=sorted(set(figures) - set(made["figure"])),
            newer=_newer(figures, verdicts, made),
            shown=shown,
        )
    )
