# SPDX-License-Identifier: GPL-2.0-only
"""Command lines at random for the scenario programs: each is refused with one line, or it runs.

    .venv/bin/python test/python/fuzz_command_lines.py --minutes=60 --seed=7

Flags come from each program's --PrintHelp, attributes from --PrintAttributes; values by what the
default looks like. A line that ends otherwise is cut down to the flags that matter and printed so
that a shell repeats it.
"""

import argparse
import contextlib
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from project import BUILD, NETWORK, PROGRAMS

LIMIT = 6  # seconds for a run whose clock moves
STUCK = 30  # seconds for one whose clock stands still
MEMORY = 3 << 30
# What every run begins with; a flag that is drawn replaces its like.
SHORT = {
    **PROGRAMS,
    "lfn-bench-baseline": ["--bytes=100kB", "--messages=20"],
}
INTEGERS = [0, 1, 2, 3, 7, 10, 64, 65, 100, 255, 256, 1000, 1500, 65507, 65535, 65536, 10**6]
EDGES = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 10**12, 10**15, 2**53, 2**63 - 1, 2**63, 2**64 - 1]
FRACTIONS = ["0.0", "1e-300", "1e-9", "0.001", "0.1", "0.5", "0.999999", "1.0", "1.5", "2.5", "1e6"]
STRANGE = [
    *("", " ", "-1", "-0", "+1", "1e3", "1e400", "nan", "inf", "-inf", "0x10", "1,2", "1 ", " 1"),
    *(".5", "5.", "1.5.2", "\u0661\u0662", "\u00b5s", "a" * 300, "%s%n", "]", "[", "a[b=c]", "\n"),
    *("1y", "1p", "1B", "1s", "1bps", "3XB", str(2**64), str(10**30), "ns3::Node", "true", "None"),
]
UNITS = {
    "rate": ["bps", "kbps", "Mbps", "Gbps", "GiB/s", "B/s"],
    "time": ["ns", "us", "ms", "s", "min", "h", "d", "y", "ps"],
    "size": ["", "B", "kB", "KiB", "MB", "GiB", "TB"],
    "queue": ["p", "kp", "Mip", "B", "kB", "MiB"],
}
CLASSES = """
    ns3::TcpL4Protocol ns3::TcpSocket ns3::TcpSocketBase ns3::TcpSocketState ns3::TcpNewReno
    ns3::TcpCubic ns3::TcpBbr ns3::TcpVegas ns3::TcpPrrRecovery ns3::RttEstimator
    ns3::RttMeanDeviation ns3::TcpRateLinux ns3::TcpTxBuffer ns3::TcpRxBuffer ns3::UdpSocket
    ns3::UdpL4Protocol ns3::PointToPointNetDevice ns3::PointToPointChannel ns3::Ipv4L3Protocol
    ns3::Ipv4 ns3::ArpCache ns3::QueueBase ns3::DropTailQueue<Packet> ns3::TrafficControlLayer
    ns3::PacketSink ns3::Icmpv4L4Protocol ns3::Ipv4GlobalRouting ns3::RateErrorModel
    ns3::NetDeviceQueueInterface ns3::QueueDisc ns3::Node ns3::Application
""".split()
TRANSPORTS = ["atou", "fec-udp", "jrm", "parallel-tcp", "rbudp", "tcp", "udp", "udt", "vrp", "xcp"]
ATOU = """
    mss rcvrwin initsegs ssincr increment multiplier thresh_init max_ssthresh floyd kai newreno
    sack fack rampdown delack dup_thresh burst_limit timeout tick maxidle maxpkts maxtime vegas
    valpha vbeta vgamma vss port sndbuf rcvbuf droplist debug nonsense
""".split()
PROGRESS = re.compile(r"^[a-z-]+: .* s simulated, \d+ events, after .* s$")


def lines_of(program, *arguments):
    """Return what a program prints."""
    command = [BUILD / "bin" / program, *arguments]
    settings = {"text": True, "capture_output": True, "check": True, "timeout": 60}
    return subprocess.run(command, **settings).stdout.splitlines()


