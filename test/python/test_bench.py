# SPDX-License-Identifier: GPL-2.0-only
"""./waf bench: the programs take every line that it runs, and what it makes of their results."""

import subprocess

import pytest
from project import BUILD

import bench

STUB = """\
#!/bin/sh
[ $1 != --packets=0 ] || exit 1
echo $1 >>"{folder}/journal"
for word; do out=${{word#--outputDir=}}; done
mkdir "$out"
printf 'flow,delivered_bytes\\n0,%s00\\n1,%s00\\n' ${{1#*=}} ${{1#*=}} >"$out/summary.csv"
"""


def lines(monkeypatch):
    """Return every command line, program first, those of growth as well."""
    found = [side for one in bench.comparisons("1MB") for side in (one.ours, one.theirs)]

    def collect(_build, grown, _packet):
        found.extend(grown.values())
        return [{"": ""}]

    with monkeypatch.context() as patch:
        patch.setattr(bench, "growth", collect)
        bench.grow(BUILD, long=True)
    return list(dict.fromkeys(found))


def test_every_line_is_taken(monkeypatch):
    """All flags and values are good, up to a folder that nobody can write to."""
    every = lines(monkeypatch)
    assert len(every) >= 50
    for program, *flags in every:
        command = [BUILD / "bin" / program, *flags, "--outputDir=/dev/null/none"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert result.returncode == 1
        assert result.stderr.startswith(f"{program}: --outputDir=/dev/null/none: "), flags
        assert result.stderr.count("\n") == 1


@pytest.fixture(name="build")
def folder_with_a_stub(tmp_path):
    """A build folder with a program that delivers in two flows what --packets=N says."""
    stub = tmp_path / "bin" / "stub"
    stub.parent.mkdir()
    stub.write_text(STUB.format(folder=tmp_path))
    stub.chmod(0o755)
    return tmp_path


def test_a_cost_is_of_all_flows(build):
    cost = bench.measure(build, 50, "stub", "--packets=6")
    assert cost.packets == 2 * 600 / 50
    assert cost.seconds > 0
    assert cost.per_packet == pytest.approx(1e9 * cost.seconds / 24)
    assert cost.memory > 2**19  # Linux counts what the test holds at the fork, too
    with pytest.raises(SystemExit, match="bench: failed: .*/stub --packets=0 --outputDir="):
        bench.measure(build, 50, "stub", "--packets=0")


def test_sides_are_compared_in_turn(build):
    """A thousandth of the packets in the same time: each costs a thousand times as much."""
    one = bench.Comparison("a / b", ("stub", "--packets=1"), ("stub", "--packets=1000"), 100, 1.5)
    row = bench.compare(build, one, 3)
    journal = (build / "journal").read_text().split()
    assert journal == ["--packets=1000", "--packets=1"] * 3
    assert (row["compared"], row["goal"], row["pairs"]) == ("a / b", 1.5, 3)
    assert 100 < row["lowest"] <= row["ratio"] <= row["highest"] < 10_000
    assert row["ns_a_packet"] > 50 * row["baseline_ns_a_packet"]
    assert row["peak_MiB"] > 0.5
