# SPDX-License-Identifier: GPL-2.0-only
"""Wherever a source prints a number, the figure's picture shows it, taken from the claim.

Pictures have in gids which claims they show (lfn/figures/published.py). Here the plot.py are read
for the claims that they hand to its functions: no runs are needed, and figures show alike in all
presets. NOT_SHOWN lists the numbers that have no place in the picture, with the reason.
"""

import ast
import math
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from conftest import claim_of
from lfn.campaign import digests_of
from lfn.figures import published
from lfn.files import read_json
from lfn.results import PUBLISHED, Results
from lfn.spec import SpecError, load_figures

REPOSITORY = Path(__file__).parents[2]
FIGURES = load_figures(REPOSITORY / "analysis" / "figures")
LIBRARY = Path(published.__file__).parent

LOG = "a line of the page's log, whose fields are compared one by one: text, not a picture"
COUNT = "a count of the whole run, which no panel has an axis for"
NO_LOSS = "that nothing is retransmitted: the panels show windows and rates"
ARITHMETIC = "arithmetic on what is printed: no run, and no axis of the picture"
VARIANT_RATE = "an average, shown with the order of the three (order-of-gammas)"
NOT_SHOWN = {
    ("atou-fig2", "delayed-factor-two"): "a ratio of growths per RTT",
    ("atou-fig2", "delayed-factor-two-time"): "a ratio of times, of the start alone",
    ("atou-fig2", "doubles-per-rtt"): "a ratio of one RTT to the next",
    ("atou-fig5", "hippi"): "a run on another path, which the picture has not",
    ("atou-fig6", "fewer-acks"): COUNT,
    ("atou-recovery", "badacks-are-old"): LOG,
    ("atou-recovery", "events-in-order"): LOG,
    ("atou-recovery", "limited-transmit"): LOG,
    ("atou-recovery", "log-next-segments"): LOG,
    ("atou-recovery", "log-windows"): LOG,
    ("atou-recovery", "sack-beats-newreno"): "a ratio of the two panels' durations, shown in each",
    ("atou-reordering", "cable-rate-at-9"): "the star at 9, tagged with cable-gain",
    ("atou-reordering", "cable-tcp-rate"): "the star at 3, tagged with cable-gain",
    ("atou-reordering", "lbnl-events-clusters"): COUNT,
    ("atou-reordering", "lbnl-events-sack"): COUNT,
    ("atou-reordering", "lbnl-low-rate-clusters"): "the star of lbnl-low-rate",
    ("atou-reordering", "lbnl-retransmissions-clusters"): COUNT,
    ("atou-reordering", "lbnl-retransmissions-sack"): COUNT,
    ("atou-sample-run", "final-srtt"): "one value at the end of the run",
    ("atou-vegas-queue", "vegas-rtt-undelayed"): "the printed value of vegas-rtt",
    ("atou-vegas-floyd", "rate-of-drops"): VARIANT_RATE,
    ("atou-vegas-floyd", "rate-of-gamma-2"): VARIANT_RATE,
    ("atou-vegas-floyd", "rate-of-gamma-60"): VARIANT_RATE,
    ("jrm-fig1", "overhead-per-second"): ARITHMETIC,
    ("jrm-fig2", "overhead-per-second"): ARITHMETIC,
    ("rbudp-fig7", "size-of-retransmissions"): "the equation's number, and no printed value",
    ("rbudp-parallel-tcp", "as-high-as-80-short-queue"): "the line and the band of as-high-as-80",
    ("xcp-fig2", "sixty-per-cent"): ARITHMETIC,
    ("xcp-fig3", "factor-of-aggressiveness"): ARITHMETIC,
    ("atou-reordering", "cable-out-of-order"): "a share of the path's packets, put in",
    ("atou-reordering", "lbnl-all-spurious"): COUNT,
    ("atou-reordering", "lbnl-events"): COUNT,
    ("atou-reordering", "lbnl-gap"): "a distance between packets, put in",
    ("atou-reordering", "lbnl-no-retransmissions"): COUNT,
    ("atou-reordering", "lbnl-retransmissions"): COUNT,
    ("atou-sample-run", "good-bytes-were-sent"): ARITHMETIC,
    ("atou-sample-run", "lost-acks"): COUNT,
    ("atou-sample-run", "summary-agrees-with-itself"): ARITHMETIC,
    ("atou-ssincr", "slow-start-stops-at-ssthresh"): "a growth in one run, of which no panel is",
    ("atou-vegas-floyd", "no-loss"): NO_LOSS,
    ("atou-vegas-queue", "both-85"): "a rate: the panels show window, RTT and delta",
    ("atou-vegas-sawtooth", "vegas-avoids-losses"): NO_LOSS,
    ("atou-vegas-sawtooth", "vegas-avoids-losses-queue-10"): NO_LOSS,
    ("jrm-fig2", "direct-chances"): ARITHMETIC,
    ("rbudp-fig4", "at-least-one"): "the chart shows each acknowledgement",
    ("rbudp-fig4", "exactly-the-missing"): "the chart shows each datagram",
    ("rbudp-fig5", "faster-receiver"): "a loss: the picture shows throughput",
    ("rbudp-fig5", "scatter-gather-gains"): "a ratio of two curves at one rate, put in",
    ("rbudp-fig5", "third-lost"): "a loss: the picture shows throughput",
    ("rbudp-fig7", "window-for-a-gigabit"): ARITHMETIC,
    ("rbudp-streaming", "sustained"): "frames a second: the panels show blocks",
    ("rbudp-streaming", "ten-frames"): ARITHMETIC,
}


