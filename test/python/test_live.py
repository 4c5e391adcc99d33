# SPDX-License-Identifier: GPL-2.0-only
"""Real hosts at the ends of a network: two processes over tun devices, and the kernel's own."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import pytest
from project import BUILD, rows, run

# Nothing of a test is seen outside of it: networks, names of namespaces and mounts are its own.
INSIDE = ["unshare", "--net", "--mount", "--propagation=private", "bash", "-euc"]
READY = """\
mount -t tmpfs none /run
mkdir /run/netns
ip link set lo up
"""
# The kernel is a router between two simulations: the address of neither end is its own.
ROUTER = READY + "echo 1 > /proc/sys/net/ipv4/ip_forward\n"
WAIT = """\
await() {{ for _ in $(seq 100); do ip link show {0} >/dev/null 2>&1 && return; sleep 0.1; done; }}
await
"""


def inside(folder, script):
    """Run a script in namespaces of its own."""
    return subprocess.run(
        [*INSIDE, script], cwd=folder, text=True, capture_output=True, timeout=150, check=False
    )


@pytest.fixture(scope="module")
def namespaces(tmp_path_factory):
    """Skip where there can be no namespaces or no tun devices."""
    script = f"{READY}\nip tuntap add mode tun name probe"
    try:
        done = inside(tmp_path_factory.mktemp("probe"), script)
    except FileNotFoundError as error:
        pytest.skip(f"no network namespaces here: {error}")
    if done.returncode:
        pytest.skip(f"no tun devices in network namespaces here: {done.stderr.strip()}")


def program(name, *flags):
    """Return a command of a script; the run ends a second after its last packet."""
    command = [str(BUILD / "bin" / name), "--ns3::lfn::RealHost::Silence=1s", *flags]
    return shlex.join(command)


def transfer(folder, name, near, far, awaited):
    """Run the near end, then the far end, each in a process; return their rows."""
    flags = ["--ns3::lfn::RealHost::OwnAddress=false", "--duration=100s", "--checkContent"]
    script = ROUTER + f"{program(name, *flags, *near, '--outputDir=near')} & near=$!\n"
    script += WAIT.format(awaited)
    script += f"{program(name, *flags, *far, '--outputDir=far')}\nwait $near\n"
    done = inside(folder, script)
    assert done.returncode == 0, done.stderr
    for line in done.stderr.splitlines():
        assert line.startswith(f"{name}: device ")
        assert not any(word in line for word in ("malformed", "lost", "did not take"))
    found = []
    for place in ("near", "far"):
        (row,) = rows(folder, place=place)
        found.append(row)
    return found


def test_atou_in_two_processes(namespaces, tmp_path):
    server, client = transfer(
        tmp_path,
        "atou-transfer",
        ["--live=sender", "--linkRate=1Gbps", "--rtt=0ms"],
        [
            "--live=receiver",
            "--linkRate=20Mbps",
            "--rtt=20ms",
            "--options=maxpkts 501; rcvrwin 50; mss 1472; timeout 20",
        ],
        "sender0",
    )
    for end in (server, client):
        assert (end["completed"], end["failure"]) == ("1", "")
        assert end["delivered_bytes"] == str(500 * 1460)
        assert end["data_packets"] == "500"
    assert server["acks"] == "500"
    assert client["snd_una"] == "501"
    assert (server["snd_una"], client["acks"]) == ("", "")  # of a real end nothing is known


def test_rbudp_in_two_processes(namespaces, tmp_path):
    sender, receiver = transfer(
        tmp_path,
        "rbudp-transfer",
        [
            "--live=receiver",
            "--linkRate=25Mbps",
            "--rtt=20ms",
            "--sendRate=20Mbps",
            "--bytes=500kB",
            "--dropData=5,7,300",
        ],
        ["--live=sender", "--linkRate=1Gbps", "--rtt=0ms"],
        "receiver0",
    )
    for end in (sender, receiver):
        assert (end["completed"], end["failure"]) == ("1", "")
        assert end["delivered_bytes"] == end["offered_bytes"] == "500000"
    assert (sender["data_packets"], sender["retransmitted_packets"]) == ("348", "3")
    assert (sender["blasts"], receiver["duplicate_packets"]) == ("2", "0")
    assert (receiver["blasts"], sender["duplicate_packets"]) == ("", "")


def test_udt_in_two_processes(namespaces, tmp_path):
    receiver, sender = transfer(
        tmp_path,
        "udt-transfer",
        ["--live=sender", "--linkRate=1Gbps", "--rtt=0ms"],
        [
            "--live=receiver",
            "--linkRate=20Mbps",
            "--rtt=20ms",
            "--bytes=500kB",
            "--window=128",
            "--dropData=50,51,300",
        ],
        "sender0",
    )
    for end in (sender, receiver):
        assert (end["completed"], end["failure"]) == ("1", "")
        assert end["delivered_bytes"] == "500000"
    assert sender["offered_bytes"] == "500000"
    # 344 packets, and those that were lost; on a busy machine EXP may send some again.
    packets, retransmitted = int(sender["data_packets"]), int(sender["retransmitted_packets"])
    assert packets == 344 + retransmitted
    assert retransmitted >= 3
    assert int(sender["naks"]) >= 2
    # What crossed the kernel twice: all but the three packets that the script lost.
    assert int(receiver["data_packets"]) == packets - 3
    assert int(receiver["duplicate_packets"]) == retransmitted - 3
    assert (sender["duplicate_packets"], receiver["naks"], receiver["setup_s"]) == ("", "", "")


def test_messages_of_the_tools_layout(tmp_path):
    """Sequence numbers are read as they are meant, also of what is lost."""
    flags = ["--wire=tools", "--bytes=100100", "--dropData=5,12,71", "--messages"]
    assert run("rbudp-transfer", tmp_path, *flags).returncode == 0
    found = [row for row in rows(tmp_path, "messages") if row["message"] == "data"]
    lost = [row["sequence"] for row in found if row["event"] == "drop"]
    sent = [row["sequence"] for row in found if row["event"] == "tx"]
    assert lost == ["4", "11", "4"]
    assert sent == [*map(str, range(70)), "4", "11", "4"]


def test_kernel_alongside_a_model(namespaces, tmp_path):
    """The kernel's TCP crosses the bottleneck between two namespaces while atou sends there."""
    (tmp_path / "serve.py").write_text(
        "import socket\n"
        "with socket.create_server(('', 5000)) as server:\n"
        "    peer, _ = server.accept()\n"
        "    total = 0\n"
        "    while data := peer.recv(65536):\n"
        "        total += len(data)\n"
        "print(total)\n"
    )
    (tmp_path / "send.py").write_text(
        "import socket, sys\n"
        "with socket.create_connection((sys.argv[1], 5000)) as peer:\n"
        "    peer.sendall(bytes(500000))\n"
    )
    network = "--topology=ns3::lfn::DumbbellTopology[Pairs=2|LinkRate=20Mbps|Rtt=10ms]"
    command = program(
        "atou-transfer",
        network,
        "--live=sender1=tun0@left,receiver1=tun0@right",
        "--duration=100s",
        "--options=maxpkts 501; rcvrwin 50; mss 1472; timeout 20",
        "--monitor",
        "--outputDir=here",
    )
    script = f"""{READY}
ip netns add left
ip netns add right
{command} & model=$!
for _ in $(seq 100); do
    to=$(ip -n right -4 -o address show tun0 2>/dev/null | sed 's/.*inet \\([0-9.]*\\).*/\\1/')
    [ -n "$to" ] && break
    sleep 0.1
done
ip netns exec right python3 serve.py & server=$!
for _ in $(seq 100); do
    ip netns exec left python3 send.py $to 2>/dev/null && break
    sleep 0.1
done
wait $server $model
"""
    done = inside(tmp_path, script)
    assert done.returncode == 0, done.stderr
    assert "500000\n" in done.stdout
    (row,) = rows(tmp_path)
    assert (row["completed"], row["delivered_bytes"]) == ("1", str(500 * 1460))
    # Of the modelled flow delays are measured, alongside real hosts or not.
    assert 0.005 < float(row["delay_mean_s"]) <= float(row["delay_max_s"]) < 1
    assert float(row["jitter_s"]) > 0


