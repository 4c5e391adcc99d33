# SPDX-License-Identifier: GPL-2.0-only
"""What an installed ns-3 holds, and whether it and the compiler will do."""

import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from requirements import die

MODULES = """
applications
core
csma
flow-monitor
internet
mobility
network
point-to-point
propagation
traffic-control
wifi
""".split()
TESTED = ((3, 44), (3, 48))


@dataclass
class Ns3:
    """An installed ns-3."""

    includes: Path
    libdir: Path
    version: str
    libraries: list  # names as the linker takes them, one for each of MODULES
    macros: list  # what it was compiled with and headers depend on

    @property
    def release(self):
        """Major and minor number: patch releases do not count; "3-dev" is later than all."""
        numbers = [int(part) for part in re.findall(r"\d+", self.version)[:2]]
        return tuple(numbers) if len(numbers) == 2 else (*numbers, math.inf)

    @property
    def everything(self):
        """All its modules' libraries, as the linker takes them."""
        before, after = self.libraries[MODULES.index("core")].split("core")
        files = self.libdir.glob(f"lib{before}*{after}.so")
        return sorted(path.name[3:-3] for path in files)

    @property
    def standard(self):
        """The C++ standard of its headers."""
        return "c++23" if self.release >= (3, 46) else "c++20"


def find_ns3(prefix):
    """Read a prefix.

    Its pkg-config files are read here: the wheel's carry its build host's paths, and a machine
    need not have pkg-config. What no such file says (the log and assert macros change the layout
    of some classes) is read off the library.
    """
    prefix = Path(prefix).expanduser().absolute()
    places = [*prefix.glob("lib*/pkgconfig"), *prefix.glob("lib*/*/pkgconfig")]
    folder = next((place for place in places if (place / "ns3-core.pc").exists()), None)
    if folder is None:
        die(f"--ns3={prefix}: no ns3-core.pc in its library folders; give an ns-3 install prefix")
    libraries = []
    for module in MODULES:
        description = folder / f"ns3-{module}.pc"
        if not description.exists():
            die(f"--ns3={prefix}: ns-3 was built without its module {module}; enable it there")
        text = description.read_text()
        libraries.append(re.search(r"^Libs:.*?-l(\S+)", text, re.M)[1])
    version = re.search(r"^Version:\s*(\S+)", text, re.M)[1]
    binary = (folder.parent / f"lib{libraries[MODULES.index('network')]}.so").read_bytes()
    marks = {
        "NS3_LOG_ENABLE": b"_ZNK3ns312LogComponent9IsEnabled",
        "NS3_ASSERT_ENABLE": b"NS_ASSERT failed",
    }
    macros = [macro for macro, mark in marks.items() if mark in binary]
    return Ns3(prefix / "include", folder.parent, version, libraries, macros)


def check_version(ns3):
    """Refuse an ns-3 older than tested, warn at a newer one."""
    low, high = (".".join(map(str, release)) for release in TESTED)
    if ns3.release < TESTED[0]:
        die(f"ns-3 {ns3.version} is too old: lfn needs {low} to {high}")
    if ns3.release > TESTED[1]:
        print(f"waf: warning: tested with {low} to {high}, not {ns3.version}", file=sys.stderr)


def find_compiler(standard):
    """The C++ compiler, which must support the standard."""
    wanted = os.environ.get("CXX")
    names = [wanted] if wanted else ["g++", "clang++", "c++"]
    compiler = next((found for name in names if (found := shutil.which(name))), None)
    if not compiler:
        die(f"no C++ compiler found ({', '.join(names)}): install one, e.g. 'apt install g++'")
    program = "#include <concepts>\n#include <span>\nint main() { return 0; }\n"
    command = [compiler, f"-std={standard}", "-x", "c++", "-fsyntax-only", "-"]
    if subprocess.run(command, input=program, text=True, capture_output=True).returncode:
        die(f"{compiler} does not compile {standard}: install g++ 11, clang++ 17 or newer")
    return compiler
