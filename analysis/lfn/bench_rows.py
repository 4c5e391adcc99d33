# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf bench measures: rows of counts, peers, and comparisons with their goals."""

from dataclasses import dataclass

from lfn.counting import Line

BASELINE = "lfn-bench-baseline"
PEERS = "lfn-bench-peers"
PACKET = 1400
TRANSPORTS = ("atou", "fec-udp", "jrm", "parallel-tcp", "rbudp", "tcp", "udp", "udt", "vrp", "xcp")
# Without losses: the queues are never full.
TOPOLOGIES = {
    "link": "PointToPointTopology[Queue=10000p]",
    "dumbbell": "DumbbellTopology",
    "parking lot": "ParkingLotTopology",
}
ROUTERS = {"link": 0, "dumbbell": 2, "parking lot": 4}
APPLICATIONS = {"bulk": "BulkSend", "udp": "UdpClient", "onoff": "OnOff"}


@dataclass(frozen=True)
class Comparison:
    """Two lines; the goal is the highest good ratio of their costs per packet.

    The costs are instructions, or processor time in pairs of runs where caches and the allocator
    matter, which instructions do not show.
    """

    name: str
    ours: Line
    theirs: Line
    goal: float


@dataclass(frozen=True)
class Growth:
    """Lines of growing size; the goal is the most memory above the first, in MiB."""

    name: str
    lines: dict[str, Line]
    goal_mib: float


def transfer(transport, topology="dumbbell", ip=4, sizes=(1_000_000, 5_000_000), **flags):
    """Return a Line of transport-comparison."""
    network = TOPOLOGIES.get(topology, topology)
    words = _words({"transport": transport, "topology": f"ns3::lfn::{network}", "ipVersion": ip})
    words += _words({"bytes": "{n}", "packetSize": PACKET, **flags})
    return Line("transport-comparison", words, *sizes, PACKET)


def counted(*, quick):
    """Return {row: Line} of what the stored counts are of; quick: IPv6 on the dumbbell alone."""
    return {
        f"{transport}, {topology}, IPv{ip}": transfer(transport, topology, ip)
        for ip in (4, 6)
        for topology in TOPOLOGIES
        for transport in TRANSPORTS
        if not quick or ip == 4 or topology == "dumbbell"
    }


def _peer(application, topology, ip=4, packet=PACKET, **flags):
    words = {"application": application, "routers": ROUTERS[topology], "packetSize": packet}
    words |= {"bytes": "{n}", "ipv6": str(ip == 6).lower(), **flags}
    return Line(PEERS, _words(words), 1_000_000, 5_000_000, packet)


def peers():
    """Return {row: Line} of ns-3's applications as they ship."""
    return {
        f"ns-3 {name}, {topology}, IPv{ip}": _peer(application, topology, ip)
        for ip in (4, 6)
        for topology in TOPOLOGIES
        for application, name in APPLICATIONS.items()
    }


def ns2_peers(script):
    """Return {row: Line} of ns-2's, where it is installed."""
    words = ("--packets={n}", f"--packetSize={PACKET}")
    return {
        f"ns-2.35 {name}, {topology}, IPv4": Line(
            "ns",
            (str(script), f"--protocol={protocol}", f"--routers={ROUTERS[topology]}", *words),
            1000,
            5000,
            PACKET,
        )
        for topology in TOPOLOGIES
        for protocol, name in (("sack", "TCP/Sack1"), ("xcp", "XCP"))
    }


def _words(flags):
    return tuple(f"--{name}={value}" for name, value in flags.items())


def by_instructions():
    """Return what is compared by instructions per packet."""
    return [
        *_over_peers(),
        *_options(),
        *_rbudp(),
        *_udt(),
        *_vrp(),
        *_jrm(),
        *_tcp(),
        *_xcp(),
        *_cores(),
    ]


def _compare(packet, rows):
    """Return a Comparison per (name, goal, ours, theirs), each side (program, flags, sizes)."""
    return [
        Comparison(name, Line(*ours, packet), Line(*theirs, packet), goal)
        for name, goal, ours, theirs in rows
    ]


def _over_peers():
    rows = [
        ("tcp", "bulk", 0.75),
        ("udp", "udp", 0.85),
        ("udp", "onoff", 0.85),
        ("parallel-tcp", "bulk", 0.75),
    ]
    return [
        Comparison(
            f"{transport} / ns-3 {APPLICATIONS[application]}, dumbbell, IPv{ip}",
            transfer(transport, "dumbbell", ip),
            _peer(application, "dumbbell", ip),
            goal,
        )
        for transport, application, goal in rows
        for ip in (4, 6)
    ]


