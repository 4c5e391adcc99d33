# builds names.tsv
A = "."
CPP = r"\.(cc|h)$"
rows = []


def r(stage, where, text):
    for pair in text.split():
        old, new = pair.split(">")
        rows.append((stage, where, old, new))


r(
    "flags",
    A,
    """lossBothWays>reverseLoss reorderWay>reorderDirection reorderBy>reorderExtent reorderLaw>reorderDistribution
 ReorderWay>ReorderDirection ReorderLaw>ReorderDistribution m_reorderWay>m_reorderDirection m_reorderLaw>m_reorderDistribution""",
)
r("flags", r"^(analysis|doc/atou|doc/tutorial|examples|test)", "ackRate>reverseRate")
r(
    "classes",
    A,
    """ToldLink>ReportedLink LFN_TOLD_LINK_H>LFN_REPORTED_LINK_H FlowWitness>FlowCounter LFN_FLOW_WITNESS_H>LFN_FLOW_COUNTER_H
 FlowWitnessTestCase>FlowCounterTestCase WitnessBoundsTestCase>CounterBoundsTestCase WitnessCase>CounterCase m_witness>m_counter
 lfn-told-link>lfn-reported-link lfn-flow-witness>lfn-flow-counter lfn-end-looks>lfn-end-checks LFN_END_LOOKS_H>LFN_END_CHECKS_H
 GetNextLook>GetNextCheck LookForEnd>CheckForEnd GetWaitForLook>GetWaitForCheck ScheduleLook>ScheduleCheck LookFirst>CheckFirst
 LookAtTimer>CheckTimer LookAtMaxTime>CheckMaxTime LookAtPath>InspectPath LookAtLivePacket>InspectLivePacket m_isLookDue>m_isCheckPending m_look>m_check
 m_looked>m_checked LOOK_INTERVAL_MS>CHECK_INTERVAL_MS
 RbudpTally>RbudpArrivalMap RBUDP_TALLY_H>RBUDP_ARRIVAL_MAP_H rbudp-tally>rbudp-arrival-map RbudpTallyTestCase>RbudpArrivalMapTestCase
 vrp-test-ledger>vrp-test-account VRP_TEST_LEDGER_H>VRP_TEST_ACCOUNT_H VrpTestLedger>VrpTestAccount XcpLedgerTestCase>XcpAccountTestCase
 IsStock>IsNs3Compatible TakePlain>OnFastPath SendPlainAck>SendPureAck plainSink>ns3Sink PLAIN_SINK>NS3_SINK MakePlainSettings>MakeBasicSettings XcpPlainPortTestCase>XcpBasicPortTestCase
 PlainReceiver>BasicReceiver MutatePlain>MutateBasic TcpPlainCase>TcpBasicCase
 ListHoles>ListGaps m_holes>m_gaps AtouStaleHolesTestCase>AtouStaleGapsTestCase
 FindFault>FindDefect FileFault>FileProblem isKnob>isParameter e2eDue>e2eFairShare isAnew>isAgain isTold>isReported
 XcpDeafTestCase>XcpUnresponsiveHostTestCase XcpLiarTestCase>XcpMisbehavingTestCase Deafen>Silence
 VrpStrangersTestCase>VrpUnauthenticatedTestCase UdtStrangerTestCase>UdtUnauthenticatedTestCase RbudpStrangerTestCase>RbudpUnauthenticatedTestCase STRANGER>UNKNOWN_HOST
 XcpHostileInputTestCase>XcpMalformedInputTestCase XcpHostHostileTestCase>XcpHostMalformedTestCase ParallelHostileTestCase>ParallelMalformedTestCase MakeHostile>MakeMalformed
 JrmHostileTestCase>JrmMalformedTestCase HostileBytesCase>MalformedBytesCase FecHostileTestCase>FecMalformedTestCase CodeHostileTestCase>CodeMalformedTestCase AtouReceiverHostileTestCase>AtouReceiverMalformedTestCase
 atou-hostile-test-suite>atou-malformed-test-suite jrm-hostile-test-suite>jrm-malformed-test-suite rbudp-hostile-test-suite>rbudp-malformed-test-suite udt-hostile-test-suite>udt-malformed-test-suite
 hostile-test-suite>malformed-test-suite xcp-liar-test-suite>xcp-misbehaving-test-suite test_hostile_values>test_malformed_values
 test_house_rules>test_project_rules house_rules>project_rules look_at_report>check_report test_room_tables>test_directory_tables room_of>directory_of
 CheckWayBack>CheckReversePath toldLost>reportedLost told_in_one_line>reported_in_one_line""",
)
r(
    "classes",
    r"^\.ci/|test_(directory_tables|project_rules)|^test/python/test_room",
    "room>directory rooms>directories ROOMS>DIRECTORIES may_know>may_include knobs>parameters",
)
r("classes", "test_claims_history", "TOLD>NOTED")
r("classes", r"\.py$", "beside>alongside _beside>_alongside")
r("classes", r"compare", "TOLD>CONFIGURED")
r("classes", r"^helper/", "witness>counter")
r("classes", r"^(model/rbudp|test/rbudp)", "tally>arrivals m_tally>m_arrivals")
r(
    "figures",
    A,
    """vrp-way-back>vrp-reverse-path compare-told-rate>compare-configured-rate rbudp_overtold>rbudp_overload
 told-half>configured-half told_half>configured_half rbudp-told-three-times>rbudp-configured-three-times rbudp_told_three_times>rbudp_configured_three_times
 udp-told-three-times>udp-configured-three-times udp_told_three_times>udp_configured_three_times eight-told-the-link>eight-configured-to-the-link eight_told_the_link>eight_configured_to_the_link
 told-a-rate-below-the-link>configured-below-the-link told_a_rate_below_the_link>configured_below_the_link told-share-alike>configured-share-alike told_share_alike>configured_share_alike
 told-the-fair-share>configured-the-fair-share told_the_fair_share>configured_the_fair_share told-the-link-starves>configured-link-starves told_the_link_starves>configured_link_starves
 told-the-link>configured-the-link told_the_link>configured_the_link
 rbudp-sends-in-vain>rbudp-sends-redundantly rbudp_sends_in_vain>rbudp_sends_redundantly eight-send-in-vain>eight-send-redundantly eight_send_in_vain>eight_send_redundantly
 lbnl-all-in-vain>lbnl-all-spurious lbnl_all_in_vain>lbnl_all_spurious""",
)
for x in (
    "atou",
    "jrm",
    "long-fat-tcp",
    "rbudp",
    "udt-core",
    "udt",
    "vrp",
    "xcp",
    "xcp-host",
    "parallel",
    "fec",
):
    rows.append(("classes", A, f"lfn-{x}-hostile", f"lfn-{x}-malformed"))
