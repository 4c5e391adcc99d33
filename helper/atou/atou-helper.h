// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_HELPER_H
#define ATOU_HELPER_H

#include "ns3/address.h"
#include "ns3/atou-client.h"
#include "ns3/atou-options.h"
#include "ns3/atou-server.h"
#include "ns3/lfn-scripted-error-model.h"
#include "ns3/lfn-transfer-helper.h"
#include "ns3/node.h"
#include "ns3/nstime.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief Installs atou clients and servers, with the options of atou's own configuration files.
 */
class AtouHelper : public EndsHelper<AtouClient, AtouServer>
{
  public:
    using EndsHelper::Install;

    AtouHelper();

    /**
     * @brief Read a configuration file of atou into the options.
     * @return "path:line: keyword: what is wrong, remedy"; nothing when all is well
     */
    std::optional<std::string> ReadConfig(const std::string& path);

    /**
     * @brief Read "keyword value; keyword value" into the options.
     * @return "keyword: what is wrong, remedy"; nothing when all is well
     */
    std::optional<std::string> ReadOptions(const std::string& text);

    /** @brief Get the options of the clients to come, never null; each gets a copy. */
    Ptr<AtouOptions> GetOptions() const;

    /**
     * @brief Install a server.
     * @param node where
     * @param index added to the port of the options, for servers side by side
     * @return the server, not yet started
     */
    Ptr<AtouServer> AddSink(Ptr<Node> node, uint16_t index = 0) const;

    /**
     * @brief Install a client.
     * @param node where
     * @param server IPv4 or IPv6 address of the server; a port in it does not count
     * @param index added to the port of the options, for servers side by side
     * @return the client, not yet started
     */
    Ptr<AtouClient> AddSource(Ptr<Node> node, const Address& server, uint16_t index = 0) const;

    /**
     * @brief Install a server and its client.
     * @param sendingNode where the client goes
     * @param receivingNode where the server goes
     * @param address IPv4 or IPv6 address of the server; a port in it does not count
     * @param index added to the port of the options, for servers side by side
     * @return both ends, not yet started
     */
    Transfer Install(Ptr<Node> sendingNode,
                     Ptr<Node> receivingNode,
                     const Address& address,
                     uint16_t index = 0) const;

    /**
     * @brief Have the retransmission timer of a client follow the round-trip time, as
     * lfn::FollowRtt() does, unless an option that was read says how long it is.
     * @param client one of this helper's
     * @param rtt the round-trip time of propagation
     */
    void FollowRtt(Ptr<AtouClient> client, Time rtt) const;

    /**
     * @brief Make a script that loses data packets.
     * @param times the next one after each of these is lost, from now on
     * @param numbers these are lost, counted from 1
     * @return what loses them, for the device at which data arrive
     */
    Ptr<ScriptedErrorModel> MakeDropScript(const std::vector<Time>& times,
                                           const std::vector<uint64_t>& numbers) const;

  private:
    Ptr<AtouClient> MakeSource() const override;
    Ptr<AtouServer> MakeSink() const override;

    /**
     * @brief Read options, and note whether the timeout is one of them.
     * @param read reads them into m_options
     * @return what it returns
     */
    std::optional<std::string> Read(const std::function<std::optional<std::string>()>& read);

    Ptr<AtouOptions> m_options; //!< the clients' options
    bool m_hasTimeout{false};   //!< the timeout was read
};

} // namespace ns3::lfn

#endif // ATOU_HELPER_H
