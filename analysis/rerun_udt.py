# SPDX-License-Identifier: GPL-2.0-only
r"""Rerun measurements of the original UDT programs with our cores; print where they differ.

.venv/bin/python analysis/rerun_udt.py [--cases FILE] [--only CASE ...] [--runs N]

The cores run over the measurements' path, on a clock of their own and without the simulator
(udt-original-runner). One line per case, then how many hold; exit status 1 unless all do.

- Without random losses: goodput within 0.5 %; packets sent and NAKs equal; the sending period by
  second within 0.1 %. The ISN decides on details: each repetition must come out with one of 16.
- With random losses: mean goodput within 3 % (UDT3: 2 %) of N runs with the same losses.
- 1 and 10 Gb/s: goodput, or what is delivered in the time, within 3 %; several flows: their sum
  within 5 %. These were measured once.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lfn import udt_originals as originals
from lfn.flags import Parser

HOME = Path(__file__).resolve().parents[1]


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(description="Rerun measurements of the original UDT programs.")
    parser.add_argument(
        "--cases",
        type=Path,
        default=HOME / "analysis" / "originals" / "udt.csv",
        help="the measurements",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="CASE", help="these cases")
    parser.add_argument(
        "--program",
        type=Path,
        default=HOME / "build" / "bin" / "udt-original-runner",
        help="the built program",
    )
    parser.add_argument("--runs", type=int, default=100, help="of a case with random losses")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time")
    given = parser.parse_args(argv)
    for name in ("runs", "jobs"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}={getattr(given, name)}: write a number from 1 on")
    return given


def rerun(case, given):
    """Run a case; return its verdict."""
    with ThreadPoolExecutor(given.jobs) as pool:
        found = pool.map(
            lambda words: originals.run(given.program, words), originals.plan(case, given.runs)
        )
        return originals.judge(case, [row for rows in found for row in rows])


def main(argv=None):
    """Entry point; returns the exit status."""
    given = parse(argv)
    hold = 0
    try:
        cases = originals.read(given.cases)
        names = [case.name for case in cases]
        unknown = sorted(set(given.only) - set(names))
        if unknown:
            raise originals.CaseError(f"--only {unknown[0]}: there are {', '.join(names)}")
        cases = [case for case in cases if not given.only or case.name in given.only]
        print(f"{'case':34}{'original Mb/s':>14}{'ours':>10}  verdict")
        for case in cases:
            verdict = rerun(case, given)
            text = "; ".join(verdict.problems) or "holds"
            text += f" ({verdict.remark})" if verdict.remark else ""
            print(f"{case.name:34}{verdict.original:14.3f}{verdict.ours:10.3f}  {text}", flush=True)
            hold += not verdict.problems
    except originals.CaseError as error:
        print(f"rerun_udt.py: {error}", file=sys.stderr)
        return 1
    print(f"{hold} of {len(cases)} cases hold")
    return 0 if hold == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