def flags_of(program):
    """Return a program's own flags: {name: (default, words of its list of choices)}."""
    flags = {}
    for line in lines_of(program, "--PrintHelp"):
        if line.startswith("General Arguments"):
            break
        found = re.match(r"    --(\w+): +(.*?)(?: \[(.*)\])?$", line)
        if found:
            words = re.search(r"\(([\w, -]+)\)$", found[2])
            flags[found[1]] = (found[3] or "", words[1].split(", ") if words else [])
    return flags


def attributes_of(name):
    """Return the attributes that a class declares itself: {name: default}."""
    found = {}
    for line in lines_of("rbudp-transfer", f"--PrintAttributes={name}"):
        if line.startswith("Attributes defined in parent"):
            break
        match = re.match(r"    --(.*)::(\w+)=\[(.*)\]$", line)
        if match:
            found[match[2]] = match[3]
    return found


def kind_of(default):
    """Return what a default looks like: a unit's kind, or number, switch, type or text."""
    for kind, form in {
        "rate": r"[\d.]+(k|M|G)?bps",
        "time": r"[+-]?[\d.e+]+(ns|us|ms|s)",
        "size": r"\d+(k|M|G|T)?B",
        "queue": r"\d+p",
        "number": r"[-+]?[\d.e+-]+",
        "switch": r"true|false",
        "type": r"ns3::[\w:]+",
    }.items():
        if re.fullmatch(form, default):
            return kind
    return "text"


