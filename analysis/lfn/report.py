# SPDX-License-Identifier: GPL-2.0-only
"""The report: one page that needs no other file, figure by figure."""

import base64
import os
import platform
from html import escape

from lfn.claims import VERDICTS, describe_band

_CSS = """
:root { --ink: #1d2329; --soft: #5d6770; --line: #dfe3e6; --paper: #ffffff; --tint: #f5f7f8; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .3rem; } h2 { font-size: 1.35rem; margin: 0; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; } .soft { color: var(--soft); font-size: .92rem; }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1.6rem; }
img { display: block; width: auto; max-width: min(100%, 52rem); height: auto; max-height: 46rem;
  margin: 1rem auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .42rem .6rem;
  border-bottom: 1px solid var(--line); }
th { background: var(--tint); font-weight: 600; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.band, .flag { white-space: nowrap; } td.statement { width: 58%; } td .soft { font-size: .92em; }
td.flags { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .82rem; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .88em; }
.verdict { display: inline-block; padding: .08rem .5rem; border-radius: .7rem; font-weight: 600;
  font-size: .82rem; white-space: nowrap; border: 1px solid; }
.reproduced { color: #00543b; background: #e2f4ed; border-color: #7cc9ae; }
.refuted { color: #6b2d62; background: #f8eaf4; border-color: #d9a3cc; }
.partly { color: #6b4a00; background: #fdf3dc; border-color: #e3bf68; }
.not-reproduced { color: #862f00; background: #fdeae0; border-color: #e59b72; }
.needs---full { color: #41494f; background: #eef1f3; border-color: #b9c2c8; }
.reason { margin-top: .3rem; padding-left: .6rem; border-left: 3px solid var(--line);
  color: var(--soft); font-size: .92em; }
nav a { margin-right: .9rem; } a { color: #0060a0; }
"""


_NAMES = {"ns3": "ns-3"}


def badge(verdict):
    """Return a verdict as a coloured word."""
    return f'<span class="verdict {verdict.replace(" ", "-")}">{escape(verdict)}</span>'


def _number(value):
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return escape(str(value))


def _rows(header, rows):
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(text, kind=""):
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _statement(row):
    reason = f'<div class="reason">{escape(row["reason"])}</div>' if row["reason"] else ""
    return (
        f"{escape(row['statement'])}<br><span class='soft'>{escape(row['place'])} &middot; "
        f"{row['kind']} &middot; <code>{row['claim']}</code></span>{reason}"
    )


def _claims(figure, verdicts):
    units = {claim.id: claim.unit for claim in figure.claims}
    rows = []
    for row in verdicts.to_dict("records"):
        unit = escape(units.get(row["claim"], ""))
        measured = "" if row["measured"] == "" else f"{_number(row['measured'])} {unit}"
        rows.append(
            [
                _cell(_statement(row), "statement"),
                _cell(escape(str(row["published"])), "number"),
                _cell(measured, "number"),
                _cell(describe_band(float(row["low"]), float(row["high"])), "number band"),
                _cell(badge(row["verdict"])),
                _cell(str(row["runs"]), "number"),
            ]
        )
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


def _image(path, title):
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{escape(title)}" src="data:image/svg+xml;base64,{data}">'


def _section(figure, drawn, verdicts, folder, plan):
    images = "".join(
        _image(folder / figure.id / f"{name}.svg", figure.title) for name in drawn["plots"]
    )
    links = ", ".join(
        f'<a href="../figures/{figure.id}/{name}.{ending}">{name}.{ending}</a>'
        for name in drawn["plots"]
        for ending in ("svg", "png", "csv")
    )
    note = ""
    if figure.id not in plan["figures"] or drawn["preset"] != plan["preset"]:
        note = f"<p class='soft'>Drawn by an earlier campaign, preset {drawn['preset']}.</p>"
    return (
        f'<section id="{figure.id}"><h2>{escape(figure.title)}</h2>'
        f"<p class='soft'>{escape(figure.place)} &middot; <code>analysis/figures/{figure.id}"
        f"</code></p>{note}<p>{escape(figure.summary)}</p>{images}"
        f"<h3>Claims</h3>{_claims(figure, verdicts)}"
        f"<h3>Parameters</h3>{_parameters(drawn)}"
        f"<p class='soft'>{drawn['points']} points, {drawn['runs']} runs, "
        f"{drawn['wall_s']:.0f} s of simulation. First run: <code>{escape(_short(drawn))}</code>"
        f"<br>Files: {links}</p></section>"
    )


def _short(drawn):
    """Return the first run's command without the folder of the program."""
    program, _, rest = drawn["example"].partition(" ")
    return f"{program.rsplit('/', 1)[-1]} {rest}"


def _overview(found):
    rows = []
    for figure, _, verdicts in found:
        counts = verdicts["verdict"].value_counts()
        rows.append(
            [
                _cell(f'<a href="#{figure.id}">{escape(figure.title)}</a>'),
                *(_cell(str(counts.get(verdict, "")), "number") for verdict in VERDICTS),
            ]
        )
    total = [verdict for _, _, verdicts in found for verdict in verdicts["verdict"]]
    rows.append(
        [
            _cell("<b>all</b>"),
            *(_cell(f"<b>{total.count(verdict) or ''}</b>", "number") for verdict in VERDICTS),
        ]
    )
    return _rows(("figure", *VERDICTS), rows)


def _versions(found):
    """Return the versions that the runs report; more than one set when builds were mixed."""
    sets = {
        ", ".join(f"{_NAMES.get(key, key)} {text}" for key, text in drawn["versions"].items())
        for _, drawn, _ in found
    }
    return "; ".join(sorted(filter(None, sets))) or "versions unknown"


def page(found, folder, plan):
    """Return the report as HTML.

    ``found`` is [(Figure, drawn.json, verdicts)], ``folder`` the one of the drawn figures.
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    runs = sum(drawn["runs"] for _, drawn, _ in found)
    sections = "".join(_section(f, d, v, folder, plan) for f, d, v in found)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>lfn: figures and verdicts</title><style>{_CSS}</style></head><body><main>"
        "<h1>Long fat networks: the papers, run again</h1>"
        "<p>Every figure below is drawn from packet simulation and stands beside the numbers and "
        "equations of its paper. Each claim is a published statement with a band that was set "
        "before the run.</p>"
        f"<p class='soft'>{escape(_versions(found))} &middot; Python "
        f"{platform.python_version()} &middot; {escape(machine)} &middot; preset "
        f"{plan['preset']}, {runs} runs</p>"
        f"{_overview(found)}"
        "<p class='soft'><b>reproduced</b>: the measured value lies in the band. <b>refuted</b>: "
        "the statement contradicts arithmetic, an exact law or the paper's own numbers. "
        "<b>partly</b> and <b>not reproduced</b> give their reason. <b>needs --full</b>: this "
        "preset cannot judge. Where a claim has several parts, the worst is shown.</p>"
        f"{sections}</main></body></html>\n"
    )
