# SPDX-License-Identifier: GPL-2.0-only
"""Draw figures without importing pandas and Matplotlib for each: a server forks a child per figure.

python analysis/drawer.py --serve SOCKET
LFN_DRAWER=SOCKET python analysis/drawer.py --figure analysis/figures/rbudp-fig7 --build build

The second command does what draw_figure.py does, in a child of the server; without a server, or
where a file of the analysis is younger than the server, it does so itself.
"""

import os
import sys
from pathlib import Path

from lfn.forks import ask, serve

HERE = Path(__file__).resolve().parent


def is_current(path):
    """Tell whether the server of a socket has what the files of the analysis say today."""
    try:
        began = os.stat(path).st_mtime
    except OSError:
        return False
    files = [*HERE.glob("*.py"), *(HERE / "lfn").rglob("*.*")]
    return all(file.stat().st_mtime < began for file in files if file.suffix != ".pyc")


def main(argv):
    """Entry point; returns the exit status."""
    if argv[:1] == ["--serve"] and len(argv) == 2:
        # Here and not above: the client has to start fast.
        import draw_figure

        serve(argv[1], draw_figure.main)
        return 0
    path = os.environ.get("LFN_DRAWER")
    status = ask(path, argv) if path and is_current(path) else None
    if status is None:
        import draw_figure

        status = draw_figure.main(argv)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
