# SPDX-License-Identifier: GPL-2.0-only
"""Run the scenarios, draw the figures and write the report.

python analysis/figures.py --preset quick --only rbudp-fig7

What follows a bare "--" goes to Snakemake, for example "-- --dry-run".
"""

import argparse
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from select import select as ready

import yaml

import lfn
from lfn.budget import choose, parse_budget, rank, wall_seconds
from lfn.campaign import (
    fingerprints_of,
    is_drawn,
    learn_pace,
    make_plan,
    measured_seconds,
    needs_of,
    runs_there,
    sources,
    stale_points,
    write_plan,
)
from lfn.files import FORMATS, locked, sweep
from lfn.fingerprint import FingerprintError
from lfn.flags import Parser
from lfn.process import dying_with_this_process, ending_with_this_process
from lfn.progress import Progress, duration
from lfn.spec import PRESETS, SpecError, load_figures
from lfn.stored import differences
from lfn.targets import grown
from lfn.user_campaign import load_campaign

HERE = Path(__file__).resolve().parent
LIBRARY = Path(lfn.__file__).resolve().parent
SHOWN = 3
"""The largest number of failures that is printed; the rest are in the log folder."""
SILENCE = 15.0
"""Progress is shown at least once in this time, in seconds."""
DIFFERENCES = 20
"""The largest number of claims that are named because they differ from the stored ones."""


class UserError(Exception):
    """A mistake of the caller; the text is one line."""


def parse(argv):
    """Return (options, words for Snakemake)."""
    rest = []
    if "--" in argv:
        at = argv.index("--")
        argv, rest = argv[:at], argv[at + 1 :]
    parser = Parser(description="Run the scenarios and draw the figures.")
    parser.add_argument("--preset", choices=PRESETS, default="quick")
    for preset in ("tiny", "quick", "full"):
        parser.add_argument(f"--{preset}", action="store_const", const=preset, dest="preset")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="one figure")
    parser.add_argument(
        "--jobs",
        type=int,
        help="points at a time; as many as there are cores, or as a profile says",
    )
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder")
    parser.add_argument("--figures", type=Path, default=HERE / "figures", help="figure folders")
    parser.add_argument(
        "--campaign", metavar="FOLDER", help="figures of your own: a folder, or its campaign.toml"
    )
    parser.add_argument("--budget", metavar="TIME", help="run what fits, as 30min or 2h")
    parser.add_argument(
        "--cluster", metavar="NAME", help="where points run: slurm, kubernetes, or a folder"
    )
    parser.add_argument(
        "--sensitivity",
        action=argparse.BooleanOptionalAction,
        help="other values of fitted and chosen parameters too (default: with --full)",
    )
    parser.add_argument(
        "--format",
        dest="formats",
        action="append",
        default=[],
        choices=FORMATS,
        help="a format that plots are written in as well, pdf for papers (always: svg, png)",
    )
    parser.add_argument("--plan", action="store_true", help="print the plan and stop")
    return parser.parse_args(argv), rest


def select(figures, only):
    """Return the ids asked for, all without a wish."""
    wanted = [name for text in only for name in text.split(",") if name]
    for name in wanted:
        if name not in figures:
            raise UserError(f"--only={name}: no such figure; there are {', '.join(figures)}")
    return [identity for identity in figures if identity in wanted or not wanted]


def profile_words(name):
    """Return Snakemake's words for a profile: one of analysis/profiles, or a folder."""
    if not name:
        return []
    for folder in (HERE / "profiles" / name, Path(name)):
        if (folder / "config.yaml").is_file():
            return ["--profile", str(folder.resolve())]
    names = sorted(path.name for path in (HERE / "profiles").iterdir())
    raise UserError(
        f"--cluster={name}: no config.yaml in such a folder; there are {', '.join(names)}"
    )


def read_profile(folder):
    """Return the settings in the config.yaml of a profile's folder, {} without one."""
    file = Path(folder) / "config.yaml"
    if not file.is_file():
        return {}
    try:
        settings = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(settings, dict):
        raise UserError(f"{file}: must be a table")
    return settings


def jobs_of(given, words):
    """Return how many points run at a time: as given, as a profile says, or one a core."""
    if given is None and words:
        given = read_profile(words[1]).get("jobs")
    if given is None:
        return os.cpu_count()
    if not isinstance(given, int) or given < 1:
        raise UserError(f"--jobs={given}: give at least 1")
    return given


