# SPDX-License-Identifier: GPL-2.0-only
"""The stand-alone door: builds lfn against an installed ns-3, runs programs, tests and figures.

CMakeLists.txt names the same files for the in-tree door; test/python checks that they agree.
"""

import contextlib
import fcntl
import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from waflib import Build, ConfigSet, Configure, Context, Errors, Logs, Options, TaskGen

APPNAME = "lfn"
VERSION = "0.1.0"

SOURCES = """
helper/lfn-attribute-check.cc
helper/lfn-flags-kinds.cc
helper/lfn-flags.cc
helper/lfn-json.cc
helper/lfn-output-folder.cc
helper/lfn-path-monitor.cc
helper/lfn-point-to-point-topology.cc
helper/lfn-run-recorder.cc
helper/lfn-scenario.cc
helper/lfn-topology.cc
helper/lfn-values.cc
helper/lfn-version.cc
helper/lfn-wording.cc
helper/rbudp-helper.cc
model/path/lfn-error-model-list.cc
model/path/lfn-gilbert-elliott-error-model.cc
model/path/lfn-host-cost.cc
model/path/lfn-host-queue.cc
model/path/lfn-packet-filter.cc
model/path/lfn-scripted-error-model.cc
model/rbudp/rbudp-blast-schedule.cc
model/rbudp/rbudp-control-channel.cc
model/rbudp/rbudp-header.cc
model/rbudp/rbudp-ideal-control.cc
model/rbudp/rbudp-object-stream.cc
model/rbudp/rbudp-receiver-core.cc
model/rbudp/rbudp-receiver.cc
model/rbudp/rbudp-sender-core.cc
model/rbudp/rbudp-sender.cc
model/rbudp/rbudp-tally.cc
model/rbudp/rbudp-tcp-control.cc
model/transfer/lfn-drop-reason.cc
model/transfer/lfn-fast-settings.cc
model/transfer/lfn-listen-address.cc
model/transfer/lfn-pacer.cc
model/transfer/lfn-pattern-payload.cc
model/transfer/lfn-tcp-sink.cc
model/transfer/lfn-tcp-source.cc
model/transfer/lfn-transfer-application.cc
model/transfer/lfn-transfer-report.cc
model/transfer/lfn-udp-endpoint.cc
model/transfer/lfn-udp-sink.cc
model/transfer/lfn-udp-source.cc
""".split()

HEADERS = """
helper/lfn-attribute-check.h
helper/lfn-flags.h
helper/lfn-json.h
helper/lfn-output-folder.h
helper/lfn-path-monitor.h
helper/lfn-point-to-point-topology.h
helper/lfn-run-recorder.h
helper/lfn-scenario.h
helper/lfn-topology.h
helper/lfn-values.h
helper/lfn-version.h
helper/lfn-wording.h
helper/rbudp-helper.h
model/path/lfn-error-model-list.h
model/path/lfn-gilbert-elliott-error-model.h
model/path/lfn-host-cost.h
model/path/lfn-host-queue.h
model/path/lfn-packet-filter.h
model/path/lfn-scripted-error-model.h
model/rbudp/rbudp-blast-schedule.h
model/rbudp/rbudp-control-channel.h
model/rbudp/rbudp-header.h
model/rbudp/rbudp-ideal-control.h
model/rbudp/rbudp-message.h
model/rbudp/rbudp-object-stream.h
model/rbudp/rbudp-receiver-core.h
model/rbudp/rbudp-receiver.h
model/rbudp/rbudp-sender-core.h
model/rbudp/rbudp-sender.h
model/rbudp/rbudp-tally.h
model/rbudp/rbudp-tcp-control.h
model/transfer/lfn-drop-reason.h
model/transfer/lfn-fast-settings.h
model/transfer/lfn-listen-address.h
model/transfer/lfn-pacer.h
model/transfer/lfn-pattern-payload.h
model/transfer/lfn-tcp-sink.h
model/transfer/lfn-tcp-source.h
model/transfer/lfn-transfer-application.h
model/transfer/lfn-transfer-report.h
model/transfer/lfn-udp-endpoint.h
model/transfer/lfn-udp-sink.h
model/transfer/lfn-udp-source.h
""".split()

TESTS = """
test/lfn-flags-test-suite.cc
test/lfn-path-test-suite.cc
test/lfn-recorder-test-suite.cc
test/lfn-scenario-test-suite.cc
test/lfn-transfer-system-test-suite.cc
test/lfn-transfer-test-suite.cc
test/rbudp-core-test-suite.cc
""".split()

