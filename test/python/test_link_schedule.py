# SPDX-License-Identifier: GPL-2.0-only
"""Links that change over time in every program and topology: --linkSchedule and --linkTrace."""

import bisect

import pytest
from project import HOME, NETWORK, PROGRAMS, all_topologies, refuse, rows, run

PROGRAM = "transport-comparison"
SAMPLES = HOME / "examples/links"
HEADER = "time_s,link,what,value\n"
ALL = HEADER + (
    "0,bottleneck,rate,20Mbps\n0,bottleneck,delay,5ms\n0.1,bottleneck,loss,0.02\n"
    "0.2,bottleneck:forward,rate,8Mbps\n0.3,bottleneck,state,down\n0.35,bottleneck,state,up\n"
    "0.4,bottleneck:reverse,loss,0.1\n0.5,bottleneck,delay,20ms\n0.6,bottleneck,loss,0\n"
)
RELIABLE = ["atou", "jrm", "parallel-tcp", "rbudp", "tcp", "vrp", "xcp"]
UNRELIABLE = ["fec-udp", "udp"]
OPPORTUNITY = 1504
TOPOLOGIES = all_topologies({})
del TOPOLOGIES["FileTopology"]  # needs a file


def schedule(folder, text, name="s.csv"):
    """Write a schedule and return the flag."""
    (folder / name).write_text(text)
    return f"--linkSchedule={name}"


def trace_times(name):
    """Milliseconds of a sample trace."""
    return [int(line) for line in (SAMPLES / name).read_text().split()]


def opportunities(times, seconds):
    """Count the opportunities of a trace until a time."""
    whole, rest = divmod(round(1e9 * seconds), times[-1] * 10**6)
    return whole * len(times) + bisect.bisect_right(times, rest / 1e6)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("version", ["4", "6"])