def print_plan(build, plan, stale, needs, jobs):
    """Print what there is to do and how long it will take."""
    print(
        f"preset {plan.preset}: {len(plan.figures)} figures, "
        f"{len(plan.points)} points, {plan.runs} runs"
    )
    for identity in plan.figures:
        mine = plan.points_of(identity)
        runs = sum(plan.points[point].runs for point in mine)
        todo = sum(point in stale for point in mine)
        print(f"  {identity:<20} {len(mine):4d} points {runs:5d} runs   {todo:4d} points to run")
    known = len(measured_seconds(build, plan).keys() & set(stale))
    source = f"{known} of {len(stale)} points timed before" if stale else "nothing to run"
    expected = duration(wall_seconds(stale, needs, jobs))
    print(f"expected time: {expected} with {jobs} jobs ({source})", flush=True)


def events(pipe):
    """Yield the events that come from a pipe until it is closed, None after SILENCE without one."""
    rest = b""
    while True:
        if not ready([pipe], [], [], SILENCE)[0]:
            yield None
        elif data := os.read(pipe, 1 << 16):
            *lines, rest = (rest + data).split(b"\n")
            yield from map(json.loads, lines)
        else:
            return


@contextlib.contextmanager
def servers(build, environment, scripts):
    """Name a folder in ``environment``; yield a function that has served.py serve ``scripts``."""
    started = []
    with tempfile.TemporaryDirectory(prefix="lfn-servers-") as folder:
        environment["LFN_SERVERS"] = folder

        def start():
            for script in () if started else scripts:
                words = [sys.executable, HERE / "served.py", "--serve", Path(folder, script)]
                with (build / "log" / f"served-{script}.log").open("wb") as log:
                    started.append(
                        subprocess.Popen(
                            ending_with_this_process(*words, number=signal.SIGKILL),
                            stdin=subprocess.DEVNULL,
                            stdout=log,
                            stderr=log,
                        )
                    )

        try:
            yield start
        finally:
            for server in started:
                server.kill()
                server.wait()


def follow(pipe, progress, start, learn):
    """Show the Progress of a campaign until the pipe with the events of Snakemake is closed.

    Call ``start`` with the first job and ``learn`` when the pace is known.
    """
    shown = time.monotonic()
    for event in events(pipe):
        counted = event is not None and progress.read(event)
        if progress.has_begun:
            start()
        if correction := progress.correction():
            print(correction, flush=True)
            learn()
        now = time.monotonic()
        ended = counted and progress.done == progress.total
        if ended or (progress.total and now - shown >= (2.0 if counted else SILENCE)):
            print(progress.text(), flush=True)
            shown = now


def end_jobs(process, log, folder, environment):
    """Interrupt Snakemake, which cancels the jobs of the cluster, and wait for its end.

    ``folder`` is that of the profile, ``environment`` what its commands need.
    """
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):  # the terminal may be gone
        print("ending the jobs of the cluster; it may take minutes", file=sys.stderr, flush=True)
    process.wait()
    # It forgets the jobs whose state it was asking for at that moment.
    jobs = Path(environment["LFN_JOBS"]).read_text(encoding="utf-8").split()
    cancel = read_profile(folder).get("cluster-generic-cancel-cmd")
    if jobs and cancel:
        subprocess.run([cancel, *jobs], stdout=log, stderr=log, env=environment, check=False)


def run_snakemake(build, name, jobs, extra, forced, progress, learn):
    """Run the campaign of plan/<name> with visible progress; return Snakemake's exit status.

    The files ``forced`` are made, up to date or not. ``learn`` is called when the
    pace is known.
    """
    cluster = "--profile" in extra
    command = [sys.executable, str(HERE / "snakemake_run.py"), "--logger", "lfn"]
    # Campaigns that make the same are kept apart by locked(), others may go on at a time.
    command += ["--snakefile", str(HERE / "Snakefile"), "--directory", str(build), "--nolock"]
    # With an executor of a cluster --jobs limits what is submitted, and --cores nothing.
    command += ["--scheduler", "greedy", "--jobs" if cluster else "--cores", str(jobs)]
    command += ["--rerun-incomplete", "--rerun-triggers", "mtime", "params"]
    command += ["--keep-going", "--nocolor", *extra]
    if forced:
        command += ["--forcerun", *forced]
    command += ["--config", f"campaign={name}", *(["cluster=1"] if cluster else [])]
    environment = dict(os.environ, XDG_CACHE_HOME=str(build / ".snakemake" / "cache"))
    log_file = build / "log" / "snakemake.log"
    log_file.unlink(missing_ok=True)  # another campaign may write to it
    folder = Path(extra[extra.index("--profile") + 1]).resolve() if cluster else None
    if cluster:
        # A profile may hold the commands that it names, and note there what they submit.
        environment["PATH"] = os.pathsep.join([str(folder), os.environ.get("PATH", os.defpath)])
        environment["LFN_JOBS"] = str(build / "log" / "jobs")
        Path(environment["LFN_JOBS"]).write_text("")
    pipe, theirs = os.pipe()
    environment["LFN_EVENTS"] = str(theirs)
    with (
        os.fdopen(pipe, "rb"),
        log_file.open("w", encoding="utf-8") as log,
        # What a cluster runs is the cluster's.
        servers(build, environment, ["draw_figure", *([] if cluster else ["run_point"])]) as start,
    ):
        with os.fdopen(theirs, "wb"):
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=environment,
                pass_fds=[theirs],
                # With a cluster it is end_jobs() that interrupts it, once.
                start_new_session=cluster,
                preexec_fn=dying_with_this_process(interruptible=cluster),  # noqa: PLW1509 - no threads here
            )
        try:
            follow(pipe, progress, (lambda: None) if is_dry(extra) else start, learn)
        except KeyboardInterrupt:
            if cluster:
                end_jobs(process, log, folder, environment)
            raise
        return process.wait()