r(
    "classes",
    A,
    "-hostile>-malformed lfn-xcp-liar>lfn-xcp-misbehaving lfn-knobs>lfn-parameters knobs.rst>parameters.rst",
)
r(
    "classes",
    r"^test/.*\.(cc|h)$",
    "witness>counter strangers>unknownHosts stranger>unknownHost liar>misbehaving deaf>unresponsive hostile>longText beside>alongside Beside>Alongside",
)
r(
    "classes",
    r"jrm-session",
    "Tally>MessageCounters tally>messageCounters m_tallies>m_messageCounters",
)
r(
    "classes",
    r"\.(cc|h|py|lua|rst)$",
    "told>reported _told>_reported m_told>m_reported Told>Reported probe_told>probe_reported",
)
r("classes", r"^model/.*\.(cc|h)$", "holes>gaps hole>gap")
r("classes", r"atou.*\.(cc|h)$", "holes>gaps hole>gap Resend(>Retransmit(")
import re
import subprocess

PART = {
    "told": "reported",
    "anew": "again",
    "beside": "alongside",
    "liar": "misbehaving",
    "stranger": "unknown_host",
    "strangers": "unknown_hosts",
    "hostile": "malformed",
    "knob": "parameter",
    "knobs": "parameters",
    "house": "project",
    "witness": "counter",
    "mend": "recover",
    "untold": "unreported",
    "mended": "recovered",
    "doors": "builds",
    "door": "build",
}
names = set()
for f in subprocess.check_output(["git", "ls-files", "*.py"], text=True, cwd="..").split():
    if f.startswith("sweep/") or "stored" in f:
        continue
    try:
        names |= set(re.findall(r"\b[a-z_][a-z0-9_]*_[a-z0-9_]+\b", open("../" + f).read()))
    except FileNotFoundError:
        pass
keep = (
    open("../sweep/kept-names.txt").read().split()
    if __import__("os").path.exists("../sweep/kept-names.txt")
    else []
)
names |= set(keep)
hits = []
for n in sorted(names):
    m = "_".join(PART.get(x, x) for x in n.split("_"))
    if m != n and not n.startswith(("house_rules",)):
        hits.append(n)
        rows.append(("classes", r"\.py$|\.md$", n, m))
