# SPDX-License-Identifier: GPL-2.0-only
"""Every Attribute on the command line has effect or is refused; a flag is its Attribute."""

import csv
import os
import re
import subprocess
from collections import defaultdict

import pytest
from project import BUILD, PROGRAMS

TYPE_IDS = {
    "SocketType": "ns3::TcpCubic",
    "RecoveryType": "ns3::TcpClassicRecovery",
    "SocketFactory": "ns3::TcpSocketFactory",
}
SECONDS = 120
OWN = ("ns3::lfn::", "ns3::TcpSocket", "ns3::TcpL4Protocol", "ns3::UdpSocket", "ns3::PointToPoint")
"""The classes that a user would set; all others of ns-3 go the same way."""


def other(value, kind):
    """Return a value of an Attribute that is not the one it has; None where that is no text."""
    if kind.startswith("unset or "):
        kind = kind.removeprefix("unset or ")
        if value == "unset":
            number = re.fullmatch(r"(?:u?int\d+_t|double) ([^:]+):.*", kind)
            value = number[1] if number else "0ns" if kind.startswith("Time") else "false"
    if kind == "bool":
        return "false" if value == "true" else "true"
    if re.fullmatch(r"\w+(\|\w+)+", kind):
        return next(word for word in kind.split("|") if word != value)
    if found := re.fullmatch(r"u?int\d+_t (-?\d+):(-?\d+)", kind):
        if value == "0":  # a size of 1 would make a hundred thousand packets of a short run
            return str(min(1000, int(found[2])))
        return str(int(value) + 1 if int(value) < int(found[2]) else int(value) - 1)
    if found := re.fullmatch(r"double (\S+):(\S+)", kind):
        middle = (float(value) + max(float(found[1]), -1e3)) / 2
        higher = (float(value) + min(float(found[2]), 1e3)) / 2
        return f"{middle if middle != float(value) else higher:g}"
    if kind.startswith("Time"):
        return f"{int(float(value.removesuffix('ns'))) + 1_000_000}ns"
    if "DataRate" in kind:
        return f"{int(value.removesuffix('bps')) // 2 or 1_000_000}bps"
    if "QueueSize" in kind:
        number, unit = re.fullmatch(r"([\d.]+)(p|B|BDP)", value).groups()
        return f"{int(number) + 1}{unit}"
    if kind == "std::string":
        return value + "x"
    return None


def same(text, value, kind):
    """Whether an installed object has the value given as text."""
    kind = kind.removeprefix("unset or ")
    if kind.startswith("Time"):
        seconds = [float(word.removesuffix("ns")) for word in (text, value)]
        return seconds[0] == pytest.approx(seconds[1], rel=1e-5)
    if kind.startswith("double"):
        return float(text) == pytest.approx(float(value), rel=1e-5)
    return text == value


def run(program, *words, folder):
    """Run a program; the folder must be there after status 0 and only then."""
    command = [BUILD / "bin" / program, *words, f"--outputDir={folder}"]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL
    )
    if result.returncode:
        lines = result.stderr.splitlines()
        assert result.returncode == 1, (words, result.stderr)
        assert len(lines) == 1 and lines[0].startswith(f"{program}: --"), (words, lines)
        assert not folder.exists(), words
    return result


def installed(folder):
    """Return what a run had: {(class, attribute): ({values}, type)}."""
    found = defaultdict(lambda: (set(), []))
    with open(folder / "attributes.csv", newline="") as stream:
        for row in csv.DictReader(stream):
            values, kinds = found[row["class"], row["attribute"]]
            values.add(row["value"])
            kinds.append(row["type"])
    return {key: (values, kinds[0]) for key, (values, kinds) in found.items()}


def bound(program):
    """Return the flags that are Attributes: {flag: [Attributes]}."""
    text = subprocess.check_output([BUILD / "bin" / program, "--PrintHelp"], text=True)
    flags = re.findall(r"^ *--(\w+):? (.*?)(?=^ *--|\Z)", text, re.M | re.S)
    return {
        name: re.findall(r"ns3::[\w:]+::\w+", found[1])
        for name, help in flags
        if (found := re.search(r"\[(ns3::[^\]]*)\]", help))
    }


