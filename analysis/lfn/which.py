# SPDX-License-Identifier: GPL-2.0-only
"""Prose of the report whose sentences stand with the claims that back them.

The template is Markdown of headings and paragraphs. A sentence, or a part of one, is followed by
the claims that it rests on, {figure claim} each; all that stands before the first of them, or
since the last group of them, is what they back. It is asserted only when all of them hold today.
"""

import re
from html import escape

from markdown_it import MarkdownIt

from lfn.claims import DEPENDS, NEEDS_FULL, NOT_RUN, REPRODUCED, UNDECIDED
from lfn.spec import SpecError

_CLAIM = re.compile(r"\{([^{}]*)\}")
_GROUP = re.compile(r"((?:\{[^{}]*\}\s*)+)")
_UNJUDGED = (UNDECIDED, NEEDS_FULL, NOT_RUN)


def _paragraphs(text):
    """Yield (number of its first line, text) of the paragraphs and headings."""
    lines, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip():
            start = start or number
            lines.append(line)
        elif lines:
            yield start, "\n".join(lines)
            lines, start = [], 0


def _sentences(name, number, text):
    """Return [(sentence, [(figure, claim)])] of a paragraph that names claims."""
    parts = _GROUP.split(text)
    if parts[-1].strip():
        raise SpecError(f"{name}: line {number}: no claim backs '{parts[-1].strip()[:40]}'")
    found = []
    for sentence, group in zip(parts[::2], parts[1::2], strict=False):
        pairs = []
        for inside in _CLAIM.findall(group):
            words = inside.split()
            if len(words) != 2:
                raise SpecError(f"{name}: line {number}: write {{figure claim}}, not {{{inside}}}")
            pairs.append(tuple(words))
        if not sentence.strip():
            raise SpecError(f"{name}: line {number}: {{{' '.join(pairs[0])}}} backs no sentence")
        found.append((sentence.strip(), pairs))
    return found


def _check(name, number, pairs, figures):
    for figure, claim in pairs:
        if figure not in figures:
            raise SpecError(f"{name}: line {number}: there is no figure {figure}")
        if claim not in figures[figure].claims_by_id:
            raise SpecError(f"{name}: line {number}: {figure} has no claim {claim}")


def _number(row, figure):
    unit = figure.claims_by_id[row["claim"]].unit
    value = float(row["measured"])
    text = f"{value:.3g}"
    if text.isdigit() and not value.is_integer():
        text = f"{value:#.3g}".rstrip(".")  # 1.00 where it is not 1
    return escape(f"{text} {unit}".strip())


def _link(figure, claim, shown, address):
    if figure not in shown:
        return f"<code>{figure}</code>"
    return f'<a href="{address(figure, claim)}">{figure}</a>'


def _backing(pairs, verdicts, figures, link_to, brief):
    """Return (state, HTML) of the claims behind a sentence: one of _LEADS."""
    words, states = [], set()
    for figure, claim in pairs:
        row = verdicts.get((figure, claim))
        verdict = row["verdict"] if row is not None else NOT_RUN
        link = link_to(figure, claim)
        if verdict in _UNJUDGED or row["measured"] == "":
            states.add("missing")
            words.append(f"{'' if brief else 'number missing: '}{escape(verdict)}, {link}")
        elif verdict == DEPENDS:
            states.add("depends")
            words.append(f"{escape(row['depends_on'])}, {link}")
        elif verdict == REPRODUCED:
            states.add("holds")
            words.append(link if brief else f"{_number(row, figures[figure])}, {link}")
        else:
            states.add("fails")
            number = "" if brief else f": {_number(row, figures[figure])}"
            words.append(f"{escape(verdict)}{number}, {link}")
    state = next(one for one in ("fails", "missing", "depends", "holds") if one in states)
    return state, "; ".join(words)


_LEADS = {
    "holds": "",
    "missing": "",
    "depends": "<b>Depends on what the source does not say:</b> ",
    "fails": "<b>Does not hold:</b> ",
}


def by_claim(everything):
    """Return {(figure, claim): its verdict's columns} of [(Figure, table of its verdicts)]."""
    return {
        (figure.id, row["claim"]): row
        for figure, table in everything
        for row in table.to_dict("records")
    }


def to_html(text, name, figures, verdicts, shown, address, brief=False):
    """Return prose with its claims as HTML; raises SpecError for what the template names wrongly.

    ``figures`` are all there are, by id; ``verdicts`` are those of today as by_claim() returns
    them, ``shown`` the ids that have a place in the report, where the ``address`` of a figure and
    a claim leads; ``name`` is the template's, for errors. A ``brief`` text has the links and what
    does not hold, and no numbers.
    """

    def link_to(figure, claim):
        return _link(figure, claim, shown, address)

    reader = MarkdownIt("commonmark", {"html": False})
    html = ""
    for number, paragraph in _paragraphs(text):
        if not _CLAIM.search(paragraph):
            html += reader.render(paragraph)
            continue
        body = ""
        for sentence, pairs in _sentences(name, number, paragraph):
            _check(name, number, pairs, figures)
            state, words = _backing(pairs, verdicts, figures, link_to, brief)
            body += (
                f'<span class="{state}">{_LEADS[state]}{reader.renderInline(sentence)} '
                f'<span class="backing">({words})</span></span> '
            )
        html += f"<p>{body.strip()}</p>"
    return html.replace("<h2>", "<h3>").replace("</h2>", "</h3>")
