# SPDX-License-Identifier: GPL-2.0-only
r"""Rerun measurements of the original atou programs with atou-transfer and print where they differ.

.venv/bin/python analysis/compare_atou.py [FOLDER] [--only CASE ...] [--program PROGRAM]
"""

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lfn.flags import Parser
from lfn.process import ending_with_this_process

try:
    from lfn import atou_originals as originals
except ModuleNotFoundError as error:
    sys.exit(f"compare_atou.py: {error.name} is missing: ./waf figures --plan installs it")


ORIGINALS = Path(__file__).resolve().parent / "originals"


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(
        prog="compare_atou.py",
        description="Rerun every case of a folder of measurements of the original atou programs "
        "and print a table; exit status 2 when some differ.",
    )
    parser.add_argument(
        "folder", type=Path, nargs="?", default=ORIGINALS, help="holds atou.csv and its companions"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="CASE", help="these cases")
    parser.add_argument(
        "--program", type=Path, default=Path("build/bin/atou-transfer"), help="the program to run"
    )
    parser.add_argument("--csv", type=Path, help="write every compared number to this file")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    return parser.parse_args(argv)


def run(command):
    """Run a command; raise CaseError with what it said when it fails."""
    words, folder = command
    result = subprocess.run(
        ending_with_this_process(*words), capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise originals.CaseError(result.stderr.strip() or f"exit status {result.returncode}")
    found = originals.read_ours(folder)
    shutil.rmtree(folder)
    return found


def rerun(case, rows, measured, given, outputs):
    """Return (table of the compared numbers, compared traces or None)."""
    with ThreadPoolExecutor(given.jobs) as pool:
        found = list(pool.map(run, originals.commands(case, given.program, outputs, len(rows))))
    table = originals.compare(case.kind, rows, [row for row, _ in found])
    sent = None if measured is None else originals.compare_sent(measured, found[0][1])
    return table, sent


def main(argv=None):
    """Entry point; returns the exit status, or ends with one line that says what is wrong."""
    given = parse(argv)
    tables = []
    differ = 0
    try:
        cases = originals.read_measured(given.folder)
        about, traces = originals.read_cases(given.folder), originals.read_sent(given.folder)
        unknown = sorted(set(given.only) - set(cases))
        if unknown:
            sys.exit(f"compare_atou.py: --only {unknown[0]}: there are {', '.join(cases)}")
        wanted = {n: rows for n, rows in cases.items() if not given.only or n in given.only}
        print(f"{'case':26}{'kind':8}{'':8}{'original Mb/s':>18} {'ours':>18}  what differs")
        with tempfile.TemporaryDirectory() as outputs:
            for name, rows in wanted.items():
                case = about[name]
                table, sent = rerun(case, rows, traces.get(name), given, outputs)
                line, agrees = originals.describe(case, table, sent)
                print(f"{name:26}{case.kind:8}{line}", flush=True)
                tables.append(table.assign(case=name))
                differ += not agrees
    except (originals.CaseError, OSError) as error:
        sys.exit(f"compare_atou.py: {error}")
    print(f"{len(wanted) - differ} of {len(wanted)} cases agree")
    if given.csv:
        originals.pd.concat(tables).to_csv(given.csv, index=False)
    return 2 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
