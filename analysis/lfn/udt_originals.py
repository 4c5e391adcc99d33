# SPDX-License-Identifier: GPL-2.0-only
"""Cases of analysis/originals/udt.csv: how to run each again, and how to judge what arrives out.

The names of the columns are those of the measurements; every setting of a case is read from its
rows. The ISN of a repetition is not known. It decides which packets are pairs, and with many NAKs
which of them decrease the rate: a case without random losses is run with 16 consecutive ISNs.
"""

import csv
import io
import math
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from itertools import groupby
from statistics import mean, stdev

from lfn.process import ending_with_this_process

PHASES = 16
"""Consecutive ISNs: every 16th packet begins a pair."""

FIRST_ISN = 0x7167A0B0
"""Of those runs."""

FRAMING = {"h": 38}
"""Bytes of each IP packet on the link besides its own, by the first letter of the case; else 2."""

NEEDED = (
    "case variant rep flow host_send_cost_us link_Mbps rtt_ms queue_pkts loss script window_pkts "
    "write_B bytes setup_s span_s goodput_Mbps pkts_sent pkts_resent naks Mbps_by_second "
    "period_us_by_second"
).split()
"""Columns that are read."""

MEASURED = "setup_s span_s bytes goodput_Mbps pkts_sent pkts_resent naks".split()
"""Of these, numbers of the measurement."""


HANDSHAKES = {
    "request": "request",
    "cookie": "cookie",
    "second": "second",
    "request2": "second",
    "answer": "answer",
}
"""Packets of the set-up: name in a case, name of the runner."""

LEAST = {"link_Mbps": 1e-3, "window_pkts": 2, "write_B": 1, "bytes": 1}
"""Least values of columns; 0 of the others."""


class CaseError(Exception):
    """A case cannot be rerun; the text says which, and why."""


@dataclass
class Case:
    """A case of the measurements: its rows, by repetition and flow."""

    name: str
    rows: list
    flows: list = field(init=False)

    def __post_init__(self):
        """Take the flows of the first repetition."""
        first = self.rows[0]["rep"]
        self.flows = [row for row in self.rows if row["rep"] == first]

    def number(self, column, flow=0):
        """Return the number in a column of a flow."""
        text = self.flows[flow][column]
        try:
            value = float(text)
        except (TypeError, ValueError):
            raise CaseError(f"{self.name}: {column}={text}: not a number") from None
        least = LEAST.get(column, 0)
        if not math.isfinite(value) or value < least:
            raise CaseError(f"{self.name}: {column}={text}: not a number from {least:g} on")
        if column == "loss" and value >= 1:
            raise CaseError(f"{self.name}: loss={text}: not a probability below 1")
        return value

    @property
    def handshakes(self):
        """The packet of the set-up that is lost once, as the runner names it; None for none."""
        found = re.search(r"(?:^|_)hs_(\w+)_lost", self.name)
        if found and found[1] not in HANDSHAKES:
            known = ", ".join(HANDSHAKES)
            raise CaseError(f"{self.name}: no packet {found[1]} in the set-up: known are {known}")
        return HANDSHAKES[found[1]] if found else None

    @property
    def dead_s(self):
        """When the path dies, s; 0 for never."""
        found = re.search(r"dead_after_([\d.]+)s", self.name)
        return float(found[1]) if found else 0.0

    @property
    def is_timed(self):
        """Whether the run was stopped at a time: setup_s + span_s ends 1 ms before a second."""
        end = self.number("setup_s") + self.number("span_s")
        return not self.dead_s and abs(round(end) - end - 0.001) < 1e-5

    @property
    def kind(self):
        """How the case is judged: exact, random, udt3, flows or timed."""
        if len(self.flows) > 1:
            return "flows"
        if self.is_timed or self.name.startswith("f_"):
            return "single"
        if self.flows[0]["variant"] == "udt3":
            return "udt3"
        return "random" if self.number("loss") > 0 else "exact"


def numbers(text):
    """Return the numbers of a text with semicolons."""
    try:
        return [float(word) for word in text.split(";") if word]
    except (ValueError, AttributeError):
        raise CaseError(f"{text}: not numbers with semicolons between them") from None


