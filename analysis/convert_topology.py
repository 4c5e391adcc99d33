# SPDX-License-Identifier: GPL-2.0-only
r"""Make a file of FileTopology from a graph, such as those of the Topology Zoo.

.venv/bin/python analysis/convert_topology.py Abilene.gml --rate 10Gbps \\
    --senders Seattle --receivers "New York" --out abilene.csv
build/bin/rbudp-transfer --topology="ns3::lfn::FileTopology[File=abilene.csv]"
"""

import argparse
import sys
from pathlib import Path

from lfn.files import printable, write_if_changed
from lfn.flags import Parser
from lfn.units import quantity

try:
    from lfn.topology_file import Options, TopologyError, convert, read_graph, to_csv
except ModuleNotFoundError as error:
    sys.exit(f"convert_topology.py: {error.name} is missing: ./waf figures --plan installs it")


def value(kind, base, most):
    """Return a reader of values above 0, up to ``most``, in units of ``base``."""

    def read(text):
        try:
            result, unit = quantity(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text}: give {kind}") from error
        if unit != base or not 0 < result <= most:
            raise argparse.ArgumentTypeError(f"{text}: give {kind}")
        return result

    return read


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(
        prog="convert_topology.py",
        description="Make a CSV file of ns3::lfn::FileTopology from a GraphML or GML file.",
    )
    parser.add_argument("graph", type=Path, help="a .graphml or .gml file")
    parser.add_argument("--out", required=True, type=Path, help="the CSV file to write")
    hosts = "names, degree=N (all of that degree) or highest=N (those with the most links)"
    for flag in ("senders", "receivers"):
        parser.add_argument(f"--{flag}", nargs="+", required=True, metavar="NODE", help=hosts)
    parser.add_argument(
        "--rate",
        type=value("a rate above 0 with its unit, such as 10Gbps", "bps", 1e18),
        help="rate of links without a speed; otherwise they are an error",
    )
    parser.add_argument(
        "--delay",
        type=value("a time up to a day with its unit, such as 1ms", "s", 86400),
        help="delay of links whose ends have no coordinates; otherwise they are an error",
    )
    parser.add_argument(
        "--largest", action="store_true", help="keep the largest connected part of several"
    )
    parser.add_argument(
        "--merge", action="store_true", help="make one link of parallel ones, with all their rates"
    )
    parser.add_argument(
        "--undirected",
        action="store_true",
        help="read each edge of a directed graph as a link of its own, so that edges there and "
        "back are two; otherwise they are the directions of one",
    )
    parser.add_argument(
        "--stretch",
        type=float,
        default=1.0,
        help="length of a link's fibre over the great circle, from 1 to 10; fibres follow roads",
    )
    parser.add_argument(
        "--bottleneck",
        nargs=2,
        action="append",
        default=[],
        metavar="NODE",
        help="mark the link between two nodes; may be given again",
    )
    parser.add_argument(
        "--access",
        type=value("a rate above 0 with its unit, such as 1Gbps", "bps", 1e18),
        help="put each sender and receiver on a host of its own, behind its node by a link of "
        "this rate",
    )
    parser.add_argument(
        "--access-delay",
        type=value("a time up to a day with its unit, such as 1ms", "s", 86400),
        help="delay of these links; 0 unless given",
    )
    given = parser.parse_args(argv)
    if not 1 <= given.stretch <= 10:
        parser.error("argument --stretch: give a number from 1 to 10")
    if given.access_delay is not None and given.access is None:
        parser.error("argument --access-delay: goes with --access only")
    return given


def main(argv=None):
    """Entry point; returns the exit status, or ends with one line that says what is wrong."""
    given = parse(argv)
    options = Options(
        senders=tuple(given.senders),
        receivers=tuple(given.receivers),
        rate=None if given.rate is None else max(1, round(given.rate)),
        delay=given.delay,
        largest=given.largest,
        merge=given.merge,
        undirected=given.undirected,
        stretch=given.stretch,
        bottlenecks=tuple(map(tuple, given.bottleneck)),
        access=None if given.access is None else max(1, round(given.access)),
        access_delay=given.access_delay or 0,
    )
    out = f"convert_topology.py: --out {printable(given.out)}"
    try:
        network = convert(read_graph(given.graph, given.undirected), options)
    except TopologyError as error:
        sys.exit(f"convert_topology.py: {printable(given.graph)}: {error}")
    for note in network.notes:
        print(note, file=sys.stderr)
    if not given.out.name or given.out.is_dir():
        sys.exit(f"{out}: name a file")
    if given.out.exists() and given.out.samefile(given.graph):
        sys.exit(f"{out}: is the graph, name another file")
    try:
        write_if_changed(given.out, to_csv(network, f"made from {printable(given.graph.name)}"))
    except OSError as error:
        sys.exit(f"{out}: {error.strerror}")
    print(f"{printable(given.out)}: {len(network.nodes)} nodes, {len(network.links)} links")
    return 0


if __name__ == "__main__":
    sys.exit(main())
