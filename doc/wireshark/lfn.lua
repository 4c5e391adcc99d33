-- SPDX-License-Identifier: GPL-2.0-only
-- Wireshark dissectors of lfn's wire formats: RBUDP, VRP, JRM, atou, XCP, FEC over UDP and parallel
-- TCP. Copy this file into Wireshark's personal plugin folder (Help, About, Folders); doc/transfer.rst
-- says the rest. Fields are called as the members of the C++ headers in model/<protocol>/*-header.h.
--
-- No port is taken: a packet is one of ours when all of it fits, and then so is its conversation.
-- Ports may be given in the preferences or by "Decode As". What is read here is what the C++ readers
-- take; what they refuse is marked as malformed.

local MAX_UINT32 = 4294967295

local experts = {} -- by name of the protocol

--- A protocol with an expert info for what its C++ reader refuses.
local function protocol(name, text)
    local proto = Proto(name, text)
    experts[name] = ProtoExpert.new(name .. ".malformed", "Malformed " .. text,
        expert.group.MALFORMED, expert.severity.ERROR)
    proto.experts = { experts[name] }
    return proto
end

--- Mark a packet as malformed.
local function refuse(proto, tree, pinfo, reason)
    tree:add_proto_expert_info(experts[proto.name:lower()], reason)
    pinfo.cols.info = "Malformed: " .. reason
end

--- Give a protocol preferences for the ports that are always its own.
local function offer_ports(proto, tables)
    local taken = {}
    for _, name in ipairs(tables) do
        proto.prefs[name .. "_ports"] =
            Pref.range(name:upper() .. " ports", "", "Ports of this protocol, for any content", 65535)
        taken[name] = ""
        DissectorTable.get(name .. ".port"):add_for_decode_as(proto)
    end
    function proto.prefs_changed()
        for name, old in pairs(taken) do
            local ports = proto.prefs[name .. "_ports"]
            if ports ~= old then
                local lookup = DissectorTable.get(name .. ".port")
                if old ~= "" then lookup:remove(old, proto) end
                if ports ~= "" then lookup:add(ports, proto) end
                taken[name] = ports
            end
        end
    end
end

--- Dissect a packet and the rest of its conversation with a protocol.
-- By the function itself: one level more of dissectors, and TCP would not reassemble.
local function claim(proto, dissect, tvb, pinfo, tree)
    pinfo.conversation = proto
    dissect(tvb, pinfo, tree)
    return true
end

--- Addresses of a packet as a key: those of the hosts alone, or with their ports.
local function from_to(pinfo) return tostring(pinfo.net_src) .. ">" .. tostring(pinfo.net_dst) end
local function source(pinfo) return tostring(pinfo.net_src) .. ":" .. pinfo.src_port end
local function target(pinfo) return tostring(pinfo.net_dst) .. ":" .. pinfo.dst_port end

local function number(tvb, at, bytes) return tvb(at, bytes):uint() end

--- A 64-bit number as far as a Lua number goes (exact below 2^53).
local function wide(tvb, at) return number(tvb, at, 4) * (MAX_UINT32 + 1) + number(tvb, at + 4, 4) end

local tcp_sequence = Field.new("tcp.seq")

-------------------------------------------------------------------------------- RBUDP (rbudp-header)

local rbudp = protocol("rbudp", "Reliable Blast UDP")
local RBUDP_MAX_PAYLOAD, RBUDP_MAX_DATAGRAMS = 65503, 2 ^ 31
local LFN, TOOLS = 0, 1
local rbudp_kinds = { [0] = "request", [1] = "size", [2] = "done", [3] = "ack", [4] = "data" }
rbudp.prefs.wire = Pref.enum("Layout", LFN, "How messages are laid out",
    { { 1, "lfn", LFN }, { 2, "tools", TOOLS } }, false)
local r = {
    kind = ProtoField.uint8("rbudp.kind", "Kind", base.DEC, rbudp_kinds),
    sequence = ProtoField.uint32("rbudp.sequence", "Sequence"),
    data = ProtoField.uint32("rbudp.data_length", "User bytes"),
    bytes = ProtoField.uint64("rbudp.bytes", "Size of the payload"),
    payload_size = ProtoField.uint32("rbudp.payload_size", "User bytes per datagram"),
    first = ProtoField.uint32("rbudp.first_sequence", "First sequence"),
    datagrams = ProtoField.uint32("rbudp.datagrams", "Datagrams of the payload"),
    round = ProtoField.uint32("rbudp.round", "Round"),
    marker = ProtoField.bytes("rbudp.marker", "Marker"),
    complete = ProtoField.uint8("rbudp.complete", "Complete"),
    bitmap = ProtoField.bytes("rbudp.bitmap", "Bitmap of received datagrams"),
    missing = ProtoField.uint32("rbudp.missing", "Datagrams missing"),
    name = ProtoField.string("rbudp.name", "Name of the file"),
}
rbudp.fields = r
local rbudp_blasts = {} -- announcements by source and target host
local rbudp_streams = {} -- by TCP conversation, seen from the sender: the announcement in force
local rbudp_acks = {} -- by frame and place: datagrams that an acknowledgement is about

function rbudp.init() rbudp_blasts, rbudp_streams, rbudp_acks = {}, {}, {} end

--- Read an announcement: (bytes, payload size, first sequence, datagrams), or nothing.
local function rbudp_announcement(tvb, at)
    local bytes, size = wide(tvb, at), number(tvb, at + 8, 4)
    if size == 0 or size > RBUDP_MAX_PAYLOAD then return nil end
    local datagrams = math.ceil(bytes / size)
    if datagrams > RBUDP_MAX_DATAGRAMS then return nil end
    return { bytes = bytes, size = size, first = number(tvb, at + 12, 4), datagrams = datagrams }
end

--- Whether a datagram belongs to what was announced between its hosts.
local function rbudp_is_announced(tvb, pinfo)
    local length = tvb:reported_len()
    if tvb:len() < 4 then return false end
    for _, blast in ipairs(rbudp_blasts[from_to(pinfo)] or {}) do
        local index = (number(tvb, 0, 4) - blast.first) % (MAX_UINT32 + 1)
        if index < blast.datagrams and length - 4 == math.min(blast.size, blast.bytes - index * blast.size) then
            return true
        end
    end
    return false
end

local function rbudp_data(tvb, pinfo, tree)
    local sub = tree:add(rbudp, tvb(0, math.min(4, tvb:len())))
    if tvb:len() < 4 then
        refuse(rbudp, sub, pinfo, "shorter than the sequence number")
        return
    end
    sub:add(r.kind, 4):set_generated()
    if rbudp.prefs.wire == TOOLS then
        sub:add_le(r.sequence, tvb(0, 4))
    else
        sub:add(r.sequence, tvb(0, 4))
    end
    sub:add(r.data, tvb:reported_len() - 4):set_generated()
    local sequence = rbudp.prefs.wire == TOOLS and tvb(0, 4):le_uint() or number(tvb, 0, 4)
    pinfo.cols.info = "Data, sequence " .. sequence
end

--- Count the clear bits of a bitmap: (datagrams missing, whether bits past the last one are set).
local function rbudp_missing(tvb, at, datagrams)
    local missing, tail = 0, true
    for i = 0, math.floor(datagrams / 8) do
        local byte = number(tvb, at + i, 1)
        for bit = 0, 7 do
            if byte % 2 == 0 then
                if i * 8 + bit < datagrams then missing = missing + 1 else tail = false end
            end
            byte = math.floor(byte / 2)
        end
    end
    return missing, tail
end

--- Size of the message at a place of the stream; nothing when more bytes are needed.
local function rbudp_message(tvb, at, pinfo)
    local left = tvb:len() - at
    if left >= 8 then
        local marker = number(tvb, at + 4, 4)
        if marker == 0x444e4500 or marker == 0x45454500 then return "done", 8 end
    end
    local key = pinfo.number .. ":" .. at
    local datagrams = rbudp_acks[key] or rbudp_streams[target(pinfo) .. ">" .. source(pinfo)]
    if datagrams then -- this is the receiver's side
        rbudp_acks[key] = datagrams
        return "ack", math.floor(datagrams / 8) + 2, datagrams
    end
    if left < 16 then return nil end
    if rbudp_announcement(tvb, at) then return "size", 16 end
    return "request", 256
end

local function rbudp_show_message(kind, tvb, pinfo, tree, datagrams)
    local sub = tree:add(rbudp, tvb)
    local codes = { request = 0, size = 1, done = 2, ack = 3 }
    sub:add(r.kind, codes[kind]):set_generated()
    if kind == "size" then
        local blast = rbudp_announcement(tvb, 0)
        sub:add(r.bytes, tvb(0, 8))
        sub:add(r.payload_size, tvb(8, 4))
        sub:add(r.first, tvb(12, 4))
        sub:add(r.datagrams, blast.datagrams):set_generated()
        if not pinfo.visited then
            local key = from_to(pinfo)
            rbudp_blasts[key] = rbudp_blasts[key] or {}
            table.insert(rbudp_blasts[key], 1, blast)
            rbudp_blasts[key][65] = nil
            rbudp_streams[source(pinfo) .. ">" .. target(pinfo)] = blast.datagrams
        end
        pinfo.cols.info = string.format("Announcement of %.0f B in %.0f datagrams", blast.bytes, blast.datagrams)
    elseif kind == "done" then
        local round = tvb(0, 4)
        if number(tvb, 4, 4) == 0x45454500 then sub:add_le(r.round, round) else sub:add(r.round, round) end
        sub:add(r.marker, tvb(4, 4))
        pinfo.cols.info = "Done with the blast"
    elseif kind == "ack" then
        sub:add(r.complete, tvb(0, 1))
        sub:add(r.bitmap, tvb(1))
        local missing, tail = rbudp_missing(tvb, 1, datagrams)
        sub:add(r.missing, missing):set_generated()
        pinfo.cols.info = "Acknowledgement, " .. missing .. " of " .. datagrams .. " missing"
        if not tail then
            refuse(rbudp, sub, pinfo, "bits past the last datagram are clear")
        elseif number(tvb, 0, 1) ~= (missing == 0 and 1 or 0) then
            refuse(rbudp, sub, pinfo, "the first byte disagrees with the bitmap")
        end
    else
        local name = tvb(0, 256):stringz()
        sub:add(r.name, tvb(0, 256), name)
        pinfo.cols.info = "Request of " .. name
        if name == "" or #name > 255 or tvb(#name, 256 - #name):bytes():tohex():find("[^0]") then
            refuse(rbudp, sub, pinfo, "the name is empty, has no end, or is not padded with zeros")
        end
    end
end

local function rbudp_control(tvb, pinfo, tree)
    local at = 0
    while at < tvb:len() do
        local kind, size, datagrams = rbudp_message(tvb, at, pinfo)
        if not kind or at + size > tvb:len() then
            pinfo.desegment_offset = at
            pinfo.desegment_len = kind and at + size - tvb:len() or DESEGMENT_ONE_MORE_SEGMENT
            return
        end
        rbudp_show_message(kind, tvb(at, size):tvb(), pinfo, tree, datagrams)
        at = at + size
    end
end

local function rbudp_dissect(tvb, pinfo, tree)
    pinfo.cols.protocol = "RBUDP"
    if pinfo.port_type == 2 then rbudp_control(tvb, pinfo, tree) else rbudp_data(tvb, pinfo, tree) end
    return tvb:len()
end
rbudp.dissector = rbudp_dissect

rbudp:register_heuristic("udp", function(tvb, pinfo, tree)
    return rbudp_is_announced(tvb, pinfo) and claim(rbudp, rbudp_dissect, tvb, pinfo, tree)
end)

-- The announcement, which opens its side of the connection and comes alone.
rbudp:register_heuristic("tcp", function(tvb, pinfo, tree)
    local sequences = { tcp_sequence() }
    if tvb:len() ~= 16 or #sequences == 0 or sequences[#sequences].value ~= 1 then return false end
    local blast = rbudp_announcement(tvb, 0)
    return blast ~= nil and blast.bytes > 0 and claim(rbudp, rbudp_dissect, tvb, pinfo, tree)
end)

offer_ports(rbudp, { "udp", "tcp" })

------------------------------------------------------------------------------------ VRP (vrp-header)

local vrp = protocol("vrp", "Variable Reliability Protocol")
local VRP_LAST, VRP_PADDING = 0, 15
local vrp_codes = {
    [0] = "last", "ping", "pong", "ack", "single_ack", "nack", "frame_create", "cons_loss", "loss_rate",
    "frame_ok", "frame_refused", "frame_close", "missing_hdr", "critical_packet", "critical_interval", "padding",
}
local v = {
    control = ProtoField.bool("vrp.control", "Control", 16, nil, 0x8000),
    frame = ProtoField.uint16("vrp.frame", "Frame", base.DEC, nil, 0x7fff),
    packet = ProtoField.uint32("vrp.packet", "Packet"),
    data = ProtoField.uint32("vrp.data_length", "User bytes"),
    code = ProtoField.uint8("vrp.tag.code", "Code", base.DEC, vrp_codes),
}
local vrp_members = {
    packet = { ProtoField.uint32("vrp.tag.packet", "Packet"), 4 },
    last_packet = { ProtoField.uint32("vrp.tag.last_packet", "Last packet"), 4 },
    seconds = { ProtoField.uint32("vrp.tag.seconds", "Seconds"), 4 },
    microseconds = { ProtoField.uint32("vrp.tag.microseconds", "Microseconds"), 4 },
    frame = { ProtoField.uint16("vrp.tag.frame", "Frame"), 2 },
    data_size = { ProtoField.uint32("vrp.tag.data_size", "Bytes of the frame"), 4 },
    packet_size = { ProtoField.uint16("vrp.tag.packet_size", "Bytes of a packet"), 2 },
    value = { ProtoField.uint8("vrp.tag.value", "Value"), 1 },
    padding = { ProtoField.uint16("vrp.tag.padding", "Bytes of padding"), 2 },
}
local vrp_fields = { v.control, v.frame, v.packet, v.data, v.code }
for _, member in pairs(vrp_members) do vrp_fields[#vrp_fields + 1] = member[1] end
vrp.fields = vrp_fields
local VRP_STAMP, VRP_PACKET, VRP_FRAME, VRP_VALUE =
    { "seconds", "microseconds" }, { "packet" }, { "frame" }, { "value" }
local vrp_layout = { -- members that follow a code
    [0] = {}, VRP_STAMP, VRP_STAMP, VRP_PACKET, VRP_PACKET, VRP_PACKET,
    { "frame", "data_size", "packet_size" }, VRP_VALUE, VRP_VALUE,
    VRP_FRAME, VRP_FRAME, VRP_FRAME, VRP_FRAME, VRP_PACKET, { "packet", "last_packet" }, { "padding" },
}

--- Walk over tags from a place on: where they end and how many there are, or nothing and why not.
-- show(code, at, size, members) is called for each; members are {name, place}.
local function vrp_walk(tvb, at, show)
    local count = 0
    while at < tvb:len() do
        local code = number(tvb, at, 1)
        local layout = vrp_layout[code]
        if not layout then return nil, "there is no tag " .. code end
        local next, members = at + 1, {}
        for _, name in ipairs(layout) do
            members[#members + 1] = { name, next }
            next = next + vrp_members[name][2]
        end
        if next > tvb:len() then return nil, "the tag " .. vrp_codes[code] .. " is cut short" end
        for _, member in ipairs(members) do
            if member[1] == "frame" and number(tvb, member[2], 2) > 0x7fff then
                return nil, "a frame number is above 32767"
            end
        end
        if code == VRP_PADDING then next = next + number(tvb, at + 1, 2) end
        if next > tvb:len() then return nil, "the padding is cut short" end
        show(code, at, next - at, members)
        count, at = count + 1, next
        if code == VRP_LAST then return at, count end
    end
    return nil, "the tags have no end"
end

local function vrp_dissect(tvb, pinfo, tree)
    pinfo.cols.protocol = "VRP"
    local sub = tree:add(vrp, tvb(0, math.min(6, tvb:len())))
    if tvb:len() < 6 then
        refuse(vrp, sub, pinfo, "shorter than the header")
        return tvb:len()
    end
    local control, frame = number(tvb, 0, 2) > 0x7fff, number(tvb, 0, 2) % 0x8000
    sub:add(v.control, tvb(0, 2))
    sub:add(v.frame, tvb(0, 2))
    sub:add(v.packet, tvb(2, 4))
    if not control then
        sub:add(v.data, tvb:reported_len() - 6):set_generated()
        pinfo.cols.info = "Data of frame " .. frame .. ", packet " .. number(tvb, 2, 4)
        return tvb:len()
    end
    local words = {}
    local last, reason = vrp_walk(tvb, 6, function(code, at, size, members)
        local tag = sub:add(tvb(at, size), "Tag " .. vrp_codes[code])
        tag:add(v.code, tvb(at, 1))
        for _, member in ipairs(members) do
            local field = vrp_members[member[1]]
            tag:add(field[1], tvb(member[2], field[2]))
        end
        if code ~= VRP_LAST and code ~= VRP_PADDING and #words < 8 then words[#words + 1] = vrp_codes[code] end
    end)
    pinfo.cols.info = "Control of frame " .. frame .. ": " .. table.concat(words, ", ")
    if not last then
        refuse(vrp, sub, pinfo, reason)
    elseif tvb:reported_len() > last then -- rode with the header
        sub:add(v.data, tvb:reported_len() - last):set_generated()
    end
    return tvb:len()
end
vrp.dissector = vrp_dissect

-- A control packet whose tags fit to the last byte. Every conversation begins with one.
vrp:register_heuristic("udp", function(tvb, pinfo, tree)
    if tvb:len() < 8 or number(tvb, 0, 2) < 0x8000 or number(tvb, 2, 4) ~= 0 then return false end
    local riding = 0
    local last, count = vrp_walk(tvb, 6, function(code, at)
        if code == 6 then riding = number(tvb, at + 7, 2) end
    end)
    if not last or count < 2 or tvb:len() - last > riding then return false end
    return claim(vrp, vrp_dissect, tvb, pinfo, tree)
end)

offer_ports(vrp, { "udp" })

------------------------------------------------------------------------------------ JRM (jrm-header)

local jrm = protocol("jrm", "Java Reliable Multicast")
local jrm_types = { "msg", "nack-req", "nack-resp", "heartbeat", "probe", "answer", "parity" }
local MSG, NACK_REQ, HEARTBEAT, PROBE, ANSWER, PARITY, JRM_SIZE = 1, 2, 4, 5, 6, 7, 20
local j = {
    type = ProtoField.uint8("jrm.type", "Type", base.DEC, jrm_types),
    flags = ProtoField.uint8("jrm.flags", "Flags", base.HEX),
    all = ProtoField.bool("jrm.flags.all_packets", "All packets", 8, nil, 1),
    parities = ProtoField.bool("jrm.flags.parities", "Parities will do", 8, nil, 2),
    earlier = ProtoField.uint8("jrm.earlier", "Messages of the stream before, if reported"),
    packet = ProtoField.uint16("jrm.packet", "Packet (PSN)"),
    participant = ProtoField.uint32("jrm.id.participant", "Participant (VRN)"),
    group = ProtoField.ipv4("jrm.id.group", "Group (MCG)"),
    message = ProtoField.uint32("jrm.id.message", "Message (MSN)"),
    length = ProtoField.uint32("jrm.length", "Length of the message"),
    data = ProtoField.uint32("jrm.data_length", "User bytes"),
    count = ProtoField.uint16("jrm.nack.count", "Packets asked for"),
    asked = ProtoField.uint16("jrm.nack.packet", "Packet asked for"),
    block = ProtoField.uint8("jrm.parity.block", "Packets of a block"),
    index = ProtoField.uint8("jrm.parity.index", "Number of the parity"),
    number = ProtoField.uint32("jrm.probe.number", "Number of the probe"),
    reported = ProtoField.uint16("jrm.probe.reported", "Longest RTT, as a number"),
    grtt = ProtoField.double("jrm.probe.grtt", "Longest RTT [s]"),
    held = ProtoField.uint32("jrm.answer.held", "Held back [us]"),
}
jrm.fields = j
local jrm_groups = {} -- groups that messages went to

function jrm.init() jrm_groups = {} end

--- Whether the list of a NACK request is as the C++ reader takes it.
local function jrm_list(tvb)
    local at = JRM_SIZE
    if tvb:len() < at + 2 then return nil, "the list is cut short" end
    local count = number(tvb, at, 2)
    if tvb:len() < at + 2 + 2 * count then return nil, "the list is cut short" end
    for i = 1, count do
        if number(tvb, at + 2 * i, 2) == 0 then return nil, "it asks for packet 0" end
    end
    return count
end

--- The RTT that a probe reports, in s; nil where it has none.
local function jrm_grtt(reported)
    if reported < 1 or reported > 256 then return nil end
    return reported <= 31 and reported * 1e-6 or 1000 / math.exp((256 - reported) / 13)
end

--- What a probe or an answer has in the places of PSN, MSN and length.
local function jrm_probe(tvb, type, sub)
    sub:add(j.number, tvb(12, 4))
    if type == ANSWER then
        sub:add(j.held, tvb(16, 4))
    else
        local grtt = jrm_grtt(number(tvb, 2, 2))
        sub:add(j.reported, tvb(2, 2))
        if grtt then sub:add(j.grtt, tvb(2, 2), grtt) end
    end
end

--- Whether what follows the header is a parity, as the C++ reader takes it.
local function jrm_is_parity(tvb)
    if tvb:len() < JRM_SIZE + 2 then return false end
    local block = number(tvb, JRM_SIZE, 1)
    return block >= 2 and block + number(tvb, JRM_SIZE + 1, 1) < 256
end

local function jrm_dissect(tvb, pinfo, tree)
    pinfo.cols.protocol = "JRM"
    local sub = tree:add(jrm, tvb(0, math.min(JRM_SIZE, tvb:len())))
    if tvb:len() < JRM_SIZE then
        refuse(jrm, sub, pinfo, "shorter than the header")
        return tvb:len()
    end
    local type = number(tvb, 0, 1)
    sub:add(j.type, tvb(0, 1))
    if type == MSG or type == HEARTBEAT then
        sub:add(j.earlier, tvb(1, 1))
    else
        local flags = sub:add(j.flags, tvb(1, 1))
        flags:add(j.all, tvb(1, 1))
        flags:add(j.parities, tvb(1, 1))
    end
    sub:add(j.participant, tvb(4, 4))
    sub:add(j.group, tvb(8, 4))
    if type == PROBE or type == ANSWER then
        jrm_probe(tvb, type, sub)
        pinfo.cols.info = string.format("%s %d of %d", jrm_types[type], number(tvb, 12, 4), number(tvb, 4, 4))
        return tvb:len()
    end
    sub:add(j.packet, tvb(2, 2))
    sub:add(j.message, tvb(12, 4))
    sub:add(j.length, tvb(16, 4))
    pinfo.cols.info = string.format("%s of message %d by %d, packet %d", jrm_types[type] or "unknown",
        number(tvb, 12, 4), number(tvb, 4, 4), number(tvb, 2, 2))
    if not jrm_types[type] then
        refuse(jrm, sub, pinfo, "there is no type " .. type)
    elseif type == NACK_REQ then
        local count, reason = jrm_list(tvb)
        if not count then
            refuse(jrm, sub, pinfo, reason)
        else
            sub:add(j.count, tvb(JRM_SIZE, 2))
            for i = 1, count do sub:add(j.asked, tvb(JRM_SIZE + 2 * i, 2)) end
        end
    elseif type == PARITY and not jrm_is_parity(tvb) then
        refuse(jrm, sub, pinfo, "there is no such parity")
    else
        local size = JRM_SIZE
        if type == PARITY then
            sub:add(j.block, tvb(JRM_SIZE, 1))
            sub:add(j.index, tvb(JRM_SIZE + 1, 1))
            size = size + 2
        end
        if not pinfo.visited then jrm_groups[tostring(tvb(8, 4):ipv4())] = true end
        sub:add(j.data, tvb:reported_len() - size):set_generated()
    end
    return tvb:len()
end
jrm.dissector = jrm_dissect

--- The number of the group that a packet goes to, as text; nil for other addresses. Over IPv6 it is
-- the group ID, the lowest 32 bits of the address.
local function jrm_group_of(address)
    local text = tostring(address)
    local first = tonumber(text:match("^(%d+)%."))
    if first then return first >= 224 and first <= 239 and text or nil end
    if not text:match("^ff%x%x:") then return nil end
    local high, low = text:match("(%x*):(%x*)$")
    high, low = tonumber(high, 16) or 0, tonumber(low, 16) or 0
    local function upper(half) return math.floor(half / 256) end
    return string.format("%d.%d.%d.%d", upper(high), high % 256, upper(low), low % 256)
end

-- What goes to a group and names it, or asks for packets of such a group or answers a probe of it.
jrm:register_heuristic("udp", function(tvb, pinfo, tree)
    if tvb:len() < JRM_SIZE or not jrm_types[number(tvb, 0, 1)] then return false end
    local group, type = tostring(tvb(8, 4):ipv4()), number(tvb, 0, 1)
    local most = type == NACK_REQ and 3 or 1
    if number(tvb, 1, 1) > most and type ~= MSG and type ~= HEARTBEAT then return false end
    if type == PARITY and not jrm_is_parity(tvb) then return false end
    local to_group = jrm_group_of(pinfo.net_dst) == group
    if not to_group and not jrm_groups[group] then return false end
    if type == NACK_REQ then
        local count = jrm_list(tvb)
        if not count or tvb:reported_len() ~= JRM_SIZE + 2 + 2 * count then return false end
        return claim(jrm, jrm_dissect, tvb, pinfo, tree)
    end
    if type == ANSWER then
        return tvb:reported_len() == JRM_SIZE and number(tvb, 2, 2) == 0 and jrm_groups[group] ~= nil
            and claim(jrm, jrm_dissect, tvb, pinfo, tree)
    end
    if type == PROBE then
        return tvb:reported_len() == JRM_SIZE and to_group and number(tvb, 2, 2) <= 256
            and number(tvb, 16, 4) == 0 and claim(jrm, jrm_dissect, tvb, pinfo, tree)
    end
    if not to_group or (type == HEARTBEAT) ~= (number(tvb, 2, 2) == 0) then return false end
    return claim(jrm, jrm_dissect, tvb, pinfo, tree)
end)

offer_ports(jrm, { "udp" })

---------------------------------------------------------------------------------- atou (atou-header)

local atou = protocol("atou", "Almost TCP over UDP")
local ATOU_DATA, ATOU_ACK, ATOU_BLOCK, ATOU_BLOCKS = 12, 16, 8, 3
local a = {
    time = ProtoField.double("atou.time", "Time of sending"),
    segment = ProtoField.uint32("atou.segment", "Segment"),
    data = ProtoField.uint32("atou.data_length", "Bytes behind the header"),
    next = ProtoField.uint32("atou.next", "Next segment expected"),
    count = ProtoField.uint32("atou.blocks", "SACK blocks"),
    first = ProtoField.uint32("atou.block.first", "First segment"),
    last = ProtoField.uint32("atou.block.last", "Last segment"),
}
atou.fields = a
local atou_servers = {} -- addresses and ports that data went to or acknowledgements came from

function atou.init() atou_servers = {} end

--- The eight bytes of a time: a double whose low half comes first.
local function atou_time(tvb, at)
    local low, high = number(tvb, at, 4), number(tvb, at + 4, 4)
    local exponent, sign = math.floor(high / 2 ^ 20) % 2048, high >= 2 ^ 31 and -1 or 1
    local fraction = ((high % 2 ^ 20) * 2 ^ 32 + low) / 2 ^ 52
    if exponent == 2047 then return fraction == 0 and sign * math.huge or 0 / 0 end
    if exponent == 0 then return sign * fraction * 2 ^ -1022 end
    return sign * (1 + fraction) * 2 ^ (exponent - 1023)
end

local function atou_is_time(tvb)
    local time = atou_time(tvb, 0)
    return time == 0 or (time >= 1e-9 and time < 2 ^ 33)
end

--- What is wrong with an acknowledgement; nothing when all is well.
local function atou_ack_trouble(tvb)
    if tvb:len() < ATOU_ACK then return "shorter than an acknowledgement" end
    if number(tvb, 8, 4) == 0 then return "the next segment is 0" end
    local count = number(tvb, 12, 4)
    if count > ATOU_BLOCKS then return "more than three blocks" end
    if tvb:len() < ATOU_ACK + ATOU_BLOCK * count then return "the blocks are cut short" end
    for i = 0, count - 1 do
        local first, last = number(tvb, ATOU_ACK + 8 * i, 4), number(tvb, ATOU_ACK + 8 * i + 4, 4)
        if first == 0 or last < first then return "a block begins at 0 or ends before it begins" end
    end
    return nil
end

local function atou_is_ack(tvb, pinfo)
    if atou_servers[source(pinfo)] then return true end
    if atou_servers[target(pinfo)] then return false end
    return atou_ack_trouble(tvb) == nil and tvb:reported_len() == ATOU_ACK + ATOU_BLOCK * number(tvb, 12, 4)
end

local function atou_dissect(tvb, pinfo, tree)
    pinfo.cols.protocol = "atou"
    local ack = atou_is_ack(tvb, pinfo)
    local sub = tree:add(atou, tvb(0, math.min(ack and tvb:len() or ATOU_DATA, tvb:len())))
    if ack then
        local trouble = atou_ack_trouble(tvb)
        if tvb:len() >= ATOU_ACK then
            sub:add(a.time, tvb(0, 8), atou_time(tvb, 0))
            sub:add(a.next, tvb(8, 4))
            sub:add(a.count, tvb(12, 4))
            pinfo.cols.info = "Acknowledgement, next segment " .. number(tvb, 8, 4)
        end
        if trouble then
            refuse(atou, sub, pinfo, trouble)
            return tvb:len()
        end
        atou_servers[source(pinfo)] = true
        for i = 0, number(tvb, 12, 4) - 1 do
            local at = ATOU_ACK + ATOU_BLOCK * i
            local block = sub:add(tvb(at, ATOU_BLOCK), "Block")
            block:add(a.first, tvb(at, 4))
            block:add(a.last, tvb(at + 4, 4))
        end
    elseif tvb:len() < ATOU_DATA then
        refuse(atou, sub, pinfo, "shorter than the header")
    else
        sub:add(a.time, tvb(0, 8), atou_time(tvb, 0))
        sub:add(a.segment, tvb(8, 4))
        sub:add(a.data, tvb:reported_len() - ATOU_DATA):set_generated()
        pinfo.cols.info = "Segment " .. number(tvb, 8, 4)
        if number(tvb, 8, 4) == 0 then
            refuse(atou, sub, pinfo, "the segment number is 0")
        else
            atou_servers[target(pinfo)] = true
        end
    end
    return tvb:len()
end
atou.dissector = atou_dissect

-- The first segment, or an acknowledgement that fits to the last byte.
atou:register_heuristic("udp", function(tvb, pinfo, tree)
    if tvb:len() < ATOU_DATA or not atou_is_time(tvb) then return false end
    local server = atou_servers[source(pinfo)] or atou_servers[target(pinfo)]
    local ack = tvb:len() >= ATOU_ACK and atou_ack_trouble(tvb) == nil and
        tvb:reported_len() == ATOU_ACK + ATOU_BLOCK * number(tvb, 12, 4)
    if not server and not ack and number(tvb, 8, 4) ~= 1 then return false end
    return claim(atou, atou_dissect, tvb, pinfo, tree)
end)

offer_ports(atou, { "udp" })

------------------------------------------------------------------------------------ XCP (xcp-header)

local xcp = protocol("xcp", "eXplicit Control Protocol")
local XCP_SIZE, XCP_VERSION, XCP_STEPS = 20, 3, 2 ^ 28
local xcp_formats = { "standard", "minimal" }
local x = {
    next = ProtoField.uint8("xcp.next_protocol", "Next protocol"),
    length = ProtoField.uint8("xcp.length", "Length"),
    version = ProtoField.uint8("xcp.version", "Version", base.DEC, nil, 0xf0),
    format = ProtoField.uint8("xcp.format", "Format", base.DEC, xcp_formats, 0x0f),
    x = ProtoField.double("xcp.x", "X (s)"),
    rtt = ProtoField.double("xcp.rtt", "RTT (s)"),
    reverse = ProtoField.int32("xcp.reverse_feedback", "Reverse feedback (B/s)"),
    delta = ProtoField.int32("xcp.delta_throughput", "Delta throughput (B/s)"),
}
xcp.fields = x
local xcp_behind = ProtoExpert.new("xcp.behind_malformed", "What follows the header is malformed",
    expert.group.MALFORMED, expert.severity.ERROR)
xcp.experts = { xcp_behind }
xcp.prefs.protocol = Pref.uint("IP protocol", 253, "Number of XCP in the IP header; 253 is one for experiments")
local xcp_protocol = 253

local function xcp_dissect(tvb, pinfo, tree)
    local length = tvb:len() > 1 and number(tvb, 1, 1) or 0
    local format = tvb:len() > 2 and number(tvb, 2, 1) or 0
    if length ~= XCP_SIZE and math.floor(format / 16) ~= XCP_VERSION then
        return 0 -- another experiment's
    end
    pinfo.cols.protocol = "XCP"
    local sub = tree:add(xcp, tvb(0, math.min(XCP_SIZE, tvb:len())))
    if tvb:len() < XCP_SIZE then
        refuse(xcp, sub, pinfo, "shorter than the header")
        return tvb:len()
    end
    sub:add(x.next, tvb(0, 1))
    sub:add(x.length, tvb(1, 1))
    sub:add(x.version, tvb(2, 1))
    sub:add(x.format, tvb(2, 1))
    sub:add(x.x, tvb(4, 4), number(tvb, 4, 4) / XCP_STEPS)
    sub:add(x.rtt, tvb(8, 4), number(tvb, 8, 4) / XCP_STEPS)
    sub:add(x.reverse, tvb(12, 4))
    sub:add(x.delta, tvb(16, 4))
    if length ~= XCP_SIZE or math.floor(format / 16) ~= XCP_VERSION or not xcp_formats[format % 16] then
        refuse(xcp, sub, pinfo, "length, version or format is not XCP's")
        return tvb:len()
    end
    pinfo.cols.info = "XCP " .. xcp_formats[format % 16]
    if tvb:len() > XCP_SIZE then
        local behind = tvb(XCP_SIZE):tvb()
        -- What is spoilt behind the header is an error there that Lua would show as one of its own.
        local ok, read = pcall(function()
            return DissectorTable.get("ip.proto"):try(number(tvb, 0, 1), behind, pinfo, tree)
        end)
        if not ok then sub:add_proto_expert_info(xcp_behind) end
        if ok and read == 0 then Dissector.get("data"):call(behind, pinfo, tree) end
        pinfo.cols.protocol:prepend("XCP/")
    end
    return tvb:len()
end
xcp.dissector = xcp_dissect

function xcp.prefs_changed()
    DissectorTable.get("ip.proto"):remove(xcp_protocol, xcp)
    xcp_protocol = xcp.prefs.protocol
    DissectorTable.get("ip.proto"):add(xcp_protocol, xcp)
end

DissectorTable.get("ip.proto"):add(xcp_protocol, xcp)

--------------------------------------------------------------------------- FEC over UDP (fec-header)

local fec = protocol("fec", "FEC over UDP")
local FEC_DATA, FEC_PARITY, FEC_CODE, FEC_MAX_COUNT, FEC_MAX_ALL = 0xfd, 0xfb, 0xfc, 32, 256
local f = {
    kind = ProtoField.uint8("fec.kind", "Kind", base.HEX,
        { [FEC_DATA] = "data", [FEC_PARITY] = "parity", [FEC_CODE] = "parity of a code" }),
    index = ProtoField.uint8("fec.index", "Index"),
    count = ProtoField.uint8("fec.count", "Datagrams of the block"),
    parities = ProtoField.uint8("fec.parities", "Parities of the block, 0 for 1"),
    session = ProtoField.uint32("fec.session", "Session", base.HEX),
    lengths = ProtoField.uint16("fec.lengths", "XOR or parity of the lengths"),
    block = ProtoField.uint32("fec.block", "Block"),
    mask = ProtoField.uint32("fec.mask", "Mask", base.HEX),
    data = ProtoField.uint32("fec.data_length", "User bytes"),
}
fec.fields = f
local fec_hosts = {} -- source and target hosts between which there is FEC

function fec.init() fec_hosts = {} end

--- Read a datagram's header: (kind, its size, what is wrong with it).
local function fec_read(tvb)
    local kind = tvb:len() > 0 and number(tvb, 0, 1) or 0
    if kind == FEC_DATA then
        if tvb:len() < 12 then return kind, 0, "shorter than the header" end
        local index, count = number(tvb, 1, 1), number(tvb, 2, 1)
        local parities = number(tvb, 3, 1)
        local ok = count > 0 and count <= FEC_MAX_COUNT and index < count and parities ~= 1 and
            count + parities <= FEC_MAX_ALL
        return kind, 12, not ok and "index, count or parities is out of range" or nil
    elseif kind == FEC_PARITY then
        if tvb:len() < 16 then return kind, 0, "shorter than the header" end
        local ones = number(tvb, 8, 4) + 1
        while ones > 1 and ones % 2 == 0 do ones = ones / 2 end
        local ok = number(tvb, 8, 4) > 0 and ones == 1
        return kind, 16, not ok and "the mask is not of lowest bits without a gap" or nil
    elseif kind == FEC_CODE then
        if tvb:len() < 16 then return kind, 0, "shorter than the header" end
        local index, count, parities = number(tvb, 1, 1), number(tvb, 8, 1), number(tvb, 9, 1)
        local ok = count > 0 and count <= FEC_MAX_COUNT and parities > 1 and index < parities and
            count + parities <= FEC_MAX_ALL
        return kind, 16, not ok and "index, count or parities is out of range" or nil
    end
    return kind, 0, "the first byte is no kind"
end

local function fec_dissect(tvb, pinfo, tree)
    pinfo.cols.protocol = "FEC"
    local kind, size, trouble = fec_read(tvb)
    local sub = tree:add(fec, tvb(0, math.min(size > 0 and size or 16, tvb:len())))
    if size > 0 then
        sub:add(f.kind, tvb(0, 1))
        if kind == FEC_DATA then
            sub:add(f.index, tvb(1, 1))
            sub:add(f.count, tvb(2, 1))
            sub:add(f.parities, tvb(3, 1))
        elseif kind == FEC_PARITY then
            sub:add(f.lengths, tvb(2, 2))
            sub:add(f.mask, tvb(8, 4))
        else
            sub:add(f.index, tvb(1, 1))
            sub:add(f.lengths, tvb(2, 2))
            sub:add(f.count, tvb(8, 1))
            sub:add(f.parities, tvb(9, 1))
        end
        sub:add(f.block, tvb(4, 4))
        sub:add(f.session, tvb(size - 4, 4))
        sub:add(f.data, tvb:reported_len() - size):set_generated()
        pinfo.cols.info = (kind == FEC_DATA and "Data" or "Parity") .. " of block " .. number(tvb, 4, 4)
        if not trouble then fec_hosts[from_to(pinfo)] = true end
    end
    if trouble then refuse(fec, sub, pinfo, trouble) end
    return tvb:len()
end
fec.dissector = fec_dissect

-- The first datagram of all, or an XOR parity; then data and parities of codes between these hosts.
fec:register_heuristic("udp", function(tvb, pinfo, tree)
    local kind, _, trouble = fec_read(tvb)
    if trouble then return false end
    local is_first = kind == FEC_DATA and number(tvb, 4, 4) == 0 and number(tvb, 1, 1) == 0
    if kind ~= FEC_PARITY and not is_first and not fec_hosts[from_to(pinfo)] then return false end
    return claim(fec, fec_dissect, tvb, pinfo, tree)
end)

offer_ports(fec, { "udp" })

---------------------------------------------------------------------- parallel TCP (parallel-header)

local parallel = protocol("parallel", "Parallel TCP")
local PARALLEL_SIZE, PARALLEL_MARKER = 28, 0x50544350
local p = {
    marker = ProtoField.uint32("parallel.marker", "Marker", base.HEX),
    length = ProtoField.uint32("parallel.length", "User bytes of the chunk"),
    offset = ProtoField.uint64("parallel.offset", "Place of the chunk"),
    total = ProtoField.uint64("parallel.total", "User bytes of the transfer"),
    transfer = ProtoField.uint32("parallel.transfer", "Transfer", base.HEX),
}
parallel.fields = p

--- What is wrong with a chunk's header; nothing when all is well.
local function parallel_trouble(tvb, at)
    if number(tvb, at, 4) ~= PARALLEL_MARKER then return "the marker is wrong" end
    local length, offset, total = number(tvb, at + 4, 4), wide(tvb, at + 8), wide(tvb, at + 16)
    if length == 0 then return "the chunk is empty" end
    if total > 0 and offset + length > total then return "the chunk reaches beyond the transfer" end
    return nil
end

local function parallel_dissect(tvb, pinfo, tree)
    dissect_tcp_pdus(tvb, tree, PARALLEL_SIZE, function(bytes, _, at)
        if parallel_trouble(bytes, at) then return bytes:len() - at end -- nothing of it can be trusted
        return PARALLEL_SIZE + number(bytes, at + 4, 4)
    end, function(chunk, info, parent)
        info.cols.protocol = "PTCP"
        local sub = parent:add(parallel, chunk(0, math.min(PARALLEL_SIZE, chunk:len())))
        if chunk:len() < PARALLEL_SIZE then
            refuse(parallel, sub, info, "shorter than the header")
            return chunk:len()
        end
        sub:add(p.marker, chunk(0, 4))
        sub:add(p.length, chunk(4, 4))
        sub:add(p.offset, chunk(8, 8))
        sub:add(p.total, chunk(16, 8))
        sub:add(p.transfer, chunk(24, 4))
        info.cols.info = string.format("Chunk of %d B at %s", number(chunk, 4, 4), chunk(8, 8):uint64())
        local trouble = parallel_trouble(chunk, 0)
        if trouble then refuse(parallel, sub, info, trouble) end
        return chunk:len()
    end, true)
    return tvb:len()
end
parallel.dissector = parallel_dissect

parallel:register_heuristic("tcp", function(tvb, pinfo, tree)
    if tvb:len() < PARALLEL_SIZE or parallel_trouble(tvb, 0) then return false end
    return claim(parallel, parallel_dissect, tvb, pinfo, tree)
end)

offer_ports(parallel, { "tcp" })
