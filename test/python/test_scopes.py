# SPDX-License-Identifier: GPL-2.0-only
"""What the documents say of scope, limits and numbers is what the programs and lists have."""

import re

import pytest
import test_transport_comparison as comparison
from project import BUILD, HOME, run

import tables

PAGES = {name: (HOME / f"doc/{name}.rst").read_text() for name in ("rbudp", "atou", "comparison")}


def words(name):
    """Return the text of a page with single blanks."""
    return re.sub(r"\s+", " ", PAGES[name])


def listed(text):
    """Return the names in double backquotes."""
    return set(re.findall(r"``([\w-]+)``", text))


def test_ranges_of_the_deviations_are_those_of_the_lists():
    text = (HOME / "doc/deviations.md").read_text()
    found = re.findall(r"^\| \[.*?\]\((deviations/\w+\.md)\).*?\| (.*) \|$", text, re.M)
    assert len(found) == len(list((HOME / "doc/deviations").glob("*.md")))
    for path, ranges in found:
        lists = {}
        ids = re.findall(r"^### ([A-Z-]+)(\d+)[a-z]?: ", (HOME / "doc" / path).read_text(), re.M)
        for kind, number in ids:
            lists.setdefault(kind, []).append(int(number))
        expected = [f"{kind}1 to {kind}{max(all_)}" for kind, all_ in lists.items()]
        assert sorted(ranges.split(", ")) == sorted(expected), path


def test_rbudp_takes_the_layout_of_the_published_tools():
    assert "does not interoperate" not in words("rbudp")
    assert "``--wire=tools`` takes theirs" in words("rbudp")
    text = tables.ask(BUILD / "bin/rbudp-transfer", "--PrintHelp")
    assert re.search(r"--wire:.*tools for usend and urecv", text)


@pytest.mark.parametrize("version", ["4", "6"])
def test_atou_and_rbudp_work_over_both_versions_of_ip(tmp_path, version):
    assert "both IPv4 and IPv6 work" in words("atou")
    assert "Addresses are IPv4 or IPv6" in words("rbudp")
    options = {"atou-transfer": "--options=maxpkts 100", "rbudp-transfer": "--bytes=100kB"}
    for program, flag in options.items():
        result = run(program, tmp_path, flag, f"--ipVersion={version}", "--force")
        assert (result.returncode, result.stderr) == (0, "")
        assert "not complete" not in result.stdout


def test_numbers_of_the_matrix():
    settings = len([*comparison.TRANSPORTS, *comparison.MORE])
    networks = len(comparison.ALL)
    text = f"runs {settings} settings on {networks} networks with and without losses"
    assert text in words("comparison")
    assert f"Each of the {2 * settings * networks} runs" in words("comparison")


def test_hosts_take_time_where_a_profile_is_given(tmp_path):
    assert "Hosts take no time unless ``--senderHost`` and ``--receiverHost``" in words(
        "comparison"
    )
    times = []
    for more in ([], ["--receiverHost=livelock"]):
        flags = ["--transport=rbudp", "--linkRate=1Gbps", "--bytes=20MB", "--force", *more]
        times.append(run("transport-comparison", tmp_path, *flags).stdout.partition(" in ")[2])
    assert times[0] != times[1]


def test_transports_that_send_no_objects(tmp_path):
    assert "atou sends transfers of a size and is refused" in words("comparison")
    refused = run(
        "transport-comparison", tmp_path, "--transport=atou", "--objectSize=1kB", "--bytes=10kB"
    ).stderr
    takes = refused.partition("take ")[2].strip().split(", ")
    assert set(comparison.PLAIN) - set(takes) == {"atou"}


def test_figures_and_rates_that_the_comparison_names():
    assert "figures ``compare-*`` compare all transports" in words("comparison")
    for path in (HOME / "analysis/figures").glob("compare-*"):
        assert "transport-comparison" in (path / "figure.toml").read_text()
    (rated,) = re.findall(r"Transports with a rate \((.*?)\)", words("comparison"))
    assert listed(rated) == set(comparison.RATED)


def test_number_of_cases_of_the_original_programs():
    lines = (HOME / "analysis/originals/atou-cases.csv").read_text().splitlines()
    assert f"Of {len(lines) - 1} cases over an emulated path" in words("atou")
    assert f"all {len(lines) - 1} cases are equal" in words("atou")