def report_failures(build, plan, fingerprints):
    """Print the logs of the first jobs that failed.

    A point has a log when its job began, since those of earlier campaigns are removed.
    """
    failed = []
    for name, point in plan.points.items():
        log = build / "log" / "points" / f"{name}.log"
        if log.is_file() and runs_there(build, name, point, fingerprints) < point.runs:
            failed.append(log)
    jobs = [
        (build / "log" / "figures" / f"{f}.log", build / "figures" / f / "drawn.json")
        for f in plan.figures
    ]
    jobs.append((build / "log" / "report.log", build / "report" / "index.html"))
    failed += [log for log, result in jobs if log.is_file() and not result.exists()]
    texts = [f"{log.stem}: {log.read_text(errors='replace').strip()}" for log in failed]
    if not texts:
        lines = (build / "log" / "snakemake.log").read_text(errors="replace").splitlines()
        texts = ["\n".join(lines[-20:])]
    for text in texts[:SHOWN]:
        print(text, file=sys.stderr)
    if len(texts) > SHOWN:
        print(f"... and {len(texts) - SHOWN} more", file=sys.stderr)


def read_budget(text):
    """Return the seconds of --budget, infinite without one."""
    if not text:
        return math.inf
    try:
        return parse_budget(text)
    except ValueError as error:
        raise UserError(f"--budget={text}: give a time, such as 30min or 2h") from error


def fit(build, plan, figures, fingerprints, options, budget):
    """Return (the plan of what fits into the budget, {id: how long the rest takes}, all by rank).

    Of runs that only narrow intervals nothing is known here: they are granted later.
    """
    stale = stale_points(build, plan, fingerprints)
    needs = needs_of(build, plan, fingerprints, stale)
    importance = {name: figures[name].importance for name in plan.figures}
    ranked = rank(plan, importance, needs, options.jobs)
    chosen, rest = choose(plan, importance, needs, options.jobs, budget)
    left_out = {name: duration(need) for name, need in rest.items()}
    if rest and not chosen:
        name = min(rest, key=rest.get)
        raise UserError(f"--budget={options.budget}: no figure fits; {name} takes {left_out[name]}")
    for name, need in left_out.items():
        print(f"over the budget of {options.budget}: {name} ({need})")
    return plan.only(chosen), left_out, ranked


def is_dry(extra):
    """Check whether words for Snakemake ask for a dry run."""
    return bool({"-n", "--dry-run", "--dryrun"} & set(extra))


def make(build, name, plan, needs, fingerprints, options, extra):
    """Make everything of a plan, written as plan/<name>; return whether it went well.

    ``needs`` maps the points that must run to their Need.
    """
    jobs = options.jobs
    forced = [f"plan/{name}/made/{point}" for point in needs]
    # Snakemake has one file of a figure.
    forced += [
        f"figures/{one}/drawn.json"
        for one in plan.figures
        if not is_drawn(build, one, options.formats)
    ]
    if not is_dry(extra):
        # A cluster may still run a job of an earlier campaign, which would lose its runs.
        # The report is made next to its place, in the build folder itself.
        for folder in ("figures", ".") if "--profile" in extra else ("results", "figures", "."):
            sweep(build / folder)
        for point in needs:
            (build / "log" / "points" / f"{point}.log").unlink(missing_ok=True)
    progress = Progress(needs, len(plan.figures) + 1, jobs)
    began = time.time()
    timed = measured_seconds(build, plan).keys() & needs.keys()

    def learn():
        learn_pace(build, {name: needs[name].run for name in timed}, began)

    status = run_snakemake(build, name, jobs, extra, forced, progress, learn)
    learn()
    if status:
        report_failures(build, plan, fingerprints)
        return False
    left = [] if is_dry(extra) else stale_points(build, plan, fingerprints)
    if left:
        print(f"{left[0]}: has not all of its runs; start again", file=sys.stderr)
    return not left


