# SPDX-License-Identifier: GPL-2.0-only
"""./waf docs: doc/ as a book, FOLDER/docs/index.html, and the API where doxygen is there.

docs.py FOLDER [--no-api]

The tables of doc/generated come first: they are made from the programs in FOLDER.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import api_coverage
import tables


def make_book(source, target):
    """Have Sphinx write the book; return 0 where it finds nothing to say, such as a dead link."""
    words = ["-q", "-b", "html", "-W", "--keep-going", "-d", Path(target, ".doctrees")]
    return subprocess.call([sys.executable, "-m", "sphinx", *words, source, target])


def main(build, api=True):
    """Make all, or all but the API; the exit status is 0 where all is clean."""
    if tables.main(build):
        return 1
    target = Path(build, "docs")
    shutil.rmtree(target, ignore_errors=True)  # Sphinx's index of words depends on what was there
    status = make_book("doc", target)
    print(target / "index.html")
    if not api:
        return status
    if shutil.which("doxygen"):
        warnings = api_coverage.run_doxygen(target / "api", html=True, xml=False, private=False)
        print("\n".join([*warnings, f"{target}/api/html/index.html"]))
    else:
        print("no API pages: doxygen is not installed", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], api="--no-api" not in sys.argv))