def test_every_program(tmp_path, program, version):
    flags = [*PROGRAMS[program], schedule(tmp_path, ALL), f"--ipVersion={version}"]
    result = run(program, tmp_path, *flags)
    assert (result.returncode, result.stderr) == (0, "")
    assert any(int(flow["delivered_bytes"]) > 0 for flow in rows(tmp_path))
    result = run(
        program,
        tmp_path,
        *PROGRAMS[program],
        "--force",
        f"--linkTrace={SAMPLES}/steady-12mbps.trace",
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert any(int(flow["delivered_bytes"]) > 0 for flow in rows(tmp_path))


@pytest.mark.parametrize("topology", TOPOLOGIES.values())
def test_every_topology(tmp_path, topology):
    is_shared = topology in ("CsmaTopology", "WifiTopology")
    flags = [*PROGRAMS[PROGRAM], f"--topology=ns3::lfn::{topology}"]
    rates = schedule(tmp_path, HEADER + "0.1,bottleneck,rate,5Mbps\n", "rate.csv")
    delays = schedule(tmp_path, HEADER + "0.1,bottleneck,delay,5ms\n", "delay.csv")
    trace = f"--linkTrace={SAMPLES}/cell-sawtooth.trace"
    for flag, part in (rates, "line 2: "), (delays, "line 2: "), (trace, "only point-to-point"):
        if is_shared:
            refuse(PROGRAM, tmp_path, *flags, flag, part=part)
        else:
            result = run(PROGRAM, tmp_path, *flags, flag, "--force")
            assert (result.returncode, result.stderr) == (0, "")
    losses = HEADER + (
        "0,bottleneck,loss,0.01\n1.0,bottleneck,state,down\n1.05,bottleneck,state,up\n"
        "1.1,bottleneck:forward,loss,0.1\n"
    )
    result = run(PROGRAM, tmp_path, *flags, schedule(tmp_path, losses), "--force")
    assert (result.returncode, result.stderr) == (0, "")
    done = [flow for flow in rows(tmp_path) if flow["protocol"] not in UNRELIABLE]
    assert {flow["completed"] for flow in done} == {"1"}


def test_links_of_nodes(tmp_path):
    """A link that is no bottleneck, by its nodes, in the direction written."""
    (tmp_path / "net.csv").write_text(NETWORK)
    flags = ["--transport=udp", "--bytes=1MB", "--topology=ns3::lfn::FileTopology[File=net.csv]"]
    found = []
    for link in ("r2-right:forward", "right-r2:forward", "right-r2:reverse"):
        text = HEADER + f"0,{link},state,down\n"
        result = run(PROGRAM, tmp_path, *flags, schedule(tmp_path, text), "--force")
        assert result.returncode == 0, result.stderr
        found.append(int(rows(tmp_path)[0]["delivered_bytes"]))
    assert found == [0, 10**6, 0]


@pytest.mark.parametrize("name", ["steady-12mbps.trace", "cell-sawtooth.trace"])
@pytest.mark.parametrize("seconds", [4, 11.7])
def test_udp_fills_a_trace(tmp_path, name, seconds):
    """Delivered bytes are the integral of the trace, to the packet."""
    times = trace_times(name)
    flags = ["--transport=udp", "--bytes=0", f"--duration={seconds}s", "--sendRate=60Mbps"]
    flags += ["--rtt=20ms", "--packetSize=1200", f"--linkTrace={SAMPLES}/{name}"]
    result = run(PROGRAM, tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    delivered = int(rows(tmp_path)[0]["delivered_bytes"]) // 1200
    possible = OPPORTUNITY * opportunities(times, seconds - 0.0101) / (1200 + 28 + 4)
    assert possible - 1.5 <= delivered <= possible


@pytest.mark.parametrize("name", ["steady-12mbps.trace", "cell-sawtooth.trace"])
def test_tcp_fills_a_trace(tmp_path, name):
    """A long TCP transfer, in the seconds in which it saturates the link."""
    times = trace_times(name)
    flags = ["--transport=tcp", "--bytes=0", "--duration=40s", "--rtt=20ms", "--queue=4000p"]
    flags += ["--seriesInterval=1s", f"--linkTrace={SAMPLES}/{name}:bottleneck:forward"]
    # More than the path holds, less than the queue: no loss leaves a gap at the receiver.
    flags += [f"--ns3::lfn::Tcp{end}BufSize=400000" for end in ("Source::Snd", "Sink::Rcv")]
    result = run(PROGRAM, tmp_path, *flags)
    assert result.returncode == 0, result.stderr
    rates = [row for row in rows(tmp_path, "series") if row["metric"] == "goodput_bps"]
    delivered = sum(float(row["value"]) for row in rates if 20 < float(row["time_s"]) <= 40) / 8
    number = opportunities(times, 39.99) - opportunities(times, 19.99)
    segment = 1400
    packet = segment + 52 + 4  # with IP, TCP with time stamps, and the trace's own header
    assert delivered / segment == pytest.approx(OPPORTUNITY * number / packet, abs=2)


def goodput(folder):
    """Goodput of the first flow per second, Mb/s: {end of the second: value}."""
    found = [row for row in rows(folder, "series") if row["metric"] == "goodput_bps"]
    return {round(float(row["time_s"])): float(row["value"]) / 1e6 for row in found}


def test_changes_show_at_once(tmp_path):
    """UDP: rate, loss, delay and state, in the second after each."""
    text = HEADER + (
        "0,bottleneck,rate,40Mbps\n2,bottleneck,rate,10Mbps\n4,bottleneck,rate,40Mbps\n"
        "6,bottleneck,loss,0.5\n8,bottleneck,loss,0\n10,bottleneck,state,down\n"
        "11,bottleneck,state,up\n12,bottleneck,delay,500ms\n"
    )
    flags = ["--transport=udp", "--bytes=0", "--duration=15s", "--sendRate=20Mbps", "--rtt=2ms"]
    flags += ["--queue=10p", "--seriesInterval=1s", schedule(tmp_path, text)]
    assert run(PROGRAM, tmp_path, *flags).returncode == 0
    rates = goodput(tmp_path)
    user = 1400 / 1430  # of IP packets
    expected = {2: 20, 3: 10 * user, 4: 10 * user, 5: 20, 6: 20, 9: 20, 10: 20, 11: 0, 12: 20}
    expected |= {14: 20, 15: 20}
    assert {second: rates[second] for second in expected} == pytest.approx(
        expected, rel=0.02, abs=0.1
    )
    for second in 7, 8:
        assert 8.5 < rates[second] < 11.5, "half of the packets"
    assert 9 < rates[13] < 11, "half a second without arrivals"


def test_tcp_after_changes(tmp_path):
    """TCP uses a new rate after a few RTTs, in both directions of change."""
    text = (
        HEADER + "0,bottleneck,rate,20Mbps\n10,bottleneck,rate,5Mbps\n20,bottleneck,rate,40Mbps\n"
    )
    flags = ["--transport=tcp", "--bytes=0", "--duration=40s", "--rtt=40ms", "--queue=200p"]
    assert (
        run(PROGRAM, tmp_path, *flags, "--seriesInterval=1s", schedule(tmp_path, text)).returncode
        == 0
    )
    rates = goodput(tmp_path)
    for second, rate in (9, 20), (15, 5), (19, 5), (39, 40):
        assert 0.85 * rate < rates[second] < rate, (second, rates)


@pytest.mark.parametrize("outage", [0.1, 0.3, 1, 3, 10, 30])
@pytest.mark.parametrize("transport", RELIABLE + UNRELIABLE)
def test_outage(tmp_path, transport, outage):
    """A transfer completes after an outage, or fails in bounded time with a reason."""
    text = HEADER + f"0.5,bottleneck,state,down\n{0.5 + outage},bottleneck,state,up\n"
    flags = [f"--transport={transport}", "--bytes=4MB", "--linkRate=20Mbps", "--rtt=100ms"]
    result = run(PROGRAM, tmp_path, *flags, schedule(tmp_path, text), "--checkContent")
    assert result.returncode == 0, result.stderr
    (flow,) = rows(tmp_path)
    if transport in UNRELIABLE:
        assert int(flow["delivered_bytes"]) < 4_000_000
        return
    assert flow["completed"] == "1" or flow["failure"], flow
    assert float(flow["finish_s"]) < 2 * outage + 20
    if outage <= 3:
        assert flow["completed"] == "1", flow


@pytest.mark.parametrize("rate", [5, 40])
def test_xcp_converges(tmp_path, rate):
    """XCP takes a new rate within a few RTTs, and its queue is empty again."""
    text = HEADER + f"0,bottleneck,rate,20Mbps\n10,bottleneck,rate,{rate}Mbps\n"
    flags = ["--xcpFlows=2", "--tcpFlows=0", "--duration=20s", "--seriesInterval=1s", "--rtt=40ms"]
    result = run("xcp-tcp-fairness", tmp_path, *flags, schedule(tmp_path, text))
    assert result.returncode == 0, result.stderr
    found = rows(tmp_path, "series")
    rates = {
        round(float(row["time_s"])): float(row["value"]) / 1e6
        for row in found
        if row["metric"] == "xcp_rate_bps"
    }
    assert 17 < rates[9] < 20, rates
    assert 0.85 * rate < rates[13] < rate, rates
    queues = [row for row in found if row["metric"] == "queue_packets" and row["flow"] == "-1"]
    assert float(queues[-1]["value"]) < 20


def test_rate_change_is_a_schedule(tmp_path):
    """--rateChange and the same lines of a file give equal bytes."""
    text = HEADER + "2,bottleneck,rate,5Mbps\n4,bottleneck,rate,20Mbps\n"
    flags = ["--xcpFlows=2", "--tcpFlows=1", "--duration=6s", "--bottleneckRate=10Mbps"]
    flags += ["--seriesInterval=100ms", "--queue=200p", "--receiveBuffer=200kB"]
    tables = []
    for place, change in (
        ("a", "--rateChange=2s:5Mbps,4s:20Mbps"),
        ("b", "--linkSchedule=s.csv"),
    ):
        folder = tmp_path / place
        folder.mkdir()
        schedule(folder, text)
        assert run("xcp-tcp-fairness", folder, *flags, change).returncode == 0
        tables.append([path.read_bytes() for path in sorted((folder / "here").glob("*.csv"))])
    assert tables[0] == tables[1]


def test_xcp_sees_the_mean_rate_of_a_trace(tmp_path):
    flags = ["--transport=xcp", "--bytes=0", "--duration=20s", "--rtt=40ms", "--seriesInterval=1s"]
    result = run(PROGRAM, tmp_path, *flags, f"--linkTrace={SAMPLES}/steady-12mbps.trace")
    assert result.returncode == 0, result.stderr
    assert goodput(tmp_path)[20] == pytest.approx(11.5, abs=0.4)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "it has no change"),
        (HEADER + "1,bottleneck,rate\n", "line 2: 3 fields"),
        (HEADER + "2,bottleneck,loss,0.1\n1,bottleneck,loss,0\n", "line 3: time 1 is before"),
        (HEADER + "1,bottleneck9,state,down\n", "line 2: there is no link bottleneck9"),
        (HEADER + "1,bottleneck,speed,9\n", "line 2: speed: there is no such change"),
        (HEADER + "1,bottleneck,rate,-9Mbps\n", "line 2: rate -9Mbps: give"),
        (HEADER + "9,bottleneck,state,down\n", "line 2: this is not before the run's end"),
    ],
)
def test_bad_schedules(tmp_path, text, part):
    flags = ["--bytes=10kB", "--duration=5s", schedule(tmp_path, text)]
    refuse("rbudp-transfer", tmp_path, *flags, part=part)


