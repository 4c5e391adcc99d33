# SPDX-License-Identifier: GPL-2.0-only
"""Topologies of a user's own, in a program of theirs and, as a library, in every program."""

import os
import re
import shlex
import subprocess
import textwrap

import pytest
from project import BUILD, HOME, PROGRAMS, build_settings, compile_like_the_build, rows, run

TUTORIAL = (HOME / "doc/tutorial.rst").read_text()


def tutorial_code():
    """Return the program my-transfer.cc of the tutorial."""
    end = TUTORIAL.index("\nBuild, and run it with")
    return textwrap.dedent(TUTORIAL[TUTORIAL.index("  // Two hosts behind a router") : end])


def tutorial_words(start):
    """Return the command of the tutorial that begins so, as words."""
    return shlex.split(re.search(rf"^  ({re.escape(start)}.*)$", TUTORIAL, re.M)[1])


def preloaded(folder, code):
    """Compile a class to a library and return the environment in which programs have it."""
    source = folder / "router-topology.cc"
    source.write_text(code)
    library = folder / "librouter.so"
    compile_like_the_build(source, library, "-fPIC", "-shared")
    return {**os.environ, "LD_PRELOAD": str(library)}


def test_program_of_the_tutorial(tmp_path):
    """A program of a user's own, with a topology of their own, outside of the project."""
    source = tmp_path / "my-transfer.cc"
    source.write_text(tutorial_code())
    found = build_settings()
    folders = [BUILD, *found["LIBPATH_NS3"], BUILD / "ns3-libraries"]
    link = [f"-L{folder}" for folder in folders] + [f"-Wl,-rpath,{folder}" for folder in folders]
    link += ["-llfn", *(f"-l{name}" for name in found["LIB_NS3"])]
    program = tmp_path / "my-transfer"
    compile_like_the_build(source, program, *link)
    words = tutorial_words("build/bin/my-transfer")
    result = subprocess.run(
        [program, *words[1:]], cwd=tmp_path, text=True, capture_output=True, timeout=120
    )
    assert (result.returncode, result.stderr) == (0, "")
    # The line that the tutorial shows.
    assert f"  {result.stdout.splitlines()[0]}\n" in TUTORIAL
    result = subprocess.run(
        [program, "--topology=RouterTopology[Rat=1Mbps]"], text=True, capture_output=True
    )
    assert result.returncode == 1
    assert "did you mean Rate?" in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("MakePositiveDataRateChecker", "MakeDataRateChecker", "a bottleneck has the rate 0"),
        ("far.Get(0), far.Get(1)", "near.Get(0), far.Get(1)", "are not on one channel"),
        (
            "far.Get(0), far.Get(1)",
            "far.Get(1), far.Get(0)",
            "data cross the first bottleneck only from",
        ),
        ("AddSender(nodes.Get(0)", "AddSender(CreateObject<Node>()", "has no internet stack"),
    ],
)
def test_topology_that_cannot_work(tmp_path, old, new, part):
    """Mistakes of a class that no checker of its own refuses: one line, no crash."""
    code = tutorial_code().partition("\nint\nmain")[0]
    assert old in code
    preload = preloaded(tmp_path, code.replace(old, new))
    rate = "0bps" if "rate" in part else "20Mbps"
    flag = f"--topology=RouterTopology[Rate={rate}]"
    result = run("rbudp-transfer", tmp_path, flag, env=preload)
    assert result.returncode == 1
    assert part in result.stderr
    assert result.stderr.count("\n") == 1


def test_topology_without_a_bottleneck(tmp_path):
    """What looks at a bottleneck is refused in one line; the rest works."""
    code = tutorial_code().partition("\nint\nmain")[0]
    preload = preloaded(tmp_path, re.sub(r".*AddBottleneck.*\n", "", code))
    for program, flags, part in [
        ("rbudp-transfer", [], ""),
        ("rbudp-transfer", ["--seriesInterval=10ms"], ""),
        ("vrp-transfer", [], ""),
        ("atou-transfer", [], ""),
        ("jrm-session", [], ""),
        ("rbudp-transfer", ["--lossRate=0.1"], "names no bottleneck"),
        ("rbudp-transfer", ["--dropData=3"], "this topology names 0: leave such flags away"),
        ("rbudp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--messages"], "names no bottleneck"),
        ("vrp-transfer", ["--dropData=3", "--packetSize=1kB"], "this topology names 0"),
        ("xcp-tcp-fairness", [], "names no bottleneck"),
        ("transport-comparison", [], "it tells no bottleneck's rate: give --sendRate as well"),
        ("transport-comparison", ["--sendRate=1Mbps"], ""),
        ("transport-comparison", ["--sendRate=1Mbps", "--transport=jrm"], ""),
        ("transport-comparison", ["--sendRate=1Mbps", "--transport=xcp"], "xcp needs a bottleneck"),
        ("transport-comparison", ["--sendRate=1Mbps", "--lossRate=0.1"], "names no bottleneck"),
    ]:
        folder = tmp_path / f"{program}{''.join(flags)}"
        folder.mkdir()
        given = [flag.split("=")[0] for flag in flags]
        usual = [flag for flag in PROGRAMS[program] if flag.split("=")[0] not in given]
        name = "--topology=RouterTopology[Rate=20Mbps]"
        result = run(program, folder, *usual, name, *flags, env=preload)
        assert result.returncode == bool(part), (program, flags)
        assert part in result.stderr
        assert result.stderr.count("\n") == bool(part)
        assert (folder / "here").exists() != bool(part)
        if program == "transport-comparison" and not part:
            for row in rows(folder):
                assert (row["completed"], row["agrees"]) == ("1", "1")
                nothing = ("mean_queue_packets", "mean_queue_s", "utilisation")
                assert {row[name] for name in nothing} == {""}
