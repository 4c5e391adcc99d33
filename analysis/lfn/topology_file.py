# SPDX-License-Identifier: GPL-2.0-only
"""Graphs of real networks (GraphML, GML, as the Topology Zoo has them) as files of FileTopology.

A network here is nodes with a place and links with a rate and a delay; what a graph leaves open or
says twice is decided by the caller or is an error that names it.
"""

import csv
import io
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import networkx

EARTH_KM = 6371.0088  # mean radius
LIGHT_KM_S = 299_792.458
IN_FIBRE = 2 / 3  # speed of light in glass, over that in vacuum
MOST_NODES = 10_000  # what FileTopology takes
MOST_NAME = 180  # bytes of a name, below what FileTopology takes
MOST_ROUTES = 500_000  # nodes with a role times nodes, likewise
MOST_LINKS = 255  # on a way between nodes with a role, likewise
MOST_RATE = 10**18  # bit/s; more is no speed
LABEL_ROUNDING = 0.02  # of a rate: 155 Mbit/s is an STM-1
UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
EDGE_DIRECTION = r"""(<edge\b[^>]*?)\sdirected\s*=\s*("[^"]*"|'[^']*')"""  # of GraphML
BIT_RATE = r"(bps|b/s|bit/s)$"
BYTE = r"B(?!(?i:it))"  # no bit
# Line rates of SDH (ITU-T G.707), SONET (ANSI T1.105) and of the PDH (ITU-T G.702), bit/s.
LINES = {"stm": 155_520_000, "oc": 51_840_000}
LINES_OF_PDH = {
    "e1": 2_048_000,
    "e2": 8_448_000,
    "e3": 34_368_000,
    "e4": 139_264_000,
    "t1": 1_544_000,
    "ds1": 1_544_000,
    "t3": 44_736_000,
    "ds3": 44_736_000,
}
BOUND = r"(?P<bound>[<>~\u2264\u2265]=?|=[<>])?\s*"
COUNT = r"(?:(?P<count>\d{1,4})\s*[x*\u00d7]\s*)?"
BITS = r"(?:(?-i:b)(?:ps|/s|/sec)?|bits?(?:ps|/s|/sec)?)"  # B is a byte
SPEED = (
    r"(?P<speed>\d+(?:\.\d+)?)\s*"
    rf"(?:(?P<unit>[kmgt]{BITS}?|{BITS})|(?P<ethernet>[mg])(?:be|e|ige|\s*ethernet))"
)
LINE = r"(?P<line>stm|oc)[\s-]?(?P<level>\d{1,4})c?|(?P<pdh>e[1-4]|t[13]|ds-?[13])"
LABEL = re.compile(f"{BOUND}{COUNT}(?:{SPEED}|{LINE})", re.IGNORECASE | re.ASCII)


class TopologyError(Exception):
    """What is wrong with a graph, and what to do."""


@dataclass(frozen=True)
class Options:
    """What decides where a graph leaves something open."""

    senders: tuple[str, ...]  # names, degree=N or highest=N
    receivers: tuple[str, ...]
    rate: int | None = None  # bit/s of links without a speed
    delay: float | None = None  # s, of links whose ends have no place
    largest: bool = False  # keep the largest connected part only
    merge: bool = False  # make one link of parallel ones
    undirected: bool = False  # each edge of a directed graph is a link of its own
    stretch: float = 1  # of a link's fibre over the great circle
    bottlenecks: tuple[tuple[str, str], ...] = ()  # names of the ends
    access: int | None = None  # bit/s of links to hosts of their own; None: the nodes are hosts
    access_delay: float = 0  # s, likewise


@dataclass
class Network:
    """Nodes with roles, links with rate and delay, and what was decided on the way."""

    nodes: list[tuple[str, str]]  # name, role
    links: list[tuple[str, str, int, float]]  # two names, bit/s, s
    notes: list[str] = field(default_factory=list)
    bottlenecks: set[frozenset[str]] = field(default_factory=set)  # names of the ends


