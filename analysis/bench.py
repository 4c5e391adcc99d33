# SPDX-License-Identifier: GPL-2.0-only
"""Measure what a transport costs, as ratios within one run of this script.

python analysis/bench.py --build build --pairs 7 [--long]

Processor time (user and system) a delivered data packet of a scenario program is compared with
that of the least that the same link and datagrams need: ns-3's UdpClient and UdpServer for RBUDP,
a bare pair of sockets with one small reply a datagram for VRP, bare sockets of a group for JRM (a
packet counts once for each receiver), a bare pair of sockets for atou, atou and ns-3's own TCP
socket for TCP, and TCP through a FIFO queue disc for XCP. For growth, a program is compared with
itself: a larger frame, a larger window, more participants, messages or messages kept, losses in a
window; and so are atou's cores and XCP's flow counts without a network. Both sides are run in
turn, A B A B, so that a machine that slows down slows both. Peak memory and time are compared
between transfers of different size as well; --long makes the large one 10 GB.
"""

import csv
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lfn.files import to_json
from lfn.flags import Parser

BASELINE = "lfn-bench-baseline"
RBUDP_PACKET = 1450
RBUDP_PATH = (
    "--sendRate=600Mbps",
    "--linkRate=1Gbps",
    "--rtt=100ms",
    f"--packetSize={RBUDP_PACKET}",
)
VRP_PACKET = 1400
JRM_PACKET = 1024
JRM_PATH = ("--linkRate=100Mbps", "--rtt=0.2ms", f"--packetSize={JRM_PACKET}")
ATOU_PACKET = 1460
ATOU_PATH = ("--linkRate=10Gbps", "--rtt=100ms", "--queue=200000p")
XCP_PACKET = 1000
XCP_PATH = ("--startSpread=0s", f"--packetSize={XCP_PACKET}")
VRP_PATH = ("--linkRate=1Gbps", "--rtt=10ms", f"--packetSize={VRP_PACKET}", "--bytes=100MB")


@dataclass(frozen=True)
class Comparison:
    """Two command lines, program first; the goal is the highest good ratio."""

    name: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    packet: int
    goal: float


def comparisons(size):
    """Return what is compared; RBUDP sends size, VRP 100 MB."""
    rbudp = (*RBUDP_PATH, f"--bytes={size}")
    echo = (BASELINE, *VRP_PATH, "--baseline=echo", "--windowSize=64")

    def vrp(frame, window):
        return ("vrp-transfer", *VRP_PATH, f"--frameSize={frame}", f"--windowSize={window}")

    def sockets(**flags):
        return (BASELINE, *JRM_PATH, "--baseline=multicast", *_words(flags))

    def jrm(sendTimeout="5s", **flags):
        # Few attempts, so that a message need not be kept for long.
        timers = {"adaptive": "false", "grtt": "false", "sendTimeout": sendTimeout}
        words = _words({"maxNackAttempts": 3, **timers, **flags})
        return ("jrm-session", *JRM_PATH, *words)

    pair = {"messages": 100_000, "messageRate": 1000}
    tens = {"messages": 10_000, "messageRate": 100, "messagePackets": 10}
    group = {"senders": 10, "receivers": 0, "messages": 2000, "messageRate": 30}
    many = {"senders": 40, "receivers": 0, "messages": 100, "messageRate": 30}

    return (
        [
            Comparison(
                f"rbudp, {kind} control / UdpClient",
                ("rbudp-transfer", *rbudp, f"--control={flag}"),
                (BASELINE, *rbudp),
                RBUDP_PACKET,
                1.1,
            )
            for kind, flag in (("ideal", "ideal"), ("TCP", "tcp"))
        ]
        + [
            Comparison("vrp / sockets with replies", vrp("100MB", 64), echo, VRP_PACKET, 1.5),
            Comparison("vrp, frame x10", vrp("100MB", 64), vrp("10MB", 64), VRP_PACKET, 1.25),
            Comparison("vrp, window x16", vrp("100MB", 1024), vrp("100MB", 64), VRP_PACKET, 1.25),
        ]
        + [
            Comparison(name, ours, theirs, JRM_PACKET, goal)
            for name, ours, theirs, goal in (
                ("jrm / bare sockets", jrm(**pair), sockets(**pair), 1.5),
                ("jrm, 10 packets / bare sockets", jrm(**tens), sockets(**tens), 1.5),
                ("jrm, 10 to 9 each / bare sockets", jrm(**group), sockets(**group), 1.5),
                ("jrm, participants x4", jrm(**many), jrm(**group), 1.25),
                ("jrm, messages x10", jrm(**{**pair, "messages": 1_000_000}), jrm(**pair), 1.25),
                ("jrm, retained x16", jrm("16s", **pair), jrm("1s", **pair), 1.25),
            )
        ]
        + _tcp_comparisons()
        + _atou_comparisons()
        + _xcp_comparisons()
    )


