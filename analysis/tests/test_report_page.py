# SPDX-License-Identifier: GPL-2.0-only
"""The report in a real browser: no complaints, all pictures, filters, paper."""

import importlib.util
import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import pandas as pd
import pytest
from PIL import Image

import browser
from conftest import ANALYSIS
from lfn.campaign import digests_of
from lfn.claims import COLUMNS, VERDICTS
from lfn.spec import load_figures
from write_report import main

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
        "versions": {"lfn": "1.2.3", "ns3": "3.44"},
        "example": "/somewhere/bin/toy --rtt=1ms",
    }


def verdicts_of(figure):
    """Return a verdict for each claim, all of them in turn."""
    rows = []
    for number, claim in enumerate(figure.claims):
        row = {name: getattr(claim, name, "") for name in COLUMNS}
        row |= {"figure": figure.id, "claim": claim.id, "measured": 1.5, "runs": 6}
        row["paper"] = figure.paper
        rows.append({**row, "verdict": VERDICTS[number % 5], "reason": "a < b"})
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.fixture(name="report", scope="module")
def written(tmp_path_factory):
    """(folder, number of claims, of pictures) of the report of three real figures."""
    folder = tmp_path_factory.mktemp("build")
    figures = tmp_path_factory.mktemp("figures")
    for name in CHOSEN:
        shutil.copytree(ANALYSIS / "figures" / name, figures / name)
    (figures / "findings.toml").write_text(
        '[[paper]]\nname = "JRM (ICCS 2003)"\npicture = "jrm-fig1"\n'
        'finding = "The model is close. {jrm-fig1 very-close}"\n'
        '[[paper.question]]\ntext = "Does it hold?"\nclaims = ["jrm-fig1 very-close"]\n'
    )
    (figures / "summary.md").write_text("It is close. {jrm-fig1 very-close}\n")
    pictures = claims = 0
    for figure in load_figures(figures).values():
        drawn = folder / "figures" / figure.id
        drawn.mkdir(parents=True)
        claims += len(figure.claims)
        for name in figure.plots:
            (drawn / f"{name}.svg").write_text(SVG.format(colour="#0072B2"))
            (drawn / f"{name}.csv").write_text("x,y\n1,2\n")
            Image.new("RGB", (800, 600), "#0072B2").save(drawn / f"{name}.png")
            pictures += 1
        document = {**drawn_of(figure), "files": ["verdicts.csv"]}
        document["sources"] = digests_of(figure.folder)
        (drawn / "drawn.json").write_text(json.dumps(document))
        verdicts_of(figure).to_csv(drawn / "verdicts.csv", index=False)
    (folder / "plan").mkdir()
    plan = {"preset": "quick", "figures": dict.fromkeys(CHOSEN, [])}
    (folder / "plan" / "plan.json").write_text(json.dumps(plan))
    listing = ANALYSIS.parent / "doc" / "deviations"
    words = ["--figures", str(figures), "--build", str(folder), "--deviations", str(listing)]
    assert main(words) == 0
    return folder / "report", claims, pictures


def address(report, name):
    return (report[0] / name).as_uri()


@pytest.fixture(name="window")
def opened(report):
    with browser.Browser(address(report, "all.html"), within=report[0].as_uri()) as window:
        yield window


@pytest.fixture(name="claims")
def opened_claims(report):
    with browser.Browser(address(report, "claims.html"), within=report[0].as_uri()) as window:
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


def test_the_filters(report, claims):
    everything = report[1]
    apart = claims.value("document.querySelectorAll('#verdicts [data-apart]').length")
    assert apart > 0
    assert claims.value(SHOWN) == everything - apart, "what counts nowhere is hidden at first"
    claims.value("document.getElementById('apart').click()")
    assert claims.value(SHOWN) == everything
    claims.value("document.querySelector('button[value=reproduced]').click()")
    without = claims.value(SHOWN)
    assert 0 < without < everything
    claims.value("document.getElementById('reset').click()")
    assert claims.value(SHOWN) == everything
    choose = "(e => {{ e.value = '{}'; e.dispatchEvent(new Event('input')) }})({})"
    claims.value(choose.format("jrm", "document.getElementById('system')"))
    jrm = claims.value(SHOWN)
    assert 0 < jrm < everything
    claims.value(choose.format("number", "document.getElementById('kind')"))
    assert 0 < claims.value(SHOWN) < jrm
    claims.value(choose.format("no such word", "document.getElementById('words')"))
    assert claims.value(SHOWN) == 0
    assert claims.value("document.getElementById('shown').value") == f"0 of {everything} claims"
    claims.value("document.getElementById('apart').click()")
    counting = f"0 of {everything - apart} claims"
    assert claims.value("document.getElementById('shown').value") == counting
    assert claims.complaints == []