def printed():
    """The claims whose source prints a number, as (figure, claim)."""
    return {
        (name, claim.id)
        for name, figure in FIGURES.items()
        for claim in figure.claims
        if claim.origin in ("paper", "literature") and published.numbers(claim)
    }


def _fits(node, claim):
    """Whether a text of a plot.py is a claim's id, or an f-string, f"{series}-lines", may be."""
    if isinstance(node, ast.Constant):
        return node.value == claim
    if not isinstance(node, ast.JoinedStr):
        return False
    parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    fixed = [part for part in parts if part]
    pattern = "".join("[a-z0-9]+" if part is None else re.escape(part) for part in parts)
    return bool(fixed) and re.fullmatch(pattern, claim) is not None


def named(figure):
    """The claims of a figure that its plot.py, or what it imports of lfn.figures, names."""
    text = (FIGURES[figure].folder / "plot.py").read_text(encoding="utf-8")
    others = [p for p in LIBRARY.glob("*.py") if f"lfn.figures.{p.stem} import" in text]
    texts = [text, *(path.read_text(encoding="utf-8") for path in others)]
    if not any("lfn.figures.published import" in one for one in texts):
        return set()
    nodes = [node for one in texts for node in ast.walk(ast.parse(one))]
    ids = {claim.id for claim in FIGURES[figure].claims}
    return {claim for claim in ids if any(_fits(node, claim) for node in nodes)}


def test_each_printed_number_is_in_the_picture():
    missing = sorted(
        f"{figure} {claim}"
        for figure, claim in printed() - NOT_SHOWN.keys()
        if claim not in named(figure)
    )
    assert missing == []


def test_no_exception_is_needless():
    needless = [
        f"{figure} {claim}"
        for figure, claim in NOT_SHOWN
        if (figure, claim) not in printed() or claim in named(figure)
    ]
    assert needless == []


def test_pictures_that_were_drawn_show_them():
    """What the last campaign has drawn from these files; a campaign need not have been.

    The smallest preset ends before what some numbers are about.
    """
    for path in sorted((REPOSITORY / "build" / "figures").glob("*/drawn.json")):
        drawn = read_json(path)
        figure = path.parent.name
        if figure not in FIGURES or drawn["preset"] == "tiny" or "shown" not in drawn:
            continue
        if drawn["sources"] != digests_of(FIGURES[figure].folder):
            continue
        seen = {claim for claims in drawn["shown"].values() for claim in claims}
        wanted = {claim for name, claim in printed() - NOT_SHOWN.keys() if name == figure}
        assert wanted - seen == set(), figure


