# SPDX-License-Identifier: GPL-2.0-only
"""The lint check of claims whose sentence, band or metric changed after a first result."""

import subprocess
import sys

import pytest

from conftest import ANALYSIS

sys.path.insert(0, str(ANALYSIS.parent / ".ci"))
import claims_history  # noqa: E402

CLAIM = """\
id = "toy"
[[claims]]
id = "holds"
statement = "It holds."
low = 1
high = 2
unit = "s"
"""


@pytest.fixture(name="commit")
def repository(tmp_path, monkeypatch):
    """A function that writes and commits a figure.toml in a repository of its own."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "analysis" / "figures" / "toy" / "figure.toml"
    path.parent.mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], check=True)

    def commit(text):
        path.write_text(text)
        subprocess.run(["git", "add", "."], check=True)
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        subprocess.run(["git", *who, "commit", "-q", "-m", "m"], check=True)
        return path

    return commit


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("high = 2", "high = 3", "high"),
        ("low = 1", "low = 0.5", "low"),
        ("It holds.", "It holds somewhat.", "statement"),
        ('unit = "s"', 'unit = "ms"', "unit"),
    ],
)
def test_a_change_needs_a_note(commit, old, new, key):
    path = commit(CLAIM)
    assert claims_history.check() == (True, "")
    path.write_text(CLAIM.replace(old, new))
    ok, text = claims_history.check()
    assert not ok, "before it is committed, too"
    assert text == (
        f"analysis/figures/toy/figure.toml: holds: {key} changed since results were known; "
        "say what in note"
    )
    commit(CLAIM.replace(old, new) + 'note = "It was otherwise"\n')
    assert claims_history.check() == (True, "")


def test_a_change_that_came_back_stays_told(commit):
    commit(CLAIM)
    commit(CLAIM.replace("high = 2", "high = 3"))
    commit(CLAIM)
    assert "holds: high changed" in claims_history.check()[1]


def test_what_is_not_judged_may_change(commit):
    commit(CLAIM)
    commit("this is no TOML")
    commit(CLAIM + 'reason = "known"\norigin = "own"\n')
    assert claims_history.check() == (True, "")