def _options():
    """Compare transports with themselves: FEC, connections, IPv6, hosts and losses."""
    many = {"flows": 32, "sizes": (100_000, 300_000)}

    def pairs(number):
        return f"DumbbellTopology[Pairs={number}]"

    rows = [
        ("fec-udp / udp", transfer("fec-udp"), transfer("udp"), 1.6),
        ("parallel-tcp / tcp", transfer("parallel-tcp"), transfer("tcp"), 1.1),
    ]
    rows += [
        # Ipv6L3Protocol walks over a router's interfaces; hashed routes spare IPv4 that.
        (f"{name}, IPv6 / IPv4", transfer(name, ip=6), transfer(name), 1.4)
        for name in ("tcp", "udp", "vrp")
    ]
    hosts = (transfer("tcp", pairs(number), **many) for number in (1000, 32))
    rows += [("tcp, pairs of hosts 32 to 1000", *hosts, 1.1)]
    rows += [
        (f"{name}, 1 % lost", transfer(name, "link", lossRate=0.01), transfer(name, "link"), goal)
        for name, goal in (
            ("tcp", 1.5),
            ("rbudp", 1.25),
            ("vrp", 1.5),
            ("jrm", 1.5),
            ("fec-udp", 1.25),
        )
    ]
    return [Comparison(name, ours, theirs, goal) for name, ours, theirs, goal in rows]


def _rbudp():
    flags = ("--sendRate=600Mbps", "--linkRate=1Gbps", "--rtt=100ms", "--bytes={n}")
    flags += ("--packetSize=1450",)
    sizes = (5_000_000, 15_000_000)
    # As large as RBUDP's datagrams with their header.
    client = ("--application=udp", "--rate=600Mbps", "--bytes={n}", "--packetSize=1454")
    return [
        Comparison(
            f"rbudp, {kind} control / ns-3 UdpClient",
            Line("rbudp-transfer", (*flags, f"--control={flag}"), *sizes, 1450),
            Line(PEERS, client, *sizes, 1454),
            0.85,
        )
        for kind, flag in (("ideal", "ideal"), ("TCP", "tcp"))
    ]


UDT_PACKET = 1456
UDT_PATH = ("--linkRate={rate}", "--rtt=100ms", "--bytes={n}", "--queue=200000p")


def _udt_line(rate, sizes, **flags):
    path = (word.replace("{rate}", rate) for word in UDT_PATH)
    return ("udt-transfer", (*path, *_words(flags)), *sizes)


def _udt():
    """Compare UDT with RBUDP at a given rate, from the end of its slow start on."""
    sizes = (20_000_000, 60_000_000)
    path = ("--sendRate=600Mbps", "--linkRate=1Gbps", "--rtt=100ms", "--bytes={n}")
    rbudp = ("rbudp-transfer", (*path, f"--packetSize={UDT_PACKET}"), *sizes)
    return _compare(UDT_PACKET, [("udt / rbudp", 1.2, _udt_line("1Gbps", sizes), rbudp)])


VRP_PATH = ("--linkRate=1Gbps", "--rtt=10ms", f"--packetSize={PACKET}", "--bytes={n}")


def _vrp_line(frame, window, sizes):
    flags = (*VRP_PATH, f"--frameSize={frame}", f"--windowSize={window}")
    return ("vrp-transfer", flags, *sizes)


def _vrp():
    sizes = (2_000_000, 8_000_000)
    echo = (BASELINE, (*VRP_PATH, "--baseline=echo", "--windowSize=64"), *sizes)
    whole, parts = _vrp_line("{n}", 64, sizes), _vrp_line("500kB", 64, sizes)
    rows = [
        ("vrp / sockets with replies", 1.5, whole, echo),
        ("vrp, one frame / frames of 500 kB", 1.25, whole, parts),
    ]
    return _compare(PACKET, rows)


JRM_PACKET = 1024
JRM_PATH = ("--linkRate=100Mbps", "--rtt=0.2ms", f"--packetSize={JRM_PACKET}", "--messages={n}")


def _jrm_line(sizes, timeout="5s", **flags):
    # Few attempts, so that a message need not be kept for long.
    timers = {"adaptive": "false", "grtt": "false", "sendTimeout": timeout, "maxNackAttempts": 3}
    return ("jrm-session", (*JRM_PATH, *_words(timers | flags)), *sizes)


