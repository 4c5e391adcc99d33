# SPDX-License-Identifier: GPL-2.0-only
"""Measurements of the original atou programs, compared with our model of them.

analysis/originals/README.md says what its files ``atou*.csv`` hold.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from lfn import emulator
from lfn.figures.atou import trace

PHASES = 20
"""Phases of the delayed-ACK server's heartbeat that a case with such a server is run with."""
RUNS = {"exact": 1, "phase": PHASES, "pattern": None}
"""Runs of a case by its kind; None: as many as there are repetitions."""
PACKETS = 100000
"""The number of data packets of which those are named that a repetition's emulator lost or held."""
SEGMENTS = 300
"""Segments of a trace that are compared."""
LATE = 1e-3
"""How far the times of a trace may be apart, s, beyond what the emulator itself was late."""

EXACT = ("rxmts", "timeouts", "dup3s", "packs")
NEAR = {
    "goodput_Mbps": 0.01,
    "dups": 0.02,
    "acks_in": 0.02,
    "srv_maxooo": 0.02,
    "max_cwnd": 0.02,
    "minrtt_s": 0.02,
    "avgrtt_s": 0.02,
}
"""Columns of atou.csv that are compared: by how much ours may lie outside the repetitions."""

OF_CLIENT = {
    "goodput_Mbps": r"(\S+) Mbs win",
    "rxmts": r"^rxmts (\d+)",
    "timeouts": r"timeouts (\d+)",
    "dup3s": r"dup3s (\d+)",
    "packs": r"packs (\d+)",
    "dups": r"dups (\d+) badacks",
    "acks_in": r"pkts in (\d+)",
    "minrtt_s": r"minrtt +(\S+)",
    "avgrtt_s": r"avrgrtt (\S+)",
}


class CaseError(Exception):
    """A folder of measurements is not what it should be; the text says what and where."""


@dataclass(frozen=True)
class Case:
    """A case: the options of its client, the path, and how it is to be judged."""

    name: str
    options: str
    flags: tuple
    kind: str
    """exact: one run says all; phase: a delayed-ACK server; pattern: losses or reordering by the
    emulator's own numbers, other ones in each repetition."""
    late: float
    """How late the emulator was at most in the repetition whose trace there is, s."""
    loss: float = 0.0
    """Probability that a data packet is lost."""
    hold: float = 0.0
    """Probability that a data packet is held until others have passed."""
    passed: int = 0
    """How many these are."""


def _found(text, pattern, where):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise CaseError(f"{where}: no line that matches {pattern}")
    return found.groups()


def _read(path):
    try:
        return pd.read_csv(path)
    except (OSError, pd.errors.ParserError) as error:
        raise CaseError(f"{path}: {getattr(error, 'strerror', error)}") from error


def read_cases(folder):
    """Return {name: Case} of ``atou-cases.csv``."""
    path = Path(folder) / "atou-cases.csv"
    cases = {}
    for row in _read(path).itertuples():
        flags = tuple(shlex.split(row.flags))
        if row.kind not in RUNS or (row.loss and row.hold):
            raise CaseError(f"{path}: {row.case}: kind, loss or hold cannot be run")
        numbers = (float(row.late_s), float(row.loss), float(row.hold), int(row.passed))
        cases[row.case] = Case(row.case, row.options, flags, row.kind, *numbers)
    return cases


def pattern(case, seed):
    """Return the words that lose or hold the packets of a repetition."""
    words = []
    if case.loss:
        words.append(("dropData", emulator.lost(seed, case.loss, PACKETS)))
    if case.hold:
        words.append(("reorderData", emulator.held(seed, case.hold, case.passed, PACKETS)))
    return [f"--{flag}=" + ",".join(map(str, numbers)) for flag, numbers in words]


def commands(case, program, outputs, repetitions):
    """Return [(words of a command, its output folder)], a pair per run."""
    words = [str(program), f"--options={case.options}", *case.flags]
    found = []
    runs = RUNS[case.kind] or repetitions
    for run in range(1, runs + 1):
        folder = Path(outputs) / case.name / str(run)
        own = [f"--RngRun={run}"]
        if case.kind == "phase":
            delay = next(flag for flag in case.flags if flag.startswith("--ackDelay="))
            milliseconds = int(re.sub(r"\D", "", delay))
            phase = 1000 * milliseconds * (run - 1) // runs
            own = [f"--ns3::lfn::AtouServer::HeartbeatPhase={phase}us"]
        if case.kind == "pattern":
            own = pattern(case, run)
        found.append(([*words, *own, f"--outputDir={folder}"], folder))
    return found