def _xcp_comparisons():
    def run(xcp, tcp=0, duration="5s", **flags):
        words = _words({"xcpFlows": xcp, "tcpFlows": tcp, "duration": duration, **flags})
        return ("xcp-tcp-fairness", *XCP_PATH, *words)

    def tcp(window, **flags):
        # Bound by the receiver's window, so that it loses nothing and has as much under way.
        fifo = {"queueDisc": "ns3::FifoQueueDisc", "receiveBuffer": 1000 * window}
        return run(0, 1, **fifo, **flags)

    def many(flows, pairs=32):
        path = f"ns3::lfn::DumbbellTopology[Pairs={pairs}|LinkRate=200Mbps|Rtt=40ms]"
        words = _words({"xcpFlows": flows, "tcpFlows": 0, "duration": "3s", "topology": path})
        return ("xcp-tcp-fairness", "--mechanism=adaptive", *XCP_PATH, *words)

    def estimator(name, flows):
        words = _words({"estimator": name, "flows": flows, "packetSize": XCP_PACKET})
        return (BASELINE, "--baseline=xcp-estimator", *words, "--bytes=5GB")

    long = {"rtt": "100ms", "duration": "5s"}
    rows = [
        ("xcp / TCP with FIFO", run(1), tcp(250), 1.1),
        ("xcp, window 1250 / TCP with FIFO", run(1, **long), tcp(1250, **long), 1.1),
        ("xcp + fairness / TCP with FIFO", run(1, mechanism="adaptive"), tcp(250), 1.2),
        ("xcp + fairness / xcp", run(1, mechanism="adaptive"), run(1), 1.1),
        ("xcp, flows 1 to 32", many(32), many(1), 1.25),
        ("xcp, flows 32 to 1000", many(1000), many(32), 1.25),
        # With building 2000 hosts.
        ("xcp, 1000 flows, pairs of hosts 32 to 1000", many(1000, 1000), many(1000), 1.25),
    ]
    rows += [
        (f"xcp {name}, flows x100", estimator(name, 1000), estimator(name, 10), 1.25)
        for name in ("sred", "bloom", "exact")
    ]
    return [Comparison(name, ours, theirs, XCP_PACKET, goal) for name, ours, theirs, goal in rows]


def _tcp_comparisons():
    few, many = 100_000, 500_000

    def tcp(packets, window, share=0.0):
        # From the second window, at the far end from 250 ms on, loses a share, evenly spread.
        line = _atou(packets, window, "tcp", full=True, sack=True)
        if not share:
            return line
        gap = 1.21e-6 / share  # of a frame at 10 Gb/s
        drops = (f"{250_000 + round(1e6 * i * gap)}us" for i in range(round(share * window)))
        return (*line, f"--dropAt={','.join(drops)}")

    own = [
        f"--ns3::lfn::{end}::SocketFactory=ns3::TcpSocketFactory"
        for end in ("TcpSource", "TcpSink")
    ]
    small = _atou(few, 50, "tcp")
    rows = [
        (f"TCP / atou, window {window}", _atou(few, window, "tcp"), _atou(few, window), 1.2)
        for window in (100, 1000, 10_000)
    ]
    rows += [
        ("TCP / ns-3's own socket, window 50", small, (*small, *own), 0.75),
        ("TCP, window x100", tcp(many, 10_000), tcp(many, 100), 1.25),
        ("TCP, window x1000", tcp(many, 100_000), tcp(many, 100), 1.25),
        ("TCP, 1 % of a window lost", tcp(few, 10_000, 0.01), tcp(few, 10_000), 1.5),
        ("TCP, 10 % of a window lost", tcp(few, 10_000, 0.1), tcp(few, 10_000), 1.5),
    ]
    return [Comparison(name, ours, theirs, ATOU_PACKET, goal) for name, ours, theirs, goal in rows]


def _atou_comparisons():
    def replies(window, packets):
        size = f"--packetSize={ATOU_PACKET}"
        flags = (
            size,
            f"--windowSize={window}",
            "--replySize=16",
            f"--bytes={packets * ATOU_PACKET}",
        )
        return (BASELINE, *ATOU_PATH, "--baseline=echo", *flags)

    def cores(window, lose):
        words = _words({"windowSize": window, "loseEvery": lose, "packetSize": ATOU_PACKET})
        return (BASELINE, "--baseline=atou-cores", *words, f"--bytes={5_000_000 * ATOU_PACKET}")

    few, many = 100_000, 500_000
    rows = [
        ("atou / sockets with replies", _atou(few, 500), replies(500, few), 1.5),
        ("atou, window x100", _atou(many, 10_000, full=True), _atou(many, 100, full=True), 1.25),
        ("atou, window x1000", _atou(many, 100_000, full=True), _atou(many, 100, full=True), 1.25),
        ("atou cores, window x1000", cores(100_000, 0), cores(100, 0), 1.1),
        ("atou cores, 2 % lost, window x1000", cores(100_000, 50), cores(100, 50), 1.1),
    ]
    return [Comparison(name, ours, theirs, ATOU_PACKET, goal) for name, ours, theirs, goal in rows]


