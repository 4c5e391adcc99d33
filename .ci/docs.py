# SPDX-License-Identifier: GPL-2.0-only
"""./waf docs FOLDER: doc/*.rst as FOLDER/docs/*.html, and the API where doxygen is installed.

Where FOLDER holds a build, the tables of doc/generated are made anew before.
"""

import shutil
import sys
from pathlib import Path

from docutils.core import publish_file

import api_coverage
import tables

SETTINGS = {"report_level": 2, "halt_level": 2, "input_encoding": "utf-8"}


def convert(chapter, page):
    """Write a chapter as HTML; raises whatever docutils makes of a mistake in it."""
    publish_file(
        source_path=str(chapter),
        destination_path=str(page),
        writer="html5",
        settings_overrides=SETTINGS,
    )


def main(build):
    """Convert all; the number of chapters that did not convert cleanly is the exit status."""
    if Path(build, "bin/lfn-test-runner").is_file():
        for name in tables.renew(Path(build), Path()):
            print(f"{tables.FOLDER / name} has changed")
    else:
        print(f"{tables.FOLDER} stays as it is: ./waf build comes first", file=sys.stderr)
    target = Path(build, "docs")
    target.mkdir(parents=True, exist_ok=True)
    failed = 0
    for chapter in sorted(Path("doc").glob("*.rst")):
        page = target / f"{chapter.stem}.html"
        try:
            convert(chapter, page)
            print(page)
        except Exception as error:  # docutils raises what its directives raise
            print(f"{chapter}: {error}", file=sys.stderr)
            failed += 1
    if shutil.which("doxygen"):
        warnings = api_coverage.run_doxygen(target / "api", html=True, xml=False, private=False)
        print("\n".join([*warnings, f"{target}/api/html/index.html"]))
    else:
        print("no API pages: doxygen is not installed", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