def check(case):
    """Refuse rows whose measurements cannot be read; they are judged after runs of minutes."""
    for row in case.rows:
        for name in MEASURED:
            try:
                value = float(row[name])
            except (TypeError, ValueError):
                value = math.nan
            if not math.isfinite(value) or value < 0:
                raise CaseError(f"{case.name}: {name}={row[name]}: not a number from 0 on")
        for name in ("Mbps_by_second", "period_us_by_second"):
            try:
                numbers(row[name])
            except CaseError as error:
                raise CaseError(f"{case.name}: {name}={error}") from None
    if len({len(list(rows)) for _, rows in groupby(case.rows, key=lambda row: row["rep"])}) > 1:
        raise CaseError(f"{case.name}: repetitions differ in their number of flows")


def read(path):
    """Return the cases of a file."""
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                raise CaseError(f"{path}: no column {missing[0]}")
            rows = [row for row in reader if row["case"] and (row["rep"] or "").isdigit()]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CaseError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if not rows:
        raise CaseError(f"{path}: no repetitions")
    cases = [Case(name, list(group)) for name, group in groupby(rows, key=lambda row: row["case"])]
    for case in cases:
        check(case)
    return cases


def times(case):
    """Return (starts, stops) of the flows of a case that was stopped at a time, s."""
    starts, stops = [], []
    series = [numbers(row["Mbps_by_second"]) for row in case.flows]
    end = max(map(len, series))
    for mbps in series:
        starts.append(next((k for k, value in enumerate(mbps) if value > 0), 0))
        # What is under way when a flow stops arrives in the next second.
        stops.append(end if len(mbps) == end else len(mbps) - 1)
    return starts, stops


def flags(case):
    """Return the words that run a case once, without seeds."""
    first = case.flows[0]
    variant = first["variant"]
    if variant not in ("udt3", "udt4"):
        raise CaseError(f"{case.name}: variant={variant}: known are udt3, udt4")
    window = round(case.number("window_pkts"))
    default_buffer = 8192
    words = {
        "variant": variant,
        "link": f"{case.number('link_Mbps'):g}",
        "rtt": ",".join(f"{case.number('rtt_ms', k):g}" for k in range(len(case.flows))),
        "queue": round(case.number("queue_pkts")),
        "framing": FRAMING.get(case.name[0], 2),
        "hostCost": f"{case.number('host_send_cost_us'):g}",
        "window": window,
        "sendBuffer": max(window, default_buffer),
        "write": round(case.number("write_B")),
    }
    if case.number("loss") > 0:
        words["loss"] = f"{case.number('loss'):g}"
    if first["script"]:
        if not re.fullmatch(r"\d+(:\d+)?(;\d+(:\d+)?)*", first["script"]):
            raise CaseError(f"{case.name}: script={first['script']}: not packet:times;...")
        words["script"] = first["script"]
    if case.dead_s:
        words["dead"] = f"{case.dead_s:g}"
        words["bytes"] = 2**50
    elif case.is_timed:
        starts, stops = times(case)
        words["start"] = ",".join(map(str, starts))
        words["stop"] = ",".join(map(str, stops))
    else:
        words["bytes"] = round(case.number("bytes"))
    if case.handshakes:
        words["handshakes"] = case.handshakes
    return [f"--{name}={value}" for name, value in words.items()]


def plan(case, runs):
    """Return the command lines, without the program, that together run a case often enough."""
    words = flags(case)
    if case.kind == "exact":
        return [[*words, f"--initial={FIRST_ISN}", f"--runs={PHASES}"]]
    if case.kind in ("flows", "single"):
        return [words]
    if case.number("loss") == 0:
        return [[*words, f"--initial={FIRST_ISN}", f"--runs={PHASES}"]]
    # The same losses as the original had, with many ISNs: chance is in both.
    seeds = sorted({int(row["rep"]) for row in case.rows})
    each = math.ceil(runs / len(seeds))
    return [
        [*words, f"--seed={seed}", f"--initial={FIRST_ISN + 1000003 * k}"]
        for seed in seeds
        for k in range(each)
    ]


