# SPDX-License-Identifier: GPL-2.0-only
"""The stand-alone door: builds lfn against an installed ns-3, runs programs, tests and figures.

CMakeLists.txt names the same files for the in-tree door; test/python checks that they agree.
"""

import fcntl
import logging
import os
import shutil
import sys
import sysconfig
from pathlib import Path

from waflib import Build, ConfigSet, Configure, Context, Options, TaskGen, Utils

sys.path.insert(0, os.path.join(Context.run_dir, ".waf-tools"))
import commands
from ns3_prefix import check_version, find_compiler, find_ns3
from requirements import die, require

APPNAME = "lfn"
VERSION = "0.1.0"

SOURCES = """
helper/atou-helper.cc
helper/atou-log.cc
helper/atou-transport.cc
helper/fec-helper.cc
helper/fec-udp-transport.cc
helper/jrm-helper.cc
helper/jrm-transport.cc
helper/lfn-attribute-check.cc
helper/lfn-dumbbell-topology.cc
helper/lfn-file-topology.cc
helper/lfn-flags-kinds.cc
helper/lfn-flags.cc
helper/lfn-flow-witness.cc
helper/lfn-json.cc
helper/lfn-link-addresses.cc
helper/lfn-multicast-tree-topology.cc
helper/lfn-multicast-tree.cc
helper/lfn-output-folder.cc
helper/lfn-parking-lot-topology.cc
helper/lfn-path-monitor.cc
helper/lfn-point-to-point-link.cc
helper/lfn-point-to-point-topology.cc
helper/lfn-run-recorder.cc
helper/lfn-scenario-path.cc
helper/lfn-scenario.cc
helper/lfn-star-topology.cc
helper/lfn-strict-checkers.cc
helper/lfn-topology-file.cc
helper/lfn-topology-routes.cc
helper/lfn-topology-rows.cc
helper/lfn-topology.cc
helper/lfn-transport.cc
helper/lfn-values.cc
helper/lfn-version.cc
helper/parallel-tcp-helper.cc
helper/parallel-tcp-transport.cc
helper/rbudp-helper.cc
helper/rbudp-transport.cc
helper/tcp-transport.cc
helper/udp-transport.cc
helper/vrp-helper.cc
helper/vrp-message-log.cc
helper/vrp-transport.cc
helper/xcp-experiment.cc
helper/xcp-helper.cc
helper/xcp-port-monitor.cc
helper/xcp-transport.cc
model/atou/atou-client.cc
model/atou/atou-config.cc
model/atou/atou-congestion.cc
model/atou/atou-epoch.cc
model/atou/atou-header.cc
model/atou/atou-high-speed-table.cc
model/atou/atou-native-congestion.cc
model/atou/atou-newreno-recovery.cc
model/atou/atou-options.cc
model/atou/atou-output.cc
model/atou/atou-receiver-core.cc
model/atou/atou-recovery.cc
model/atou/atou-response.cc
model/atou/atou-sack-recovery.cc
model/atou/atou-scoreboard.cc
model/atou/atou-sender-core.cc
model/atou/atou-server.cc
model/atou/atou-slow-start.cc
model/atou/atou-statistics.cc
model/atou/atou-tcp-congestion.cc
model/atou/atou-text.cc
model/atou/atou-timer.cc
model/atou/atou-vegas.cc
model/fec/fec-header.cc
model/fec/fec-receiver-core.cc
model/fec/fec-sender-core.cc
model/fec/fec-udp-sink.cc
model/fec/fec-udp-source.cc
model/jrm/jrm-adaptive-timeout.cc
model/jrm/jrm-header.cc
model/jrm/jrm-leaky-bucket.cc
model/jrm/jrm-message-source.cc
model/jrm/jrm-peer-settings.cc
model/jrm/jrm-peer.cc
model/jrm/jrm-receiver-core.cc
model/jrm/jrm-sender-core.cc
model/parallel/parallel-header.cc
model/parallel/parallel-receiver-core.cc
model/parallel/parallel-sender-core.cc
model/parallel/parallel-tcp-sink.cc
model/parallel/parallel-tcp-source.cc
model/path/lfn-error-model-list.cc
model/path/lfn-gilbert-elliott-error-model.cc
model/path/lfn-host-cost.cc
model/path/lfn-host-queue.cc
model/path/lfn-ip-packet-filter.cc
model/path/lfn-jitter-channel.cc
model/path/lfn-policer.cc
model/path/lfn-reordering-channel.cc
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
model/transfer/lfn-make-socket.cc
model/transfer/lfn-pacer.cc
model/transfer/lfn-pattern-payload.cc
model/transfer/lfn-tcp-congestion.cc
model/transfer/lfn-tcp-sink.cc
model/transfer/lfn-tcp-source.cc
model/transfer/lfn-transfer-application.cc
model/transfer/lfn-transfer-report.cc
model/transfer/lfn-udp-endpoint.cc
model/transfer/lfn-udp-sink.cc
model/transfer/lfn-udp-source.cc
model/transfer/lfn-wording.cc
model/vrp/vrp-anticipating-window.cc
model/vrp/vrp-basic-window.cc
model/vrp/vrp-block-table.cc
model/vrp/vrp-frame-header.cc
model/vrp/vrp-frame-source.cc
model/vrp/vrp-frame.cc
model/vrp/vrp-header-packet.cc
model/vrp/vrp-header.cc
model/vrp/vrp-incoming-frame.cc
model/vrp/vrp-outgoing-frame.cc
model/vrp/vrp-ping.cc
model/vrp/vrp-receive-window.cc
model/vrp/vrp-received-frame.cc
model/vrp/vrp-receiver.cc
model/vrp/vrp-reply.cc
model/vrp/vrp-rtt-estimator.cc
model/vrp/vrp-sender-core.cc
model/vrp/vrp-sender.cc
model/vrp/vrp-tolerance.cc
model/xcp/tcp-xcp.cc
model/xcp/xcp-adaptive-drop-law.cc
model/xcp/xcp-bloom-estimator.cc
model/xcp/xcp-controller.cc
model/xcp/xcp-drop-law.cc
model/xcp/xcp-exact-estimator.cc
model/xcp/xcp-flow-count-estimator.cc
model/xcp/xcp-flow-table.cc
model/xcp/xcp-header.cc
model/xcp/xcp-l4-protocol.cc
model/xcp/xcp-multiplicative-drop-law.cc
model/xcp/xcp-packet-view.cc
model/xcp/xcp-port.cc
model/xcp/xcp-queue-disc.cc
model/xcp/xcp-rtt-timer.cc
model/xcp/xcp-sender-core.cc
model/xcp/xcp-socket-factory.cc
model/xcp/xcp-socket-finder.cc
model/xcp/xcp-sred-estimator.cc
model/xcp/xcp-tcp-fairness.cc
model/xcp/xcp-tcp-start.cc
model/xcp/xcp-tcp-wrr-queue-disc.cc
model/xcp/xcp-teardown.cc
""".split()

