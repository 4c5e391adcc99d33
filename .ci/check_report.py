#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Open all pages of the report in a headless Chromium: complaints, pictures, links, widths, paper.

.venv/bin/python .ci/check_report.py build/report

Exit status 77 where there is no Chromium. The last line sums up.
"""

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "analysis" / "tests"))

import browser  # noqa: E402

WIDTHS = (1400, 400)
SECONDS = 300
"""Patience for a page that has all pictures in it."""
LIGHT = 200_000
"""The most bytes of the first page with its look and pictures."""

FIGURES = "document.querySelectorAll('.contents li').length"
PICTURES = "[...document.images].map(i => i.src)"
LINKS = "[...document.querySelectorAll('a[href]')].map(a => a.href)"
BROKEN = """Promise.all([...document.images].map(i => i.decode().then(
    () => i.naturalWidth ? null : i.alt, () => i.alt))).then(all => all.filter(Boolean))"""
WIDE = """[...document.querySelectorAll('main *')].filter(
    e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll')
).slice(0, 5).map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 60))"""


def path_of(address):
    """Return the file of an address."""
    return Path(url2pathname(urlsplit(address).path))


def look(window, folder):
    """Yield (what is looked at, what is wrong with it or nothing)."""
    figures = window.value(FIGURES)
    pictures = window.value(PICTURES)
    size = sum(path.stat().st_size for path in map(path_of, pictures) if path.is_file())
    size += sum((folder / name).stat().st_size for name in ("index.html", "report.css"))
    yield "first page", "" if size <= LIGHT else f"{size} bytes, more than {LIGHT}"
    broken, lost, wide = [], [], {width: [] for width in WIDTHS}
    for path in sorted(folder.glob("*.html")):
        window.go(path.as_uri())
        broken += [f"{path.name}: {name}" for name in window.value(BROKEN)]
        gone = {one for one in window.value(LINKS) if not path_of(one).is_file()}
        lost += [f"{path.name}: {one}" for one in sorted(gone)]
        for width in WIDTHS:
            window.resize(width, 1000)
            if not window.value("document.documentElement.scrollWidth <= innerWidth"):
                wide[width].append(f"{path.name}: {window.value(WIDE) or 'scrolls sideways'}")
        window.call("Emulation.clearDeviceMetricsOverride")
    window.go((folder / "all.html").as_uri())
    enough = window.value("document.images.length") >= figures > 0
    yield "pictures", broken[:5] or ("" if enough else f"fewer than {figures} figures")
    yield "links", lost[:5]
    for width in WIDTHS:
        yield f"{width} px", wide[width][:5]
    pdf = window.pdf()
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    whole = pdf.startswith(b"%PDF-") and pages > figures
    yield "paper", "" if whole else f"{pages} pages for {figures} figures"
    yield "console", window.complaints[:5]


def main(folder):
    """Entry point; returns the exit status."""
    if not browser.find():
        print("no Chromium is installed", file=sys.stderr)
        return 77
    browser.SECONDS = max(browser.SECONDS, SECONDS)
    folder = folder.resolve()
    good = bad = 0
    with browser.Browser((folder / "index.html").as_uri(), within=folder.as_uri()) as window:
        for name, wrong in look(window, folder):
            print(f"{name}: {wrong or 'fine'}")
            good, bad = good + (not wrong), bad + bool(wrong)
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