def test_a_claim_is_found_from_the_first_page(report):
    """Words on the first page, one click to the claim, another to the figure at that claim."""
    with browser.Browser(address(report, "index.html"), within=report[0].as_uri()) as window:
        window.value("document.getElementById('words').value = 'JRM very close'")
        window.address = address(report, "claims.html") + "?words=JRM+very+close"
        window.value("setTimeout(() => document.querySelector('.search button').click())")
        window.arrive()
        assert 0 < window.value(SHOWN) < report[1]
        row = "[...document.querySelectorAll('#verdicts tbody tr')].find(r => !r.hidden)"
        assert "very close" in window.value(f"{row}.textContent")
        window.address = address(report, "figure-jrm-fig1.html") + "#jrm-fig1.very-close"
        window.value(f"setTimeout(() => {row}.querySelector('a.own').click())")
        window.arrive()
        assert "very close" in window.value("document.querySelector('tr:target').textContent")
        place = "document.querySelector('tr:target').getBoundingClientRect().top"
        assert 0 <= window.value(place) < window.value("innerHeight")
        assert window.complaints == []


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("words=rbudp-transfer+payload", "r => r.dataset.system === 'rbudp'"),
        ("words=Does+RBUDP%27s+equation+hold?", "r => r.dataset.system === 'rbudp'"),
        ("words=Which+claims+of+JRM+failed+and+why", "r => r.dataset.system === 'jrm'"),
        ("system=jrm&verdict=partly", "r => r.dataset.system === 'jrm'"),
        ("figure=jrm-fig1&verdict=refuted", "r => r.dataset.figure === 'jrm-fig1'"),
    ],
)
def test_a_link_chooses_claims(report, asked, wanted):
    """Words are looked for in the figure's title and program, too."""
    page = address(report, "claims.html") + "?" + asked.replace(" ", "%20")
    with browser.Browser(page, within=report[0].as_uri()) as window:
        left = "[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden)"
        assert 0 < window.value(f"{left}.length") < report[1]
        assert window.value(f"{left}.every({wanted})")
        assert window.complaints == []


def test_claims_that_have_the_words_come_first(report):
    page = address(report, "claims.html") + "?words=jrm+20"
    with browser.Browser(page, within=report[0].as_uri()) as window:
        left = "[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden)"
        own = f"{left}.map(r => /(?<![\\d.])20(?!\\.?\\d)/.test(r.children[1].textContent))"
        found = window.value(own)
        assert found[0]
        assert not found[-1]
        window.value("document.getElementById('reset').click()")
        ids = window.value(
            "[...document.querySelectorAll('#verdicts tbody tr')].map(r => r.dataset.figure)"
        )
        assert ids == sorted(ids), "in their order again"


def test_a_link_chooses_statements(report):
    page = address(report, "claims.html")
    with browser.Browser(page, within=report[0].as_uri()) as window:
        first = "document.querySelector('#verdicts tbody tr[data-statement]').dataset"
        paper, statement = (window.value(f"{first}.{key}") for key in ("paper", "statement"))
        window.go(f"{page}?paper={quote(paper)}&statement={statement}")
        left = "[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden)"
        assert 0 < window.value(f"{left}.length") < report[1]
        chosen = f"r.dataset.statement === '{statement}' && r.dataset.paper === '{paper}'"
        assert window.value(f"{left}.every(r => {chosen})")


LINKS = "[...document.querySelectorAll('a[href], form')].map(a => a.href ?? a.action)"
IDS = "[...document.querySelectorAll('[id]')].map(e => e.id)"


def test_links_of_all_pages_lead_somewhere(report):
    links, ids = {}, {}
    with browser.Browser(address(report, "index.html"), within=report[0].as_uri()) as window:
        for path in sorted(report[0].glob("*.html")):
            window.go(path.as_uri())
            links[path.name] = window.value(LINKS)
            found = window.value(IDS)
            ids[path.name] = set(found)
            assert len(found) == len(ids[path.name]), path.name
        assert window.complaints == []
    assert set(links) >= {
        "index.html",
        "summary.html",
        "claims.html",
        "deviations.html",
        "all.html",
    }
    for name, addresses in links.items():
        for one in addresses:
            target, _, place = one.partition("#")
            path = Path(url2pathname(urlsplit(target).path))
            assert path.is_file(), (name, one)
            assert path.is_relative_to(report[0]), (name, one)
            assert not place or place in ids[path.name], (name, one)
    for figure in CHOSEN:
        assert address(report, f"figure-{figure}.html") in links["index.html"]
        assert sum(one.endswith(".csv") for one in links[f"figure-{figure}.html"]) >= 1
    assert address(report, "deviations.html") + "#deviation-J-C1" in links["figure-jrm-fig1.html"]