class Lines:
    """Draws command lines."""

    def __init__(self, seed):
        """Read what there is to draw from."""
        self.random = random.Random(seed)
        self.flags = {program: flags_of(program) for program in SHORT}
        types = [line.strip() for line in lines_of("xcp-tcp-fairness", "--PrintTypeIds")]
        self.types = [name for name in types if name.startswith("ns3::")]
        ours = [name for name in self.types if name.startswith("ns3::lfn::")]
        self.topologies = [name for name in ours if name.endswith("Topology")]
        self.discs = [name for name in self.types if name.endswith("QueueDisc")]
        self.transports = [name for name in ours if name.endswith("Transport")]
        classes = [*CLASSES, *ours, *self.discs]
        self.attributes = {name: attributes_of(name) for name in classes if name in self.types}
        self.settable = [name for name, found in self.attributes.items() if found]

    def value(self, default, words=()):
        """Draw a value in place of a default."""
        pick = self.random.choice
        kind = kind_of(default)
        dice = self.random.random()
        if dice < 0.05:
            return pick(STRANGE)
        if words and dice < 0.95:
            return pick(words)
        if kind in UNITS or kind == "number":
            number = pick(INTEGERS if dice < 0.5 else EDGES if dice < 0.75 else FRACTIONS)
            units = UNITS.get(kind, [""])
            return f"{number}{pick([units[0], pick(units)])}"
        if kind == "switch":
            return pick(["true", "false"])
        if kind == "type":
            base = default.removeprefix("ns3::")[:3]
            like = [name for name in self.types if name.startswith(f"ns3::{base}")]
            return pick(like if dice < 0.6 and like else self.types)
        return pick([str(pick(INTEGERS)), pick(FRACTIONS), pick(self.types), pick(STRANGE)])

    def made(self, names):
        """Draw a class with attributes in brackets."""
        name = self.random.choice(names)
        known = self.attributes.get(name, {})
        count = min(len(known), self.random.choice([0, 1, 1, 2, 3]))
        drawn = self.random.sample(sorted(known), count)
        items = [f"{item}={self.value(known[item])}" for item in drawn]
        return name + (f"[{'|'.join(items)}]" if items else "")

    def network(self):
        """Draw the text of a topology file."""
        rows = NETWORK.splitlines()
        for _ in range(self.random.choice([0, 1, 2])):
            index = self.random.randrange(len(rows))
            fields = rows[index].split(",")
            field = self.random.randrange(len(fields))
            pool = {3: "1Mbps", 4: "1ms", 5: "5p", 6: "0.1"}
            default = pool.get(field, self.random.choice(["left", "r1", "x", "sender"]))
            fields[field] = self.value(default) if field > 2 else default
            rows[index] = ",".join(fields)
        return "\n".join(rows) + "\n"

    def links(self, name):
        """Draw the text of a schedule or a trace of links."""
        pick = self.random.choice
        if name == "linkTrace":
            steps = [self.random.choice([0, 0, 1, 2, 100]) for _ in range(pick([1, 5, 50]))]
            times = [str(sum(steps[: i + 1])) for i in range(len(steps))]
            if self.random.random() < 0.3:
                times[self.random.randrange(len(times))] = self.value("1")
            return "\n".join(times) + "\n"
        rows = ["time_s,link,what,value"]
        for tenths in sorted(self.random.sample(range(40), pick([1, 2, 4]))):
            what, value = pick(
                [("rate", "5Mbps"), ("delay", "10ms"), ("loss", "0.1"), ("state", "up")]
            )
            drawn = pick(["up", "down"]) if what == "state" else self.value(value)
            link = pick(["bottleneck", "bottleneck0:forward", "bottleneck:reverse", "r1-r2", "x"])
            rows.append(f"{tenths / 10},{link},{what},{drawn}")
        if self.random.random() < 0.2:
            rows[self.random.randrange(len(rows))] = self.value("1")
        return "\n".join(rows) + "\n"

    def text(self, name):
        """Draw the value of a flag that is neither a number nor a word of a list."""
        pick = self.random.choice
        if self.random.random() < 0.05:
            return pick(STRANGE)
        if name == "topology":
            if self.random.random() < 0.3:
                file = pick(
                    ["net.csv"] * 5 + [".", "/dev/zero", "/proc/kmsg", "/none", "/dev/null"]
                )
                return f"ns3::lfn::FileTopology[File={file}]"
            return self.made(self.topologies)
        if name == "queueDisc":
            return self.made(self.discs)
        if name == "transport":
            named = pick(TRANSPORTS)
            return pick([named, f"{named},{pick(TRANSPORTS)}", self.made(self.transports)])
        if name in ("tcp", "congestion"):
            return pick([name for name in self.types if name.startswith("ns3::Tcp")])
        if name == "options":
            items = [f"{pick(ATOU)} {self.value('1')}" for _ in range(pick([1, 2, 3]))]
            return "; ".join(items)
        if name == "rateChange":
            return f"{self.value('1s')}:{self.value('5Mbps')}"
        if name in ("linkSchedule", "linkTrace"):
            more = pick(["", "", ":bottleneck", ":bottleneck0:reverse", ":x"])
            file = pick([f"{name}.txt"] * 5 + [".", "/none", "/dev/zero"])
            return file + (more if name == "linkTrace" else "")
        if name == "pcap":
            return pick(["cap", "./cap", "none/cap", "/proc/self/cap"])
        if name == "config":
            return pick(["net.csv", "/dev/null", ".", "/none"])
        times = [self.value("1s"), f"{self.value('1ms')},{self.value('1s')}"]
        return pick([self.value("1"), f"{self.value('1')},{self.value('1')}", *times])

    def argument(self, program):
        """Draw one argument."""
        if self.random.random() < 0.25:
            name = self.random.choice(self.settable)
            attribute = self.random.choice(sorted(self.attributes[name]))
            return f"--{name}::{attribute}={self.value(self.attributes[name][attribute])}"
        names = self.flags[program]
        name = self.random.choice([*names, "RngRun", "RngSeed", "ChecksumEnabled", "SchedulerType"])
        default, words = names.get(name, ("ns3::MapScheduler" if "Type" in name else "1", []))
        if kind_of(default) in ("text", "type") and not words:
            return f"--{name}={self.text(name)}"
        return f"--{name}={self.value(default, words)}"

    def draw(self):
        """Draw a program, its arguments and the files next to: {name: text}."""
        program = self.random.choice(sorted(SHORT))
        count = self.random.choice([1, 1, 1, 2, 2, 3])
        arguments = [self.argument(program) for _ in range(count)]
        arguments = [text for text in arguments if "\0" not in text]
        files = {"net.csv": self.network()}
        files |= {f"{name}.txt": self.links(name) for name in ("linkSchedule", "linkTrace")}
        return program, arguments, files


