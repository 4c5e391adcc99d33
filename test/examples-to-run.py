#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# What test.py runs of this module's examples: (command line, run it, run it under valgrind).
cpp_examples = [
    (
        "atou-transfer --options='rcvrwin 100; maxpkts 2001; droplist 1000' --outputDir=lfn-atou",
        "True",
        "True",
    ),
    (
        "atou-transfer --options='fack 1; rampdown 1; rcvrwin 100; maxpkts 2001' --serverSack "
        "--lossRate=0.005 --outputDir=lfn-fack",
        "True",
        "True",
    ),
    ("atou-example", "True", "True"),
    ("distributed-example", "True", "True"),
    ("fec-example", "True", "True"),
    ("jrm-example", "True", "True"),
    ("jrm-session --messages=300 --errorRate=0.3 --outputDir=lfn-session", "True", "True"),
    (
        "jrm-session --senders=4 --receivers=3 --messages=30 --receiverErrorRate=0.1 "
        "--aggregation=5ms --suppression=20ms --heartbeat=100ms --checkContent "
        "--outputDir=lfn-many",
        "True",
        "True",
    ),
    ("parallel-tcp-example", "True", "True"),
    ("rbudp-example", "True", "True"),
    ("udt-example", "True", "True"),
    ("udt-transfer --bytes=1MB --lossRate=0.001 --outputDir=lfn-udt", "True", "True"),
    ("xcp-example", "True", "True"),
    ("rbudp-streaming --duration=2s --outputDir=lfn-streaming", "True", "True"),
    ("rbudp-transfer --bytes=1MB --rtt=10ms --outputDir=lfn-transfer", "True", "True"),
    ("rbudp-transfer --bytes=1MB --lossRate=0.1 --outputDir=lfn-lossy", "True", "True"),
    (
        "transport-comparison --transport=vrp,rbudp,jrm,atou,xcp,tcp,parallel-tcp,fec-udp,udp,udt "
        "--bytes=300kB --lossRate=0.01 --background=tcp --checkContent --outputDir=lfn-comparison",
        "True",
        "True",
    ),
    (
        "transport-comparison --transport=tcp,vrp,rbudp --bytes=300kB --lossRate=0.01 "
        "--lossBurst=3 --topology=ns3::lfn::WifiTopology --outputDir=lfn-wifi",
        "True",
        "True",
    ),
    (
        "transport-comparison --transport=tcp,vrp,rbudp --bytes=300kB --lossRate=0.01 "
        "--topology=ns3::lfn::CsmaTopology --outputDir=lfn-csma",
        "True",
        "True",
    ),
    (
        "jrm-session --receivers=20 --messages=50 --messageRate=50 --lossRate=0.1 "
        "--heartbeat=200ms --topology=ns3::lfn::WifiTopology --ns3::lfn::WifiTopology::Stations=20 "
        "--outputDir=lfn-stations",
        "True",
        "True",
    ),
    ("vrp-example", "True", "True"),
    ("vrp-transfer --bytes=1MB --outputDir=lfn-frames", "True", "True"),
    (
        "vrp-transfer --bytes=1MB --lossRate=0.05 --maxLossRate=0.25 --outputDir=lfn-gaps",
        "True",
        "True",
    ),
    (
        "xcp-tcp-fairness --mechanism=persistent --bottleneckRate=10Mbps --duration=5s "
        "--seriesInterval=1s --outputDir=lfn-fairness",
        "True",
        "True",
    ),
]

python_examples = []
