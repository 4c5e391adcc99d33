# SPDX-License-Identifier: GPL-2.0-only
"""Equal code gives equal bytes: comments and the place of the clone leave no mark.

The campaign reruns what the bytes of the libraries say, so a touched comment must not show.
"""

import shutil
import subprocess

import pytest
from project import BUILD, HOME
from waflib import ConfigSet


def compile_to(target, source, folder):
    """Compile as wscript does, standing in a build folder."""
    env = ConfigSet.ConfigSet(str(BUILD / "c4che/_cache.py"))
    flags = [flag for flag in env.CXXFLAGS if not flag.startswith("-ffile-prefix-map")]
    maps = [flag.replace(str(HOME), str(folder.parent)) for flag in env.CXXFLAGS]
    flags += [flag for flag in maps if flag.startswith("-ffile-prefix-map")]
    flags += [*env.CXXFLAGS_NS3, f"-I{BUILD}/include", *(f"-D{name}" for name in env.DEFINES_NS3)]
    if env.NS3_INCLUDES:
        shutil.copy(HOME / ".waf-tools/precompiled.h", folder / "O2.h")
        make = ["-frandom-seed=precompiled", "-x", "c++-header", "O2.h", "-o", "O2.h.gch"]
        subprocess.run([*env.CXX, *flags, *make], check=True, cwd=folder)
        flags += ["-Winvalid-pch", "-include", "O2.h", "-H"]
    command = [*env.CXX, *flags, "-frandom-seed=x", "-c", source, "-o", target]
    result = subprocess.run(command, check=True, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert not env.NS3_INCLUDES or result.stderr.startswith("! ./O2.h.gch"), result.stderr[:500]
    return target.read_bytes()


@pytest.mark.parametrize(
    "name", ["model/path/lfn-host-queue.cc", "helper/output/lfn-run-recorder.cc"]
)
def test_comment_and_folder_leave_no_mark(tmp_path, name):
    results = []
    for clone, comment in (("one", ""), ("two", "// a comment\n/* and\nanother */\n")):
        source = tmp_path / clone / name
        source.parent.mkdir(parents=True)
        folder = tmp_path / clone / "build"
        folder.mkdir()
        text = (HOME / name).read_text()
        source.write_text(comment + text.replace(";\n", f";\n{comment}", 1))
        for header in (HOME / name).parent.glob("*.h"):
            (source.parent / header.name).symlink_to(header)
        results.append(compile_to(folder / "object.o", f"../{name}", folder))
    assert results[0] == results[1]
