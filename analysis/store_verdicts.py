# SPDX-License-Identifier: GPL-2.0-only
"""Keep the verdicts of a campaign in the repository, or say where they differ from those kept.

python analysis/store_verdicts.py --build build           keeps them
python analysis/store_verdicts.py --build build --check   ends with 1 where one differs
"""

import subprocess
import sys
from pathlib import Path

from lfn.campaign import PlanError, read_plan
from lfn.files import read_json
from lfn.flags import Parser
from lfn.spec import load_figures
from lfn.stored import FOLDER, differences, store

HERE = Path(__file__).resolve().parent


def commit():
    """Return the commit that the verdicts come from, marked where files differ from it."""
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def about(build, plan):
    """Return what the results of a campaign were made with: versions and processor seconds."""
    manifests = [read_json(build / "results" / point / "manifest.json") for point in plan["points"]]
    first = manifests[0]["run_json"]["versions"]
    seconds = sum(sum(manifest["wall_s"]) for manifest in manifests)
    return {
        "commit": commit(),
        "versions": first,
        "points": len(manifests),
        "wall_s": round(seconds),
    }


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Keep the verdicts of a campaign, or compare them.")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    parser.add_argument("--check", action="store_true", help="compare with what is kept")
    options = parser.parse_args(argv)
    try:
        plan = read_plan(options.build)
    except PlanError as error:
        print(error, file=sys.stderr)
        return 1
    preset, every = plan["preset"], load_figures(HERE / "figures")
    lacking = sorted(set(every) - set(plan["figures"]))
    if lacking:
        print(
            f"{options.build}: its campaign lacks {lacking[0]}; make all figures of a preset first",
            file=sys.stderr,
        )
        return 1
    if not options.check:
        store(options.build, preset, about(options.build, plan))
        return 0
    if not (FOLDER / f"{preset}.csv").is_file():
        print(f"{FOLDER}: keeps nothing of preset {preset}", file=sys.stderr)
        return 1
    lines = differences(options.build, preset, every)
    print("\n".join(lines), end="\n" if lines else "")
    print(f"{len(lines)} claims of preset {preset} differ from those kept")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