def read_ours(folder):
    """Return (columns of atou.csv as far as they are compared, sent segments) of one run."""
    folder = Path(folder)
    client = (folder / "client.summary").read_text(encoding="utf-8")
    server = (folder / "server.summary").read_text(encoding="utf-8")
    row = {
        name: float(_found(client, pattern, folder / "client.summary")[0])
        for name, pattern in OF_CLIENT.items()
    }
    row["srv_maxooo"] = float(_found(server, r"maxooo (\d+)", folder / "server.summary")[0])
    sent, acks = trace((folder / "client.trace").read_text(encoding="utf-8"))
    row["max_cwnd"] = float(acks["cwnd"].max()) if len(acks) else 0.0
    return row, sent


def read_measured(folder):
    """Return the repetitions in ``atou.csv`` as {case: table}, in the file's order."""
    return dict(iter(_read(Path(folder) / "atou.csv").groupby("case", sort=False)))


def read_sent(folder):
    """Return {case: table of its sent segments: time_s, segment} of ``atou-sent.csv``."""
    table = _read(Path(folder) / "atou-sent.csv")
    names = [column.removesuffix(".segment") for column in table if column.endswith(".segment")]
    return {
        name: pd.DataFrame({key: table[f"{name}.{key}"] for key in ("time_s", "segment")}).dropna()
        for name in names
    }


def compare(kind, measured, ours):
    """Return a table with a row per column: measured and ours (lowest, highest), agrees.

    The repetitions' range, as much wider as NEAR says, has to hold ours in an exact case and some
    of ours in one with phases; with patterns each repetition has to be as near to its own run.
    """
    rows = []
    for name in (*NEAR, *EXACT):
        low, high = float(measured[name].min()), float(measured[name].max())
        values = [float(run[name]) for run in ours]
        own_low, own_high = min(values), max(values)
        mean = sum(values) / len(values)
        share = NEAR.get(name, 0.0)
        if kind == "pattern":
            pairs = zip(measured[name].astype(float), values, strict=True)
            agrees = all(abs(own - theirs) <= share * theirs for theirs, own in pairs)
        else:
            agrees = own_low <= high * (1 + share) and own_high >= low * (1 - share)
        rows.append((name, low, high, own_low, own_high, mean, agrees))
    columns = ["column", "low", "high", "ours_low", "ours_high", "ours_mean", "agrees"]
    return pd.DataFrame(rows, columns=columns)


def compare_sent(measured, ours):
    """Return (segments in the same order from the first on, differences of their times in s)."""
    count = min(SEGMENTS, len(measured), len(ours))
    first, second = measured.iloc[:count], ours.iloc[:count]
    same = (first["segment"].to_numpy() == second["segment"].to_numpy()).tolist()
    alike = same.index(False) if False in same else count
    apart = abs(first["time_s"].to_numpy() - second["time_s"].to_numpy())[:alike]
    return alike, apart


def describe(case, table, sent):
    """Return (line of a case, whether it agrees): its goodput, and what does not agree."""

    def span(low, high):
        return f"{low:.6g}" if low == high else f"{low:.6g}..{high:.6g}"

    apart = [
        f"{row.column} {span(row.low, row.high)} ours {span(row.ours_low, row.ours_high)}"
        for row in table.itertuples()
        if not row.agrees
    ]
    if sent is not None and case.kind != "phase":
        alike, differences = sent
        if alike < SEGMENTS:
            apart.append(f"trace: the same order up to segment {alike} of {SEGMENTS}")
        late = differences[differences > LATE + case.late]
        if len(late):
            apart.append(f"trace: {len(late)} sent up to {1e3 * late.max():.1f} ms apart")
    rate = table.iloc[0]
    reported = f"{span(rate.low, rate.high):>18} {span(rate.ours_low, rate.ours_high):>18}"
    return f"{'differs' if apart else 'agrees':8}{reported}  {'; '.join(apart)}", not apart
