# SPDX-License-Identifier: GPL-2.0-only
# One flow of ns-2.35 over a chain of routers, as examples/lfn-bench-peers.cc has it:
#   ns bench_ns2.tcl --protocol=sack --routers=2 --packets=1000 --packetSize=1400 --outputDir=DIR
foreach word $argv {
    regexp {^--(\w+)=(.*)$} $word -> name value
    set $name $value
}

set ns [new Simulator]
set nodes {}
for {set i 0} {$i < $routers + 2} {incr i} {
    lappend nodes [$ns node]
}
set links [expr {$routers + 1}]
for {set i 0} {$i < $links} {incr i} {
    set access [expr {$links > 1 && ($i == 0 || $i == $links - 1)}]
    set rate [expr {$access ? "500Mb" : "100Mb"}]
    set queue [expr {$protocol eq "xcp" ? "XCP" : "DropTail"}]
    set ends [list [lindex $nodes $i] [lindex $nodes [expr {$i + 1}]]]
    $ns duplex-link {*}$ends $rate [expr {10.0 / $links}]ms $queue
    $ns queue-limit {*}$ends 10000
    if {$protocol eq "xcp"} {
        foreach way [list $ends [lreverse $ends]] {
            set link [$ns link {*}$way]
            [$link queue] set-link-capacity [[$link link] set bandwidth_]
        }
    }
}

if {$protocol eq "xcp"} {
    set tcp [new Agent/TCP/Reno/XCP]
    set sink [new Agent/TCPSink/XCPSink]
} else {
    set tcp [new Agent/TCP/Sack1]
    set sink [new Agent/TCPSink/Sack1/DelAck]
}
$tcp set packetSize_ $packetSize
$tcp set window_ 10000
$ns attach-agent [lindex $nodes 0] $tcp
$ns attach-agent [lindex $nodes end] $sink
$ns connect $tcp $sink
set ftp [new Application/FTP]
$ftp attach-agent $tcp

proc finish {} {
    global tcp packetSize outputDir
    file mkdir $outputDir
    set stream [open $outputDir/summary.csv w]
    puts $stream "delivered_bytes\n[expr {([$tcp set ack_] + 1) * $packetSize}]"
    close $stream
    exit 0
}
Agent/TCP instproc done {} { finish }
$ns at 0.0 "$ftp produce $packets"
$ns at 3600.0 finish
$ns run
