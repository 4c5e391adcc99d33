# SPDX-License-Identifier: GPL-2.0-only
"""Logs: every component of ours can be enabled in every program, and changes no result."""

import os
import re
import subprocess

import pytest
from project import BUILD, HOME, PROGRAMS, build_settings, run, tables_of

SOURCES = [path for part in ("model", "helper") for path in sorted((HOME / part).rglob("*.[ch]*"))]
DEFINED = re.compile(r'(?:NS_LOG_COMPONENT_DEFINE|LogComponent g_\w+)\("(\w+)"')
OURS = sorted(name for path in SOURCES for name in DEFINED.findall(path.read_text()))
ALL = ":".join(f"{name}=level_all|prefix_all" for name in OURS)
HAS_LOGS = "NS3_LOG_ENABLE" in build_settings()["DEFINES_NS3"]
TCP = {"TcpSource", "TcpSink", "LongFatTcpSocket", "LongFatTcpSocketFactory"}
PROTOCOLS = {
    "rbudp-transfer": {"RbudpSender", "RbudpReceiver", "RbudpTcpControl", "LongFatTcpSocket"},
    "rbudp-streaming": {"RbudpSender", "RbudpReceiver", "RbudpObjectStream"},
    "vrp-transfer": {"VrpSender", "VrpReceiver", "VrpFrameSource", "VrpRttEstimator"},
    "jrm-session": {"JrmPeer", "JrmMessageSource"},
    "atou-transfer": {"AtouClient", "AtouServer"},
    "transport-comparison": TCP
    | {"FecUdpSource", "FecUdpSink", "ParallelTcpSource", "ParallelTcpSink", "UdpSource"}
    | {"UdpSink", "HostQueue", "UdpTransport", "AtouTransport", "Transport", "UdtTransport"},
    "udt-transfer": {"UdtSource", "UdtSink"},
    "xcp-tcp-fairness": TCP
    | {"XcpQueueDisc", "XcpController", "XcpL4Protocol", "TcpXcp", "XcpTcpFairness"}
    | {"XcpSredEstimator", "XcpSocketFactory", "DumbbellTopology"},
}
MORE = {
    "transport-comparison": ["--receiverHost=constant"],
    "xcp-tcp-fairness": ["--mechanism=persistent"],
}
COMMON = {"Scenario", "TransferApplication", "TransportTopology"}
EXAMPLES = sorted(path.stem for path in HOME.glob("examples/*-example.cc"))

needs_logs = pytest.mark.skipif(not HAS_LOGS, reason="this ns-3 was built without logs")


def logging(text):
    """Return the environment with NS_LOG."""
    return os.environ | {"NS_LOG": text}


def who_printed(text):
    """Return the components whose lines are in a log."""
    return set(re.findall(r"(?:^| )(\w+):~?\w+\(", text, re.M))


def test_a_component_is_defined_once():
    assert len(OURS) == len(set(OURS)) > 60


@needs_logs
@pytest.mark.parametrize("program", PROGRAMS)
def test_logs_change_no_result(program, tmp_path):
    flags = [*PROGRAMS[program], "--lossRate=0.02", *MORE.get(program, [])]
    plain = tables_of(program, tmp_path / "plain", *flags)
    folder = tmp_path / "logged"
    folder.mkdir()
    result = run(program, folder, *flags, env=logging(ALL))
    assert result.returncode == 0, result.stderr[-1000:]
    assert [path.read_bytes() for path in sorted((folder / "here").glob("*.csv"))] == plain
    assert PROTOCOLS[program] | COMMON <= who_printed(result.stderr)


@needs_logs
@pytest.mark.parametrize("program", EXAMPLES)
def test_examples_log(program, tmp_path):
    how = {"cwd": tmp_path, "text": True, "capture_output": True, "timeout": 120}
    plain, logged = (
        subprocess.run(BUILD / "bin" / program, env=env, **how)
        for env in (os.environ, logging(ALL.replace("level_all", "info|warn")))
    )
    assert (plain.returncode, logged.returncode) == (0, 0), logged.stderr[-1000:]
    assert logged.stdout == plain.stdout
    assert "TransferApplication" in who_printed(logged.stderr)


@needs_logs
def test_the_sender_draws_the_time_diagram(tmp_path):
    flags = ["--bytes=14500", "--lossRate=0.2"]
    env = logging("RbudpSender=level_all|prefix_all")
    lines = run("rbudp-transfer", tmp_path, *flags, env=env).stderr.splitlines()
    steps = [found[1] for line in lines if (found := re.search(r"\] ([A-D]): ", line))]
    assert steps == ["A", "B", "D"] * (len(steps) // 3)
    assert len(steps) > 3, "a loss"
    assert all(re.match(r"\+\d+\.\d{9}s 0 RbudpSender:", line) for line in lines[:-2])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("JrmPeer:jrm-session", "NS_LOG=jrm-session: there is no such log component"),
        ("RbudpSendr", "did you mean RbudpSender?"),
        ("JrmPeer=infos", "NS_LOG=infos: there is no such log level, did you mean info?"),
    ],
)
def test_an_unknown_name_is_one_line(text, part, tmp_path):
    result = run("jrm-session", tmp_path, env=logging(text))
    assert result.returncode == 1
    assert result.stderr.count("\n") == (1 if HAS_LOGS else 2)
    assert part in result.stderr
    assert "\nJrmPeer=" in result.stdout
    assert not (tmp_path / "here").exists()
