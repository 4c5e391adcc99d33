# SPDX-License-Identifier: GPL-2.0-only
"""The documents as one book: ./waf docs has Sphinx make it."""

import sys
from pathlib import Path

from sphinx.errors import ConfigError

if not (Path(__file__).parent / "generated").is_dir():
    raise ConfigError("doc/generated is missing: ./waf docs makes it from the programs")

project = "lfn"
release = (Path(__file__).parent.parent / "VERSION").read_text().strip()
sys.path.insert(0, str(Path(__file__).parents[1] / "analysis"))  # the package lfn
extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_default_options = {"member-order": "bysource"}
autodoc_typehints = "none"
exclude_patterns = ["generated", "README.md"]  # tables that chapters include
nitpicky = True
html_theme = "alabaster"
html_theme_options = {
    "description": "Transports for long fat networks, in ns-3",
    "page_width": "1200px",
    "sidebar_width": "240px",
}
smartquotes = False  # docstrings name flags
html_copy_source = False
html_show_sphinx = False
