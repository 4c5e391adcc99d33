# SPDX-License-Identifier: GPL-2.0-only
"""./waf bench: the programs take every line that it runs, and what it makes of their results."""

import csv
import subprocess
import sys

import pytest
from project import BUILD, HOME

import bench
from lfn import bench_rows, counting
from lfn.counting import Line

STUB = """\
#!/bin/sh
[ $1 != --packets=0 ] || exit 1
echo $1 >>"{folder}/journal"
for word; do out=${{word#--outputDir=}}; done
mkdir "$out"
printf 'flow,delivered_bytes\\n0,%s00\\n1,%s00\\n' ${{1#*=}} ${{1#*=}} >"$out/summary.csv"
"""
# Counts 1000 for start-up, and PER_BYTE hundredths of an instruction per user byte.
VALGRIND = """\
#!/bin/sh
for word; do
    case $word in
        --log-file=*) log=${word#*=} ;;
        --bytes=*) bytes=${word#*=} ;;
        --outputDir=*) out=${word#*=} ;;
    esac
done
mkdir "$out"
printf 'delivered_bytes\\n%s\\n' $bytes >"$out/summary.csv"
printf '==1==\\n==1== I   refs:      %s,%03d\\n' $((1 + bytes * PER_BYTE / 100000)) 0 >"$log"
"""
ROW = "vrp, link, IPv4"


def lines():
    """Return every line that there is, those of ns-2 aside."""
    sides = [*bench_rows.by_instructions(), *bench_rows.by_time()]
    found = [line for one in sides for line in (one.ours, one.theirs)]
    found += [line for growth in bench_rows.growing() for line in growth.lines.values()]
    found += [*bench_rows.counted(quick=False).values(), *bench_rows.peers().values()]
    return list(dict.fromkeys(found))


def test_every_line_is_taken():
    """All flags and values are good, up to a folder that nobody can write to."""
    every = lines()
    assert len(every) >= 100
    for line in every:
        program, *flags = line.words(line.large)
        command = [BUILD / "bin" / program, *flags, "--outputDir=/dev/null/none"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert result.returncode == 1
        assert result.stderr.startswith(f"{program}: --outputDir=/dev/null/none: "), flags
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "flag",
    ["--application=ftp", "--bytes=-5", "--bytes=0", "--packetSize=0", "--rate=0bps", "--speed=1"],
)
def test_values_that_make_no_transfer_are_refused(flag):
    command = [BUILD / "bin" / "lfn-bench-peers", flag]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"lfn-bench-peers: {flag}: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("ipv6", ["false", "true"])
def test_peers_deliver_over_every_chain(tmp_path, ipv6):
    for routers in bench_rows.ROUTERS.values():
        for application in bench_rows.APPLICATIONS:
            flags = [f"--application={application}", f"--routers={routers}", f"--ipv6={ipv6}"]
            command = [BUILD / "bin" / "lfn-bench-peers", *flags, "--bytes=140000"]
            subprocess.run([*command, f"--outputDir={tmp_path}"], check=True, timeout=60)
            assert counting.delivered(tmp_path) == 140_000, flags


def test_rows_are_all_transports_on_three_topologies_over_both_versions():
    rows = bench_rows.counted(quick=False)
    assert len(rows) == 10 * 3 * 2
    quick = bench_rows.counted(quick=True)
    assert len(quick) == 10 * 4
    assert quick.items() <= rows.items()


def test_stored_counts_are_of_all_rows_and_of_one_environment():
    stored = counting.read_stored(bench.STORED)
    assert list(stored) == list(bench_rows.counted(quick=False))
    assert len({where for _, where in stored.values()}) == 1


def test_ci_installs_what_the_bench_needs():
    text = (HOME / ".ci" / "run").read_text()
    assert "tshark valgrind" in text
    assert "part bench ./waf bench --quick" in text


@pytest.fixture(name="build")
def folder_with_a_stub(tmp_path):
    """A build folder with a program that delivers in two flows what --packets=N says."""
    stub = tmp_path / "bin" / "stub"
    stub.parent.mkdir()
    stub.write_text(STUB.format(folder=tmp_path))
    stub.chmod(0o755)
    return tmp_path


def stub_line(packets):
    """Return a line of the stub."""
    return Line("stub", ("--packets={n}",), 1, packets, 100)


def test_a_cost_is_of_all_flows(build):
    cost = bench.measure(build, stub_line(6))
    assert cost.packets == 2 * 600 / 100
    assert cost.seconds > 0
    assert cost.per_packet == pytest.approx(1e9 * cost.seconds / 12)
    assert cost.memory > 2**19  # Linux counts what the test holds at the fork, too
    with pytest.raises(SystemExit, match="bench: failed: .*/stub --packets=0 --outputDir="):
        bench.measure(build, stub_line(0))


def test_sides_are_compared_in_turn(build):
    """A thousandth of the packets in the same time: each costs a thousand times as much."""
    one = bench_rows.Comparison("a / b", stub_line(1), stub_line(1000), 1.5)
    row = bench.time_row(build, one, 3)
    journal = (build / "journal").read_text().split()
    assert journal == ["--packets=1000", "--packets=1"] * 3
    assert (row["compared"], row["goal_ratio"], row["pairs"]) == ("a / b", 1.5, 3)
    assert 100 < row["lowest_ratio"] <= row["ratio"] <= row["highest_ratio"] < 10_000
    assert row["ns_per_packet"] > 50 * row["baseline_ns_per_packet"]
    assert row["peak_MiB"] > 0.5
    (miss,) = bench.missed([row], "compared", "ratio", "goal_ratio")
    assert miss == f"a / b: ratio {row['ratio']} is above its goal, 1.5"


