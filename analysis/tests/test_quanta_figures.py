# SPDX-License-Identifier: GPL-2.0-only
"""Quanta's figures: closed forms against counting by hand, claims on small tables."""

import itertools
import shutil

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures.quanta import CODES, OBJECTS, by_streams, over_time, scatter, windows_law
from lfn.models import quanta as model
from lfn.results import MissingDataError
from lfn.spec import load_module

FIGURES = ANALYSIS / "figures"


@pytest.mark.parametrize("parities", [1, 2, 4])
@pytest.mark.parametrize("block", [1, 2, 3, 5])
@pytest.mark.parametrize("loss", [0.019, 0.174, 0.5])
def test_residual_loss_is_that_of_all_patterns(block, loss, parities):
    """Every pattern of what is lost of a block and its parities, with its probability."""
    mean = square = 0.0
    for pattern in itertools.product([False, True], repeat=block + parities):
        lost, weight = sum(pattern[:block]), np.prod([loss if x else 1 - loss for x in pattern])
        stays = 0 if sum(pattern) <= parities else lost
        mean += weight * stays
        square += weight * stays**2
    assert model.residual_loss(loss, block, parities) == pytest.approx(mean / block)
    blocks = 1000
    deviation = np.sqrt((square - mean**2) * blocks) / (blocks * block)
    found = model.residual_deviation(loss, block, blocks * block, parities)
    assert found == pytest.approx(deviation)


