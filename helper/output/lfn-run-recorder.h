// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_RUN_RECORDER_H
#define LFN_RUN_RECORDER_H

#include "lfn-output-folder.h"
#include "lfn-run-meter.h"

#include "ns3/lfn-transfer-report.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Writes what a run leaves behind: summary.csv, series.csv, messages.csv, run.json, and
 * what a program adds.
 *
 * The vocabulary of columns and metrics is in doc/vocabulary.rst. Everything is kept in memory
 * until Write(), which puts the files in place at once: a killed run leaves the folder as it was.
 * Equal runs give equal bytes in the CSV files: numbers are printed without the locale, with at
 * most twelve significant digits, times exactly.
 */
class RunRecorder
{
  public:
    /** @brief Pairs of a column's name and its value. */
    using Fields = std::vector<std::pair<std::string, std::string>>;

    /** @brief One row of summary.csv. */
    struct Row
    {
        std::vector<std::string> fields; //!< Values of all columns, in their order.
        std::string line;                //!< The flow for people.
        bool hasDelivered{false};        //!< At least one byte was delivered.
    };

    /**
     * @brief Constructor.
     * @param program The program's name, by which a later run identifies this one's files.
     */
    explicit RunRecorder(std::string program);

    /**
     * @brief Set the folder that the files go to.
     * @param folder The folder; it need not exist.
     * @param force Write even if the folder holds files that no run of this program wrote.
     */
    void SetOutput(const std::string& folder, bool force);

    /** @brief Choose the optional files, series.csv and messages.csv. */
    void Enable(bool series, bool messages);

    /** @brief Check whether messages.csv is written. */
    bool HasMessages() const;

    /**
     * @brief Set the flags and their values for run.json.
     * @param flags Pairs of name and value as text.
     * @param values Pairs of name and JSON number in base units, of the flags that are numbers.
     */
    void SetFlags(Fields flags, Fields values);

    /**
     * @brief Declare own columns of summary.csv; application_start_s is always there before them. A
     * name used twice throws std::logic_error.
     */
    void AddColumns(const std::vector<std::string>& names);

    /**
     * @brief Declare own columns whose values do not come with AddFlow().
     * @param names as of the other AddColumns()
     * @param values gives the values of a flow, when its row is added
     */
    void AddColumns(const std::vector<std::string>& names,
                    std::function<Fields(uint32_t flow)> values);

    /** @brief Declare further files that the program may write; before Prepare(). */
    void AddTexts(const std::vector<std::string>& names);

    /**
     * @brief Set the content of a further file.
     * @param name The file's name, as declared; another one throws std::logic_error.
     * @param text Its content; an empty one is not written.
     */
    void SetText(const std::string& name, std::string text);

    /** @brief Get the names of all columns of summary.csv, in order. */
    std::vector<std::string> GetColumns() const;

    /**
     * @brief Describe the files for `--PrintHelp`.
     * @param messages Whether there is a switch for messages.csv.
     */
    std::string DescribeFiles(bool messages) const;

    /**
     * @brief Add a row to summary.csv; a flow that has not ended ends now, with the run.
     * @param flow The flow's number.
     * @param report The sender's report, receiver's side included.
     * @param own Values of own columns by name; one that is absent stays empty, an unknown name
     * throws std::logic_error.
     * @param isEndless The flow sends until the run ends, so SetCut() does not concern it.
     */
    void AddFlow(uint32_t flow,
                 const TransferReport& report,
                 const Fields& own = {},
                 bool isEndless = false);

    /**
     * @brief Set why the run ended before its flows; before AddFlow().
     * @param reason It stands in the column failure, if the program has it, of flows that neither
     * completed nor failed; empty: the run ended by itself.
     */
    void SetCut(std::string reason);

    /** @brief Get the rows added so far, in the order of addition. */
    const std::vector<Row>& GetRows() const;

