# SPDX-License-Identifier: GPL-2.0-only
"""Snakemake's command line with the logger plugin next to this file; figures.py calls it.

python analysis/snakemake_run.py --snakefile analysis/Snakefile ...
"""

import sys

from snakemake.cli import args_to_api, parse_args


def main(argv):
    """Entry point; returns the exit status."""
    parser, args = parse_args(argv)
    if args.executor in (None, "local"):
        # The API's own default: a limit wakes the scheduler up once a second for each job that has
        # ended, which keeps a core busy.
        args.max_jobs_per_timespan = None
    return 0 if args_to_api(args, parser) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