def listed(names, most=5):
    """Return names in one line, not too many of them."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(map(str, names[:most])) + (f" and {rest} more" if rest > 0 else "")


def check_edges(graph, text):
    """Refuse a GraphML text of which the reader drops edges."""
    count = sum(element.tag.endswith("}edge") for element in ElementTree.fromstring(text).iter())
    if graph.number_of_edges() != count:
        raise TopologyError(
            f"only {graph.number_of_edges()} of {count} edges can be read: give parallel edges ids"
            " that differ, and a single graph without others within it"
        )


def read_graph(path, undirected=False):
    """Read a graph from a .graphml or .gml file; parallel links stay apart.

    A GraphML file may mix directed and undirected edges only where all are read as undirected.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in (".graphml", ".gml"):
        raise TopologyError("give a file whose name ends in .graphml or .gml")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TopologyError("this is no text in UTF-8, convert it first") from error
    except OSError as error:
        raise TopologyError(f"{error.strerror.lower()}, give another file") from error
    try:
        if kind == ".graphml":
            if undirected:
                text = re.sub(EDGE_DIRECTION, r"\1", text)
            graph = networkx.parse_graphml(text, force_multigraph=True)
            check_edges(graph, text)
            return graph
        # Parallel links are an error to the reader unless the graph says that it has some, and
        # names of nodes are one unless they are unique.
        if not re.search(r"\bmultigraph\s+1\b", text):
            text = re.sub(r"\bmultigraph\s+0\b", "", text)
            text = re.sub(r"\bgraph\s*\[", "graph [\n multigraph 1", text, count=1)
        return networkx.parse_gml(text, label="id")
    except TopologyError:
        raise
    except Exception as error:  # any error of the reader with a damaged file
        what = " ".join(str(error).split())
        if re.match(r"directed=(true|false) edge found", what):
            raise TopologyError(
                "it has directed and undirected edges, give --undirected to read all of them as"
                " links"
            ) from error
        raise TopologyError(f"this is no {kind[1:]} file ({what[:200]})") from error


def number(value):
    """Return a finite number, or None."""
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return result if math.isfinite(result) else None


def get_labels(edge):
    """Return the texts of a link that may have its rate, as the file has them."""
    speed = f"{edge.get('LinkSpeed', '')} {edge.get('LinkSpeedUnits', '')}"
    texts = []
    for text in (edge.get("LinkLabel"), edge.get("label"), speed):
        texts += text if isinstance(text, list) else [text]  # GML may give a key twice
    texts = (" ".join(str(text).split()) for text in texts if text is not None)
    return [text for text in texts if text]


def read_label(text):
    """Return (rate, is a bound) of a label such as "10 Gbps", ">= 1 Gb/s" or "2 x STM-4".

    The rate is in bit/s, and None where the whole text is no rate.
    """
    match = LABEL.fullmatch(text)
    if match is None:
        return None, False
    if match["line"]:
        rate = LINES[match["line"].lower()] * int(match["level"])
    elif match["pdh"]:
        rate = LINES_OF_PDH[match["pdh"].lower().replace("-", "")]
    else:
        unit = (match["ethernet"] or match["unit"])[0].lower()
        rate = float(match["speed"]) * UNITS[unit]
    rate *= int(match["count"] or 1)
    return (round(rate) if 1 <= rate <= MOST_RATE else None), match["bound"] is not None


def find_label(edge):
    """Return (text, rate, is a bound) of the first text of a link that is a rate, or None."""
    for text in get_labels(edge):
        rate, is_bound = read_label(text)
        if rate is not None:
            return text, rate, is_bound
    return None


def get_speed(edge):
    """Return the rate of a link (bit/s): LinkSpeedRaw, else LinkSpeed and its units, or None."""
    raw = number(edge.get("LinkSpeedRaw"))
    if raw is None:
        speed = number(edge.get("LinkSpeed"))
        text = str(edge.get("LinkSpeedUnits", "")).strip()
        unit = re.sub(BIT_RATE, "", text.lower())
        if speed is None or unit not in UNITS or re.search(BYTE, text):
            return None
        raw = speed * UNITS[unit]
    return round(raw) if 1 <= raw <= MOST_RATE else None


def get_rate(edge):
    """Return the rate of a link (bit/s): its speed, else that of its label, or None."""
    speed = get_speed(edge)
    label = find_label(edge) if speed is None else None
    return label[1] if label else speed


def get_place(node):
    """Return latitude and longitude (degrees), or None."""
    latitude = number(node.get("Latitude"))
    longitude = number(node.get("Longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 360:
        return None
    return latitude, longitude


def get_distance(one, other):
    """Return the length of the great circle between two places (km), by the haversine formula."""
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, place)) for place in (one, other))
    root = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(root)))


def get_delay(one, other):
    """Return the propagation delay between two places (s), in a straight fibre."""
    return get_distance(one, other) / (LIGHT_KM_S * IN_FIBRE)


