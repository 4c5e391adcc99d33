// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-link-schedule-file.h"

#include "ns3/lfn-small-file.h"
#include "ns3/lfn-topology-rows.h"
#include "ns3/lfn-values.h"
#include "ns3/lfn-wording.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr std::size_t MOST_BYTES = 64'000'000;                //!< of a file
constexpr uint64_t MOST_MILLISECONDS = 86'400'000;            //!< of a trace: a day
constexpr uint64_t MOST_SECONDS = 86'400 * values::MOST_DAYS; //!< of a schedule

/** @brief What is wrong with a line: what the error says behind its number. */
using Complaint = std::optional<std::string>;

/** @brief Read a direction; both where the text is invalid. */
std::optional<LinkDirection>
ReadDirection(std::string_view text)
{
    if (text == "forward")
    {
        return LinkDirection::FORWARD;
    }
    if (text == "reverse")
    {
        return LinkDirection::REVERSE;
    }
    return text == "both" ? std::optional(LinkDirection::BOTH) : std::nullopt;
}

/**
 * @brief Read `<link>` or `<link>:<direction>`.
 * @param text The text.
 * @param link Set when it is good.
 * @return What is wrong, or nothing.
 */
Complaint
ReadLink(const std::string& text, LinkName& link)
{
    const auto colon = text.find(':');
    const auto direction = colon == std::string::npos ? std::optional(LinkDirection::BOTH)
                                                      : ReadDirection(text.substr(colon + 1));
    if (colon == 0 || text.empty() || !direction)
    {
        return "link " + Printable(text, 40) +
               ": give a name, such as bottleneck, and if wanted a direction behind it, such as "
               "bottleneck:forward or bottleneck:reverse";
    }
    link = {text.substr(0, colon), *direction};
    return std::nullopt;
}

/** @brief Say how a value is written. */
std::string
Explain(const std::string& what, const std::string& value, const std::string& remedy)
{
    return what + " " + Printable(value, 40) + ": give " + remedy;
}

/**
 * @brief Read what changes, and its value.
 * @param what The third field.
 * @param value The fourth field.
 * @param change Set when they are good.
 * @return What is wrong, or nothing.
 */
Complaint
ReadValue(const std::string& what, const std::string& value, LinkChange& change)
{
    if (what == "rate")
    {
        change.what = LinkChange::What::RATE;
        const auto rate = values::ReadRate(value).value;
        change.rate = rate.value_or(DataRate(0));
        return change.rate.GetBitRate() > 0
                   ? std::nullopt
                   : Complaint(
                         Explain(what, value, "a rate above 0 with its unit, such as 50Mbps"));
    }
    if (what == "delay")
    {
        change.what = LinkChange::What::DELAY;
        const auto delay = values::ReadTime(value).value.value_or(Time(-1));
        if (delay.IsStrictlyNegative() || delay > Days(1))
        {
            return Explain(what, value, "a time from 0s to a day with its unit, such as 80ms");
        }
        change.delay = delay;
        return change.link.direction == LinkDirection::BOTH
                   ? std::nullopt
                   : Complaint("the delay is that of both directions: write the link without one");
    }
    if (what == "loss")
    {
        change.what = LinkChange::What::LOSS;
        change.loss = values::ReadNumber(value).value.value_or(-1);
        return change.loss >= 0 && change.loss <= 1
                   ? std::nullopt
                   : Complaint(Explain(what, value, "a probability from 0 to 1, such as 0.01"));
    }
    if (what == "state")
    {
        change.what = LinkChange::What::STATE;
        change.isUp = value == "up";
        return change.isUp || value == "down" ? std::nullopt
                                              : Complaint(Explain(what, value, "up or down"));
    }
    return Printable(what, 40) + ": there is no such change, give rate, delay, loss or state";
}

/**
 * @brief Read a line of a schedule.
 * @param row The line.
 * @param change Set when it is good.
 * @return What is wrong, or nothing.
 */
