# SPDX-License-Identifier: GPL-2.0-only
"""Quanta's figures: closed forms against counting by hand, claims on small tables."""

import itertools
import shutil

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS, results_of
from lfn.figures.quanta import by_streams, over_time, scatter, windows_law
from lfn.models import quanta as model
from lfn.results import MissingDataError
from lfn.spec import load_module

FIGURES = ANALYSIS / "figures"


@pytest.mark.parametrize("block", [1, 2, 3, 5])
@pytest.mark.parametrize("loss", [0.019, 0.174, 0.5])
def test_residual_loss_is_that_of_all_patterns(block, loss):
    """Every pattern of what is lost of a block and its parity, with its probability."""
    mean = square = 0.0
    for pattern in itertools.product([False, True], repeat=block + 1):
        lost, weight = sum(pattern[:-1]), np.prod([loss if x else 1 - loss for x in pattern])
        stays = 0 if lost == 1 and not pattern[-1] else lost
        mean += weight * stays
        square += weight * stays**2
    assert model.residual_loss(loss, block) == pytest.approx(mean / block)
    blocks = 1000
    deviation = np.sqrt((square - mean**2) * blocks) / (blocks * block)
    assert model.residual_deviation(loss, block, blocks * block) == pytest.approx(deviation)


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
    beside = [
        row | {"series": "beside-others", "point": f"{row['point']} {start}", "--start": start}
        for row in rows
        for start in (0.1, 0.2)
    ]
    for row in beside:  # of 64 connections twice as much, but for the second start
        shutil.copytree(tmp_path / row["point"].split()[0], tmp_path / row["point"])
    shutil.copy(tmp_path / "p16" / "series.csv", tmp_path / "p64 0.2")
    measured = claims.too_many_are_unstable(results_of([*rows, *parted, *beside], tmp_path))
    assert list(measured.parts.values()) == pytest.approx([2.0, 2.0, 1.5])
    # Two samples, 2 and 1: half their difference times Student's 12.71.
    assert measured.errors == {"Reno, beside others": pytest.approx(0.5 * 12.706, rel=1e-3)}
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
