# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that a source has from a single run."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from conftest import claim_of
from lfn import prediction
from lfn.average import Average, measured
from lfn.claims import IN, OUT, OVER, Measured, judge
from lfn.strip import EDGE, WIDTH, drawn

RUNS = [float(value) for value in range(1, 202)]
"""A hundred on either side of the median, 101."""


def claim(value, runs=1, **more):
    keys = {"origin": "paper", "published": "p", "band": "paper", "low": 0.0, "high": 1.0, **more}
    return claim_of(published_runs=runs, published_value=value, **keys)


def row_of(one, found):
    """The row of a claim that looks at random points."""
    results = SimpleNamespace(preset="full", random={"a": True}, read=set())
    return judge("f", one, lambda _: found, results)


def of_runs(values):
    """What a claim's function returns of one point."""
    rows = pd.DataFrame({"point": "a", "run": range(1, len(values) + 1)})
    return measured(Average.of(rows, values))


@pytest.mark.parametrize(
    ("published", "share"),
    [(101, 1.0), (1, 2 / 201), (201, 2 / 201), (0, 0.0), (51, 102 / 201), (151, 102 / 201)],
)
def test_the_share_of_runs_as_far_from_the_median(published, share):
    assert prediction.share_as_far(RUNS, published) == pytest.approx(share)


@pytest.mark.parametrize(("published", "where"), [(120, IN), (400, OUT), (195, OVER), (8, OVER)])
def test_the_interval_of_the_share_decides(published, where):
    """Of 195 on 14 of 201 runs are as far, 7 %, whose interval reaches from 4 to 11 %."""
    assert prediction.standing(RUNS, published)[0] == where


def test_few_runs_refuse_nothing():
    """None of five runs is as far: that may be a share of up to 52 %."""
    assert prediction.standing([1.0, 2.0, 3.0, 4.0, 5.0], 99.0) == (OVER, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_run_of_the_model_is_refused_in_one_case_of_twenty(seed):
    random = np.random.default_rng(seed)
    refused = sum(
        prediction.standing(random.exponential(size=400), random.exponential())[0] == OUT
        for _ in range(1000)
    )
    assert refused < 50


def test_the_verdict_follows_from_single_runs_and_not_from_the_mean():
    """A mean of 101 with a narrow interval, out of its band: a run of 60 is no rare one."""
    row = row_of(claim(60.0, low=50.0, high=70.0), of_runs(RUNS))
    assert (row["verdict"], row["measured"], row["parts"]) == ("reproduced", 101.0, 1)
    assert "60 % of the single runs (201) are as far" in row["reason"]
    assert len(row["single_runs"].split()) == 201
    row = row_of(claim(250.0, low=0.0, high=300.0, reason="cause"), of_runs(RUNS))
    assert row["verdict"] == "not reproduced", "for any band"
    assert row["reason"].startswith("0 % of the single runs")
    assert "cause" in row["reason"]


def test_the_part_with_the_least_share_is_shown():
    parts = {"near": RUNS, "far": [value + 90 for value in RUNS]}
    found = Measured({"near": 101.0, "far": 191.0}, 402, {"near": 8.0, "far": 8.0}, singles=parts)
    row = row_of(claim(101.0), found)
    assert (row["measured"], row["parts"]) == (191.0, 2)
    assert "11 % of the single runs (201) at far are as far" in row["reason"]


def test_several_runs_are_compared_with_means_of_as_many():
    one, four = (prediction.share_as_far(RUNS, 200.0, count) for count in (1, 4))
    assert four < one / 2
    assert "means of 4 runs" in row_of(claim(120.0, 4), of_runs(RUNS))["reason"]


def test_runs_that_do_not_differ_leave_it_to_the_band():
    rows = pd.DataFrame({"point": ["a"], "run": [1]})
    found = measured(Average.of(rows, [0.5], random=False))
    results = SimpleNamespace(preset="full", random={"a": False}, read=set())
    row = judge("f", claim(9.0), lambda _: found, results)
    assert row["verdict"] == "reproduced"
    assert row["reason"].endswith("the band decides")
    assert row["single_runs"] == ""


def test_averages_keep_the_value_of_each_run():
    rows = pd.DataFrame({"point": "a", "run": [1, 1, 2, 3]})
    first = Average.of(rows, [1.0, 3.0, 4.0, 8.0])
    assert first.each == {1: 2.0, 2: 4.0, 3: 8.0}
    assert (first / first).each == {1: 1.0, 2: 1.0, 3: 1.0}
    assert (2.0 * first + 1.0).each == {1: 5.0, 2: 9.0, 3: 17.0}
    assert (1.0 - first).each == {1: -1.0, 2: -3.0, 3: -7.0}
    exact = Average.of(rows[:1], [2.0], random=False)
    assert (first / exact).each == {1: 1.0, 2: 2.0, 3: 4.0}
    assert (exact / first).each == {1: 1.0, 2: 0.5, 3: 0.25}
    fewer = Average.of(rows[1:3], [1.0, 2.0])
    assert (first + fewer).each == {1: 3.0, 2: 6.0}


def test_the_picture_has_all_runs_and_the_published_value():
    svg = drawn(RUNS, 250.0, "Mb/s")
    assert "201 single runs from 1 to 201 Mb/s, median 101; published 250" in svg
    heights = [float(h) for h in re.findall(r'height="([\d.]+)"/>', svg)]
    assert max(heights) == 38.0
    published = re.search(r'class="published" d="M([\d.]+) ', svg)
    assert float(published[1]) == WIDTH - EDGE, "it is the largest"
    assert drawn([], 1.0, "") == ""
    assert "&lt;x&gt;" in drawn([1.0, 1.0], 1.0, "<x>"), "runs that agree are drawn as well"


@pytest.mark.parametrize("keys", [{"published_runs": 1}, {"published_value": 1.0}])
def test_the_two_keys_need_each_other(keys):
    with pytest.raises(ValidationError, match="need each other"):
        claim_of(low=1, **keys)
