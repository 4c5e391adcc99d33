# SPDX-License-Identifier: GPL-2.0-only
"""Measurements of the original atou programs beside our model of them.

A folder of measurements holds ``atou.csv``, a row a repetition of a case, and for each case a
folder ``atou/<case>`` with the client's ``config``, ``emulator.txt`` (the path) and
``trace_rep1.csv.gz`` (what was sent when). Nothing of it is part of this repository.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from lfn import emulator
from lfn.figures.atou import trace

PHASES = 20
"""Phases of the delayed-ACK server's heartbeat that a case with such a server is run with."""
PACKETS = 100000
"""Of so many data packets those are named that a repetition's emulator lost or held."""
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
    """A case: the file of its client's options, the path, and how it is to be judged."""

    name: str
    config: Path
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


def _told(text, pattern, where):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise CaseError(f"{where}: no line that matches {pattern}")
    return found.groups()


def read_case(folder):
    """Return the Case in a folder: ``emulator.txt`` as flags of atou-transfer."""
    folder = Path(folder)
    where = folder / "emulator.txt"
    try:
        text = where.read_text(encoding="utf-8")
    except OSError as error:
        raise CaseError(f"{where}: {error.strerror}") from error
    (rate,) = _told(text, r"^rate_bps (\d+)", where)
    (overhead,) = _told(text, r"^overhead_bytes_per_ip_packet (\d+)", where)
    (rtt,) = _told(text, r"^one_way_delay_ms \S+ \(rtt (\S+)\)", where)
    forward, _ = _told(text, r"^queue_pkts forward (\d+) reverse (\d+)", where)
    (extra,) = _told(text, r"^extra (.*)$", where)
    (server,) = _told(text, r"^server_options(.*)$", where)
    if overhead != "2":
        raise CaseError(f"{where}: {overhead} B a packet, and ns-3's link adds 2")
    server = server.split()
    flags = [f"--linkRate={rate}bps", f"--rtt={rtt}ms", f"--queue={forward}p", "--holeLimit=1024"]
    kind = "exact"
    if "-b" in server:  # Linux gives twice what is asked for
        buffer = 2 * int(server[server.index("-b") + 1])
        flags.append(f"--ns3::lfn::AtouServer::RcvBufSize={buffer}")
    if "-s" in server:
        flags.append("--serverSack")
    if "-d" in server:
        flags.append(f"--ackDelay={server[server.index('-d') + 1]}ms")
        kind = "phase"
    extra = [] if extra == "none" else extra.split()
    unknown = set(extra[::2]) - {"-l", "-f", "-m", "-e"}
    if unknown:
        raise CaseError(f"{where}: extra {' '.join(sorted(unknown))}, which has no flag of ours")
    given = dict(zip(extra[::2], extra[1::2], strict=True))
    if {"-l", "-e"} <= set(given):
        raise CaseError(f"{where}: extra -l and -e: a packet's numbers depend on each other")
    one_in, passed = map(int, given.get("-e", "0:0").split(":"))
    if "-l" in given or one_in:
        kind = "pattern"
    if one_in:
        flags += [
            f"--reorderBy={passed}",
            "--ns3::lfn::PointToPointTopology::ReorderLongestHold=20ms",
        ]
    late = [float(found) for found in re.findall(r"late_max_us (\S+)", text.partition("rep 2")[0])]
    return Case(
        name=folder.name,
        config=folder / "config",
        flags=tuple(flags),
        kind=kind,
        late=1e-6 * sum(late),
        loss=float(given.get("-l", 0)),
        hold=1 / one_in if one_in else 0.0,
        passed=passed,
    )


def pattern(case, seed):
    """Return the words that lose or hold the packets of a repetition."""
    words = []
    if case.loss:
        words.append(("dropData", emulator.lost(seed, case.loss, PACKETS)))
    if case.hold:
        words.append(("reorderData", emulator.held(seed, case.hold, case.passed, PACKETS)))
    return [f"--{flag}=" + ",".join(map(str, numbers)) for flag, numbers in words]


def commands(case, program, outputs, repetitions):
    """Return [(words of a command, its output folder)], a pair a run."""
    words = [str(program), f"--config={case.config}", *case.flags]
    found = []
    runs = {"exact": 1, "phase": PHASES, "pattern": repetitions}[case.kind]
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
        name: float(_told(client, pattern, folder / "client.summary")[0])
        for name, pattern in OF_CLIENT.items()
    }
    row["srv_maxooo"] = float(_told(server, r"maxooo (\d+)", folder / "server.summary")[0])
    sent, acks = trace((folder / "client.trace").read_text(encoding="utf-8"))
    row["max_cwnd"] = float(acks["cwnd"].max()) if len(acks) else 0.0
    return row, sent


def read_measured(folder):
    """Return the repetitions in atou.csv as {case: table}, in the file's order."""
    path = Path(folder) / "atou.csv"
    try:
        table = pd.read_csv(path)
    except (OSError, pd.errors.ParserError) as error:
        raise CaseError(f"{path}: {getattr(error, 'strerror', error)}") from error
    table = table[table["rep"].str.fullmatch(r"\d+")]
    return dict(iter(table.groupby("case", sort=False)))


def read_sent(folder):
    """Return the sent segments of a case's trace: time_s, segment; None where there is none."""
    path = Path(folder) / "trace_rep1.csv.gz"
    if not path.exists():
        return None
    table = pd.read_csv(path)
    return table.loc[table["event"] == "xmt", ["time_s", "segment"]].reset_index(drop=True)


def compare(kind, measured, ours):
    """Return a table with a row a column: measured and ours (lowest, highest), agrees.

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
    told = f"{span(rate.low, rate.high):>18} {span(rate.ours_low, rate.ours_high):>18}"
    return f"{'differs' if apart else 'agrees':8}{told}  {'; '.join(apart)}", not apart