def run(program, words):
    """Run the program once; return its rows."""
    if not program.is_file():
        raise CaseError(f"{program}: no such file: build it first, with ./waf")
    command = ending_with_this_process(str(program), *words)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise CaseError(f"{shlex.join([program.name, *words])}: {ended.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(ended.stdout)))


@dataclass
class Verdict:
    """What a case came to: numbers of both, what is wrong (nothing when it holds)."""

    original: float
    ours: float
    problems: list
    remark: str = ""


def column(rows, name):
    """Return the numbers of a column."""
    return [float(row[name]) for row in rows]


def off(ours, original):
    """Return by how much ours differs, as a share."""
    return ours / original - 1 if original else math.inf


def farthest(ours, original):
    """Return the largest deviation of a run's periods from those of a repetition, as a share."""
    both = list(zip(numbers(ours), numbers(original), strict=False))
    return max((abs(a / b - 1) for a, b in both), default=0.0)


def judge_exact(case, ours):
    """Judge a case without chance.

    Goodput within 0.5 % on average; each repetition's packets and NAKs, and its periods by second
    within 0.1 %, must come out with one of the ISNs.
    """
    goodput, period = 0.005, 0.001
    original, own = mean(column(case.rows, "goodput_Mbps")), mean(column(ours, "goodput_Mbps"))
    problems = []
    if abs(off(own, original)) > goodput:
        problems.append(f"goodput {off(own, original):+.2%}")
    for name in ("pkts_sent", "naks"):
        found = {round(value) for value in column(ours, name)}
        missing = {round(value) for value in column(case.rows, name)} - found
        if missing:
            problems.append(f"{name} {sorted(missing)} not among {min(found)} to {max(found)}")
    worst = 0.0
    for row in case.rows:
        measured = row["period_us_by_second"]
        worst = max(worst, min(farthest(mine["period_us_by_second"], measured) for mine in ours))
    if worst > period:
        problems.append(f"period by second {worst:.2%}")
    return Verdict(original, own, problems, f"period {worst:.3%}")


def judge_mean(case, ours, limit):
    """Judge the mean goodput of repetitions against that of runs with the same losses."""
    theirs, own = column(case.rows, "goodput_Mbps"), column(ours, "goodput_Mbps")
    original, mine = mean(theirs), mean(own)
    remark = f"{off(mine, original):+.2%}"
    problems = [] if abs(off(mine, original)) <= limit else [f"goodput {remark}"]
    if len(own) > PHASES:
        # Of as many runs as the original has repetitions, each with another ISN.
        chance = 1.96 * stdev(own) / math.sqrt(len(theirs)) / mine
        remark += f", chance {chance:.1%}"
        if problems and limit < abs(off(mine, original)) <= chance:
            problems = []
            remark += ": decided by chance"
    return Verdict(original, mine, problems, remark)


def judge_bytes(case, ours, limit):
    """Judge what all flows delivered: one run each, so chance is in both."""
    timed = case.is_timed
    name = "bytes" if timed else "goodput_Mbps"
    seconds = max(case.number("span_s", k) for k in range(len(case.flows)))
    scale = 8e-6 / seconds if timed else 1
    original = scale * sum(float(row[name]) for row in case.flows)
    mine = scale * sum(column(ours, name))
    shares = [
        f"{off(float(own[name]), float(row[name])):+.1%}"
        for own, row in zip(ours, case.flows, strict=True)
    ]
    difference = off(mine, original)
    problems = [] if abs(difference) <= limit else [f"sum {difference:+.2%}"]
    return Verdict(original, mine, problems, "flows " + " ".join(shares))


def judge(case, ours):
    """Judge a case by its kind."""
    if case.kind == "exact":
        return judge_exact(case, ours)
    if case.kind == "random":
        return judge_mean(case, ours, 0.03)
    if case.kind == "udt3":
        return judge_mean(case, ours, 0.02)
    return judge_bytes(case, ours, 0.05 if case.kind == "flows" else 0.03)