open("kept-names.txt", "w").write("\n".join(sorted(set(hits))) + "\n")
# handlers
names = """HandleSent>OnSent HandleForwarded>OnForwarded HandleDelivered>OnDelivered HandleIpDrop>OnIpDrop HandleQueueDrop>OnQueueDrop HandleQueueDiscDrop>OnQueueDiscDrop
 HandleLinkDrop>OnLinkDrop HandlePacket>OnPacket HandleFragment>OnFragment HandleQueue>OnQueue HandleDisc>OnDisc HandleDrop>OnDrop HandleMark>OnMark
 HandleRead>OnReadable HandleConnected>OnConnected HandleClose>OnClose HandleRoom>OnWritable HandleSegment>OnSegment HandleServed>OnServed HandleWindow>OnWindow
 HandleThreshold>OnThreshold HandleRtt>OnRtt HandlePeerClose>OnPeerClose HandleErrorClose>OnErrorClose HandleState>OnState HandleTx>OnTransmit
 TakeEpoch>OnEpoch TakeDuplicate>OnDuplicateAck TakeAdvance>OnNewAck TakeTimeout>OnTimeout TakePartial>OnPartialAck TakeTimeoutCarefully>OnTimeoutCarefully
 TakeSegment>OnSegment TakeAbove>OnSegmentAbove TakeMissing>OnMissingSegment TakeResent>OnRetransmissions TakeAck>OnAck TakeGoodAck>OnValidAck TakeRtt>OnRtt
 TakeAnswer>OnAnswer TakeDatagram>OnDatagram TakeNack>OnNack TakePacket>OnPacket TakeHeartbeat>OnHeartbeat TakeProbe>OnProbe Notice(>OnNumber( TakeNumber>OnNumber
 TakeAnnouncement>OnAnnouncement TakeDone>OnDone TakeFileRequest>OnFileRequest TakeAtEnd>OnSegmentAtEnd
 TakeFrameOk>OnFrameOk TakeRefused>OnRefused TakeMissingHeader>OnMissingHeader TakeSingleAck>OnSingleAck TakeRidersAck>OnPiggybackedAck TakeFeedback>OnFeedback
 TakeReceiveRate>OnReceiveRate TakeLate>OnLatePacket TakeControl>OnControl TakeTags>OnTags TakeTag>OnTag NoteTailDrop>OnTailDrop NoteObjects>RecordObjects
 NoteTime>UpdateTimestamp NoteOffered>UpdateOffered TakeOffer>AcceptOffer TakeSamples>UpdateEstimates TakeReceiverSide>MergeReceiver TakeOptions>OnOptions"""
r("handlers", CPP + r"|\.(md|rst|py)$", names)
r("handlers", r"(fec|jrm|vrp|parallel|test).*\.(cc|h)$", "TakeData>OnData")
r("handlers", r"long-fat-tcp", "TakeHeader>ExtractHeader NoteWindow>UpdateWindow")
r("handlers", r"parallel", "TakeHeader>OnHeader")
r("handlers", r"xcp", "NoteWindow>OnWindow")
r("handlers", r"jrm", "Hear(>OnArrival(")
r("handlers", r"model/vrp/vrp-ping", "Take(>OnPong(")
r("handlers", r"vrp", "m_ping.Take(>m_ping.OnPong( ping.Take(>ping.OnPong( Take(>OnPacket(")
r("handlers", r"model/fec/fec-(receiver-core|udp-sink)", "TakeParity>OnParity")
r("handlers", r"test/fec", "core.TakeParity>core.OnParity receiver.TakeParity>receiver.OnParity")
r(
    "handlers",
    r"atou-client|jrm-peer",
    "Work(>SendPending( AtouClient::Work>AtouClient::SendPending JrmPeer::Work>JrmPeer::SendPending TakeChanges>ApplyChanges",
)
r("handlers", r"lfn-web-source", "OnRoom>OnWritable")
r(
    "handlers",
    r"model/transfer/lfn-sent-stream|model/parallel/parallel-tcp-source|model/transfer/lfn-tcp-source|model/xcp/xcp-l4",
    "Note(>Record(",
)
r("handlers", r"model/fec/fec-udp-sink", "Take(>OnDatagram(")
r("handlers", r"model/(parallel|transfer)/.*tcp-sink", "Take(>OnBytes(")
open("names.tsv", "w").write("".join("\t".join(x) + "\n" for x in rows))
