# SPDX-License-Identifier: GPL-2.0-only
"""The commands of doc/tasks.rst answer the questions above them."""

import re
import shlex

import pytest
from project import HOME, rows, run

TEXT = (HOME / "doc/tasks.rst").read_text()


def command_below(question):
    """Return the program and the flags of the command that answers a question."""
    words = shlex.split(re.search(r"--run \"(.*)\"", TEXT[TEXT.index(question) :])[1])
    return words[0], words[1:]


def rates(folder, program, *flags):
    """Run a program in a folder of its own; return the goodputs of its rows."""
    folder.mkdir()
    assert run(program, folder, *flags).returncode == 0
    return [float(row["goodput_bps"]) for row in rows(folder)]


@pytest.mark.parametrize(
    "question",
    ["*How long does a transport take on my path?*", "*And with losses?*"],
)
def test_each_transport_is_measured_on_a_path_of_its_own(tmp_path, question):
    program, flags = command_below(question)
    names = next(flag for flag in flags if flag.startswith("--transport="))
    others = [flag for flag in flags if flag not in (names, "--alone")]
    found = rates(tmp_path / "all", program, *flags)
    for name, rate in zip(names.partition("=")[2].split(","), found, strict=True):
        (own,) = rates(tmp_path / name, program, f"--transport={name}", *others)
        assert rate == pytest.approx(own, rel=1e-3), name


def test_another_congestion_control_is_another(tmp_path):
    program, flags = command_below("*Does another congestion control help?*")
    first, second = rates(tmp_path / "own", program, *flags)
    assert second != pytest.approx(first, rel=0.01)
