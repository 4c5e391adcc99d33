# SPDX-License-Identifier: GPL-2.0-only
"""The program vrp-transfer: its warning of fragments, and what lost answers do to frames."""

import functools

import project
import pytest
from project import rows

PROGRAM = "vrp-transfer"
run = functools.partial(project.run, PROGRAM)

MANY = ["--bytes=140MB", "--frameSize=140MB", "--linkRate=10Gbps", "--rtt=1ms", "--windowSize=1024"]
"""68 360 packets of 2 kB within 30 s."""


@pytest.mark.parametrize(
    ("flags", "warned"),
    [
        (["--lossRate=0.0005"], True),
        (["--lossRate=0.0005", "--fitMtu"], False),
        (["--lossRate=0.0005", "--mtu=9000"], False),
        (["--lossRate=0"], False),
        (["--lossRate=0.0005", "--ns3::Ipv4L3Protocol::FragmentExpirationTimeout=1ms"], False),
    ],
)
def test_numbers_of_fragments_that_came_round_are_warned_of(tmp_path, flags, warned):
    result = run(tmp_path, *MANY, *flags)
    assert result.returncode == 0
    lines = [line for line in result.stderr.splitlines() if "fragmented packets within" in line]
    assert len(lines) == len(result.stderr.splitlines()) == int(warned)
    (row,) = rows(tmp_path)
    assert row["completed"] == "1"


@pytest.mark.parametrize("size", ["1kB", "1MB"])
def test_frames_arrive_where_answers_are_lost(tmp_path, size):
    result = run(
        tmp_path,
        *["--bytes=2MB", f"--frameSize={size}", "--lossRate=0.1", "--reverseLoss"],
    )
    assert result.returncode == 0
    (row,) = rows(tmp_path)
    assert (row["frames_failed"], row["delivered_bytes"]) == ("0", "2000000")