def test_memory_is_held_against_its_goal():
    rows = [{"transfer": "a", "above_first_MiB": above, "goal_MiB": 1} for above in (0.9, 1.1)]
    assert bench.missed(rows, "transfer", "above_first_MiB", "goal_MiB") == [
        "a: above_first_MiB 1.1 is above its goal, 1"
    ]


@pytest.fixture(name="judge")
def bench_with_a_stub_of_valgrind(tmp_path, monkeypatch):
    """A function: instructions per user byte and flags to (status, stdout, stderr) of the bench."""
    build, tools = tmp_path / "build", tmp_path / "tools"
    for folder in (build / "bin", build / "c4che", tools):
        folder.mkdir(parents=True)
    (build / "bin" / "transport-comparison").touch()
    cache = BUILD / "c4che" / "_cache.py"
    (build / "c4che" / "_cache.py").write_text(cache.read_text())

    def run(per_byte, *flags):
        tool = tools / "valgrind"
        tool.write_text(VALGRIND.replace("PER_BYTE", str(round(100 * per_byte))))
        tool.chmod(0o755)
        monkeypatch.setenv("PATH", str(tools), prepend=":")
        command = [sys.executable, HOME / "analysis" / "bench.py", f"--build={build}"]
        command += [f"--counts={tmp_path / 'counts.csv'}", *flags]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert "Traceback" not in result.stderr
        return result.returncode, result.stdout, result.stderr

    return run


def test_a_slower_row_fails(judge, tmp_path):
    """A row that costs 3 % more than what is stored fails; 1 % more does not, nor does less."""
    assert judge(50, "--renew", f"--only={ROW}")[0] == 0
    here = counting.environment(BUILD)
    table = counting.read_stored(tmp_path / "counts.csv")
    assert table == {ROW: (50 * bench_rows.PACKET, here)}
    only = ("--quick", f"--only={ROW}")
    assert judge(50.5, *only)[0] == 0
    status, out, errors = judge(51.5, *only)
    assert status == 1
    assert errors.splitlines()[-1] == (
        f"bench: {ROW}: 72100 instructions per packet, stored 70000 (+3.0%): remove the cost, "
        "or run ./waf bench --renew and give the reason in the commit"
    )
    assert out.endswith("1 missed\n")
    status, out, _ = judge(48, *only)
    assert status == 0
    assert f"bench: {ROW}: 67200 instructions per packet, stored 70000 (-4.0%)" in out
    with (tmp_path / "build" / "bench" / "counts.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row == {
        "row": ROW,
        "instructions_per_packet": "67200",
        "stored_instructions_per_packet": "70000",
    }


def test_a_row_without_a_stored_count_fails(judge):
    status, _, errors = judge(50, "--quick", f"--only={ROW}")
    assert status == 1
    assert f"bench: {ROW}: no stored count: run ./waf bench --renew\n" in errors


def test_counts_of_another_environment_are_skipped(judge, tmp_path):
    """Status 77, which .ci/run counts as skipped, with one line that says both."""
    judge(50, "--renew", f"--only={ROW}")
    path = tmp_path / "counts.csv"
    path.write_text(path.read_text().replace(",3.", ",2."))
    status, _, errors = judge(99, "--quick", f"--only={ROW}")
    assert status == bench.SKIPPED
    last = errors.splitlines()[-1]
    assert last.startswith("bench: stored counts hold for cachegrind 2.")
    assert last.endswith(f"; this is {' '.join(counting.environment(BUILD))}: not judged")


def test_a_renewal_keeps_other_rows_and_drops_what_is_no_row(judge, tmp_path):
    path = tmp_path / "counts.csv"
    judge(40, "--renew", "--only=xcp, link, IPv6")
    path.write_text(path.read_text() + path.read_text().splitlines()[1].replace("link", "ring"))
    judge(50, "--renew", f"--only={ROW}")
    assert {row: value for row, (value, _) in counting.read_stored(path).items()} == {
        ROW: 50 * bench_rows.PACKET,
        "xcp, link, IPv6": 40 * bench_rows.PACKET,
    }


def test_missing_valgrind_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    command = [sys.executable, HOME / "analysis" / "bench.py", f"--build={BUILD}", "--quick"]
    result = subprocess.run(command, capture_output=True, text=True)
    expected = "bench: valgrind is missing, which counts instructions: apt install valgrind\n"
    assert (result.returncode, result.stderr) == (1, expected)


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (
            ["--quick", "--renew"],
            "bench.py: --quick and --renew exclude each other: a renewal stores all",
        ),
        (["--pairs=0"], "bench.py: --pairs=0: give at least 1"),
        (["--jobs=-1"], "bench.py: --jobs=-1: give a number of jobs, or 0 for one per core"),
        (["--quick", "--only=x25"], "bench: --only=x25: no row has this in its name"),
        (["--build=/none", "--quick"], "bench: /none/bin/transport-comparison: no such program"),
        (["--fast"], "bench.py: unrecognized arguments: --fast"),
    ],
)
def test_flags_that_make_no_sense_are_refused(flags, reason):
    command = [sys.executable, HOME / "analysis" / "bench.py", f"--build={BUILD}", *flags]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith(reason)
    assert result.stderr.count("\n") == 1
