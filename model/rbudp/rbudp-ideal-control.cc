// SPDX-License-Identifier: GPL-2.0-only
#include "rbudp-ideal-control.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("RbudpIdealControl");
NS_OBJECT_ENSURE_REGISTERED(RbudpIdealControl);

/**
 * @ingroup lfn-rbudp
 * @brief One end of an RbudpIdealControl.
 */
class RbudpIdealControl::End : public RbudpControlChannel
{
  public:
    /**
     * @brief Belong to a connection.
     * @param control the connection, which outlives what is under way
     * @param side 0 the sender, 1 the receiver
     */
    End(RbudpIdealControl* control, std::size_t side)
        : m_control(control),
          m_side(side)
    {
    }

    void Send(std::span<const uint8_t> bytes) override
    {
        NS_LOG_FUNCTION(this << bytes.size());
        if (!m_control)
        {
            return;
        }
        Simulator::Schedule(m_control->GetDelay(m_side, bytes.size()),
                            &End::Deliver,
                            GetPeer(),
                            std::vector<uint8_t>(bytes.begin(), bytes.end()));
    }

    void Close() override
    {
        NS_LOG_FUNCTION(this);
        ClearCallbacks();
        if (m_control && !m_closed)
        {
            m_closed = true;
            Simulator::Schedule(m_control->GetDelay(m_side, 0), &End::PeerClosed, GetPeer());
        }
    }

    /** @brief The connection is gone. */
    void Detach()
    {
        m_control = nullptr;
    }

  private:
    /** @brief Find the other end. @return it */
    Ptr<End> GetPeer() const
    {
        return m_control->m_ends[1 - m_side];
    }

    /**
     * @brief Hand over a message that has arrived.
     * @param bytes the message
     */
    void Deliver(const std::vector<uint8_t>& bytes)
    {
        NS_LOG_FUNCTION(this << bytes.size());
        NotifyReceived(bytes);
    }

    /** @brief The peer's close has arrived. */
    void PeerClosed()
    {
        NS_LOG_FUNCTION(this);
        NotifyClosed("");
    }

    RbudpIdealControl* m_control; //!< the connection; null when it is gone
    std::size_t m_side;           //!< 0 the sender, 1 the receiver
    bool m_closed{false};         //!< this end has been closed
};

TypeId
RbudpIdealControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::RbudpIdealControl")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<RbudpIdealControl>()
            .AddAttribute("Delay",
                          "T_prop, the propagation delay one way (section 4.1).",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&RbudpIdealControl::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("AckRate",
                          "Rate at which acknowledgements are clocked out, B_send in T_ack = "
                          "S_ack / B_send (section 4.1); 0 for no T_ack.",
                          DataRateValue(DataRate("600Mbps")),
                          MakeDataRateAccessor(&RbudpIdealControl::m_ackRate),
                          MakeDataRateChecker());
    return tid;
}

RbudpIdealControl::RbudpIdealControl()
    : m_ends{CreateObject<End>(this, 0), CreateObject<End>(this, 1)}
{
}

RbudpIdealControl::~RbudpIdealControl()
{
    std::for_each(m_ends.begin(), m_ends.end(), [](auto& end) { end->Detach(); });
}

void
RbudpIdealControl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_connected = {};
    std::for_each(m_ends.begin(), m_ends.end(), [](auto& end) { end->Dispose(); });
    Object::DoDispose();
}

Ptr<RbudpControlChannel>
RbudpIdealControl::JoinSender(Callback<void> connected)
{
    NS_LOG_FUNCTION(this);
    return Join(0, connected);
}

Ptr<RbudpControlChannel>
RbudpIdealControl::JoinReceiver(Callback<void> connected)
{
    NS_LOG_FUNCTION(this);
    return Join(1, connected);
}

Ptr<RbudpControlChannel>
RbudpIdealControl::Join(std::size_t side, Callback<void> connected)
{
    m_connected[side] = connected;
    if (!m_connected[1 - side].IsNull())
    {
        NS_LOG_INFO("both ends have joined, the delay is " << m_delay.As(Time::MS));
        // In events of their own, so that neither end is called before it has its channel; the
        // receiver first, since the sender may speak at once.
        Simulator::ScheduleNow([callback = m_connected[1]] { callback(); });
        Simulator::ScheduleNow([callback = m_connected[0]] { callback(); });
    }
    return m_ends[side];
}

Time
RbudpIdealControl::GetDelay(std::size_t side, std::size_t bytes) const
{
    const bool acknowledges = side == 1 && m_ackRate.GetBitRate() > 0;
    return m_delay +
           (acknowledges ? m_ackRate.CalculateBytesTxTime(static_cast<uint32_t>(bytes)) : Time(0));
}

} // namespace ns3::lfn
