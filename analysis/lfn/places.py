# SPDX-License-Identifier: GPL-2.0-only
"""Where programs and scripts are: in the clone, or in the package that ./waf wheel makes.

Next to its modules the package has a folder home/, laid out as the clone is. Standard library
only.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
INSTALLED = (_PACKAGE / "home").is_dir()
HOME = _PACKAGE / "home" if INSTALLED else _PACKAGE.parents[1]
ANALYSIS = HOME / "analysis"
PROGRAMS = HOME / "build" / "bin"
BOOK = HOME / "build" / "docs" / "index.html"
"""The documents: ./waf docs makes them, and the package has them."""
NOTEBOOK = ANALYSIS / "notebooks" / "exercises.ipynb"
FIGURES = "lfn figures" if INSTALLED else "./waf figures"
"""The command that makes figures."""
_PIN = HOME / ".waf-tools" / "requirements" / "ns3.txt"


def build_folder(given=None):
    """Return the build folder ``given``, or else the clone's, or lfn-build of the current folder.

    Outside a clone one without programs is made into one with a link to those of the package.
    """
    if not INSTALLED:
        return Path(given or HOME / "build").resolve()
    build = Path(given or "lfn-build").resolve()
    link = build / "bin"
    if link.is_symlink() and not link.exists():  # of an environment that is gone
        link.unlink()
    if not link.exists():
        build.mkdir(parents=True, exist_ok=True)
        link.symlink_to(PROGRAMS)
    return build


def programs():
    """Return the names of all programs."""
    paths = PROGRAMS.iterdir() if PROGRAMS.is_dir() else ()
    return sorted(path.name for path in paths if "." not in path.name)


def missing_library():
    """Return what to do where a program finds no library, in a few words."""
    if not INSTALLED:
        return "run ./waf build"
    pin = _PIN.read_text().strip()
    return f"it needs {pin} in the same environment: python -m pip install --no-deps {pin}"


def missing_program():
    """Return what to do where there is no such program, in a few words."""
    return f"there are {', '.join(programs())}" if INSTALLED else "run ./waf build"


def missing_ns3():
    """Return one line where the package has not the ns-3 that it was built with, or None."""
    if not INSTALLED:
        return None
    from importlib.metadata import PackageNotFoundError, version  # each point is a process

    wanted = _PIN.read_text().strip().partition("==")[2]
    try:
        found = version("ns3")
    except PackageNotFoundError:
        found = None
    if found == wanted and (_PACKAGE.parent / "ns3").is_dir():
        return None
    return f"ns-3 is {'of version ' + found if found else 'missing'}: {missing_library()}"