def _jrm():
    def sockets(sizes, **flags):
        return (BASELINE, (*JRM_PATH, "--baseline=multicast", *_words(flags)), *sizes)

    pair, pairs = (2000, 8000), {"messageRate": 1000}
    tens, packets = (200, 800), {"messageRate": 100, "messagePackets": 10}
    group, hosts = (20, 80), {"senders": 10, "receivers": 0, "messageRate": 30}
    defaults = ("jrm-session", (*JRM_PATH, *_words(pairs)), *pair)
    rows = [
        ("jrm / bare sockets", 1.5, _jrm_line(pair, **pairs), sockets(pair, **pairs)),
        ("jrm, its defaults / bare sockets", 2, defaults, sockets(pair, **pairs)),
        (
            "jrm, 10 packets / bare sockets",
            1.5,
            _jrm_line(tens, **packets),
            sockets(tens, **packets),
        ),
        (
            "jrm, 10 to 9 each / bare sockets",
            1.5,
            _jrm_line(group, **hosts),
            sockets(group, **hosts),
        ),
        (
            "jrm, participants 10 to 40",
            1.25,
            _jrm_line((5, 10), **hosts | {"senders": 40}),
            _jrm_line(group, **hosts),
        ),
    ]
    return _compare(JRM_PACKET, rows)


ATOU_PACKET = 1460
ATOU_PATH = ("--linkRate=10Gbps", "--rtt=100ms", "--queue=200000p")


def _atou_line(sizes, window, protocol="atou", *more, full=False, sack=False):
    """Return a line of atou-transfer by packets; full: the whole window is open from the start."""
    options = f"rcvrwin {window}; maxpkts {{n}}; maxtime 0"
    options += f"; initsegs {window}" if full else ""
    options += "; sack 1" if sack else ""
    words = (*ATOU_PATH, f"--protocol={protocol}", f"--options={options}", *more)
    return ("atou-transfer", words, *sizes)


def _tcp():
    sizes = (5000, 15_000)
    replies = ("--baseline=echo", f"--packetSize={ATOU_PACKET}", "--windowSize=500")
    replies += ("--replySize=16", "--bytes={n}")
    echo = (BASELINE, (*ATOU_PATH, *replies), *(size * ATOU_PACKET for size in sizes))
    own = [
        f"--ns3::lfn::{end}::SocketFactory=ns3::TcpSocketFactory"
        for end in ("TcpSource", "TcpSink")
    ]

    def tcp(window, *more):
        return _atou_line(sizes, window, "tcp", *more)

    rows = [
        ("atou / sockets with replies", 1.5, _atou_line(sizes, 500), echo),
        ("TCP / atou, window 100", 1.2, tcp(100), _atou_line(sizes, 100)),
        ("TCP / atou, window 1000", 1.2, tcp(1000), _atou_line(sizes, 1000)),
        # Both get their segments from TcpSegmentDispatch; "tcp / ns-3 BulkSend" is without it.
        ("TCP / ns-3's own socket, window 50", 0.85, tcp(50), tcp(50, *own)),
    ]
    return _compare(ATOU_PACKET, rows)


XCP_PACKET = 1000
XCP_PATH = ("--startSpread=0s", f"--packetSize={XCP_PACKET}", "--duration={n}ms")


def _xcp_line(xcp, tcp=0, sizes=(400, 800), **flags):
    words = _words({"xcpFlows": xcp, "tcpFlows": tcp, **flags})
    return ("xcp-tcp-fairness", (*XCP_PATH, *words), *sizes)


def _xcp_flows(flows, sizes=(500, 1000), pairs=32):
    # Over as many hosts per side with any number of flows.
    path = f"ns3::lfn::DumbbellTopology[Pairs={pairs}|LinkRate=200Mbps|AccessRate=500Mbps|Rtt=40ms]"
    return _xcp_line(flows, sizes=sizes, mechanism="adaptive", topology=path)


def _xcp():
    def tcp(window, **flags):
        # Bound by the receiver's window, so that it loses nothing and has as much under way.
        fifo = {"queueDisc": "ns3::FifoQueueDisc", "receiveBuffer": XCP_PACKET * window}
        return _xcp_line(0, 1, **fifo, **flags)

    long = {"rtt": "100ms", "sizes": (2000, 2400)}
    fair = {"mechanism": "adaptive"}
    rows = [
        ("xcp / TCP with FIFO", 1.1, _xcp_line(1), tcp(250)),
        ("xcp / TCP with FIFO, IPv6", 1.1, _xcp_line(1, ipVersion=6), tcp(250, ipVersion=6)),
        ("xcp / TCP with FIFO, window 1250", 1.1, _xcp_line(1, **long), tcp(1250, **long)),
        ("xcp + fairness / TCP with FIFO", 1.2, _xcp_line(1, **fair), tcp(250)),
        ("xcp, flows 1 to 32", 1.25, _xcp_flows(32), _xcp_flows(1)),
        ("xcp, flows 32 to 1000", 1.25, _xcp_flows(1000), _xcp_flows(32)),
        (
            "xcp, 1000 flows, pairs of hosts 32 to 1000",
            1.25,
            _xcp_flows(1000, pairs=1000),
            _xcp_flows(1000),
        ),
    ]
    return _compare(XCP_PACKET, rows)