TCP_OF_NS3 = "--ns3::lfn::TcpTransport::SocketFactory=ns3::TcpSocketFactory"
SHORT_XCP = ["--duration=300ms", "--tcpFlows=1", "--startSpread=0", "--bottleneckRate=10Mbps"]
CASES = [
    ("rbudp-transfer", PROGRAMS["rbudp-transfer"]),
    ("rbudp-transfer", ["--protocol=tcp", "--bytes=200kB"]),
    ("rbudp-streaming", PROGRAMS["rbudp-streaming"]),
    ("rbudp-streaming", [*PROGRAMS["rbudp-streaming"], "--control=tcp"]),
    ("jrm-session", PROGRAMS["jrm-session"]),
    ("jrm-session", ["--receivers=2", "--messages=20", "--suppression=5ms", "--bucketRate=1Mbps"]),
    ("vrp-transfer", PROGRAMS["vrp-transfer"]),
    ("vrp-transfer", ["--bytes=100kB", "--flows=2", "--background=tcp", "--probeSize=1kB"]),
    ("atou-transfer", PROGRAMS["atou-transfer"]),
    ("atou-transfer", ["--protocol=tcp", "--options=maxpkts 100; rcvrwin 50"]),
    ("udt-transfer", PROGRAMS["udt-transfer"]),
    ("transport-comparison", PROGRAMS["transport-comparison"]),
    ("transport-comparison", ["--transport=jrm,xcp", "--bytes=50kB"]),
    ("xcp-tcp-fairness", ["--mechanism=gated", *SHORT_XCP]),
    ("xcp-tcp-fairness", ["--mechanism=adaptive", "--ecn", "--estimator=bloom", *SHORT_XCP]),
    ("xcp-tcp-fairness", ["--mechanism=wrr", "--xcpAccess", "--udpRate=1Mbps", *SHORT_XCP]),
]
"""Programs with the flags of a short run."""

EXTENSIVE = "LFN_EXTENSIVE" in os.environ
TRIED = set()
"""Attributes that were set in an earlier case: all programs hand them on in the same way."""


@pytest.fixture(params=CASES, ids=lambda case: " ".join([case[0], *case[1][:1]]))
def case(request, tmp_path):
    """A program, a short run of it, and what that run had."""
    program, words = request.param
    words = [*words, "--attributes"]
    assert run(program, *words, folder=tmp_path / "first").returncode == 0
    return program, words, installed(tmp_path / "first")


def test_attributes_take_effect_or_are_refused(case, tmp_path):
    program, words, has = case
    wrong, tried = [], 0
    for number, ((owner, name), (values, kind)) in enumerate(has.items()):
        value = TYPE_IDS.get(name) if kind == "TypeId" else other(sorted(values)[0], kind)
        if value is None or not owner.startswith(OWN):
            continue
        tried += 1
        if (owner, name) in TRIED and not EXTENSIVE:
            continue
        TRIED.add((owner, name))
        folder = tmp_path / str(number)
        given = f"--{owner}::{name}={value}"
        result = run(program, *words, given, folder=folder)
        if result.returncode == 0:
            now = installed(folder).get((owner, name), (set(), ""))[0]
            if not now or not all(same(text, value, kind) for text in now):
                wrong.append((given, sorted(now)))
    assert tried > 20
    assert wrong == []


OF_NS3 = {
    "ns3::TcpSocket::RcvBufSize": "345678",
    "ns3::TcpSocket::SndBufSize": "345678",
    "ns3::TcpSocket::SegmentSize": "789",
    "ns3::TcpSocket::DelAckTimeout": "77ms",
    "ns3::TcpSocketBase::MinRto": "333ms",
    "ns3::TcpSocketBase::ClockGranularity": "333ms",
    "ns3::UdpSocket::RcvBufSize": "345678",
    "ns3::PointToPointNetDevice::DataRate": "7Mbps",
    "ns3::PointToPointNetDevice::Mtu": "1555",
    "ns3::PointToPointChannel::Delay": "44ms",
    "ns3::DropTailQueue<Packet>::MaxSize": "777p",
    "ns3::Application::StartTime": "1s",
}
"""Attributes of ns-3's classes that programs set themselves."""


