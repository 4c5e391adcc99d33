// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LINK_SCHEDULE_FILE_H
#define LFN_LINK_SCHEDULE_FILE_H

#include "ns3/data-rate.h"
#include "ns3/lfn-delivery-trace.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/** @brief Which direction of a link. */
enum class LinkDirection : uint8_t
{
    BOTH,    //!< Both.
    FORWARD, //!< That of the data.
    REVERSE, //!< The other one.
};

/** @brief Links by their name, and a direction of them. */
struct LinkName
{
    std::string name{"bottleneck"};               //!< As in TransportTopology::FindLinks().
    LinkDirection direction{LinkDirection::BOTH}; //!< Which direction.

    /** @brief Compare. */
    bool operator==(const LinkName&) const = default;
};

/** @brief A change of links at a time. */
struct LinkChange
{
    /** @brief What changes. */
    enum class What : uint8_t
    {
        RATE,  //!< Rate of the sending device.
        DELAY, //!< Propagation delay, one way, of both directions.
        LOSS,  //!< Probability that an IP packet is lost.
        STATE, //!< Up or down.
    };

    Time time;             //!< When, from 0 to ten years.
    LinkName link{};       //!< Which links.
    What what{What::RATE}; //!< What changes.
    DataRate rate{};       //!< The rate, above 0 (bit/s).
    Time delay{};          //!< The delay, from 0 to a day.
    double loss{0};        //!< The probability, 0 to 1.
    bool isUp{true};       //!< Whether the link is up.
    uint32_t line{0};      //!< Where it was in a file, from 1.

    /** @brief Compare. */
    bool operator==(const LinkChange&) const = default;
};

/**
 * @ingroup lfn
 * @brief Read a schedule of links from a text.
 *
 * The text is CSV, as that of a topology file: `<time_s>,<link>,<what>,<value>`, in the order of
 * time, with what = rate, delay, loss or state. The link is a name, or a name and `:forward` or
 * `:reverse`. A first line that begins with `time_s` is a header.
 *
 * @param text The content of the file.
 * @param changes Set when the text is good.
 * @return The error: line, what is wrong and what to do; or nothing when the text is good.
 */
std::optional<std::string> ParseLinkSchedule(std::string_view text,
                                             std::vector<LinkChange>& changes);

/**
 * @ingroup lfn
 * @brief Read a trace of delivery opportunities from a text, in Mahimahi's format: a line per
 * opportunity, whole milliseconds in ascending order.
 * @param text The content of the file.
 * @param trace Set when the text is good.
 * @return The error: line, what is wrong and what to do; or nothing when the text is good.
 */
std::optional<std::string> ParseDeliveryTrace(std::string_view text,
                                              std::optional<DeliveryTrace>& trace);

/** @brief A trace of `--linkTrace`. */
struct LinkTrace
{
    std::string file;                   //!< Its file.
    LinkName link;                      //!< Which links.
    std::optional<DeliveryTrace> trace; //!< What is in it.
};

/**
 * @ingroup lfn
 * @brief Read a schedule of links from a file.
 * @param path The file.
 * @param changes Set when the file is good.
 * @return The error, or nothing when the file is good.
 */
std::optional<std::string> ReadLinkSchedule(const std::string& path,
                                            std::vector<LinkChange>& changes);

/**
 * @ingroup lfn
 * @brief Read a comma list of traces: `<file>`, `<file>:<link>` or `<file>:<link>:<direction>`.
 * @param text The list.
 * @param traces Set when list and files are good.
 * @return The error, or nothing when all are good.
 */
std::optional<std::string> ReadLinkTraces(const std::string& text, std::vector<LinkTrace>& traces);

} // namespace ns3::lfn

#endif // LFN_LINK_SCHEDULE_FILE_H
