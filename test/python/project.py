# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the build systems share: where the project is, and what its build files say."""

import ast
import contextlib
import csv
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LFN_BUILD", HOME / "build"))
# A short run of each scenario program, for any network.
PROGRAMS = {
    "rbudp-transfer": ["--bytes=200kB", "--sendRate=5Mbps", "--checkContent"],
    "rbudp-streaming": [
        "--streamTime=1s",
        "--sendRate=5Mbps",
        "--objectRate=2",
        "--objectSize=20kB",
    ],
    "vrp-transfer": ["--bytes=200kB", "--flows=1", "--checkContent"],
    "jrm-session": ["--messages=20", "--checkContent"],
    "atou-transfer": ["--options=maxpkts 100; rcvrwin 50", "--checkContent"],
    "transport-comparison": [
        "--transport=atou,fec-udp,parallel-tcp,rbudp,tcp,udp,udt,vrp",
        "--bytes=100kB",
        "--checkContent",
    ],
    "udt-transfer": ["--bytes=200kB", "--checkContent"],
    "xcp-tcp-fairness": ["--duration=3s", "--xcpFlows=1", "--tcpFlows=1"],
}
NETWORK = """\
kind,a,b,rate,delay,queue,loss,bottleneck
# Hosts behind two routers.
node,left,sender
node,up,sender
node,right,receiver
node,down,receiver
node,r1
node,r2
link,left,r1,100Mbps,1ms
link,up,r1,100Mbps,1ms
link,r1,r2,10Mbps,10ms,500p,,bottleneck
link,r2,right,100Mbps,1ms
link,r2,down,100Mbps,1ms
"""


def run(program, folder, *flags, **settings):
    """Run a program, whose results go to here/ in the folder."""
    command = [BUILD / "bin" / program, "--outputDir=here", *flags]
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, timeout=120, **settings
    )


def rows(folder, table="summary", place="here"):
    """Return the rows of a table of a run: [{column: value}]."""
    with (folder / place / f"{table}.csv").open() as file:
        return list(csv.DictReader(file))


def tables_of(program, folder, *flags):
    """Run a program in a new folder and return the bytes of its tables."""
    folder.mkdir()
    result = run(program, folder, *flags)
    assert result.returncode == 0, result.stderr
    return [path.read_bytes() for path in sorted((folder / "here").glob("*.csv"))]


def refuse(program, folder, *flags, part):
    """Have a program refuse its flags: one line that says so, status 1, nothing written."""
    result = run(program, folder, *flags)
    assert (result.returncode, result.stdout) == (1, ""), result.stderr
    assert result.stderr.startswith(f"{program}: "), result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert part in result.stderr, result.stderr
    assert not (folder / "here").exists()


# Classes that a topology derives from.
BASES = {"TransportTopology", "NetworkTopology"}


def all_topologies(settings):
    """Return {name: "Class[...]"}: the given ones, and with its defaults each class alongside
    them."""
    command = [BUILD / "bin/transport-comparison", "--PrintGroup=Lfn"]
    text = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    known = {name.partition("[")[0] for name in settings.values()} | BASES
    found = set(re.findall(r"^ *ns3::lfn::(\w+Topology)$", text, re.M))
    assert known <= found
    return settings | {name: name for name in sorted(found - known)}


def wscript_values():
    """Return the constants that wscript assigns at its top."""
    values = {}
    for node in ast.parse((HOME / "wscript").read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with contextlib.suppress(ValueError):  # no constant
                values[node.targets[0].id] = ast.literal_eval(node.value)
    return values


def cmake_blocks(path):
    """Return the words that follow each keyword in a CMake file's calls: {keyword: [words]}."""
    text = re.sub(r"#.*", "", (HOME / path).read_text())
    blocks = {}
    for call in re.findall(r"build_lib(?:_example)?\((.*?)\)", text, re.S):
        keyword = ""
        for word in call.split():
            if re.fullmatch(r"[A-Z][A-Z_]+", word):
                keyword = word
            else:
                blocks.setdefault(keyword, []).append(word)
    return blocks


def waf(*arguments, **settings):
    """Run the launcher and return what came of it."""
    command = [HOME / "waf", *arguments]
    settings.setdefault("cwd", HOME)
    return subprocess.run(command, text=True, capture_output=True, timeout=300, **settings)


def build_settings():
    """Return what the build found out: {name: value}."""
    cache = (BUILD / "c4che/_cache.py").read_text()
    pairs = (line.partition(" = ") for line in cache.splitlines())
    return {name: ast.literal_eval(value) for name, _, value in pairs if value}


def compile_like_the_build(source, target, *more):
    """Compile a file outside of the project against ns-3 and the module's headers."""
    found = build_settings()
    macros = [f"-D{name}" for name in found["DEFINES_NS3"] if "=" not in name]
    flags = ["-std=c++20", "-O0", *macros, f"-I{BUILD}/include", *found["CXXFLAGS_NS3"]]
    command = [*found["CXX"], *flags, source, "-o", target, *more]
    result = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert (result.returncode, result.stderr) == (0, "")


def make_clone(folder):
    """Make a folder in which commands find what they find in the clone; they write into it."""
    for name in ("analysis", "doc", "examples"):
        (folder / name).symlink_to(HOME / name)
    (folder / "build").symlink_to(BUILD)
    (folder / ".venv").symlink_to(sys.prefix)
    tools = folder / "tools"
    tools.mkdir()
    compiler = tools / "g++"  # that of the build, of any name
    words = shlex.join(build_settings()["CXX"])
    compiler.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    compiler.chmod(0o755)
    return folder
