// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_HIGH_SPEED_TABLE_H
#define ATOU_HIGH_SPEED_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief HighSpeed TCP's parameters as atou takes them: a table with a row a whole number of a(w)
 *        (RFC 3649, appendix B).
 *
 * The row of a window is the first one whose w is not below it; windows beyond the table have its
 * last row. The rows are those of ns3::TcpHighSpeed. That class rounds b(w) to two decimals, atou
 * cuts it to a multiple of 1/256.
 */
class AtouHighSpeedTable
{
  public:
    /** @brief A row. */
    struct Row
    {
        uint32_t window{0};    //!< w, the largest window of the row, segments
        uint32_t increment{1}; //!< a(w), segments per RTT
        double decrease{0.5};  //!< b(w), a multiple of 1/256
    };

    /**
     * @brief Find a window's row.
     * @param cwnd the window, segments
     * @return its row
     */
    static const Row& Find(double cwnd);

    /** @return the rows, by ascending window */
    static const std::vector<Row>& GetRows();

    /**
     * @brief Compute how much of a window a loss takes (RFC 3649, section 5).
     * @param window w, at least Low_Window = 38 segments
     * @return b(w), between 0.5 at 38 segments and 0.1 at 83000
     */
    static double Decrease(double window);
};

} // namespace ns3::lfn

#endif // ATOU_HIGH_SPEED_TABLE_H
