# SPDX-License-Identifier: GPL-2.0-only
"""The comparison with measurements of the original programs, on cases that are made up."""

import gzip
import sys

import numpy as np
import pandas as pd
import pytest

from compare_atou import main
from lfn import atou_originals as originals
from lfn import emulator

EMULATOR = """rate_bps 45000000 (both directions)
overhead_bytes_per_ip_packet 2
one_way_delay_ms 30.5 (rtt 61)
queue_pkts forward 50 reverse 10000
extra {extra}
server_options {server}

rep 1 (attempts 1): tunpath
  dir A->B rx 10 late_mean_us 1.3 late_max_us 200
  dir B->A rx 10 late_mean_us 1.3 late_max_us 300
rep 2 (attempts 1): tunpath
  dir A->B rx 10 late_mean_us 1.3 late_max_us 9000
"""

CLIENT = """node0 => node1 12.5 Mbs win 20 rxmts {rxmts}
pkts in 4  out 4  enobufs 0
rxmts {rxmts} dup3s 1 packs 0 timeouts 0  dups 3 badacks 0 maxack 1 maxburst 2
minrtt  0.061 maxrtt 0.07 avrgrtt 0.065
"""
SERVER = "dups 0 drop|oo 1 sacks 0 seglen 1472 maxseg 3 maxooo 1 acktimeouts 0\n"
TRACE = "0.000000 1 xmt\n0.000000 2 xmt\n0.061000 2 0.061000  2 20 ack\n0.061000 3 xmt\n"

MEASURED = {
    "goodput_Mbps": 12.55,
    "rxmts": 1,
    "timeouts": 0,
    "dup3s": 1,
    "packs": 0,
    "dups": 3,
    "acks_in": 4,
    "srv_maxooo": 1,
    "max_cwnd": 2,
    "minrtt_s": 0.0611,
    "avgrtt_s": 0.0651,
}


def make_case(folder, name="one", extra="none", server="-b 4000000 -s"):
    """Make the folder of a case and return it."""
    case = folder / "atou" / name
    case.mkdir(parents=True)
    (case / "config").write_text("rcvrwin 20\nmaxpkts 4\n")
    (case / "emulator.txt").write_text(EMULATOR.format(extra=extra, server=server))
    with gzip.open(case / "trace_rep1.csv.gz", "wt") as stream:
        stream.write("time_s,event,segment,rtt_s,cwnd,ssthresh,sack\n0.0,xmt,1,,,,\n")
        stream.write("0.0001,xmt,2,,,,\n0.061,ack,2,0.061,2,20,\n0.0611,xmt,3,,,,\n")
    rows = [{"case": name, "rep": rep, **MEASURED} for rep in ("1", "2", "mean")]
    pd.DataFrame(rows).to_csv(folder / "atou.csv", index=False)
    return case


def make_program(folder, rxmts):
    """Make a program that writes what atou-transfer would, and return it."""
    program = folder / "program"
    program.write_text(
        f"#!{sys.executable}\nimport pathlib, sys\n"
        "out = pathlib.Path(sys.argv[-1].partition('=')[2])\nout.mkdir(parents=True)\n"
        f"(out / 'client.summary').write_text({CLIENT.format(rxmts=rxmts)!r})\n"
        f"(out / 'server.summary').write_text({SERVER!r})\n"
        f"(out / 'client.trace').write_text({TRACE!r})\n"
    )
    program.chmod(0o755)
    return program


def test_a_path_becomes_flags(tmp_path):
    case = originals.read_case(make_case(tmp_path))
    assert case.flags == (
        "--linkRate=45000000bps",
        "--rtt=61ms",
        "--queue=50p",
        "--holeLimit=1024",
        "--ns3::lfn::AtouServer::RcvBufSize=8000000",
        "--serverSack",
    )
    assert case.kind == "exact"
    assert case.late == pytest.approx(0.0005)


@pytest.mark.parametrize(
    ("extra", "flag", "numbers"),
    [
        ("-l 0.005 -f udp -m 1000", "dropData", emulator.lost(2, 0.005, originals.PACKETS)),
        ("-m 1000 -e 300:6", "reorderData", emulator.held(2, 1 / 300, 6, originals.PACKETS)),
    ],
)
def test_losses_and_reordering_are_the_repetitions_own(tmp_path, extra, flag, numbers):
    case = originals.read_case(make_case(tmp_path, extra=extra, server=""))
    assert case.kind == "pattern"
    assert ("--reorderBy=6" in case.flags) == (flag == "reorderData")
    runs = originals.commands(case, "program", tmp_path, 3)
    assert len(runs) == 3
    assert f"--{flag}=" + ",".join(map(str, numbers)) in runs[1][0]


def test_delayed_acks_run_with_phases(tmp_path):
    case = originals.read_case(make_case(tmp_path, server="-b 4000000 -d 200"))
    runs = originals.commands(case, "program", tmp_path, 3)
    assert "--ackDelay=200ms" in runs[0][0]
    phases = [word for words, _ in runs for word in words if "HeartbeatPhase" in word]
    assert len(set(phases)) == originals.PHASES
    assert phases[1].endswith("=10000us")


def test_what_has_no_flag_is_refused(tmp_path):
    with pytest.raises(originals.CaseError, match="extra -x"):
        originals.read_case(make_case(tmp_path, extra="-x 3"))


def test_losses_and_reordering_at_once_are_refused(tmp_path):
    with pytest.raises(originals.CaseError, match="-l and -e"):
        originals.read_case(make_case(tmp_path, extra="-l 0.1 -e 300:6"))


@pytest.mark.parametrize(
    ("kind", "agrees"), [("exact", False), ("phase", True), ("pattern", False)]
)
def test_what_a_range_has_to_hold(kind, agrees):
    measured = pd.DataFrame([MEASURED, MEASURED])
    ours = [{**MEASURED, "dups": 3}, {**MEASURED, "dups": 9}]
    if kind == "exact":
        ours = ours[1:]
    table = originals.compare(kind, measured, ours).set_index("column")
    assert table.loc["dups", "agrees"] == agrees
    assert table.drop("dups")["agrees"].all()


def test_traces_part_where_the_order_does():
    first = pd.DataFrame({"time_s": [0.0, 0.1, 0.2], "segment": [1, 2, 3]})
    second = first.assign(time_s=[0.0, 0.102, 0.2], segment=[1, 2, 2])
    alike, apart = originals.compare_sent(first, second)
    assert alike == 2
    assert np.allclose(apart, [0.0, 0.002])


@pytest.mark.parametrize(("rxmts", "status"), [(1, 0), (2, 2)])
def test_the_table_names_what_differs(tmp_path, monkeypatch, capsys, rxmts, status):
    monkeypatch.setattr(originals, "SEGMENTS", 3)
    make_case(tmp_path)
    program = make_program(tmp_path, rxmts)
    assert main([str(tmp_path), f"--program={program}"]) == status
    told = capsys.readouterr().out
    assert ("rxmts 1 ours 2" in told) == (status == 2)
    assert f"{1 - status // 2} of 1 cases agree" in told


def test_an_unknown_case_is_named(tmp_path):
    make_case(tmp_path)
    with pytest.raises(SystemExit, match="--only two: there are one"):
        main([str(tmp_path), "--only", "two"])