def test_bad_traces(tmp_path):
    for text, part in (
        ("", "it has no opportunity"),
        ("0\n0\n", "line 2: the last time is the length"),
        ("3\n2\n", "line 2: 2 is before the line above"),
        ("3\n-2\n", "line 2: -2: give whole milliseconds"),
    ):
        (tmp_path / "a.trace").write_text(text)
        refuse("vrp-transfer", tmp_path, "--linkTrace=a.trace", part=part)
    (tmp_path / "a.trace").write_text("1\n")
    for value, part in (
        ("none.trace", "there is no such file"),
        (".", "this is no file"),
        ("a.trace:bottleneck:up", "link bottleneck:up: give a name"),
        ("a.trace:bottleneck4", "there is no link bottleneck4"),
        ("a.trace,a.trace:bottleneck0:reverse", "two traces in a direction"),
        ("a.trace,", "there is no such file"),
    ):
        refuse("vrp-transfer", tmp_path, f"--linkTrace={value}", part=part)
    flags = ["--linkTrace=a.trace", schedule(tmp_path, HEADER + "1,bottleneck,rate,1Mbps\n")]
    refuse("vrp-transfer", tmp_path, *flags, part="the link sends by its trace")
    flags = ["--lossRate=0.1", schedule(tmp_path, HEADER + "1,bottleneck,loss,0.1\n")]
    refuse("vrp-transfer", tmp_path, *flags, part="leave this flag out")
    refuse("vrp-transfer", tmp_path, "--linkSchedule=none.csv", part="there is no such file")
