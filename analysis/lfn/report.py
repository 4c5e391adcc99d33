# SPDX-License-Identifier: GPL-2.0-only
"""The report: one page that needs no other file, for the screen and for paper.

In front the counts of the papers' statements, by paper, and of the rest; the verdict table with its
filters, then which transport to take when (one
printed page), then figure by figure: picture and caption, claims, deviations, parameters and the
command that makes it again. What stands where says report.html; what is shown is gathered here.
"""

import base64
import os
import platform
import shlex
from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lfn.claims import MISS, VERDICTS, describe_band
from lfn.prose import ledger_entries, mentioned, parts_of_readme, read_text, to_html

_HERE = Path(__file__).resolve().parent
_NAMES = {"ns3": "ns-3"}
_CHANGED = "programs or definitions that have changed since"
_PRESET_FLAGS = {"full": " --full", "tiny": " --tiny"}
_TITLE = "Long fat networks: the papers, run again"
_MOST_VALUES = 14
"""More values of a swept flag are shown by the first and the last."""


def _number(value):
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return value


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


def _system(figure):
    return figure.id.split("-")[0]


def _claims(figure, verdicts):
    """Return the rows of verdicts.csv with what the tables show besides."""
    known = {claim.id: claim for claim in figure.claims}
    rows = []
    for row in verdicts.to_dict("records"):
        claim = known.get(row["claim"])
        rows.append(
            {
                **row,
                "id": figure.id,
                "system": _system(figure),
                "unit": claim.unit if claim else "",
                "evidence": claim.evidence if claim else "",
                "accepted": describe_band(float(row["low"]), float(row["high"])),
            }
        )
    return rows


def command_of(figure, drawn, plan):
    """Return the command that makes a figure again."""
    campaign = plan.get("campaign", "")
    words = f" --campaign={shlex.quote(campaign)}" if campaign else ""
    return f"./waf figures{words} --only={figure.id}{_PRESET_FLAGS.get(drawn['preset'], '')}"


def _first(drawn):
    """Return the first run's command without the folder of the program."""
    program, _, rest = drawn["example"].partition(" ")
    return f"{program.rsplit('/', 1)[-1]} {rest}"


def _section(figure, drawn, verdicts, folder, plan, ledger, ids):
    """Return what the section of a figure shows."""
    readme = read_text(figure.folder / "README.md")
    body, deviations = parts_of_readme(readme)
    texts = [f"{claim.statement} {claim.reason} {claim.note}" for claim in figure.claims]
    pictures = {name: (folder / figure.id / f"{name}.svg").read_bytes() for name in drawn["plots"]}
    return {
        "figure": figure,
        "drawn": {"changed": False, **drawn},
        "earlier": figure.id not in plan["figures"] or drawn["preset"] != plan["preset"],
        "plots": [(name, base64.b64encode(data).decode()) for name, data in pictures.items()],
        "claims": _claims(figure, verdicts),
        "story": _html(body, ids, figure.folder),
        "deviations": _html(deviations, ids, figure.folder),
        "named": mentioned(figure.id, [readme, *texts], ledger),
        "command": command_of(figure, drawn, plan),
        "first": _first(drawn),
    }


def _counted(groups):
    """Return [(name, counts of verdicts)] of {name: rows of _claims}, the last one of all."""
    counts = [(name, Counter(row["verdict"] for row in rows)) for name, rows in groups.items()]
    return [*counts, ("together", sum((found for _, found in counts), Counter()))]


def _statements(claims):
    """Return the rows of _claims that are statements of papers judged by simulation, by paper."""
    groups = {}
    for row in claims:
        if row["origin"] == "paper" and not row["calibration"] and row["evidence"] == "simulation":
            groups.setdefault(row["paper"], []).append(row)
    return groups


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
            if row["origin"] == origin
            and not row["calibration"]
            and evidence in (None, row["evidence"])
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


def page(found, folder, plan, ledger="", left_out=(), which=""):
    """Return the report as HTML.

    ``found`` is [(Figure, drawn.json, verdicts)], ``folder`` the one of the drawn figures,
    ``ledger`` the text of the ledger of deviations, ``left_out`` [(Figure, verdicts)] of what
    the campaign did not run and no earlier one has drawn with the same programs, ``which`` the
    one-page comparison (lfn.which). A drawn.json with ``changed`` is of other programs than
    today's. Figures of another preset than the campaign's are shown, and count nowhere.
    """
    ids = [figure.id for figure, _, _ in found]
    entries = ledger_entries(ledger)
    sections = [_section(*one, folder, plan, entries, ids) for one in found]
    named = {name for section in sections for name in section["named"]}
    others = {f.id: drawn["preset"] for f, drawn, _ in found if drawn["preset"] != plan["preset"]}
    everything = [(figure, verdicts) for figure, _, verdicts in found if figure.id not in others]
    everything += left_out
    claims = [row for figure, verdicts in everything for row in _claims(figure, verdicts)]
    total = Counter(row["verdict"] for row in claims)
    decided = sum(int(row["intervals"] or 0) for row in claims)
    late = [*plan.get("left_out", {}), *(figure.id for figure, _ in left_out)]
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"number": _number, "words": _words, "prose": _html}
    return environment.get_template("report.html").render(
        title=plan.get("title") or _TITLE,
        css=Markup(read_text(_HERE / "report.css")),
        script=Markup(read_text(_HERE / "report.js")),
        plan={"campaign": "", **plan},
        versions=_versions(found),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        runs=sum(drawn["runs"] for figure, drawn, _ in found if figure.id not in others),
        others=others,
        late=list(dict.fromkeys(late)),
        old=[figure.id for figure, drawn, _ in found if drawn.get("changed")],
        changed=_CHANGED,
        which=Markup(which),
        sections=sections,
        claims=claims,
        statements=_counted(_statements(claims)),
        rest=_counted(_rest(claims)),
        decided=decided,
        wrong=f"{MISS * decided:.2g}",
        calibrations=sum(bool(row["calibration"]) for row in claims),
        total=total,
        used=[name for name in VERDICTS if total[name]],
        systems=list(dict.fromkeys(row["system"] for row in claims)),
        kinds=list(dict.fromkeys(row["kind"] for row in claims)),
        origins=list(dict.fromkeys(row["origin"] for row in claims)),
        ledger=entries,
        appendix=[name for name in entries if name in named],
    )
