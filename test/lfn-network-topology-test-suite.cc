// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-files.h"
#include "lfn-test-topology.h"

#include "ns3/boolean.h"
#include "ns3/lfn-file-topology.h"
#include "ns3/string.h"

#include <fstream>
#include <functional>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup lfn
 * Topologies that Connect() and Pair() describe.
 */

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

namespace
{

/** @brief A topology of a user's own, which a test describes. */
class OwnTopology : public NetworkTopology
{
  public:
    /// The type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("OwnNetworkTopology").SetParent<NetworkTopology>();
        return tid;
    }

    /// A link of 10 Mb/s, 5 ms and 100 packets, unless configured otherwise.
    void Link(const std::string& a,
              const std::string& b,
              const std::string& rate = "10Mbps",
              Time delay = MilliSeconds(5),
              const std::string& queue = "100p") const
    {
        Connect(a, b, DataRate(rate), delay, QueueSize(queue));
    }

    using NetworkTopology::Pair;

    std::function<void(const OwnTopology&)> m_describe; //!< what it is

  private:
    void Describe() const override
    {
        m_describe(*this);
    }
};

/// Describe a topology.
Ptr<OwnTopology>
Own(std::function<void(const OwnTopology&)> describe)
{
    const auto topology = CreateObject<OwnTopology>();
    topology->m_describe = std::move(describe);
    return topology;
}

/// A diamond with a bottleneck, and a pair on another way.
void
DescribeDiamond(const OwnTopology& own)
{
    own.Link("a", "left", "1Gbps", MilliSeconds(1), "1000p");
    own.Link("left", "up", "20Mbps", MilliSeconds(3), "50p");
    own.Link("up", "right", "20Mbps", MilliSeconds(4), "50p");
    own.Link("left", "right", "10Mbps", MilliSeconds(20), "64kB");
    own.Link("right", "b", "1Gbps", MilliSeconds(1), "1000p");
    own.Link("up", "c", "5Mbps", MilliSeconds(2), "10p");
    own.Pair("a", "b");
    own.Pair("a", "c");
}

/** @brief What follows from links and pairs is what follows from a file of the same links. */
class NetworkCase : public CaseOf<bool>
{
    using CaseOf::CaseOf;

    void RunWith(bool isIpv6) override
    {
        const ScratchFolder folder;
        const std::string path = folder / "network.csv";
        std::ofstream(path) << "node,a,sender\nnode,left\nnode,up\nnode,right\nnode,b,receiver\n"
                               "node,c,receiver\n"
                               "link,a,left,1Gbps,1ms,1000p\nlink,left,up,20Mbps,3ms,50p\n"
                               "link,up,right,20Mbps,4ms,50p\nlink,left,right,10Mbps,20ms,64kB\n"
                               "link,right,b,1Gbps,1ms,1000p\nlink,up,c,5Mbps,2ms,10p\n";
        const auto file = CreateObject<FileTopology>();
        file->SetAttribute("File", StringValue(path));
        const auto own = Own(DescribeDiamond);
        for (const Ptr<NetworkTopology>& topology :
             {Ptr<NetworkTopology>(file), Ptr<NetworkTopology>(own)})
        {
            topology->SetAttribute("Ipv6", BooleanValue(isIpv6));
            NS_TEST_ASSERT_MSG_EQ(topology->Check().value_or(""), "", "good");
            topology->Build();
            NS_TEST_ASSERT_MSG_EQ(topology->CheckBuilt().value_or(""), "", "built");
        }
        NS_TEST_ASSERT_MSG_EQ(own->GetSenders().GetN(), 1, "one sender for two pairs");
        NS_TEST_ASSERT_MSG_EQ(own->GetReceivers().GetN(), 2, "two receivers");
        NS_TEST_EXPECT_MSG_EQ(own->GetRtt(0), MilliSeconds(44), "over the short way");
        NS_TEST_EXPECT_MSG_EQ(own->GetRtt(1), MilliSeconds(12), "of the other pair");
        NS_TEST_EXPECT_MSG_EQ(own->GetSenderIpv6Address().IsAny(), !isIpv6, "IPv6");
        for (uint32_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(own->GetRtt(i), file->GetRtt(i), "as by the file");
            NS_TEST_EXPECT_MSG_EQ(own->GetReceiverAddress(i), file->GetReceiverAddress(i), i);
            NS_TEST_EXPECT_MSG_EQ(own->GetReceiverIpv6Address(i),
                                  file->GetReceiverIpv6Address(i),
                                  i);
        }
        const auto links = own->GetBottlenecks();
        NS_TEST_ASSERT_MSG_EQ(links.size(), file->GetBottlenecks().size(), "bottlenecks");
        NS_TEST_ASSERT_MSG_EQ(links.size(), 2, "one for each pair");
        NS_TEST_EXPECT_MSG_EQ(links[0].second->GetNode(), own->GetNode("c"), "the slowest");
        NS_TEST_EXPECT_MSG_EQ(links[1].first->GetNode(), own->GetNode("left"), "the other pair's");
        Echo echo;
        echo.Add(own, 0, 0, isIpv6);
        echo.Add(own, 0, 1, isIpv6);
        echo.Run();
        for (uint32_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(echo.GetRtt(i).GetSeconds(),
                                      own->GetRtt(i).GetSeconds(),
                                      5e-4,
                                      "measured");
        }
        file->Dispose();
        Finish(own);
    }
};

