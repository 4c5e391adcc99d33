// SPDX-License-Identifier: GPL-2.0-only
#include "atou-log.h"

#include "ns3/atou-text.h"
#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::lfn
{

namespace
{

constexpr uint32_t LOSSES = 2;    //!< debug level of events
constexpr uint32_t EXITS = 3;     //!< debug level of Vegas's exit and HighSpeed TCP's parameters
constexpr uint32_t PACKETS = 4;   //!< debug level of the trace
constexpr uint32_t BANDWIDTH = 5; //!< debug level of bandwidths
constexpr uint32_t BAD_ACKS = 6;  //!< debug level of badacks

/// Get the debug level from which on an event is written.
uint32_t
GetLevel(AtouEvent::Kind kind)
{
    switch (kind)
    {
    case AtouEvent::Kind::VSS:
    case AtouEvent::Kind::FLOYD:
        return EXITS;
    case AtouEvent::Kind::BWERTT:
        return BANDWIDTH;
    case AtouEvent::Kind::BAD_ACK:
        return BAD_ACKS;
    default:
        return LOSSES;
    }
}

} // namespace

void
AtouLog::Declare(RunRecorder& recorder)
{
    recorder.AddTexts({"client.trace", "client.events", "client.summary", "server.summary"});
}

AtouLog::AtouLog(RunRecorder& recorder, const AtouHelper::Transfer& transfer)
    : m_recorder(recorder),
      m_client(transfer.source),
      m_server(transfer.sink)
{
    const auto debug = m_client->GetOptions()->debug;
    if (debug >= PACKETS)
    {
        m_client->TraceConnectWithoutContext("Transmit", MakeCallback(&AtouLog::OnTransmit, this));
        m_client->TraceConnectWithoutContext("Ack", MakeCallback(&AtouLog::OnAck, this));
    }
    if (debug >= LOSSES)
    {
        m_client->TraceConnectWithoutContext("Event", MakeCallback(&AtouLog::OnEvent, this));
    }
}

void
AtouLog::Write() const
{
    m_recorder.SetText("client.trace", m_trace);
    m_recorder.SetText("client.events", m_events);
    m_recorder.SetText("client.summary", MakeClientSummary());
    m_recorder.SetText("server.summary", MakeServerSummary());
}

const std::string&
AtouLog::GetTrace() const
{
    return m_trace;
}

const std::string&
AtouLog::GetEvents() const
{
    return m_events;
}

Time
AtouLog::GetTime() const
{
    return Simulator::Now() - m_client->GetReport().start;
}

void
AtouLog::OnTransmit(uint32_t segment, bool /* isRepeated */)
{
    m_trace += AtouText::MakeXmt(GetTime(), segment) + '\n';
}

void
AtouLog::OnAck(const AtouAck& ack, const AtouState& before)
{
    // With SACK the original's client works with the last good segment (spec 2.2).
    const auto segment = m_client->GetOptions()->sack ? ack.next - 1 : ack.next;
    m_trace += AtouText::MakeAck(GetTime(), segment, ack.rtt, before, ack.blocks) + '\n';
}

void
AtouLog::OnEvent(const AtouEvent& event)
{
    const auto& options = *m_client->GetOptions();
    if (options.debug >= GetLevel(event.kind))
    {
        const bool hasVegas = options.vegas != AtouOptions::VegasRtt::OFF;
        m_events += AtouText::MakeEvent(event, hasVegas) + '\n';
    }
}

std::string
AtouLog::MakeClientSummary() const
{
    const auto& report = m_client->GetReport();
    const bool hasEnded = report.completed || !report.failure.empty();
    AtouText::ClientRun run;
    run.client = "node" + std::to_string(m_client->GetNode()->GetId());
    run.server = "node" + std::to_string(m_server->GetNode()->GetId());
    run.elapsed = (hasEnded ? report.finish : Simulator::Now()) - report.start;
    run.segmentBytes = m_client->GetSegmentBytes();
    // A client that could not start has no congestion control.
    run.vegasDelta = report.started ? m_client->GetCore().GetCongestion().GetDelta() : 0;
    return AtouText::MakeClientSummary(*m_client->GetOptions(),
                                       m_client->GetCore().GetStatistics(),
                                       m_client->GetCore().GetState(),
                                       run);
}

std::string
AtouLog::MakeServerSummary() const
{
    const auto& core = m_server->GetCore();
    AtouText::ServerRun run;
    run.first = m_server->GetReport().start;
    run.last = run.first + m_server->GetElapsed();
    run.segmentBytes = m_server->GetSegmentSize();
    return AtouText::MakeServerSummary(core.GetCounters(), core.ListGaps(), run);
}

} // namespace ns3::lfn
