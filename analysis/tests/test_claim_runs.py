# SPDX-License-Identifier: GPL-2.0-only
"""What stands behind a claim: the runs that can change it, and an interval where runs differ.

Every claim that needs summary.csv alone is asked about made-up numbers, once as they are and once
for each point with the numbers of its last run changed.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import ANALYSIS
from lfn.columns import functions
from lfn.results import MissingDataError, Results, load_published
from lfn.spec import load_figures
from lfn.units import number_or_text

FIGURES = load_figures(ANALYSIS / "figures")

COLUMNS = """
accepted_losses acks avrgrtt_s badacks blasts block_period_s control_packets cwnd data_packets
delivered_bytes device_control_bytes drops_tail dup3s duplicates dups finish_s first_blast_packets
frame_throughput_bps frames frames_failed full_window_s goodput_bps host_drops last_delivery_s
jain_index latency_growth_s
longest_burst_bytes lost_bytes max_object_latency_s max_probe_s maxack maxburst maxrtt_s mbs
max_frame_s mean_block_time_s mean_cwnd mean_latency_s mean_loss_rate mean_probe_s
mean_queue_bytes mean_queue_packets mean_queue_s mean_rtt_s messages_complete messages_sent
min_rtt_s msg_packets nack_requests nack_responses object_delay_p99_s object_jitter_s
objects objects_late objects_lost objects_per_block offered_bytes packs probes
residual_loss residual_packets_first_blast retransmitted_packets rto_s secs server_dups server_late
server_max_gap share snd_max snd_nxt snd_una spurious_rate srtt_s ssthresh suppressed timeouts
transmissions_per_message utilisation window_goodput_bps window_messages_complete window_s
""".split()

LAW = "its unit is the law's own error"
EXTREME = "largest or smallest of all runs"
NO_INTERVAL = {
    ("atou-reordering", "lbnl-all-spurious"): "every single one of all runs counts",
    ("atou-reordering", "lbnl-gap"): EXTREME,
    ("atou-reordering", "lbnl-no-retransmissions"): EXTREME,
    ("atou-tcp-grid", "spurious"): EXTREME,
    ("compare-residual", "vrp-keeps-its-limit"): EXTREME,
    ("fec-codes", "follows-the-law"): LAW,
    ("fec-latency", "others-lose-none"): "every single one of all runs counts",
    ("fec-residual-loss", "follows-the-law"): LAW,
    ("jrm-fig1", "exact-law-nacks-safe"): LAW,
    ("jrm-fig1", "one-seed"): "every single one of all runs counts",
    ("jrm-fig2", "exact-law-nacks-safe"): LAW,
    ("rbudp-fig7", "exact-law"): LAW,
    ("vrp-residual", "burst-holds"): EXTREME,
    ("xcp-queue-law", "law"): EXTREME,
}
"""Claims over several runs that return no interval, and why."""

COUNT = "counts statements, which made-up numbers do not change"
EXACT = "at an error rate of 0 all but the law's number is infinitely wrong"
OTHER = {
    ("atou-vegas-floyd", "full-window"): "one of its transfers must not have filled its window",
    ("jrm-fig1", "exact-law-nacks-lost"): EXACT,
    ("jrm-fig2", "both-figures"): COUNT,
    ("jrm-fig2", "exact-law-nacks-lost"): EXACT,
    ("jrm-fig2", "missing-host"): COUNT,
    ("rbudp-fig7", "sixty-seven"): "where a curve crosses a line",
    ("rbudp-streaming", "extra-delay"): "of the streams that keep up",
    ("rbudp-streaming", "least-rate"): "where streams begin to keep up",
    ("vrp-tolerance", "slower-with-loss"): "a rank, which another number may leave as it is",
}
"""Claims for which made-up numbers will not do, and why."""


@dataclass
class Watched(Results):
    """Results that remember the points that were read."""

    read: set = field(default_factory=set)

    def rows(self, series, **flags):
        rows = super().rows(series, **flags)
        self.read.update(rows["point"])
        return rows


def flows_of(program, flags):
    """(protocol, variant) of each row that a run writes."""
    if program == "transport-comparison":
        flows = [("", "")] * len(flags["--transport"].split(","))
        return [*flows, ("", "cross")] if "--background" in flags else flows
    if program == "vrp-transfer":
        own = [(flags.get("--protocol", "vrp"), "")] * int(flags.get("--flows", 1))
        return [*own, *[("tcp", "")] * ("--background" in flags)]
    if program.startswith("xcp-"):
        return [("xcp", ""), ("tcp", "")]
    return [(flags.get("--protocol", ""), "")]


def made_up(figure):
    """Results of the full preset: two runs where it has several, numbers drawn at random."""
    draw = np.random.default_rng(1)
    rows = []
    for series in figure.series:
        for point in series.points("full"):
            flags = {f"--{name}": number_or_text(value) for name, value in point.args}
            flows = flows_of(point.program, flags)
            for run in range(1, min(point.runs, 2) + 1):
                for flow, (protocol, variant) in enumerate(flows):
                    row = {"series": series.name, "point": point.id, "run": run, "flow": flow}
                    row |= {"protocol": protocol, "variant": variant, "completed": 1}
                    row |= flags | {"start_s": 0.0, "application_start_s": 0.0}
                    rows.append(
                        row | dict(zip(COLUMNS, draw.uniform(0.8, 1, len(COLUMNS)), strict=True))
                    )
    return Watched("full", pd.DataFrame(rows), load_published(figure.folder), {}, Path("none"))


def changes():
    """Factors of the columns: all different, then each pair of columns in opposite directions."""
    apart = np.linspace(0.55, 0.95, len(COLUMNS))
    yield apart
    for bit in range(len(COLUMNS).bit_length()):
        up = np.array([n >> bit & 1 for n in range(len(COLUMNS))])
        yield apart * np.where(up, 5.0, 0.2)
        yield apart * np.where(up, 0.2, 5.0)


def changed(results, point, factors):
    """The same results but for the numbers of the last run of a point."""
    table = results.table
    mine = table["point"] == point
    mine = (mine & (table["run"] == table["run"][mine].max())).to_numpy()
    numbers = table[COLUMNS].to_numpy(copy=True)
    numbers[mine] *= factors
    for name in ("goodput_bps", "delivered_bytes"):
        numbers[mine & (table["flow"] > 0).to_numpy(), COLUMNS.index(name)] *= 0.5
    numbers[:, COLUMNS.index("share")] = np.minimum(numbers[:, COLUMNS.index("share")], 1.0)
    table = pd.concat([table.drop(columns=COLUMNS), pd.DataFrame(numbers, columns=COLUMNS)], axis=1)
    return Results("full", table, results.published, {}, results.folder)


def different(before, after):
    """Names of the parts that differ."""
    return {name for name, value in before.parts.items() if value != after.parts.get(name)}


@pytest.mark.parametrize("name", FIGURES)
def test_the_runs_of_a_claim_are_those_that_can_change_it(name):
    figure = FIGURES[name]
    judges = functions(figure)
    results = made_up(figure)
    runs = results.table.groupby("point")["run"].max()
    miscounted, bare = {}, set()
    for claim in figure.claims:
        if claim.evidence == "arithmetic" or (name, claim.id) in OTHER:
            continue
        measure = judges[claim.id]
        results.read.clear()
        try:
            before = measure(results)
        except MissingDataError as error:
            assert "wrote no" in str(error), claim.id  # reads more than summary.csv
            continue
        read = sorted(results.read)
        found, random = set(), set()
        for factors in changes():
            for point in read:
                if point not in found:
                    parts = different(before, measure(changed(results, point, factors)))
                    found |= {point} if parts else set()
                    random |= parts if runs[point] > 1 else set()
            if runs[list(found)].sum() == before.runs:
                break
        if runs[list(found)].sum() != before.runs:
            miscounted[claim.id] = f"{before.runs} runs, not {runs[list(found)].sum()}"
        if random - before.errors.keys():
            bare.add(claim.id)
    assert miscounted == {}
    assert bare == {claim for figure, claim in NO_INTERVAL if figure == name}
