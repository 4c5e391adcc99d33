# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf does with a finished build: run programs, tests and the pipeline."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from own_programs import compile_own
from requirements import HOME, die, require

SUITE_SECONDS = 900
LONG_SUITES = (
    "lfn-atou-property",
    "lfn-jrm-amplification",
    "lfn-vrp-guarantee",
    "lfn-xcp-disturbance",
    "lfn-xcp-ipv6",
    "lfn-xcp-robust",
)
"""Long runs of code that other suites go through as well: sanitized by --only=SUITE alone."""


def leave(status):
    """End with a child's exit status when it failed, as a shell would."""
    if status:
        sys.exit(status if status > 0 else 128 - status)


def following(*command):
    """Return the words of a command that gets SIGTERM when this process ends, however it ends."""
    own = [sys.executable, "-I", "-S", HOME / "analysis" / "lfn" / "process.py"]
    return [*own, str(os.getpid()), str(int(signal.SIGTERM)), *command]


def python(*command):
    """Run a Python program of the project; interrupted, it ends in its own time."""
    environment = dict(os.environ, PYTHONPATH="analysis")
    process = subprocess.Popen(following(sys.executable, *command), env=environment)
    # As from timeout(1), which signals waf alone; the program would go on without it.
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while process.returncode is None:
        with contextlib.suppress(KeyboardInterrupt):  # the terminal signals the program as well
            process.wait()
    leave(process.returncode)


def is_own(words):
    """Check whether --run names a C++ file of the user's instead of a program."""
    return bool(words) and words[0].endswith(".cc")


def words_of(line, programs):
    """Return the words of --run; end where the first is neither a program nor a C++ file."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        die(f"--run: {error}: {line}")
    if not is_own(words) and (not words or words[0] not in programs):
        names = ", ".join(sorted(programs))
        die(f"--run: no program {words[0] if words else ''!r}; there are {names}")
    return words


def run(env, out, words, folder):
    """Run a program, or a C++ file of the user's, where the user stands."""
    if is_own(words):
        program = compile_own(env, out, Path(folder, os.path.expanduser(words[0])))
        leave(subprocess.call(following(program, *words[1:]), cwd=folder))
        return
    sys.stdout.flush()
    leave(subprocess.call(following(Path(out, "bin", words[0]), *words[1:]), cwd=folder))


def run_suite(runner, name):
    """Run one C++ suite in a process of its own: (name, passed, failed, seconds, output)."""
    begin = time.monotonic()
    command = [runner, f"--suite={name}", "--verbose"]
    try:
        result = subprocess.run(
            following(*command), capture_output=True, text=True, timeout=SUITE_SECONDS
        )
        output, status = result.stdout + result.stderr, result.returncode
    except subprocess.TimeoutExpired:
        output, status = f"no end after {SUITE_SECONDS} s", 1
    cases = re.findall(r"^  ([A-Z]+) .* \d+\.\d+ s$", output, re.M)
    passed = cases.count("PASS")
    failed = len(cases) - passed
    if not failed and (status or not passed):
        failed = 1  # ended outside a case
    return name, passed, failed, time.monotonic() - begin, output


def run_suites(out, names, jobs, left_out=()):
    """Run the C++ suites of these names, a line each: (passed, failed, skipped) in test cases.

    Without names, or with "suites", run all, but of ``left_out`` only those that are named.
    """
    runner = Path(out, "bin", "lfn-test-runner")
    listing = subprocess.run([runner, "--list"], text=True, capture_output=True)
    if listing.returncode:
        die(f"lfn-test-runner does not start: {listing.stderr.strip()}")
    suites = listing.stdout.split()
    for name in names:
        if name not in (*suites, "suites"):
            every = ", ".join([*suites, "'suites'", "'python' and test_*"])
            die(f"--only={name}: no such suite; there are {every}")
    unnamed = left_out if not names or "suites" in names else suites
    wanted = [name for name in suites if name in names or name not in unnamed]
    total = [0, 0]
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda name: run_suite(runner, name), wanted):
            name, passed, failed, seconds, output = result
            word = "FAIL" if failed else "PASS"
            print(f"{word} {name}: {passed} passed, {failed} failed, {seconds:.1f} s", flush=True)
            if failed:
                print(output)
            total = [total[0] + passed, total[1] + failed]
    return *total, 0