@pytest.mark.parametrize("width", [1400, 400])
def test_every_page_fits_and_keeps_its_navigation(report, width):
    with browser.Browser(address(report, "index.html"), within=report[0].as_uri()) as window:
        window.resize(width, 800)
        for path in sorted(report[0].glob("*.html")):
            window.go(path.as_uri())
            assert window.value("innerWidth") == width
            assert window.value("document.documentElement.scrollWidth <= innerWidth"), path.name
            window.value("scrollTo(0, document.documentElement.scrollHeight)")
            seen = window.value(
                "(([a]) => (r => r.top >= 0 && r.bottom <= innerHeight && r.width > 0)"
                "(a.getBoundingClientRect()))(document.querySelectorAll('nav .bar a'))"
            )
            assert seen, path.name
        window.go(address(report, "figure-jrm-fig1.html"))
        listed = "document.querySelector('nav details[open] a').getBoundingClientRect().width > 0"
        if width == 400:
            assert not window.value(listed)
            window.value("document.querySelector('nav label').click()")
        assert window.value(listed)
        assert window.complaints == []


def test_the_first_page_is_light_and_has_the_findings(report):
    index = report[0] / "index.html"
    with browser.Browser(index.as_uri(), within=report[0].as_uri()) as window:
        sizes = window.value(
            "Promise.all([...document.images].map(i => i.decode().then(() => i.src)))"
        )
        paper = window.value("document.querySelector('.paper').textContent")
    assert len(sizes) == 1
    assert "The model is close." in paper
    assert "jrm-fig1" in paper
    total = sum(Path(url2pathname(urlsplit(one).path)).stat().st_size for one in sizes)
    assert index.stat().st_size + (report[0] / "report.css").stat().st_size + total < 50_000


def test_a_picture_is_zoomed(report):
    page = address(report, "figure-jrm-fig1.html")
    with browser.Browser(page, within=report[0].as_uri()) as window:
        window.resize(400, 800)
        wide = "document.querySelector('figure img').getBoundingClientRect().width"
        small = window.value(wide)
        window.value("document.querySelector('figure label').click()")
        assert window.value(wide) > 1.9 * small
        assert window.value("document.documentElement.scrollWidth <= innerWidth")
        window.value("document.querySelector('figure label').click()")
        assert window.value(wide) == small


def test_on_paper_every_figure_begins_a_page(window):
    window.call("Emulation.setEmulatedMedia", media="print")
    hidden = "getComputedStyle(document.querySelector('nav')).display"
    assert window.value(hidden) == "none"
    units = "[...document.querySelectorAll('#verdicts .unit')].filter(u => u.textContent)"
    assert window.value(f"{units}.length") > 0
    assert window.value(f"{units}.every(u => getComputedStyle(u).display !== 'none')")
    # With nothing but headings left, a page is a figure's own or shared by all.
    window.value("document.querySelectorAll('section > :not(h2)').forEach(e => e.remove())")
    window.value("document.querySelectorAll('main > :not(section, h1)').forEach(e => e.remove())")
    sections = window.value("document.querySelectorAll('section').length")
    assert sections == len(CHOSEN) + 1  # the list of deviations as well
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


def test_pages_of_paper_have_numbers(window):
    numbered = len(window.pdf())
    window.value(
        "document.head.appendChild(document.createElement('style')).textContent ="
        " '@media print { @page { @bottom-right { content: none } } }'"
    )
    assert len(window.pdf()) < numbered - 20 * count_pages(window)


def test_the_look_at_a_whole_report(report, tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("look", ANALYSIS.parent / ".ci/check_report.py")
    look = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(look)
    assert look.main(report[0]) == 0
    assert capsys.readouterr().out.endswith(" passed, 0 failed\n")
    bad = tmp_path / "bad"
    for name, old, new, wrong in (
        ("figure-jrm-fig1.html", "data/jrm-fig1/", "data/none/", "pictures"),
        ("claims.html", "<main>", '<main><div style="width: 900px">wide</div>', "400 px"),
        ("claims.html", "</main>", "</main><script>console.error('no')</script>", "console"),
        ("all.html", "<main>", "<main style='display: none'>", "paper"),
        ("index.html", 'href="claims.html"', 'href="none.html"', "links"),
    ):
        shutil.copytree(report[0], bad, dirs_exist_ok=True)
        html = (bad / name).read_text()
        assert old in html
        (bad / name).write_text(html.replace(old, new, 1))
        assert look.main(bad) == 1
        lines = capsys.readouterr().out.splitlines()
        found = [line.split(":")[0] for line in lines[:-1] if not line.endswith(": fine")]
        assert wrong in found
        assert set(found) <= {wrong, "console"}