def _cores():
    """Return rows of cores without a simulator; what does not fit caches is not counted."""

    def atou(window, lose):
        words = {"windowSize": window, "loseEvery": lose, "packetSize": ATOU_PACKET}
        sizes = (size * ATOU_PACKET for size in (500_000, 1_000_000))
        return (BASELINE, ("--baseline=atou-cores", "--bytes={n}", *_words(words)), *sizes)

    def estimator(name, flows):
        words = {"estimator": name, "flows": flows, "packetSize": XCP_PACKET}
        flags = ("--baseline=xcp-estimator", "--bytes={n}", *_words(words))
        return (BASELINE, flags, 10**9, 2 * 10**9)

    rows = [
        ("atou cores, window x1000", 1.1, atou(100_000, 0), atou(100, 0)),
        # The gaps are an ordered map: its depth grows with their logarithm.
        ("atou cores, 2 % lost, window x1000", 1.25, atou(100_000, 50), atou(100, 50)),
    ]
    # A flow's first packet of a period is an entry of the exact count.
    xcp = [
        (f"xcp {name}, flows x100", goal, estimator(name, 1000), estimator(name, 10))
        for name, goal in (("sred", 1.1), ("bloom", 1.1), ("exact", 3))
    ]
    return [*_compare(ATOU_PACKET, rows), *_compare(XCP_PACKET, xcp)]


def by_time():
    """Return what is compared by processor time: what grows, where memory and caches matter.

    Only the large size of a line is run.
    """

    def size(n):
        return (0, n)

    def tcp(packets, window, share=0.0):
        # From the second window, at the far end from 250 ms on, loses a share, evenly spread.
        gap = 1.21e-6 / share if share else 0  # of a frame at 10 Gb/s
        drops = (f"{250_000 + round(1e6 * i * gap)}us" for i in range(round(share * window)))
        more = [f"--dropAt={','.join(drops)}"] if share else []
        return _atou_line(size(packets), window, "tcp", *more, full=True, sack=True)

    def atou(window):
        return _atou_line(size(300_000), window, full=True)

    few, many, rate = 100_000, 300_000, {"messageRate": 1000}
    vrp = [("vrp, window x16", 1.25, *(_vrp_line("{n}", w, size(10**8)) for w in (1024, 64)))]
    jrm = [
        ("jrm, messages x10", 1.25, *(_jrm_line(size(n), **rate) for n in (500_000, 50_000))),
        ("jrm, retained x16", 1.25, *(_jrm_line(size(few), t, **rate) for t in ("16s", "1s"))),
    ]
    rows = [
        ("TCP, window x100", 1.25, tcp(many, 10_000), tcp(many, 100)),
        ("TCP, window x1000", 1.25, tcp(many, 100_000), tcp(many, 100)),
        ("TCP, 1 % of a window lost", 1.5, tcp(few, 10_000, 0.01), tcp(few, 10_000)),
        ("TCP, 10 % of a window lost", 1.5, tcp(few, 10_000, 0.1), tcp(few, 10_000)),
        ("atou, window x100", 1.25, atou(10_000), atou(100)),
        ("atou, window x1000", 1.25, atou(100_000), atou(100)),
    ]
    udt = [
        (
            f"udt, window x{more // 100}",
            1.25,
            *(_udt_line("10Gbps", size(300 * 10**6), window=window) for window in (more, 100)),
        )
        for more in (10_000, 100_000)
    ]
    # By instructions equal; here with setting the flows up, and with what does not fit caches.
    xcp = [("xcp, flows 32 to 1000", 2, *(_xcp_flows(n, size(3000)) for n in (1000, 32)))]
    return [
        *_compare(PACKET, vrp),
        *_compare(JRM_PACKET, jrm),
        *_compare(ATOU_PACKET, rows),
        *_compare(UDT_PACKET, udt),
        *_compare(XCP_PACKET, xcp),
    ]


def growing():
    """Return what grows with the size of a transfer: memory."""
    sizes = {"10 MB": 10**7, "100 MB": 10**8, "1 GB": 10**9}
    path = ("--sendRate=600Mbps", "--linkRate=1Gbps", "--rtt=100ms", "--packetSize=1450")
    flags = (*path, "--control=ideal", "--bytes={n}")
    rbudp = {name: Line("rbudp-transfer", flags, 0, size, 1450) for name, size in sizes.items()}
    atou = {
        name: Line(*_atou_line((0, size // ATOU_PACKET), 1000), ATOU_PACKET)
        for name, size in sizes.items()
    }
    return [Growth("rbudp, ideal control", rbudp, 1), Growth("atou, window 1000", atou, 1)]
