# SPDX-License-Identifier: GPL-2.0-only
"""The report: one page that needs no other file, for the screen and for paper.

In front the verdict table with its counts and filters, then which transport to take when (one
printed page), then figure by figure: picture and caption, claims, deviations, parameters and the
command that makes it again.
"""

import base64
import os
import platform
import shlex
from collections import Counter
from html import escape
from pathlib import Path

from lfn.claims import VERDICTS, describe_band
from lfn.prose import appendix, ledger_entries, mentioned, parts_of_readme, read_text, to_html

_HERE = Path(__file__).resolve().parent
_NAMES = {"ns3": "ns-3"}
_CHANGED = "programs or definitions that have changed since"
_PRESET_FLAGS = {"full": " --full", "tiny": " --tiny"}
_CLAIMS = (
    " Each claim is a statement, published or (<code>compare-*</code>) our own, with a band that "
    "was set before the run; one whose band was written or moved later says so with its figure."
)
_WHICH = '<p><a href="#which">Which transport when</a>: one page, with numbers.</p>'


def badge(verdict):
    """Return a verdict as a coloured word."""
    return f'<span class="verdict {verdict.replace(" ", "-")}">{escape(verdict)}</span>'


def _number(value):
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return escape(str(value))


def _rows(header, rows, identity=""):
    """Return a table; a row is its cells, or (attributes of the row, its cells)."""
    body = ""
    for row in rows:
        attributes, cells = row if isinstance(row, tuple) else ("", row)
        body += f"<tr{attributes}>{''.join(cells)}</tr>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    mark = f' id="{identity}"' if identity else ""
    return (
        f'<div class="scroll"><table{mark}><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(text, kind=""):
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _measured(row, units):
    if row["measured"] == "":
        return ""
    unit = escape(units.get(row["claim"], ""))
    return f'{_number(row["measured"])} <span class="unit">{unit}</span>'


def _units(figure):
    return {claim.id: claim.unit for claim in figure.claims}


def _statement(row):
    reason = f'<div class="reason">{escape(row["reason"])}</div>' if row["reason"] else ""
    return (
        f"{escape(row['statement'])}<br><span class='soft'>{escape(row['place'])} &middot; "
        f"{row['kind']} &middot; <code>{row['claim']}</code></span>{reason}"
    )


def _band(row):
    return describe_band(float(row["low"]), float(row["high"]))


def _claims(figure, verdicts):
    units = _units(figure)
    rows = [
        [
            _cell(_statement(row), "statement"),
            _cell(escape(str(row["published"])), "number"),
            _cell(_measured(row, units), "number"),
            _cell(_band(row), "number band"),
            _cell(badge(row["verdict"])),
            _cell(str(row["runs"]), "number"),
        ]
        for row in verdicts.to_dict("records")
    ]
    return _rows(("statement", "published", "measured", "band", "verdict", "runs"), rows)


def _unbroken(words):
    """Return words that may only be parted between each other."""
    return " ".join(f'<span class="flag">{escape(word)}</span>' for word in words)


def _parameters(drawn):
    rows = []
    for series in drawn["series"]:
        flags = [f"--{name}={value}" for name, value in series["flags"].items()]
        swept = " ".join(
            f"--{name}="
            + (",".join(values) if len(values) <= 14 else f"{values[0]},...,{values[-1]}")
            for name, values in series["swept"].items()
        )
        rows.append(
            [
                _cell(escape(series["series"])),
                _cell(_unbroken([series["program"], *flags]), "flags"),
                _cell(escape(swept), "flags"),
                _cell(str(series["points"]), "number"),
                _cell(str(series["runs"]), "number"),
            ]
        )
    return _rows(("series", "fixed", "swept", "points", "runs a point"), rows)


def _pictures(figure, drawn, folder):
    """Return the plots with captions; of several each is named by a letter."""
    parts = []
    for number, name in enumerate(drawn["plots"]):
        data = base64.b64encode((folder / figure.id / f"{name}.svg").read_bytes()).decode()
        letter = f" ({chr(ord('a') + number)})" if len(drawn["plots"]) > 1 else ""
        caption = f"<b>{escape(figure.id)}{letter}.</b> "
        if number == 0:
            caption += f"{escape(figure.title)}. {escape(figure.summary)} "
        caption += f"Plotted numbers: <code>figures/{figure.id}/{name}.csv</code>"
        parts.append(
            f'<figure><img alt="{escape(figure.title)}: {escape(name)}" decoding="async" '
            f'src="data:image/svg+xml;base64,{data}"><figcaption>{caption}</figcaption></figure>'
        )
    return "".join(parts)


def _deviations(figure, prose, entries, ids):
    own = to_html(prose, ids, figure.folder) if prose else "<p>Its README names none.</p>"
    texts = [read_text(figure.folder / "README.md")]
    texts += [f"{claim.statement} {claim.reason} {claim.note}" for claim in figure.claims]
    named = mentioned(figure.id, texts, entries)
    if named:
        links = "".join(
            f'<li><a href="#ledger-{name}">{name}</a>: {escape(entries[name][0])}</li>'
            for name in named
        )
        own += f"<p>Entries of the ledger that play a part:</p><ul>{links}</ul>"
    return f'<h3>Deviations</h3><div class="prose">{own}</div>', named


def command_of(figure, drawn, plan):
    """Return the command that makes a figure again."""
    campaign = plan.get("campaign", "")
    words = f" --campaign={shlex.quote(campaign)}" if campaign else ""
    return f"./waf figures{words} --only={figure.id}{_PRESET_FLAGS.get(drawn['preset'], '')}"


def _section(figure, drawn, verdicts, folder, plan, entries, ids):
    note = ""
    if figure.id not in plan["figures"] or drawn["preset"] != plan["preset"]:
        old = f", with {_CHANGED}" if drawn.get("changed") else ""
        note = f"<p class='soft'>Drawn by an earlier campaign, preset {drawn['preset']}{old}.</p>"
    body, prose = parts_of_readme(read_text(figure.folder / "README.md"))
    story = f"<h3>What is compared</h3><div class='prose'>{to_html(body, ids, figure.folder)}</div>"
    deviations, named = _deviations(figure, prose, entries, ids)
    html = (
        f'<section id="{figure.id}"><a class="up" href="#top">to the verdicts</a>'
        f"<h2>{escape(figure.title)}</h2>"
        f"<p class='soft'>{escape(figure.place)}</p>{note}{_pictures(figure, drawn, folder)}"
        f"<h3>Claims</h3>{_claims(figure, verdicts) if len(verdicts) else '<p>None.</p>'}"
        f"{story if body else ''}{deviations}"
        f"<h3>Parameters</h3>{_parameters(drawn)}"
        f"<p class='soft'>{drawn['points']} points, {drawn['runs']} runs, "
        f"{drawn['wall_s']:.0f} s of simulation. Make it again: "
        f"<code>{escape(command_of(figure, drawn, plan))}</code><br>"
        f"First run: <code>{escape(_short(drawn))}</code></p></section>"
    )
    return html, named


def _short(drawn):
    """Return the first run's command without the folder of the program."""
    program, _, rest = drawn["example"].partition(" ")
    return f"{program.rsplit('/', 1)[-1]} {rest}"


def _system(identity):
    return identity.split("-")[0]


def _options(values, all_of_them):
    rest = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f'<option value="">{all_of_them}</option>{rest}'


def _verdict_table(everything):
    """Return counts, filters and the table of all claims."""
    rows, total = [], []
    for figure, verdicts in everything:
        units = _units(figure)
        for row in verdicts.to_dict("records"):
            total.append(row["verdict"])
            attributes = (
                f' data-verdict="{escape(row["verdict"])}" data-kind="{row["kind"]}"'
                f' data-system="{_system(figure.id)}"'
            )
            cells = [
                _cell(f'<a href="#{figure.id}">{figure.id}</a>'),
                _cell(f"{escape(row['statement'])} <code>{row['claim']}</code>", "statement"),
                _cell(escape(str(row["published"])), "number"),
                _cell(_measured(row, units), "number"),
                _cell(_band(row), "number band"),
                _cell(badge(row["verdict"])),
            ]
            rows.append((attributes, cells))
    counts = "".join(
        f'<li><button class="verdict {name.replace(" ", "-")}" value="{name}" aria-pressed="true" '
        f'disabled title="show or hide">{total.count(name)} {name}</button></li>'
        for name in VERDICTS
        if name in total
    )
    systems = dict.fromkeys(_system(figure.id) for figure, _ in everything)
    kinds = dict.fromkeys(row.kind for _, v in everything for row in v.itertuples())
    header = ("figure", "claim", "published", "measured", "band", "verdict")
    return (
        f'<ul class="counts">{counts}</ul><div class="filters" hidden>'
        f'<label>system<select id="system">{_options(systems, "all")}</select></label>'
        f'<label>kind<select id="kind">{_options(kinds, "all")}</select></label>'
        '<label>words<input id="words" type="search" placeholder="in figure, claim or number">'
        '</label><button id="reset" type="button">show all</button>'
        '<output id="shown" class="soft"></output></div>' + _rows(header, rows, "verdicts")
    )


def _contents(found):
    items = "".join(
        f'<li><a href="#{figure.id}">{escape(figure.id)}</a> {escape(figure.title)}</li>'
        for figure, _, _ in found
    )
    return f'<ul class="contents">{items}</ul>'


def _overview(everything):
    """Return a table: systems with the counts of their verdicts."""
    counts = {}
    for figure, verdicts in everything:
        row = counts.setdefault(_system(figure.id), Counter({"figures": 0}))
        row["figures"] += 1
        row.update(verdicts["verdict"])
    total = sum(counts.values(), Counter())  # a system may be called "all"
    used = [name for name in VERDICTS if total[name]]
    rows = [
        [_cell(escape(system)), *(_cell(str(row[name] or ""), "number") for name in names)]
        for names in [("figures", *used)]
        for system, row in [*counts.items(), ("together", total)]
    ]
    return _rows(("system", "figures", *used), rows, "counts")


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
    today's.
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    runs = sum(drawn["runs"] for _, drawn, _ in found)
    entries = ledger_entries(ledger)
    ids = [figure.id for figure, _, _ in found]
    sections, named = "", set()
    for figure, drawn, verdicts in found:
        html, names = _section(figure, drawn, verdicts, folder, plan, entries, ids)
        sections += html
        named.update(names)
    everything = [(figure, verdicts) for figure, _, verdicts in found] + list(left_out)
    notice = ""
    late = dict.fromkeys([*plan.get("left_out", {}), *(figure.id for figure, _ in left_out)])
    if late:
        names = ", ".join(map(escape, late))
        notice = f'<p class="notice">Not run, for lack of time: {names}.</p>'
    old = [figure.id for figure, drawn, _ in found if drawn.get("changed")]
    if old:
        names = ", ".join(map(escape, old))
        notice += f'<p class="notice">Drawn with {_CHANGED}: {names}.</p>'
    title = escape(plan.get("title") or "Long fat networks: the papers, run again")
    ours = "" if plan.get("campaign") else _CLAIMS
    css = (_HERE / "report.css").read_text(encoding="utf-8")
    script = (_HERE / "report.js").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{title}: figures and verdicts</title><style>{css}</style></head>"
        f'<body id="top"><main><h1>{title}</h1>'
        f"<p>Every figure below is drawn from packet simulation.{ours}</p>"
        f"<p class='soft'>{escape(_versions(found))} &middot; Python "
        f"{platform.python_version()} &middot; {escape(machine)} &middot; preset "
        f"{plan['preset']}, {len(found)} figures, {runs} runs</p>{notice}"
        f"{_WHICH if which else ''}"
        f"<h3>Verdicts</h3>{_overview(everything)}"
        f"<h3>Figures</h3>{_contents(found)}"
        f"<h3>Claims</h3>{_verdict_table(everything)}"
        "<p class='soft'><b>reproduced</b>: the measured value lies in the band. <b>refuted</b>: "
        "the statement contradicts arithmetic, an exact law or the paper's own numbers. "
        "<b>partly</b> and <b>not reproduced</b> give their reason with the figure. "
        "<b>needs --full</b>: this preset cannot judge. <b>not run</b>: there was no time. "
        "Where a claim has several parts, the worst is shown.</p>"
        f"{which}{sections}{appendix(entries, named)}</main>"
        f"<script>{script}</script></body></html>\n"
    )
