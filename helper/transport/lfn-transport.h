// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRANSPORT_H
#define LFN_TRANSPORT_H

#include "lfn-flow-counter.h"
#include "lfn-object-log.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/lfn-topology.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/** @brief One flow that a transport is to carry. */
struct TransportFlow
{
    uint32_t index{0};       //!< its number
    Ptr<Node> sender;        //!< where the data are
    Ptr<Node> receiver;      //!< where they go; another node
    Address senderAddress;   //!< of the sender, of IPv4 or IPv6, without a port
    Address receiverAddress; //!< of the receiver, likewise
    uint16_t port{0};  //!< the first of Transport::PORTS ports of the flow's own; data go to it
    uint64_t bytes{0}; //!< user bytes, [B]; 0: until the end of the run
    Time start;        //!< when the source starts
    /** Of all user bits that the source sends, copies and parity included, for transports that
     * need a configured rate. */
    DataRate sendRate;
    Time rtt;                         //!< round-trip time of propagation
    uint32_t packetSize{0};           //!< user bytes per packet, [B]
    uint32_t windowBytes{0};          //!< that buffers and windows have to hold, [B]
    bool checkContent{false};         //!< send and check a pattern
    std::string senderHost{"none"};   //!< profile of HostCost
    std::string receiverHost{"none"}; //!< profile of HostCost
    /** Objects to be sent instead of bytes, for transports with TransportTraits::takesObjects;
     * null for none. It outlives the simulation and gets what arrives. */
    ObjectLog* objects{nullptr};
    /** First of a thousand random streams; who needs more asks RandomStreams::ManyFlow(). */
    int64_t stream{0};
};

/** @brief The two ends of a flow. */
struct TransportEnds
{
    Ptr<TransferApplication> source; //!< on the sender
    Ptr<TransferApplication> sink;   //!< on the receiver
    Ptr<Application> feeder{};       //!< hands data to the source, where that has to be given
    uint32_t packetSize{0};          //!< user bytes per packet, if not those of the flow, [B]
};

/**
 * @ingroup lfn
 * @brief Have those ends of a flow never start that nodes of another rank have: under ns-3's
 * MpiInterface each process has all nodes, and simulates those of its own rank.
 * @param ends What Transport::Install() gave, before the simulation runs. The reports of ends that
 * never start are empty.
 */
void LeaveOtherRanks(const TransportEnds& ends);

/** @brief What is known of a transport, for any host that lists or tests all of them. */
struct TransportTraits
{
    std::string what{"flows"};                    //!< what is installed, one line
    std::string surplus{"packets retransmitted"}; //!< what may arrived redundantly, one line
    uint32_t headerBytes{0};                      //!< its own in each packet of data, [B]
    bool isReliable{true};                        //!< what completes has delivered every byte
    bool usesSendRate{false};                     //!< has to be given TransportFlow::sendRate
    bool isMulticast{false};                      //!< sends its data to a group
    bool takesObjects{false};                     //!< carries TransportFlow::objects
};

/**
 * @ingroup lfn
 * @brief A way to carry a flow, known by its name.
 *
 * The registry is ns-3's own: a transport is a class derived from this one, its settings are
 * Attributes, and its full name is its TypeId, with Attributes as --topology has them,
 * "ns3::lfn::TcpTransport[Congestion=ns3::TcpBbr]". Classes of this module have short names as
 * well: "parallel-tcp" is ns3::lfn::ParallelTcpTransport. A class outside this module works in
 * transport-comparison unchanged.
 */
class Transport : public Object
{
  public:
    /** Ports that are a flow's own. */
    static constexpr uint16_t PORTS = 8;

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    /**
     * @brief Make transports from a comma list; commas and bars within brackets are the values'.
     * @param text such as "tcp[Congestion=ns3::TcpBbr],rbudp,ns3::lfn::MyTransport"
     * @param transports gets the transports, in the order of the list
     * @return a remedy, or nothing when the text is good
     */
    static std::optional<std::string> Read(const std::string& text,
                                           std::vector<Ptr<Transport>>& transports);

    using Trait = bool TransportTraits::*; //!< what a transport is or is not

    /**
     * @brief List the transports that can be made.
     * @param filter reports its traits whether to list a transport; all unless given
     * @return sorted short names where there are any, TypeIds else
     */
    static std::vector<std::string> List(Trait filter = nullptr);

    /**
     * @brief Describe the transports that can be made, for help texts and tables.
     * @return a new line each: name, what it is, and in brackets its traits
     */
    static std::string Describe();

    /** @brief Get the name that tables show: the short name of this class, or its TypeId. */
    std::string GetName() const;