    /**
     * @brief Set the number that the path's metrics have in series.csv.
     * @param flow The number; unless set, -1.
     */
    void SetPathNumber(int64_t flow);

    /**
     * @brief Get what this process has recorded: columns, rows, series, flags and cost.
     * @param cost What its simulation cost.
     * @return Bytes for Add() of a recorder of the same program and flags.
     */
    std::string Pack(const RunCost& cost) const;

    /**
     * @brief Add what another process has recorded; the cost is added to that of Write().
     * @param packed What Pack() gave there; anything else throws std::runtime_error.
     */
    void Add(std::string_view packed);

    /**
     * @brief Add a line to series.csv; does nothing when no series was asked for.
     * @param end The end of the interval.
     * @param flow The flow's number; -1 is the path, see SetPathNumber().
     * @param metric The metric's name.
     * @param value Its value.
     */
    void Sample(Time end, int64_t flow, std::string_view metric, double value);

    /**
     * @brief Add a line to messages.csv; does nothing when no messages were asked for.
     * @param time When it happened.
     * @param flow The flow's number.
     * @param node "sender" or "receiver".
     * @param event "tx", "rx" or "drop".
     * @param message The kind of message, such as "data".
     * @param round The round, from 0.
     * @param sequence The packet's number.
     * @param bytes Its size (bytes).
     */
    void Message(Time time,
                 uint32_t flow,
                 std::string_view node,
                 std::string_view event,
                 std::string_view message,
                 uint64_t round,
                 uint64_t sequence,
                 uint64_t bytes);

    /**
     * @brief Check before the run that the files can be written; leaves nothing behind.
     * @return What is wrong with the folder and the remedy, or nothing when all is well.
     */
    std::optional<std::string> Prepare() const;

    /**
     * @brief Write all files and put them in place.
     * @param cost What the simulation of this process cost.
     * @return What went wrong, or nothing when all is well.
     */
    std::optional<std::string> Write(const RunCost& cost) const;

    /**
     * @brief Print a number the way that all files have it: at most twelve significant digits,
     * "nan" or "inf".
     */
    static std::string Print(double value);

    /** @brief Print a time in seconds, exactly, as a decimal number. */
    static std::string Print(Time value);

    /** @brief Print a whole number. */
    static std::string Print(uint64_t value);

    /**
     * @brief Quote a CSV field where RFC 4180 needs it: if it holds a comma, a quote or a line
     * break.
     */
    static std::string Quote(std::string_view text);

  private:
    /** @brief Make the text of summary.csv. */
    std::string MakeSummary() const;

    /** @brief Make the text of run.json. */
    std::string MakeRunFile(const RunCost& cost) const;

    /** @brief Make the object with the folder's rules. */
    OutputFolder MakeFolder() const;

    std::string m_program;              //!< Name of the program.
    std::string m_folder;               //!< Where the files go.
    bool m_force{false};                //!< Write into a folder that holds other files.
    bool m_wantSeries{false};           //!< Write series.csv.
    bool m_wantMessages{false};         //!< Write messages.csv.
    std::string m_cut;                  //!< Why the run ended before its flows.
    Fields m_flags;                     //!< Flags and their values.
    Fields m_values;                    //!< Flags that are numbers, in base units.
    std::vector<std::string> m_columns; //!< Own columns.
    std::vector<Row> m_rows;            //!< Rows of summary.csv.
    int64_t m_pathNumber{-1};           //!< Of the path in series.csv.
    RunCost m_otherCost;                //!< Of simulations in other processes.
    std::string m_series;               //!< Lines of series.csv.
    std::string m_messages;             //!< Lines of messages.csv.
    Fields m_texts;                     //!< Further files and their content.
    /** Values of own columns that do not come with AddFlow(). */
    std::vector<std::function<Fields(uint32_t)>> m_sources;
};

} // namespace ns3::lfn

#endif // LFN_RUN_RECORDER_H
