# SPDX-License-Identifier: GPL-2.0-only
"""Link for the systems of manylinux_2_28: those whose C and C++ libraries are older than here.

A linker takes the newest version of each symbol, such as pow@GLIBC_2.29. Here it sees stand-ins
for the libraries, which have this machine's symbols up to LIMITS only, and takes pow@GLIBC_2.2.5.
Functions of C++ that are too new come from the static libstdc++, hidden; everything else of it is
shared with ns-3. Red Hat's toolsets link in the same way.
"""

import re
import subprocess
from pathlib import Path

from requirements import die

PLATFORM = "manylinux_2_28"
# The policy of auditwheel for this platform.
LIMITS = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
LIBRARIES = ("libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6")
# The program's own copies of what is too new; libdl and libpthread are parts of libc since 2.34.
STATIC = ("libstdc++.a", "libgcc.a", "libc_nonshared.a")
MERGED = ("libdl.so.2", "libpthread.so.0")
# Number, value, size, type, binding, visibility, section, name@version.
SYMBOL = re.compile(r"^ +\d+: \w+ +(\w+) (\w+) +\w+ +\w+ +(\w+) ([^@\s]+)@@?(\S+)", re.M)
SECTIONS = {"OBJECT": (".data", "object"), "TLS": ('.section .tbss,"awT",@nobits', "tls_object")}


def number(version):
    """Return GLIBC_2.28 as ("GLIBC", (2, 28)); (version, ()) of a name without a number."""
    found = re.fullmatch(r"([A-Z]+)_(\d+(?:\.\d+)*)", version)
    return (found[1], tuple(map(int, found[2].split(".")))) if found else (version, ())


def is_old(version):
    """Check whether all systems of the platform have this version of symbols."""
    library, digits = number(version)
    return library in LIMITS and digits <= LIMITS[library]


def symbols(path):
    """Return the symbols of a library or program, [(size, type, section, name, version), ...]."""
    words = ["readelf", "--dyn-syms", "--wide", path]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return SYMBOL.findall(text)


def too_new(path):
    """Return what a library or program needs that older systems do not have, [symbol, ...]."""
    needed = [(name, version) for *_, where, name, version in symbols(path) if where == "UND"]
    return [
        f"{name}@{version}"
        for name, version in needed
        if number(version)[0] in LIMITS and not is_old(version)
    ]


def stand_in(compiler, name, folder):
    """Make the library ``name`` in a folder, empty but for the symbols of older systems."""
    asked = [*compiler, f"-print-file-name={name}"]
    found = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    if found == name:
        die(f"wheel: no {name}: it needs glibc and libstdc++")
    known = [words for words in symbols(found) if words[2] != "UND" and is_old(words[4])]
    newest = {}
    for *_, symbol, version in known:
        newest[symbol] = max(version, newest.get(symbol, version), key=number)
    lines = ['.section .note.GNU-stack,"",@progbits']
    for place, (size, kind, _, symbol, version) in enumerate(known):
        section, word = SECTIONS.get(kind, (".text", "function"))
        at = "@@" if version == newest[symbol] else "@"
        lines += [section, f".globl own{place}", f".type own{place},@{word}"]
        lines += [f".size own{place},{size}", f"own{place}: .zero {size}"]
        lines += [f".symver own{place},{symbol}{at}{version}"]
    source, script, made = (Path(folder, f"{name}{end}") for end in (".s", ".map", ""))
    source.write_text("\n".join([*lines, ""]))
    nodes = sorted({version for *_, version in known}, key=number)
    script.write_text("".join(f"{node} {{ local: own*; }};\n" for node in nodes))
    words = ["-shared", "-nostdlib", f"-Wl,-soname,{name}", f"-Wl,--version-script={script}"]
    subprocess.run([*compiler, *words, "-o", made, source], check=True)
    return made


class Linker:
    """Links the objects of a finished build; ``folder`` gets the stand-ins and may be removed."""

    def __init__(self, env, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.compiler = [*env.LINK_CXX, *env.LINKFLAGS, "-nodefaultlibs", "-Wl,--exclude-libs,ALL"]
        self.ns3 = [*(f"-L{path}" for path in env.LIBPATH_NS3), *(f"-l{x}" for x in env.LIB_NS3)]
        made = [stand_in(env.LINK_CXX, name, folder) for name in LIBRARIES]
        # All are kept: the static libraries, which come later, need them too.
        self.libraries = ["-Wl,--no-as-needed", *made, *(f"-l:{name}" for name in MERGED)]
        self.libraries += [f"-l:{name}" for name in STATIC]
        self.start = {}
        for shared in (False, True):
            source = Path(__file__).with_name("older_start.cc")
            self.start[shared] = Path(folder, f"start-{shared}.o")
            words = ["-O2", "-fPIC", "-fvisibility=hidden", *([] if shared else ["-DLFN_PROGRAM"])]
            words += ["-c", source, "-o", self.start[shared]]
            subprocess.run([*env.CXX, *words], check=True)

    def link(self, objects, target, runpath, lfn=None, more=()):
        """Link a library (``.so``) or a program, with the library ``lfn`` and ``more`` of ns-3."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".so":
            words = ["-shared", *objects, self.start[True]]
        else:
            words = ["-Wl,--wrap=__libc_start_main", *objects, self.start[False]]
        if lfn:
            words += [f"-L{lfn.parent}", f"-l{lfn.stem.removeprefix('lib')}"]
        words += [
            *self.ns3,
            *(f"-l{name}" for name in more),
            *self.libraries,
            f"-Wl,-rpath,{':'.join(runpath)}",
            "-o",
            target,
        ]
        if subprocess.call([*self.compiler, *words]):
            die(f"wheel: {target.name} cannot be linked for {PLATFORM}: make it on an older system")
        if new := too_new(target):
            die(f"wheel: {target.name} needs {', '.join(new)}, which {PLATFORM} does not have")
