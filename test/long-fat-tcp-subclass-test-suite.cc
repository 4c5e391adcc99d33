// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-test-case.h"
#include "lfn-test-network.h"

#include "ns3/long-fat-tcp-socket-factory.h"
#include "ns3/long-fat-tcp-socket.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-prr-recovery.h"

/**
 * @file
 * @ingroup lfn-tcp
 * A class derived from LongFatTcpSocket overrides virtual methods as a class derived from
 * TcpSocketBase does: each is called when the event occurs, and only then.
 */

namespace
{

using namespace ns3;
using namespace ns3::lfn;
using namespace ns3::lfn::tests;

/** @brief Counts the calls of virtual methods. */
class CountingSocket : public LongFatTcpSocket
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lfn::test::CountingSocket")
                                .SetParent<LongFatTcpSocket>()
                                .SetGroupName("Lfn")
                                .AddConstructor<CountingSocket>();
        return tid;
    }

    uint32_t timeouts{0}; //!< calls of ReTxTimeout()
    uint64_t bytes{0};    //!< that SendDataPacket() has sent, retransmissions included

  protected:
    void ReTxTimeout() override
    {
        ++timeouts;
        LongFatTcpSocket::ReTxTimeout();
    }

    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override
    {
        const auto sent = LongFatTcpSocket::SendDataPacket(seq, maxSize, withAck);
        bytes += sent;
        return sent;
    }
};

/** @brief A transfer whose data are lost during an interval. */
class Transfer : public TestNetwork
{
  public:
    static constexpr uint32_t BYTES = 400'000; //!< of the transfer

    /** @brief A transfer that begins at once. */
    explicit Transfer(Time outage)
        : TestNetwork({.delay = MilliSeconds(10)}),
          sender(CreateObject<CountingSocket>()),
          m_end(outage.IsZero() ? Time(0) : MilliSeconds(100) + outage)
    {
        const auto tcp = nodes.Get(0)->GetObject<TcpL4Protocol>();
        sender->SetNode(nodes.Get(0));
        sender->SetTcp(tcp);
        sender->SetRtt(CreateObject<RttMeanDeviation>());
        sender->SetCongestionControlAlgorithm(CreateObject<TcpLinuxReno>());
        sender->SetRecoveryAlgorithm(CreateObject<TcpPrrRecovery>());
        sender->SetAttribute("SegmentSize", UintegerValue(1000));
        sender->SetAttribute("SndBufSize", UintegerValue(BYTES));
        tcp->AddSocket(sender);
        LongFatTcpSocketFactory::Install(nodes.Get(1));
        m_listener = Socket::CreateSocket(nodes.Get(1), LongFatTcpSocketFactory::GetTypeId());
        m_listener->SetAttribute("DelAckCount", UintegerValue(1));
        Listen(m_listener, GetEnd(1, 80), [this](Ptr<Socket> socket) {
            Receive(socket, [this](uint32_t bytes) { received += bytes; });
        });
        sender->Bind();
        sender->Connect(GetEnd(1, 80));
        sender->Send(Create<Packet>(BYTES), 0);
    }

    Ptr<CountingSocket> sender; //!< the sender
    uint64_t received{0};       //!< bytes that the receiver has read
    uint64_t onLink{0};         //!< bytes of data that were sent, those lost included
    uint32_t pauses{0};         //!< segments that a pause of a timer precedes

  protected:
    TestFate Judge(int direction, Ptr<const Packet> frame) override
    {
        constexpr uint32_t HEADERS = 60; // more than an ACK has
        if (direction != 0 || frame->GetSize() < 2 * HEADERS)
        {
            return TestFate::PASS;
        }
        onLink += 1000;
        pauses += Simulator::Now() - m_last > MilliSeconds(150) && m_last.IsStrictlyPositive();
        m_last = Simulator::Now();
        return m_last > MilliSeconds(100) && m_last < m_end ? TestFate::LOSE : TestFate::PASS;
    }

  private:
    Time m_end;             //!< of the outage
    Time m_last;            //!< when data were sent last
    Ptr<Socket> m_listener; //!< the receiver
};

/** @brief ReTxTimeout() is called for each expiry, SendDataPacket() for each segment. */
LFN_CASE_OF(CallsCase, Time outage)
{
    Transfer transfer(outage);
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(transfer.received, Transfer::BYTES, "complete");
    NS_TEST_EXPECT_MSG_EQ(transfer.sender->bytes, transfer.onLink, "all segments");
    NS_TEST_EXPECT_MSG_EQ(transfer.sender->timeouts, transfer.pauses, "timeouts");
    NS_TEST_EXPECT_MSG_EQ((transfer.pauses > 0), outage.IsStrictlyPositive(), "expiries");
}

const Suite g_suite("lfn-long-fat-tcp-subclass", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.Add(new CallsCase("without losses", Time(0)));
    suite.Add(new CallsCase("an outage of .5 s", MilliSeconds(500)));
    suite.Add(new CallsCase("an outage of 5 s", Seconds(5)));
});

} // namespace
