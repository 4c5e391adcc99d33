#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Open the report in a headless Chromium: complaints, pictures, widths, paper.

.venv/bin/python .ci/look_at_report.py build/report/index.html

Exit status 77 where there is no Chromium. The last line sums up.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "analysis" / "tests"))

import browser  # noqa: E402

WIDTHS = (1200, 400)
SECONDS = 300
"""Patience for a page that has all pictures in it."""

FIGURES = "document.querySelectorAll('.contents li').length"
BROKEN = """Promise.all([...document.images].map(i => i.decode().then(
    () => i.naturalWidth ? null : i.alt, () => i.alt))).then(all => all.filter(Boolean))"""
WIDE = """[...document.querySelectorAll('main *')].filter(
    e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll')
).slice(0, 5).map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 60))"""


def look(window):
    """Yield (what is looked at, what is wrong with it or nothing)."""
    broken = window.value(BROKEN)
    figures = window.value(FIGURES)
    enough = window.value("document.images.length") >= figures > 0
    yield "pictures", broken or ("" if enough else f"fewer than {figures} figures")
    for width in WIDTHS:
        window.resize(width, 1000)
        fits = window.value("document.documentElement.scrollWidth <= innerWidth")
        yield f"{width} px", "" if fits else window.value(WIDE) or "scrolls sideways"
    window.call("Emulation.clearDeviceMetricsOverride")
    pdf = window.pdf()
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    whole = pdf.startswith(b"%PDF-") and pages > figures
    yield "paper", "" if whole else f"{pages} pages for {figures} figures"
    yield "console", window.complaints[:5]


def main(path):
    """Entry point; returns the exit status."""
    if not browser.find():
        print("no Chromium is installed", file=sys.stderr)
        return 77
    browser.SECONDS = max(browser.SECONDS, SECONDS)
    good = bad = 0
    with browser.Browser(path.resolve().as_uri()) as window:
        for name, wrong in look(window):
            print(f"{name}: {wrong or 'fine'}")
            good, bad = good + (not wrong), bad + bool(wrong)
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
