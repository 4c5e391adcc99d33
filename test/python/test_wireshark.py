# SPDX-License-Identifier: GPL-2.0-only
"""The Wireshark dissectors of doc/wireshark/lfn.lua, in tshark, on captures of real runs.

What tshark shows is compared field by field with a second reading of the same bytes (wire.py), and
with what the programs log themselves.
"""

import collections
import os
import random
import re
import shutil
import struct
import subprocess

import pytest
import wire
from project import HOME, rows, run

LUA = HOME / "doc/wireshark/lfn.lua"
TSHARK = shutil.which("tshark")
PORT = 20000  # of flow 0 in transport-comparison
NAMES = {"fec-udp": "fec", "parallel-tcp": "parallel"}
FIELDS = {
    "rbudp": "sequence data_length kind bytes payload_size first_sequence datagrams round complete "
    "missing",
    "vrp": "control frame packet data_length tag.code tag.packet tag.last_packet tag.seconds "
    "tag.microseconds tag.frame tag.data_size tag.packet_size tag.value tag.padding",
    "jrm": "type flags earlier packet id.participant id.group id.message length data_length "
    "nack.count nack.packet parity.block parity.index probe.number probe.reported probe.grtt "
    "answer.held",
    "atou": "time segment data_length next blocks block.first block.last",
    "xcp": "next_protocol length version format x rtt reverse_feedback delta_throughput",
    "fec": "kind index count parities session lengths block mask data_length",
    "parallel": "marker length offset total transfer",
}
FIELDS = {name: fields.split() for name, fields in FIELDS.items()}
FOREIGN = ("udp", "tcp")


@pytest.fixture(autouse=True)
def needs_tshark():
    """A machine without tshark may skip; CI may not."""
    if not TSHARK:
        assert not os.environ.get("CI"), "tshark is missing: apt install tshark"
        pytest.skip("tshark is missing: apt install tshark")


