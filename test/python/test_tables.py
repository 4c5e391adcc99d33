# SPDX-License-Identifier: GPL-2.0-only
"""The tables of doc/generated are what the programs tell today, and some chapter shows each."""

import re

import pytest
from project import BUILD, HOME

import tables

COMMITTED = {path.name: path.read_text() for path in (HOME / tables.FOLDER).glob("*.rst")}


@pytest.fixture(scope="module")
def made():
    return tables.make(BUILD, HOME)


def test_every_table_is_there(made):
    assert sorted(COMMITTED) == sorted(made)


@pytest.mark.parametrize("name", sorted(COMMITTED))
def test_table_is_that_of_today(made, name):
    assert COMMITTED[name] == made.get(name), "./waf docs makes it anew"


def test_every_attribute_is_in_one_table(made):
    lines = tables.ask(BUILD / "bin/lfn-test-runner", "--attributes").splitlines()
    pages = [text for name, text in made.items() if name.endswith("-attributes.rst")]
    rows = [line for text in pages for line in text.splitlines() if line.startswith('   "')]
    assert len(rows) == len(lines) >= 400


def test_every_table_is_in_one_chapter():
    chapters = "\n".join(path.read_text() for path in (HOME / "doc").glob("*.rst"))
    shown = re.findall(r"^\.\. include:: generated/(\S+)$", chapters, re.M)
    assert sorted(shown) == sorted(COMMITTED)


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
        "    --topology:  such as A[B=1]\n    --rtt:       round trip [ns3::lfn::P::Rtt] [20ms]\n"
        "    --transport: by name [tcp,vrp[MaxLossRate=0.1]]\n\nGeneral Arguments:\n"
    )
    assert tables.flags_of(text) == {
        "topology": ("", "such as A[B=1]", ""),
        "rtt": ("20ms", "round trip", "P::Rtt"),
        "transport": ("tcp,vrp[MaxLossRate=0.1]", "by name", ""),
    }
