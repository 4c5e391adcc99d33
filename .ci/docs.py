# SPDX-License-Identifier: GPL-2.0-only
"""./waf docs FOLDER: doc/*.rst as FOLDER/docs/*.html, and the API where doxygen is installed."""

import shutil
import sys
from pathlib import Path

from docutils.core import publish_file

import api_coverage


def main(build):
    """Convert all; the number of chapters that did not convert cleanly is the exit status."""
    target = Path(build, "docs")
    target.mkdir(parents=True, exist_ok=True)
    settings = {"report_level": 2, "halt_level": 3, "input_encoding": "utf-8"}
    failed = 0
    for chapter in sorted(Path("doc").glob("*.rst")):
        page = target / f"{chapter.stem}.html"
        try:
            publish_file(
                source_path=str(chapter),
                destination_path=str(page),
                writer_name="html5",
                settings_overrides=settings,
            )
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