def name_nodes(graph):
    """Return a name for each node: its label, made unique by its id where others have the same."""
    labels = {}
    for node, data in graph.nodes(data=True):
        label = "".join(c if c.isprintable() else " " for c in str(data.get("label", "")))
        label = label.encode()[:MOST_NAME].decode(errors="ignore").strip()
        labels[node] = label if label not in ("", "None", "?") else str(node)
    taken = set()
    names = {}
    counts = Counter(labels.values())
    for node, label in labels.items():
        name = f"{label} #{node}" if counts[label] > 1 else label
        while name in taken:
            name += "'"
        taken.add(name)
        names[node] = name
    return names


def leave_out(graph, names, options, notes):
    """Return the nodes that are not in the largest part; several parts need the options' leave."""
    plain = networkx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from((a, b) for a, b in graph.edges())
    order = {node: i for i, node in enumerate(graph)}
    parts = [sorted(part, key=order.get) for part in networkx.connected_components(plain)]
    parts.sort(key=lambda part: (-len(part), order[part[0]]))
    if len(parts) < 2:
        return []
    sizes = listed(f"{len(part)} ({names[part[0]]})" for part in parts)
    if not options.largest:
        raise TopologyError(
            f"{len(parts)} parts that no link connects, with these numbers of nodes: {sizes};"
            " give --largest to keep the largest one"
        )
    notes.append(f"kept the largest of {len(parts)} parts, with these numbers of nodes: {sizes}")
    return [node for part in parts[1:] for node in part]


def group_links(graph, undirected=False):
    """Return the links between each two nodes, {(node, node): [[data, ...], ...]}.

    A directed graph has a list for each direction, unless it is read as an undirected one. That
    has a single list.
    """
    is_directed = graph.is_directed() and not undirected
    order = {node: i for i, node in enumerate(graph)}
    groups = {}
    for a, b, data in graph.edges(data=True):
        pair = (a, b) if order[a] <= order[b] else (b, a)
        ways = groups.setdefault(pair, {})
        ways.setdefault(is_directed and pair != (a, b), []).append(data)
    return {pair: list(ways.values()) for pair, ways in groups.items()}


def note_directions(graph, groups, shown, options, notes):
    """Note how the edges of a directed graph are read."""
    if not graph.is_directed():
        if options.undirected:
            notes.append("the graph is undirected, --undirected changes nothing")
        return
    if options.undirected:
        notes.append("read each edge of the directed graph as a link of its own (--undirected)")
        return
    both = [shown[pair] for pair, ways in groups.items() if len(ways) > 1]
    if both:
        notes.append(
            "read edges there and back as the directions of one link; with --undirected they are"
            f" links of their own: {listed(both)}"
        )
    single = [shown[pair] for pair, ways in groups.items() if len(ways) == 1]
    if single:
        notes.append(f"read edges of one direction as links of both: {listed(single)}")


def note_rates(groups, shown, notes):
    """Note which rates are read from labels, or are not those of the labels."""
    read, bounds, other = [], [], []
    for pair, ways in groups.items():
        for data in (data for way in ways for data in way):
            label = find_label(data)
            if label is None:
                continue
            text = f"{shown[pair]} ({label[0]})"
            if get_speed(data) is None:
                (bounds if label[2] else read).append(text)
            elif abs(get_speed(data) - label[1]) > LABEL_ROUNDING * label[1]:
                other.append(f"{text[:-1]}, {print_rate(get_speed(data))})")
    # Both directions of a link say the same.
    for found, what in (
        (read, "read the rate from the label of"),
        (bounds, "took the bound in the label as the rate of"),
        (other, "took LinkSpeedRaw or LinkSpeed, which differs from the label, for"),
    ):
        if found:
            notes.append(f"{what} {listed(dict.fromkeys(found))}")