@pytest.mark.parametrize("program, words", CASES, ids=lambda value: str(value)[:40])
def test_a_refused_attribute_of_ns3_names_what_works(program, words, tmp_path):
    tried = 0
    for number, (name, value) in enumerate(OF_NS3.items()):
        refused = run(program, *words, f"--{name}={value}", folder=tmp_path / f"{number} refused")
        instead = re.findall(r"(?:: give| or) --([\w:]+)", refused.stderr)
        if not refused.returncode or not instead:
            continue
        tried += 1
        if (name, *instead) in TRIED and not EXTENSIVE:
            continue
        TRIED.add((name, *instead))
        # Twice the propagation delay of one way.
        length = "88ms" if name.endswith("Delay") else value
        more = [f"--{argument}={length}" for argument in instead]
        given = [word for word in words if word.split("=")[0] not in str(more)]
        folder = tmp_path / str(number)
        result = run(program, *given, *more, "--attributes", folder=folder)
        assert result.returncode == 0, result.stderr
        owner, _, attribute = name.rpartition("::")
        values, kind = installed(folder).get((owner, attribute), (set(), ""))
        if kind.startswith("Time"):
            value = f"{float(re.sub('[a-z]', '', value)) * (1 if value[-2] != 'm' else 1e6)}ns"
        if "Rate" in kind:
            value = "7000000bps"
        if attribute not in ("StartTime", "Delay"):
            assert any(same(text, value, kind) for text in values), (name, more, values)
    assert tried >= 4


@pytest.mark.parametrize(
    "program, words, attribute, instead",
    [
        (
            "transport-comparison",
            ["--transport=tcp"],
            "TcpSocket::RcvBufSize",
            "give --ns3::lfn::TcpSink::RcvBufSize",
        ),
        ("vrp-transfer", ["--protocol=tcp"], "TcpSocket::SndBufSize", "give --tcpWindow"),
        ("rbudp-transfer", [], "TcpSocket::SegmentSize", "leave it out"),
        (
            "rbudp-transfer",
            ["--topology=ns3::lfn::StarTopology"],
            "PointToPointNetDevice::Mtu",
            "give --ns3::lfn::StarTopology::Mtu",
        ),
    ],
)
def test_what_to_give_instead(program, words, attribute, instead, tmp_path):
    words = [*words, "--bytes=100kB", f"--ns3::{attribute}=999"]
    result = run(program, *words, folder=tmp_path / "run")
    assert result.returncode == 1
    assert result.stderr.endswith(f": {instead}\n")


FAULTS = ("ns3::lfn::LongFatTcpSocket", "Ns3Faults")


@pytest.mark.parametrize(
    "program, words",
    [
        ("transport-comparison", ["--transport=udp,tcp", "--bytes=50kB", "--sendRate=5Mbps"]),
        ("rbudp-transfer", ["--bytes=50kB"]),
        ("xcp-tcp-fairness", SHORT_XCP),
        ("atou-transfer", ["--protocol=tcp", "--options=maxpkts 100; rcvrwin 50"]),
    ],
)
def test_what_sockets_have_can_be_set(program, words, tmp_path):
    given = f"--{'::'.join(FAULTS)}=true"
    result = run(program, *words, given, "--attributes", folder=tmp_path / "run")
    assert result.returncode == 0, result.stderr
    assert installed(tmp_path / "run")[FAULTS][0] == {"true"}


