# SPDX-License-Identifier: GPL-2.0-only
"""The module's programs and figures without ./waf, also as commands of the installed package.

python -m lfn run rbudp-transfer --bytes=20MB
python -m lfn figures --only=rbudp-fig7 --tiny
"""

import json
import os
import shutil
import sys
import webbrowser
from pathlib import Path

from lfn.places import (
    ANALYSIS,
    BOOK,
    HOME,
    NOTEBOOK,
    PROGRAMS,
    build_folder,
    missing_ns3,
    programs,
)

NAME = "lfn" if Path(sys.argv[0]).name == "lfn" else "python -m lfn"
USAGE = f"""\
{NAME} COMMAND ...
  programs                names of the scenario programs
  run PROGRAM [FLAGS]     one of them; --PrintHelp lists its flags
  figures [OPTIONS]       figures of the papers: --only=ID, --tiny, --full, --plan and more
  docs                    opens the documents in a browser and prints where they are
  notebook [FOLDER]       copies the notebook of exercises to FOLDER, default the current one
  schema                  JSON schema of figure.toml, for editors
  statements              CSV of what the papers state, and the claims that judge it
  dissectors              where lfn.lua is, for Wireshark's folder of plugins
In Python: import lfn; lfn.run(...), lfn.figure(...), lfn.load(...)"""


def _die(line):
    sys.exit(f"lfn: {line}")


def _become(*command):
    """Go on as another program."""
    sys.stdout.flush()
    try:
        os.execv(command[0], command)
    except OSError as error:
        _die(f"{command[0]}: {error.strerror}")


def start(name, flags):
    """Go on as a scenario program; ends with one line where there is none."""
    if name not in programs():
        known = ", ".join(programs()) or "none: run ./waf build"
        _die(f"no program {name!r}; there are {known}")
    if wrong := missing_ns3():
        _die(wrong)
    _become(str(PROGRAMS / name), *flags)


def program():
    """Entry point of the commands that are called as the programs are."""
    start(Path(sys.argv[0]).name, sys.argv[1:])


def docs():
    """Open the documents in a browser and print their path."""
    if not BOOK.is_file():
        _die(f"no documents in {BOOK.parent}: run ./waf docs")
    print(BOOK, flush=True)
    webbrowser.open(BOOK.as_uri())  # without a browser it does nothing


def notebook(folder=".", *more):
    """Copy the notebook of exercises to a folder and print its path; an existing one stays."""
    if more or folder.startswith("-"):
        _die(f"notebook: {' '.join([folder, *more])}: give one folder, or none")
    copied = Path(folder, NOTEBOOK.name)
    try:
        copied.parent.mkdir(parents=True, exist_ok=True)
        with NOTEBOOK.open("rb") as source, copied.open("xb") as target:
            shutil.copyfileobj(source, target)
    except FileExistsError as error:
        _die(f"notebook: {error.filename} exists: remove it or name another folder")
    except OSError as error:
        _die(f"notebook: {error.filename}: {error.strerror}")
    print(copied)


def main():
    """Entry point of the command lfn and of python -m lfn."""
    command, *rest = sys.argv[1:] or ["--help"]
    if command in ("-h", "--help", "help"):
        print(USAGE)
    elif command == "programs":
        print("\n".join(programs()))
    elif command == "dissectors":
        print(HOME / "doc" / "wireshark" / "lfn.lua")
    elif command == "docs":
        docs()
    elif command == "notebook":
        notebook(*rest)
    elif command == "schema":
        from lfn.schema import schema  # noqa: PLC0415 - the other commands need no pydantic

        print(json.dumps(schema(), indent=1))
    elif command == "statements":
        from lfn.statements import as_csv, read  # noqa: PLC0415 - as above

        print(as_csv(read(ANALYSIS / "figures")), end="")
    elif command == "run":
        start(rest[0] if rest else "", rest[1:])
    elif command == "figures":
        if wrong := missing_ns3():
            _die(wrong)
        if not any(word.startswith("--build") for word in rest):
            rest = ["--build", os.path.relpath(build_folder()), *rest]
        _become(sys.executable, str(ANALYSIS / "figures.py"), *rest)
    else:
        _die(f"{command}: no such command; {NAME} --help lists them")


if __name__ == "__main__":
    main()