@pytest.mark.parametrize(
    ("flags", "remedy"),
    [
        (["--live=nobody", "--duration=1s"], "--live=nobody: give sender or receiver"),
        (["--live=receiver"], "--live=receiver: give --duration as well"),
    ],
)
def test_remedies(tmp_path, flags, remedy):
    done = run("atou-transfer", tmp_path, *flags)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"atou-transfer: {remedy}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize(
    ("name", "live", "remedy"),
    [
        ("atou-transfer", "sender3", "this topology has 1 senders, give a lower index"),
        ("atou-transfer", "sender,receiver=x@gone", "network namespace gone: "),
        ("atou-transfer", "sender@one,receiver@two", "are both real"),
        ("vrp-transfer", "sender", "flows of this program need both ends"),
        ("transport-comparison", "receiver", "flows of this program need both ends"),
        ("xcp-tcp-fairness", "receiver", "flows of this program need both ends"),
        ("jrm-session", "receiver", "flows of this program need both ends"),
    ],
)
def test_remedies_of_places(namespaces, tmp_path, name, live, remedy):
    command = program(name, f"--live={live}", "--duration=1s", "--outputDir=here")
    done = inside(tmp_path, f"{READY}\nip netns add one\nip netns add two\n{command}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{name}: --live={live}: ")
    assert remedy in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("name", ["atou-transfer", "rbudp-transfer"])
def test_no_delay_at_a_real_end(namespaces, tmp_path, name):
    for live in ("sender", "receiver"):
        command = program(name, f"--live={live}", "--duration=1s", "--monitor", "--outputDir=here")
        done = inside(tmp_path, READY + command)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"{name}: --monitor=true: an end of a flow is a real host")
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "here").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_without_the_right():
    flags = ["--live=receiver", "--duration=1s"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        try:
            done = run("atou-transfer", folder, *flags, user=65534, group=65534, extra_groups=[])
        except PermissionError as error:
            pytest.skip(f"the build is not for everybody: {error}")
    assert done.returncode == 1
    assert done.stderr.startswith("atou-transfer: --live=receiver: ")
    assert "root" in done.stderr
    assert done.stderr.count("\n") == 1