/** @brief Bad use is one line, and nothing is built. */
class NetworkMistakeCase : public Case
{
    using Case::Case;

    void DoRun() override
    {
        using O = const OwnTopology&;
        Check("it has no pair: call Pair(sender, receiver)", [](O own) { own.Link("a", "b"); });
        Check("it has no pair", [](O) {});
        Check("Pair(a, d): no Connect() names d", [](O own) {
            own.Link("a", "b");
            own.Pair("a", "d");
        });
        Check("did you mean receiver?", [](O own) {
            own.Link("sender", "receiver");
            own.Pair("sender", "receivr");
        });
        Check("Pair(a, a): name two nodes", [](O own) {
            own.Link("a", "b");
            own.Pair("a", "a");
        });
        Check("Pair(a, b): it is called twice", [](O own) {
            own.Link("a", "b");
            own.Pair("a", "b");
            own.Pair("a", "b");
        });
        Check("2 parts that no link connects: 2 nodes (a, b) and 2 nodes (c, d)", [](O own) {
            own.Link("a", "b");
            own.Link("c", "d");
            own.Pair("a", "d");
        });
        Check("Connect(b, a): the two are connected already", [](O own) {
            own.Link("a", "b");
            own.Link("b", "a");
            own.Pair("a", "b");
        });
        const auto link = [this](const std::string& part, auto... what) {
            Check("Connect(a, b): give a " + part, [what...](O own) {
                own.Link("a", "b", what...);
                own.Pair("a", "b");
            });
        };
        link("rate above 0", "0bps");
        link("delay from 0 to 1 d", "1Mbps", MilliSeconds(-1));
        link("delay from 0 to 1 d", "1Mbps", Days(2));
        link("queue above 0", "1Mbps", MilliSeconds(1), "0p");
        Check("Connect(a, a): name two nodes", [](O own) { own.Link("a", "a"); });
        // The description is taken again each time.
        const auto own = Own([](O one) { one.Link("a", "b"); });
        NS_TEST_EXPECT_MSG_EQ(own->Check().has_value(), true, "no pair");
        own->m_describe = DescribeDiamond;
        NS_TEST_EXPECT_MSG_EQ(own->Check().value_or(""), "", "good now");
        NS_TEST_EXPECT_MSG_EQ(own->Check().value_or(""), "", "and again");
    }

    /// Check a description that has to be refused with a line that holds the part.
    void Check(const std::string& part, std::function<void(const OwnTopology&)> describe)
    {
        const auto own = Own(std::move(describe));
        const auto remedy = own->Check().value_or("");
        NS_TEST_EXPECT_MSG_NE(remedy.find(part), std::string::npos, part << ": " << remedy);
        NS_TEST_EXPECT_MSG_EQ(remedy.find('\n'), std::string::npos, "one line");
        own->Build();
        NS_TEST_EXPECT_MSG_EQ(own->GetSenders().GetN(), 0, "nothing is built");
    }
};

/** @brief The suite. */
const Suite g_suite("lfn-network-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.Add(new NetworkCase("links and pairs: as a file of the same links, IPv4", false));
    suite.Add(new NetworkCase("links and pairs: as a file of the same links, IPv6", true));
    suite.Add(new NetworkMistakeCase("links and pairs: mistakes are one line"));
});

} // namespace