EXAMPLES = """
examples/lfn-bench-baseline.cc
examples/rbudp-example.cc
examples/rbudp-streaming.cc
examples/rbudp-transfer.cc
""".split()

NS3_MODULES = """
applications
core
internet
network
point-to-point
traffic-control
""".split()
NS3_TESTED = ((3, 44), (3, 48))

COMMANDS = {
    "configure": "choose the ns-3 to build against (--ns3=PREFIX; the wheel otherwise)",
    "build": "build the library, the programs and the test runner (the default)",
    "test": "run the C++ suites and the Python tests (--only=SUITE)",
    "figures": "run the scenarios, draw the figures, write the report (--full, --tiny, --only=ID)",
    "bench": "measure speed as ratios to ns-3's own applications",
    "lint": "check format, spelling and house rules; --all adds clang-tidy and doxygen",
    "docs": "convert doc/ to build/docs, with the API when doxygen is there",
    "clean": "remove the build folder",
    "distclean": "remove the build folder and .venv",
}
# Run with the build done: each after "build", in the order of the command line.
AFTER_BUILD = ("test", "figures", "bench", "lint_all", "run")

top = "."
out = Context.out_dir or os.path.abspath("build-sanitize" if "--sanitize" in sys.argv else "build")
Context.top_dir, Context.out_dir = Context.run_dir, out
Options.lockfile = os.path.join(out, ".lock-waf")  # in the build folder only: two may coexist
Configure.autoconfig = "clobber"  # an edited wscript configures again with the earlier options


def die(message):
    """End with one line on stderr."""
    sys.stderr.flush()
    print(f"waf: {message}", file=sys.stderr)
    sys.exit(1)


class Quiet(logging.Filter):
    """Drops waf's chatter, so that a program's output stays alone on stdout."""

    def filter(self, record):
        return not str(record.msg).startswith(("Waf: ", "%r finished"))


def options(opt):
    opt.load("compiler_cxx")
    unused = "prefix bindir libdir destdir distcheck-args files force check-cxx-compiler"
    for name in unused.split():
        opt.parser.set_defaults(**{name.replace("-", "_"): ""})
        opt.parser.remove_option(f"--{name}")
    opt.parser.get_usage = lambda: (
        "./waf [command] [options]\n\ncommands:\n"
        + "".join(f"  {name:10} {text}\n" for name, text in COMMANDS.items())
    )
    add = opt.add_option_group("lfn").add_option
    add("--run", metavar="LINE", help='build, then run a program: --run "rbudp-transfer --rtt=5ms"')
    add("--ns3", metavar="PREFIX", help="configure: an installed ns-3 instead of the wheel's")
    add("--sanitize", action="store_true", help="build-sanitize/ with address and UB checks")
    add("--only", metavar="ID", help="figures: one figure; test: one suite, 'suites' or 'python'")
    add("--full", action="store_true", help="figures: the paper's durations and enough runs")
    add("--tiny", action="store_true", help="figures: the smallest preset, as CI runs it")
    add("--all", action="store_true", help="lint: clang-tidy and doxygen coverage as well")
    unknown = [arg for arg in opt.parser.parse_known_args()[1] if arg not in COMMANDS]
    if unknown:
        die(f"{unknown[0]}: no such command or option; './waf --help' lists them")


def init(ctx):
    logging.getLogger("waflib").addFilter(Quiet())
    opts, given = Options.options, list(Options.commands)
    if opts.full and opts.tiny:
        die("--full and --tiny exclude each other: give one of them")
    if opts.run is not None:
        given = [name for name in given if name != "build"] + ["run"]
    plan = []
    for name in given:
        if name == "lint" and opts.all:
            name = "lint_all"
        if name in AFTER_BUILD and "build" not in plan:
            plan.append("build")
        plan.append(name)
    Options.commands[:] = plan


# ---- requirements -------------------------------------------------------------------------------