def whole(program, arguments):
    """Return a short run's arguments with those given."""
    given = {text.partition("=")[0] for text in arguments}
    short = [*SHORT[program], "--outputDir=out", "--progress"]
    return [text for text in short if text.partition("=")[0] not in given] + arguments


def run(program, arguments, alongside):
    """Run a command line: what came of it (refused, ran, long or a failure) and why."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True)
    with folder as place, open(f"{place}.out", "w+") as out, open(f"{place}.err", "w+b") as errors:
        here = Path(place)
        for written in (out, errors):
            Path(written.name).unlink()
        for name, text in alongside.items():
            (here / name).write_text(text)
        command = [BUILD / "bin" / program, *whole(program, arguments)]

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        def printed():
            errors.seek(0)
            return errors.read().decode(errors="replace").splitlines()

        child = subprocess.Popen(
            command,
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            preexec_fn=limit,  # noqa: PLW1509
        )
        begin = time.monotonic()
        status = None
        while status is None and time.monotonic() < begin + STUCK:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = child.wait(LIMIT)
            if status is None and any(PROGRESS.match(line) for line in printed()[-1:]):
                break
        child.kill()
        child.wait()
        lines = printed()
        files = sorted(str(path.relative_to(here)) for path in here.rglob("*") if path.is_file())
        files = [name for name in files if name not in alongside]
        return judge(program, status, lines, files)


def judge(program, status, lines, files):
    """Say what a run's exit status, lines on stderr and files amount to."""
    clock = [line for line in lines if PROGRESS.match(line)]
    # ns-3 reports attributes that it has given up, and the end of an animation.
    own = ("is deprecated: ", "Max Packets per trace file exceeded")
    rest = [text for text in lines if not PROGRESS.match(text)]
    rest = [text for text in rest if not any(words in text for words in own)]
    if status is None:
        return ("long", "") if clock else ("hung", "")
    if status == 0:
        if not {"run.json", "summary.csv"} <= {Path(name).name for name in files}:
            return "no files", str(files)
        wrong = [line for line in rest if not line.startswith(f"{program}: ")]
        return ("said something", wrong[0]) if wrong else ("ran", "")
    if status != 1:
        return f"status {status}", " | ".join(rest[-3:])
    if len(rest) != 1 or not rest[0].startswith(f"{program}: "):
        return "not one line", " | ".join(rest[-3:])
    return ("half-written", str(files)) if files else ("refused", "")


def shorten(program, arguments, alongside, outcome):
    """Leave arguments away as long as the outcome stays."""
    for text in list(arguments):
        fewer = [other for other in arguments if other is not text]
        if fewer and run(program, fewer, alongside)[0] == outcome:
            arguments = fewer
    return arguments


def main():
    """Draw and run until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    lines = Lines(chosen.seed)
    counts = Counter()
    known = set()
    end = time.monotonic() + 60 * chosen.minutes
    while time.monotonic() < end:
        program, arguments, alongside = lines.draw()
        outcome, why = run(program, arguments, alongside)
        counts[outcome] += 1
        if outcome in ("refused", "ran", "long"):
            continue
        like = (program, outcome, re.sub(r"\d+", "#", why))
        if like not in known:
            known.add(like)
            arguments = shorten(program, arguments, alongside, outcome)
            command = shlex.join([program, *whole(program, arguments)])
            print(f"{outcome}: {command}\n    {why[:300]}", flush=True)
            for name, text in alongside.items():
                if name in command:
                    print(f"    {name}: {text!r}", flush=True)
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())))
    good = counts["refused"] + counts["ran"] + counts["long"]
    print(f"{good} passed, {counts.total() - good} failed")
    return 0 if counts.total() == good else 1


if __name__ == "__main__":
    sys.exit(main())
