# SPDX-License-Identifier: GPL-2.0-only
"""What people wrote about a figure, for the report: its README.md and the list of deviations."""

import base64
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

_LINK = re.compile(r'<a href="(?!#)([^"]*)"[^>]*>(.*?)</a>', re.S)
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)"[^>]*/>')
_KINDS = {
    ".png": "png",
    ".svg": "svg+xml",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".gif": "gif",
    ".webp": "webp",
}
_OTHER_FIGURE = re.compile(r"(?:\.\./)?([a-z0-9-]+)/README\.md")
_ENTRY = re.compile(r"^### ([A-Z][A-Z0-9-]*\d[a-z]?): (.+)$", re.M)
_OWN = {"C": "vrp", "Q": "rbudp"}
"""Ids of a bare letter belong to the system that had its entries first."""


def to_html(text, figures=(), folder=None, address="#{}".format):
    """Return Markdown as HTML; tags in it are shown, not obeyed.

    A link to another figure's README.md becomes one to its ``address``, any other link of the
    repository its bare text: the report needs no other file. So do pictures in ``folder`` become
    part of the page, and others their alternative text.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def replaced(match):
        target, words = match.groups()
        if target.startswith(("http://", "https://")):
            return match.group(0)
        other = _OTHER_FIGURE.fullmatch(target)
        if other and other.group(1) in figures:
            return f'<a href="{address(other.group(1))}">{words}</a>'
        return words

    def embed(match):
        source, words = match.groups()
        path = Path(folder or "") / unquote(unescape(source))
        kind = _KINDS.get(path.suffix.lower())
        if folder is None or kind is None or ":" in source or not path.is_file():
            return words
        data = base64.b64encode(path.read_bytes()).decode()
        return f'<img src="data:image/{kind};base64,{data}" alt="{words}" />'

    return _LINK.sub(replaced, _IMAGE.sub(embed, reader.render(text)))


def read_text(path):
    """Return the text of a file, nothing where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def read_deviations(folder):
    """Return the text of all files of the list of deviations, nothing where there is no such
    folder."""
    return "\n".join(read_text(path) for path in sorted(folder.glob("*.md")))


def parts_of_readme(text):
    """Return (body, deviations) of a figure's README.md, without its heading.

    What follows a paragraph's bold "Deviations." counts as deviations.
    """
    body = re.sub(r"\A# .*\n+", "", text)
    body, _, deviations = body.partition("**Deviations.**")
    return body.strip(), deviations.strip()


def deviation_entries(text):
    """Return {id: (title, Markdown)} of the entries of the list of deviations."""
    found = {}
    heads = list(_ENTRY.finditer(text))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        body = re.split(r"\n##? ", text[head.end() : end])[0]
        found[head.group(1)] = (head.group(2).strip(), body.strip())
    return found


def mentioned(figure, texts, entries):
    """Return the ids of deviations that the texts of a figure name, in the list's order."""
    words = set(re.findall(r"(?<![\w-])[A-Z][A-Z0-9-]*\d[a-z]?(?![\w-])", " ".join(texts)))
    return [
        identity
        for identity in entries
        if identity in words and _OWN.get(identity.rstrip("abcdefgh0123456789"), figure) in figure
    ]