@contextlib.contextmanager
def exclusive(path):
    """Holds an advisory lock on a file: two ./waf in one clone wait for each other."""
    with open(path) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def require(*groups):
    """Installs requirements/<group>.txt where it is missing or has changed since."""
    for group in groups:
        listing = Path(Context.run_dir, "requirements", f"{group}.txt")
        stamp = Path(sys.prefix, f".ready-{group}")
        if stamp.exists() and stamp.read_text() == listing.read_text():
            continue
        if sys.version_info >= (3, 14):
            die(
                f"Python {sys.version_info[0]}.{sys.version_info[1]} is too new for {listing.name}:"
                " install Python 3.11 to 3.13 and remove .venv"
            )
        with exclusive(Path(Context.run_dir, "waf")):
            mark = Path(sys.prefix, ".installing")  # the launcher starts again when it finds it
            mark.touch()
            print(f"waf: installing requirements/{group}.txt", file=sys.stderr, flush=True)
            # The lists are complete, so nothing is resolved; ns3's bindings are not wanted.
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "-r", listing]
            if subprocess.call(pip, stdout=sys.stderr):
                mark.unlink()
                die(f"pip could not install requirements/{group}.txt: see its message above")
            stamp.write_text(listing.read_text())
            mark.unlink()


# ---- configure ----------------------------------------------------------------------------------


def find_ns3(prefix):
    """What a prefix holds: headers, library folder, version, library names and ABI macros.

    The pkg-config files are read here: the wheel's carry its build host's paths, and a machine
    need not have pkg-config. What no such file says (log and assert macros change the layout of
    some classes) is read off the library.
    """
    prefix = Path(prefix).expanduser()
    places = [*prefix.glob("lib*/pkgconfig"), *prefix.glob("lib*/*/pkgconfig")]
    folder = next((place for place in places if (place / "ns3-core.pc").exists()), None)
    if folder is None:
        die(f"--ns3={prefix}: no lib*/pkgconfig/ns3-core.pc there; give the prefix of an installed ns-3")
    libraries = []
    for module in NS3_MODULES:
        description = folder / f"ns3-{module}.pc"
        if not description.exists():
            die(f"--ns3={prefix}: ns-3 was built without its module {module}; build it with that")
        text = description.read_text()
        libraries.append(re.search(r"^Libs:.*?-l(\S+)", text, re.M)[1])
    version = re.search(r"^Version:\s*(\S+)", text, re.M)[1]
    binary = (folder.parent / f"lib{libraries[NS3_MODULES.index('network')]}.so").read_bytes()
    macros = []
    if b"_ZNK3ns312LogComponent9IsEnabled" in binary:
        macros.append("NS3_LOG_ENABLE")
    if b"NS_ASSERT failed" in binary:
        macros.append("NS3_ASSERT_ENABLE")
    return prefix / "include", folder.parent, version, libraries, macros


def check_version(version):
    """Refuses an ns-3 older than tested, warns at a newer one; patch releases do not count."""
    low, high = (".".join(map(str, release)) for release in NS3_TESTED)
    found = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if found < NS3_TESTED[0]:
        die(f"ns-3 {version} is too old: lfn needs {low} to {high}")
    if found > NS3_TESTED[1]:
        print(f"waf: warning: tested with ns-3 {low} to {high}, this is {version}", file=sys.stderr)
    return found


def check_compiler(standard):
    """One line instead of a failed build when there is no compiler for the standard."""
    wanted = os.environ.get("CXX")
    candidates = [wanted] if wanted else ["g++", "clang++", "c++"]
    compiler = next((found for name in candidates if (found := shutil.which(name))), None)
    if not compiler:
        die(f"no C++ compiler ({', '.join(candidates)}): install one, for example 'apt install g++'")
    program = "#include <concepts>\n#include <span>\nint main() { return 0; }\n"
    command = [compiler, f"-std={standard}", "-x", "c++", "-fsyntax-only", "-"]
    if subprocess.run(command, input=program, text=True, capture_output=True).returncode:
        die(f"{compiler} does not compile {standard}: install g++ 11 or clang++ 16, or newer")
    return compiler


