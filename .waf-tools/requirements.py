# SPDX-License-Identifier: GPL-2.0-only
"""The pinned packages that a command needs, installed when a command needs them."""

import contextlib
import fcntl
import subprocess
import sys
import sysconfig
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent


def die(message):
    """End with one line on stderr."""
    sys.stdout.flush()
    print(f"waf: {message}", file=sys.stderr)
    sys.exit(1)


@contextlib.contextmanager
def exclusive(path):
    """Hold an advisory lock on a file: two ./waf in one clone wait for each other."""
    with open(path) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def make_importable():
    """Let the Python of .venv import the package lfn of analysis/ from wherever it is started."""
    path = Path(sysconfig.get_path("purelib"), "lfn.pth")
    line = f"{HOME / 'analysis'}\n"
    if not path.exists() or path.read_text() != line:
        path.write_text(line)


def is_stamped(stamp, wanted):
    """Check whether the file ``stamp`` says that what is ``wanted`` is installed."""
    return stamp.exists() and stamp.read_text() == wanted


def require(*groups):
    """Install .waf-tools/requirements/<group>.txt where it is missing or has changed since."""
    for group in groups:
        listing = HOME / ".waf-tools" / "requirements" / f"{group}.txt"
        stamp = Path(sys.prefix, f".ready-{group}")
        wanted = listing.read_text()
        if is_stamped(stamp, wanted):
            continue
        if sys.version_info >= (3, 14):
            die(
                f"Python {sys.version_info[0]}.{sys.version_info[1]} is too new for {listing.name}:"
                " install Python 3.11 to 3.13 and remove .venv"
            )
        with exclusive(HOME / "waf"):  # the launcher waits for the same lock
            if is_stamped(stamp, wanted):  # by any host that held it
                continue
            mark = Path(
                sys.prefix, ".installing"
            )  # left by a killed pip: the launcher starts again
            mark.touch()
            print(f"waf: installing {listing.name}", file=sys.stderr, flush=True)
            # The lists are complete, so nothing is resolved; the bindings in ns3 are not wanted.
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "-r", listing]
            if subprocess.call(pip, stdout=sys.stderr):
                mark.unlink()
                die(f"pip could not install {listing.relative_to(HOME)}: see its message above")
            stamp.write_text(wanted)
            mark.unlink()
    if "analysis" in groups:
        make_importable()
