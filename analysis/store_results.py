# SPDX-License-Identifier: GPL-2.0-only
"""Keep the results of a campaign in the repository, or say where they differ from those kept.

python analysis/store_results.py --build build           keeps them
python analysis/store_results.py --build build --check   ends with 1 where one differs
"""

import datetime
import sys
from pathlib import Path

from lfn.campaign import PlanError, read_plan
from lfn.files import read_json
from lfn.flags import Parser
from lfn.report import command
from lfn.spec import load_figures
from lfn.stored import FOLDER, VERDICTS, WHOLE, differences, store
from write_report import is_made

HERE = Path(__file__).resolve().parent


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Keep the results of a campaign, or compare them.")
    parser.add_argument("--build", required=True, type=Path, help="build folder of the campaign")
    parser.add_argument("--check", action="store_true", help="compare with what is kept")
    options = parser.parse_args(argv)
    try:
        plan = read_plan(options.build)
    except PlanError as error:
        print(error, file=sys.stderr)
        return 1
    if plan.get("campaign"):
        print(f"{options.build}: of a campaign of your own, which is not kept", file=sys.stderr)
        return 1
    preset, every = plan["preset"], load_figures(HERE / "figures")
    kept = FOLDER / preset / VERDICTS
    lacking = sorted(set(every) - set(plan["figures"]))
    if lacking and (options.check or (preset != WHOLE and not kept.is_file())):
        print(
            f"{options.build}: its campaign lacks {lacking[0]}; make all figures of a preset first",
            file=sys.stderr,
        )
        return 1
    if not options.check:
        for name in plan["figures"]:
            drawn = read_json(options.build / "figures" / name / "drawn.json")
            if not drawn or not is_made(options.build, every[name], drawn, plan):
                again = f"run {command(preset, only=name)}"
                print(
                    f"{options.build}: {name} is not as its campaign wanted it; {again}",
                    file=sys.stderr,
                )
                return 1
        store(
            options.build, preset, list(plan["figures"]), datetime.date.today().isoformat(), every
        )
        return 0
    if not kept.is_file():
        print(f"{FOLDER}: keeps nothing of preset {preset}", file=sys.stderr)
        return 1
    lines = differences(options.build, preset, every)
    print("\n".join(lines), end="\n" if lines else "")
    print(f"{len(lines)} claims of preset {preset} differ from those kept")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
