# SPDX-License-Identifier: GPL-2.0-only
"""The stand-alone build: builds lfn against an installed ns-3, runs programs, tests and figures."""

import argparse
import fcntl
import logging
import os
import shutil
import sys
import sysconfig
import threading
from pathlib import Path

from waflib import Build, ConfigSet, Configure, Context, Options, TaskGen, Utils

sys.path.insert(0, os.path.join(Context.run_dir, ".waf-tools"))
import commands
import own_programs
import packing
import precompiling  # noqa: F401, it adds to waf's features
from needed import needed
from ns3_prefix import check_version, find_compiler, find_ns3
from requirements import die, require

APPNAME = "lfn"
VERSION = Path(Context.run_dir or ".", "VERSION").read_text().strip()


def find(*patterns):
    """Find the C++ files as CMakeLists.txt does, sorted: order decides the library's bytes."""
    home = Path(Context.run_dir or ".")
    return sorted(str(path.relative_to(home)) for text in patterns for path in home.glob(text))


NETANIM = "helper/scenario/lfn-net-animation-writer.cc"  # in a library of its own
SOURCES = find("model/**/*.cc", "helper/**/*.cc")
SOURCES.remove(NETANIM)
HEADERS = find("model/**/*.h", "helper/**/*.h")
TESTS = find("test/*-test-suite.cc")
EXAMPLES = find("examples/*.cc")

COMMANDS = {
    "configure": "choose the ns-3 to build against (--ns3=PREFIX; the wheel otherwise)",
    "build": "build the library, the programs and the test runner (the default)",
    "test": "run the C++ suites and the Python tests (--only=SUITE)",
    "figures": "run scenarios, draw figures, write the report (--quick, --full, --tiny, --only=ID)",
    "bench": "judge costs per packet against stored counts and goals (--quick, --renew)",
    "lint": "check format, spelling and project rules; --all adds clang-tidy and doxygen",
    "archive": "pack the results of the last ./waf figures into one file to publish",
    "docs": "make a book of doc/ in build/docs, and the API when doxygen is there",
    "wheel": "make a package for pip of library, programs, pipeline, book: build/wheel/*.whl",
    "clean": "remove the build folder",
    "distclean": "remove the build folder and .venv",
}
RUNNER = "lfn-test-runner"
PROGRAMS = {Path(source).stem: [source] for source in [*EXAMPLES, *find("test/*-runner.cc")]}
PROGRAMS[RUNNER] += TESTS
NEEDED = set(PROGRAMS)  # those that the command line needs
# Run with the build done: each after "build", in the order of the command line.
AFTER_BUILD = ("test", "figures", "bench", "lint_all", "run", "docs", "wheel", "archive")

OBJECTS = {}  # by target: ./waf wheel links them for older systems
REST = []  # what follows a bare "--" is for Snakemake

top = "."
out = Context.out_dir or os.path.abspath("build-sanitize" if "--sanitize" in sys.argv else "build")
Context.top_dir, Context.out_dir = Context.run_dir, out
Options.lockfile = os.path.join(out, ".lock-waf")  # in the build folder only: two may coexist
configured = Path(Options.lockfile)
if configured.is_file() and f"run_dir = {Context.run_dir!r}" not in configured.read_text():
    configured.unlink()  # of the folder that this one was copied from
Configure.autoconfig = "clobber"  # an edited wscript configures again with the earlier options


class Quiet(logging.Filter):
    """Drops waf's chatter and sends the rest to stderr: stdout is for a program's output."""

    def filter(self, record):
        record.stream = sys.stderr
        return not str(record.msg).startswith(("Waf: ", "%r finished"))