def configure(conf):
    compiler = check_compiler("c++20")
    prefix = conf.options.ns3
    if not prefix:
        require("ns3")
        prefix = Path(sysconfig.get_path("platlib"), "ns3")
    includes, libdir, version, libraries, macros = find_ns3(prefix)
    # From 3.46 on, ns-3's own headers are C++23.
    standard = "c++23" if check_version(version) >= (3, 46) else "c++20"
    check_compiler(standard)
    os.environ["CXX"] = compiler
    conf.load("compiler_cxx gccdeps")

    env = conf.env
    env.NS3_VERSION = version
    home = conf.srcnode.abspath()
    # Equal sources give equal bytes in every folder (the campaign goes by them): no debug
    # information, no build id, no absolute paths.
    flags = [f"-std={standard}", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wpedantic"]
    flags += [f"-ffile-prefix-map={path}/=" for path in (home, includes, "..")]
    link = ["-Wl,--build-id=none", "-Wl,--disable-new-dtags", "-Wl,--no-undefined"]
    if conf.options.sanitize:
        checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        flags += [*checks, "-g", "-O1", "-fno-omit-frame-pointer"]
        link = [*checks, "-Wl,--disable-new-dtags"]
    env.CXXFLAGS = flags + env.CXXFLAGS
    env.LINKFLAGS = link + env.LINKFLAGS
    env.DEFINES_NS3 = [*macros, f'LFN_NS3_VERSION="{version}"', f'LFN_VERSION="{VERSION}"']
    env.LIB_NS3 = libraries
    env.RPATH_LFN = ["$ORIGIN/.."]
    if libdir.parts[:2] != ("/", "usr") or "local" in libdir.parts:
        env.CXXFLAGS_NS3 = ["-isystem", str(includes)]
        env.LIBPATH_NS3 = [str(libdir)]
        # Through a link, so that the bytes do not tell where ns-3 is installed.
        link = Path(out, "ns3-libraries")
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(libdir, out) if libdir.is_relative_to(home) else libdir)
        env.RPATH_NS3 = ["$ORIGIN/ns3-libraries", "$ORIGIN/../ns3-libraries"]
    conf.msg("ns-3", f"{version}, {standard}, {' '.join(macros) or 'optimized'}")


# ---- build --------------------------------------------------------------------------------------


@TaskGen.feature("cxx")
@TaskGen.after_method("process_source")
def seed_compiler(self):
    """Names that the compiler makes up depend on the source's name alone."""
    for task in getattr(self, "compiled_tasks", []):
        task.env = task.env.derive()
        task.env.append_value("CXXFLAGS", [f"-frandom-seed={task.inputs[0].srcpath()}"])


def present(paths):
    """Leaves out files that are not there yet, with a line on stderr."""
    there = [path for path in paths if Path(Context.run_dir, path).exists()]
    if missing := sorted(set(paths) - set(there)):
        print(f"waf: warning: not there yet: {' '.join(missing)}", file=sys.stderr)
    return there


def flatten_headers():
    """Shows all headers in one folder ns3/, as ns-3's own build does."""
    folder = Path(out, "include", "ns3")
    folder.mkdir(parents=True, exist_ok=True)
    headers = {Path(header).name: header for header in present(HEADERS)}
    for stale in folder.iterdir():
        if stale.name not in headers and stale.name != "lfn-module.h":
            stale.unlink()
    for name, header in headers.items():
        target, link = os.path.relpath(Path(Context.run_dir, header), folder), folder / name
        if not link.is_symlink() or os.readlink(link) != target:
            link.unlink(missing_ok=True)
            link.symlink_to(target)
    lines = [f'#include "{name}"\n' for name in sorted(headers)]
    text = "#ifndef LFN_MODULE_H\n#define LFN_MODULE_H\n" + "".join(lines) + "#endif\n"
    module = folder / "lfn-module.h"
    if not module.exists() or module.read_text() != text:
        module.write_text(text)


def build(bld):
    flatten_headers()
    flat = bld.bldnode.make_node("include")
    for name in [*map(os.path.basename, HEADERS), "lfn-module.h"]:
        flat.make_node(["ns3", name])  # lets gccdeps recognise them
    bld.shlib(target="lfn", source=present(SOURCES), includes=[flat], use="NS3")
    programs = {Path(example).stem: [example] for example in present(EXAMPLES)}
    programs["lfn-test-runner"] = present(["test/lfn-test-runner.cc", *TESTS])
    for name, sources in programs.items():
        bld.program(target=f"bin/{name}", source=sources, includes=[flat], use="lfn LFN NS3")


class LockedBuild(Build.BuildContext):
    """build, one at a time in a build folder"""

    cmd = "build"
    lock = None

    def execute(self):
        if LockedBuild.lock is None:  # a build that configures first comes here twice
            Path(out).mkdir(exist_ok=True, parents=True)
            LockedBuild.lock = open(os.path.join(out, ".lock-build"), "w")
        fcntl.flock(LockedBuild.lock, fcntl.LOCK_EX)
        super().execute()
        fcntl.flock(LockedBuild.lock, fcntl.LOCK_UN)


# ---- commands -----------------------------------------------------------------------------------


