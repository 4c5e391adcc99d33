# SPDX-License-Identifier: GPL-2.0-only
"""The lint wall's own rules: each finds what it is for, and nothing in good code."""

from pathlib import PurePath

import pytest

import lint
import project_rules

SPDX = "// SPDX-License-Identifier: GPL-2.0-only\n"
HEADERS = {
    f"{directory}/{name}.h": SPDX
    for directory, name in [
        ("model/wire", "lfn-w"),
        ("model/path", "lfn-a"),
        ("model/transfer", "lfn-b"),
        ("model/rbudp", "r-c"),
        ("model/vrp", "v-d"),
        ("helper/command-line", "lfn-flags"),
        ("helper/output", "lfn-e"),
        ("helper/topology", "lfn-net"),
        ("helper/scenario", "lfn-frame"),
        ("helper/vrp", "v-helper"),
        ("helper/comparison", "lfn-all"),
    ]
}


def faults(path, text):
    return list(project_rules.faults({**HEADERS, path: text}))


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("model/path/x.cc", "int a;\n", "SPDX"),
        ("analysis/x.py", "a = 1\n", "SPDX"),
        ("model/path/x.cc", SPDX + "// \u00e9\n", "ASCII"),
        ("doc/x.rst", "see /ho" + "me/me/file\n", "machine path"),
        ("doc/x.rst", "put it in '/t" + "mp/file'\n", "machine path"),
        ("x.toml", "url = 'https://py" + "pi.example/simple'\n", "registry"),
        ("x.pcap", "x" * 1_000_001, "more than a megabyte"),
        ("model/path/x.cc", SPDX + "    NS_ASSERT_MSG(a, b);\n", "line number"),
        ("helper/x.cc", SPDX + "auto a = __LINE__;\n", "line number"),
        ("model/path/x.cc", SPDX + "// TO" + "DO: more\n", "left open"),
        ("doc/x.rst", "What was sent again is counted.\n", "write retransmitted"),
        ("doc/x.rst", "The Witness counts.\n", "write independent counter"),
        ("model/path/x.cc", SPDX + "// Begins anew.\n", "write again"),
        ("doc/x.rst", "It keeps so many packets.\n", "write the number of"),
        ("doc/x.rst", "It lasts two round trips.\n", "write RTT"),
        ("model/path/x.cc", SPDX + "// It tells the peer.\n", "write reports"),
        ("helper/x.cc", SPDX + "// The peer hears of it.\n", "write receives"),
        ("analysis/x.md", "The router wants more.\n", "write needs"),
        ("test/x.cc", SPDX + "// Whatever is lost.\n", "write for any"),
        ("doc/x.rst", "A hole of two packets.\n", "write gap"),
        ("helper/x.cc", SPDX + "// The host is none of ours.\n", "write is not one of"),
        ("analysis/x", "#!/bin/sh\nls\n", "SPDX"),
        ("model/path/x.cc", SPDX + '#include "ns3/lfn-b.h"\n', "may not include model/transfer"),
        ("model/wire/x.cc", SPDX + '#include "ns3/lfn-a.h"\n', "may not include model/path"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/v-d.h"\n', "may not include model/vrp"),
        ("model/transfer/x.cc", SPDX + '#include "ns3/r-c.h"\n', "may not include model/rbudp"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/lfn-e.h"\n', "may not include helper/output"),
        (
            "helper/output/x.cc",
            SPDX + '#include "ns3/lfn-net.h"\n',
            "may not include helper/topology",
        ),
        ("helper/scenario/x.h", SPDX + '#include "ns3/v-helper.h"\n', "may not include helper/vrp"),
        ("helper/xcp/x.cc", SPDX + '#include "ns3/v-helper.h"\n', "may not include helper/vrp"),
        (
            "helper/vrp/x.cc",
            SPDX + '#include "ns3/lfn-all.h"\n',
            "may not include helper/comparison",
        ),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/core-module.h"\n', "for programs"),
        ("model/rbudp/x-core.cc", SPDX + '#include "ns3/socket.h"\n', "a core may not include"),
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
        ("analysis/figures/x/figure.toml", "note = \"the sentence read 'XCP beside TCP'\"\n"),
        ("analysis/originals/x.md", "Told of, and sent again.\n"),
        ("doc/x.rst", "The round-trip time, round trip times and `a-round-trip`.\n"),
        ("model/path/x.h", SPDX + "// null when there is none of that name\n"),
        ("model/rbudp/x.cc", SPDX + '#include "ns3/lfn-w.h"\n#include "ns3/lfn-b.h"\n'),
        ("helper/output/x.cc", SPDX + '#include "ns3/r-c.h"\n#include "ns3/v-d.h"\n'),
        ("helper/output/x.cc", SPDX + '#include "lfn-e.h"\n#include "ns3/lfn-flags.h"\n'),
        ("helper/xcp/x.cc", SPDX + '#include "ns3/lfn-frame.h"\n#include "ns3/lfn-net.h"\n'),
        ("helper/comparison/x.cc", SPDX + '#include "ns3/v-helper.h"\n#include "ns3/v-d.h"\n'),
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("helper/output/lfn-e.h", "helper/topology/lfn-net.h"),
        ("helper/command-line/lfn-flags.h", "helper/scenario/lfn-frame.h"),
        ("helper/vrp/v-helper.h", "helper/xcp/x.h"),
        ("model/rbudp/r-c.h", "model/vrp/v-d.h"),
        ("model/path/lfn-a.h", "model/transfer/lfn-b.h"),
    ],
)
def test_finds_circles(one, other):
    """Of two directories that include one another, one may not."""
    files = {
        mine: f'{SPDX}#include "ns3/{PurePath(theirs).name}"\n'
        for mine, theirs in ((one, other), (other, one))
    }
    assert any("may not include" in fault for fault in project_rules.faults({**HEADERS, **files}))


def test_python_is_what_python_runs(tmp_path, monkeypatch):
    """Of any name; ruff looks at it."""
    monkeypatch.chdir(tmp_path)
    texts = {"a.py": "", "wscript": "", "job": "#!/usr/bin/env python3\n", "waf": "#!/bin/sh\n"}
    texts |= {"a.txt": "python\n", "empty": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert lint.python_files(texts) == ["a.py", "wscript", "job"]