class Joined(argparse.Action):
    """An option of words by commas: given several times, all count."""

    def __call__(self, parser, namespace, values, option_string=None):
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


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
    add(
        "--run",
        metavar="LINE",
        help='build, run a program, or a C++ file: --run "rbudp-transfer --rtt=5ms"',
    )
    add("--ns3", metavar="PREFIX", help="configure: an installed ns-3 instead of the wheel's")
    add("--sanitize", action="store_true", help="build-sanitize/ with address and UB checks")
    add(
        "--only",
        metavar="IDS",
        action=Joined,
        default="",
        help="by commas; figures: some; test: suites by name, files test_*, 'suites', 'python'",
    )
    add("--full", action="store_true", help="figures: the paper's durations and enough runs")
    add("--tiny", action="store_true", help="figures: the smallest preset, as CI runs it")
    add("--campaign", metavar="DIR", default="", help="figures: your own, in a folder anywhere")
    add("--budget", metavar="TIME", default="", help="figures: run what fits into it, as in 30min")
    add(
        "--sensitivity",
        action=argparse.BooleanOptionalAction,
        help="figures: other values of fitted and chosen parameters too (default: with --full)",
    )
    add("--format", metavar="pdf", default="", help="figures: plots as PDF for papers as well")
    add("--cluster", metavar="NAME", default="", help="figures: on slurm or kubernetes")
    add("--plan", action="store_true", help="figures: print what there is to do and stop")
    add("--quick", action="store_true", help="figures: 20 minutes, as without it; bench: a subset")
    add("--renew", action="store_true", help="bench: store all counts; the commit says why")
    add("--fix", action="store_true", help="lint: format and repair first what can be")
    add("--all", action="store_true", help="lint: clang-tidy and doxygen coverage as well")
    if "--" in sys.argv:
        at = sys.argv.index("--")
        REST[:], sys.argv[at:] = sys.argv[at + 1 :], []
    unknown = [arg for arg in opt.parser.parse_known_args()[1] if arg not in COMMANDS]
    if unknown:
        die(f"{unknown[0]}: no such command or option; './waf --help' lists them")


def init(ctx):
    logging.getLogger("waflib").addFilter(Quiet())
    opts, given = Options.options, list(Options.commands)
    presets = [name for name in ("quick", "tiny", "full") if getattr(opts, name)]
    if len(presets) > 1:
        die(f"--{presets[-1]} and --{presets[0]} exclude each other: give one of them")
    if opts.run is not None:
        given = [name for name in given if name != "build"] + ["run"]
    given = ["lint_all" if name == "lint" and opts.all else name for name in given]
    plan = []
    for name in given:
        if name in AFTER_BUILD and "build" not in plan:
            plan.append("build")
        plan.append(name)
    campaign = os.path.join(Context.launch_dir, os.path.expanduser(opts.campaign))
    names = needed(given, opts.only, campaign if opts.campaign else "analysis/figures", PROGRAMS)
    if opts.run is not None:
        names.add(commands.words_of(opts.run, PROGRAMS)[0])
    NEEDED.intersection_update(names)
    Options.commands[:] = plan


