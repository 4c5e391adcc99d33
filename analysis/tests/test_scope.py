# SPDX-License-Identifier: GPL-2.0-only
"""The conditions of a claim in words."""

from lfn.scope import MOST, conditions


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
