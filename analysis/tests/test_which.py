# SPDX-License-Identifier: GPL-2.0-only
"""The one-page comparison: what holds is said, what does not or is missing is not asserted."""

import json
import re

import pandas as pd
import pytest

import browser
import toy
from conftest import ANALYSIS
from lfn.claims import (
    COLUMNS,
    DEPENDS,
    NEEDS_FULL,
    NOT,
    NOT_RUN,
    PARTLY,
    REFUTED,
    REPRODUCED,
    not_run,
)
from lfn.report import Links, pages
from lfn.spec import SpecError, load_figure, load_figures
from lfn.stored import FOLDER, MADE
from lfn.which import by_claim, to_html
from write_report import Prose, main, papers_of

TEMPLATE = ANALYSIS / "figures" / "comparison.md"


@pytest.fixture(name="figure")
def toy_figure(tmp_path):
    toy.write_figure(tmp_path)
    return load_figure(tmp_path / "toy")


def verdict(word, measured=1.5):
    row = dict.fromkeys(COLUMNS, "") | {"figure": "toy", "claim": "factor", "verdict": word}
    return pd.DataFrame([row | {"measured": measured}])


WHOLE = Links(whole=True).claim


def render(figure, text, word=REPRODUCED, shown=("toy",)):
    everything = [] if word is None else [(figure, verdict(word))]
    return to_html(text, "mine.md", {"toy": figure}, by_claim(everything), shown, WHOLE)


def test_what_holds_is_said_with_number_and_link(figure):
    html = render(figure, "# Which\n\nA byte takes a second. {toy factor}")
    assert "A byte takes a second." in html
    assert 'class="holds"' in html
    assert '(1.5, <a href="#toy.factor">toy</a>)' in html
    assert "Does not hold" not in html


@pytest.mark.parametrize("word", [NOT, PARTLY, REFUTED])
def test_what_does_not_hold_is_not_asserted(figure, word):
    html = render(figure, "A byte takes a second. {toy factor}", word)
    assert '<span class="fails"><b>Does not hold:</b> A byte takes a second. ' in html
    assert f"({word}: 1.5, <a" in html


def test_what_depends_is_reported_with_the_choice(figure):
    table = verdict(DEPENDS).assign(depends_on="queue: reproduced with 2p, not with 1p")
    html = to_html(
        "It is. {toy factor}", "m", {"toy": figure}, by_claim([(figure, table)]), (), str
    )
    assert '<span class="depends"><b>Depends on what the source does not say:</b> It is. ' in html
    assert "(queue: reproduced with 2p, not with 1p, " in html


def test_a_verdict_without_data_has_no_number(figure):
    verdicts = by_claim([(figure, verdict(NOT, measured=""))])
    html = to_html("A byte. {toy factor}", "mine.md", {"toy": figure}, verdicts, ("toy",), WHOLE)
    assert f"number missing: {NOT}, <a" in html


@pytest.mark.parametrize("word", [NEEDS_FULL, NOT_RUN, None])
def test_a_missing_number_is_said(figure, word):
    html = render(figure, "A byte takes a second. {toy factor}", word, shown=())
    assert f"number missing: {word or NOT_RUN}, <code>toy</code>" in html
    assert 'class="missing"' in html
    assert "1.5" not in html


@pytest.mark.parametrize(
    ("changed", "preset", "state"),
    [(False, "quick", "holds"), (True, "quick", "missing"), (False, "tiny", "missing")],
)
def test_what_others_drew_is_not_asserted(figure, changed, preset, state):
    found = [(figure, {"changed": changed, "preset": preset}, verdict(REPRODUCED))]
    prose = Prose({"toy": figure}, found, [], "quick")
    html = prose.html("A byte takes a second. {toy factor}", "mine.md", Links(), False)
    assert f'<span class="{state}">A byte' in html
    assert ("1.5" in html) == (state == "holds")
    assert '<a href="figure-toy.html#toy.factor">toy</a>' in html, "it stays on the page"