HEADERS = """
helper/atou-helper.h
helper/atou-log.h
helper/atou-transport.h
helper/fec-helper.h
helper/fec-udp-transport.h
helper/jrm-helper.h
helper/jrm-transport.h
helper/lfn-attribute-check.h
helper/lfn-dumbbell-topology.h
helper/lfn-file-topology.h
helper/lfn-flags.h
helper/lfn-flow-witness.h
helper/lfn-json.h
helper/lfn-link-addresses.h
helper/lfn-multicast-tree-topology.h
helper/lfn-multicast-tree.h
helper/lfn-output-folder.h
helper/lfn-parking-lot-topology.h
helper/lfn-path-monitor.h
helper/lfn-point-to-point-link.h
helper/lfn-point-to-point-topology.h
helper/lfn-run-recorder.h
helper/lfn-scenario.h
helper/lfn-star-topology.h
helper/lfn-strict-checkers.h
helper/lfn-topology-file.h
helper/lfn-topology-routes.h
helper/lfn-topology-rows.h
helper/lfn-topology.h
helper/lfn-transport.h
helper/lfn-values.h
helper/lfn-version.h
helper/parallel-tcp-helper.h
helper/parallel-tcp-transport.h
helper/rbudp-helper.h
helper/rbudp-transport.h
helper/tcp-transport.h
helper/udp-transport.h
helper/vrp-helper.h
helper/vrp-message-log.h
helper/vrp-transport.h
helper/xcp-experiment.h
helper/xcp-helper.h
helper/xcp-port-monitor.h
helper/xcp-transport.h
model/atou/atou-client.h
model/atou/atou-config.h
model/atou/atou-congestion.h
model/atou/atou-epoch.h
model/atou/atou-header.h
model/atou/atou-high-speed-table.h
model/atou/atou-native-congestion.h
model/atou/atou-newreno-recovery.h
model/atou/atou-options.h
model/atou/atou-output.h
model/atou/atou-receiver-core.h
model/atou/atou-recovery.h
model/atou/atou-response.h
model/atou/atou-sack-recovery.h
model/atou/atou-scoreboard.h
model/atou/atou-sender-core.h
model/atou/atou-server.h
model/atou/atou-slow-start.h
model/atou/atou-state.h
model/atou/atou-statistics.h
model/atou/atou-tcp-congestion.h
model/atou/atou-text.h
model/atou/atou-timer.h
model/atou/atou-vegas.h
model/fec/fec-header.h
model/fec/fec-receiver-core.h
model/fec/fec-sender-core.h
model/fec/fec-udp-sink.h
model/fec/fec-udp-source.h
model/jrm/jrm-adaptive-timeout.h
model/jrm/jrm-header.h
model/jrm/jrm-leaky-bucket.h
model/jrm/jrm-message-source.h
model/jrm/jrm-peer.h
model/jrm/jrm-receiver-core.h
model/jrm/jrm-sender-core.h
model/parallel/parallel-header.h
model/parallel/parallel-receiver-core.h
model/parallel/parallel-sender-core.h
model/parallel/parallel-tcp-sink.h
model/parallel/parallel-tcp-source.h
model/path/lfn-error-model-list.h
model/path/lfn-gilbert-elliott-error-model.h
model/path/lfn-host-cost.h
model/path/lfn-host-queue.h
model/path/lfn-ip-packet-filter.h
model/path/lfn-jitter-channel.h
model/path/lfn-policer.h
model/path/lfn-reordering-channel.h
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
model/transfer/lfn-big-endian.h
model/transfer/lfn-drop-reason.h
model/transfer/lfn-fast-settings.h
model/transfer/lfn-listen-address.h
model/transfer/lfn-make-socket.h
model/transfer/lfn-pacer.h
model/transfer/lfn-pattern-payload.h
model/transfer/lfn-tcp-congestion.h
model/transfer/lfn-tcp-sink.h
model/transfer/lfn-tcp-source.h
model/transfer/lfn-transfer-application.h
model/transfer/lfn-transfer-report.h
model/transfer/lfn-udp-endpoint.h
model/transfer/lfn-udp-sink.h
model/transfer/lfn-udp-source.h
model/transfer/lfn-wording.h
model/vrp/vrp-anticipating-window.h
model/vrp/vrp-basic-window.h
model/vrp/vrp-block-table.h
model/vrp/vrp-frame-header.h
model/vrp/vrp-frame-source.h
model/vrp/vrp-frame.h
model/vrp/vrp-header-packet.h
model/vrp/vrp-header.h
model/vrp/vrp-incoming-frame.h
model/vrp/vrp-outgoing-frame.h
model/vrp/vrp-ping.h
model/vrp/vrp-receive-window.h
model/vrp/vrp-received-frame.h
model/vrp/vrp-receiver.h
model/vrp/vrp-reply.h
model/vrp/vrp-rtt-estimator.h
model/vrp/vrp-sender-core.h
model/vrp/vrp-sender.h
model/vrp/vrp-tolerance.h
model/xcp/tcp-xcp.h
model/xcp/xcp-adaptive-drop-law.h
model/xcp/xcp-bloom-estimator.h
model/xcp/xcp-controller.h
model/xcp/xcp-drop-law.h
model/xcp/xcp-exact-estimator.h
model/xcp/xcp-flow-count-estimator.h
model/xcp/xcp-flow-table.h
model/xcp/xcp-header.h
model/xcp/xcp-l4-protocol.h
model/xcp/xcp-multiplicative-drop-law.h
model/xcp/xcp-packet-view.h
model/xcp/xcp-port.h
model/xcp/xcp-queue-disc.h
model/xcp/xcp-rtt-timer.h
model/xcp/xcp-sender-core.h
model/xcp/xcp-socket-factory.h
model/xcp/xcp-socket-finder.h
model/xcp/xcp-sred-estimator.h
model/xcp/xcp-tcp-fairness.h
model/xcp/xcp-tcp-start.h
model/xcp/xcp-tcp-wrr-queue-disc.h
model/xcp/xcp-teardown.h
""".split()

