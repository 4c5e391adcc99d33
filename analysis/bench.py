# SPDX-License-Identifier: GPL-2.0-only
"""Judge what a transport costs: ./waf bench.

Instructions per delivered packet do not change with the load of the machine: every transport, on
three topologies and over IPv4 and IPv6, is held against the stored counts of bench-counts.csv, and
against ns-3's own applications, bare sockets and itself with other options. What grows with
windows, flows and messages, where caches and memory count, is compared by processor time in pairs
of runs, A B A B, so that a machine that slows down slows both; peak memory is compared between
transfers of different size. The rows and their goals stand in lfn/bench_rows.py.

    ./waf bench            all of it, at most 15 minutes on two idle cores
    ./waf bench --quick    the stored counts of a subset, at most 3 minutes
    ./waf bench --renew    stores all counts; give the reason in the commit

Exit status: 1 when a goal is missed or a count is more than 2 % above the stored one, 77 when the
stored counts hold for another compiler, C library or ns-3, and nothing else was missed.
"""

import csv
import os
import shutil
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from lfn import bench_rows, counting
from lfn.counting import fail
from lfn.flags import Parser

HOME = Path(__file__).parent
STORED = HOME / "bench-counts.csv"
NS2_SCRIPT = HOME / "bench_ns2.tcl"
SKIPPED = 77


@dataclass
class Cost:
    """What one run took: processor seconds, delivered packets, peak resident bytes."""

    seconds: float
    packets: float
    memory: int

    @property
    def per_packet(self):
        """Processor time per delivered packet in nanoseconds."""
        return 1e9 * self.seconds / self.packets


def measure(build, line):
    """Run a line's program once at the large size and return its Cost."""
    program, *flags = line.words(line.large)
    executable = str(build / "bin" / program)
    with tempfile.TemporaryDirectory(prefix="lfn-bench-") as folder:
        out = Path(folder) / "out"
        words = [executable, *flags, f"--outputDir={out}"]
        quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        pid = os.posix_spawn(executable, words, os.environ, file_actions=quiet)
        _, status, usage = os.wait4(pid, 0)
        if status != 0:
            fail(f"failed: {' '.join(words)}")
        packets = counting.delivered(out) / line.packet
    return Cost(usage.ru_utime + usage.ru_stime, packets, 1024 * usage.ru_maxrss)


def report(line):
    """Show that there is progress."""
    print(line, file=sys.stderr, flush=True)


def count_all(build, lines, jobs):
    """Return {Line: instructions per packet}, several at a time, each with a line of progress."""
    counts = {}
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(counting.count, build, line): line for line in lines}
        try:
            for future in as_completed(futures):
                line = futures[future]
                counts[line] = future.result()
                name = f"{line.program} {line.flags[0]} {line.flags[1]}"[:70]
                done = f"[{len(counts)} of {len(futures)}]"
                report(f"{done} {name}: {counts[line]:.0f} instructions per packet")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return counts


def ratio_rows(compared, counts):
    """Return a row for each Comparison by instructions."""
    return [
        {
            "compared": each.name,
            "instructions_per_packet": round(counts[each.ours]),
            "baseline_instructions_per_packet": round(counts[each.theirs]),
            "ratio": round(counts[each.ours] / counts[each.theirs], 3),
            "goal_ratio": each.goal,
        }
        for each in compared
    ]


def time_row(build, compared, pairs):
    """Return the row of a Comparison by processor time."""
    ours, theirs = [], []
    for _ in range(pairs):
        theirs.append(measure(build, compared.theirs))
        ours.append(measure(build, compared.ours))
    ratios = [a.per_packet / b.per_packet for a, b in zip(ours, theirs, strict=True)]
    return {
        "compared": compared.name,
        "ns_per_packet": round(statistics.median(cost.per_packet for cost in ours), 1),
        "baseline_ns_per_packet": round(statistics.median(cost.per_packet for cost in theirs), 1),
        "ratio": round(statistics.median(ratios), 3),
        "goal_ratio": compared.goal,
        "lowest_ratio": round(min(ratios), 3),
        "highest_ratio": round(max(ratios), 3),
        "peak_MiB": round(max(cost.memory for cost in ours) / 2**20, 1),
        "baseline_peak_MiB": round(max(cost.memory for cost in theirs) / 2**20, 1),
        "pairs": pairs,
    }


def growth_rows(build, growth):
    """Return a row for each line of a Growth: peak memory, and above the first."""
    rows = []
    first = None
    for size, line in growth.lines.items():
        cost = measure(build, line)
        report(f"{growth.name}, {size}: {cost.seconds:.1f} s")
        first = first or cost
        rows.append(
            {
                "transfer": f"{growth.name}, {size}",
                "packets": round(cost.packets),
                "ns_per_packet": round(cost.per_packet, 1),
                "peak_MiB": round(cost.memory / 2**20, 1),
                "above_first_MiB": round((cost.memory - first.memory) / 2**20, 1),
                "goal_MiB": growth.goal_mib,
            }
        )
    return rows


