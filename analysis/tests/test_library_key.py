# SPDX-License-Identifier: GPL-2.0-only
"""The flag library of a figure: a file of its folder, whose bytes are part of the point's key."""

from lfn.points import Point


def test_a_library_of_a_figures_folder_is_part_of_the_key(tmp_path):
    keys = set()
    for text in ("first", "second"):
        (tmp_path / "mine.so").write_text(text)
        plain, braced = (
            Point.make("rbudp-transfer", {"library": name}, folder=tmp_path)
            for name in ("mine.so", "{mine.so}")
        )
        assert plain.id == braced.id
        assert plain.flags() == [f"--library={tmp_path / 'mine.so'}"]
        keys.add(plain.id)
    assert len(keys) == 2
