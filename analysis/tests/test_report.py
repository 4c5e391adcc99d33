# SPDX-License-Identifier: GPL-2.0-only
"""The report's pages: they need nothing else, are well-formed, and nothing is unescaped."""

import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

import toy
from conftest import ANALYSIS, claim_of
from lfn.campaign import digests_of
from lfn.claims import COLUMNS, NOT_RUN, VERDICTS, not_run
from lfn.fingerprint import fingerprint
from lfn.prose import deviation_entries, mentioned, parts_of_readme, to_html
from lfn.report import Paper, pages
from lfn.spec import load_figure, load_figures
from lfn.statements import Statement
from write_report import gather, gather_left_out

VOID = {"meta", "img", "br", "link", "input"}


class Checker(HTMLParser):
    """Collects links and text, and checks that every tag is closed in order."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.sources = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.sources += [value for name, value in attrs if name == "src"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def index(found, plan, **more):
    """The first page."""
    return pages(found, plan, **more)["index.html"]


def whole(found, plan, *more, **others):
    """The whole report on one page."""
    return pages(found, plan, *more, **others)["all.html"]


@pytest.fixture(name="found")
def drawn_figure(tmp_path):
    toy.write_figure(tmp_path)
    figure = load_figure(tmp_path / "toy")
    drawn = {
        "preset": "quick",
        "plots": ["toy"],
        "series": [
            {
                "series": "line",
                "program": "toy-transfer",
                "flags": {"evil": "<b>&"},
                "swept": {"size": ["1", "2"]},
                "points": 2,
                "runs": 3,
            }
        ],
        "points": 2,
        "runs": 6,
        "wall_s": 1.0,
        "versions": {"lfn": "1.2.3", "ns3": "3.44"},
        "example": "/somewhere/bin/toy-transfer --evil='<b>&'",
    }
    row = dict.fromkeys(COLUMNS, "")
    row |= {"figure": "toy", "claim": "factor", "statement": "a < b & c", "low": 1, "high": 2}
    row |= {"paper": "Toy (2000)", "origin": "paper", "band": "chosen before"}
    # One claim per verdict; the first has the name of the figure's own.
    names = ["factor", *(f"factor-{number}" for number in range(1, len(VERDICTS)))]
    figure.claims_by_id.update(dict.fromkeys(names, figure.claims_by_id["factor"]))
    rows = [
        {**row, "claim": name, "verdict": verdict, "measured": 1.5, "runs": 6}
        for name, verdict in zip(names, VERDICTS, strict=True)
    ]
    return [(figure, drawn, pd.DataFrame(rows))]


def test_page(found):
    made = pages(found, {"preset": "quick", "figures": {"toy": []}})
    named = {"index.html", "claims.html", "failed.html", "figure-toy.html", "all.html"}
    assert set(made) == named | {"report.css", "report.js"}
    html = {name: text for name, text in made.items() if name.endswith(".html")}
    assert "says whose it is" in html["index.html"]
    seen = {}
    for name, text in html.items():
        checker = Checker()
        checker.feed(text)
        checker.close()
        assert checker.open == []
        assert set(checker.sources) <= {"data/toy/toy.svg", "report.js"}
        assert "/somewhere" not in text
        assert "earlier campaign" not in text
        seen[name] = checker.text
    for name in ("claims.html", "figure-toy.html", "all.html"):
        assert "a < b & c" in seen[name]
        assert all(verdict in seen[name] for verdict in VERDICTS)
    for name in ("figure-toy.html", "all.html"):
        assert "--evil=<b>&" in seen[name]
        assert "<img" in html[name]
    assert "ns-3 3.44" in seen["index.html"]


def test_a_figure_of_an_earlier_campaign_says_so(found):
    for plan in ({"preset": "full", "figures": {"toy": []}}, {"preset": "quick", "figures": {}}):
        made = pages(found, plan)
        assert "earlier campaign" in made["figure-toy.html"]
        assert "earlier campaign" in made["all.html"]


def test_presets_do_not_mix(found):
    figure, drawn, verdicts = found[0]
    other = figure.model_copy(update={"id": "other"})
    both = [(figure, drawn, verdicts), (other, {**drawn, "preset": "tiny"}, verdicts)]
    html = whole(both, {"preset": "quick", "figures": {"toy": [], "other": []}})
    text = " ".join(checked_text(html).split())
    assert "preset quick, 1 figures, 6 runs" in text
    assert "Of another preset, shown but counted nowhere: other (tiny)." in text
    assert "Drawn by an earlier campaign, preset tiny." in text
    assert counts(html, "counts")["together"][0] == str(len(VERDICTS))
    assert html.count("<tr data-verdict=") == len(VERDICTS)


def test_a_campaign_that_is_not_finished_says_so(found):
    figure, drawn, verdicts = found[0]
    other = figure.model_copy(update={"id": "other"})
    both = [(figure, drawn, verdicts), (other, {**drawn, "pending": True}, verdicts)]
    plan = {"preset": "quick", "figures": {"toy": [], "other": [], "third": []}}
    html = index(both, plan)
    text = " ".join(checked_text(html).split())
    assert "Not made yet, this is a part of the campaign: other, third." in text
    assert "preset quick, 1 figures, 6 runs" in text
    assert counts(html, "counts")["together"][0] == str(len(VERDICTS))
    assert "Not made yet" not in index(both[:1], {**plan, "figures": {"toy": []}})


def test_what_was_left_out_is_said(found):
    figure = found[0][0]
    rows = pd.DataFrame(not_run(figure, "no time"), columns=COLUMNS)
    html = whole([], {"preset": "quick", "figures": {}}, left_out=[(figure, rows)])
    assert "Not run, for lack of time: toy." in html
    assert f'data-verdict="{NOT_RUN}"' in html


def test_what_an_earlier_campaign_drew(tmp_path):
    """It counts for what was left out if its programs are those of today, and is named anyway."""
    build, figures = tmp_path / "build", tmp_path / "figures"
    program = toy.write_program(build)
    toy.write_figure(figures)
    every = load_figures(figures)
    folder = build / "figures" / "toy"
    folder.mkdir(parents=True)
    drawn = {"fingerprints": {"toy-transfer": fingerprint(program)}, "preset": "quick"}
    drawn |= {"sources": digests_of(figures / "toy"), "files": ["verdicts.csv"]}
    (folder / "drawn.json").write_text(json.dumps(drawn))
    row = dict.fromkeys(COLUMNS, "") | {"statement": "1", "claim": "2", "reason": "3"}
    pd.DataFrame([row]).to_csv(folder / "verdicts.csv", index=False)
    plan = {"figures": {}, "left_out": {"toy": "9 s"}, "budget": "1s", "preset": "quick"}
    found = gather(every, build, plan)
    assert [(f.id, d["changed"]) for f, d, _ in found] == [("toy", False)]
    assert found[0][2]["statement"][0] == "1", "a text that looks like a number"
    assert gather_left_out(every, found, plan) == []
    band = figures / "toy" / "figure.toml"
    text = band.read_text()
    band.write_text(text.replace("high = 1.1", "high = 0.95"))
    assert gather(every, build, plan) == []
    band.write_text(text)
    assert len(gather(every, build, plan)) == 1
    toy.write_program(build, comment="another one")
    assert gather(every, build, plan) == []
    [(figure, rows)] = gather_left_out(every, [], plan)
    assert (figure.id, rows["verdict"][0]) == ("toy", NOT_RUN)
    # What was not asked for stays on the page, and is marked.
    [(_, drawn, _)] = gather(every, build, {**plan, "left_out": {}})
    assert drawn["changed"]
    toy.write_program(build)
    plan = {"figures": {"toy": []}, "runs": {"toy": {"a": 2, "b": 1}}, "preset": "quick"}
    for runs, preset, pending in ((3, "quick", False), (2, "quick", True), (3, "tiny", True)):
        document = json.loads((folder / "drawn.json").read_text())
        (folder / "drawn.json").write_text(json.dumps(document | {"runs": runs, "preset": preset}))
        [(_, drawn, _)] = gather(every, build, plan)
        assert (drawn["pending"], drawn["changed"]) == (pending, False)
    (folder / "verdicts.csv").unlink()
    assert gather(every, build, {**plan, "left_out": {}}) == [], "a file of it is gone"


def test_left_out_and_changed_figures_are_named(found):
    plan = {"preset": "quick", "figures": {}, "left_out": {"toy": "9 s"}, "budget": "1s"}
    html = whole(found, plan)
    assert "Not run, for lack of time: toy." in html
    assert "changed since" not in html
    found[0][1]["changed"] = True
    html = whole(found, plan)
    assert "Drawn with programs or definitions that have changed since: toy." in html


def counts(html, table):
    """{name: numbers of its row} of one of the front tables."""
    table = html[html.index(f'<table id="{table}">') :]
    table = table[: table.index("</table>")]
    rows = re.findall(r"<tr><td>(.+?)</td>(.*)</tr>", table)
    return {name: re.findall(r">(\d*)(?:</a>)?</td>", cells) for name, cells in rows}


def test_texts_that_look_like_numbers_and_a_paper_called_so(found):
    figure, drawn, verdicts = found[0]
    verdicts = verdicts.astype(str).assign(statement="1", place="2")
    every = figure.model_copy(update={"id": "all-of-it"})
    plan = {"preset": "quick", "figures": {"toy": [], "all-of-it": []}}
    of_another = verdicts.assign(paper="4")
    html = index([(figure, drawn, verdicts), (every, drawn, of_another)], plan)
    each = ["1"] * len(VERDICTS)
    assert counts(html, "counts") == {
        "Toy (2000)": [str(len(VERDICTS)), *each, ""],
        "4": [str(len(VERDICTS)), *each, ""],
        "together": [str(2 * len(VERDICTS)), *("2" for _ in each), ""],
    }


def test_only_statements_of_papers_count_in_front(found):
    figure, drawn, verdicts = found[0]
    one = verdicts[verdicts["verdict"] == "reproduced"]
    rows = pd.concat(
        [
            one,
            one.assign(calibration="fit", fitted_to="Table 1; Fig. 2"),
            one.assign(origin="own", published="", expected="3.5"),
            one.assign(origin="literature"),
            one.assign(origin="derived"),
        ],
        ignore_index=True,
    )
    html = whole([(figure, drawn, rows)], {"preset": "quick", "figures": {"toy": []}})
    only = ["1", "1", ""]
    assert counts(html, "counts") == {"Toy (2000)": only, "together": only}
    assert {name: found[0] for name, found in counts(html, "rest").items()} == {
        "derived from numbers of the papers": "1",
        "other literature": "1",
        "checks of our own": "1",
        "together": "3",
    }
    text = " ".join(checked_text(html).split())
    assert "1 more claims restate an input, a fit or the protocol itself." in text
    assert "Calibration: it restates a fit and counts nowhere." in text
    assert "Parameters were fitted to: Table 1; Fig. 2." in text
    assert "3.5 (computed)" in text


def test_a_statement_counts_once_and_says_whether_its_number_is_sound(found):
    """Two claims of one statement, and one about a printed number of another."""
    figure, drawn, verdicts = found[0]
    one = verdicts[verdicts["verdict"] == "reproduced"]
    rows = pd.concat(
        [
            one.assign(claim="factor"),
            one.assign(claim="factor-1", verdict="not reproduced"),
            one.assign(claim="factor-2", kind="number", published="18 Mb/s"),
        ],
        ignore_index=True,
    )
    keys = {"id": "1", "paper": "Toy (2000)", "place": "s", "text": "t"}
    both = Statement(**keys, claims=("toy.factor", "toy.factor-1"))
    plan = {"preset": "quick", "figures": {"toy": []}}
    made = pages([(figure, drawn, rows)], plan, statements=(both,))
    found = counts(made["index.html"], "counts")
    assert found["Toy (2000)"] == ["2", "1", "1", "1"], "partly by its two claims; and sound"
    assert made["claims.html"].count('data-statement="partly"') == 2
    assert made["claims.html"].count('data-statement="reproduced"') == 1


def test_what_does_not_hold_stands_with_its_reason_in_the_row(found):
    figure, drawn, verdicts = found[0]
    words = "not 1 to 2 at 5 s: 3. It is too slow at 1.5 MB. More is in the README"
    verdicts = verdicts.assign(reason=words, depends_on="queue: reproduced with 2p, not with 1p")
    plan = {"preset": "quick", "figures": {}}
    page = pages([(figure, drawn, verdicts)], plan)["failed.html"]
    cells = re.findall(r'<td data-name="why" class="why">(.*?)</td>', page)
    why = " It is too slow at 1.5 MB. More is in the README"
    where = 3 * ["not 1 to 2 at 5 s: 3"] + ["queue: reproduced with 2p, not with 1p"]
    assert cells == [f'<span class="soft">{one}.</span>{why}' for one in where]
    headings = re.findall(r'<h3 id="failed-toy-2000-(.*?)">', page)
    assert headings == ["not-reproduced", "refuted", "partly", "depends"], "a table per verdict"
    assert page.count("1 statement of the paper</h3>") == 4
    assert '<section id="failed-toy-2000">' in page
    figure.claims_by_id["factor-1"] = claim_of(low=1, reason="It waits. Longer than one thinks")
    verdicts = verdicts.assign(reason="not at least 1", high="inf")
    page = pages([(figure, drawn, verdicts)], plan)["failed.html"]
    assert 'class="why">It waits. Longer than one thinks</td>' in page, "the cause, where known"
    page = pages([(figure, drawn, verdicts.assign(origin="own"))], plan)["failed.html"]
    assert re.findall(r'<h3 id="failed-toy-2000-(.*?)">', page) == ["rest"]
    page = pages([(figure, drawn, verdicts.assign(origin="own", paper=""))], plan)["failed.html"]
    assert '<section id="failed-figures-of-our-own">' in page
    calibrated = verdicts.assign(calibration="fit")
    made = pages([(figure, drawn, calibrated)], plan)
    assert "failed.html" not in made
    assert "failed.html" not in made["index.html"]


def test_questions_of_the_first_page_are_answered_by_verdicts(found):
    claims = (("toy", "factor"), ("toy", "factor-3"), ("toy", "none-today"))
    questions = (("Does it hold?", claims), ("And that?", (("other", "a"),)))
    paper = Paper("Toy (2000)", "", "toy", questions=questions)
    figure, drawn, verdicts = found[0]
    rows = verdicts.assign(error="0.25", published="two")
    made = pages(
        [(figure, drawn, rows)], {"preset": "quick", "figures": {"toy": []}}, papers=[paper]
    )
    page = made["index.html"]
    assert '<a href="#question-1-1">Does it hold?</a>' in page
    assert '<dt id="question-1-1">Does it hold?</dt>' in page
    assert "And that?" not in page, "there is no answer today"
    assert page.count("<dd>") == 2
    assert 'class="verdict reproduced" href="figure-toy.html#toy.factor"' in page
    text = " ".join(checked_text(page).split())
    assert "reproduced a < b & c Measured: 1.5 \u00b1 0.25 ; published: two." in text
    failing = 'class="verdict not-reproduced" href="failed.html#failed-toy-2000-not-reproduced"'
    assert failing in page, "to the reasons"
    holding = "claims.html?paper=Toy%20%282000%29&amp;statement=reproduced"
    assert f'class="verdict reproduced" href="{holding}"' in page
    for target in re.findall(r'href="failed.html#(.*?)"', page):
        assert f'id="{target}"' in made["failed.html"]


def test_the_first_page_counts_sound_numbers_in_a_sentence(found):
    figure, drawn, verdicts = found[0]
    rows = verdicts.assign(kind="number", published="18 Mb/s")
    text = checked_text(index([(figure, drawn, rows)], {"preset": "quick", "figures": {"toy": []}}))
    words = " ".join(text.split())
    assert (
        f"1 of {len(VERDICTS)} statements of papers are reproduced, 4 fail or depend on what the"
        " papers do not say, 3 are not decided. 1 of the reproduced ones concern"
    ) in words


def test_the_first_page_names_the_choices_that_statements_depend_on(found):
    figure, drawn, verdicts = found[0]
    words = "queue: reproduced with 2p, not with 1p"
    rows = verdicts.assign(depends_on=[words if v == "depends" else "" for v in VERDICTS])
    plan = {"preset": "quick", "figures": {"toy": []}}
    for page in (index([(figure, drawn, rows)], plan), whole([(figure, drawn, rows)], plan)):
        text = checked_text(page)
        assert "Statements that depend on what the papers do not say" in text
        assert "Toy (2000)queue\ntoy factor-4\n" in text
    rest = rows[rows["verdict"] != "depends"]
    assert "Statements that depend" not in index([(figure, drawn, rest)], plan)


def test_pages_name_commit_and_date_and_pills_are_links(found):
    figure, drawn, verdicts = found[0]
    drawn = {**drawn, "commit": "abc123", "date": "2026-01-31"}
    plan = {"preset": "quick", "figures": {"toy": []}}
    made = pages([(figure, drawn, verdicts)], plan)
    for name, text in made.items():
        assert "commit abc123, runs of 2026-01-31" in text or not name.endswith(".html")
    page = made["figure-toy.html"]
    assert "Runs of 2026-01-31, commit abc123, preset quick." in page
    assert 'href="claims.html?figure=toy&amp;verdict=not%20reproduced"' in page
    of_paper = "claims.html?paper=Toy%20%282000%29&amp;verdict=not%20reproduced"
    assert f'class="verdict not-reproduced" href="{of_paper}"' in page
    assert 'class="verdict reproduced" href="figure-toy.html#toy.factor"' in made["claims.html"]


def test_published_and_computed_numbers_do_not_run_together(found):
    figure, drawn, verdicts = found[0]
    rows = verdicts.assign(published="nothing", expected="0.1 with ns-2")
    text = checked_text(whole([(figure, drawn, rows)], {"preset": "quick", "figures": {}}))
    assert "nothing 0.1 with ns-2 (computed)" in text


def test_calibrations_and_variants_are_not_counted_among_the_claims(found):
    figure, drawn, verdicts = found[0]
    rows = verdicts.assign(calibration=["fit", *[""] * (len(verdicts) - 1)])
    page = pages([(figure, drawn, rows)], {"preset": "quick", "figures": {}})["claims.html"]
    assert page.count(" data-apart") == 1
    assert "1 refuted" in page
    assert "1 reproduced" not in page, "the one that there is restates a fit"
    assert "and 1 calibrations and variants" in page


def test_a_claim_is_found_by_what_its_figure_is_about(found):
    page = pages(found, {"preset": "quick", "figures": {"toy": []}})["claims.html"]
    about = json.loads(re.search(r'<script type="application/json" id="about">(.*?)<', page)[1])
    assert about == {"toy": "toy fig. 0 toy (2000) toy-transfer nothing."}
    figure = load_figure(ANALYSIS / "figures" / "xcp-fig3")
    page = pages([(figure, found[0][1], found[0][2].iloc[:0])], {"preset": "quick", "figures": {}})
    words = re.search(r'id="about">(.*?)<', page["claims.html"])[1]
    assert "fairness" in words, "of its program"
    figure = load_figure(ANALYSIS / "figures" / "compare-sharing")
    page = pages([(figure, found[0][1], found[0][2].iloc[:0])], {"preset": "quick", "figures": {}})
    words = re.search(r'id="about">(.*?)<', page["claims.html"])[1]
    assert " parallel-tcp " in words, "of its transports"


def test_the_report_says_how_many_false_verdicts_to_expect(found):
    figure, drawn, verdicts = found[0]
    rows = verdicts.assign(intervals="10", error="0.25")
    html = whole([(figure, drawn, rows)], {"preset": "quick", "figures": {"toy": []}})
    text = " ".join(checked_text(html).split())
    assert f"{10 * len(VERDICTS)} parts of claims were decided by intervals of 95 %." in text
    assert f"beyond an edge of its band, {0.25 * len(VERDICTS):.2g} of them" in text
    assert "1.5 \u00b1 0.25" in text


def test_pictures_of_the_prose(tmp_path):
    (tmp_path / "a b.png").write_bytes(b"picture")
    html = to_html("![A plan](a%20b.png) ![not *there*](none.png) ![far](https://x.org/a.png)\n")
    assert html == "<p>A plan not there far</p>\n"
    html = to_html("![A plan](a%20b.png) ![gone](none.png) ![a](https://x.org/a.png)", (), tmp_path)
    assert html == ('<p><img src="data:image/png;base64,cGljdHVyZQ==" alt="A plan" /> gone a</p>\n')


@pytest.mark.parametrize(
    "path", sorted((ANALYSIS / "figures").glob("*/README.md")), ids=lambda p: p.parent.name
)
def test_every_figure_tells_its_deviations(path):
    body, deviations = parts_of_readme(path.read_text())
    assert body
    assert deviations


def test_the_command_that_makes_a_figure_again(found):
    assert "./waf figures --only=toy</code>" in whole(
        found, {"preset": "quick", "figures": {"toy": []}}
    )
    found[0][1]["preset"] = "full"
    plan = {"preset": "full", "figures": {"toy": []}, "campaign": "my runs"}
    assert "./waf figures --campaign='my runs' --only=toy --full" in checked_text(
        whole(found, plan)
    )


def checked_text(html):
    checker = Checker()
    checker.feed(html)
    return checker.text


def test_readme_and_deviations(found):
    readme = found[0][0].folder / "README.md"
    readme.write_text(
        "# toy: a toy\n\n**We** do <b>it</b>, see [other](../toy/README.md) and [ns-3](x.md).\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n**Deviations.** As in J-C5 and C1.\n"
    )
    listing = "# Deviations\n\n### J-C5: both ends\n\n- Paper: *silent*.\n\n### C1: not ours\n\nx\n"
    html = whole(found, {"preset": "quick", "figures": {"toy": []}}, listing)
    assert "<strong>We</strong> do &lt;b&gt;it&lt;/b&gt;" in html
    assert '<a href="#toy">other</a> and ns-3.' in html
    assert "<td>2</td>" in html
    assert '<a href="#deviation-J-C5">J-C5</a>: both ends' in html
    assert "<li>Paper: <em>silent</em>.</li>" in html
    assert 'href="#deviation-C1"' not in html
    made = pages(found, {"preset": "quick", "figures": {"toy": []}}, listing)
    assert '<a href="figure-toy.html">other</a> and ns-3.' in made["figure-toy.html"]
    assert '<a href="deviations.html#deviation-J-C5">J-C5</a>: both ends' in made["figure-toy.html"]
    assert 'id="deviation-J-C5"' in made["deviations.html"]


def test_parts_of_the_prose():
    assert parts_of_readme("# a: b\n\nbody\n\n**Deviations.** few") == ("body", "few")
    assert parts_of_readme("") == ("", "")
    entries = deviation_entries("## A\n### C1: one\n\ntext\n\n# B\n### X-C2a: two\n\nmore\n")
    assert entries == {"C1": ("one", "text"), "X-C2a": ("two", "more")}
    assert mentioned("vrp-fig6", ["see C1."], entries) == ["C1"]
    assert mentioned("atou-fig6", ["see C1, X-C2a"], entries) == ["X-C2a"]
    assert to_html("[a](https://example.org)") == '<p><a href="https://example.org">a</a></p>\n'