def configure(conf):
    for path in ["VERSION", ".waf-tools/requirements/ns3.txt", *Path(".waf-tools").glob("*.py")]:
        node = conf.path.find_node(str(path))  # a change of these configures again, too
        conf.files.append(node.abspath())
        conf.hash = Utils.h_list((conf.hash, node.read("rb")))

    find_compiler("c++20")  # before anything is fetched
    prefix = conf.options.ns3
    if not prefix:
        require("ns3")
        prefix = Path(sysconfig.get_path("platlib"), "ns3")
    ns3 = find_ns3(prefix)
    check_version(ns3)
    os.environ["CXX"] = find_compiler(ns3.standard)
    conf.load("compiler_cxx gccdeps")

    env, home = conf.env, conf.srcnode.abspath()
    # Equal sources give equal bytes in every folder (the campaign goes by them): no debug
    # information, no build id, no absolute paths.
    flags = [f"-std={ns3.standard}", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wpedantic"]
    flags += [f"-ffile-prefix-map={path}/=" for path in (home, ns3.includes, "..")]
    link = ["-Wl,--disable-new-dtags"]
    if conf.options.sanitize:
        checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        flags += [*checks, "-O1", "-g1", "-fno-omit-frame-pointer"]
        link += checks
        env.SANITIZED = True
    else:
        link += ["-Wl,--build-id=none", "-Wl,--no-undefined"]
    env.CXXFLAGS = flags + env.CXXFLAGS
    env.LINKFLAGS = link + env.LINKFLAGS
    versions = [f'LFN_NS3_VERSION="{ns3.version}"', f'LFN_VERSION="{VERSION}"']
    env.DEFINES_NS3 = ns3.macros + versions
    env.LIB_NS3 = ns3.libraries
    env.LIB_NETANIM = [name for name in ns3.everything if "-netanim" in name]
    env.RPATH_LFN = ["$ORIGIN/.."]
    if str(ns3.includes) != "/usr/include":
        env.CXXFLAGS_NS3 = ["-isystem", str(ns3.includes)]
        env.LIBPATH_NS3 = [str(ns3.libdir)]
        # Through a link, so that the bytes do not report where ns-3 is installed.
        through = Path(out, "ns3-libraries")
        through.unlink(missing_ok=True)
        inside = ns3.libdir.is_relative_to(home)
        through.symlink_to(os.path.relpath(ns3.libdir, out) if inside else ns3.libdir)
        env.RPATH_NS3 = ["$ORIGIN/ns3-libraries", "$ORIGIN/../ns3-libraries"]
    if env.CXX_NAME == "gcc" and not env.SANITIZED:
        env.NS3_INCLUDES = str(ns3.includes)  # to precompile, see precompiling.py
    own = own_programs.flags(env, out, ns3.libdir, ns3.everything)
    env.CXXFLAGS_OWN, env.LINKFLAGS_OWN = own
    own_programs.write_description(Path(out, "lfn.pc"), VERSION, *own)
    found = [ns3.version, ns3.standard, *(ns3.macros or ["optimized"])]
    print(f"waf: {env.CXX[0]}, ns-3 {' '.join(found)}", file=sys.stderr)


class QuietConfiguration(Configure.ConfigurationContext):
    """configure, without a line for each check: build/config.log has them"""

    cmd = "configure"

    def start_msg(self, *words, **settings):
        self.to_log(" ".join(map(str, words)))

    def end_msg(self, *words, **settings):
        self.to_log(f"  {' '.join(map(str, words))}")


@TaskGen.feature("cxx")
@TaskGen.after_method("process_source")
def seed_compiler(self):
    """Names that the compiler makes up depend on the source's name alone."""
    tasks = getattr(self, "compiled_tasks", [])
    OBJECTS[self.target] = [task.outputs[0].abspath() for task in tasks]
    for task in tasks:
        task.env = task.env.derive()
        task.env.append_value("CXXFLAGS", [f"-frandom-seed={task.inputs[0].srcpath()}"])


def flatten_headers():
    """Shows all headers in one folder ns3/, as ns-3's own build does."""
    folder = Path(out, "include", "ns3")
    folder.mkdir(parents=True, exist_ok=True)
    headers = {Path(header).name: header for header in HEADERS}
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
    if "figures" in Options.commands:  # pip uses one core at most; the pipeline waits for it
        threading.Thread(target=require, args=("analysis",)).start()
    flatten_headers()
    flat = bld.bldnode.make_node("include")
    for name in [*map(os.path.basename, HEADERS), "lfn-module.h"]:
        flat.make_node(["ns3", name])  # lets gccdeps recognise them
    bld.shlib(target="lfn", source=SOURCES, includes=[flat], use="NS3", precompiled=True)
    if bld.env.LIB_NETANIM:
        words = {"includes": [flat], "use": "lfn NS3 NETANIM", "precompiled": True}
        bld.shlib(target="lfn-netanim", source=[NETANIM], **words)
    for name, sources in PROGRAMS.items():
        if bld.env.SANITIZED:  # only the suites are of interest there, and it compiles slowly
            wanted = name == RUNNER
        else:  # a program that is there loads the library, so it is kept up to date with it
            wanted = name in NEEDED or (name != RUNNER and Path(out, "bin", name).exists())
        if wanted:
            # Tests compile faster without optimization, and the library does their work.
            flags = ["-O0"] if name == RUNNER else []
            # A fixed index, part of the objects' names: else they differ with what is left out.
            words = {"includes": [flat], "use": "lfn LFN NS3", "cxxflags": flags, "idx": 0}
            bld.program(target=f"bin/{name}", source=sources, precompiled=True, **words)


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


def run(ctx):
    env = ConfigSet.ConfigSet(os.path.join(out, "c4che", "_cache.py"))
    words = commands.words_of(Options.options.run, PROGRAMS)
    commands.run(env, out, words, Context.launch_dir)


def test(ctx):
    opts = Options.options
    commands.test(out, opts.only, opts.jobs, opts.sanitize)


def figures(ctx):
    opts = Options.options
    preset = "full" if opts.full else "tiny" if opts.tiny else "quick"
    commands.figures(out, preset, opts, REST, Context.launch_dir)


def bench(ctx):
    commands.bench(out, Options.options)


def lint(ctx):
    commands.lint(Options.options.fix)


def lint_all(ctx):
    env = ConfigSet.ConfigSet(os.path.join(out, "c4che", "_cache.py"))
    commands.lint_all(env, out, Options.options.jobs)


def docs(ctx):
    commands.docs(out)


def archive(ctx):
    commands.archive(out)


def wheel(ctx):
    env = ConfigSet.ConfigSet(os.path.join(out, "c4che", "_cache.py"))
    packing.wheel(env, out, VERSION, OBJECTS)


class Clean(Context.Context):
    cmd = fun = "clean"

    def execute(self):
        shutil.rmtree(out, ignore_errors=True)


class DistClean(Clean):
    cmd = fun = "distclean"

    def execute(self):
        super().execute()
        shutil.rmtree(sys.prefix, ignore_errors=True)
