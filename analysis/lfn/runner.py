# SPDX-License-Identifier: GPL-2.0-only
"""Runs one point: all its random runs, merged into one folder. Standard library only.

The folder appears, whole, only when every run has succeeded:

    summary.csv   the runs' summary.csv below each other, with a first column "run"
    series.csv, messages.csv, background.csv   the same, where the runs write them
    client.trace, ...   texts of the first run, where it writes them
    NAME-*.pcap         captures of the first run, with --pcap=NAME
    manifest.json   parameters, fingerprint, wall seconds a run, the first run's run.json
"""

import contextlib
import csv
import os
import shlex
import shutil
import socket
import subprocess
import time
from pathlib import Path

from lfn.files import locked, read_json, replaced, to_json, write_if_changed
from lfn.fingerprint import FingerprintError, is_stamped
from lfn.fingerprint import fingerprint as fingerprint_of
from lfn.process import dying_with_this_process

FORMAT = 1
MERGED = ("summary.csv", "series.csv", "messages.csv", "background.csv")
TEXTS = (
    "client.trace",
    "client.events",
    "client.summary",
    "server.summary",
    "attributes.csv",
    "flowmonitor.xml",
)

CAPTURE = ".pcap"

OWN = ("manifest.json", *MERGED, *TEXTS)
"""All that a point's folder may hold, besides captures."""


class RunError(Exception):
    """A run failed; the text names the command that repeats it and what it said."""


def command_of(executable, point, run):
    """Return the words of the command for one run, without its output folder."""
    return [str(executable), *point.flags(), f"--RngRun={run}"]


def _captures(point, folder):
    """Return the words of --pcap for a run that writes to ``folder``, with captures next to it.

    The prefix is the user's without its folder: in one place captures of several runs would mix.
    """
    prefix = dict(point.args).get("pcap")
    if prefix is None:
        return []
    place = folder.with_suffix(CAPTURE)
    place.mkdir()
    return [f"--pcap={place / Path(prefix).name}"]