def test_sentences_stand_for_themselves_and_the_worst_claim_counts(figure):
    other = load_figure(figure.folder)
    object.__setattr__(other, "id", "other")
    figures = {"toy": figure, "other": other}
    text = "One, {toy factor} two {other factor}\nand three. {toy factor}\n{other factor}"
    holding = by_claim([(figure, verdict(REPRODUCED))])
    html = to_html(text, "mine.md", figures, holding, {"toy"}, WHOLE)
    assert re.findall(r'<span class="(\w+)">(?:One|two|and)', html) == [
        "holds",
        "missing",
        "missing",
    ]
    table = verdict(NOT).assign(figure="other")
    failing = by_claim([(figure, verdict(REPRODUCED)), (other, table)])
    assert to_html(text, "mine.md", figures, failing, {"toy"}, WHOLE).count('class="fails"') == 2


def test_text_is_escaped(figure):
    html = render(figure, "1 < 2 <b>&</b> *so*. {toy factor}\n\nNo <i>claims</i> here.")
    assert "1 &lt; 2 &lt;b&gt;&amp;&lt;/b&gt; <em>so</em>." in html
    assert "No &lt;i&gt;claims&lt;/i&gt; here." in html


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nYes. {none factor}", "mine.md: line 2: there is no figure none"),
        ("Yes. {toy none}", "mine.md: line 1: toy has no claim none"),
        ("Yes. {toy}", "mine.md: line 1: write {figure claim}, not {toy}"),
        ("{toy factor} Yes.", "mine.md: line 1: no claim backs 'Yes.'"),
        ("{toy factor}", "mine.md: line 1: {toy factor} backs no sentence"),
        ("Yes. {toy factor}\n\n# H\n\nAnd. {toy factor} Too.", "mine.md: line 5: no claim backs"),
    ],
)
def test_a_mistake_is_one_line(figure, text, message):
    with pytest.raises(SpecError) as caught:
        render(figure, text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_write_report_ends_with_that_line(tmp_path, capsys):
    toy.write_figure(tmp_path / "figures")
    build = tmp_path / "build"
    drawn = build / "figures" / "toy"
    drawn.mkdir(parents=True)
    (build / "plan").mkdir()
    plan = {"figures": {"toy": []}, "preset": "quick"}
    (build / "plan" / "plan.json").write_text(json.dumps(plan))
    verdict(REPRODUCED).to_csv(drawn / "verdicts.csv", index=False)
    series = {"series": "line", "program": "toy", "flags": {}, "swept": {}, "points": 1, "runs": 1}
    story = {"preset": "quick", "plots": [], "series": [series], "points": 1, "runs": 1}
    story |= {"wall_s": 1.0, "versions": {}, "example": "toy", "files": ["verdicts.csv"]}
    (drawn / "drawn.json").write_text(json.dumps(story))
    template = tmp_path / "figures" / "comparison.md"
    words = ["--figures", str(tmp_path / "figures"), "--build", str(build)]
    row = verdict(REPRODUCED).assign(low=1, high=2, runs=1, kind="number")
    row.to_csv(drawn / "verdicts.csv", index=False)
    assert main(words) == 0
    report = build / "report"
    assert "which" not in (report / "index.html").read_text()
    assert not (report / "which.html").exists()
    template.write_text("Yes. {toy factor}\n")
    assert main(words) == 0
    assert 'href="which.html"' in (report / "index.html").read_text()
    assert (report / "which.html").read_text().count('id="which"') == 1
    before = {path.name: path.read_bytes() for path in report.iterdir() if path.is_file()}
    template.write_text("Yes. {toy none}\n")
    assert main(words) == 1
    assert capsys.readouterr().err == "comparison.md: line 1: toy has no claim none\n"
    after = {path.name: path.read_bytes() for path in report.iterdir() if path.is_file()}
    assert after == before, "nothing half-written"
    assert [path.name for path in build.iterdir() if path.name.startswith(".")] == []


def test_the_template_names_what_there_is():
    figures = load_figures(ANALYSIS / "figures")
    html = to_html(TEMPLATE.read_text(), TEMPLATE.name, figures, {}, set(), WHOLE)
    assert html.count("number missing") >= 30


def test_the_page_fits_on_one_sheet(tmp_path):
    """With the longest that can stand there: every sentence fails, with its number."""
    if not browser.find():
        pytest.skip("no Chromium is installed")
    figures = load_figures(ANALYSIS / "figures")
    everything = []
    for figure in figures.values():
        rows = pd.DataFrame(not_run(figure, ""), columns=COLUMNS)
        everything.append((figure, rows.assign(verdict=NOT, measured=0.000123)))
    verdicts = by_claim(everything)
    which = to_html(TEMPLATE.read_text(), TEMPLATE.name, figures, verdicts, set(), WHOLE)
    plan = {"preset": "quick", "figures": {}}
    made = pages([], plan, text=lambda name, _: which if name == "comparison" else "")
    for name, html in made.items():
        (tmp_path / name).write_text(html, encoding="utf-8")
    path = tmp_path / "all.html"
    with browser.Browser(path.as_uri(), within=tmp_path.as_uri()) as window:
        window.value("document.querySelectorAll('main > :not(#which)').forEach(e => e.remove())")
        window.value("document.getElementById('which').style.breakBefore = 'auto'")
        window.value("document.getElementById('which').style.breakAfter = 'auto'")
        sheets = len(re.findall(rb"/Type\s*/Page\b", window.pdf()))
        assert window.complaints == []
    assert sheets == 1


def of_all(figures, word):
    """[(Figure, verdicts)] in which every claim has the verdict ``word`` and a number."""
    return [
        (
            figure,
            pd.DataFrame(not_run(figure, ""), columns=COLUMNS).assign(verdict=word, measured=1),
        )
        for figure in figures.values()
    ]


@pytest.mark.parametrize("word", [REPRODUCED, NOT, NEEDS_FULL])
def test_the_summary_is_read_in_two_minutes(word):
    figures = load_figures(ANALYSIS / "figures")
    path = ANALYSIS / "figures" / "summary.md"
    verdicts = by_claim(of_all(figures, word))
    address = Links().claim
    html = to_html(path.read_text(), path.name, figures, verdicts, set(figures), address, True)
    words = re.sub("<[^>]*>", " ", html).split()
    assert 300 < len(words) <= 600, word
    assert ("Does not hold" in html) == (word == NOT)


def test_the_first_page_has_a_finding_of_each_paper(tmp_path):
    figures = load_figures(ANALYSIS / "figures")
    prose = Prose(figures, [], [], "quick")
    papers = papers_of(ANALYSIS / "figures" / "findings.toml", figures, tmp_path, tmp_path, prose)
    # A finding rests on what preset full has reproduced.
    kept = pd.read_csv(FOLDER / "full" / MADE)["figure"]
    made = {figures[name].paper for name in kept} - {""}
    assert {paper.name for paper in papers} == made
    for paper in papers:
        assert figures[paper.picture].paper == paper.name
        assert paper.finding.count("needs --full") + paper.finding.count("not run") >= 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[paper]]\nname = 'A'\n", "findings.toml: paper[1].picture: is missing"),
        ("paper = []\n", "findings.toml: paper: must not be empty"),
        (
            "[[paper]]\nname = 'A'\npicture = 'none'\nfinding = 'So.'\n",
            "findings.toml: A: there is no figure none",
        ),
        (
            "[[paper]]\nname = 'A'\npicture = 'toy'\nfinding = 'So. {toy none}'\n",
            "findings.toml: A: line 1: toy has no claim none",
        ),
        (
            "[[paper]]\nname = 'A'\npicture = 'toy'\nfinding = 'So.'\n"
            "[[paper.question]]\ntext = 'So?'\nclaims = ['toy none']\n",
            "findings.toml: A: there is no claim toy none",
        ),
        (
            "[[paper]]\nname = 'A'\npicture = 'toy'\nfinding = 'So.'\n"
            "[[paper.question]]\ntext = 'So?'\nclaims = ['toy']\n",
            "findings.toml: A: write 'figure claim', not 'toy'",
        ),
    ],
)
def test_a_mistake_in_findings_is_one_line(figure, tmp_path, text, message):
    path = tmp_path / "findings.toml"
    path.write_text(text)
    figures = {"toy": figure}
    with pytest.raises(SpecError) as caught:
        papers_of(path, figures, tmp_path, tmp_path, Prose(figures, [], [], "quick"))
    assert str(caught.value) == message
