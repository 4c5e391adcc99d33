# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's adaptive timeout; one function per claim."""

import numpy as np

from lfn.average import over_runs
from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.vrp import flow_series
from lfn.models import vrp as model
from lfn.results import MissingDataError, mean_interval

SETTLE = 1.0
"""Seconds after the start and after the step that are left out of the means."""
LANS = (("lan", "LAN"), ("burst-lan", "LAN, sends do not wait"))
BARE = "-bare"
"""Ends the names of series with the report's rule alone."""
LAN_FROM = 300
"""Packets after which the LAN's timeout is looked at."""


def _exact(series):
    """Whether one run says all: on a LAN nothing is lost and nothing jitters."""
    return series in dict(LANS)


def _step(results, series, metric):
    """Rise of a metric over the step, over the step's height, of each run."""
    rows = results.rows(series)
    at, height = rows["--delayStepAt"].iloc[0], rows["--delayStep"].iloc[0]
    rises = []
    for _, run in flow_series(results, series, metric).groupby("run"):
        before = run[run["time_s"].between(SETTLE, at)]["value"]
        after = run[run["time_s"] > at + SETTLE]["value"]
        if before.empty or after.empty:
            raise MissingDataError("too few packets on either side of the step")
        rises.append((after.mean() - before.mean()) / height)
    return rises


def _follows(results, rule):
    """Rise of the mean timeout, and of the mean RTT, over the step."""
    metrics = {"timeout": "rto_s", "RTT": "rtt_s"}
    rises = {name: _step(results, "wan" + rule, metric) for name, metric in metrics.items()}
    return over_runs(rises, len(rises["timeout"]))


timeout_follows = claim(_follows, "")  # by the module's rule
timeout_follows_bare = claim(_follows, BARE)  # by the report's alone


def _spurious(results, rule):
    """Duplicates over data packets sent, in per cent."""
    parts, errors, runs = {}, {}, 0
    for series, name in (
        ("wan", "WAN with a step"),
        ("wan-without-step", "WAN without a step"),
        ("routed-wan", "WAN, host with 100 Mb/s"),
        *LANS,
    ):
        rows = results.rows(series + rule)
        parts[name] = 100.0 * rows["spurious_rate"].mean()
        if not _exact(series):
            errors[name] = mean_interval(100.0 * rows["spurious_rate"])[1]
        runs += len(rows)
    return Measured(parts, runs, errors)


spurious = claim(_spurious, BARE)  # by the report's rule alone
spurious_by_default = claim(_spurious, "")  # by the module's


def _divergence(results, rule):
    """Mean timeout of the last third of the time over that of the middle third."""
    parts, errors = {}, {}
    for series, name in (("wan", "WAN"), *LANS):
        ratios = []
        for _, run in flow_series(results, series + rule, "rto_s").groupby("run"):
            third = len(run) // 3
            late, middle = run["value"].iloc[-third:], run["value"].iloc[third : 2 * third]
            ratios.append(late.mean() / middle.mean())
        parts[name], half = mean_interval(ratios)
        if not _exact(series):
            errors[name] = half
    return Measured(parts, results.runs("wan" + rule) + 2, errors)


no_divergence = claim(_divergence, "")  # by the module's rule
no_divergence_bare = claim(_divergence, BARE)  # by the report's alone


def flat_on_lan(results):
    """Spread of the timeout on the LAN over its mean, by the report's rule."""
    parts = {}
    for series, name in LANS:
        sent = flow_series(results, series + BARE, "data_packets").set_index("time_s")["value"]
        timeouts = flow_series(results, series + BARE, "rto_s").set_index("time_s")["value"]
        settled = timeouts[sent.reindex(timeouts.index) >= LAN_FROM]
        if settled.empty:
            raise MissingDataError(f"fewer than {LAN_FROM} packets on the LAN")
        low, high = np.quantile(settled, (0.05, 0.95))
        parts[name] = (high - low) / settled.mean()
    return Measured(parts, len(parts))


def _first_timeout(results, padded):
    rows = results.rows("ping", padPing=padded)
    timeouts = flow_series(results, "ping", "rto_s")
    first = timeouts[timeouts["point"].isin(set(rows["point"]))]["value"].iloc[0]
    real = model.packet_round_trip(2048, rows["--linkRate"].iloc[0], rows["--rtt"].iloc[0])
    note = f"first timeout {1e3 * first:.1f} ms, real RTT {1e3 * real:.1f} ms"
    return Measured.one(first / real, 1, note=note)


# First timeout after a padded PING over the real RTT.
padded_ping = claim(_first_timeout, "true")
# First timeout after a bare PING over the real RTT.
bare_ping = claim(_first_timeout, "false")


def _duplicates(results, padded):
    return Measured.one(results.rows("ping", padPing=padded)["duplicates"].sum(), 1)


# Duplicates of the transfer that began with a padded PING, and with a bare one.
padded_ping_no_retransmissions = claim(_duplicates, "true")
bare_ping_retransmits = claim(_duplicates, "false")