    /**
     * @brief Get what distinguishes two settings of one transport.
     *
     * The base lists the Attributes that are not what their class has them, as --transport takes
     * them: "Streams=8|Congestion=ns3::TcpNewReno". In a value a blank is written "_", and other
     * characters that would not do as %XX. Attributes that hold objects or functions are left out.
     *
     * @return a word without commas or blanks for the column variant; empty when nothing is set
     */
    virtual std::string GetVariant() const;

    /**
     * @brief Say what is known of this transport, with its Attributes as they are.
     * @return the traits; here those of one that adds no header, retransmits what is lost, and
     * finds its rate itself
     */
    virtual TransportTraits GetTraits() const;

    /**
     * @brief Check the Attributes together, before anything is built.
     * @return a remedy, or nothing when all is well
     */
    virtual std::optional<std::string> Check() const;

    /**
     * @brief Make the network ready, once before the first flow; a second call does nothing.
     * @return the error line, or nothing when all is well
     */
    std::optional<std::string> Prepare(TransportTopology& topology);

    /**
     * @brief Install a flow.
     *
     * What the flow asks for is Suggest()ed, so that the command line may say otherwise of a class.
     *
     * @param flow the flow
     * @param ends set to its two ends, which start by themselves
     * @return the error line, or nothing when all is well
     */
    virtual std::optional<std::string> Install(const TransportFlow& flow, TransportEnds& ends) = 0;

    /**
     * @brief Give the ends of a flow, once installed, the hosts that it asks for.
     * @param flow the flow
     * @param ends its ends
     */
    static void GiveHosts(const TransportFlow& flow, const TransportEnds& ends);

    /**
     * @brief Check whether a flow has come to its end.
     * @return true when there is nothing left to wait for but what is under way
     */
    virtual bool IsDone(const TransportEnds& ends) const;

    /**
     * @brief Join the reports of both ends.
     * @return the report of the flow, its protocol and variant those of this transport
     */
    virtual TransferReport GetReport(const TransportEnds& ends) const;

    /**
     * @brief Say how far the report may differ from what a FlowCounter sees.
     * @param flow the flow
     * @param ends its ends
     * @return the bounds: here the header of the traits, and what was retransmitted
     */
    virtual FlowCounter::Bounds GetBounds(const TransportFlow& flow,
                                          const TransportEnds& ends) const;

  protected:
    /**
     * @brief Have the objects of a flow offered to its source.
     * @param flow a flow with objects
     * @param ends its ends, whose feeder is set
     * @param block objects that are gathered for an offer, above 0
     */
    static void FeedObjects(const TransportFlow& flow, TransportEnds& ends, uint64_t block = 1);

    /**
     * @brief Set an Attribute, unless a default was set for it, by `--ns3::Class::Name=value` or
     * Config::SetDefault().
     */
    static void Suggest(Ptr<Object> object, const std::string& name, const AttributeValue& value);

    /** @brief Suggest a whole number, and get what the object has then. */
    static uint64_t SuggestNumber(Ptr<Object> object, const std::string& name, uint64_t value);

    /**
     * @brief Set what follows from an Attribute of this transport: suggest it where that is what
     * the class has, else insist.
     * @param own the transport's Attribute
     * @param object the object
     * @param name the object's Attribute
     * @param value its value
     */
    void HandOn(const std::string& own,
                Ptr<Object> object,
                const std::string& name,
                const AttributeValue& value) const;

    /** @brief Give an object the value of this transport's Attribute of the same name. */
    void HandOn(Ptr<Object> object, const std::string& name) const;

    /** @brief Give both ends this transport's Tos: the last step of Install(). */
    void HandOnTos(const TransportEnds& ends) const;

    /**
     * @brief HandOn() the Attribute Congestion to both ends, unless it is not set and
     * TcpL4Protocol::SocketType of an end's node is: then the node's own stays.
     */
    void HandOnCongestion(const TransportEnds& ends) const;

    /**
     * @brief Complete a report's variant by the congestion control, which it has in any case.
     * @param report the report
     * @param source a sender with an Attribute Congestion
     */
    static void NameCongestion(TransferReport& report, const Application& source);

    /** @brief Get a whole number of an object. */
    static uint64_t GetNumber(Ptr<const Object> object, const std::string& name);

    /**
     * @brief Give up what was offered and has not come, and end with the last delivery: for
     * transports that are never notified what came.
     * @param report the joined report, whose lostBytes and finish are set when the source has come
     * to its end
     */
    static void EndAtSink(TransferReport& report);

  private:
    /**
     * @brief Make the network ready; called once.
     * @return the error line, or nothing when all is well
     */
    virtual std::optional<std::string> DoPrepare(TransportTopology& topology);

    bool m_prepared{false}; //!< Prepare() was called
    uint8_t m_tos{0};       //!< Attribute Tos
};

} // namespace ns3::lfn

#endif // LFN_TRANSPORT_H
