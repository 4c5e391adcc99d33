// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-background-rows.h"

#include "ns3/lfn-run-recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::lfn
{

namespace
{

/** Names of the classes, and the sizes that they end below (B). */
constexpr std::array<std::pair<const char*, uint64_t>, 4> CLASSES{
    {{"0-10kB", 10'000}, {"10kB-100kB", 100'000}, {"100kB-1MB", 1'000'000}, {"1MB-", UINT64_MAX}}};

/** Columns and their help. */
constexpr std::array<std::pair<const char*, const char*>, 11> COLUMNS{
    {{"background", "number of the kind in --background, from 0"},
     {"kind", "its name"},
     {"direction", "forward: from senders to receivers; reverse: from receivers to senders"},
     {"size_class", "sizes of the flows; all: those of every size"},
     {"flows", "flows begun; with http pages requested"},
     {"completed", "those that have completed"},
     {"completion_mean_s", "mean time from a flow's beginning to the arrival of its last byte [s]"},
     {"completion_p50_s", "median of it [s]"},
     {"completion_p95_s", "95th percentile of it [s]"},
     {"offered_bytes", "user bytes of the flows begun; of flows without end what has arrived [B]"},
     {"delivered_bytes", "user bytes of completed flows; of others what has arrived [B]"}}};

/** @brief Get a quantile of sorted values, which are there, linear between two of them. */
double
GetQuantile(const std::vector<double>& sorted, double probability)
{
    const double place = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

} // namespace

SizeClassRows::SizeClassRows(const std::string& direction)
{
    BackgroundRow row;
    row.direction = direction;
    m_rows.push_back(row);
    for (const auto& [name, end] : CLASSES)
    {
        row.sizeClass = name;
        m_rows.push_back(row);
    }
}

BackgroundRow&
SizeClassRows::Find(uint64_t bytes)
{
    const auto found =
        std::ranges::find_if(CLASSES, [bytes](const auto& some) { return bytes < some.second; });
    return m_rows[1 + std::min<std::size_t>(found - CLASSES.begin(), CLASSES.size() - 1)];
}

void
SizeClassRows::Begin(uint64_t bytes)
{
    for (auto* row : {m_rows.data(), &Find(bytes)})
    {
        row->flows++;
        row->offeredBytes += bytes;
    }
}

void
SizeClassRows::Complete(uint64_t bytes, Time duration)
{
    for (auto* row : {m_rows.data(), &Find(bytes)})
    {
        row->times.push_back(duration.GetSeconds());
        row->deliveredBytes += bytes;
    }
}

const std::vector<BackgroundRow>&
SizeClassRows::Get() const
{
    return m_rows;
}

std::string
DescribeBackgroundColumns()
{
    std::string text;
    for (const auto& [name, help] : COLUMNS)
    {
        text += std::string("\n  ") + name + "  " + help;
    }
    return text;
}

std::string
PrintBackgroundHeader()
{
    std::string text;
    for (const auto& [name, help] : COLUMNS)
    {
        text += (text.empty() ? "" : ",") + std::string(name);
    }
    return text + "\n";
}

std::string
PrintBackgroundRows(std::size_t index,
                    const std::string& kind,
                    const std::vector<BackgroundRow>& rows)
{
    using R = RunRecorder;
    std::string text;
    for (const auto& row : rows)
    {
        auto times = row.times;
        std::ranges::sort(times);
        const auto quantile = [&times](double probability) {
            return times.empty() ? "" : R::Print(GetQuantile(times, probability));
        };
        const double sum = std::accumulate(times.begin(), times.end(), 0.0);
        const auto mean = times.empty() ? "" : R::Print(sum / static_cast<double>(times.size()));
        text += R::Print(uint64_t{index}) + "," + R::Quote(kind) + "," + row.direction + "," +
                row.sizeClass + "," + R::Print(row.flows) + "," + R::Print(uint64_t{times.size()}) +
                "," + mean + "," + quantile(0.5) + "," + quantile(0.95) + "," +
                R::Print(row.offeredBytes) + "," + R::Print(row.deliveredBytes) + "\n";
    }
    return text;
}

} // namespace ns3::lfn