def missed(rows, name, value, goal):
    """Return a line of text for each row whose value is above its goal."""
    return [
        f"{row[name]}: {value} {row[value]} is above its goal, {row[goal]}"
        for row in rows
        if row[value] > row[goal]
    ]


def show(title, rows, target):
    """Print rows as an aligned table, and write them as CSV."""
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    print(title)
    for row in cells:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)))
    print(flush=True)
    target.parent.mkdir(exist_ok=True)
    with target.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def chosen(rows, only):
    """Return those of a dict or of a list of named things that have ``only`` in their name."""
    if isinstance(rows, dict):
        return {name: line for name, line in rows.items() if only in name}
    return [row for row in rows if only in row.name]


def check_programs(build, lines):
    """End the script where a program of the build folder is missing."""
    for program in sorted({line.program for line in lines} - {"ns"}):
        if not (build / "bin" / program).is_file():
            fail(f"{build}/bin/{program}: no such program; run ./waf build")


def arguments(argv):
    """Return the options."""
    parser = Parser(description="Judge what a transport costs.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder")
    parser.add_argument("--quick", action="store_true", help="a subset of the stored counts alone")
    parser.add_argument("--renew", action="store_true", help="store the counts instead")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of runs per ratio of times")
    parser.add_argument("--jobs", type=int, default=0, help="counts at a time; 0: one per core")
    parser.add_argument("--counts", type=Path, default=STORED, help="file of the stored counts")
    options = parser.parse_args(argv)
    if options.quick and options.renew:
        parser.error("--quick and --renew exclude each other: a renewal stores all counts")
    if options.pairs < 1:
        parser.error(f"--pairs={options.pairs}: give at least 1")
    if options.jobs < 0:
        parser.error(f"--jobs={options.jobs}: give a number of jobs, or 0 for one per core")
    options.build = options.build.resolve()
    options.jobs = options.jobs or len(os.sched_getaffinity(0))
    return options


def main(argv=None):
    """Entry point; returns the exit status."""
    options = arguments(argv)
    build, only, tables = options.build, options.only, options.build / "bench"
    counted = chosen(bench_rows.counted(quick=options.quick), only)
    peers, compared, timed, growing = {}, [], [], []
    if not options.quick and not options.renew:
        ns2 = bench_rows.ns2_peers(NS2_SCRIPT) if shutil.which("ns") else {}
        if not ns2:
            report("ns-2.35 is not installed (apt install ns2): its rows are skipped")
        peers = chosen(bench_rows.peers() | ns2, only)
        compared = chosen(bench_rows.by_instructions(), only)
        timed, growing = chosen(bench_rows.by_time(), only), chosen(bench_rows.growing(), only)
    if not (counted or peers or compared or timed or growing):
        fail(f"--only={only}: no row has this in its name")
    counting.need_valgrind()
    sides = [side for each in compared for side in (each.ours, each.theirs)]
    lines = dict.fromkeys([*counted.values(), *peers.values(), *sides])
    others = [side for each in timed for side in (each.ours, each.theirs)]
    others += [line for each in growing for line in each.lines.values()]
    check_programs(build, [*lines, *others])

    here = counting.environment(build)
    counts = count_all(build, lines, options.jobs)
    values = {row: counts[line] for row, line in counted.items()}
    if options.renew:
        counting.write_stored(options.counts, values, here, bench_rows.counted(quick=False))
        print(f"{len(values)} counts are stored: {options.counts}")
        return 0

    stored = counting.read_stored(options.counts)
    misses, notes = counting.judge(values, stored, here)
    skipped = counting.elsewhere({row: stored[row] for row in values if row in stored}, here)
    if values or peers:
        rows = [
            {
                "row": row,
                "instructions_per_packet": round(counts[line]),
                "stored_instructions_per_packet": (
                    round(stored[row][0]) if row in values and row in stored else ""
                ),
            }
            for row, line in (counted | peers).items()
        ]
        show("instructions per delivered packet", rows, tables / "counts.csv")
    if compared:
        rows = ratio_rows(compared, counts)
        show("ratios of instructions per packet", rows, tables / "ratios.csv")
        misses += missed(rows, "compared", "ratio", "goal_ratio")
    if timed:
        rows = []
        for number, each in enumerate(timed, start=1):
            rows.append(time_row(build, each, options.pairs))
            report(f"[{number} of {len(timed)}] {each.name}: {rows[-1]['ratio']}")
        show("ratios of processor time per packet", rows, tables / "times.csv")
        misses += missed(rows, "compared", "ratio", "goal_ratio")
    if growing:
        rows = [row for each in growing for row in growth_rows(build, each)]
        show("memory by the size of a transfer", rows, tables / "growth.csv")
        misses += missed(rows, "transfer", "above_first_MiB", "goal_MiB")

    for note in notes:
        print(f"bench: {note}")
    for miss in misses:
        report(f"bench: {miss}")
    if skipped:
        report(f"bench: {skipped}")
    print(f"tables: {tables}/*.csv; {len(misses)} missed")
    return 1 if misses else SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
