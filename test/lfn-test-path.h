// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_PATH_H
#define LFN_TEST_PATH_H

#include "lfn-test-network.h"

namespace ns3::lfn::tests
{

inline constexpr uint16_t PORT = 9; //!< where the sinks listen

/** @brief Two hosts and one link, and how the senders on them ended. */
class TestPath : public TestNetwork, public TestEnd
{
  public:
    /**
     * @brief Builds the hosts and the link.
     * @param rate rate of the link
     * @param delay propagation delay of the link
     * @param useIpv6 IPv6 instead of IPv4
     */
    TestPath(const std::string& rate, Time delay, bool useIpv6 = false)
        : TestNetwork({rate, delay, useIpv6})
    {
    }

    /**
     * @brief Puts a sender on the first host.
     * @tparam T class of the sender
     * @param bytes user bytes to send
     * @param start when it starts; addresses are ready after 3 s
     * @return the sender, listened to
     */
    template <typename T>
    Ptr<T> AddSource(uint64_t bytes, Time start = Seconds(3))
    {
        auto source = CreateObject<T>();
        source->SetAttribute("Remote", AddressValue(GetRemote()));
        source->SetAttribute("Bytes", UintegerValue(bytes));
        source->SetAttribute("CheckContent", BooleanValue(true));
        source->SetStartTime(start);
        nodes.Get(0)->AddApplication(source);
        Watch(source);
        return source;
    }

    /**
     * @brief Puts a receiver on the second host.
     * @tparam T class of the receiver
     * @return the receiver
     */
    template <typename T>
    Ptr<T> AddSink()
    {
        auto sink = CreateObject<T>();
        sink->SetAttribute("CheckContent", BooleanValue(true));
        nodes.Get(1)->AddApplication(sink);
        return sink;
    }

    /// The socket address of the sink.
    Address GetRemote() const
    {
        return GetEnd(1, PORT);
    }
};

} // namespace ns3::lfn::tests

#endif // LFN_TEST_PATH_H
