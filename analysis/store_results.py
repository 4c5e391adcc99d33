# SPDX-License-Identifier: GPL-2.0-only
"""Keep the results of a campaign in the repository, or say where they differ from those kept.

python analysis/store_results.py --build build           keeps them
python analysis/store_results.py --build build --check   ends with 1 where one differs
python analysis/store_results.py --dates                 renews the dates of claims that are kept
"""

import datetime
import sys
from pathlib import Path

from lfn.campaign import PlanError, read_plan
from lfn.claim_history import dates
from lfn.files import read_json
from lfn.flags import Parser
from lfn.places import HOME
from lfn.report import command
from lfn.spec import PRESETS, load_figures
from lfn.stored import FOLDER, VERDICTS, WHOLE, differences, store
from write_report import is_made

HERE = Path(__file__).resolve().parent


def _keep(build, every, figures):
    """Keep {preset: figures that are drawn in ``build``} with the dates of claims.

    Returns the exit status.
    """
    if not (since := dates(HOME)):
        print(f"{HOME}: claims have dates in a clone with all its commits only", file=sys.stderr)
        return 1
    for preset, names in figures.items():
        store(build, preset, names, datetime.date.today().isoformat(), every, since)
    return 0


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Keep the results of a campaign, or compare them.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--build", type=Path, help="build folder of the campaign")
    what.add_argument("--dates", action="store_true", help="renew the dates of what is kept")
    parser.add_argument("--check", action="store_true", help="compare with what is kept")
    options = parser.parse_args(argv)
    if options.dates:
        kept = [preset for preset in PRESETS if (FOLDER / preset / VERDICTS).is_file()]
        return _keep(FOLDER, load_figures(HERE / "figures"), dict.fromkeys(kept, ()))
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
        return _keep(options.build, every, {preset: list(plan["figures"])})
    if not kept.is_file():
        print(f"{FOLDER}: keeps nothing of preset {preset}", file=sys.stderr)
        return 1
    lines = differences(options.build, preset, every)
    print("\n".join(lines), end="\n" if lines else "")
    print(f"{len(lines)} claims of preset {preset} differ from those kept")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
