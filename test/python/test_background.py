# SPDX-License-Identifier: GPL-2.0-only
"""Cross traffic, --background, of every kind in every program."""

import project
import pytest
from project import NETWORK, PROGRAMS, all_topologies, refuse, rows

KINDS = ["web[Rate=1Mbps|Direction=both]", "onoff[Rate=200kbps]", "http[Clients=3]", "tcp[Flows=2]"]


def background(folder, kind):
    """Rows of background.csv of a kind."""
    return [row for row in rows(folder, "background") if row["kind"] == kind]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_kind_in_every_program(tmp_path, program):
    own = [flag for flag in PROGRAMS[program] if not flag.startswith("--duration=")]
    flags = [*own, "--duration=20s", f"--background={','.join(KINDS)}"]
    result = project.run(program, tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    assert {row["kind"] for row in rows(tmp_path, "background")} == {"web", "onoff", "http", "tcp"}
    web = background(tmp_path, "web")
    assert [row["direction"] for row in web] == 5 * ["forward"] + 5 * ["reverse"]
    for first in (0, 5):
        for column in ("flows", "completed", "offered_bytes", "delivered_bytes"):
            parts = [int(row[column]) for row in web[first + 1 : first + 5]]
            assert sum(parts) == int(web[first][column]), column


@pytest.mark.parametrize("ip", ["4", "6"])
def test_the_offered_load_is_what_was_asked_for(tmp_path, ip):
    """Of 100 Mb/s: the web with sizes that vary little, bursts by their mean rate."""
    web = "web[Load=0.3|Direction=both|Sizes=lognormal|Sigma=0.3|MeanSize=4000]"
    bursts = "onoff[Load=0.1|OnTime=10ms|OffTime=30ms|Direction=reverse]"
    flags = ["--transport=udp", "--sendRate=8kbps", "--bytes=0", "--duration=20s"]
    flags += [f"--background={web},{bursts}", "--ns3::lfn::WebSource::TimeWait=200ms"]
    result = project.run("transport-comparison", tmp_path, *flags, f"--ipVersion={ip}")
    assert result.returncode == 0, result.stderr
    every = [row for row in rows(tmp_path, "background") if row["size_class"] == "all"]
    rates = [8 * int(row["offered_bytes"]) / 20 for row in every]
    assert rates == pytest.approx([30e6, 30e6, 10e6], rel=0.02)
    for row in every[:2]:
        assert int(row["completed"]) > 0.99 * int(row["flows"])
        assert float(row["completion_p50_s"]) >= 0.03, "a handshake and the data: 1.5 RTT"
        assert float(row["completion_p50_s"]) <= float(row["completion_p95_s"])


RATE = 10e6
"""Of the first bottleneck of each topology below, bit/s."""
TOPOLOGIES = all_topologies(
    {
        "path": "PointToPointTopology[LinkRate=10Mbps]",
        "dumbbell": "DumbbellTopology[LinkRate=10Mbps]",
        "parking lot": "ParkingLotTopology[LinkRate=10Mbps]",
        "star": "StarTopology[LinkRate=10Mbps]",
        "tree": "MulticastTreeTopology[LinkRate=10Mbps]",
        "file": "FileTopology[File=network.csv]",
        "csma": "CsmaTopology[LinkRate=10Mbps]",
        "wifi": "WifiTopology",
    }
)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_every_topology_has_the_load(tmp_path, topology):
    """A rate and a fraction, in both directions: what is offered, as near as its law says."""
    seconds, size = 6, 500
    (tmp_path / "network.csv").write_text(NETWORK)
    own = "Direction=both|Sizes=lognormal|Sigma=0"
    kinds = [
        f"web[Rate=800kbps|MeanSize={size}|{own}]",
        f"web[Load=0.04|MeanSize={size}|{own}]",
        "onoff[Rate=300kbps|OnTime=2ms|OffTime=2ms|PacketSize=100|Direction=both]",
    ]
    flags = [f"--topology=ns3::lfn::{TOPOLOGIES[topology]}", f"--background={','.join(kinds)}"]
    flags += ["--transport=udp", "--bytes=0", "--sendRate=8kbps", f"--duration={seconds}s"]
    flags.append("--ns3::lfn::WebSource::TimeWait=200ms")  # few sockets wait
    result = project.run("transport-comparison", tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    every = [row for row in rows(tmp_path, "background") if row["size_class"] == "all"]
    assert [row["direction"] for row in every] == 3 * ["forward", "reverse"]
    span = seconds - float(rows(tmp_path)[0]["application_start_s"])
    share = 0.04 * RATE
    if topology == "wifi":  # what its packets leave of 54 Mb/s is the topology's own account
        share = 8 * int(every[2]["offered_bytes"]) / span
        assert 0.4 < share / 0.04 / 54e6 < 0.8
    for row, rate in zip(every, [800e3, 800e3, share, share, 300e3, 300e3], strict=True):
        offered = 8 * int(row["offered_bytes"]) / span
        # Four standard deviations: of a Poisson number of flows, or of bursts and their pauses.
        cycles = rate * span / (8 * size) if row["kind"] == "web" else 2 * span / 0.004
        assert offered == pytest.approx(rate, rel=4 * cycles**-0.5), row
        least = 0.5 if topology == "wifi" else 0.8  # small packets of both ends fill the air
        assert int(row["delivered_bytes"]) > least * int(row["offered_bytes"]), row


def test_streams_are_its_own(tmp_path):
    """The transports do not move its arrivals, and it does not move what else is random."""
    found = []
    for transport in ("tcp", "vrp"):
        folder = tmp_path / transport
        folder.mkdir()
        flags = [f"--transport={transport}", "--bytes=0", "--duration=5s", "--background=web"]
        assert project.run("transport-comparison", folder, *flags).returncode == 0
        (row,) = [row for row in rows(folder, "background") if row["size_class"] == "all"]
        found.append((row["flows"], row["offered_bytes"]))
    assert found[0] == found[1]
    silent = "web[Rate=1bps],onoff[Rate=1bps]"
    flags = ["--transport=tcp[Congestion=ns3::TcpBbr],vrp", "--bytes=2MB", "--lossRate=0.01"]
    flags.append("--topology=ns3::lfn::PointToPointTopology[Jitter=1ms|LinkRate=20Mbps]")
    tables = [
        project.tables_of("transport-comparison", tmp_path / name, *flags, *more)[-1]
        for name, more in (("without", []), ("with", [f"--background={silent}"]))
    ]
    assert tables[0] == tables[1]


def test_endless_flows_of_several_congestion_controls(tmp_path):
    kinds = "tcp[Flows=2|Congestion=ns3::TcpBbr],tcp"
    flags = ["--transport=tcp", "--bytes=1MB", f"--background={kinds}"]
    assert project.run("transport-comparison", tmp_path, *flags).returncode == 0
    assert [row["variant"] for row in rows(tmp_path)] == [
        "Congestion=ns3::TcpCubic",
        "cross",
        "cross",
        "cross",
    ]
    found = rows(tmp_path, "background")
    assert [(row["background"], row["flows"]) for row in found] == [("0", "2"), ("1", "1")]
    assert all(int(row["delivered_bytes"]) > 0 for row in found)


@pytest.mark.parametrize(
    ("program", "flags", "part"),
    [
        ("rbudp-transfer", ["--background=wbe"], "there is no background wbe, give http, "),
        ("rbudp-transfer", ["--background=web[Load=2"], "--background="),
        ("rbudp-transfer", ["--background=web[Load=-1]"], "web: "),
        ("rbudp-transfer", ["--background=web[Load=1|Rate=1Mbps]"], "give Load or Rate, not both"),
        ("rbudp-transfer", ["--background=web[MeanSize=1e8]"], "make MeanSize smaller"),
        ("rbudp-transfer", ["--background=web[Direction=up]"], "web: "),
        ("rbudp-transfer", ["--background=tcp[Flows=0]"], "tcp: "),
        ("rbudp-transfer", ["--background=tcp[Flows=1001]"], "make Flows at most 1000"),
        ("vrp-transfer", ["--background=tcp[Congestion=ns3::TcpTahoe]"], "give one of ns3::TcpBbr"),
        ("rbudp-transfer", ["--background=" + ",".join(10 * ["web"])], "name 9 kinds at most"),
        ("rbudp-transfer", ["--protocol=udp", "--background=web"], "give --duration as well"),
        ("jrm-session", ["--background=web"], "give --duration as well"),
        ("rbudp-transfer", ["--live=receiver", "--duration=1s", "--background=web"], "both ends"),
    ],
)
def test_refuses(tmp_path, program, flags, part):
    refuse(program, tmp_path, *flags, part=part)
