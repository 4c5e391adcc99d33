# SPDX-License-Identifier: GPL-2.0-only
"""Every trace source names the type of its callbacks, and the compiler finds that type."""

import re
import subprocess

from project import BUILD, HOME
from waflib import ConfigSet

SOURCE = re.compile(r'\.AddTraceSource\(\s*"(\w+)".*?"(ns3::[\w:]+)"\s*\)', re.DOTALL)
CHECK = "static_assert(std::is_function_v<std::remove_pointer_t<{}>>);\n"


def test_callback_types_exist(tmp_path):
    files = [*HOME.glob("model/*/*.cc"), *HOME.glob("helper/*/*.cc")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    found = [match.groups() for text in texts for match in SOURCE.finditer(text)]
    assert len(found) == sum(text.count(".AddTraceSource(") for text in texts) > 40
    types = sorted({callback for _, callback in found})
    named = [name for name in types if not re.search(r"TracedCallback$|TracedValueCallback", name)]
    assert not named, "ns-3 ends the names of these types with TracedCallback"
    code = tmp_path / "types.cc"
    headers = ("lfn-module", "network-module", "traffic-control-module", "traced-value")
    code.write_text(
        "".join(f'#include "ns3/{name}.h"\n' for name in headers)
        + "#include <type_traits>\n"
        + "".join(CHECK.format(name) for name in types),
        encoding="utf-8",
    )
    env = ConfigSet.ConfigSet(str(BUILD / "c4che/_cache.py"))
    flags = [*env.CXXFLAGS_NS3, f"-I{BUILD}/include", *(f"-D{name}" for name in env.DEFINES_NS3)]
    level = next(flag for flag in env.CXXFLAGS if flag.startswith("-std="))
    command = [*env.CXX, level, "-fsyntax-only", *flags, str(code)]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 0, result.stderr[:2000]