class _Program:
    """A started program: it makes one run, or several, each in a forked child.

    What is on `Scenario` does the latter (helper/command-line/lfn-forked-runs.h), since starting
    takes longer than many a run. Another program ignores LFN_RUNS and ends with its first run.
    """

    def __init__(self, executable, several):
        self._executable = executable
        self._several = several
        self._process = None
        self._requests = None

    def start(self, point, run, folder):
        """Start a run, which writes into ``folder`` and says what it says into a log next to it."""
        captures = _captures(point, folder)
        words = [f"--RngRun={run}", f"--outputDir={folder}", *captures]
        log = folder.with_suffix(".log")
        with log.open("wb") as stream:
            if self._process is not None and self._process.poll() is None:
                request = "".join(f"{word}\0" for word in (log, *words))
                with contextlib.suppress(ConnectionError):  # it has been killed: start another
                    self._requests.send(os.fsencode(request))
                    return
            environment, passed = None, []
            if self._several:
                self._requests, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
                self._requests.settimeout(1.0)
                environment = dict(os.environ, LFN_RUNS=f"{theirs.fileno()},{os.getpid()}")
                passed = [theirs]
            try:
                self._process = subprocess.Popen(
                    [*self._command(point, run, captures), words[1]],
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                    env=environment,
                    pass_fds=[one.fileno() for one in passed],
                    preexec_fn=dying_with_this_process(),  # noqa: PLW1509 - no threads here
                )
            except OSError as error:
                raise RunError(f"{self._executable}: {error.strerror}") from error
            finally:
                for one in passed:
                    one.close()

    def _command(self, point, run, captures):
        """Return the words of the command, with ``captures`` instead of the point's own --pcap."""
        command = command_of(self._executable, point, run)
        return [w for w in command if not (captures and w.startswith("--pcap="))] + captures

    def wait(self):
        """Return the exit status of the run, the negative number of a signal that killed it."""
        answer = self._receive() if self._several else b""
        return int(answer) if answer else self._process.wait()

    def end(self):
        """Kill the program and its runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._requests is not None:
            self._receive()
            self._requests.close()

    def _receive(self):
        """Return the next answer; b"" when the program, or all that hold its socket, have ended."""
        while True:
            try:
                return self._requests.recv(64)
            except ConnectionError:
                return b""
            except TimeoutError:
                if self._process.poll() is not None:
                    return b""


def _check_run(status, executable, point, run, folder):
    """Raise RunError where a run that has ended did not do its work."""
    missing = (
        [] if status else [n for n in ("summary.csv", "run.json") if not (folder / n).exists()]
    )
    if status or missing:
        why = f"wrote no {missing[0]}" if missing else f"exit status {status}"
        tail = folder.with_suffix(".log").read_text(errors="replace").strip().splitlines()[-8:]
        command = command_of(executable, point, run)
        repeat = f"repeat it with: {shlex.join([*command, '--outputDir=results/repeat'])}"
        raise RunError("\n".join([f"run {run} failed ({why})", *tail, repeat]))


def _all_runs(executable, point, folders, jobs):
    """Make the runs of ``folders``, {run: folder}, up to ``jobs`` at a time.

    Returns the wall seconds of each, in their order; where several run at a time a run may be
    taken for as long as the one before it. The first that fails is reported, and ends the others.
    """
    waiting = list(folders.items())
    programs = [_Program(executable, len(folders) > jobs) for _ in range(min(jobs, len(folders)))]
    idle, alive = list(programs), []
    seconds = []
    try:
        while waiting or alive:
            while waiting and idle:
                run, folder = waiting.pop(0)
                program = idle.pop(0)
                alive.append((run, time.monotonic(), program))
                program.start(point, run, folder)
            run, began, program = alive.pop(0)
            status = program.wait()  # of a point's runs the oldest ends first, or nearly so
            seconds.append(time.monotonic() - began)
            _check_run(status, executable, point, run, folders[run])
            idle.append(program)
    finally:
        for program in programs:
            program.end()
    return seconds


def _merge(name, folders, target, earlier=None, there=0):
    """Concatenate one CSV file of all runs; return False where no run wrote it.

    The ``there`` first runs are those that the folder ``earlier`` holds already.
    """
    header = None
    with (target / name).open("w", newline="", encoding="utf-8") as stream:
        if earlier is not None and (earlier / name).exists():
            text = (earlier / name).read_text(encoding="utf-8")
            stream.write(text)
            header = next(csv.reader(text.splitlines()[:1]))[1:]
        writer = csv.writer(stream, lineterminator="\n")
        for run, folder in enumerate(folders, start=there + 1):
            if not (folder / name).exists():
                continue
            with (folder / name).open(newline="", encoding="utf-8") as source:
                rows = csv.reader(source)
                first = next(rows, None)
                if header is None and first is not None:
                    header = first
                    writer.writerow(["run", *header])
                elif first != header:
                    raise RunError(f"run {run}: {name} has other columns than run 1")
                writer.writerows([run, *row] for row in rows)
    if header is None:
        (target / name).unlink()
    return header is not None


def _runs_to_keep(target, point, fingerprint):
    """Return the manifest of earlier runs in ``target`` that more can be added to, or None."""
    manifest = read_json(target / "manifest.json")
    if (
        not fingerprint
        or manifest is None
        or manifest.get("fingerprint") != fingerprint
        or (manifest["program"], manifest["args"]) != (point.program, dict(point.args))
        or manifest.get("inputs", {}) != dict(point.files)
        or not all((target / name).is_file() for name in manifest["files"])
    ):
        return None
    return manifest


def _check_fingerprint(executable, expected, stamps):
    """Raise RunError where a program is not what ``expected``, its fingerprint if any, says.

    Reading it and all its libraries takes longer than many a run: while they are as ``stamps``
    has them, nothing is read.
    """
    if not expected or is_stamped(executable, stamps):
        return
    try:
        found = fingerprint_of(executable)
    except FingerprintError as error:
        raise RunError(str(error)) from error
    if found != expected:
        raise RunError(f"{executable}: changed since the plan was made; start again")


def _check_files(point):
    """Raise RunError where a file that a flag names in braces is not what it was."""
    for name in point.changed_files():
        raise RunError(f"{point.folder}/{name}: changed since the plan was made; start again")


def _check_target(target):
    """Raise RunError where a folder of results would take the place of something else."""
    if not target.name:
        raise RunError(f"{target}: a folder of results needs a name of its own")
    if not target.exists():
        return
    if not target.is_dir():
        raise RunError(f"{target}: is a file; name a folder for the results")
    for path in sorted(target.iterdir()):
        if (path.name not in OWN and path.suffix != CAPTURE) or not path.is_file():
            raise RunError(
                f"{target}: holds {path.name}, which no point of a campaign writes and which "
                "would be lost; name another folder"
            )


def _make_runs(executable, point, target, work, kept, jobs):
    """Make the runs that ``kept``, the manifest of ``target``, lacks; merge all in ``work``.

    Returns the manifest, and the wall seconds of each new run.
    """
    there = kept["runs"] if kept else 0
    numbered = {run: work / f"run-{run}" for run in range(there + 1, point.runs + 1)}
    seconds = _all_runs(executable, point, numbered, jobs)
    folders = list(numbered.values())
    earlier = target if kept else None
    files = [name for name in MERGED if _merge(name, folders, work, earlier, there)]
    for name in TEXTS:
        first = target if kept else folders[0]
        if (first / name).exists():
            shutil.copyfile(first / name, work / name)
            files.append(name)
    captured = target if kept else folders[0].with_suffix(CAPTURE)
    for path in sorted(captured.glob(f"*{CAPTURE}")):
        shutil.copyfile(path, work / path.name)
        files.append(path.name)
    manifest = {
        "format": FORMAT,
        **point.parameters(),
        "command": shlex.join(command_of(executable, point, 1)),
        "wall_s": (kept["wall_s"] if kept else []) + [round(value, 3) for value in seconds],
        "files": files,
        "run_json": kept["run_json"] if kept else read_json(folders[0] / "run.json"),
    }
    for folder in folders:
        shutil.rmtree(folder)
        folder.with_suffix(".log").unlink()
        shutil.rmtree(folder.with_suffix(CAPTURE), ignore_errors=True)
    return manifest, seconds


def run_point(executable, point, target, fingerprint=None, benchmark=None, jobs=1, stamps=None):
    """Run every random run of ``point`` and publish the merged results as folder ``target``.

    ``fingerprint`` (a dictionary) is that of ``executable`` and is kept in the manifest; ``stamps``
    are those of its files then, if they are known. Where ``target`` holds runs of the same flags
    and the same fingerprint, these are kept and only the missing ones are run, ``jobs`` at a time.
    Another process that writes ``target`` is waited for. The file ``benchmark`` notes what the runs
    took. Returns the manifest. Raises RunError, also where the program or a file in braces is or
    becomes another meanwhile, and where ``target`` holds what is no result of a point; then
    ``target`` is as it was before.
    """
    if point.runs < 1:
        raise RunError(f"runs={point.runs}: give at least 1")
    target = Path(target)
    program = Path(executable)

    def check():
        _check_fingerprint(program, fingerprint, stamps)
        _check_files(point)

    check()
    _check_target(target)
    with locked(target):
        kept = _runs_to_keep(target, point, fingerprint)
        if kept and kept["runs"] >= point.runs:
            return kept
        with replaced(target) as work:
            manifest, seconds = _make_runs(program.resolve(), point, target, work, kept, jobs)
            manifest["fingerprint"] = fingerprint or {}
            check()
            (work / "manifest.json").write_text(to_json(manifest), encoding="utf-8")
    if benchmark:
        note = {"runs": len(seconds), "wall_s": round(sum(seconds), 3)}
        write_if_changed(benchmark, to_json(note))
    return manifest
