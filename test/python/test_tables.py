# SPDX-License-Identifier: GPL-2.0-only
"""The tables of doc/generated have all Attributes and flags, and one chapter shows each table."""

import re
import subprocess
import sys

import pytest
from project import BUILD, HOME

import docs
import tables


@pytest.fixture(scope="module")
def made():
    return tables.make(BUILD, HOME)


def test_every_attribute_is_in_one_table(made):
    lines = tables.ask(BUILD / "bin/lfn-test-runner", "--attributes").splitlines()
    pages = [text for name, text in made.items() if name.endswith("-attributes.rst")]
    rows = [line for text in pages for line in text.splitlines() if line.startswith('   "')]
    sources = [line for line in rows if line.startswith('   "``')]
    assert len(rows) - len(sources) == len(lines) >= 400
    files = [*HOME.glob("model/*/*.cc"), *HOME.glob("helper/*/*.cc")]
    assert len(sources) == sum(path.read_text().count(".AddTraceSource(") for path in files) > 40


@pytest.mark.parametrize(
    ("callback", "shown"),
    [
        ("TracedValueCallback::Uint32", "uint32_t before, uint32_t now"),
        ("Packet::TracedCallback", "Ptr<const Packet>"),
        ("lfn::A::SentTracedCallback", "uint32_t number, bool isLast"),
        ("lfn::EndTracedCallback", "Time now"),
    ],
)
def test_arguments_of_a_trace_source(callback, shown):
    own = "class A\n{\n  typedef void (*SentTracedCallback)(uint32_t number,\n bool isLast);\n};\n"
    other = "class B\n{\n    typedef void (*SentTracedCallback)(int);\n};\n"
    free = "typedef void (*EndTracedCallback)(Time now);\n"
    assert tables.arguments(callback, {"b.h": other, "a.h": own, "c.h": free}) == shown


def test_every_table_is_in_one_chapter(made):
    chapters = "\n".join(path.read_text() for path in (HOME / "doc").glob("*.rst"))
    shown = re.findall(r"^\.\. include:: generated/(\S+)$", chapters, re.M)
    assert sorted(shown) == sorted(made)


def test_tables_are_renewed_and_no_others_stay(tmp_path, made, monkeypatch):
    monkeypatch.setattr(tables, "make", lambda *_: made)
    folder = tmp_path / tables.FOLDER
    folder.mkdir(parents=True)
    (folder / "gone-flags.rst").write_text("old\n")
    (folder / "common-flags.rst").write_text("old\n")
    tables.renew(BUILD, tmp_path)
    assert {path.name: path.read_text() for path in folder.iterdir()} == made


def test_tables_are_not_committed():
    assert f"/{tables.FOLDER}/" in (HOME / ".gitignore").read_text().splitlines()


def test_without_tables_the_book_says_who_makes_them(tmp_path):
    (tmp_path / "conf.py").write_text((HOME / "doc/conf.py").read_text())
    (tmp_path / "index.rst").write_text("lfn\n===\n")
    words = ["-q", "-b", "html", str(tmp_path), str(tmp_path / "book")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "doc/generated is missing: ./waf docs makes it" in done.stderr


def test_without_programs_docs_says_what_comes_first(tmp_path, capsys):
    assert docs.main(tmp_path) == 1
    assert "run ./waf build first" in capsys.readouterr().err


def test_a_program_that_fails_is_one_line(tmp_path, capsys):
    (tmp_path / "bin").mkdir()
    for name in tables.PROGRAMS:
        (tmp_path / "bin" / name).write_text("#!/bin/sh\necho more >&2\necho broken >&2\nexit 1\n")
        (tmp_path / "bin" / name).chmod(0o755)
    assert tables.main(tmp_path) == 1
    assert capsys.readouterr() == ("", "docs: broken\n")


def test_the_tree_builds_what_the_tables_are_made_of():
    text = (HOME / "examples/CMakeLists.txt").read_text()
    built = {path.stem for path in (HOME / "examples").glob("*.cc")}
    built |= set(re.findall(r"^  NAME ([\w-]+)$", text, re.M))
    assert set(tables.PROGRAMS) <= built


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("+5e+09ns", "5 s"),
        ("+1e+06ns", "1 ms"),
        ("-1ns", "-1 ns"),
        ("+0ns", "0 s"),
        ("+3.1536e+17ns", "10 years"),
        ("600000000bps", "600 Mb/s"),
        ("0bps", "0 b/s"),
        ("1e+07", "10000000"),
        ("0.226", "0.226"),
        ("10000p", "10000p"),
        ("", ""),
    ],
)
def test_values_as_people_write_them(text, shown):
    assert tables.number(text) == shown


@pytest.mark.parametrize(
    ("kind", "about", "shown"),
    [
        ("ns3::UintegerValue", "uint32_t 1:4294967295", "1 on"),
        ("ns3::UintegerValue", "uint16_t 68:65535", "68 to 65535"),
        ("ns3::DoubleValue", "double 0:1", "0 to 1"),
        ("ns3::DoubleValue", "double -1.79769e+308:1.79769e+308", "a number"),
        ("ns3::TimeValue", "Time +1ns:+9.22337e+18ns", "1 ns on"),
        ("ns3::TimeValue", "Time -9.22337e+18ns:+9.22337e+18ns", "a time"),
        ("ns3::EnumValue<ns3::lfn::A>", "Floor|Nearest", "Floor, Nearest"),
        ("ns3::PointerValue", "ns3::Ptr< ns3::lfn::HostCost >", "HostCost"),
        ("ns3::DataRateValue", "ns3::DataRate above 0", "a rate above 0"),
    ],
)
def test_what_an_attribute_takes(kind, about, shown):
    assert tables.domain(kind, about) == shown


def test_flags_of_a_help():
    text = (
        "x [Program Options]\n\nWords.\n\nProgram Options:\n"
        "    --topology:  such as A[B=1]\n    --rtt:       RTT [ns3::lfn::P::Rtt] [20ms]\n"
        "    --transport: by name [tcp,vrp[MaxLossRate=0.1]]\n\nGeneral Arguments:\n"
    )
    assert tables.flags_of(text) == {
        "topology": ("", "such as A[B=1]", ""),
        "rtt": ("20ms", "RTT", "P::Rtt"),
        "transport": ("tcp,vrp[MaxLossRate=0.1]", "by name", ""),
    }
