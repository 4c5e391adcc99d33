# SPDX-License-Identifier: GPL-2.0-only
"""Captures and wire formats, read a second time and without tshark.

Each `read_<protocol>` takes the bytes behind UDP or TCP and returns {field: [values]}, with
`malformed` set where the readers of model/<protocol>/*-header.cc refuse them.
"""

import ipaddress
import math
import struct
from dataclasses import dataclass

PPP_IPV4, PPP_IPV6 = 0x0021, 0x0057
UDP, TCP, XCP = 17, 6, 253
LINK_PPP = 9


@dataclass
class Segment:
    """A UDP datagram or a TCP segment of a capture, fragments left aside."""

    number: int  # of the frame, from 1
    protocol: int  # in the IP header
    shim: bytes  # XCP's header, or nothing
    ports: tuple  # source, destination
    sequence: int  # of TCP
    flags: int  # of TCP
    payload: bytes
    ipv6: bool
    addresses: tuple  # source, destination


def frames(path):
    """Return the frames of a capture: [(time in us, bytes)]."""
    data = path.read_bytes()
    found, at = [], 24
    while at < len(data):
        seconds, micros, length, _ = struct.unpack_from("<4I", data, at)
        found.append((seconds * 10**6 + micros, data[at + 16 : at + 16 + length]))
        at += 16 + length
    return found