CLAIM = {
    "origin": "paper",
    "published": "at most 2.5 Mb/s",
    "band": "paper",
    "low": 1.0,
    "high": 3.0,
}


@pytest.fixture
def results():
    rows = [("rate", "a", 1, 2.5, "Mb/s", 0.1, "Fig. 1")]
    table = pd.DataFrame(rows, columns=PUBLISHED)
    claims = {"slow": claim_of(**CLAIM), "open": claim_of(**{**CLAIM, "high": math.inf})}
    return Results("tiny", pd.DataFrame(), table, {}, None, claims=claims)


@pytest.fixture
def axes():
    figure, axes = plt.subplots()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 20)
    yield axes
    plt.close(figure)


def _heights(artist):
    values = artist.get_paths()[0].vertices[:, 1]
    return values.min(), values.max()


def test_a_band_is_the_claims_own(axes, results):
    assert _heights(published.band(axes, results, "slow", over=(2, 4))) == (1.0, 3.0)
    assert _heights(published.band(axes, results, "slow", lambda v: 2 * v)) == (2.0, 6.0)
    assert _heights(published.band(axes, results, "open")) == (1.0, 20.0)  # to the axes' end
    assert axes.get_ylim() == (0, 20)
    assert published.shown(axes.figure) == ["open", "slow"]


def test_a_band_of_words_is_called_our_reading(axes, results):
    printed_band = published.band(axes, results, "slow", text="paper: {}")
    assert printed_band.get_hatch() is None
    assert axes.texts[-1].get_text() == "paper: at most 2.5 Mb/s"
    ours = {**CLAIM, "band": "chosen before"}
    for words, label in (("2.5 Mb/s", "paper: 2.5 Mb/s"), ("slow", "our reading: slow")):
        results.claims["slow"] = claim_of(**{**ours, "published": words})
        assert published.band(axes, results, "slow", text="paper: {}").get_hatch()
        assert axes.texts[-1].get_text() == label


@pytest.mark.parametrize("layout", ["none", "constrained"])
@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize(("x", "times", "lines"), [(1, 1, 1), (8, 1, 1), (8, 5, 2)])
def test_printed_words_stay_inside_their_axes(axes, results, layout, scale, x, times, lines):
    axes.figure.set_layout_engine(layout)
    axes.set(xscale=scale, xlim=(1, 10))
    place = {"transform": axes.transData}
    note = published.note(axes, results, "slow", x, 5, " ".join(times * ["paper: {0}"]), **place)
    note.set_in_layout(False)
    own = axes.text(8, 10, "words of a series, which stay as they are, however long they get")
    own.set_in_layout(False)
    published.keep_inside(axes.figure)
    axes.figure.draw_without_rendering()
    frame, extent = axes.get_window_extent(), note.get_window_extent()
    assert frame.x0 <= extent.x0
    assert extent.x1 <= frame.x1 + 1e-6
    assert len(note.get_text().splitlines()) == lines
    assert note.get_position()[1] == pytest.approx(5)
    assert (note.get_position()[0] == x) == (x == 1)
    assert own.get_position() == (8, 10)


def test_a_level_is_the_printed_number(axes, results):
    line = published.level(axes, results, "slow", to=lambda v: 4 * v)
    assert list(line.get_ydata()) == [10.0, 10.0]
    assert line.get_label() == "paper: at most 2.5 Mb/s"


def test_a_star_that_no_claim_prints_is_refused(axes, results):
    published.stars(axes, results, "rate", "slow")
    results.published.loc[0, "value"] = 2.6
    with pytest.raises(SpecError, match=r"no claim of \['slow'\] prints 2.6"):
        published.stars(axes, results, "rate", "slow")


def test_a_claim_that_does_not_exist_is_refused(axes, results):
    with pytest.raises(SpecError, match="'fast' is no claim"):
        published.tag(axes.title, results, "fast")
