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
#include <system_error>

namespace ns3::lfn
{

namespace
{

/** @brief Version of the files' format; grows when a reader must know of a change. */
constexpr uint64_t FORMAT = 1;

/** @brief What built the library. */
#ifdef __clang__
constexpr const char* COMPILER = "clang++ " __clang_version__;
#else
constexpr const char* COMPILER = "g++ " __VERSION__;
#endif

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

/** @brief Describe a flow for people, in one line. */
std::string
Describe(uint32_t flow, const TransferReport& report)
{
    std::string line = "flow " + std::to_string(flow) + " " + report.protocol +
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

/** @brief Words with their lengths before them, so that they may hold any byte. */
class PackedWords
{
  public:
    /**
     * @brief Constructor.
     * @param bytes What Get() gave; empty to begin.
     */
    explicit PackedWords(std::string_view bytes = {})
        : m_bytes(bytes)
    {
    }

    /** @brief Add a word. */
    void Put(std::string_view word)
    {
        m_bytes += std::to_string(word.size()) + ":";
        m_bytes += word;
    }

    /** @brief Add the number of words to come. */
    void PutCount(std::size_t count)
    {
        Put(std::to_string(count));
    }

    /** @brief Take the next word; std::runtime_error when it is not whole. */
    std::string Take()
    {
        const char* end = m_bytes.data() + m_bytes.size();
        std::size_t size = 0;
        const auto read = std::from_chars(m_bytes.data() + m_at, end, size);
        if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':' ||
            size > static_cast<std::size_t>(end - read.ptr - 1))
        {
            throw std::runtime_error("a simulation of its own has not reported all its results");
        }
        m_at = static_cast<std::size_t>(read.ptr + 1 - m_bytes.data()) + size;
        return m_bytes.substr(m_at - size, size);
    }

    /** @brief Take a number. */
    template <typename T>
    T OnNumber()
    {
        const auto word = Take();
        T value{};
        std::from_chars(word.data(), word.data() + word.size(), value);
        return value;
    }

    /** @brief Get all words added. */
    const std::string& Get() const
    {
        return m_bytes;
    }

  private:
    std::string m_bytes; //!< All words.
    std::size_t m_at{0}; //!< Where the next word to take begins.
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
           "  summary.csv   one row per flow: " +
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
RunRecorder::SetCut(std::string reason)
{
    m_cut = std::move(reason);
}

void
RunRecorder::AddFlow(uint32_t flow, const TransferReport& report, const Fields& own, bool isEndless)
{
    TransferReport ended = report;
    if (report.started && !report.completed && report.finish.IsZero())
    {
        ended.finish = Simulator::Now(); // cut off by the end of the run
    }
    Fields values = own;
    const auto failure = std::ranges::find(values, "failure", &Fields::value_type::first);
    if (failure != values.end() && failure->second.empty() && !ended.completed && !isEndless)
    {
        failure->second = m_cut;
        ended.failure = m_cut;
    }
    const bool hasDelivered = ended.deliveredBytes > 0;
    const bool hasGivenUp = !report.failure.empty() && report.finish.IsStrictlyPositive();
    Row row{{
                Print(uint64_t{flow}),
                ended.protocol,
                ended.variant,
                ended.started ? Print(ended.start) : "",
                ended.started || hasGivenUp ? Print(ended.finish) : "",
                ended.completed ? "1" : "0",
                Print(ended.offeredBytes),
                Print(ended.deliveredBytes),
                Print(ended.lostBytes),
                Print(ended.GoodputBps()),
                Print(ended.dataPackets),
                Print(ended.retransmittedPackets),
                Print(ended.controlPackets),
                hasDelivered ? Print(ended.lastDelivery) : "",
                Print(ended.applicationStart),
            },
            Describe(flow, ended),
            hasDelivered};
    row.fields.resize(COMMON_COLUMNS.size() + m_columns.size());
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
        row.fields[COMMON_COLUMNS.size() + (column - m_columns.begin())] = value;
    }
    m_rows.push_back(std::move(row));
}

const std::vector<RunRecorder::Row>&
RunRecorder::GetRows() const
{
    return m_rows;
}

void
RunRecorder::SetPathNumber(int64_t flow)
{
    m_pathNumber = flow;
}

std::string
RunRecorder::Pack(const RunCost& cost) const
{
    PackedWords words;
    words.Put(std::to_string(cost.simulated.GetTimeStep()));
    words.Put(Print(cost.wallSeconds));
    words.Put(Print(cost.events));
    words.Put(Print(cost.peakResidentBytes));
    for (const auto* fields : {&m_flags, &m_values})
    {
        words.PutCount(fields->size());
        for (const auto& [name, value] : *fields)
        {
            words.Put(name);
            words.Put(value);
        }
    }
    words.PutCount(m_columns.size());
    for (const auto& column : m_columns)
    {
        words.Put(column);
    }
    words.PutCount(m_rows.size());
    for (const auto& row : m_rows)
    {
        words.PutCount(row.fields.size());
        for (const auto& field : row.fields)
        {
            words.Put(field);
        }
        words.Put(row.line);
        words.Put(row.hasDelivered ? "1" : "0");
    }
    words.Put(m_series);
    return words.Get();
}

void
RunRecorder::Add(std::string_view packed)
{
    PackedWords words(packed);
    m_otherCost.simulated += TimeStep(words.OnNumber<uint64_t>());
    m_otherCost.wallSeconds += words.OnNumber<double>();
    m_otherCost.events += words.OnNumber<uint64_t>();
    m_otherCost.peakResidentBytes =
        std::max(m_otherCost.peakResidentBytes, words.OnNumber<uint64_t>());
    for (auto* fields : {&m_flags, &m_values})
    {
        fields->clear();
        for (auto count = words.OnNumber<std::size_t>(); count > 0; --count)
        {
            auto name = words.Take();
            fields->emplace_back(std::move(name), words.Take());
        }
    }
    m_columns.clear(); // some are declared with what is installed
    for (auto count = words.OnNumber<std::size_t>(); count > 0; --count)
    {
        m_columns.push_back(words.Take());
    }
    for (auto count = words.OnNumber<std::size_t>(); count > 0; --count)
    {
        Row row;
        for (auto fields = words.OnNumber<std::size_t>(); fields > 0; --fields)
        {
            row.fields.push_back(words.Take());
        }
        row.line = words.Take();
        row.hasDelivered = words.Take() == "1";
        m_rows.push_back(std::move(row));
    }
    m_series += words.Take();
}

void
RunRecorder::Sample(Time end, int64_t flow, std::string_view metric, double value)
{
    if (m_wantSeries)
    {
        m_series += Print(end) + "," + std::to_string(flow < 0 ? m_pathNumber : flow) + "," +
                    Quote(metric) + "," + Print(value) + "\n";
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
    for (const auto& row : m_rows)
    {
        addRow(row.fields);
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
    versions.AddText("compiler", COMPILER);
    JsonObject run;
    run.AddRaw("format", Print(FORMAT));
    run.AddText("program", m_program);
    run.AddObject("flags", flags);
    run.AddObject("values", values);
    run.AddObject("versions", versions);
    run.AddRaw("rng_seed", Print(uint64_t{RngSeedManager::GetSeed()}));
    run.AddRaw("rng_run", Print(uint64_t{RngSeedManager::GetRun()}));
    run.AddRaw("flows", Print(uint64_t{m_rows.size()}));
    std::vector<std::string> transports;
    for (const auto& row : m_rows)
    {
        const auto text =
            JsonObject::Quote(row.fields[1] + (row.fields[2].empty() ? "" : " " + row.fields[2]));
        if (std::ranges::find(transports, text) == transports.end())
        {
            transports.push_back(text);
        }
    }
    run.AddRaw("transports", "[" + Join(transports) + "]");
    const double wall = cost.wallSeconds + m_otherCost.wallSeconds;
    run.AddRaw("simulated_s", Print(cost.simulated + m_otherCost.simulated));
    run.AddRaw("wall_s", std::isfinite(wall) ? Print(wall) : "null");
    run.AddRaw("events", Print(cost.events + m_otherCost.events));
    run.AddRaw("peak_resident_bytes",
               Print(std::max(cost.peakResidentBytes, m_otherCost.peakResidentBytes)));
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
