# SPDX-License-Identifier: GPL-2.0-only
"""The report in a real browser: no complaints, all pictures, filters, paper."""

import importlib.util
import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pandas as pd
import pytest

import browser
from conftest import ANALYSIS
from lfn.claims import COLUMNS, VERDICTS
from lfn.prose import read_ledger
from lfn.report import page
from lfn.spec import load_figures

if not browser.find():
    pytest.skip("no Chromium is installed", allow_module_level=True)

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">'
    '<rect width="400" height="300" fill="{colour}"/></svg>'
)
SHOWN = "[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden).length"
CHOSEN = ("jrm-fig1", "rbudp-fig5", "rbudp-fig7")


def drawn_of(figure):
    """Return a drawn.json with figures' own plots and nothing measured."""
    row = {"series": "line", "program": "toy", "flags": {"rtt": "1ms"}, "swept": {"a": ["1", "2"]}}
    return {
        "preset": "quick",
        "plots": list(figure.plots),
        "series": [{**row, "points": 2, "runs": 3}],
        "points": 2,
        "runs": 6,
        "wall_s": 1.0,
        "versions": {"lfn": "0.1.0", "ns3": "3.44"},
        "example": "/somewhere/bin/toy --rtt=1ms",
    }


def verdicts_of(figure):
    """Return a verdict for each claim, all of them in turn."""
    rows = []
    for number, claim in enumerate(figure.claims):
        row = {name: getattr(claim, name, "") for name in COLUMNS}
        row |= {"figure": figure.id, "claim": claim.id, "measured": 1.5, "runs": 6}
        rows.append({**row, "verdict": VERDICTS[number % 5], "reason": "a < b"})
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.fixture(name="report", scope="module")
def written(tmp_path_factory):
    """(address, number of claims, of pictures) of a page of three real figures."""
    folder = tmp_path_factory.mktemp("report")
    every = load_figures(ANALYSIS / "figures")
    figures = {name: every[name] for name in CHOSEN}
    pictures = 0
    for figure in figures.values():
        (folder / figure.id).mkdir()
        for name in figure.plots:
            (folder / figure.id / f"{name}.svg").write_text(SVG.format(colour="#0072B2"))
            pictures += 1
    found = [(figure, drawn_of(figure), verdicts_of(figure)) for figure in figures.values()]
    ledger = read_ledger(ANALYSIS.parent / "doc" / "deviations")
    html = page(found, folder, {"preset": "quick", "figures": dict.fromkeys(figures, [])}, ledger)
    path = folder / "index.html"
    path.write_text(html, encoding="utf-8")
    claims = sum(len(figure.claims) for figure in figures.values())
    return path.as_uri(), claims, pictures


@pytest.fixture(name="window")
def opened(report):
    with browser.Browser(report[0]) as window:
        yield window


def test_it_loads_without_complaint_and_shows_its_pictures(report, window, tmp_path):
    wide = window.value(
        "Promise.all([...document.images].map(i => i.decode().then(() => i.naturalWidth)))"
    )
    assert wide == [400] * report[2]
    assert window.value(SHOWN) == report[1]
    assert window.value("document.documentElement.scrollWidth <= innerWidth")
    window.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 20_000
    assert window.complaints == []


def test_the_filters(report, window):
    everything = report[1]
    window.value("document.querySelector('button[value=reproduced]').click()")
    without = window.value(SHOWN)
    assert 0 < without < everything
    window.value("document.getElementById('reset').click()")
    assert window.value(SHOWN) == everything
    choose = "(e => {{ e.value = '{}'; e.dispatchEvent(new Event('input')) }})({})"
    window.value(choose.format("jrm", "document.getElementById('system')"))
    jrm = window.value(SHOWN)
    assert 0 < jrm < everything
    window.value(choose.format("number", "document.getElementById('kind')"))
    assert 0 < window.value(SHOWN) < jrm
    window.value(choose.format("no such word", "document.getElementById('words')"))
    assert window.value(SHOWN) == 0
    assert window.value("document.getElementById('shown').value") == f"0 of {everything} claims"
    assert window.complaints == []