TESTS = """
test/atou-config-test-suite.cc
test/atou-congestion-test-suite.cc
test/atou-core-test-suite.cc
test/atou-hostile-test-suite.cc
test/atou-property-test-suite.cc
test/atou-receiver-test-suite.cc
test/atou-sack-test-suite.cc
test/atou-system-test-suite.cc
test/atou-tcp-congestion-test-suite.cc
test/atou-wire-test-suite.cc
test/fec-core-test-suite.cc
test/fec-system-test-suite.cc
test/jrm-adaptive-test-suite.cc
test/jrm-attack-test-suite.cc
test/jrm-bounds-test-suite.cc
test/jrm-bucket-test-suite.cc
test/jrm-core-test-suite.cc
test/jrm-fault-test-suite.cc
test/jrm-hostile-test-suite.cc
test/jrm-many-test-suite.cc
test/jrm-return-test-suite.cc
test/jrm-session-test-suite.cc
test/jrm-system-test-suite.cc
test/jrm-wire-test-suite.cc
test/lfn-command-line-test-suite.cc
test/lfn-dumbbell-test-suite.cc
test/lfn-flags-test-suite.cc
test/lfn-jitter-test-suite.cc
test/lfn-loss-test-suite.cc
test/lfn-multicast-test-suite.cc
test/lfn-path-test-suite.cc
test/lfn-policer-test-suite.cc
test/lfn-recorder-test-suite.cc
test/lfn-reordering-test-suite.cc
test/lfn-scenario-test-suite.cc
test/lfn-streams-test-suite.cc
test/lfn-tcp-system-test-suite.cc
test/lfn-topologies-test-suite.cc
test/lfn-topology-file-test-suite.cc
test/lfn-transfer-system-test-suite.cc
test/lfn-transfer-test-suite.cc
test/lfn-transport-names-test-suite.cc
test/lfn-transports-test-suite.cc
test/parallel-core-test-suite.cc
test/parallel-system-test-suite.cc
test/rbudp-core-test-suite.cc
test/rbudp-fault-test-suite.cc
test/rbudp-hostile-test-suite.cc
test/rbudp-payload-test-suite.cc
test/rbudp-system-test-suite.cc
test/rbudp-wire-test-suite.cc
test/vrp-attack-test-suite.cc
test/vrp-basic-test-suite.cc
test/vrp-core-test-suite.cc
test/vrp-fault-test-suite.cc
test/vrp-guarantee-test-suite.cc
test/vrp-hostile-test-suite.cc
test/vrp-many-test-suite.cc
test/vrp-options-test-suite.cc
test/vrp-outgoing-frame-test-suite.cc
test/vrp-outgoing-fuzz-test-suite.cc
test/vrp-rtt-test-suite.cc
test/vrp-system-test-suite.cc
test/vrp-wire-test-suite.cc
test/xcp-controller-test-suite.cc
test/xcp-disturbance-test-suite.cc
test/xcp-drop-law-test-suite.cc
test/xcp-estimators-test-suite.cc
test/xcp-fairness-test-suite.cc
test/xcp-flows-test-suite.cc
test/xcp-host-test-suite.cc
test/xcp-hostile-test-suite.cc
test/xcp-ipv6-test-suite.cc
test/xcp-liar-test-suite.cc
test/xcp-options-test-suite.cc
test/xcp-queue-test-suite.cc
test/xcp-robust-test-suite.cc
test/xcp-sender-test-suite.cc
test/xcp-sred-test-suite.cc
test/xcp-streams-test-suite.cc
test/xcp-system-test-suite.cc
test/xcp-teardown-test-suite.cc
test/xcp-wire-test-suite.cc
test/xcp-wrr-test-suite.cc
""".split()

