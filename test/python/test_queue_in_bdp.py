# SPDX-License-Identifier: GPL-2.0-only
"""Queue=0.5BDP: a queue as a multiple of the path's bandwidth-delay product, on every topology."""

import csv
import json

import pytest
from project import refuse, rows, run

PROGRAM = "transport-comparison"
SHORT = ["--transport=udp", "--bytes=20kB", "--attributes"]
MTU_AND_HEADER = 1540
FILE = """\
kind,a,b,rate,delay,queue
node,a,sender
node,b,receiver
node,r
node,s
link,a,r,80Mbps,5ms
link,r,s,8Mbps,5ms
link,s,b,8Mbps,10ms,7p
"""
# Topology: (settings without Queue, BDP of each of its queues of point-to-point devices).
TOPOLOGIES = {
    "PointToPoint": ("LinkRate=100Mbps|Rtt=20ms", {250_000}),
    "Dumbbell": ("LinkRate=80Mbps|Pairs=2|Rtts=10ms,30ms", {300_000}),
    "ParkingLot": ("LinkRate=80Mbps|Rtt=40ms", {400_000}),
    "Star": ("LinkRate=80Mbps|Rtt=40ms|Hosts=3", {400_000}),
    "MulticastTree": ("LinkRate=80Mbps|Rtt=40ms", {400_000}),
    "Csma": ("LinkRate=10Gbps|Rtt=10us|Hosts=3", {12_500}),
    "Wifi": ("LinkRate=80Mbps|Rtt=40ms", {400_000}),
}


def sizes(folder):
    """Return the sizes of all drop-tail queues of devices that a run had."""
    with (folder / "here" / "attributes.csv").open(newline="") as file:
        return {
            row["value"]
            for row in csv.DictReader(file)
            if row["attribute"] == "MaxSize" and "/DeviceList/" in row["path"]
        }


@pytest.mark.parametrize("name", TOPOLOGIES)
@pytest.mark.parametrize("multiple", ["0.5", "2"])
def test_each_topology_has_the_multiple(name, multiple, tmp_path):
    settings, products = TOPOLOGIES[name]
    topology = f"--topology=ns3::lfn::{name}Topology[{settings}|Queue={multiple}BDP]"
    result = run(PROGRAM, tmp_path, topology, *SHORT)
    assert result.returncode == 0, result.stderr
    wanted = {f"{int(float(multiple) * product)}B" for product in products}
    assert wanted <= sizes(tmp_path), sizes(tmp_path)
    assert rows(tmp_path)[0]["completed"] == "1"


def test_a_file_takes_the_rate_of_each_device_and_the_longest_rtt(tmp_path):
    (tmp_path / "net.csv").write_text(FILE)
    topology = "--topology=ns3::lfn::FileTopology[File=net.csv|Queue=1BDP]"
    result = run(PROGRAM, tmp_path, topology, *SHORT)
    assert result.returncode == 0, result.stderr
    assert sizes(tmp_path) == {"400000B", "40000B", "7p"}


def test_the_flag_of_a_program_and_a_least_of_one_packet(tmp_path):
    words = ["--queue=0.5BDP", "--linkRate=10Mbps", "--rtt=100us", *SHORT]
    assert run(PROGRAM, tmp_path, *words).returncode == 0
    assert f"{MTU_AND_HEADER}B" in sizes(tmp_path)


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("0BDP", "--queue=0BDP: give a positive queue size in packets, bytes or BDP"),
        ("-1BDP", "--queue=-1BDP: "),
        ("BDP", "--queue=BDP: "),
        ("1bdp", "there is no unit bdp"),
        ("1e9BDP", "it is more than a queue can have, 4294967295B: give less"),
        ("100", "p, or with B for bytes, or BDP"),
    ],
)
def test_what_is_no_queue_is_refused(value, part, tmp_path):
    refuse(PROGRAM, tmp_path, f"--queue={value}", part=part)


def test_a_path_without_delay_has_no_product(tmp_path):
    part = "there is no bandwidth-delay product, give packets or bytes"
    refuse(PROGRAM, tmp_path, "--queue=1BDP", "--rtt=0s", part=part)
    refuse(PROGRAM, tmp_path, "--topology=ns3::lfn::StarTopology[Rtt=0s|Queue=1BDP]", part=part)


def test_the_run_file_has_no_number_of_a_multiple(tmp_path):
    assert run(PROGRAM, tmp_path, "--queue=0.5BDP", *SHORT).returncode == 0
    document = json.loads((tmp_path / "here" / "run.json").read_text())
    assert document["flags"]["queue"] == "0.5BDP"
    assert "queue" not in document["values"]