def test_links_lead_somewhere(window):
    lost = window.value(
        "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
        ".filter(h => h.startsWith('#') && !document.getElementById(h.slice(1)))"
    )
    assert lost == []
    other = window.value(
        "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
        ".filter(h => !h.startsWith('#'))"
    )
    assert other == []
    assert window.value("document.querySelector('#jrm-fig1 a[href=\"#ledger-J-C1\"]') !== null")


def test_on_paper_every_figure_begins_a_page(window):
    window.call("Emulation.setEmulatedMedia", media="print")
    hidden = "getComputedStyle(document.querySelector('.filters')).display"
    assert window.value(hidden) == "none"
    units = "[...document.querySelectorAll('#verdicts .unit')].filter(u => u.textContent)"
    assert window.value(f"{units}.length") > 0
    assert window.value(f"{units}.every(u => getComputedStyle(u).display !== 'none')")
    # With nothing but headings left, a page is a figure's own or shared by all.
    window.value("document.querySelectorAll('section > :not(h2)').forEach(e => e.remove())")
    window.value("document.querySelectorAll('main > :not(section, h1)').forEach(e => e.remove())")
    sections = window.value("document.querySelectorAll('section').length")
    assert sections == len(CHOSEN) + 1  # the ledger as well
    assert count_pages(window) == 1 + sections
    window.value("document.querySelectorAll('section').forEach(e => e.style.breakBefore = 'auto')")
    assert count_pages(window) == 1
    assert window.complaints == []


def count_pages(window):
    return len(re.findall(rb"/Type\s*/Page\b", window.pdf()))


def test_other_files_are_complaints(tmp_path):
    (tmp_path / "other.svg").write_text(SVG.format(colour="red"))
    page = tmp_path / "page.html"
    page.write_text('<!DOCTYPE html><link rel="icon" href="data:,"><img src="other.svg">')
    with browser.Browser(page.as_uri()) as window:
        assert window.complaints == [f"asks for {(tmp_path / 'other.svg').as_uri()}"]


def test_a_browser_that_says_nothing_leaves_nothing(tmp_path, monkeypatch):
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setattr(browser, "find", lambda: str(silent))
    monkeypatch.setattr(browser, "SECONDS", 0.5)
    monkeypatch.setattr(browser.tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(TimeoutError):
        browser.Browser("about:blank")
    assert len(os.listdir("/proc/self/fd")) == before
    assert list(tmp_path.iterdir()) == [silent]


@pytest.mark.parametrize("width", [600, 400])
def test_a_narrow_window_has_no_sideways_scrolling(report, width):
    with browser.Browser(report[0]) as window:
        window.resize(width, 800)
        assert window.value("innerWidth") == width
        assert window.value("document.documentElement.scrollWidth <= innerWidth")


def test_pages_of_paper_have_numbers(window):
    numbered = len(window.pdf())
    window.value(
        "document.head.appendChild(document.createElement('style')).textContent ="
        " '@media print { @page { @bottom-right { content: none } } }'"
    )
    assert len(window.pdf()) < numbered - 20 * count_pages(window)


def test_the_look_at_a_whole_report(report, tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("look", ANALYSIS.parent / ".ci/look_at_report.py")
    look = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(look)
    path = Path(url2pathname(urlsplit(report[0]).path))
    assert look.main(path) == 0
    assert capsys.readouterr().out.endswith("5 passed, 0 failed\n")
    html = path.read_text()
    bad = tmp_path / "bad.html"
    for old, new, wrong in (
        ("<img alt", '<img src="data:image/svg+xml,no" alt', "pictures"),
        ("<main>", '<main><div style="width: 900px">wide</div>', "400 px"),
        ("<script>", "<script>console.error('no');", "console"),
        ("<main>", "<main style='display: none'>", "paper"),
    ):
        assert old in html
        bad.write_text(html.replace(old, new, 1))
        assert look.main(bad) == 1
        lines = capsys.readouterr().out.splitlines()
        assert [line.split(":")[0] for line in lines[:-1] if not line.endswith(": fine")] == [wrong]