def tshark(capture, *arguments):
    """Run tshark with the dissectors and return what it prints; nothing of Lua may go wrong."""
    command = [TSHARK, "-X", f"lua_script:{LUA}", "-o", "tcp.reassemble_out_of_order:TRUE"]
    result = subprocess.run(
        [*command, "-r", capture, *arguments], text=True, capture_output=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    assert "lua" not in result.stderr.lower(), result.stderr
    assert "Lua Error" not in result.stdout
    return result.stdout


def ask(capture, protocol, *arguments):
    """Return what tshark reads: {frame: {field: [values]}}."""
    fields = [f"{protocol}.{field}" for field in FIELDS[protocol]]
    wanted = ["frame.number", f"{protocol}.malformed", *fields]
    options = [word for field in wanted for word in ("-e", field)]
    text = tshark(
        capture, "-Y", protocol, "-T", "fields", "-E", "separator=;", *options, *arguments
    )
    found = {}
    for line in text.splitlines():
        number, malformed, *values = line.split(";")
        found[int(number)] = {
            field: [convert(value) for value in cell.split(",")]
            for field, cell in zip(FIELDS[protocol], values, strict=True)
            if cell
        } | ({"malformed": True} if malformed else {})
    return found


def convert(text):
    """Numbers as numbers, addresses as they are."""
    if re.fullmatch(r"0x[0-9a-f]+", text):
        return int(text, 16)
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return {"True": 1, "False": 0}.get(text, text)


def equal(found, expected):
    """Whether fields agree; times are printed with 15 digits."""
    return found.keys() == expected.keys() and all(
        found[name] == values
        or (
            isinstance(values, list)
            and len(found[name]) == len(values)
            and all(
                a == b or a == pytest.approx(b, rel=1e-13)
                for a, b in zip(found[name], values, strict=True)
            )
        )
        for name, values in expected.items()
    )


def expect(protocol, segment):
    """What a segment's fields are, by the second reading."""
    if protocol == "atou":
        return wire.read_atou(segment.payload, segment.ports[0] == PORT)
    if protocol == "xcp":
        return wire.read_xcp(segment.shim)
    return getattr(wire, f"read_{protocol}")(segment.payload)


@pytest.fixture(scope="session")
def captures(tmp_path_factory):
    """A lossy run of every transport: {transport: folder}."""
    folders = {}

    def make(transport):
        if transport not in folders:
            folder = tmp_path_factory.mktemp("captures")
            flags = [f"--transport={transport}", "--bytes=300kB", "--lossRate=0.02", "--pcap=x"]
            result = run("transport-comparison", folder, *flags)
            assert (result.returncode, result.stderr) == (0, "")
            folders[transport] = folder
        return folders[transport]

    return make


def capture_of(folder, node):
    """The capture of a host's only device."""
    (path,) = folder.glob(f"*-node{node}-device0-*.pcap")
    return path


@pytest.mark.parametrize("node", [0, 1])
@pytest.mark.parametrize("transport", ["vrp", "jrm", "atou", "xcp", "fec-udp", "rbudp"])
def test_every_packet_field_by_field(captures, transport, node):
    """With no port given: the heuristics find all packets."""
    protocol = NAMES.get(transport, transport)
    path = capture_of(captures(transport), node)
    found = ask(path, protocol)
    segments = wire.segments(path)
    compared = 0
    for segment in segments:
        if protocol == "rbudp" and segment.protocol == wire.TCP:
            continue
        shown = found.pop(segment.number, None)
        expected = expect(protocol, segment)
        if protocol == "rbudp":
            expected["kind"] = [4]
        assert shown is not None, f"frame {segment.number} is not seen as {protocol}"
        assert equal(shown, expected), (segment.number, shown, expected)
        compared += 1
    assert compared > 200
    if protocol != "rbudp":
        assert not found


def test_fec_code_field_by_field(tmp_path):
    """Data and parities of a Reed-Solomon code."""
    transport = "--transport=fec-udp[BlockPackets=4|Parities=2|Interleave=3]"
    result = run("transport-comparison", tmp_path, transport, "--bytes=100kB", "--pcap=x")
    assert (result.returncode, result.stderr) == (0, "")
    path = capture_of(tmp_path, 1)
    found = ask(path, "fec")
    kinds = []
    for segment in wire.segments(path):
        expected = expect("fec", segment)
        assert equal(found.pop(segment.number), expected), segment.number
        kinds += expected["kind"]
    assert not found
    assert (kinds.count(0xFD), kinds.count(0xFC)) == (72, 36)


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("node", [0, 1])
def test_jrm_probes_field_by_field(tmp_path, node, version):
    """The option's two kinds, found by the heuristics among all others, over IPv6 as well."""
    flags = ["--transport=jrm", "--bytes=1MB", "--lossRate=0.02", "--pcap=x", "--sendRate=1Mbps"]
    often = "--ns3::lfn::JrmPeer::GrttInterval=200ms"
    result = run("transport-comparison", tmp_path, *flags, often, f"--ipVersion={version}")
    assert (result.returncode, result.stderr) == (0, "")
    path = capture_of(tmp_path, node)
    found = ask(path, "jrm")
    kinds = []
    for segment in wire.segments(path):
        assert segment.ipv6 == (version == "6")
        expected = expect("jrm", segment)
        assert equal(found.pop(segment.number), expected), segment.number
        kinds += expected["type"]
    assert not found
    assert kinds.count(5) > 20 and kinds.count(6) > 20


def test_jrm_earlier_messages(tmp_path):
    """The option's count in messages and heartbeats, which grows and ends at 255."""
    flags = ["--messages=300", "--messageRate=100", "--heartbeat=100ms", "--fromBeginning"]
    result = run("jrm-session", tmp_path, *flags, "--pcap=x")
    assert (result.returncode, result.stderr) == (0, "")
    path = capture_of(tmp_path, 1)
    found = ask(path, "jrm")
    reported = {1: [], 4: []}
    for segment in wire.segments(path):
        expected = expect("jrm", segment)
        assert equal(found.pop(segment.number), expected), segment.number
        if "earlier" in expected:
            reported[expected["type"][0]] += expected["earlier"]
    assert not found
    assert reported == {1: [*range(256), *[0] * 44], 4: [0] * 7}


@pytest.mark.parametrize("node", [0, 1])
def test_jrm_parities(tmp_path, node):
    """Requests that parities will do for, and parities; a block of 6 and one of 4 a message."""
    flags = ["--messages=100", "--messagePackets=10", "--parityBlock=6", "--receiverErrorRate=0.05"]
    result = run("jrm-session", tmp_path, *flags, "--pcap=x")
    assert (result.returncode, result.stderr) == (0, "")
    found = ask(capture_of(tmp_path, node), "jrm")
    seen = []
    for segment in wire.segments(capture_of(tmp_path, node)):
        expected = expect("jrm", segment)
        assert equal(found.pop(segment.number), expected), segment.number
        kind = expected["type"][0]
        assert kind != 2 or expected["flags"] == [2]
        if kind == 7:
            seen.append((expected["packet"][0], expected["parity.block"][0]))
    assert not found
    assert {*seen} == {(1, 6), (7, 6)} and len(seen) > 30


def test_jrm_parities_that_cannot_be(tmp_path):
    """Cut short, of a block of one packet, and beyond the last one."""
    for parity in (b"\6", b"\1\0", b"\6\xfa"):
        path = tmp_path / "parity.pcap"
        wire.write(path, [udp(40000, PORT, b"\7\0\0\1" + bytes(16) + parity)])
        text = tshark(path, "-V", "-o", f"jrm.udp_ports:{PORT}")
        assert "there is no such parity" in text, text


@pytest.mark.parametrize("node", [0, 1])
def test_rbudp_control(captures, node):
    path = capture_of(captures("rbudp"), node)
    bytes_of = wire.streams(wire.segments(path))
    (sent,) = [
        stream
        for ports, stream in bytes_of.items()
        if len(stream) % 8 == 0 and stream[:2] == b"\0\0"
    ]
    (answered,) = [stream for stream in bytes_of.values() if stream is not sent]
    messages, answers = wire.read_rbudp_control(sent, answered)
    shown = [fields for fields in ask(path, "rbudp", "-Y", "rbudp and tcp").values() if fields]
    shown = [{k: v for k, v in fields.items() if k != "kind"} for fields in shown]
    assert len(answers) > 1
    assert [fields for fields in shown if "missing" not in fields] == messages
    assert [fields for fields in shown if "missing" in fields] == answers


@pytest.mark.parametrize("node", [0, 1])
def test_parallel_chunks(captures, node):
    path = capture_of(captures("parallel-tcp"), node)
    expected = [
        chunk
        for ports, stream in wire.streams(wire.segments(path)).items()
        if ports[1] == PORT
        for chunk in wire.read_chunks(stream)
    ]
    shown = [
        {name: [values[i]] for name, values in fields.items()}
        for fields in ask(path, "parallel").values()
        for i in range(len(fields["marker"]))
    ]
    assert sum(chunk["length"][0] for chunk in expected) == 300000
    assert sorted(map(str, shown)) == sorted(map(str, expected))


def test_tcp_behind_xcp(captures):
    """All of TCP is dissected, as if there were nothing between."""
    path = capture_of(captures("xcp"), 1)
    options = [word for name in ("frame.number", "tcp.len", "tcp.srcport") for word in ("-e", name)]
    text = tshark(path, "-Y", "xcp and tcp", "-T", "fields", *options)
    shown = [tuple(map(int, line.split("\t"))) for line in text.splitlines()]
    segments = wire.segments(path)
    assert shown == [(s.number, len(s.payload), s.ports[0]) for s in segments]
    assert sum(size for _, size, _ in shown) >= 300000


def test_xcp_over_ipv6(tmp_path):
    flags = [
        "--ipVersion=6",
        "--duration=600ms",
        "--bottleneckRate=5Mbps",
        "--xcpFlows=1",
        "--tcpFlows=1",
        "--pcap=x",
    ]
    result = run("xcp-tcp-fairness", tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    seen = 0
    for path in sorted(tmp_path.glob("x-*.pcap")):
        found = ask(path, "xcp")
        segments = [s for s in wire.segments(path) if s.shim]
        assert all(segment.ipv6 for segment in segments)
        assert sorted(found) == [segment.number for segment in segments]
        assert all(equal(found[s.number], wire.read_xcp(s.shim)) for s in segments)
        seen += len(segments)
    assert seen > 200


@pytest.mark.parametrize("node", ["sender", "receiver"])
def test_rbudp_against_its_own_log(tmp_path, node):
    """Datagrams as the trace sources of both ends report them, in messages.csv."""
    flags = ["--bytes=300kB", "--sendRate=20Mbps", "--lossRate=0.02", "--messages", "--pcap=x"]
    result = run("rbudp-transfer", tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    event = "tx" if node == "sender" else "rx"
    logged = [
        (int(row["sequence"]), int(row["bytes"]))
        for row in rows(tmp_path, "messages")
        if (row["node"], row["event"], row["message"]) == (node, event, "data")
    ]
    found = ask(capture_of(tmp_path, 0 if node == "sender" else 1), "rbudp", "-Y", "rbudp and udp")
    shown = [(fields["sequence"][0], fields["data_length"][0]) for fields in found.values()]
    assert shown == logged
    assert len(shown) > 200


@pytest.mark.parametrize("node", ["sender", "receiver"])
def test_vrp_against_its_own_log(tmp_path, node):
    """Tags and data that a host sent, as its trace sources report them, in messages.csv."""
    flags = ["--bytes=300kB", "--flows=1", "--lossRate=0.02", "--messages", "--pcap=x"]
    result = run("vrp-transfer", tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    logged = collections.Counter(
        (row["message"], int(row["sequence"]))
        for row in rows(tmp_path, "messages")
        if (row["node"], row["event"]) == (node, "tx")
    )
    path = capture_of(tmp_path, 0 if node == "sender" else 1)
    host = "10.1.1.1" if node == "sender" else "10.1.1.2"
    shown = collections.Counter()
    numbered = {3: "ack", 4: "single_ack", 5: "nack", 13: "critical_packet"}
    plain = {1: "ping", 2: "pong", 6: "frame_create", 9: "frame_ok", 11: "frame_close"}
    plain |= {7: "cons_loss", 8: "loss_rate", 10: "frame_refused", 12: "missing_hdr"}
    for fields in ask(path, "vrp", "-Y", f"vrp and ip.src == {host}").values():
        if fields["control"] == [0]:
            shown["data", fields["packet"][0]] += 1
            continue
        packets = iter(fields.get("tag.packet", []))
        for code in fields["tag.code"]:
            if code in numbered:
                shown[numbered[code], next(packets)] += 1
            elif code in plain:
                shown[plain[code], 0] += 1
    assert shown == logged
    assert shown.total() > 150


UDT_ENDS = "--ns3::lfn::UdtSource::{0}=true --ns3::lfn::UdtSink::{0}=true"
UDT_RUNS = {
    "stream": ["--bytes=1MB", "--rtt=20ms", "--dropData=50,51,90"],
    # Lost messages are given up: message drops.
    "messages": [
        *UDT_ENDS.format("Messages").split(),
        *["--bytes=200kB", "--rtt=20ms", "--dropData=5,6,7,60"],
        *["--ns3::lfn::UdtSource::WriteSize=14560", "--ns3::lfn::UdtSource::TimeToLive=1ms"],
    ],
    # Loss reports of several ranges, and keep-alives before the first data.
    "udt3": ["--variant=udt3", "--bytes=300kB", "--rtt=1s", "--lossRate=0.4"],
}
UDT_FIELDS = (
    "iscontrol type seqno addinfo msgno msg.first msg.last msg.order timestamp id ack_seqno ackno "
    "rtt rttvar buf rate linkcap hs.version hs.type hs.isn hs.mtu hs.flow_window hs.reqtype hs.id "
    "hs.cookie hs.peerip"
).split()


def ask_udt(path):
    """Return what Wireshark's own dissector reads, frame by frame."""
    fields = [f"udt.{field}" for field in UDT_FIELDS]
    wanted = [*fields, "_ws.malformed", "_ws.expert.message"]
    options = [word for field in wanted for word in ("-e", field)]
    text = tshark(path, "-Y", "udt", "-T", "fields", "-E", "separator=;", *options)
    packets = []
    for line in text.splitlines():
        *values, malformed, remark = line.split(";")
        assert malformed == ""
        packet = {
            field: value if field == "hs.peerip" else convert(value)
            for field, value in zip(UDT_FIELDS, values, strict=True)
            if value
        }
        lost = re.findall(r"\[(\d+)(?:-(\d+))?\]", remark)
        if lost:
            packet["lost"] = [(int(first), int(last or first)) for first, last in lost]
        packets.append(packet)
    return packets


def test_udt_is_read_by_wireshark(tmp_path):
    """Its own dissector reads every field of all types of packets, and nothing is malformed."""
    kinds = collections.Counter()
    ranges = 0
    for name, flags in UDT_RUNS.items():
        folder = tmp_path / name
        folder.mkdir()
        result = run("udt-transfer", folder, "--linkRate=10Mbps", *flags, "--pcap=x")
        assert (result.returncode, result.stderr) == (0, ""), name
        for node in (0, 1):
            path = capture_of(folder, node)
            packets = [wire.read_udt(segment.payload) for segment in wire.segments(path)]
            assert ask_udt(path) == packets, (name, node)
            kinds.update(packet.get("type", "data") for packet in packets)
            ranges = max(ranges, *(len(packet.get("lost", [])) for packet in packets))
    # Data, handshake, keep-alive, ACK, NAK, shutdown, ACK2, message drop.
    assert set(kinds) == {"data", 0, 1, 2, 3, 5, 6, 7}
    assert ranges > 1


def spoil(data, generator):
    """Turn bits, cut, or lengthen."""
    data = bytearray(data)
    for _ in range(generator.choice([1, 1, 2, 8])):
        if data:
            data[generator.randrange(min(len(data), 40))] = generator.randrange(256)
    kind = generator.randrange(4)
    if kind == 0:
        return bytes(data[: generator.randrange(len(data) + 1)])
    if kind == 1:
        return bytes(data[: generator.randrange(min(len(data), 40) + 1)])
    if kind == 2:
        return bytes(data) + generator.randbytes(generator.randrange(40))
    return bytes(data)


def ipv4(protocol, payload, addresses=b"\x0a\x01\x01\x01\x0a\x01\x01\x02"):
    """A frame with an IPv4 packet."""
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return b"\0\x21" + head + addresses + payload


def udp(source, target, payload):
    return ipv4(wire.UDP, struct.pack(">HHHH", source, target, 8 + len(payload), 0) + payload)


@pytest.mark.parametrize("transport", ["vrp", "jrm", "atou", "xcp", "fec-udp", "rbudp"])
def test_spoilt_packets(captures, tmp_path, transport):
    """Malformed is what the readers of model/ refuse, and no byte string is an error of Lua's."""
    protocol = NAMES.get(transport, transport)
    generator = random.Random(transport)
    packets = []
    for path in (capture_of(captures(transport), node) for node in (0, 1)):
        for segment in wire.segments(path):
            if protocol == "xcp":
                packets.append(ipv4(wire.XCP, spoil(segment.shim + bytes(20), generator)))
            elif segment.protocol == wire.UDP:
                payload = spoil(segment.payload[:200], generator)
                packets.append(udp(*segment.ports, payload))
    path = tmp_path / "spoilt.pcap"
    wire.write(path, packets)
    ports = [] if protocol == "xcp" else ["-o", f"{protocol}.udp_ports:{PORT}-{PORT + 1}"]
    found = ask(path, protocol, *ports)
    malformed = 0
    for number, segment in enumerate(raw_payloads(path, protocol), 1):
        if segment is None:
            assert number not in found
            continue
        data, source = segment
        expected = (
            wire.read_atou(data, source == PORT)
            if protocol == "atou"
            else getattr(wire, f"read_{protocol}")(data)
        )
        assert number in found, (number, data[:40])
        assert ("malformed" in found[number]) == ("malformed" in expected), (number, data[:40])
        malformed += "malformed" in expected
    assert malformed > (5 if protocol in ("rbudp", "atou") else 50)
    tshark(path, "-V", *ports)
    tshark(path, "-2", "-V")


def raw_payloads(path, protocol):
    """What the spoilt packets carry: (bytes, source port), None where it is nobody's."""
    for _, frame in wire.frames(path):
        packet = frame[22:]
        if protocol == "xcp":
            ours = len(packet) > 2 and (packet[1] == 20 or packet[2] >> 4 == 3)
            ours = ours or (len(packet) == 2 and packet[1] == 20)
            yield (packet, 0) if ours else None
        else:
            payload = packet[8:]  # an empty datagram is dissected by nobody
            yield (payload, int.from_bytes(packet[:2], "big")) if payload else None


@pytest.mark.parametrize("transport", ["rbudp", "parallel-tcp", "xcp"])
def test_spoilt_streams(captures, tmp_path, transport):
    """Frames of TCP spoilt anywhere behind IP's header: no error of Lua's for any of them."""
    generator = random.Random(transport)
    path = tmp_path / "spoilt.pcap"
    for turn in range(3):
        packets = []
        for _, frame in wire.frames(capture_of(captures(transport), turn % 2)):
            packet = bytearray(frame)
            if generator.random() < 0.3:
                for _ in range(4):
                    packet[generator.randrange(22, len(packet))] = generator.randrange(256)
            packets.append(bytes(packet))
        generator.shuffle(packets) if turn == 2 else None
        wire.write(path, packets)
        tshark(path, "-V")
        tshark(path, "-2", "-V")


def test_malformed_is_shown(tmp_path):
    """One of each kind by hand, shown as an error in the expert info."""
    cases = {
        "rbudp": b"\0\0\1",
        "vrp": b"\x80\1\0\0\0\0\3\0\0",
        "jrm": b"\x08\0\0\1" + bytes(16),
        "atou": bytes(12),
        "fec": b"\xfd\4\4" + bytes(9),
    }
    for protocol, payload in cases.items():
        path = tmp_path / f"{protocol}.pcap"
        wire.write(path, [udp(40000, PORT, payload)])
        text = tshark(path, "-V", "-o", f"{protocol}.udp_ports:{PORT}")
        assert "Expert Info (Error/Malformed)" in text, text
    path = tmp_path / "xcp.pcap"
    wire.write(path, [ipv4(wire.XCP, b"\6\x14\x33" + bytes(40))])
    assert "Expert Info (Error/Malformed)" in tshark(path, "-V")


def test_foreign_packets_stay_foreign(captures, tmp_path):
    """Noise, plausible headers of others on our default ports, and the baselines' own traffic."""
    generator = random.Random(1)
    ports = [9, 10, 53, 5353, 7667, 7890, 9100, 20000, 20001, 38000, 38001]
    payloads = [generator.randbytes(generator.randrange(1, 400)) for _ in range(3000)]
    payloads += [bytes(n) for n in range(1, 64)] + [bytes([k]) * 64 for k in range(256)]
    payloads += [n.to_bytes(4, "big") + bytes(60) for n in range(256)]
    payloads += [bytes([0x80, 96]) + n.to_bytes(4, "big") + bytes(100) for n in range(100)]
    payloads += [n.to_bytes(2, "big") + b"\1\0\0\1" + bytes(6) + b"\3www\2ns\0" for n in range(99)]
    path = tmp_path / "foreign.pcap"
    wire.write(
        path,
        [udp(generator.randrange(1024, 65536), generator.choice(ports), data) for data in payloads],
    )
    ours = "rbudp or vrp or jrm or atou or xcp or fec or parallel"
    assert tshark(path, "-Y", ours) == ""
    for transport in FOREIGN:
        for node in (0, 1):
            path = capture_of(captures(transport), node)
            assert len(wire.segments(path)) > 200
            assert tshark(path, "-Y", ours) == ""


def test_all_wire_formats_have_a_dissector():
    """Each header file of model/ is named in the Lua file."""
    headers = {path.stem for path in HOME.glob("model/*/*-header.h")} - {"vrp-frame-header"}
    headers -= {"udt-header", "udt-packet-header"}  # Wireshark has a dissector of its own
    text = LUA.read_text()
    assert headers == set(re.findall(r"\((\w+-header)\)\n", text))