EXAMPLES = """
examples/atou-transfer.cc
examples/fec-example.cc
examples/jrm-session.cc
examples/lfn-bench-baseline.cc
examples/parallel-tcp-example.cc
examples/rbudp-example.cc
examples/rbudp-streaming.cc
examples/rbudp-transfer.cc
examples/transport-comparison.cc
examples/vrp-example.cc
examples/vrp-transfer.cc
examples/xcp-tcp-fairness.cc
""".split()

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

REST = []  # what follows a bare "--" is for Snakemake

top = "."
out = Context.out_dir or os.path.abspath("build-sanitize" if "--sanitize" in sys.argv else "build")
Context.top_dir, Context.out_dir = Context.run_dir, out
Options.lockfile = os.path.join(out, ".lock-waf")  # in the build folder only: two may coexist
Configure.autoconfig = "clobber"  # an edited wscript configures again with the earlier options


class Quiet(logging.Filter):
    """Drops waf's chatter and sends the rest to stderr: stdout is for a program's output."""

    def filter(self, record):
        record.stream = sys.stderr
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
    add("--only", metavar="ID", default="", help="figures: one; test: a suite, suites or python")
    add("--full", action="store_true", help="figures: the paper's durations and enough runs")
    add("--tiny", action="store_true", help="figures: the smallest preset, as CI runs it")
    add("--campaign", metavar="DIR", default="", help="figures: your own, in a folder anywhere")
    add("--budget", metavar="TIME", default="", help="figures: run what fits into it, as in 30min")
    add("--cluster", metavar="NAME", default="", help="figures: on slurm or kubernetes")
    add("--plan", action="store_true", help="figures: print what there is to do and stop")
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


