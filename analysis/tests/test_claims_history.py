# SPDX-License-Identifier: GPL-2.0-only
"""The lint check of claims that changed since they were first committed."""

import os
import subprocess
import sys

import pytest

from conftest import ANALYSIS

sys.path.insert(0, str(ANALYSIS.parent / ".ci"))
import claims_history  # noqa: E402
from lfn import claim_history  # noqa: E402

FIGURE = "analysis/figures/toy/figure.toml"
OK = (True, "")
CLAIM = """\
id = "toy"
[claims.holds]
statement = "It holds."
low = 1
high = 2
unit = "s"
"""
NOTED = 'note = "Changed since results were known: it was otherwise"\n'
AFTER = 'band = "chosen after"\n'


def git(*words):
    subprocess.run(["git", *words], check=True, capture_output=True)


def write(text, path=FIGURE):
    claims_history.Path(path).parent.mkdir(parents=True, exist_ok=True)
    claims_history.Path(path).write_text(text)


@pytest.fixture(name="commit")
def repository(tmp_path, monkeypatch):
    """A function that writes texts, {path: text}, and commits all in a repository of its own."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    git("config", "user.name", "n")
    git("config", "user.email", "e@example.org")

    def commit(text=None, path=FIGURE, date="2002-01-01T00:00:00+00:00"):
        if text is not None:
            write(text, path)
        monkeypatch.setitem(os.environ, "GIT_COMMITTER_DATE", date)
        git("add", ".")
        git("commit", "-q", "-m", "m")

    return commit


def says(*words):
    """Whether the check fails with one line that has these words."""
    ok, text = claims_history.check()
    return not ok and "\n" not in text and all(word in text for word in words)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("high = 2", "high = 3", "high"),
        ("low = 1", "low = 0.5", "low"),
        ("It holds.", "It holds somewhat.", "statement"),
        ('unit = "s"', 'unit = "ms"', "unit"),
    ],
)
def test_a_change_needs_a_note_that_tells(commit, old, new, key):
    commit(CLAIM)
    assert claims_history.check() == OK
    changed = CLAIM.replace(old, new)
    write(changed)
    assert says(f"{FIGURE}: holds: {key} changed since results were known"), "before its commit"
    commit(changed + 'note = "Of equal rates"\n')
    assert says(f"holds: {key} changed"), "any note will not do"
    commit(changed + NOTED)
    assert claims_history.check() == OK


def test_other_words_of_the_same_meaning_are_no_change(commit, tmp_path, monkeypatch):
    rewordings = tmp_path / "rewordings.csv"
    rewordings.write_text("old,new\nIt holds.,It is true.\nIt is true.,It is so.\n")
    monkeypatch.setattr(claim_history, "REWORDINGS", rewordings)
    caches = (claim_history._rewordings, claim_history._claims)
    for cached in caches:
        cached.cache_clear()
    commit(CLAIM)
    commit(CLAIM.replace("It holds.", "It is true."))
    commit(CLAIM.replace("It holds.", "It is so."))
    assert claims_history.check() == OK
    commit(CLAIM.replace("It holds.", "It is not so."))
    assert says("holds: statement changed")
    for cached in caches:
        cached.cache_clear()


def test_the_next_change_needs_another_note(commit):
    commit(CLAIM)
    commit(CLAIM.replace("high = 2", "high = 3") + NOTED)
    again = CLAIM.replace("high = 2", "high = 4")
    commit(again + NOTED)
    assert says("holds: high changed")
    commit(again + NOTED.replace("otherwise", "2, then 3"))
    assert claims_history.check() == OK


def test_a_change_that_came_back_stays_reported(commit):
    commit(CLAIM)
    commit(CLAIM.replace("high = 2", "high = 3"))
    commit(CLAIM)
    assert says("holds: high changed")


def test_a_claim_that_came_back_is_the_same(commit):
    commit(CLAIM)
    commit('id = "toy"\n')
    commit(CLAIM.replace("high = 2", "high = 3"))
    assert says("holds: high changed")


def test_what_is_not_judged_may_change(commit):
    commit(CLAIM)
    commit("this is no TOML")
    commit(CLAIM + 'reason = "known"\norigin = "own"\n')
    assert claims_history.check() == OK


@pytest.mark.parametrize("path", [FIGURE, "analysis/figures/other/figure.toml"])
def test_another_name_is_followed(commit, path):
    commit(CLAIM)
    renamed = CLAIM.replace(".holds]", ".is-so]")
    if path != FIGURE:
        git("rm", "-q", FIGURE)
    commit(renamed, path)
    assert claims_history.check() == OK, "the name is no matter"
    commit(renamed.replace("It holds", "It still holds").replace("high = 2", "high = 3"), path)
    assert says(f"{path}: is-so: statement, high changed")


def test_another_claim_is_a_new_one(commit):
    commit(CLAIM)
    commit(CLAIM.replace(".holds]", ".new]").replace("It holds", "Nobody waits").replace("2", "3"))
    assert claims_history.check() == OK


def test_a_merge_changes_nothing_itself(commit):
    commit(CLAIM)
    git("checkout", "-q", "-b", "side")
    commit(CLAIM.replace("high = 2", "high = 3") + NOTED)
    git("checkout", "-q", "main")
    commit("id = 'b'\n", "analysis/figures/b/figure.toml")
    git("merge", "-q", "side")
    assert claims_history.check() == OK
    assert len(claim_history.histories(".")["toy", "holds"].changes) == 1


@pytest.mark.parametrize(
    ("change", "ok"),
    [
        ({"high = 2": "high = 3"}, False),
        ({"high = 2": "high = 2000", '"s"': '"ms"'}, False),
        ({"high = 2": "high = 2000", '"s"': '"ms"', "it was": "in another unit, before"}, True),
        ({"high = 2": "high = 3", "it was": "in another unit, before"}, False),
        ({"high = 2": "high = 3", "chosen before": "chosen after"}, True),
        ({"high = 2": "high = 3", "chosen before": "paper"}, True),
        ({'"s"': '"ms"'}, True),
    ],
)
def test_a_band_that_moved_was_chosen_after(commit, change, ok):
    text = CLAIM + 'band = "chosen before"\n'
    commit(text)
    text += NOTED
    for old, new in change.items():
        text = text.replace(old, new)
    commit(text)
    assert claims_history.check() == OK if ok else says("holds: the band was 1 to 2")


def test_a_band_that_came_back_was_chosen_before(commit):
    text = CLAIM + 'band = "chosen before"\n'
    commit(text)
    commit(text.replace("high = 2", "high = 3"))
    commit(text + NOTED)
    assert claims_history.check() == OK


def test_a_shallow_clone_fails(commit, tmp_path, monkeypatch):
    commit(CLAIM)
    commit(CLAIM + AFTER)
    git("clone", "-q", "--depth=1", f"file://{tmp_path}", "copy")
    monkeypatch.chdir(tmp_path / "copy")
    assert claims_history.check() == (False, claims_history.SHALLOW)
    assert claim_history.dates(".") == {}


def test_claims_and_bands_have_dates(commit):
    days = [f"2002-01-0{day}T00:00:00+00:00" for day in range(1, 5)]
    commit(CLAIM, date=days[0])
    commit(CLAIM.replace("high = 2", "high = 3"), date=days[1])
    commit(CLAIM.replace("high = 2", "high = 3").replace("It holds", "So it is"), date=days[2])
    commit('[[claims]]\nid = "b"\n', "analysis/figures/b/figure.toml", days[3])
    write('[[claims]]\nid = "b"\nlow = 1\n', "analysis/figures/b/figure.toml")
    assert claim_history.dates(".") == {
        ("b", "b"): ("not committed", days[3]),
        ("toy", "holds"): (days[1], days[0]),
    }


def test_what_is_no_clone_has_no_dates(commit, tmp_path):
    """Nor has a part of another one, as a module in the folder contrib of ns-3."""
    commit(CLAIM)
    commit(CLAIM, f"contrib/lfn/{FIGURE}")
    assert claim_history.dates(tmp_path / "contrib" / "lfn") == {}
    assert claim_history.dates(tmp_path / ".git") == {}
    assert claim_history.dates(tmp_path / "nowhere") == {}