Complaint
ReadChange(const TopologyRow& row, LinkChange& change)
{
    if (row.fields.size() != 4)
    {
        return std::to_string(row.fields.size()) +
               " fields: write time_s,link,what,value, such as " + "2.5,bottleneck,rate,50Mbps";
    }
    const auto& time = row.fields[0];
    const auto seconds = values::ReadNumber(time).value.value_or(-1);
    const auto exact = values::ReadTime(time + "s").value;
    if (seconds < 0 || seconds > static_cast<double>(MOST_SECONDS) || !exact)
    {
        return Explain("time", time, "seconds from 0 on without a unit, such as 2.5");
    }
    change.time = *exact;
    change.line = row.line;
    if (auto complaint = ReadLink(row.fields[1], change.link))
    {
        return complaint;
    }
    return ReadValue(row.fields[2], row.fields[3], change);
}

} // namespace

std::optional<std::string>
ParseLinkSchedule(std::string_view text, std::vector<LinkChange>& changes)
{
    std::vector<TopologyRow> rows;
    if (const auto complaint = ReadTopologyRows(text, rows, "time_s"))
    {
        return complaint->substr(2); // behind the comma that follows a file's name
    }
    if (rows.empty())
    {
        return "it has no change: write a line time_s,link,what,value, such as "
               "2.5,bottleneck,rate,50Mbps";
    }
    std::vector<LinkChange> read;
    for (const auto& row : rows)
    {
        LinkChange change;
        auto complaint = ReadChange(row, change);
        if (!complaint && !read.empty() && change.time < read.back().time)
        {
            complaint = "time " + Printable(row.fields[0], 40) + " is before that of line " +
                        std::to_string(read.back().line) + ": sort the lines by time";
        }
        if (complaint)
        {
            return "line " + std::to_string(row.line) + ": " + *complaint;
        }
        read.push_back(std::move(change));
    }
    changes = std::move(read);
    return std::nullopt;
}

std::optional<std::string>
ParseDeliveryTrace(std::string_view text, std::optional<DeliveryTrace>& trace)
{
    std::vector<uint64_t> times;
    for (uint32_t number = 1; !text.empty(); ++number)
    {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
        {
            line.remove_suffix(1);
        }
        uint64_t time = 0;
        const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), time);
        const auto where = "line " + std::to_string(number) + ": ";
        if (error != std::errc() || last != line.data() + line.size() || time > MOST_MILLISECONDS)
        {
            return where + Printable(line, 40) +
                   ": give whole milliseconds from 0 to 86400000, a line per opportunity to "
                   "deliver "
                   "1504 bytes";
        }
        if (!times.empty() && time < times.back())
        {
            return where + std::to_string(time) + " is before the line above: sort the lines";
        }
        times.push_back(time);
    }
    if (times.empty())
    {
        return "it has no opportunity: write a line for each, in milliseconds";
    }
    if (times.back() == 0)
    {
        return "line " + std::to_string(times.size()) +
               ": the last time is the length of the trace: give one above 0";
    }
    trace.emplace(std::move(times));
    return std::nullopt;
}

std::optional<std::string>
ReadLinkSchedule(const std::string& path, std::vector<LinkChange>& changes)
{
    std::string text;
    if (auto complaint = ReadSmallFile(path, MOST_BYTES, "the CSV file of a schedule", text))
    {
        return complaint;
    }
    return ParseLinkSchedule(text, changes);
}

std::optional<std::string>
ReadLinkTraces(const std::string& text, std::vector<LinkTrace>& traces)
{
    std::vector<LinkTrace> read;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto item = text.substr(begin, end - begin);
        begin = end + 1;
        LinkTrace trace;
        const auto colon = std::min(item.find(':'), item.size());
        trace.file = item.substr(0, colon);
        if (colon < item.size())
        {
            if (auto complaint = ReadLink(item.substr(colon + 1), trace.link))
            {
                return complaint;
            }
        }
        std::string content;
        auto complaint =
            ReadSmallFile(trace.file, MOST_BYTES, "the file of a delivery trace", content);
        if (!complaint)
        {
            complaint = ParseDeliveryTrace(content, trace.trace);
            complaint =
                complaint ? Complaint(Printable(trace.file) + ", " + *complaint) : complaint;
        }
        if (complaint)
        {
            return complaint;
        }
        read.push_back(std::move(trace));
    }
    traces = std::move(read);
    return std::nullopt;
}

} // namespace ns3::lfn