def test_residual_loss_of_codes():
    """Percentages by hand of the (n, k) codes that the requirement names."""
    of = {
        0.019: [0.0361, 0.0715, 0.1063, 0.0066, 0.0135, 0.0016],
        0.174: [3.028, 5.528, 7.594, 3.663, 6.104, 10.19],
    }
    codes = [(1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (20, 4)]
    for loss, percent in of.items():
        found = [100 * model.residual_loss(loss, *code) for code in codes]
        assert found == pytest.approx(percent, rel=2e-3, abs=5e-5)


@pytest.mark.parametrize("loss", [0.019, 0.174])
def test_residual_loss_in_bursts(loss):
    """Independent losses are bursts too; two limits by hand; and what fits is what was asked."""
    for block in (1, 2, 3):
        independent = model.residual_loss_bursts(loss, block, 1 / (1 - loss))
        assert independent == pytest.approx(model.residual_loss(loss, block))
    assert model.residual_loss_bursts(loss, 1, 4.0) == pytest.approx(0.75 * loss)
    # No two in a row: of three only the first and the parity.
    apart = loss * loss / (1 - loss) / 2
    assert model.residual_loss_bursts(loss, 2, 1.0) == pytest.approx(apart)
    burst = model.burst_for(loss, 1, 0.2 * loss)
    assert burst == pytest.approx(1.25)
    assert np.isnan(model.burst_for(loss, 1, 0.99 * loss))


def test_bursts_that_give_the_reported_losses():
    found = [
        model.burst_for(loss, block, left)
        for block in (1, 2, 3)
        for loss, left in ((0.019, 0.0005), (0.174, 0.0415))
    ]
    assert found[:4] == pytest.approx([1.0270, 1.3132, 1.0114, 1.1195], abs=1e-4)
    assert found[4] < 1.001
    assert np.isnan(found[5])
    longer = [1 / (1 - loss) for loss in (0.019, 0.174)]
    assert found[0] > longer[0]
    assert found[1] > longer[1]
    assert max(found[2] - longer[0], found[3] - longer[1], found[4] - longer[0]) < 0


def test_windows_until_the_link_is_full():
    assert windows_law(1) == pytest.approx(4.766e6, rel=1e-3)
    assert windows_law(16) == pytest.approx(76.26e6, rel=1e-3)
    assert windows_law(32) == 100e6


def _fec(block, loss, lost):
    return {
        "series": f"k-{block}",
        "point": f"{block} {loss}",
        "run": 1,
        "offered_bytes": 40_000_000,
        "lost_bytes": lost,
        "--packetSize": 400,
        "--lossRate": loss,
    }


def test_claims_of_fec():
    claims = load_module(FIGURES / "fec-residual-loss/claims.py")
    printed = pd.DataFrame({"quantity": ["residual"], "x": [1.9], "value": [0.05]})
    law = {k: 40_000_000 * model.residual_loss(0.019, k) for k in (1, 2, 3)}
    exact = results_of([_fec(k, 0.019, law[k]) for k in law], published=printed)
    assert max(map(abs, claims.follows_the_law(exact).parts.values())) < 1e-9
    light = claims.light_loss(exact).parts
    assert light == pytest.approx({"k = 2": 1.430, "k = 3": 2.125}, rel=1e-3)
    assert min(claims.high_reliability(exact).parts.values()) > 0.9
    off = results_of([_fec(k, 0.019, 2.0 * law[k]) for k in law], published=printed)
    assert min(claims.follows_the_law(off).parts.values()) > 4


def _code(code, loss, lost):
    return _fec(code[0], loss, lost) | {
        "series": f"k-{code[0]}-m-{code[1]}",
        "point": f"{code} {loss}",
    }


def test_claims_of_codes():
    claims = load_module(FIGURES / "fec-codes/claims.py")
    printed = pd.DataFrame({"quantity": "residual", "x": [1.9, 17.4], "value": [0.05, 4.15]})
    pairs = list(itertools.product(CODES, (0.019, 0.174)))

    def made(factor):
        rows = [_code(c, p, factor * 4e7 * model.residual_loss(p, *c)) for c, p in pairs]
        return results_of(rows, published=printed)

    law = claims.follows_the_law(made(1.0))
    assert len(law.parts) == law.runs == 24
    assert max(map(abs, law.parts.values())) < 1e-9
    assert max(claims.follows_the_law(made(0.9)).parts.values()) < 0
    assert min(claims.follows_the_law(made(0.9)).parts.values()) < -3
    less = claims.less_than_xor(made(1.0)).parts
    assert less == pytest.approx({"1.9 %": 0.0923, "17.4 %": 0.6626}, rel=2e-3)
    nearest = claims.none_meets_both(made(1.0))
    assert (nearest.runs, nearest.note) == (0, "nearest are k = 1 and m = 1")
    assert nearest.parts[""] == pytest.approx(0.05 / 0.0361, rel=1e-3)


def _objects(key, rtt, loss, run, p99, **columns):
    return {
        "series": "objects",
        "point": f"{key} {rtt} {loss}",
        "run": run,
        "--transport": OBJECTS[key],
        "--rtt": rtt,
        "--lossRate": loss,
        "object_delay_p99_s": p99,
        "object_jitter_s": p99 / 10,
        "objects": 1000,
        "objects_late": 100,
        "objects_lost": 0,
        **columns,
    }


def test_claims_of_objects():
    claims = load_module(FIGURES / "fec-latency/claims.py")
    rows = []
    for key, (rtt, loss), run in itertools.product(OBJECTS, claims.ALL, (1, 2)):
        lost = 1000 * model.residual_loss(loss, 3) if key == "fec-3" else 0
        trips = 0.5 if key == "fec-3" else 2.0 + 0.1 * run
        rows.append(_objects(key, rtt, loss, run, trips * rtt, objects_lost=lost))
    results = results_of(rows)
    latency = claims.less_latency(results)
    assert latency.parts == pytest.approx(dict.fromkeys(latency.parts, 1.65))
    assert len(latency.parts) == 4
    assert min(latency.errors.values()) > 0
    assert len(claims.everywhere(results).parts) == 12
    assert len(claims.less_latency_than_others(results).parts) == 20
    jitter = claims.less_jitter(results).parts
    assert jitter == pytest.approx(dict.fromkeys(jitter, 0.5 / 2.15), rel=1e-2)
    assert claims.stays_lost(results).parts == pytest.approx({"1 %": 1.0, "5 %": 1.0})
    assert set(claims.others_lose_none(results).parts.values()) == {0.0}
    assert claims.late_by_a_loss(results).parts["tcp-scalable"] == pytest.approx(
        0.1 / (1 - 0.99**13)
    )


def test_scatter_over_time(tmp_path):
    rows = []
    for n, swing in ((64, 4.0), (16, 2.0)):
        samples = [
            {"run": run, "time_s": 0.5 * k, "flow": flow, "metric": "goodput_bps", "value": value}
            for run, flow in ((1, 0), (2, 0), (1, -1))
            for k in range(1, 81)
            # Slow start and end, which do not count, are wild.
            for value in [10.0 + (swing * (-1) ** k if 20 < k <= 60 else 10.0 * (-1) ** k)]
        ]
        (tmp_path / f"p{n}").mkdir()
        pd.DataFrame(samples).to_csv(tmp_path / f"p{n}" / "series.csv", index=False)
        transport = f"parallel-tcp[Streams={n}|Window=65536]"
        rows.append({"series": "over-time", "point": f"p{n}", "run": 1, "--transport": transport})
    results = results_of(rows, tmp_path)
    found = over_time(results, "over-time")
    assert list(found) == [16, 64]
    assert scatter(found[16]) == pytest.approx(0.2)
    claims = load_module(FIGURES / "rbudp-parallel-tcp/claims.py")
    with pytest.raises(MissingDataError):  # the others were not run
        claims.too_many_are_unstable(results)
    parted = [row | {"series": "of-2003"} for row in rows]
    alongside = [
        row | {"series": "alongside-others", "point": f"{row['point']} {start}", "--start": start}
        for row in rows
        for start in (0.1, 0.2)
    ]
    for row in alongside:  # of 64 connections twice as much, but for the second start
        shutil.copytree(tmp_path / row["point"].split()[0], tmp_path / row["point"])
    shutil.copy(tmp_path / "p16" / "series.csv", tmp_path / "p64 0.2")
    measured = claims.too_many_are_unstable(results_of([*rows, *parted, *alongside], tmp_path))
    assert list(measured.parts.values()) == pytest.approx([2.0, 2.0, 1.5])
    # Two samples, 2 and 1: half their difference times Student's 12.71.
    assert measured.errors == {"Reno, alongside others": pytest.approx(0.5 * 12.706, rel=1e-3)}
    assert measured.note.startswith("CUBIC: 0.2 and 0.4; Reno, partitioned: 0.2 and 0.4; ")
    assert measured.note.endswith("0.2 and 0.3, means of all starts")
    with pytest.raises(MissingDataError, match="only 4 samples"):
        scatter(found[16][:33])


def test_claims_of_parallel_tcp():
    claims = load_module(FIGURES / "rbudp-parallel-tcp/claims.py")
    rows = []
    for series, factor in (("long-queue", 1.0), ("short-queue", 0.5)):
        for n in (1, 16, 64):
            row = {"series": series, "point": f"{series} {n}", "run": 1}
            row["--transport"] = f"parallel-tcp[Streams={n}|Window=65536]"
            row["goodput_bps"] = factor * 0.9 * windows_law(n)
            row["retransmitted_packets"] = 10 * n
            rows.append(row)
    results = results_of(rows)
    assert list(by_streams(results, "long-queue").index) == [1, 16, 64]
    assert claims.one_window_does_not_fill(results).parts[""] == pytest.approx(4.29, rel=1e-2)
    parts = claims.windows_add_up(results).parts
    assert parts == pytest.approx({"1 connections": 0.9, "16 connections": 0.9})
    assert claims.as_high_as_80(results).parts[""] == pytest.approx(90)
    assert claims.too_many_bring_nothing(results).parts[""] == pytest.approx(100 / 76.26, rel=1e-3)
    assert claims.too_many_cost(results).parts[""] == pytest.approx(4)
