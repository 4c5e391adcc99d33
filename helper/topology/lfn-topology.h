// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TOPOLOGY_H
#define LFN_TOPOLOGY_H

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lfn-captures.h"
#include "ns3/lfn-reported-link.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief A network between senders and receivers, as every scenario program uses it.
 *
 * A subclass builds nodes, links and addresses in DoBuild() and names what matters there with
 * AddSender(), AddReceiver() and AddBottleneck(); its tunables are Attributes, so that
 * `--topology="ns3::lfn::PointToPointTopology[LinkRate=100Mbps|Rtt=20ms]"` reaches them. A
 * subclass outside this module works in every program unchanged; over IPv6 where it heeds
 * HasIpv6(), and names IPv6 addresses.
 */
class TransportTopology : public Object
{
  public:
    /** @brief A bottleneck link: sending and receiving device in the direction of the data. */
    using Link = std::pair<Ptr<NetDevice>, Ptr<NetDevice>>;

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Check whether the network can be built: what no single Attribute's checker sees, such
     * as two that do not go together, or a file.
     *
     * A program calls it before anything is built or written, and ends with the line. The base
     * finds all well.
     *
     * @return A remedy, or nothing when Build() will do.
     */
    virtual std::optional<std::string> Check() const;

    /** @brief Build nodes, links and addresses; a second call does nothing. */
    void Build();

    /**
     * @brief Check whether what was built can carry data from senders to receivers.
     * @return What is wrong and the remedy, or nothing when all is well.
     */
    std::optional<std::string> CheckBuilt() const;

    /** @brief Get the nodes that send data, in the order of their index. */
    const NodeContainer& GetSenders() const;

    /** @brief Get the nodes that receive data, in the order of their index. */
    const NodeContainer& GetReceivers() const;

    /**
     * @brief Get the address that a sender is reached at; throws std::out_of_range when there is
     * none.
     */
    Ipv4Address GetSenderAddress(uint32_t i = 0) const;

    /**
     * @brief Get the address that a receiver is reached at; throws std::out_of_range when there is
     * none.
     */
    Ipv4Address GetReceiverAddress(uint32_t i = 0) const;

    /**
     * @brief Get the IPv6 address that a sender is reached at, "::" when it has none; throws
     * std::out_of_range when there is no sender.
     */
    Ipv6Address GetSenderIpv6Address(uint32_t i = 0) const;

    /**
     * @brief Get the IPv6 address that a receiver is reached at, "::" when it has none; throws
     * std::out_of_range when there is no receiver.
     */
    Ipv6Address GetReceiverIpv6Address(uint32_t i = 0) const;

    /**
     * @brief Have flows go over IPv6, before or after Build().
     *
     * It is the network's part to have the addresses: Attribute Ipv6.
     */
    void UseIpv6();

    /** @brief Check whether flows go over IPv6. */
    bool UsesIpv6() const;

    /**
     * @brief Check whether all senders and receivers have addresses of the IP that flows go over.
     * @return False when an IPv6 address is missing.
     */
    bool HasEnds() const;

    /**
     * @brief Get the address that flows have at a sender, of IPv4 or, with UseIpv6(), of IPv6;
     * throws std::out_of_range when there is no sender.
     */
    Address GetSenderEnd(uint32_t i = 0) const;

    /**
     * @brief Get the address that flows have at a receiver, of IPv4 or, with UseIpv6(), of IPv6;
     * throws std::out_of_range when there is no receiver.
     */
    Address GetReceiverEnd(uint32_t i = 0) const;

    /**
     * @brief Get the round-trip time of propagation to a receiver, from the sender of the same
     * index; where there are fewer, from the one that the network chose.
     * @param i The receiver's index; throws std::out_of_range when there is none.
     * @return The sum of propagation delays there and back.
     */
    Time GetRtt(uint32_t i = 0) const;

    /**
     * @brief Get the round-trip time of propagation between any sender and any receiver.
     *
     * Pairs of the same index, and all pairs of an only sender, have what the network said; for
     * others the base follows the routes of IPv4 both ways and adds up the channels' delays.
     *
     * @param sender The sender's index; throws std::out_of_range when there is none.
     * @param receiver The receiver's index; throws std::out_of_range when there is none.
     * @return The sum of propagation delays; that of GetRtt(receiver) when there is no way to
     * follow.
     */
    virtual Time GetRtt(uint32_t sender, uint32_t receiver) const;

    /** @brief Get the longest round-trip time of propagation to a receiver; 0 without one. */
    Time GetLongestRtt() const;

    /**
     * @brief Follow the routes of IPv4 from a sender to a receiver; on a medium of several ends to
     * the one that has the next address.
     * @param sender The sender's index; throws std::out_of_range when there is none.
     * @param receiver The receiver's index; throws std::out_of_range when there is none.
     * @return The devices that packets leave from, in their order; nothing when there is no way to
     * follow, such as before a routing protocol has found one.
     */
    std::optional<std::vector<Ptr<NetDevice>>> FindWay(uint32_t sender, uint32_t receiver) const;