def write(path, packets, link=LINK_PPP):
    """Write a capture."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    rows = [
        struct.pack("<4I", i // 1000, i % 1000 * 1000, len(packet), len(packet)) + packet
        for i, packet in enumerate(packets)
    ]
    path.write_bytes(head + b"".join(rows))


def segments(path):
    """Return the segments of a capture of a point-to-point link."""
    found = []
    for number, (_, frame) in enumerate(frames(path), 1):
        kind = int.from_bytes(frame[:2], "big")
        if kind == PPP_IPV4:
            size = 2 + (frame[2] & 15) * 4
            ends = tuple(str(ipaddress.ip_address(frame[at : at + 4])) for at in (14, 18))
            total = 2 + int.from_bytes(frame[4:6], "big")
            protocol, rest = frame[11], frame[size:total]
        elif kind == PPP_IPV6:
            ends = tuple(str(ipaddress.ip_address(frame[at : at + 16])) for at in (10, 26))
            protocol, rest = frame[8], frame[42 : 42 + int.from_bytes(frame[6:8], "big")]
        else:
            continue
        shim, inner = b"", protocol
        if protocol == XCP:
            shim, rest, inner = rest[:20], rest[20:], rest[0]
        if inner not in (UDP, TCP):
            continue
        head = 8 if inner == UDP else (rest[12] >> 4) * 4
        sequence = int.from_bytes(rest[4:8], "big") if inner == TCP else 0
        flags = rest[13] if inner == TCP else 0
        ports = struct.unpack_from(">HH", rest)
        ipv6 = kind == PPP_IPV6
        found.append(
            Segment(number, protocol, shim, ports, sequence, flags, rest[head:], ipv6, ends)
        )
    return found


def streams(found):
    """Put the bytes of TCP connections in order: {(source port, target port): bytes}."""
    parts = {}
    for segment in found:
        if segment.protocol == TCP and segment.payload:
            parts.setdefault(segment.ports, {})[segment.sequence] = segment.payload
    whole = {}
    for ports, pieces in parts.items():
        at, text = min(pieces), b""
        for sequence in sorted(pieces):
            if sequence <= at < sequence + len(pieces[sequence]):
                text += pieces[sequence][at - sequence :]
                at = sequence + len(pieces[sequence])
        whole[ports] = text
    return whole


def read_rbudp(data):
    """A datagram of data."""
    if len(data) < 4:
        return {"malformed": True}
    return {"sequence": [int.from_bytes(data[:4], "big")], "data_length": [len(data) - 4]}


TAGS = {0: [], 1: "44", 2: "44", 3: "4", 4: "4", 5: "4", 6: "242", 7: "1", 8: "1"}
TAGS |= {9: "2", 10: "2", 11: "2", 12: "2", 13: "4", 14: "44", 15: "2"}
NAMES = {1: ("seconds", "microseconds"), 2: ("seconds", "microseconds"), 3: ("packet",)}
NAMES |= {4: ("packet",), 5: ("packet",), 6: ("frame", "data_size", "packet_size")}
NAMES |= {7: ("value",), 8: ("value",), 9: ("frame",), 10: ("frame",), 11: ("frame",)}
NAMES |= {12: ("frame",), 13: ("packet",), 14: ("packet", "last_packet"), 15: ("padding",)}


def read_vrp(data):
    """A packet of data or of control."""
    if len(data) < 6:
        return {"malformed": True}
    first, packet = struct.unpack_from(">HI", data)
    found = {"control": [first >> 15], "frame": [first & 0x7FFF], "packet": [packet]}
    if not first >> 15:
        return found | {"data_length": [len(data) - 6]}
    at = 6
    while at < len(data):
        code, widths = data[at], TAGS.get(data[at])
        if widths is None or at + 1 + sum(map(int, widths)) > len(data):
            return found | {"malformed": True}
        values, next_at = {}, at + 1
        for name, width in zip(NAMES.get(code, ()), widths, strict=True):
            values[name] = int.from_bytes(data[next_at : next_at + int(width)], "big")
            next_at += int(width)
        if values.get("frame", 0) > 0x7FFF:
            return found | {"malformed": True}
        next_at += values.get("padding", 0)
        if next_at > len(data):
            return found | {"malformed": True}
        found.setdefault("tag.code", []).append(code)
        for name, value in values.items():
            found.setdefault(f"tag.{name}", []).append(value)
        at = next_at
        if code == 0:
            return found | ({"data_length": [len(data) - at]} if at < len(data) else {})
    return found | {"malformed": True}


def read_jrm(data):
    """Any datagram."""
    if len(data) < 20:
        return {"malformed": True}
    kind, flags, packet, participant, _, message, length = struct.unpack_from(">BBHIIII", data)
    flags_or_earlier = "earlier" if kind in (1, 4) else "flags"
    found = {"type": [kind], flags_or_earlier: [flags], "id.participant": [participant]}
    found |= {"id.group": [".".join(map(str, data[8:12]))]}
    if kind == 5:
        found |= {"probe.number": [message], "probe.reported": [packet]}
        if 1 <= packet <= 256:  # steps of 1 us, or of the 13th root of e below 1000 s
            seconds = packet / 1e6 if packet < 32 else 1e3 * math.e ** ((packet - 256) / 13)
            found["probe.grtt"] = [seconds]
        return found
    if kind == 6:
        return found | {"probe.number": [message], "answer.held": [length]}
    found |= {"packet": [packet], "id.message": [message], "length": [length]}
    if kind == 7:
        block, index = (*data[20:22], 0, 0)[:2]
        if block < 2 or len(data) < 22 or block + index > 255:
            return found | {"malformed": True}
        found |= {"parity.block": [block], "parity.index": [index]}
        return found | {"data_length": [len(data) - 22]}
    if not 1 <= kind <= 4:
        return found | {"malformed": True}
    if kind != 2:
        return found | {"data_length": [len(data) - 20]}
    count = int.from_bytes(data[20:22], "big")
    if len(data) < 22 + 2 * count or len(data) < 22:
        return found | {"malformed": True}
    asked = list(struct.unpack_from(f">{count}H", data, 22))
    if 0 in asked:
        return found | {"malformed": True}
    return found | {"nack.count": [count]} | ({"nack.packet": asked} if asked else {})


def read_atou(data, is_ack):
    """A segment, or an acknowledgement."""
    if len(data) < (16 if is_ack else 12):
        return {"malformed": True}
    time = struct.unpack(">d", data[4:8] + data[:4])[0]
    word = int.from_bytes(data[8:12], "big")
    if not is_ack:
        found = {"time": [time], "segment": [word], "data_length": [len(data) - 12]}
        return found | ({"malformed": True} if word == 0 else {})
    count = int.from_bytes(data[12:16], "big")
    found = {"time": [time], "next": [word], "blocks": [count]}
    if word == 0 or count > 3 or len(data) < 16 + 8 * count:
        return found | {"malformed": True}
    ends = struct.unpack_from(f">{2 * count}I", data, 16)
    pairs = list(zip(ends[::2], ends[1::2], strict=True))
    if any(first == 0 or last < first for first, last in pairs):
        return found | {"malformed": True}
    if pairs:
        found |= {"block.first": [pair[0] for pair in pairs]}
        found |= {"block.last": [pair[1] for pair in pairs]}
    return found


def read_xcp(data):
    """The header between IP and TCP."""
    if len(data) < 20:
        return {"malformed": True}
    following, length, version, _, x, rtt, reverse, delta = struct.unpack_from(">4BIIii", data)
    found = {"next_protocol": [following], "length": [length], "version": [version >> 4]}
    found |= {"format": [version & 15], "x": [x / 2**28], "rtt": [rtt / 2**28]}
    found |= {"reverse_feedback": [reverse], "delta_throughput": [delta]}
    bad = length != 20 or version not in (0x31, 0x32)
    return found | ({"malformed": True} if bad else {})


def read_fec(data):
    """A datagram of data or of parity."""
    kind = data[0] if data else 0
    if kind == 0xFD and len(data) >= 12:
        index, count, parities, block, session = struct.unpack_from(">BBBII", data, 1)
        found = {"kind": [kind], "index": [index], "count": [count], "session": [session]}
        found |= {"block": [block], "data_length": [len(data) - 12], "parities": [parities]}
        is_good = 0 < count <= 32 and index < count and parities != 1 and count + parities <= 256
        return found | ({} if is_good else {"malformed": True})
    if kind == 0xFC and len(data) >= 16:
        _, index, lengths, block, count, parities, session = struct.unpack_from(">BBHIBBxxI", data)
        found = {"kind": [kind], "session": [session], "lengths": [lengths], "block": [block]}
        found |= {"index": [index], "count": [count], "parities": [parities]}
        found |= {"data_length": [len(data) - 16]}
        is_good = 0 < count <= 32 and index < parities > 1 and count + parities <= 256
        return found | ({} if is_good else {"malformed": True})
    if kind == 0xFB and len(data) >= 16:
        _, _, lengths, block, mask, session = struct.unpack_from(">BBHIII", data)
        found = {"kind": [kind], "session": [session], "lengths": [lengths], "block": [block]}
        found |= {"mask": [mask], "data_length": [len(data) - 16]}
        return found | ({} if mask and not mask & (mask + 1) else {"malformed": True})
    return {"malformed": True}


def read_chunks(stream):
    """The chunks of a connection of parallel TCP: [{field: [value]}]."""
    found, at = [], 0
    while at + 28 <= len(stream):
        marker, length, offset, total, transfer = struct.unpack_from(">IIQQI", stream, at)
        found.append(
            {
                "marker": [marker],
                "length": [length],
                "offset": [offset],
                "total": [total],
                "transfer": [transfer],
            }
        )
        at += 28 + length
    return found


UDT_HANDSHAKE = "version type isn mtu flow_window reqtype id cookie".split()


def read_udt(data):
    """Read a packet of UDT: {field of Wireshark's dissector: value}, "lost" for ranges of a NAK."""
    first, second, stamp, destination = struct.unpack_from(">4I", data)
    if first < 1 << 31:
        return {
            "iscontrol": 0,
            "seqno": first,
            "msg.first": second >> 31,
            "msg.last": second >> 30 & 1,
            "msg.order": second >> 29 & 1,
            "msgno": second & (1 << 29) - 1,
            "timestamp": stamp,
            "id": destination,
        }
    kind = first >> 16 & 0x7FFF
    body = struct.unpack(f">{len(data) // 4 - 4}I", data[16:])
    found = {"iscontrol": 1, "type": kind, "timestamp": stamp, "id": destination}
    if kind == 0:
        found |= {f"hs.{name}": value for name, value in zip(UDT_HANDSHAKE, body, strict=False)}
        signed = int.from_bytes(data[36:40], "big", signed=True)
        found |= {"addinfo": second, "hs.reqtype": signed, "hs.peerip": data[48:64].hex()}
    elif kind == 2:
        names = ["ack_seqno", "rtt", "rttvar", "buf", "rate", "linkcap"][: len(body)]
        found |= {"ackno": second} | dict(zip(names, body, strict=True))
    elif kind == 3:
        words = iter(body)
        lost = [(word & ~(1 << 31), next(words) if word >> 31 else word) for word in words]
        found |= {"addinfo": second, "lost": lost}
    elif kind == 6:
        found |= {"ackno": second}
    else:
        found |= {"addinfo": second}
    return found


def read_rbudp_control(sent, answered):
    """The messages of both directions of an RBUDP control connection: two lists of fields."""
    messages, answers, at, datagrams = [], [], 0, 0
    while at < len(sent):
        if sent[at + 4 : at + 8] == b"\x44NE\0":
            messages.append({"round": [int.from_bytes(sent[at : at + 4], "big")]})
            at += 8
            continue
        size, payload, first = struct.unpack_from(">QII", sent, at)
        datagrams = -(-size // payload)
        messages.append({"bytes": [size], "payload_size": [payload], "first_sequence": [first]})
        messages[-1]["datagrams"] = [datagrams]
        at += 16
    length = datagrams // 8 + 2
    for begin in range(0, len(answered), length):
        bits = int.from_bytes(answered[begin + 1 : begin + length], "little")
        missing = datagrams - (bits & ((1 << datagrams) - 1)).bit_count()
        answers.append({"complete": [answered[begin]], "missing": [missing]})
    return messages, answers
