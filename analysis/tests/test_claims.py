# SPDX-License-Identifier: GPL-2.0-only
"""From measured values to verdict words."""

from types import SimpleNamespace

import pytest

from conftest import claim_of
from lfn import claims
from lfn.claims import Measured, judge
from lfn.results import MissingDataError
from lfn.spec import SpecError

NAN = float("nan")


def claim(**changes):
    values = {"origin": "paper", "band": "paper", "published": "1", "low": 0.9, "high": 1.1}
    return claim_of(**{**values, "reason": "known cause", **changes})


def verdict(measured, preset="quick", **changes):
    row = judge("f", claim(**changes), lambda _: measured, SimpleNamespace(preset=preset))
    assert set(row) == set(claims.COLUMNS)
    assert row["verdict"] in claims.VERDICTS
    return row


@pytest.mark.parametrize("value", [0.9, 1.0, 1.1])
def test_inside_the_band(value):
    row = verdict(Measured.one(value, runs=5))
    assert (row["verdict"], row["measured"], row["runs"]) == ("reproduced", value, 5)
    assert row["reason"] == ""


@pytest.mark.parametrize("value", [0.89, 1.2, NAN, float("inf")])
def test_outside_the_band(value):
    row = verdict(Measured.one(value))
    assert row["verdict"] == "not reproduced"
    assert row["reason"] == "not 0.9 to 1.1. known cause"


def test_a_band_may_have_one_edge():
    assert verdict(Measured({"a": 0.0, "b": 1.0}), low=float("-inf"))["measured"] == 1.0
    row = verdict(Measured.one(2.0), low=float("-inf"))
    assert (row["verdict"], row["reason"]) == ("not reproduced", "not at most 1.1. known cause")
    row = verdict(Measured.one(0.5), high=float("inf"))
    assert row["reason"] == "not at least 0.9. known cause"


def test_some_parts_outside():
    row = verdict(Measured({"a": 1.0, "b": 2.0, "c": 1.5}))
    assert row["verdict"] == "partly"
    assert row["measured"] == 2.0
    assert "at b: 2; c: 1.5" in row["reason"]


def test_the_part_nearest_to_an_edge_is_shown():
    assert verdict(Measured({"a": 1.0, "b": 1.09, "c": 0.95}))["measured"] == 1.09


def test_zero_below_a_larger_edge_is_no_edge():
    """A loss of nothing is as good as it gets: the part near the limit is shown."""
    assert verdict(Measured({"a": 1.0, "b": 6.0}), low=0, high=10)["measured"] == 6.0
    assert verdict(Measured({"a": 0.0, "b": 1.0}), low=0, high=float("inf"))["measured"] == 0.0
    assert verdict(Measured({"a": -0.01, "b": 0.04}), low=-0.05, high=0.05)["measured"] == 0.04
    assert verdict(Measured({"a": -1.0, "b": 9.0}), low=0, high=10)["measured"] == -1.0


@pytest.mark.parametrize("band", ["chosen before", "chosen after"])
def test_arithmetic_against_a_threshold_of_ours_refutes_nothing(band):
    row = verdict(Measured.one(2.0), evidence="arithmetic", band=band)
    assert row["verdict"] == "not reproduced"
    derived = verdict(Measured.one(2.0), evidence="arithmetic", band="derived")
    assert derived["verdict"] == "refuted"


def test_arithmetic_refutes():
    assert verdict(Measured.one(2.0), evidence="arithmetic")["verdict"] == "refuted"
    assert verdict(Measured.one(1.0), evidence="arithmetic")["verdict"] == "reproduced"
    two = Measured({"right": 1.0, "wrong": 2.0})
    assert verdict(two, evidence="arithmetic")["verdict"] == "partly"
    assert verdict(Measured.one(2.0), "tiny", evidence="arithmetic")["verdict"] == "refuted"


def test_a_preset_that_cannot_judge():
    row = verdict(Measured.one(5.0), preset="tiny")
    assert row["verdict"] == "needs --full"
    assert "known cause" not in row["reason"]


def test_an_interval_over_the_edge():
    for preset in ("quick", "full"):
        for value in (1.0, 1.2):
            row = verdict(Measured.one(value, 3, error=0.2), preset)
            assert row["verdict"] == "undecided"
            assert row["reason"] == "the 95 % interval reaches over an edge of the band"
            assert (row["parts"], row["intervals"], row["error"]) == (1, 0, 0.2)
    assert verdict(Measured.one(1.0, 3, error=0.05))["verdict"] == "reproduced"
    assert verdict(Measured.one(2.0, 3, error=0.05))["verdict"] == "not reproduced"


def test_an_interval_over_the_edge_is_reported_for_its_part():
    two = Measured({"a": 1.0, "b": 1.05}, 6, {"a": 0.01, "b": 0.08})
    row = verdict(two, preset="full")
    assert row["reason"] == "the 95 % interval reaches over an edge of the band at b"
    assert row["verdict"] == "undecided"
    assert (row["parts"], row["intervals"]) == (2, 1)
    assert "at b" not in verdict(two, preset="full", high=2.0)["reason"]


def test_a_decided_part_is_not_hidden_by_an_undecided_one():
    errors = {"a": 0.01, "b": 0.08, "c": 0.01}
    row = verdict(Measured({"a": 1.0, "b": 1.05, "c": 2.0}, 6, errors))
    assert row["verdict"] == "partly"
    assert row["reason"].startswith("not 0.9 to 1.1 at c: 2. known cause. the 95 % interval")
    row = verdict(Measured({"b": 1.05, "c": 2.0}, 6, errors))
    assert row["verdict"] == "not reproduced", "for any b the statement does not hold"
    assert row["reason"].endswith("over an edge of the band at b")