def hold(build, identity, held):
    """Keep other campaigns from making a figure until the ExitStack ``held`` is closed."""
    target = build / "log" / "figures" / identity
    if not held.enter_context(locked(target, wait=False)):
        print(f"another campaign makes {identity}; waiting for its end", flush=True)
        held.enter_context(locked(target))


def tell_differences(build, preset, figures):
    """Name the claims whose verdict or number is not the one that the repository keeps."""
    lines = differences(build, preset, figures)
    if not lines:
        return
    print(f"{len(lines)} claims differ from analysis/stored/{preset}/verdicts.csv:")
    print("\n".join(f"  {line}" for line in lines[:DIFFERENCES]))
    if len(lines) > DIFFERENCES:
        print(f"  ... and {len(lines) - DIFFERENCES} more")


def campaign(options, extra):
    """Do everything; return the exit status."""
    began = time.monotonic()
    budget = read_budget(options.budget)
    profile = profile_words(options.cluster)
    options.jobs = jobs_of(options.jobs, profile)
    extra = [*profile, *extra]
    mine = load_campaign(options.campaign) if options.campaign else None
    root = mine.figures if mine else options.figures.resolve()
    figures = load_figures(root)
    if not figures:
        raise UserError(f"--figures={options.figures}: no folder with a figure.toml")
    selected = select(figures, options.only)
    plan = make_plan(figures, selected, options.preset, options.sensitivity)
    build = options.build.resolve()
    shown, about = options.build, {}
    if mine:
        shown = options.build / "campaigns" / mine.name
        build = mine.prepare(build, {point.program for point in plan.points.values()})
        about = {"campaign": mine.given, "title": mine.title}
    with contextlib.ExitStack() as held:
        # A plan changes nothing, and may be asked for while a campaign runs.
        for identity in [] if options.plan else sorted(selected):
            hold(build, identity, held)
        fingerprints = fingerprints_of(build, plan)

        def there(point):
            return runs_there(build, point, plan.points[point], fingerprints)

        def wanting(wish):
            """Return the points of a plan that must run and what each needs."""
            stale = stale_points(build, wish, fingerprints)
            return stale, needs_of(build, wish, fingerprints, stale)

        def fits(wish):
            need = wall_seconds(*wanting(wish), options.jobs)
            return need == 0 or need <= budget - (time.monotonic() - began)

        def grow():
            return grown(plan, figures, build, there, fits, ranked)

        plan, left_out, ranked = fit(build, plan, figures, fingerprints, options, budget)
        plan, refused = grow()
        stale, needs = wanting(plan)
        print_plan(build, plan, stale, needs, options.jobs)
        if options.plan:
            return 0
        # Not as words of Snakemake's, which may be cut at a blank or a '#'.
        about.update(python=sys.executable, folder=str(root), library=str(LIBRARY))
        about.update(left_out=left_out, budget=options.budget, formats=options.formats)
        name = f"{plan.preset}-{zlib.crc32(' '.join(sorted(plan.figures)).encode()):08x}"
        about["sources"] = {f: list(map(str, sources(figures[f].folder))) for f in plan.figures}
        if stale and not is_dry(extra):
            print(f"figures appear in {shown}/figures and {shown}/report/index.html", flush=True)
        while True:
            write_plan(build, plan, fingerprints, needs, options.jobs, name, **about)
            if not make(build, name, plan, needs, fingerprints, options, extra):
                print(f"the campaign failed; see {shown}/log", file=sys.stderr)
                return 1
            if is_dry(extra):
                print(f"a dry run, nothing was made; see {shown}/log/snakemake.log")
                return 0
            earlier, (plan, refused) = plan, grow()
            if plan == earlier:
                break
            stale, needs = wanting(plan)
            need = wall_seconds(stale, needs, options.jobs)
            print(f"{len(stale)} points get more runs, {duration(need)}", flush=True)
    for name, runs in refused.items():
        print(f"not run, over the budget of {options.budget}: {runs} more runs of {name}")
    for name, need in left_out.items():
        print(f"not run, over the budget of {options.budget}: {name} ({need})")
    if not mine and root == HERE / "figures":
        tell_differences(build, plan.preset, plan.figures)
    print(f"done in {duration(time.monotonic() - began)}: {shown}/report/index.html")
    return 0


def main(argv=None):
    """Entry point; returns the exit status."""
    options, extra = parse(sys.argv[1:] if argv is None else argv)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
            signal.signal(number, signal.default_int_handler)
    try:
        return campaign(options, extra)
    except (UserError, SpecError, FingerprintError) as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"figures: {error.filename or options.build}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
