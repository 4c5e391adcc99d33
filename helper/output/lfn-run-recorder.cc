// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-run-recorder.h"

#include "lfn-json.h"

#include "ns3/lfn-version.h"
#include "ns3/lfn-wording.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace ns3::lfn
{

namespace
{

/** @brief Version of the files' format; grows when a reader must know of a change. */
constexpr uint64_t FORMAT = 1;

/** @brief The columns that every summary.csv has. */
constexpr std::array<const char*, 15> COMMON_COLUMNS = {
    "flow",
    "protocol",
    "variant",
    "start_s",
    "finish_s",
    "completed",
    "offered_bytes",
    "delivered_bytes",
    "lost_bytes",
    "goodput_bps",
    "data_packets",
    "retransmitted_packets",
    "control_packets",
    "last_delivery_s",
    "application_start_s",
};

} // namespace

RunRecorder::RunRecorder(std::string program)
    : m_program(std::move(program)),
      m_folder("results/" + m_program)
{
}

void
RunRecorder::SetOutput(const std::string& folder, bool force)
{
    m_folder = folder;
    m_force = force;
}

void
RunRecorder::Enable(bool series, bool messages)
{
    m_wantSeries = series;
    m_wantMessages = messages;
}

bool
RunRecorder::HasMessages() const
{
    return m_wantMessages;
}

void
RunRecorder::SetFlags(Fields flags, Fields values)
{
    m_flags = std::move(flags);
    m_values = std::move(values);
}

void
RunRecorder::AddColumns(const std::vector<std::string>& names)
{
    for (const auto& name : names)
    {
        const auto columns = GetColumns();
        if (std::ranges::find(columns, name) != columns.end())
        {
            throw std::logic_error("column " + name + " is declared twice");
        }
        m_columns.push_back(name);
    }
}

void
RunRecorder::AddColumns(const std::vector<std::string>& names,
                        std::function<Fields(uint32_t flow)> values)
{
    AddColumns(names);
    m_sources.push_back(std::move(values));
}

void
RunRecorder::AddTexts(const std::vector<std::string>& names)
{
    for (const auto& name : names)
    {
        m_texts.emplace_back(name, "");
    }
}

void
RunRecorder::SetText(const std::string& name, std::string text)
{
    const auto found = std::ranges::find(m_texts, name, &Fields::value_type::first);
    if (found == m_texts.end())
    {
        throw std::logic_error("no file " + name + " was declared");
    }
    found->second = std::move(text);
}

std::vector<std::string>
RunRecorder::GetColumns() const
{
    std::vector<std::string> all(COMMON_COLUMNS.begin(), COMMON_COLUMNS.end());
    all.insert(all.end(), m_columns.begin(), m_columns.end());
    return all;
}

std::string
RunRecorder::DescribeFiles(bool messages) const
{
    return "Written to --outputDir, where an earlier run of this program is replaced:\n"
           "  summary.csv   one row a flow: " +
           Join(GetColumns(), ",") +
           "\n"
           "  series.csv    with --seriesInterval: time_s,flow,metric,value\n" +
           (messages ? "  messages.csv  with --messages: "
                       "time_s,flow,node,event,message,round,sequence,bytes\n"
                     : "") +
           "  attributes.csv with --attributes: path,class,attribute,value,type\n"
           "  flowmonitor.xml with --flowMonitor: as ns-3's FlowMonitor writes it\n"
           "  run.json      all flags, versions, seed and run, and what the run cost\n";
}

void
RunRecorder::AddFlow(uint32_t flow, const TransferReport& report, const Fields& own)
{
    Flow row{flow, report, std::vector<std::string>(m_columns.size())};
    if (report.started && !report.completed && report.finish.IsZero())
    {
        row.report.finish = Simulator::Now(); // cut off by the end of the run
    }
    Fields values = own;
    for (const auto& source : m_sources)
    {
        const auto more = source(flow);
        values.insert(values.end(), more.begin(), more.end());
    }
    for (const auto& [name, value] : values)
    {
        const auto column = std::ranges::find(m_columns, name);
        if (column == m_columns.end())
        {
            throw std::logic_error("column " + name + " is not declared");
        }
        row.own[column - m_columns.begin()] = value;
    }
    m_flows.push_back(std::move(row));
}

const std::vector<RunRecorder::Flow>&
RunRecorder::GetFlows() const
{
    return m_flows;
}

void
RunRecorder::Sample(Time end, int64_t flow, std::string_view metric, double value)
{
    if (m_wantSeries)
    {
        m_series += Print(end) + "," + std::to_string(flow) + "," + Quote(metric) + "," +
                    Print(value) + "\n";
    }
}

void
RunRecorder::Message(Time time,
                     uint32_t flow,
                     std::string_view node,
                     std::string_view event,
                     std::string_view message,
                     uint64_t round,
                     uint64_t sequence,
                     uint64_t bytes)
{
    if (m_wantMessages)
    {
        m_messages += Print(time) + "," + Print(uint64_t{flow}) + "," + Quote(node) + "," +
                      Quote(event) + "," + Quote(message) + "," + Print(round) + "," +
                      Print(sequence) + "," + Print(bytes) + "\n";
    }
}

std::string
RunRecorder::Describe(const Flow& row)
{
    const TransferReport& report = row.report;
    std::string line = "flow " + std::to_string(row.flow) + " " + report.protocol +
                       (report.variant.empty() ? "" : " " + report.variant) + ": " +
                       std::to_string(report.deliveredBytes) + " bytes";
    if (report.offeredBytes > report.deliveredBytes)
    {
        line += " of " + std::to_string(report.offeredBytes);
    }
    const Time time = report.GetEnd() - report.applicationStart;
    if (report.started && time.IsStrictlyPositive())
    {
        line += " in " + PrintShort(time.GetSeconds()) + " s, " +
                PrintShort(report.GoodputBps() / 1e6) + " Mb/s";
    }
    if (!report.completed)
    {
        line += report.failure.empty() ? " (not complete)"
                                       : " (failed: " + Printable(report.failure) + ")";
    }
    return line;
}

std::string
RunRecorder::Print(double value)
{
    if (std::isnan(value))
    {
        return "nan";
    }
    if (std::isinf(value))
    {
        return value > 0 ? "inf" : "-inf";
    }
    std::array<char, 40> text;
    const auto printed = std::to_chars(text.data(),
                                       text.data() + text.size(),
                                       value == 0.0 ? 0.0 : value,
                                       std::chars_format::general,
                                       12);
    return std::string(text.data(), printed.ptr);
}

std::string
RunRecorder::Print(Time value)
{
    const int64_t ticks = value.GetTimeStep();
    const auto perSecond = static_cast<uint64_t>(Seconds(1).GetTimeStep());
    const uint64_t size =
        ticks < 0 ? uint64_t{0} - static_cast<uint64_t>(ticks) : static_cast<uint64_t>(ticks);
    std::string text = (ticks < 0 ? "-" : "") + std::to_string(size / perSecond);
    uint64_t rest = size % perSecond;
    if (rest != 0)
    {
        text += '.';
        // One digit after the other, as many as there are.
        for (uint64_t place = perSecond / 10; rest != 0; place /= 10)
        {
            text += static_cast<char>('0' + rest / place);
            rest %= place;
        }
    }
    return text;
}

std::string
RunRecorder::Print(uint64_t value)
{
    return std::to_string(value);
}

std::string
RunRecorder::Quote(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c;
        if (c == '"')
        {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string
RunRecorder::MakeSummary() const
{
    std::string text;
    const auto addRow = [&text](const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
        {
            text += (i == 0 ? "" : ",") + Quote(fields[i]);
        }
        text += '\n';
    };
    addRow(GetColumns());
    for (const auto& [flow, report, own] : m_flows)
    {
        const bool hasDelivered = report.deliveredBytes > 0;
        std::vector<std::string> row = {
            Print(uint64_t{flow}),
            report.protocol,
            report.variant,
            report.started ? Print(report.start) : "",
            report.started ? Print(report.finish) : "",
            report.completed ? "1" : "0",
            Print(report.offeredBytes),
            Print(report.deliveredBytes),
            Print(report.lostBytes),
            Print(report.GoodputBps()),
            Print(report.dataPackets),
            Print(report.retransmittedPackets),
            Print(report.controlPackets),
            hasDelivered ? Print(report.lastDelivery) : "",
            Print(report.applicationStart),
        };
        row.insert(row.end(), own.begin(), own.end());
        addRow(row);
    }
    return text;
}

std::string
RunRecorder::MakeRunFile(const RunCost& cost) const
{
    JsonObject flags;
    for (const auto& [name, value] : m_flags)
    {
        flags.AddText(name, value);
    }
    JsonObject values;
    for (const auto& [name, value] : m_values)
    {
        values.AddRaw(name, value);
    }
    JsonObject versions;
    versions.AddText("lfn", GetVersion());
    versions.AddText("ns3", GetNs3Version());
    JsonObject run;
    run.AddRaw("format", Print(FORMAT));
    run.AddText("program", m_program);
    run.AddObject("flags", flags);
    run.AddObject("values", values);
    run.AddObject("versions", versions);
    run.AddRaw("rng_seed", Print(uint64_t{RngSeedManager::GetSeed()}));
    run.AddRaw("rng_run", Print(uint64_t{RngSeedManager::GetRun()}));
    run.AddRaw("flows", Print(uint64_t{m_flows.size()}));
    run.AddRaw("simulated_s", Print(cost.simulated));
    run.AddRaw("wall_s", std::isfinite(cost.wallSeconds) ? Print(cost.wallSeconds) : "null");
    run.AddRaw("events", Print(cost.events));
    run.AddRaw("peak_resident_bytes", Print(cost.peakResidentBytes));
    return run.Print() + "\n";
}

std::optional<std::string>
RunRecorder::Prepare() const
{
    return MakeFolder().Check();
}

std::optional<std::string>
RunRecorder::Write(const RunCost& cost) const
{
    OutputFolder::Files files = {{"summary.csv", MakeSummary()}};
    if (m_wantSeries)
    {
        files.emplace_back("series.csv", "time_s,flow,metric,value\n" + m_series);
    }
    if (m_wantMessages)
    {
        files.emplace_back("messages.csv",
                           "time_s,flow,node,event,message,round,sequence,bytes\n" + m_messages);
    }
    for (const auto& [name, text] : m_texts)
    {
        if (!text.empty())
        {
            files.emplace_back(name, text);
        }
    }
    files.emplace_back("run.json", MakeRunFile(cost));
    return MakeFolder().Write(files);
}

OutputFolder
RunRecorder::MakeFolder() const
{
    std::vector<std::string> names = {"summary.csv", "series.csv", "messages.csv", "run.json"};
    for (const auto& [name, text] : m_texts)
    {
        names.push_back(name);
    }
    return OutputFolder(m_folder, m_program, std::move(names), m_force);
}

} // namespace ns3::lfn
