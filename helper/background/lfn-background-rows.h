// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_BACKGROUND_ROWS_H
#define LFN_BACKGROUND_ROWS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief A row of background.csv: flows of one direction and one class of sizes. */
struct BackgroundRow
{
    std::string direction;        //!< "forward" or "reverse"
    std::string sizeClass{"all"}; //!< such as "10kB-100kB"
    uint64_t flows{0};            //!< begun
    std::vector<double> times{};  //!< of those that have completed, [s]
    uint64_t offeredBytes{0};     //!< user bytes of those that have begun, [B]
    uint64_t deliveredBytes{0};   //!< user bytes that have arrived, [B]
};

/**
 * @ingroup lfn
 * @brief Sorts flows by their size: below 10 kB, 100 kB, 1 MB, and above.
 */
class SizeClassRows
{
  public:
    /**
     * @brief Constructor.
     * @param direction "forward" or "reverse"
     */
    explicit SizeClassRows(const std::string& direction);

    /** @brief Count a flow that begins; its size in bytes. */
    void Begin(uint64_t bytes);

    /** @brief Count a flow that completes; its size in bytes and its duration. */
    void Complete(uint64_t bytes, Time duration);

    /** @brief Get the rows: all flows, then the classes from the smallest sizes up. */
    const std::vector<BackgroundRow>& Get() const;

  private:
    /** @brief Get the row of a size. */
    BackgroundRow& Find(uint64_t bytes);

    std::vector<BackgroundRow> m_rows; //!< the rows
};

/** @brief Get the names of the columns of background.csv with their help, one per line. */
std::string DescribeBackgroundColumns();

/** @brief Get the first line of background.csv. */
std::string PrintBackgroundHeader();

/**
 * @brief Print lines of background.csv.
 * @param index the number of the kind in --background, from 0
 * @param kind the kind's name
 * @param rows its rows
 */
std::string PrintBackgroundRows(std::size_t index,
                                const std::string& kind,
                                const std::vector<BackgroundRow>& rows);

} // namespace ns3::lfn

#endif // LFN_BACKGROUND_ROWS_H