def make_links(graph, names, options, notes):
    """Return the links as (node, node, bit/s, s), in the order of the graph."""
    groups = group_links(graph, options.undirected)
    loops = [names[a] for a, b in groups if a == b]
    if loops:
        notes.append(f"left out links from a node to itself: {listed(loops)}")
    groups = {pair: ways for pair, ways in groups.items() if pair[0] != pair[1]}
    shown = {pair: " - ".join(names[node] for node in pair) for pair in groups}
    note_directions(graph, groups, shown, options, notes)
    parallel = [shown[pair] for pair, ways in groups.items() if max(map(len, ways)) > 1]
    if parallel and not options.merge:
        raise TopologyError(
            f"more than one link between {listed(parallel)};"
            " give --merge to make one of each, with the sum of the rates"
        )
    if parallel:
        notes.append(f"merged the links between {listed(parallel)}")
    note_rates(groups, shown, notes)
    silent = {
        shown[pair]
        for pair, ways in groups.items()
        if any(get_rate(data) is None for way in ways for data in way)
    }
    if silent and options.rate is None:
        raise TopologyError(
            f"links without a speed: {listed(sorted(silent))};"
            " give --rate for them, such as --rate=10Gbps"
        )
    if silent:
        notes.append(f"took the rate of --rate for {listed(sorted(silent))}")
    links = []
    nowhere = []
    for pair, ways in groups.items():
        rates = {sum(get_rate(data) or options.rate for data in way) for way in ways}
        if len(rates) > 1:
            raise TopologyError(
                f"{shown[pair]}: the edges there and back have different rates,"
                f" {' and '.join(map(print_rate, sorted(rates)))}; give --undirected to read them"
                " as links of their own, and --merge to make one link of them"
            )
        places = [get_place(graph.nodes[node]) for node in pair]
        if None in places:
            nowhere += [names[node] for node, at in zip(pair, places, strict=True) if at is None]
            delay = options.delay
        else:
            delay = options.stretch * get_delay(*places)
        links.append((*pair, rates.pop(), delay))
    nowhere = list(dict.fromkeys(nowhere))
    if nowhere and options.delay is None:
        raise TopologyError(
            f"nodes without a place: {listed(nowhere)};"
            " give --delay for their links, such as --delay=1ms"
        )
    if nowhere:
        notes.append(f"took the delay of --delay for links of {listed(nowhere)}")
    return links


def choose(wanted, flag, names, degrees):
    """Return the nodes that the words behind a flag name."""
    chosen = []
    by_name = {name: node for node, name in names.items()}
    for word in wanted:
        match = re.fullmatch(r"(degree|highest)=(\d+)", word)
        if word in by_name:
            found = [by_name[word]]
        elif match and match[1] == "degree":
            found = [node for node, degree in degrees.items() if degree == int(match[2])]
        elif match:
            ranked = sorted(degrees, key=degrees.get, reverse=True)  # stable: the file's order
            found = ranked[: int(match[2])]
        else:
            raise TopologyError(
                f"--{flag}: there is no node {word}; give names such as {listed(by_name, 3)},"
                " degree=N or highest=N"
            )
        if not found:
            raise TopologyError(
                f"--{flag}: no node fits {word}; there are the degrees"
                f" {listed(sorted(set(degrees.values())), 20)}"
            )
        chosen += [node for node in found if node not in chosen]
    return chosen


def find_bottlenecks(wanted, links, names):
    """Return the links that pairs of names mean, as sets of names."""
    there = {frozenset((names[a], names[b])) for a, b, *_ in links}
    for pair in wanted:
        if frozenset(pair) not in there:
            raise TopologyError(
                f"--bottleneck: there is no link {pair[0]} - {pair[1]}; name both ends of one,"
                f" such as {' - '.join(sorted(min(there, key=sorted)))}"
            )
    return {frozenset(pair) for pair in wanted}


def add_hosts(ends, kind, names, links, options):
    """Put a host behind each of some nodes, on a link of its own; return the hosts."""
    hosts = []
    for node in ends:
        host = (kind, node)
        name = f"{names[node]} {kind}"[:MOST_NAME]
        while name in names.values():
            name += "'"
        names[host] = name
        links.append((node, host, options.access, options.access_delay))
        hosts.append(host)
    return hosts


def check_size(links, names, ends):
    """Refuse what FileTopology refuses: too many routes, and ways that are too long."""
    if len(ends) * len(names) > MOST_ROUTES:
        raise TopologyError(
            f"{len(ends)} senders and receivers among {len(names)} nodes are too many,"
            f" name {MOST_ROUTES // len(names)} at most"
        )
    plain = networkx.Graph((a, b) for a, b, *_ in links)
    for end in ends:
        far = networkx.single_source_shortest_path_length(plain, end) if end in plain else {}
        for other in ends:
            if far.get(other, 0) > MOST_LINKS:
                raise TopologyError(
                    f"{far[other]} links between {names[end]} and {names[other]}: a packet crosses"
                    f" {MOST_LINKS} at most, name nearer nodes"
                )


def arrange(senders, receivers):
    """Return receivers as FileTopology lists them: they repeat until no node is its own pair."""
    pairs = range(max(len(senders), len(receivers)))
    place = {node: i for i, node in enumerate(receivers)}
    own = {
        (place[senders[i % len(senders)]] - i) % len(receivers)
        for i in pairs
        if senders[i % len(senders)] in place
    }
    shifts = range(len(receivers))
    good = [shift for shift in shifts if shift not in own]
    good += [shift for shift in shifts if receivers[shift] != senders[0]]
    return receivers[good[0] :] + receivers[: good[0]]


