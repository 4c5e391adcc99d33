# SPDX-License-Identifier: GPL-2.0-only
"""C++ files of the user's own: what compiles them against this build, for ./waf and others."""

import hashlib
import re
import subprocess
from pathlib import Path

from requirements import die


def flags(env, out, libdir, libraries):
    """Return (words for the compiler, words for the linker) of programs that use lfn.

    All modules of ns-3 may be used; those that are not leave no trace in the program.
    """
    standard = [flag for flag in env.CXXFLAGS if flag.startswith("-std=")]
    macros = [f"-D{macro}" for macro in env.DEFINES_NS3 if "=" not in macro]
    link = [f"-L{out}", f"-L{libdir}", f"-Wl,-rpath,{out}", f"-Wl,-rpath,{libdir}", "-llfn"]
    link += ["-Wl,--as-needed", *(f"-l{name}" for name in libraries)]
    return [*standard, *macros, f"-I{out}/include", *env.CXXFLAGS_NS3], link


def write_description(path, version, compiling, linking):
    """Write lfn.pc, with which pkg-config says the flags."""

    def words(these):
        return " ".join(re.sub(r"([\s\\#$])", r"\\\1", word) for word in these)

    path.write_text(
        "Name: lfn\n"
        "Description: transports for long fat networks, in ns-3\n"
        f"Version: {version}\n"
        f"Cflags: {words(compiling)}\n"
        f"Libs: {words(linking)}\n"
    )


def is_current(program, listing, description):
    """Check whether a program is newer than all that it was made of."""
    if not (program.is_file() and listing.is_file()):
        return False
    made = program.stat().st_mtime
    names = listing.read_text().replace("\\\n", " ").partition(": ")[2]
    paths = [Path(name.replace("\\ ", " ")) for name in re.split(r"(?<!\\)\s+", names.strip())]
    return all(p.is_file() and p.stat().st_mtime < made for p in [*paths, description])


def compile_own(env, out, source):
    """Compile a file into a program of its own, unless it is there; return the program."""
    source = Path(source).resolve()
    if not source.is_file():
        die(f"--run: {source}: no such file")
    folder = Path(out, "own", hashlib.sha256(str(source).encode()).hexdigest()[:12])
    program, listing = folder / source.stem, folder / f"{source.stem}.d"
    if is_current(program, listing, Path(out, "lfn.pc")):
        return program
    folder.mkdir(parents=True, exist_ok=True)
    command = [*env.CXX, "-O2", "-Wall", "-Wextra", *env.CXXFLAGS_OWN, source, "-o", program]
    command += ["-MMD", "-MF", listing, *env.LINKFLAGS_OWN]
    if subprocess.call(command):
        program.unlink(missing_ok=True)
        die(f"--run: {source}: does not compile, see the messages above")
    return program
