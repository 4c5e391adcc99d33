# SPDX-License-Identifier: GPL-2.0-only
"""The report page: self-contained, well-formed, nothing unescaped."""

from html.parser import HTMLParser

import pandas as pd
import pytest

import toy
from lfn.claims import COLUMNS, VERDICTS
from lfn.report import page
from lfn.spec import load_figure

VOID = {"meta", "img", "br"}


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


@pytest.fixture(name="found")
def drawn_figure(tmp_path):
    toy.write_figure(tmp_path)
    figure = load_figure(tmp_path / "toy")
    (tmp_path / "out" / "toy").mkdir(parents=True)
    (tmp_path / "out" / "toy" / "toy.svg").write_text("<svg/>")
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
        "versions": {"lfn": "0.1.0", "ns3": "3.44"},
        "example": "/somewhere/bin/toy-transfer --evil='<b>&'",
    }
    row = dict.fromkeys(COLUMNS, "")
    row |= {"figure": "toy", "claim": "factor", "statement": "a < b & c", "low": 1, "high": 2}
    rows = [{**row, "verdict": verdict, "measured": 1.5, "runs": 6} for verdict in VERDICTS]
    return [(figure, drawn, pd.DataFrame(rows))], tmp_path / "out"


def test_page(found):
    figures, folder = found
    html = page(figures, folder, {"preset": "quick", "figures": {"toy": []}})
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert all(source.startswith("data:") for source in checker.sources)
    assert "a < b & c" in checker.text
    assert "--evil=<b>&" in checker.text
    assert "ns-3 3.44" in checker.text
    assert "/somewhere" not in html
    assert "earlier campaign" not in html
    for verdict in VERDICTS:
        assert verdict in checker.text


def test_a_figure_of_an_earlier_campaign_says_so(found):
    figures, folder = found
    for plan in ({"preset": "full", "figures": {"toy": []}}, {"preset": "quick", "figures": {}}):
        assert "earlier campaign" in page(figures, folder, plan)
