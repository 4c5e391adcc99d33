// SPDX-License-Identifier: GPL-2.0-only

#include "jrm-test-network.h"
#include "lfn-test-case.h"

#include "ns3/jrm-helper.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief What came of a session. */
struct Story
{
    std::vector<std::string> sights; ///< every datagram on every link, in the order of each link
    std::vector<std::size_t> counts; ///< messages at each participant
    std::string left;                ///< what is not over
    Time last;                       ///< of the last delivery
};

/// Run three participants that all send, with losses by a script, over either version of IP.
Story
Play(bool isIpv6, const JrmSettings& settings)
{
    JrmTestNetwork network(3, 2, MicroSeconds(250), isIpv6);
    network.settings.insert({{"Adaptive", "false"}, {"Heartbeat", "100ms"}});
    for (const auto& [name, value] : settings)
    {
        network.settings[name] = value;
    }
    Story story;
    std::map<std::pair<uint32_t, bool>, std::vector<std::string>> seen;
    network.judge = [&](const JrmTestSight& sight) {
        auto& mine = seen[{sight.host, sight.down}];
        const auto& id = sight.header.id;
        const uint32_t packet = sight.header.packet; // of a probe the RTT: longer headers
        std::string text = ToString(sight.header.type);
        for (const uint32_t field :
             {id.participant, id.group, id.message, sight.Is(JrmType::PROBE) ? 0U : packet})
        {
            text += " " + std::to_string(field);
        }
        mine.push_back(text);
        // Every seventh datagram of a link, shifted from link to link; repairs among them.
        return mine.size() % 7 == (sight.host + 3 * sight.down) % 7 ? Fate::LOSE : Fate::PASS;
    };
    network.AddPeers();
    for (uint32_t host = 0; host < 3; ++host)
    {
        network
            .SendMany(host, 20, 5 * PACKET, MilliSeconds(1 + 9 * host), MilliSeconds(33), host % 2);
    }
    story.left = network.Run(Seconds(30));
    for (const auto& [link, sights] : seen)
    {
        story.sights.insert(story.sights.end(), sights.begin(), sights.end());
    }
    for (uint32_t host = 0; host < 3; ++host)
    {
        for (uint32_t from = 0; from < 3; ++from)
        {
            story.counts.push_back(network.Count(host, from));
        }
    }
    story.last = network.lastDelivery;
    return story;
}

LFN_CASE_OF(JrmSameTestCase, JrmSettings settings)
{
    const auto four = Play(false, settings);
    const auto six = Play(true, settings);
    NS_TEST_EXPECT_MSG_EQ(four.left, "", "over IPv4");
    NS_TEST_EXPECT_MSG_EQ(six.left, "", "over IPv6");
    NS_TEST_EXPECT_MSG_GT(four.sights.size(), 1500, "a session with repairs");
    NS_TEST_EXPECT_MSG_EQ((four.sights == six.sights), true, "every datagram of every link");
    NS_TEST_EXPECT_MSG_EQ((four.counts == six.counts), true, "messages at each participant");
    const auto later = (six.last - four.last).GetSeconds();
    NS_TEST_EXPECT_MSG_GT(later, 0, "longer headers");
    NS_TEST_EXPECT_MSG_LT(later, 1e-3, "20 bytes per datagram");
}

