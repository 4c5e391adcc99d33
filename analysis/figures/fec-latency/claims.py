# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the delay of objects with FEC and with reliable transports."""

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.quanta import OBJECTS, object_rows
from lfn.models import quanta as model

LONG = (0.1, 0.3)
"""RTTs of long distances, in s."""

LOSSES = (0.01, 0.05)
"""Losses that the 99th percentile sees at any RTT."""

ALL = tuple((rtt, loss) for rtt in (0.01, 0.03, 0.1, 0.3) for loss in (0.001, 0.01, 0.05))
FAR = tuple((rtt, loss) for rtt in LONG for loss in LOSSES)
OTHERS = ("tcp-newreno", "tcp-bbr", "tcp-scalable", "vrp", "jrm")
BLOCK = 3
HELD_UP = 13
"""Objects that a loss makes late: it is made good 180 ms later (1.5 RTTs, and three objects that
reveal it), so those sent until 120 ms after the lost one arrive after more than 55 ms."""


def _average(results, key, column, rtt, loss, series="objects"):
    rows = object_rows(results, key, series, rtt=rtt, lossRate=loss)
    return Average.of(rows, rows[column])


def _name(key, rtt, loss):
    return f"{key.removeprefix('tcp-')}, {1000 * rtt:g} ms, {100 * loss:g} %"


def _earlier(results, keys, points, series="objects"):
    """99th percentile less FEC's, in RTTs."""
    return {
        _name(key, *at): (
            _average(results, key, "object_delay_p99_s", *at, series)
            - _average(results, "fec-3", "object_delay_p99_s", *at, series)
        )
        / at[0]
        for key in keys
        for at in points
    }


def _steadier(results, keys, points, series="objects"):
    """FEC's jitter over the other's."""
    return {
        _name(key, *at): _average(results, "fec-3", "object_jitter_s", *at, series)
        / _average(results, key, "object_jitter_s", *at, series)
        for key in keys
        for at in points
    }


less_latency = claim(_earlier, ("tcp-cubic",), FAR)
less_latency_newreno = claim(_earlier, ("tcp-newreno",), FAR)
less_latency_slow_objects = claim(_earlier, ("tcp-cubic",), FAR, "slow-objects")
less_jitter = claim(_steadier, ("tcp-cubic",), FAR)
less_jitter_slow_objects = claim(_steadier, ("tcp-cubic",), FAR, "slow-objects")
less_latency_than_others = claim(_earlier, OTHERS, FAR)
less_jitter_than_others = claim(_steadier, OTHERS, FAR)
everywhere = claim(_earlier, ("tcp-cubic",), ALL)


def stays_lost(results):
    """Objects that FEC has not restored over those of the law, of all RTTs."""
    parts = {}
    for loss in LOSSES:
        rows = object_rows(results, "fec-3", lossRate=loss)
        parts[f"{100 * loss:g} %"] = Average.of(rows, rows["lost"]) / model.residual_loss(
            loss, BLOCK
        )
    return measured(parts)


def others_lose_none(results):
    """Most objects lost in a run."""
    parts, runs = {}, 0
    for key in OBJECTS:
        if key != "fec-3":
            rows = object_rows(results, key)
            parts[key] = float(rows["objects_lost"].max())
            runs += len(rows)
    return Measured(parts, runs, basis="every run")


def _late(results, keys):
    """Share of late objects at 100 ms and 1 % over that of the law."""
    law = 1.0 - 0.99**HELD_UP
    return measured({key: _average(results, key, "late", 0.1, 0.01) / law for key in keys})


late_by_a_loss = claim(_late, ("tcp-scalable",))
late_by_the_window = claim(_late, ("tcp-newreno", "tcp-cubic"))