def configure(conf):
    for path in [".waf-tools/requirements/ns3.txt", *Path(".waf-tools").glob("*.py")]:
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
        flags += [*checks, "-O1", "-g", "-fno-omit-frame-pointer"]
        link += checks
        env.SANITIZED = True
    else:
        link += ["-Wl,--build-id=none", "-Wl,--no-undefined"]
    env.CXXFLAGS = flags + env.CXXFLAGS
    env.LINKFLAGS = link + env.LINKFLAGS
    versions = [f'LFN_NS3_VERSION="{ns3.version}"', f'LFN_VERSION="{VERSION}"']
    env.DEFINES_NS3 = ns3.macros + versions
    env.LIB_NS3 = ns3.libraries
    env.RPATH_LFN = ["$ORIGIN/.."]
    if str(ns3.includes) != "/usr/include":
        env.CXXFLAGS_NS3 = ["-isystem", str(ns3.includes)]
        env.LIBPATH_NS3 = [str(ns3.libdir)]
        # Through a link, so that the bytes do not tell where ns-3 is installed.
        through = Path(out, "ns3-libraries")
        through.unlink(missing_ok=True)
        inside = ns3.libdir.is_relative_to(home)
        through.symlink_to(os.path.relpath(ns3.libdir, out) if inside else ns3.libdir)
        env.RPATH_NS3 = ["$ORIGIN/ns3-libraries", "$ORIGIN/../ns3-libraries"]
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
    for task in getattr(self, "compiled_tasks", []):
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
    listed = [*SOURCES, *HEADERS, *TESTS, *EXAMPLES]
    if missing := [path for path in listed if not Path(Context.run_dir, path).exists()]:
        die(f"wscript lists what is not there: {' '.join(missing)}")
    flatten_headers()
    flat = bld.bldnode.make_node("include")
    for name in [*map(os.path.basename, HEADERS), "lfn-module.h"]:
        flat.make_node(["ns3", name])  # lets gccdeps recognise them
    bld.shlib(target="lfn", source=SOURCES, includes=[flat], use="NS3")
    programs = {Path(example).stem: [example] for example in EXAMPLES}
    if bld.env.SANITIZED:  # only the suites are of interest there, and it compiles slowly
        programs.clear()
    programs["lfn-test-runner"] = ["test/lfn-test-runner.cc", *TESTS]
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


def run(ctx):
    commands.run(out, Options.options.run, Context.launch_dir)


def test(ctx):
    opts = Options.options
    commands.test(out, opts.only, opts.jobs, with_python=not opts.sanitize)


def figures(ctx):
    opts = Options.options
    preset = "full" if opts.full else "tiny" if opts.tiny else "quick"
    commands.figures(out, preset, opts, REST, Context.launch_dir)


def bench(ctx):
    commands.bench(out)


def lint(ctx):
    commands.lint(Options.options.fix)


def lint_all(ctx):
    env = ConfigSet.ConfigSet(os.path.join(out, "c4che", "_cache.py"))
    commands.lint_all(env, out, Options.options.jobs)


def docs(ctx):
    commands.docs(out)


class Clean(Context.Context):
    cmd = fun = "clean"

    def execute(self):
        shutil.rmtree(out, ignore_errors=True)


class DistClean(Clean):
    cmd = fun = "distclean"

    def execute(self):
        super().execute()
        shutil.rmtree(sys.prefix, ignore_errors=True)
