// SPDX-License-Identifier: GPL-2.0-only

// Two hosts behind a router: 1 Gb/s to the router, 100 Mb/s behind it.

#include "ns3/core-module.h"
#include "ns3/lfn-module.h"
#include "ns3/network-module.h"

using namespace ns3;
using namespace ns3::lfn;

/** @brief Sender, router, receiver. */
class FirstTopology : public NetworkTopology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("FirstTopology").SetParent<NetworkTopology>().AddConstructor<FirstTopology>();
        return tid;
    }

  private:
    void Describe() const override
    {
        Connect("sender", "router", DataRate("1Gbps"), MilliSeconds(5), QueueSize("2000p"));
        Connect("router", "receiver", DataRate("100Mbps"), MilliSeconds(5), QueueSize("2000p"));
        Pair("sender", "receiver");
    }
};

NS_OBJECT_ENSURE_REGISTERED(FirstTopology);
