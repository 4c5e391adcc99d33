# SPDX-License-Identifier: GPL-2.0-only
"""The program jrm-session: what it refuses, and that equal runs are equal."""

import functools
import json

import project
import pytest
from project import refuse, rows, tables_of

PROGRAM = "jrm-session"
run = functools.partial(project.run, PROGRAM)


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--senders=0"], "--senders=0: "),
        (["--senders=501"], "--senders=501: "),
        (["--receivers=-1"], "--receivers=-1: "),
        (["--receivers=0"], "--receivers=0: give a second participant"),
        (["--groups=0"], "--groups=0: "),
        (["--messages=1e3"], "--messages=1e3: "),
        (["--messages=0"], "--messages=0: give --duration as well"),
        (["--messages=1000000000", "--messageRate=1"], "ten years"),
        (["--messageRate=0"], "--messageRate=0: "),
        (["--messageRate=30Hz"], "--messageRate=30Hz: "),
        (["--messagePackets=65536"], "--messagePackets=65536: "),
        (["--packetSize=0"], "--packetSize=0: "),
        (["--packetSize=65488"], "--packetSize=65488: "),
        (["--errorRate=1.1"], "--errorRate=1.1: "),
        (["--errorRate=30%"], "--errorRate=30%: "),
        (["--receiverErrorRate=-0.1"], "--receiverErrorRate=-0.1: "),
        (["--recvTimeout=0s"], "--recvTimeout=0s: "),
        (["--nackTimeout=50"], "--nackTimeout=50: the unit is missing"),
        (["--nackBackoff=0.5"], "--nackBackoff=0.5: "),
        (["--maxNackAttempts=0"], "--maxNackAttempts=0: "),
        (
            ["--maxNackAttempts=100", "--nackTimeout=100d"],
            "--maxNackAttempts=100: a message would be asked for",
        ),
        (["--sendTimeout=0s"], "--sendTimeout=0s: "),
        (["--maxNackAttempts=1000001"], "--maxNackAttempts=1000001: "),
        (["--nackBackoff=1001"], "--nackBackoff=1001: "),
        (
            ["--messagePackets=2", "--ns3::lfn::JrmMessageSource::MessageSize=2000"],
            "--messagePackets=2: the size of a message is given",
        ),
        (
            ["--packetSize=1", "--ns3::lfn::JrmMessageSource::MessageSize=65536"],
            "MessageSize=65536: these are too many packets",
        ),
        (["--groupSize=10"], "--groupSize=10: goes with --suppression only"),
        (["--bucketDepth=1kB"], "--bucketDepth=1kB: goes with --bucketRate only"),
        (["--bucketCountsRepairs"], "goes with --bucketRate only"),
        (["--warmup=2s", "--duration=2s"], "--warmup=2s: make it shorter than --duration"),
        (["--topology=ns3::lfn::StarTopology[Hosts=1]"], "Hosts"),
        (["--topology=ns3::lfn::StarTopology[Hosts=4]", "--senders=5"], "it names 4 hosts"),
        (["--topology=ns3::lfn::StarTopology", "--rtt=1ms"], "--topology describes the path"),
        (["--sender=2"], "did you mean --senders?"),
        (["20"], "20"),
    ],
)
def test_refuses(tmp_path, flags, part):
    refuse(PROGRAM, tmp_path, *flags, part=part)


def test_short_retention_is_warned_of(tmp_path):
    for adaptive, longest in (([], "22"), (["--adaptive=false", "--grtt=false"], "11.17")):
        result = run(tmp_path, "--sendTimeout=1s", "--messages=3", *adaptive)
        assert result.returncode == 0
        assert result.stderr.startswith("jrm-session: --sendTimeout=1s: ")
        assert f"for {longest} s" in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "flag",
    ["heartbeat=3650d", "recvTimeout=365d", "rtt=365d", "messageRate=0.00001", "bucketRate=1bps"],
)
def test_years_are_soon_over(tmp_path, flag):
    """The end is looked for ever more rarely, and sums of times do not overflow."""
    result = run(tmp_path, f"--{flag}")
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert row["messages_complete"] == "1000"
    assert float(row["finish_s"]) > 5e6


COMPARISON = ["--transport=jrm", "--bytes=10kB"]