@pytest.mark.parametrize(
    "program, words",
    [
        ("transport-comparison", ["--transport=udp", "--bytes=50kB", "--sendRate=5Mbps"]),
        ("rbudp-transfer", ["--bytes=50kB", "--control=ideal"]),
        ("transport-comparison", ["--transport=tcp", "--bytes=50kB", TCP_OF_NS3]),
    ],
)
def test_what_no_socket_has_is_refused(program, words, tmp_path):
    result = run(program, *words, f"--{'::'.join(FAULTS)}=true", folder=tmp_path / "run")
    assert result.returncode == 1
    assert "there is no ns3::lfn::LongFatTcpSocket in this run" in result.stderr


@pytest.mark.parametrize("name", ["GilbertElliottErrorModel::GoodToBad", "Policer::Rate"])
def test_error_models_that_are_not_there_are_refused(name, tmp_path):
    value = "1Mbps" if name.endswith("Rate") else "0.5"
    words = [*PROGRAMS["rbudp-transfer"], f"--ns3::lfn::{name}={value}"]
    result = run("rbudp-transfer", *words, folder=tmp_path / "run")
    assert result.returncode == 1
    assert f"there is no ns3::lfn::{name.split('::')[0]} in this run" in result.stderr


def test_error_models_of_a_list_are_there(tmp_path):
    """Two on one device: the policer and what --lossRate asks for."""
    words = [*PROGRAMS["atou-transfer"], "--policer=50Mbps", "--lossRate=0.01", "--lossBurst=3"]
    more = ["--ns3::lfn::GilbertElliottErrorModel::LossInBad=0.9", "--attributes"]
    result = run("atou-transfer", *words, *more, folder=tmp_path / "run")
    assert result.returncode == 0, result.stderr
    has = installed(tmp_path / "run")
    assert has["ns3::lfn::GilbertElliottErrorModel", "LossInBad"][0] == {"0.9"}
    assert has["ns3::lfn::Policer", "Rate"][0] == {"50000000bps"}


def test_switched_off_models_lose_nothing(tmp_path):
    words = [*PROGRAMS["rbudp-transfer"], "--dropData=3,5", "--lossRate=0.1", "--lossBurst=2"]
    off = "--ns3::ErrorModel::IsEnabled=false"
    for more, lost in (([], True), ([off], False)):
        folder = tmp_path / str(lost)
        result = run("rbudp-transfer", *words, *more, folder=folder)
        assert result.returncode == 0, result.stderr
        with open(folder / "summary.csv", newline="") as stream:
            (row,) = csv.DictReader(stream)
        assert (int(row["retransmitted_packets"]) > 0) == lost


def test_a_flag_is_its_attribute(case, tmp_path):
    program, words, has = case
    taken = {word.removeprefix("--").partition("=")[0] for word in words}
    wrong, tried = [], 0
    for flag, attributes in bound(program).items():
        there = [a for a in attributes if tuple(a.rsplit("::", 1)) in has]
        if flag in taken or not there:
            continue
        values, kind = has[tuple(there[0].rsplit("::", 1))]
        value = other(sorted(values)[0], kind)
        text = re.sub(r"(?<!^)(?=[A-Z])", "-", value).lower() if "|" in kind else value
        by_flag = run(program, *words, f"--{flag}={text}", folder=tmp_path / f"{flag}-flag")
        own = [f"--{attribute}={value}" for attribute in there]
        by_name = run(program, *words, *own, folder=tmp_path / f"{flag}-name")
        tried += 1
        if by_flag.returncode != by_name.returncode:
            wrong.append((flag, by_flag.stderr, by_name.stderr))
        elif by_flag.returncode == 0:
            tables = [
                (tmp_path / f"{flag}-{way}" / "summary.csv").read_bytes()
                for way in ("flag", "name")
            ]
            if tables[0] != tables[1]:
                wrong.append((flag, "another summary.csv"))
        third = other(value, kind)
        both = run(
            program,
            *words,
            f"--{flag}={text}",
            f"--{there[0]}={third}",
            folder=tmp_path / f"{flag}-both",
        )
        if both.returncode != 1:
            wrong.append((flag, value, third, "both are taken"))
    assert tried > 0
    assert wrong == []
