# SPDX-License-Identifier: GPL-2.0-only
r"""Rerun measurements of the original RBUDP tools with rbudp-transfer; print both side by side.

.venv/bin/python analysis/rerun_rbudp.py [FOLDER]

FOLDER/rbudp.csv, by default that of analysis/originals, has one row per repetition of each case:
bytes, rate_arg_kbps, payload, link_Mbps, rtt_ms, queue_pkts, path_extra (flags of the path
emulator) and what was measured. Datagrams are lost by the emulator's own random numbers, with the
repetition as seed, so that both lose the same ones. Where the emulator lost TCP's packets too, the
order of its draws depends on the host's TCP: such a case is run with losses of our own, and judged
by the spread.
"""

import csv
import shlex
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from statistics import mean

from lfn.emulator import lost
from lfn.flags import Parser
from lfn.process import dying_with_this_process

SPREAD_RUNS = 200
"""Runs of a case whose losses are not the emulator's."""

HOST = ["--ns3::TcpSocket::ConnTimeout=1s"]
"""What the hosts that were measured do otherwise: Linux's first timer since 3.1 (RFC 6298)."""

NEAR = 0.01
"""What goodput and datagrams may differ by."""


class RerunError(Exception):
    """A measurement cannot be rerun; the text says which, and why."""


def path_losses(row):
    """Return (loss of datagrams, loss of all packets both ways) of a row."""
    words = shlex.split(row["path_extra"])
    given = dict(zip(words[::2], words[1::2], strict=False))
    if not words:
        return 0.0, 0.0
    if set(given) == {"-l", "-f"} and given["-f"] == "udp":
        return float(given["-l"]), 0.0
    if set(given) == {"-l", "-L"} and given["-l"] == given["-L"]:
        return 0.0, float(given["-l"])
    raise RerunError(f"{row['case']}: path_extra {row['path_extra']}: no flags for it")


def flags(row):
    """Return the words that run a repetition, without those of random losses."""
    words = [
        f"--bytes={row['bytes']}B",
        f"--sendRate={row['rate_arg_kbps']}kbps",
        f"--packetSize={row['payload']}B",
        f"--linkRate={float(row['link_Mbps']):g}Mbps",
        f"--rtt={row['rtt_ms']}ms",
        f"--queue={row['queue_pkts']}p",
        "--pacingQuantum=1us",
        *HOST,
    ]
    probability, _ = path_losses(row)
    if probability:
        # Enough numbers for all blasts, however many are needed.
        count = 2 * (-(-int(row["bytes"]) // int(row["payload"]))) + 1000
        numbers = lost(int(row["rep"]), probability, count)
        words.append("--dropData=" + ",".join(map(str, numbers)))
    return words


def run(program, words):
    """Run once; return (goodput in Mb/s, datagrams, blasts)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program), *words, f"--outputDir={folder}/run"]
        try:
            ended = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                preexec_fn=dying_with_this_process(),  # noqa: PLW1509 - no threads here
            )
        except OSError as error:
            raise RerunError(f"{program}: {error.strerror}: build it first") from error
        if ended.returncode:
            raise RerunError(f"{shlex.join(command)}: {ended.stderr.strip()}")
        with (Path(folder) / "run" / "summary.csv").open(newline="", encoding="utf-8") as stream:
            row = next(csv.DictReader(stream))
    if row["completed"] != "1":
        return None
    # As the tools time it: without the connection, until the sender has the last acknowledgement.
    seconds = float(row["finish_s"]) - float(row["start_s"])
    mbps = 8e-6 * int(row["delivered_bytes"]) / seconds
    return mbps, int(row["data_packets"]), int(row["blasts"])


def rerun(program, rows):
    """Return the outcomes of a case, with None for a transfer that failed."""
    _, both_ways = path_losses(rows[0])
    if both_ways:
        words = [*flags(rows[0]), f"--lossRate={both_ways:g}", "--reverseLoss"]
        return [run(program, [*words, f"--RngRun={k}"]) for k in range(1, SPREAD_RUNS + 1)]
    if path_losses(rows[0])[0] == 0:
        return [run(program, flags(rows[0]))]
    return [run(program, flags(row)) for row in rows]


def verdict(rows, original, ours):
    """Say how the outcomes of a case compare."""
    if path_losses(rows[0])[1]:
        within = min(original[0]) <= mean(ours[0]) <= max(original[0])
        what = "mean inside the spread" if within else "mean outside the spread"
    else:
        within = abs(mean(ours[0]) / mean(original[0]) - 1) <= NEAR
        what = "within 1 %" if within else "more than 1 % off"
    packets = abs(mean(ours[1]) / mean(original[1]) - 1) <= NEAR
    return what + ("" if packets else ", datagrams more than 1 % off")


def span(values, form):
    """Print a mean and, where they differ, the least and the most."""
    text = form(mean(values))
    few, most = form(min(values)), form(max(values))
    return text if few == most else f"{text} ({few} to {most})"


def table(folder, program):
    """Yield the lines of the table, one a case."""
    path = folder / "rbudp.csv"
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            rows = [row for row in csv.DictReader(stream) if row["rep"].isdigit()]
    except OSError as error:
        raise RerunError(f"{path}: {error.strerror}") from error
    except KeyError as error:
        raise RerunError(f"{path}: no column {error}") from error
    yield "| case | goodput, original | ours | datagrams, original | ours | rounds | ours | |"
    yield "|---|---|---|---|---|---|---|---|"
    for case, group in groupby(rows, key=lambda row: row["case"]):
        of_case = list(group)
        columns = ("throughput_Mbps", "pkts_sent", "rounds")
        original = [[float(row[name]) for row in of_case] for name in columns]
        outcomes = rerun(program, of_case)
        ended = [outcome for outcome in outcomes if outcome]
        if not ended:
            yield f"| {case} | | every run failed |"
            continue
        ours = list(zip(*ended, strict=True))
        cells = []
        for theirs, own, form in zip(
            original, ours, ("{:.3f}".format, "{:.0f}".format, "{:.3g}".format), strict=True
        ):
            cells += [span(theirs, form), span(own, form)]
        failed = len(outcomes) - len(ended)
        note = f"; {failed} of {len(outcomes)} runs failed" if failed else ""
        yield f"| {case} | {' | '.join(cells)} | {verdict(of_case, original, ours)}{note} |"


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Rerun measurements of the original RBUDP tools.")
    home = Path(__file__).resolve().parents[1]
    originals = home / "analysis" / "originals"
    parser.add_argument(
        "folder", type=Path, nargs="?", default=originals, help="where rbudp.csv is"
    )
    parser.add_argument(
        "--program",
        type=Path,
        default=home / "build" / "bin" / "rbudp-transfer",
        help="the built program",
    )
    options = parser.parse_args(argv)
    try:
        for line in table(options.folder, options.program):
            print(line, flush=True)
    except RerunError as error:
        print(f"rerun_rbudp.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