LFN_CASE(JrmGroupsTestCase)
{
    const auto number = [](const Address& group) { return JrmPeer::GetGroupNumber(group); };
    NS_TEST_EXPECT_MSG_EQ(number(Ipv4Address("239.1.0.1")).value_or(0), 0xef010001, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(number(Ipv6Address("ff15::8000:1")).value_or(0), 0x80000001, "IPv6");
    NS_TEST_EXPECT_MSG_EQ(number(Ipv6Address("ff3e:1:2:3:4:5:1234:5678")).value_or(0),
                          0x12345678,
                          "the lowest 32 bits");
    for (const Address& none : {Address(Ipv4Address("10.0.0.1")),
                                Address(Ipv6Address("fd00::1")),
                                Address(Ipv6Address("ff02::1:3")),
                                Address(Ipv6Address("ff11::1")),
                                Address(InetSocketAddress("239.1.0.1", 9)),
                                Address(Inet6SocketAddress("ff15::1", 9)),
                                Address()})
    {
        NS_TEST_EXPECT_MSG_EQ(number(none).has_value(), false, none);
    }

    JrmTestNetwork network(2, 1, MicroSeconds(250), true);
    const Address four = Ipv4Address("239.1.0.1");
    const Address six = network.ToGroup(network.groups[0]);
    network.AddPeers();
    auto& one = *network.peers[0];
    auto& other = *network.peers[1];
    // 224.1.1.1 has the number of the group of IPv6.
    NS_TEST_EXPECT_MSG_EQ(one.Join(network.groups[0]), false, "one number for two groups");
    NS_TEST_EXPECT_MSG_EQ(one.Leave(network.groups[0]), false, "that was not joined");
    NS_TEST_EXPECT_MSG_EQ(one.Join(four), false, "two versions of IP");
    const Address second = Ipv6Address("ff15::5");
    NS_TEST_EXPECT_MSG_EQ(one.Join(second), true, "another one");
    const std::vector<Address> both{second, six};
    NS_TEST_EXPECT_MSG_EQ((one.GetGroups() == both), true, "by their numbers");
    std::map<uint32_t, uint32_t> arrived; // by MCG
    other.SetReceive(Callback<void, const JrmReceiverCore::Delivery&>(
        [&arrived](const JrmReceiverCore::Delivery& message) { ++arrived[message.id.group]; }));
    const auto send = [&](int64_t ms, const Address& group, bool isGood) {
        Simulator::Schedule(MilliSeconds(ms), [this, &one, group, isGood] {
            NS_TEST_EXPECT_MSG_EQ(one.SendMessage(group, 3000).has_value(), isGood, group);
        });
    };
    send(1, six, true);
    send(2, four, false);
    send(3, network.groups[0], false); // the number is right, the address is not
    // Nothing of a group that was left, until it is joined again.
    Simulator::Schedule(MilliSeconds(500), [&other, six] { other.Leave(six); });
    send(600, six, true);
    Simulator::Schedule(MilliSeconds(700), [&other, six] { other.Join(six); });
    send(800, six, true);
    NS_TEST_EXPECT_MSG_EQ(network.Run(Seconds(10)), "", "over");
    NS_TEST_EXPECT_MSG_EQ(arrived[network.groups[0].Get()], 2, "of IPv6");
    NS_TEST_EXPECT_MSG_EQ(arrived.size(), 1, "of nobody else");
    NS_TEST_EXPECT_MSG_EQ(other.GetDrops(DropReason::UNEXPECTED), 3, "what was left");
}

LFN_CASE(JrmWithoutIpv6TestCase)
{
    const Address six = JrmHelper::MakeIpv6Group(0);
    NS_TEST_EXPECT_MSG_EQ(six, Address(Ipv6Address("ff15::8000:1")), "the first group");
    NS_TEST_EXPECT_MSG_EQ(Address(JrmHelper::MakeIpv6Group(255)),
                          Address(Ipv6Address("ff15::8000:100")),
                          "another one");
    JrmTestNetwork network(2);
    JrmHelper helper;
    NS_TEST_EXPECT_MSG_EQ(helper.AddGroup(Ipv6Address("fd00::1")), false, "no group");
    NS_TEST_EXPECT_MSG_EQ(helper.AddGroup(six), true, "a group");
    NS_TEST_EXPECT_MSG_EQ(helper.Install(network.hosts).GetN(), 0, "no IPv6 there");
    network.AddPeer(0, Time(0), {99}); // in no group yet
    network.AddPeer(1, Time(0), {99});
    network.peers[0]->Join(six);
    Simulator::Schedule(MilliSeconds(1), [&network, six] { network.peers[1]->Join(six); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    for (const auto& peer : network.peers)
    {
        NS_TEST_EXPECT_MSG_EQ(peer->GetReport().failure,
                              "the node has no IPv6: install it, or join groups of IPv4",
                              "at the start, and later");
    }
}

/** @brief JRM over IPv6: the same as over IPv4, packet by packet. */
const Suite g_suite("lfn-jrm-ipv6", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const std::string same = "the same losses over IPv4 and IPv6: the same datagrams";
    suite.Add(new JrmSameTestCase(same, JrmSettings()));
    suite.Add(new JrmSameTestCase(same + ", suppression", CALM));
    suite.Add(new JrmSameTestCase(same + ", RTTs are probed", {{"Grtt", "true"}}));
    suite.Add(
        new JrmSameTestCase(same + ", earlier messages asked for", {{"FromBeginning", "true"}}));
    suite.Add(new JrmGroupsTestCase("groups: numbers, one version of IP, leaving"));
    suite.Add(new JrmWithoutIpv6TestCase("nodes without IPv6"));
});

} // namespace
