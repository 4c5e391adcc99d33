# SPDX-License-Identifier: GPL-2.0-only
"""The lint wall's own rules: each finds what it is for, and nothing in good code."""

import pytest

import house_rules
import lint

SPDX = "// SPDX-License-Identifier: GPL-2.0-only\n"
HEADERS = {
    f"model/{room}/{name}.h": SPDX
    for room, name in [("path", "lfn-a"), ("transfer", "lfn-b"), ("rbudp", "r-c"), ("vrp", "v-d")]
} | {"helper/lfn-e.h": SPDX}


def faults(path, text):
    return list(house_rules.faults({**HEADERS, path: text}))


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("model/path/x.cc", "int a;\n", "SPDX"),
        ("analysis/x.py", "a = 1\n", "SPDX"),
        ("model/path/x.cc", SPDX + "// \u00e9\n", "ASCII"),
        ("doc/x.rst", "see /ho" + "me/me/file\n", "machine path"),
        ("doc/x.rst", "put it in '/t" + "mp/file'\n", "machine path"),
        ("x.toml", "url = 'https://py" + "pi.example/simple'\n", "registry"),
        ("model/path/x.cc", SPDX + "    NS_ASSERT_MSG(a, b);\n", "line number"),
        ("helper/x.cc", SPDX + "auto a = __LINE__;\n", "line number"),
        ("model/path/x.cc", SPDX + "// TO" + "DO: more\n", "left open"),
        ("analysis/x", "#!/bin/sh\nls\n", "SPDX"),
        ("model/path/x.cc", SPDX + '#include "ns3/lfn-b.h"\n', "may not know transfer"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/v-d.h"\n', "may not know vrp"),
        ("model/transfer/x.cc", SPDX + '#include "ns3/r-c.h"\n', "may not know rbudp"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/lfn-e.h"\n', "may not know helper"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/core-module.h"\n', "for programs"),
        ("model/rbudp/x-core.cc", SPDX + '#include "ns3/socket.h"\n', "a core may not know"),
        ("model/rbudp/x.cc", SPDX + "A::GetTypeId()\nA::Send()\n", 'DEFINE("A")'),
        ("model/rbudp/x.cc", SPDX + 'NS_LOG_COMPONENT_DEFINE("LfnA");\nA::B()\n', "no class"),
    ],
)
def test_finds(path, text, word):
    found = faults(path, text)
    assert len(found) == 1
    assert word in found[0]
    assert found[0].startswith(path)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("model/transfer/x.cc", SPDX + '#include "ns3/lfn-a.h"\n#include "lfn-b.h"\n'),
        ("helper/x.cc", SPDX + '#include "ns3/r-c.h"\n#include "ns3/v-d.h"\n'),
        ("test/x.cc", SPDX + '#include "ns3/core-module.h"\nNS_TEST_ASSERT_MSG_EQ(1, 1, "");\n'),
        ("model/rbudp/x-core.cc", SPDX + '#include "ns3/nstime.h"\nstatic_assert(true);\n'),
        ("model/x.cc", SPDX + 'NS_LOG_COMPONENT_DEFINE("A");\nA::GetTypeId()\nA::Send()\n'),
        ("model/x.cc", SPDX + "A::GetTypeId()\n.SetParent<Header>()\nA::Print()\n"),
        ("model/x.cc", SPDX + "A::GetTypeId()\n"),
        ("helper/x.cc", SPDX + '// no NS_ASSERT here\nopen("/proc/self/status", "/dev/null");\n'),
        ("doc/x.rst", "see https://www.example.org/home/page and results/tmp/file\n"),
    ],
)
def test_accepts(path, text):
    assert faults(path, text) == []


def test_python_is_what_python_runs(tmp_path, monkeypatch):
    """Whatever it is called; ruff looks at it."""
    monkeypatch.chdir(tmp_path)
    texts = {"a.py": "", "wscript": "", "job": "#!/usr/bin/env python3\n", "waf": "#!/bin/sh\n"}
    texts |= {"a.txt": "python\n", "empty": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert lint.python_files(texts) == ["a.py", "wscript", "job"]
