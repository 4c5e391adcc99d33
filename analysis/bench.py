# SPDX-License-Identifier: GPL-2.0-only
"""Measure what a transport costs, as ratios within one run of this script.

python analysis/bench.py --build build --pairs 7 [--long]

Processor time (user and system) a delivered data packet of a scenario program is compared with
that of ns-3's UdpClient and UdpServer over the same link; both are run in turn, A B A B, so that
a machine that slows down slows both. Peak memory and time are compared between transfers of
different size; --long makes the large one 10 GB.
"""

import argparse
import csv
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lfn.files import to_json

PATH = ("--sendRate=600Mbps", "--linkRate=1Gbps", "--rtt=100ms", "--packetSize=1450")
PACKET = 1450
BASELINE = "lfn-bench-baseline"
TRANSPORTS = {
    "rbudp, ideal control": ("rbudp-transfer", "--control=ideal"),
    "rbudp, TCP control": ("rbudp-transfer", "--control=tcp"),
}
GOAL = {"rbudp, ideal control": 1.1, "rbudp, TCP control": 1.1}


@dataclass
class Cost:
    """What one run took: processor seconds, delivered packets, peak resident bytes."""

    seconds: float
    packets: float
    memory: int

    @property
    def per_packet(self):
        """Processor time a delivered packet in nanoseconds."""
        return 1e9 * self.seconds / self.packets


def measure(build, program, *flags):
    """Run a program once and return its Cost; ends the script when it fails."""
    executable = str(build / "bin" / program)
    with tempfile.TemporaryDirectory(prefix="lfn-bench-") as folder:
        out = Path(folder) / "out"
        words = [executable, *flags, f"--outputDir={out}"]
        pid = os.posix_spawn(executable, words, os.environ, file_actions=_quiet())
        _, status, usage = os.wait4(pid, 0)
        if status != 0:
            sys.exit(f"bench: failed: {' '.join(words)}")
        with (out / "summary.csv").open(newline="") as stream:
            delivered = sum(float(row["delivered_bytes"]) for row in csv.DictReader(stream))
    seconds = usage.ru_utime + usage.ru_stime
    return Cost(seconds, delivered / PACKET, 1024 * usage.ru_maxrss)


def _quiet():
    return [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def compare(build, size, pairs):
    """Return a row a transport: its processor time a packet beside the baseline's."""
    rows = []
    flags = (*PATH, f"--bytes={size}")
    for name, (program, *own) in TRANSPORTS.items():
        ours, theirs, ratios = [], [], []
        for _ in range(pairs):
            theirs.append(measure(build, BASELINE, *flags).per_packet)
            ours.append(measure(build, program, *flags, *own).per_packet)
            ratios.append(ours[-1] / theirs[-1])
        rows.append(
            {
                "transport": name,
                "ns_a_packet": round(statistics.median(ours), 1),
                "baseline_ns_a_packet": round(statistics.median(theirs), 1),
                "ratio": round(statistics.median(ratios), 3),
                "lowest": round(min(ratios), 3),
                "highest": round(max(ratios), 3),
                "goal": GOAL[name],
                "pairs": pairs,
            }
        )
    return rows


def growth(build, sizes):
    """Return a row a size: time a packet and peak memory of RBUDP, ratios to the first."""
    rows = []
    first = None
    for size in sizes:
        cost = measure(build, "rbudp-transfer", *PATH, f"--bytes={size}", "--control=ideal")
        first = first or cost
        rows.append(
            {
                "bytes": size,
                "packets": round(cost.packets),
                "seconds": round(cost.seconds, 2),
                "ns_a_packet": round(cost.per_packet, 1),
                "peak_MiB": round(cost.memory / 2**20, 1),
                "above_first_MiB": round((cost.memory - first.memory) / 2**20, 1),
            }
        )
    return rows


def show(rows):
    """Print rows as an aligned table."""
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)))
    print(flush=True)


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = argparse.ArgumentParser(description="Measure what a transport costs.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder")
    parser.add_argument("--pairs", type=int, default=7, help="pairs of runs a transport")
    parser.add_argument("--bytes", default="450MB", help="user bytes a run")
    parser.add_argument("--long", action="store_true", help="also 10 GB in one transfer")
    options = parser.parse_args(argv)
    build = options.build.resolve()
    programs = {BASELINE, *(program for program, *_ in TRANSPORTS.values())}
    for program in sorted(programs):
        if not (build / "bin" / program).is_file():
            sys.exit(f"bench: {options.build}/bin/{program}: no such program; run ./waf build")
    if options.pairs < 1:
        sys.exit(f"bench: --pairs={options.pairs}: give at least 1")
    print(f"processor time a delivered packet, {options.bytes}, against UdpClient and UdpServer")
    compared = compare(build, options.bytes, options.pairs)
    show(compared)
    print("growth with the size of the transfer (RBUDP, ideal control)")
    sizes = ["10MB", "100MB", "1GB", *(["10GB"] if options.long else [])]
    grown = growth(build, sizes)
    show(grown)
    target = build / "bench.json"
    target.write_text(to_json({"cost": compared, "growth": grown}), encoding="utf-8")
    print(f"written to {options.build}/bench.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
