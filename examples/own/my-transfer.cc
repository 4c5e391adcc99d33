// SPDX-License-Identifier: GPL-2.0-only

// Two hosts behind a router: 1 Gb/s to the router, 100 Mb/s and some loss behind it.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;
using namespace ns3::lfn;

/** @brief Sender, router, receiver; the second link is the bottleneck. */
class RouterTopology : public NetworkTopology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("RouterTopology")
                                .SetParent<NetworkTopology>()
                                .AddConstructor<RouterTopology>()
                                .AddAttribute("Rate",
                                              "Rate of the second link.",
                                              DataRateValue(DataRate("100Mbps")),
                                              MakeDataRateAccessor(&RouterTopology::m_rate),
                                              MakePositiveDataRateChecker());
        return tid;
    }

  private:
    void Describe() const override
    {
        Connect("sender", "router", DataRate("1Gbps"), MilliSeconds(5), QueueSize("2000p"));
        Connect("router", "receiver", m_rate, MilliSeconds(5), QueueSize("2000p"));
        Pair("sender", "receiver");
    }

    DataRate m_rate;
};

NS_OBJECT_ENSURE_REGISTERED(RouterTopology);

int
main(int argc, char* argv[])
{
    Scenario scenario("my-transfer", "RBUDP on a network of my own.");
    uint64_t bytes = 10'000'000;
    DataRate sendRate("80Mbps");
    scenario.GetFlags().Bytes("bytes", "user bytes to send", bytes);
    scenario.GetFlags().Rate("sendRate", "rate of user bits in a blast", sendRate);
    scenario.Parse(argc, argv);
    const auto path = scenario.BuildTopology();

    RbudpHelper rbudp;
    rbudp.SetSourceAttribute("Bytes", UintegerValue(bytes));
    rbudp.SetSourceAttribute("SendRate", DataRateValue(sendRate));
    const auto transfer = rbudp.Install(path->GetSenders().Get(0),
                                        path->GetSenderAddress(),
                                        path->GetReceivers().Get(0),
                                        path->GetReceiverAddress());
    scenario.GetEnd().StopAfter(transfer.source, transfer.sink);
    scenario.Run();

    const auto report = scenario.GetLiveEnds().JoinReports(*transfer.source, *transfer.sink);
    scenario.GetRecorder().AddFlow(0, report);
    return scenario.Finish();
}
