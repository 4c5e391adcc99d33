// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_BACKGROUND_H
#define LFN_BACKGROUND_H

#include "lfn-background-rows.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-class-family.h"
#include "ns3/lfn-topology.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief Two hosts that cross traffic is between. */
struct BackgroundPair
{
    Ptr<Node> from;      //!< where the data are
    Address fromAddress; //!< its address, of IPv4 or IPv6, without a port
    Ptr<Node> to;        //!< where they go; another node
    Address toAddress;   //!< its address, likewise
    uint32_t segment{0}; //!< user bytes of a TCP segment that no link needs fragments for, [B]
    uint16_t port{0};    //!< of this pair alone, free at both hosts
    int64_t stream{0};   //!< first of a hundred random streams
};

/** @brief Where a kind of cross traffic goes. */
struct BackgroundPlace
{
    static constexpr uint16_t PORTS = 1000;        //!< of a kind
    static constexpr int64_t OWN_STREAMS = 500000; //!< after those of the pairs

    std::vector<BackgroundPair> forward; //!< from senders to receivers; one at least
    std::vector<BackgroundPair> reverse; //!< from receivers to senders; one at least
    DataRate bottleneck{0};              //!< rate of the first bottleneck; 0: not known
    Time start;                          //!< of the applications
    uint16_t port{0};                    //!< first of PORTS, which the pairs have as well
    int64_t stream{0};                   //!< first of a million streams; the pairs' come first
};

/**
 * @ingroup lfn
 * @brief A kind of cross traffic, which competes with a program's own flows.
 *
 * As with Transport the registry is ns-3's own: a kind is a class derived from this one, its
 * settings are Attributes, and `--background=web[Load=0.2],tcp[Flows=2]` names it. "web" is
 * ns3::lfn::WebBackground. A class outside this module works in every program unchanged.
 */
class Background : public Object
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /** @brief Get the kinds that there are. */
    static const ClassFamily& GetFamily();

    /** @brief Say what the kind is, in one line. */
    virtual std::string Describe() const = 0;

    /**
     * @brief Check the Attributes together, before anything is built.
     * @return a remedy, or nothing when all is well
     */
    virtual std::optional<std::string> Check() const;

    /**
     * @brief Install the traffic, whose applications start by themselves.
     * @param place where
     * @return a remedy, or nothing when all is well
     */
    virtual std::optional<std::string> Install(const BackgroundPlace& place) = 0;

    /** @brief Get the rows of background.csv. */
    virtual std::vector<BackgroundRow> GetRows() const = 0;
};

} // namespace ns3::lfn

#endif // LFN_BACKGROUND_H