@pytest.mark.parametrize("name", ["Adaptive", "Grtt"])
@pytest.mark.parametrize(
    ("program", "words", "value"),
    [
        (PROGRAM, ["--messages=3"], "true"),
        (PROGRAM, ["--messages=3", "--{flag}=false"], "false"),
        ("transport-comparison", COMPARISON, "true"),
        ("transport-comparison", [*COMPARISON, "--ns3::lfn::JrmPeer::{name}=false"], "false"),
        ("transport-comparison", ["--transport=jrm[{name}=false]", "--bytes=10kB"], "false"),
    ],
)
def test_one_default_in_every_program(tmp_path, name, program, words, value):
    """The default of the Attribute, which is kept in one place, rules unless somebody objects."""
    words = [word.format(name=name, flag=name.lower()) for word in words]
    result = project.run(program, tmp_path, *words, "--attributes")
    assert result.returncode == 0, result.stderr
    found = {
        row["value"]
        for row in rows(tmp_path, "attributes")
        if (row["class"], row["attribute"]) == ("ns3::lfn::JrmPeer", name)
    }
    assert found == {value}


def test_what_follows_from_flags_is_reported(tmp_path):
    """The longest repair of 11.17 s, ten messages and an RTT; all participants."""
    fixed = ["--adaptive=false", "--grtt=false"]
    assert run(tmp_path, "--receivers=3", "--messages=3", *fixed).returncode == 0
    flags = json.loads((tmp_path / "here/run.json").read_text())["flags"]
    assert flags["sendTimeout"].startswith("11503533333")
    assert flags["groupSize"] == "4"


def test_a_message_may_end_within_a_packet(tmp_path):
    result = run(tmp_path, "--ns3::lfn::JrmMessageSource::MessageSize=1500", "--messages=10")
    assert (result.returncode, result.stderr) == (0, "")
    (row,) = rows(tmp_path)
    assert (row["msg_packets"], row["delivered_bytes"], row["completed"]) == ("20", "15000", "1")


MANY = ["--senders=4", "--receivers=0", "--messages=100", "--heartbeat=100ms", "--groups=2"]
LOSSY = ["--errorRate=0.2", "--receiverErrorRate=0.1", "--messagePackets=3", "--checkContent"]
WINDOW = ["--messages=0", "--duration=5s", "--warmup=2s", "--receivers=3", "--seriesInterval=1s"]


@pytest.mark.parametrize("flags", [[*MANY, *LOSSY], [*WINDOW, *LOSSY, "--suppression=20ms"]])
def test_equal_runs_are_equal(tmp_path, flags):
    one = tables_of(PROGRAM, tmp_path / "one", *flags, "--RngRun=5")
    assert one == tables_of(PROGRAM, tmp_path / "two", *flags, "--RngRun=5")
    assert one != tables_of(PROGRAM, tmp_path / "three", *flags, "--RngRun=6")


def test_many_to_many_is_complete(tmp_path):
    result = run(tmp_path, *MANY, *LOSSY)
    assert result.returncode == 0, result.stderr
    for row in rows(tmp_path):
        assert row["completed"] == "1"
        assert row["failure"] == ""
        assert row["messages_complete"] == "300"
        assert int(row["duplicates"]) > 0


def test_window_counts_what_was_sent_after_the_warmup(tmp_path):
    result = run(tmp_path, *WINDOW)
    assert result.returncode == 0, result.stderr
    (row,) = rows(tmp_path)
    assert row["window_messages_complete"] == "90"
    assert row["window_s"] == "3"
    assert row["messages_complete"] == "450"


@pytest.mark.parametrize(
    ("topology", "flags"),
    [
        ("StarTopology[Hosts=6|Senders=3]", ["--senders=2", "--receivers=2"]),
        ("StarTopology[Hosts=4|Senders=4]", ["--senders=4", "--receivers=0"]),
        ("PointToPointTopology[Rtt=40ms]", ["--senders=2", "--receivers=0"]),
    ],
)
def test_topology(tmp_path, topology, flags):
    result = run(tmp_path, f"--topology=ns3::lfn::{topology}", "--messages=20", *flags)
    assert result.returncode == 0, result.stderr
    assert [row["completed"] for row in rows(tmp_path)] == ["1"] * int(flags[0][-1])
