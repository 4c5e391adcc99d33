# SPDX-License-Identifier: GPL-2.0-only
"""The type of service of every transport by its name, in captures of both directions."""

import struct

import pytest
from project import refuse, rows, run

PROGRAM = "transport-comparison"
TRANSPORTS = "atou fec-udp jrm parallel-tcp rbudp tcp udp udt vrp xcp".split()
TOS = 184  # expedited forwarding
SILENT = {"udp", "fec-udp"}  # sinks that send nothing
CONTROL = {0, 1, 2, 58}  # extensions, ICMP, IGMP, ICMPv6


def types_of_service(path):
    """Return {source address: types of service} of the data in a capture of PPP."""
    data = path.read_bytes()
    at = 24
    found = {}
    while at < len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        frame = data[at + 16 : at + 16 + length]
        at += 16 + length
        packet = frame[2:]
        if frame[:2] == b"\x00\x21":
            protocol, source, tos = packet[9], packet[12:16], packet[1]
        else:
            assert frame[:2] == b"\x00\x57"
            protocol, source = packet[6], packet[8:24]
            tos = (packet[0] << 4 | packet[1] >> 4) & 0xFF
        if protocol not in CONTROL:
            found.setdefault(source, set()).add(tos)
    return found


@pytest.mark.parametrize("tos", [0, TOS])
@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_captures(tmp_path, transport, version, tos):
    name = f"{transport}[Tos={tos}]" if tos else transport
    flags = [f"--transport={name}", "--bytes=50kB", f"--ipVersion={version}", "--lossRate=0.05"]
    result = run(PROGRAM, tmp_path, *flags, "--pcap=wire")
    assert (result.returncode, result.stderr) == (0, "")
    found = types_of_service(sorted(tmp_path.glob("wire*.pcap"))[0])
    assert len(found) == (1 if transport in SILENT else 2)
    assert set().union(*found.values()) == {tos}
    settings = [f"Tos={tos}"] if tos else []
    if transport in ("tcp", "parallel-tcp"):
        settings.append("Congestion=ns3::TcpCubic")
    assert rows(tmp_path)[0]["variant"] == "|".join(settings)


@pytest.mark.parametrize("version", ["4", "6"])
@pytest.mark.parametrize("transport", ["tcp", "parallel-tcp"])
def test_ecn_is_the_stacks(tmp_path, transport, version):
    """The two bits of ECN are TCP's, for any value asked for."""
    flags = [f"--transport={transport}[Tos={TOS + 3}]", "--bytes=200kB", f"--ipVersion={version}"]
    flags += ["--ns3::TcpSocketBase::UseEcn=On", "--pcap=wire"]
    result = run(PROGRAM, tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    found = types_of_service(sorted(tmp_path.glob("wire*.pcap"))[0])
    assert sorted(found.values(), key=len) == [{TOS}, {TOS, TOS + 2}]


@pytest.mark.parametrize("text", ["EF", "184", "0xb8", "0XB8"])
@pytest.mark.parametrize("place", ["transport", "ends"])
def test_notations(tmp_path, place, text):
    """A name and a hexadecimal number are the same as the decimal one, wherever they stand."""
    flags = [f"--transport=rbudp[Tos={text}]"]
    if place == "ends":
        flags = ["--transport=rbudp", f"--ns3::lfn::TransferApplication::Tos={text}"]
    result = run(PROGRAM, tmp_path, *flags, "--bytes=50kB", "--pcap=wire")
    assert (result.returncode, result.stderr) == (0, "")
    found = types_of_service(sorted(tmp_path.glob("wire*.pcap"))[0])
    assert set().union(*found.values()) == {TOS}


@pytest.mark.parametrize("text", ["256", "0x100", "-1", "ef", "AF14", "0x", "1.5", "184B"])
def test_refusals(tmp_path, text):
    part = "give a DSCP (EF, LE, CS0 to CS7, AF11 to AF43) or a TOS byte from 0 to 255"
    refuse(PROGRAM, tmp_path, f"--transport=rbudp[Tos={text}]", part=part)
    refuse(PROGRAM, tmp_path, f"--ns3::lfn::TransferApplication::Tos={text}", part=part)