def _atou(packets, window, protocol="atou", *, full=False, sack=False):
    """Return a command line; with full the whole window is open from the start."""
    options = f"rcvrwin {window}; maxpkts {packets + 1}; maxtime 0"
    options += f"; initsegs {window}" if full else ""
    options += "; sack 1" if sack else ""
    return ("atou-transfer", *ATOU_PATH, f"--protocol={protocol}", f"--options={options}")


def _words(flags):
    return [f"--{name}={value}" for name, value in flags.items()]


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


def measure(build, packet, program, *flags):
    """Run a program once and return its Cost, by packet bytes; ends the script when it fails."""
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
    return Cost(seconds, delivered / packet, 1024 * usage.ru_maxrss)


def _quiet():
    return [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def tell(line):
    """Show that there is progress."""
    print(line, file=sys.stderr, flush=True)


def compare(build, compared, pairs):
    """Return the row of a Comparison."""
    ours, theirs = [], []
    for _ in range(pairs):
        theirs.append(measure(build, compared.packet, *compared.theirs))
        ours.append(measure(build, compared.packet, *compared.ours))
    ratios = [a.per_packet / b.per_packet for a, b in zip(ours, theirs, strict=True)]
    return {
        "compared": compared.name,
        "ns_a_packet": round(statistics.median(cost.per_packet for cost in ours), 1),
        "baseline_ns_a_packet": round(statistics.median(cost.per_packet for cost in theirs), 1),
        "ratio": round(statistics.median(ratios), 3),
        "lowest": round(min(ratios), 3),
        "highest": round(max(ratios), 3),
        "goal": compared.goal,
        "peak_MiB": round(max(cost.memory for cost in ours) / 2**20, 1),
        "baseline_peak_MiB": round(max(cost.memory for cost in theirs) / 2**20, 1),
        "pairs": pairs,
    }


def growth(build, lines, packet):
    """Return a row a {size: command line}: time a packet and peak memory, and above the first."""
    rows = []
    first = None
    for size, line in lines.items():
        cost = measure(build, packet, *line)
        tell(f"{size}: {cost.seconds:.1f} s")
        first = first or cost
        rows.append(
            {
                "transfer": size,
                "packets": round(cost.packets),
                "seconds": round(cost.seconds, 2),
                "ns_a_packet": round(cost.per_packet, 1),
                "peak_MiB": round(cost.memory / 2**20, 1),
                "above_first_MiB": round((cost.memory - first.memory) / 2**20, 1),
            }
        )
    return rows


def grow(build, long):
    """Print and return what grows with the size of a transfer; long adds 10 GB."""
    sizes = {"10MB": 10**7, "100MB": 10**8, "1GB": 10**9}
    sizes |= {"10GB": 10**10} if long else {}
    print("growth with the size of the transfer (RBUDP, ideal control)")
    rbudp = ("rbudp-transfer", *RBUDP_PATH, "--control=ideal")
    grown = growth(build, {size: (*rbudp, f"--bytes={size}") for size in sizes}, RBUDP_PACKET)
    show(grown)
    print("growth with the size of the transfer, then of the window (atou)")
    lines = {size: _atou(count // ATOU_PACKET, 1000) for size, count in sizes.items()}
    large = sizes["1GB"] // ATOU_PACKET
    lines |= {
        f"1GB, window {window}": _atou(large, window, full=True) for window in (10_000, 100_000)
    }
    flat = growth(build, lines, ATOU_PACKET)
    show(flat)
    return {"growth": grown, "growth_atou": flat}


def show(rows):
    """Print rows as an aligned table."""
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)))
    print(flush=True)


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Measure what a transport costs.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder")
    parser.add_argument("--pairs", type=int, default=7, help="pairs of runs a comparison")
    parser.add_argument("--bytes", default="450MB", help="user bytes of RBUDP")
    parser.add_argument("--only", default="", help="comparisons with this in their name, no growth")
    parser.add_argument("--long", action="store_true", help="also 10 GB in one transfer")
    options = parser.parse_args(argv)
    build = options.build.resolve()
    compared = [each for each in comparisons(options.bytes) if options.only in each.name]
    programs = {side[0] for each in compared for side in (each.ours, each.theirs)}
    for program in sorted(programs):
        if not (build / "bin" / program).is_file():
            sys.exit(f"bench: {options.build}/bin/{program}: no such program; run ./waf build")
    if not compared:
        sys.exit(f"bench: --only={options.only}: no comparison has this in its name")
    if options.pairs < 1:
        sys.exit(f"bench: --pairs={options.pairs}: give at least 1")
    print(f"processor time a delivered packet; RBUDP {options.bytes}, VRP 100MB")
    costs = []
    for number, each in enumerate(compared, start=1):
        costs.append(compare(build, each, options.pairs))
        tell(f"[{number} of {len(compared)}] {each.name}: {costs[-1]['ratio']}")
    show(costs)
    found = {"cost": costs}
    if not options.only:
        found |= grow(build, options.long)
    target = build / "bench.json"
    target.write_text(to_json(found), encoding="utf-8")
    print(f"written to {options.build}/bench.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