def test_an_interval_that_ends_on_an_edge_is_in_the_band():
    assert claims.standing(1.0, 0.25, claim(low=0.75, high=1.25)) == claims.IN
    assert claims.standing(0.5, 0.25, claim(low=0.75, high=1.25)) == claims.OVER
    assert claims.standing(0.5, 0.2, claim(low=0.75, high=1.25)) == claims.OUT
    assert claims.standing(NAN, 0.0, claim()) == claims.OUT


class Read:
    """Results of a claim that looks at one point."""

    def __init__(self, random, preset="quick"):
        self.preset, self.random, self.read = preset, {"a": random}, set()

    def judged(self, measured, **changes):
        """The row of a claim that looks at the point, and finds what is ``measured``."""

        def measure(results):
            results.read.add("a")
            return measured

        return judge("f", claim(**changes), measure, self)


def test_what_is_random_needs_an_interval():
    bare = Measured.one(1.0, 5)
    assert Read(True).judged(bare)["verdict"] == "undecided"
    assert Read(True).judged(bare)["reason"] == "random, no interval"
    assert Read(False).judged(bare)["verdict"] == "reproduced"
    assert Read(True).judged(bare, evidence="arithmetic")["verdict"] == "reproduced"
    assert Read(True).judged(Measured.one(1.0, 5, 0.01))["verdict"] == "reproduced"
    assert Read(True).judged(Measured.one(1.0, 1, basis="law"))["verdict"] == "reproduced"


def test_a_single_run_is_random_until_something_says_that_it_is_not():
    row = Read(None).judged(Measured.one(1.0, 1))
    assert (row["verdict"], row["reason"]) == (
        "undecided",
        "one run of what may be random, no interval",
    )
    assert Read(None).judged(Measured.one(2.0, 1))["verdict"] == "undecided", "nor is it refuted"
    assert Read(False).judged(Measured.one(1.0, 1))["verdict"] == "reproduced"
    assert Read(None).judged(Measured.one(1.0, 1), evidence="arithmetic")["reason"] == ""


def test_a_part_without_error_is_exact_only_alongside_known_points():
    mixed = Measured({"wan": 1.0, "lan": 1.05}, 3, {"wan": 0.01})
    read = {"wan": True, "lan": False, "dsl": None}
    assert claims.standings(mixed, claim(), read) == {"wan": claims.IN, "lan": claims.OVER}


def test_parts_may_rest_on_points_that_are_not_random():
    mixed = Measured({"wan": 1.0, "lan": 1.05}, 3, {"wan": 0.01})
    read = {"wan": True, "lan": False}
    assert claims.standings(mixed, claim(), read) == {"wan": claims.IN, "lan": claims.IN}
    read = {"wan": True, "lan": True}
    assert claims.standings(mixed, claim(), read) == {"wan": claims.IN, "lan": claims.OVER}
    bare = Measured({"wan": 1.0, "lan": 1.05}, 3)
    assert set(claims.standings(bare, claim(), {"wan": True, "lan": False}).values()) == {
        claims.OVER
    }


def test_every_run_says_what_so_many_show():
    row = Read(True).judged(Measured.one(1.0, 58, basis="every run"))
    assert row["verdict"] == "reproduced"
    assert row["reason"] == "none of 58 runs is outside: at 95 % less than 5 % are"
    assert Read(True).judged(Measured.one(1.0, 1, basis="every run"))["verdict"] == "undecided"
    assert Read(False).judged(Measured.one(1.0, 1, basis="every run"))["verdict"] == "reproduced"
    assert Read(True).judged(Measured.one(2.0, 5, basis="every run"))["verdict"] == "not reproduced"


@pytest.mark.parametrize("preset", ["quick", "full"])
def test_a_single_run_of_what_is_random_is_reported(preset):
    row = verdict(Measured.one(1.0, 1, error=NAN), preset=preset)
    assert (row["verdict"], row["reason"]) == ("undecided", "one run, no interval")
    some = Measured({"a": 1.0, "b": 1.05}, 2, {"b": NAN})
    assert verdict(some, preset=preset)["reason"] == "one run per point, no interval at b"
    assert verdict(Measured.one(1.0, 1), preset=preset)["reason"] == ""
    row = verdict(Measured.one(2.0, 1, error=NAN), preset=preset)
    assert (row["verdict"], row["reason"]) == ("undecided", "one run, no interval")


def test_a_value_that_is_not_finite_is_no_single_run():
    measured = Measured({"a": float("inf"), "b": 1.0}, 10, {"a": NAN, "b": 0.01})
    row = verdict(measured, high=float("inf"))
    assert row["verdict"] == "reproduced"
    assert row["reason"] == "a run has no finite value, no interval at a"


def test_a_claim_without_parts_is_a_mistake():
    with pytest.raises(SpecError, match="f/claims.py: c: returns no parts; raise MissingDataErr"):
        verdict(Measured({}))


def test_a_preset_that_cannot_judge_tells_no_intervals():
    row = verdict(Measured.one(1.0, 1, error=NAN), preset="tiny")
    assert row["reason"] == "the tiny preset is too small to judge"


def test_missing_data():
    def measure(_):
        raise MissingDataError("no runs of series x")

    row = judge("f", claim(), measure, SimpleNamespace(preset="quick"))
    assert row["verdict"] == "needs --full"
    assert row["measured"] == ""
    row = judge("f", claim(note="Moved."), measure, SimpleNamespace(preset="full"))
    assert row["reason"].endswith(". Moved")
    assert row["verdict"] == "undecided"
    assert "no runs of series x" in row["reason"]


def test_claims_without_function():
    two = [claim(identity="a-b"), claim()]
    assert claims.unmatched(two, SimpleNamespace(a_b=1)) == ["c"]
