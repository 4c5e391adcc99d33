# SPDX-License-Identifier: GPL-2.0-only
r"""Run one point by hand or from the Snakefile.

python analysis/run_point.py --program build/bin/rbudp-transfer --runs 3 \\
    --args bytes=10MB lossRate=0.01 control=ideal --out build/results/mine
"""

import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

from lfn.files import read_json
from lfn.flags import Parser
from lfn.points import Point
from lfn.runner import RunError, run_point


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(description="Run one point: all its random runs.")
    parser.add_argument("--program", required=True, type=Path, help="the scenario program")
    parser.add_argument("--params", type=Path, help="JSON file with args and runs")
    parser.add_argument("--runs", type=int, help="number of runs, RngRun = 1, 2, ...")
    parser.add_argument("--args", nargs="*", default=[], metavar="FLAG=VALUE", help="flags")
    parser.add_argument("--out", required=True, type=Path, help="folder of the results")
    parser.add_argument("--fingerprint", type=Path, help="JSON file kept in the manifest")
    parser.add_argument("--benchmark", type=Path, help="JSON file that notes the time of runs")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    return parser.parse_args(argv)


def wanted(options):
    """Return (point, digests of its program, stamps) of a command line; raises RunError.

    Without --fingerprint both are None.
    """
    if options.params:
        try:
            data = json.loads(options.params.read_text(encoding="utf-8"))
            point = Point.from_parameters(data)
            point = point if options.runs is None else replace(point, runs=options.runs)
        except OSError as error:
            raise RunError(f"--params={options.params}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RunError(
                f"--params={options.params}: must be JSON with program, args and runs, "
                "as in plan/points of a build folder"
            ) from error
    else:
        pairs = [text.lstrip("-").partition("=") for text in options.args]
        flags = {name: value if equals else True for name, equals, value in pairs}
        point = Point.make(options.program.name, flags, 1 if options.runs is None else options.runs)
    known = (read_json(options.fingerprint) or {}) if options.fingerprint else None
    if known is not None and not known.get("digests"):
        raise RunError(f"--fingerprint={options.fingerprint}: no JSON file with digests")
    return point, *((known["digests"], known.get("stamps")) if known else (None, None))


def main(argv=None):
    """Entry point; returns the exit status."""
    options = parse(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        point, fingerprint, stamps = wanted(options)
        notes = (options.benchmark, options.jobs, stamps)
        run_point(options.program, point, options.out, fingerprint, *notes)
    except RunError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or options.out}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