def python_tests(name):
    """Return the file of Python tests that is called so, or None."""
    files = [*Path("test/python").glob("test_*.py"), *Path("analysis/tests").glob("test_*.py")]
    return next((path for path in files if path.stem == name.removesuffix(".py")), None)


def run_python_tests(out, jobs, files):
    """Run pytest on files, or without any on all, several at a time: (passed, failed, skipped)."""
    require("analysis", "docs", "notebook", "slurm", "kubernetes")
    report = Path(out, "pytest.xml").absolute()
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}"]
    command += map(str, files)
    command += [] if len(files) == 1 else [f"--numprocesses={jobs}", "--dist=loadfile"]
    status = subprocess.call(following(*command), env=dict(os.environ, LFN_BUILD=str(out)))
    if not report.exists():
        return 0, 1, 0
    suite = ElementTree.parse(report).getroot().find("testsuite")
    count = {key: int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")}
    failed = count["failures"] + count["errors"]
    passed = count["tests"] - failed - count["skipped"]
    return passed, failed or int(status != 0), count["skipped"]


def test(out, only, jobs, sanitized):
    """Run the C++ suites and pytest, sanitized most suites alone, and close with their sum."""
    parts = []
    names = [name for name in only.split(",") if name]
    files = [] if "python" in names else list(filter(None, map(python_tests, names)))
    suites = [name for name in names if name != "python" and not python_tests(name)]
    if suites or not names:
        parts.append(run_suites(out, suites, jobs, LONG_SUITES if sanitized else ()))
    if files or "python" in names or not (sanitized or names):
        parts.append(run_python_tests(out, jobs, files))
    passed, failed, skipped = map(sum, zip(*parts, strict=True))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    leave(int(failed > 0))


def figures(out, preset, opts, rest, folder):
    """Run the pipeline; ``folder`` is where the user stands."""
    require("analysis", *([opts.cluster] if opts.cluster in ("slurm", "kubernetes") else []))
    words = ["--preset", preset, "--build", str(out)]
    if any(re.match("-j|--jobs", word) for word in sys.argv):  # a profile has a number of its own
        words += ["--jobs", str(opts.jobs)]
    words += ["--only", opts.only] if opts.only else []
    if opts.campaign:  # a shell leaves the ~ of --campaign=~/study as it is
        words += ["--campaign", os.path.join(folder, os.path.expanduser(opts.campaign))]
    if opts.sensitivity is not None:
        words.append("--sensitivity" if opts.sensitivity else "--no-sensitivity")
    words += ["--budget", opts.budget] if opts.budget else []
    if opts.cluster:
        own = os.path.join(folder, os.path.expanduser(opts.cluster))
        words += ["--cluster", own if os.path.isdir(own) else opts.cluster]
    words += ["--format", opts.format] if opts.format else []
    words += ["--plan"] if opts.plan else []
    python("analysis/figures.py", *words, *(["--", *rest] if rest else []))


def bench(out, opts):
    """Judge costs per packet."""
    words = ["--build", str(out), "--jobs", str(opts.jobs), "--only", opts.only]
    words += ["--quick"] if opts.quick else []
    words += ["--renew"] if opts.renew else []
    python("analysis/bench.py", *words)


def archive(out):
    """Pack the results of the last campaign."""
    require("analysis")
    python("analysis/archive_results.py", "--build", str(out))


def lint(fix):
    """Check what takes seconds."""
    require("lint")
    python(".ci/lint.py", *(["--fix"] if fix else []))


def lint_all(env, out, jobs):
    """Check everything; clang-tidy takes the flags of the build.

    Without -Werror, with which it reports warnings inside the compiler's own headers too.
    """
    require("lint", "tidy")
    flags = [flag for flag in env.CXXFLAGS if flag.startswith(("-std", "-W"))]
    flags = [flag for flag in flags if flag != "-Werror"]
    flags += env.CXXFLAGS_NS3 + [f"-D{macro}" for macro in env.DEFINES_NS3] + [f"-I{out}/include"]
    python(".ci/lint.py", "--all", "--jobs", str(jobs), "--flags", json.dumps(flags))


def docs(out, api=True):
    """Make the book of the documents."""
    require("analysis", "docs")
    python(".ci/docs.py", str(out), *([] if api else ["--no-api"]))
