# SPDX-License-Identifier: GPL-2.0-only
"""Scenario programs from Python: what is missing is run, the results are tables.

import lfn
runs = lfn.run("rbudp-transfer", bytes="20MB", lossRate=[0, 0.01], runs=10)
runs.summary.groupby("lossRate")["goodput_bps"].mean()
"""

import itertools
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from numbers import Integral

from tqdm import tqdm

from lfn.campaign import runs_there, write_points
from lfn.fingerprint import FingerprintError, fingerprint
from lfn.frames import load_folders
from lfn.places import ANALYSIS, build_folder
from lfn.points import Point
from lfn.process import ending_with_this_process
from lfn.runner import RunError


def _values(value):
    """Return the values of a flag as a list: of a list or another iterable all, else the one."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def _check_runs(runs, names):
    """Raise ValueError unless ``runs`` is a number of runs, and RngRun none of the flags."""
    if "RngRun" in names:
        raise ValueError("RngRun: give runs=N for the random runs 1 to N, such as runs=10")
    if isinstance(runs, bool) or not isinstance(runs, Integral) or runs < 1:
        raise ValueError(f"runs={runs}: give the number of random runs, such as runs=10")


def points_of(program, runs, flags, cases=({},)):
    """Return the points of a sweep: each combination of the flags' values, with each case.

    ``flags`` maps a flag or an Attribute to a value or to a list of values, ``cases`` are
    dictionaries of flags whose values go together.
    """
    every = []
    for case in cases:
        lists = {name: _values(value) for name, value in {**flags, **case}.items()}
        every += [
            Point.make(program, dict(zip(lists, values, strict=True)), runs)
            for values in itertools.product(*lists.values())
        ]
    return list({point.id: point for point in every}.values())


def _show(kind, error, trace, others=sys.excepthook):
    """Show an uncaught KeyboardInterrupt that has a text as that line, all else as before."""
    if issubclass(kind, KeyboardInterrupt) and str(error):
        print(error, file=sys.stderr)
    else:
        others(kind, error, trace)


def _interrupted(kept, every):
    """Return the KeyboardInterrupt of a sweep of which ``kept`` of ``every`` points are there."""
    sys.excepthook = _show
    return KeyboardInterrupt(
        f"lfn.run: interrupted; {kept} of {every} combinations are finished and kept, "
        "the same call makes the others"
    )


class _Workers:
    """The processes that run points, so that all end when one of them fails."""

    def __init__(self, build):
        self._build = build
        self._alive = []
        self._ended = False

    def run(self, point, jobs):
        """Run a point in a process of its own, as a campaign does; raises RunError with its words.

        Another process that runs the point is waited for, and what it has made is not made again.
        """
        build, plan = self._build, self._build / "plan"
        command = [sys.executable, ANALYSIS / "run_point.py", "--jobs", jobs, "--runs", point.runs]
        command += ["--program", build / "bin" / point.program]
        command += ["--params", plan / "points" / f"{point.id}.json"]
        command += ["--fingerprint", plan / "fingerprints" / f"{point.program}.json"]
        command += ["--benchmark", build / "benchmarks" / f"{point.id}.json"]
        command += ["--out", build / "results" / point.id]
        if self._ended:
            return
        process = subprocess.Popen(
            ending_with_this_process(*command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._alive.append(process)
        if self._ended:
            process.terminate()
        said = process.communicate()[1].strip()
        if process.returncode and not self._ended:
            raise _error(said or f"{point.program}: ended with {process.returncode}")

    def end(self):
        """End all, also those that begin later."""
        self._ended = True
        for process in list(self._alive):
            process.terminate()


def _error(said):
    """Return a RunError with the program's own line first; the rest is a note of it."""
    lines = said.splitlines()
    own = [line for line in lines if not line.startswith(("run ", "repeat it with: "))]
    error = RunError(own[-1] if own else lines[0])
    error.add_note(said)
    return error


def _run_missing(build, missing, prints, jobs, progress):
    """Run the points that are ``missing``, ``jobs`` runs at a time; raises RunError."""
    write_points(build, missing, prints)
    at_once = max(1, jobs // max(1, len(missing)))
    workers = _Workers(build)
    hidden = None if progress is None else not progress
    with (
        ThreadPoolExecutor(jobs) as pool,
        tqdm(total=len(missing), unit="point", disable=hidden) as bar,
    ):
        started = [pool.submit(workers.run, point, at_once) for point in missing]
        for future in started:
            future.add_done_callback(lambda _: bar.update())
        try:
            wait(started, return_when=FIRST_EXCEPTION)
        finally:
            if not all(future.done() for future in started):
                workers.end()
    for future in started:
        future.result()


def run(program, *, runs=1, cases=({},), build=None, jobs=None, progress=None, **flags):
    """Run a scenario program with each combination of flags, and return the results as Runs.

    A flag is given as on the command line, with its unit (bytes="20MB"), a switch as True; a list,
    tuple, range or array is swept. Attributes go by names, ``**{"ns3::lfn::Class::Name": 1}``;
    ``cases`` are dictionaries of flags that go together. ``runs`` is the number of random runs of
    each combination: --RngRun=1 to that. Only what is not there yet is run, ``jobs`` runs at a time
    (default: one a core): results are kept, with those of the campaign, in the folder ``build``
    (default: the clone's, or lfn-build here where the package is installed), until the program or
    the model changes. ``progress`` shows a bar, unless it is False or, without it, the standard
    error is no terminal.

    ``runs.summary`` has a row per run and flow, with the flags that differ; ``runs.folders`` has
    what flowMonitor=True, attributes=True and pcap="name" leave of the first run of each
    combination. Raises RunError, of which the text is the program's own line, where a run fails,
    and ValueError for what cannot be swept. Ctrl-C raises KeyboardInterrupt, which a script shows
    as one line.
    """
    build = build_folder(build)
    jobs = jobs or os.cpu_count()
    _check_runs(runs, {*flags, *itertools.chain.from_iterable(cases)})
    runs = int(runs)
    points = points_of(program, runs, flags, cases)
    if not points:
        raise ValueError(f"{program}: a list of values is empty, so there is nothing to run")
    try:
        prints = {program: fingerprint(build / "bin" / program)}
    except FingerprintError as error:
        raise RunError(str(error)) from error

    def lacking():
        return [p for p in points if runs_there(build, p.id, p, prints) < runs]

    if missing := lacking():
        try:
            _run_missing(build, missing, prints, jobs, progress)
        except KeyboardInterrupt:
            raise _interrupted(len(points) - len(lacking()), len(points)) from None
    folders = {point.id: build / "results" / point.id for point in points}
    return load_folders(folders, runs)
