# SPDX-License-Identifier: GPL-2.0-only
"""The comparison with measurements of the original programs, on cases that are made up."""

import re
import sys

import numpy as np
import pandas as pd
import pytest

from compare_atou import ORIGINALS, main
from lfn import atou_originals as originals
from lfn import emulator

FLAGS = "--linkRate=45000000bps --rtt=61ms --queue=50p"

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


def make_case(folder, name="one", **changed):
    """Write the files of one case into a folder, and return the case."""
    row = {"case": name, "kind": "exact", "flags": FLAGS, "options": "rcvrwin 20; maxpkts 4"}
    row |= {"late_s": 0.0005, "loss": 0.0, "hold": 0.0, "passed": 0} | changed
    pd.DataFrame([row]).to_csv(folder / "atou-cases.csv", index=False)
    sent = {f"{name}.time_s": [0.0, 0.0001, 0.0611], f"{name}.segment": [1, 2, 3]}
    pd.DataFrame(sent).to_csv(folder / "atou-sent.csv", index=False)
    rows = [{"case": name, "rep": rep, **MEASURED} for rep in (1, 2)]
    pd.DataFrame(rows).to_csv(folder / "atou.csv", index=False)
    return originals.read_cases(folder)[name]


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


def test_a_case_becomes_a_command(tmp_path):
    case = make_case(tmp_path)
    [(words, folder)] = originals.commands(case, "program", tmp_path, 3)
    assert words[:2] == ["program", "--options=rcvrwin 20; maxpkts 4"]
    assert words[2:5] == FLAGS.split()
    assert words[-1] == f"--outputDir={folder}"


@pytest.mark.parametrize(
    ("changed", "flag", "numbers"),
    [
        ({"loss": 0.005}, "dropData", emulator.lost(2, 0.005, originals.PACKETS)),
        (
            {"hold": 1 / 300, "passed": 6},
            "reorderData",
            emulator.held(2, 1 / 300, 6, originals.PACKETS),
        ),
    ],
)
def test_losses_and_reordering_are_the_repetitions_own(tmp_path, changed, flag, numbers):
    case = make_case(tmp_path, kind="pattern", **changed)
    runs = originals.commands(case, "program", tmp_path, 3)
    assert len(runs) == 3
    assert f"--{flag}=" + ",".join(map(str, numbers)) in runs[1][0]


def test_delayed_acks_run_with_phases(tmp_path):
    case = make_case(tmp_path, kind="phase", flags=f"{FLAGS} --ackDelay=200ms")
    runs = originals.commands(case, "program", tmp_path, 3)
    assert "--ackDelay=200ms" in runs[0][0]
    phases = [word for words, _ in runs for word in words if "HeartbeatPhase" in word]
    assert len(set(phases)) == originals.PHASES
    assert phases[1].endswith("=10000us")


@pytest.mark.parametrize("changed", [{"kind": "other"}, {"loss": 0.1, "hold": 0.1}])
def test_a_case_that_cannot_be_run_is_refused(tmp_path, changed):
    with pytest.raises(originals.CaseError, match="one: kind, loss or hold"):
        make_case(tmp_path, **changed)


def test_the_measurements_of_the_repository_are_complete():
    cases = originals.read_cases(ORIGINALS)
    assert list(cases) == list(originals.read_measured(ORIGINALS))
    assert set(originals.read_sent(ORIGINALS)) == set(cases)
    for rows in originals.read_measured(ORIGINALS).values():
        assert list(rows["rep"]) == [1, 2, 3]
        assert {*originals.NEAR, *originals.EXACT} <= set(rows)


@pytest.mark.parametrize("path", sorted(ORIGINALS.iterdir()), ids=lambda path: path.name)
def test_the_measurements_are_small_and_name_no_machine(path):
    text = path.read_text()
    assert len(text) < 100_000
    if path.suffix == ".csv":
        assert re.search(r"(^|[\s,=\"'])/\w", text) is None


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
    reported = capsys.readouterr().out
    assert ("rxmts 1 ours 2" in reported) == (status == 2)
    assert f"{1 - status // 2} of 1 cases agree" in reported


def test_an_unknown_case_is_named(tmp_path):
    make_case(tmp_path)
    with pytest.raises(SystemExit, match="--only two: there are one"):
        main([str(tmp_path), "--only", "two"])