def python(script, *arguments):
    """Runs a Python program of the project; its exit status is the command's when it fails."""
    environment = dict(os.environ, PYTHONPATH=os.path.abspath("analysis"))
    status = subprocess.call([sys.executable, *script.split(), *arguments], env=environment)
    if status:
        sys.exit(status if status > 0 else 128 - status)


def run(ctx):
    line = shlex.split(Options.options.run)
    programs = sorted(path.name for path in Path(out, "bin").iterdir() if "." not in path.name)
    if not line or line[0] not in programs:
        die(f"--run: no program {line[0] if line else ''!r}; there are {', '.join(programs)}")
    sys.stdout.flush()
    status = subprocess.call([Path(out, "bin", line[0]), *line[1:]], cwd=Context.launch_dir)
    sys.exit(status if status >= 0 else 128 - status)


def run_suite(name):
    """One C++ suite in a process of its own: (name, cases passed, cases failed, output)."""
    begin = time.monotonic()
    command = [Path(out, "bin", "lfn-test-runner"), f"--suite={name}", "--verbose"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=900)
        output, status = result.stdout + result.stderr, result.returncode
    except subprocess.TimeoutExpired:
        output, status = "no end after 900 s", 1
    cases = re.findall(r"^  (PASS|FAIL|CRASH) ", output, re.M)
    passed = cases.count("PASS")
    failed = len(cases) - passed
    if status and not failed:
        failed = 1  # ended outside a case
    return name, passed, failed, time.monotonic() - begin, output


def run_suites(wanted):
    runner = Path(out, "bin", "lfn-test-runner")
    suites = sorted(subprocess.check_output([runner, "--list"], text=True).split())
    if wanted:
        suites = [name for name in suites if name == wanted]
        if not suites:
            die(f"--only={wanted}: no such suite; 'lfn-test-runner --list' names them")
    totals = [0, 0]
    with ThreadPoolExecutor(Options.options.jobs) as pool:
        for name, passed, failed, seconds, output in pool.map(run_suite, suites):
            word = "FAIL" if failed else "PASS"
            print(f"{word} {name}: {passed} passed, {failed} failed, {seconds:.1f} s", flush=True)
            if failed:
                print(output)
            totals[0] += passed
            totals[1] += failed
    return *totals, 0


def run_python_tests():
    require("analysis")
    report = Path(out, "pytest.xml")
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    environment = dict(os.environ, LFN_BUILD=out)
    status = subprocess.call(command, env=environment)
    if not report.exists():
        return 0, 1, 0
    suite = ElementTree.parse(report).getroot().find("testsuite")
    total, failures, errors, skipped = (
        int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return total - failed - skipped, failed or int(status not in (0, 5)), skipped


def test(ctx):
    only = Options.options.only
    parts = []
    if only != "python":
        parts.append(run_suites(None if only == "suites" else only))
    if only == "python" or not (only or Options.options.sanitize):
        parts.append(run_python_tests())
    passed, failed, skipped = map(sum, zip(*parts))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    if failed or not passed:
        sys.exit(1)


def figures(ctx):
    require("analysis")
    opts = Options.options
    preset = "full" if opts.full else "tiny" if opts.tiny else "quick"
    arguments = ["--preset", preset, "--jobs", str(opts.jobs), "--build", out]
    python("analysis/figures.py", *arguments, *(["--only", opts.only] if opts.only else []))


def bench(ctx):
    require("analysis")
    python("analysis/bench.py")


def lint(ctx):
    require("lint")
    python(".ci/lint.py")


def lint_all(ctx):
    require("lint", "tidy")
    env = ConfigSet.ConfigSet(os.path.join(out, "c4che", "_cache.py"))
    flags = [flag for flag in env.CXXFLAGS + env.CXXFLAGS_NS3 if not flag.startswith(("-ff", "-M"))]
    flags += [f"-D{macro}" for macro in env.DEFINES_NS3] + [f"-I{out}/include"]
    python(".ci/lint.py", "--all", "--jobs", str(Options.options.jobs), "--flags", json.dumps(flags))


def docs(ctx):
    require("lint")
    python(".ci/docs.py", "--build", out)


class Clean(Context.Context):
    cmd = fun = "clean"

    def execute(self):
        shutil.rmtree(out, ignore_errors=True)


class DistClean(Clean):
    cmd = fun = "distclean"

    def execute(self):
        super().execute()
        shutil.rmtree(sys.prefix, ignore_errors=True)