    /**
     * @brief Get the links that limit the data, where queues, losses and utilisation are looked at;
     * series describe the first one.
     */
    const std::vector<Link>& GetBottlenecks() const;

    /**
     * @brief Find links by their name: those of "bottleneck" are all bottlenecks, that of
     * "bottleneck0" is the first one, and so on. A subclass may have more names.
     * @param name The name.
     * @return The links, in the direction of the data; none if there is no link of that name.
     */
    virtual std::vector<Link> FindLinks(const std::string& name) const;

    /**
     * @brief Get the name of a node in drawings; a subclass may have names of its own.
     * @param node A node of the network.
     * @return The name that ns3::Names has of it; empty if there is none.
     */
    virtual std::string GetNodeName(Ptr<Node> node) const;

    /**
     * @brief Get when the network begins to carry packets; flows start then unless configured
     * otherwise.
     *
     * Stations of Wi-Fi, for one, are not associated at the beginning.
     *
     * @return The time of the simulation; that of the base is 0.
     */
    virtual Time GetReady() const;

    /**
     * @brief Get how long the network may hold a packet on its way to a receiver beyond
     * propagation, queues and sending, such as by jitter.
     *
     * The base holds none.
     */
    virtual Time GetLongestHold() const;

    /**
     * @brief Write packet captures of every device, named as Captures::Open() says.
     *
     * The base handles the devices of all nodes, and writes nothing where Captures::MakeRoom() has
     * no room; a topology with other captures overrides it.
     */
    virtual void EnablePcap(const std::string& prefix);

    /**
     * @brief Close the captures after the run; until then each has ".part" behind its name.
     * @return What is wrong with them, which are removed then, or nothing.
     */
    std::optional<std::string> ClosePcap();

    /**
     * @brief Fix the random streams of the network itself, such as those of its delays.
     *
     * The base uses none.
     *
     * @param stream The first stream.
     * @return How many streams were used.
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /** @brief Check whether to give the hosts IPv6 addresses as well, Attribute Ipv6. */
    bool HasIpv6() const;

    /**
     * @brief Check whether to find routes, and what is for a node, by hash: Attribute
     * HashedRouting.
     */
    bool HasHashedRouting() const;

    /**
     * @brief Name a sender.
     * @param node The node, with an internet stack.
     * @param address The address that it is reached at.
     * @param ipv6Address The IPv6 address that it is reached at; "::" when it has none.
     */
    void AddSender(Ptr<Node> node,
                   Ipv4Address address,
                   Ipv6Address ipv6Address = Ipv6Address::GetAny());

    /**
     * @brief Name a receiver.
     * @param node The node, with an internet stack.
     * @param address The address that it is reached at.
     * @param rtt Propagation delay to it and back, from the sender of the same index; where there
     * are fewer, from any.
     * @param ipv6Address The IPv6 address that it is reached at; "::" when it has none.
     */
    void AddReceiver(Ptr<Node> node,
                     Ipv4Address address,
                     Time rtt,
                     Ipv6Address ipv6Address = Ipv6Address::GetAny());

    /**
     * @brief Name a bottleneck link.
     * @param sending The device that data leave from.
     * @param receiving The device that data arrive at.
     */
    void AddBottleneck(Ptr<NetDevice> sending, Ptr<NetDevice> receiving);

    /**
     * @brief Name a bottleneck link, and set what its device does not report.
     * @param sending The device that data leave from.
     * @param receiving The device that data arrive at.
     * @param facts Its rate and the queue in it, as ReportedLink::Set() takes them.
     */
    void AddBottleneck(Ptr<NetDevice> sending,
                       Ptr<NetDevice> receiving,
                       const ReportedLink::Facts& facts);

  private:
    /** @brief Build nodes, links and addresses; called once. */
    virtual void DoBuild() = 0;

    /**
     * @brief Check whether senders and receivers of equal index cross the first bottleneck, and all
     * of them against the direction that it was named with.
     * @return True if they do; false as well when no way can be followed.
     */
    bool IsBackwards() const;

    bool m_built{false};                          //!< Build() was called.
    bool m_ipv6{false};                           //!< Attribute Ipv6.
    bool m_hashedRouting{true};                   //!< Attribute HashedRouting.
    bool m_usesIpv6{false};                       //!< Flows go over IPv6.
    NodeContainer m_senders;                      //!< Nodes that send.
    NodeContainer m_receivers;                    //!< Nodes that receive.
    std::vector<Ipv4Address> m_senderAddresses;   //!< One a sender.
    std::vector<Ipv4Address> m_receiverAddresses; //!< One a receiver.
    std::vector<Ipv6Address> m_senderIpv6;        //!< One a sender; "::" for none.
    std::vector<Ipv6Address> m_receiverIpv6;      //!< One a receiver; "::" for none.
    std::vector<Time> m_rtts;                     //!< One a receiver.
    std::vector<Link> m_bottlenecks;              //!< Links that limit the data.
    Captures m_captures;                          //!< Of the base's EnablePcap().
};

} // namespace ns3::lfn

#endif // LFN_TOPOLOGY_H
