# SPDX-License-Identifier: GPL-2.0-only
"""How figures look."""

import dataclasses
from pathlib import Path

import matplotlib
from matplotlib import font_manager

from lfn import style


def test_bundled_fonts_come_before_the_machines():
    manager = font_manager.fontManager
    before = list(manager.ttflist)
    bundled = next(font for font in before if Path(font.fname).name == "DejaVuSans.ttf")
    try:
        manager.ttflist[:] = [dataclasses.replace(bundled, fname="/machine/DejaVuSans.ttf")]
        style.prefer_bundled_fonts()
        names = [font.fname for font in manager.ttflist if font.name == "DejaVu Sans"]
        assert Path(names[0]).parent == Path(matplotlib.get_data_path(), "fonts", "ttf")
        assert names[-1] == "/machine/DejaVuSans.ttf"
    finally:
        manager.ttflist[:] = before