def order_nodes(senders, receivers, names, notes):
    """Return senders and receivers in an order of which FileTopology makes the pairs asked for."""
    asked = arrange(senders, receivers)
    if asked != receivers:
        pairs = zip(senders, asked, strict=False)
        notes.append(
            "the receivers repeat, lest a node be its own pair:"
            f" {listed(f'{names[a]} - {names[b]}' for a, b in pairs)}"
        )
    first = list(dict.fromkeys([*senders, *receivers]))
    place = {node: i for i, node in enumerate(first)}
    both = [node for node in senders if node in receivers]
    # The reader may turn the file's receivers back to those asked for.
    files = [both + [node for node in receivers if node not in both]]
    files += [asked[i:] + asked[:i] for i in range(len(asked))]
    for file in files:
        if arrange(senders, file) != asked:
            continue
        lists = networkx.DiGraph()
        networkx.add_path(lists, senders)
        networkx.add_path(lists, file)
        try:
            return list(networkx.lexicographical_topological_sort(lists, key=place.get))
        except networkx.NetworkXUnfeasible:
            continue
    raise TopologyError(
        f"no order of nodes gives the pairs asked for, since {listed(names[n] for n in both)}"
        " send and receive: name them in the same order behind --senders and --receivers"
    )


def convert(graph, options):
    """Make a network of a graph; raises TopologyError when something is open or contradictory."""
    if not graph:
        raise TopologyError("the graph has no nodes, give another file")
    notes = []
    names = name_nodes(graph)
    graph = graph.copy()  # a view of a part would not keep the order of its nodes
    graph.remove_nodes_from(leave_out(graph, names, options, notes))
    if len(graph) > MOST_NODES:
        raise TopologyError(f"{len(graph)} nodes are too many, give {MOST_NODES} at most")
    names = {node: names[node] for node in graph}
    renamed = [name for node, name in names.items() if name != graph.nodes[node].get("label")]
    if renamed:
        notes.append(f"named nodes whose labels are no names of one node: {listed(renamed)}")
    links = make_links(graph, names, options, notes)
    degrees = dict.fromkeys(names, 0)
    for a, b, *_ in links:
        degrees[a] += 1
        degrees[b] += 1
    senders = choose(options.senders, "senders", names, degrees)
    receivers = choose(options.receivers, "receivers", names, degrees)
    bottlenecks = find_bottlenecks(options.bottlenecks, links, names)
    if options.access is not None:
        senders = add_hosts(senders, "sender", names, links, options)
        receivers = add_hosts(receivers, "receiver", names, links, options)
        if len(names) > MOST_NODES:
            raise TopologyError(f"{len(names)} nodes and hosts are too many, name fewer")
    if receivers == senders[:1]:
        raise TopologyError(f"{names[senders[0]]} would send to itself, name another receiver")
    check_size(links, names, {*senders, *receivers})
    roles = {
        (True, False): "sender",
        (False, True): "receiver",
        (True, True): "both",
        (False, False): "",
    }
    # The order of lines reports that of senders and receivers.
    first = order_nodes(senders, receivers, names, notes)
    order = first + [node for node in names if node not in set(first)]
    nodes = [(names[node], roles[node in senders, node in receivers]) for node in order]
    named = [(names[a], names[b], rate, delay) for a, b, rate, delay in links]
    return Network(nodes, named, notes, bottlenecks)


def print_rate(rate):
    """Return a rate with the largest unit that divides it."""
    for unit, scale in (("Gbps", 10**9), ("Mbps", 10**6), ("kbps", 10**3)):
        if rate % scale == 0:
            return f"{rate // scale}{unit}"
    return f"{rate}bps"


def print_delay(delay):
    """Return a delay in microseconds, to the nanosecond."""
    return f"{delay * 1e6:.3f}".rstrip("0").rstrip(".") + "us"


def to_csv(network, comment=""):
    """Return the text of a network's file."""
    text = io.StringIO()
    if comment:
        text.write(f"# {comment}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["kind", "a", "b", "rate", "delay", "queue", "loss", "bottleneck"])
    for name, role in network.nodes:
        writer.writerow(["node", name, role] if role else ["node", name])
    for a, b, rate, delay in network.links:
        marks = ["", "", "bottleneck"] if frozenset((a, b)) in network.bottlenecks else []
        writer.writerow(["link", a, b, print_rate(rate), print_delay(delay), *marks])
    return text.getvalue()
