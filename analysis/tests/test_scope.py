# SPDX-License-Identifier: GPL-2.0-only
"""The conditions of a claim in words."""

from lfn.scope import MOST, conditions, in_force


def test_what_is_common_comes_first_and_values_are_named():
    points = [
        {"flows": "4", "rtt": "60ms", "ns3::lfn::UdtSource::Mss": "1500"},
        {"flows": "8", "rtt": "60ms", "ns3::lfn::UdtSource::Mss": "1500"},
    ]
    assert conditions(points) == "rtt 60ms; UdtSource::Mss 1500; flows 4 or 8"


def test_of_many_values_the_ends_are_named():
    points = [{"bytes": f"{n}MB"} for n in range(MOST + 1)]
    assert conditions(points) == f"bytes 0MB to {MOST}MB ({MOST + 1} values)"
    assert "to" not in conditions(points[1:])


def test_a_flag_of_some_points_and_one_that_changes_nothing():
    points = [{"options": "a 1; b 2", "seriesInterval": "1s"}, {}]
    assert conditions(points) == "options a 1, b 2 or not given"


def test_arithmetic_has_no_conditions():
    assert conditions([]) == ""


def test_defaults_that_make_the_path_and_those_of_flags_that_others_are_given():
    had = {"rtt": "200us", "lossRate": "0", "topology": "", "duration": "0s", "flows": "1"}
    some = {"args": {"flows": "4"}, "run_json": {"flags": {**had, "flows": "4"}}}
    other = {"args": {}, "run_json": {"flags": had}}
    assert conditions(in_force([some, other])) == "rtt 200us; flows 4 or 1"
    assert conditions(in_force([other])) == "rtt 200us"
    topology = {"args": {}, "run_json": {"flags": {**had, "topology": "net.csv"}}}
    assert conditions(in_force([topology])) == ""
    assert conditions(in_force([{"args": {"rtt": "1ms"}}])) == "rtt 1ms"
    sized = {"args": {}, "run_json": {"flags": {"packetSize": "1400B", "bytes": "1MB"}}}
    assert conditions(in_force([sized])) == "packetSize 1400B"
