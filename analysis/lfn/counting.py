# SPDX-License-Identifier: GPL-2.0-only
"""Instructions per delivered packet, counted by valgrind's cachegrind. Standard library only.

A count does not change with the load of the machine, and hardly between two runs. A line is counted
at two sizes, and start-up drops out of the difference. Counts are compared only with those of the
same tool, compiler, C library, kind of machine and release of ns-3: an Environment.
"""

import ast
import csv
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

from lfn.process import ending_with_this_process

TOOL = "cachegrind"
TOLERANCE = 0.02
COLUMNS = ("row", "instructions_per_packet", "tool", "ns3", "compiler", "libc", "machine")

Environment = namedtuple("Environment", COLUMNS[2:])
_SETTING = re.compile(r"^(DEFINES_NS3|LIBPATH_NS3|CXX_NAME|CC_VERSION) = (.*)$", re.M)


@dataclass(frozen=True)
class Line:
    """A command, in the flags of which ``{n}`` stands for a size; a packet's user bytes."""

    program: str
    flags: tuple[str, ...]
    small: int
    large: int
    packet: int

    def words(self, size):
        """Return program and flags at a size."""
        return (self.program, *(flag.replace("{n}", str(size)) for flag in self.flags))


def fail(line):
    """End the script with one line and exit status 1."""
    sys.exit(f"bench: {line}")


def need_valgrind():
    """End the script where nothing can be counted."""
    if not shutil.which("valgrind"):
        fail("valgrind is missing, which counts instructions: apt install valgrind")


def environment(build):
    """Return the Environment of a build folder."""
    cache = Path(build, "c4che", "_cache.py").read_text(encoding="utf-8")
    settings = {name: ast.literal_eval(value) for name, value in _SETTING.findall(cache)}
    macros = dict(f"{macro}=".split("=")[:2] for macro in settings["DEFINES_NS3"])
    checks = ["asserts"] if "NS3_ASSERT_ENABLE" in macros else []
    origin = ["wheel"] if "site-packages" in str(settings.get("LIBPATH_NS3")) else []
    ns3 = "-".join([macros["LFN_NS3_VERSION"].strip('"'), *origin, *checks])
    compiler = "-".join([settings["CXX_NAME"], ".".join(settings["CC_VERSION"])])
    return Environment(TOOL, ns3, compiler, "-".join(platform.libc_ver()), platform.machine())


def delivered(folder):
    """Return the user bytes that a run's summary.csv says were delivered."""
    with Path(folder, "summary.csv").open(newline="", encoding="utf-8") as stream:
        return sum(float(row["delivered_bytes"]) for row in csv.DictReader(stream))


def instructions(build, words):
    """Run a command of a build folder under the tool: (instructions, bytes delivered)."""
    with tempfile.TemporaryDirectory(prefix="lfn-bench-") as folder:
        log, out = Path(folder, "log"), Path(folder, "out")
        command = ["valgrind", f"--tool={TOOL}", "--cache-sim=no", "--child-silent-after-fork=yes"]
        command += [f"--{TOOL}-out-file={os.devnull}", f"--log-file={log}"]
        program = Path(build, "bin", words[0])  # or one that is installed: ns-2's
        command += [str(program if program.exists() else shutil.which(words[0]))]
        command += [*words[1:], f"--outputDir={out}"]
        result = subprocess.run(
            ending_with_this_process(*command),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        text = log.read_text(errors="replace") if log.exists() else ""
        found = re.search(r"I +refs: +([\d,]+)", text)
        if result.returncode or not found:
            reason = (result.stderr.strip() or text.strip() or "no count").splitlines()[-1]
            fail(f"failed: {' '.join(words)}: {reason}")
        return int(found[1].replace(",", "")), delivered(out)


def count(build, line):
    """Return the instructions per packet of a Line."""
    (less, few), (more, many) = (
        instructions(build, line.words(size)) for size in (line.small, line.large)
    )
    if many <= few:
        fail(f"{' '.join(line.words(line.large))}: delivers no more than with {line.small}")
    return (more - less) / (many - few) * line.packet


def read_stored(path):
    """Return {row: (instructions per packet, Environment)} of a file of counts."""
    if not Path(path).exists():
        return {}
    with Path(path).open(newline="", encoding="utf-8") as stream:
        return {
            row["row"]: (
                float(row["instructions_per_packet"]),
                Environment(*(row[column] for column in COLUMNS[2:])),
            )
            for row in csv.DictReader(stream)
        }


def write_stored(path, counts, here, known):
    """Put counts into the file, and drop rows that are not among those known."""
    stored = read_stored(path) | {row: (value, here) for row, value in counts.items()}
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            (row, round(stored[row][0]), *stored[row][1]) for row in known if row in stored
        )


def judge(counts, stored, here):
    """Return what counts say against those stored: (misses, notes), lines of text each.

    A row that another environment was stored for is no miss and no success: see `elsewhere`.
    """
    misses, notes = [], []
    for row, value in counts.items():
        if row not in stored:
            misses.append(f"{row}: no stored count: run ./waf bench --renew")
            continue
        before, where = stored[row]
        if where != here:
            continue
        change = (
            f"{value:.0f} instructions per packet, stored {before:.0f} ({value / before - 1:+.1%})"
        )
        if value > before * (1 + TOLERANCE):
            misses.append(
                f"{row}: {change}: remove the cost, or run ./waf bench --renew and give the reason "
                "in the commit"
            )
        elif value < before * (1 - TOLERANCE):
            notes.append(f"{row}: {change}: ./waf bench --renew would store it")
    return misses, notes


def elsewhere(stored, here):
    """Return a line that says why stored counts do not hold here, or None where they do."""
    others = {where for _, where in stored.values()} - {here}
    if not others:
        return None
    held = "; ".join(" ".join(where) for where in sorted(others))
    return f"stored counts hold for {held}; this is {' '.join(here)}: not judged"
