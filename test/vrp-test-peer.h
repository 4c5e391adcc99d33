// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_TEST_PEER_H
#define VRP_TEST_PEER_H

#include "vrp-test-window.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/vrp-outgoing-frame.h"
#include "ns3/vrp-receive-window.h"
#include "ns3/vrp-rtt-estimator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-vrp
 * @brief A sender's half of a frame and a receiver's, and between them a path that loses.
 *
 * Time is a list of what arrives when; nothing else happens but the sender's deadlines.
 */
class VrpTestPeer
{
  public:
    /** @brief What the path is asked about. */
    enum class Cargo : uint8_t
    {
        HEADER, //!< the frame header
        DATA,   //!< a data packet
        ANSWER, //!< a control packet of the receiver as a whole
        OK,     //!< what follows are tags of a control packet that has come through: FRAME_OK
        NACK,   //!< a demand
        ACCEPT, //!< SINGLE_ACK of an accepted loss
        SINGLE, //!< SINGLE_ACK
        ACK,    //!< cumulative ACK
    };

    /** @brief A control packet of the receiver. */
    struct Control
    {
        bool frameOk{false};             //!< FRAME_OK
        bool missingHeader{false};       //!< MISSING_HDR
        VrpReceiveWindow::Answer answer; //!< NACKs and SINGLE_ACKs
        std::optional<uint32_t> ack;     //!< ACK
    };

    /** @brief The path loses this. Arguments: what, packet number, sent before. */
    std::function<bool(Cargo, uint32_t, bool)> lose;
    /** @brief One-way delay of the next packet, ns. */
    std::function<int64_t()> delay;
    /** @brief The path delivers the next packet twice; may be null. */
    std::function<bool()> repeat;
    /** @brief Called after each data packet at the receiver; may be null. */
    std::function<void(uint32_t packet, VrpReceiveWindow::Outcome, const VrpReceiveWindow::Answer&)>
        taken;

    VrpOutgoingFrame sender;                    //!< the one end
    std::unique_ptr<VrpReceiveWindow> receiver; //!< the other end, once the header has come
    uint64_t steps{0};                          //!< packets sent and packets arrived
    uint64_t lateDeadlines{0};  //!< Next() had nothing, yet GetDeadline() was not in the future
    uint64_t missingHeaders{0}; //!< data came before the header
    int64_t now{0};             //!< the clock, ns

    /// Two ends that have not sent anything; the receiver has either algorithm, the sender its
    /// timeout.
    VrpTestPeer(const VrpOutgoingFrame::Settings& settings,
                const VrpReceiveWindow::Limits& limits,
                bool basic,
                Ptr<VrpRttEstimator> timeout)
        : sender(settings, timeout),
          m_dataWithHeader(settings.dataWithHeader && limits.packets > 0),
          m_basic(basic),
          m_limits(limits)
    {
    }

    /// Let the frame go; whether it has ended after a number of steps at most.
    bool Run(uint64_t mostSteps)
    {
        while (steps < mostSteps)
        {
            while (const auto step = sender.Next(NanoSeconds(now)))
            {
                ++steps;
                const Cargo cargo = step->header ? Cargo::HEADER : Cargo::DATA;
                if (!lose(cargo, step->packet, step->repeat))
                {
                    Depart({cargo, step->packet, {}});
                }
                if (steps >= mostSteps)
                {
                    return false;
                }
            }
            if (sender.IsEnded())
            {
                return true;
            }
            const int64_t deadline = sender.GetDeadline().GetNanoSeconds();
            lateDeadlines += deadline <= now ? 1 : 0;
            if (m_path.empty() || m_path.begin()->first > deadline)
            {
                now = std::max(now, deadline);
                ++steps;
                continue;
            }
            now = m_path.begin()->first;
            const auto message = std::move(m_path.begin()->second);
            m_path.erase(m_path.begin());
            Arrive(message);
        }
        return false;
    }

    /** @brief Have all arrive that is still under way. */
    void Settle()
    {
        while (!m_path.empty())
        {
            now = m_path.begin()->first;
            const auto message = std::move(m_path.begin()->second);
            m_path.erase(m_path.begin());
            Arrive(message);
        }
    }

  private:
    /** @brief A packet under way. */
    struct Message
    {
        Cargo cargo;     //!< HEADER, DATA or ANSWER
        uint32_t packet; //!< number of a data packet
        Control control; //!< an answer
    };

    /// Put a packet on the path.
    void Depart(const Message& message)
    {
        m_path.emplace(now + delay(), message);
        if (repeat && repeat())
        {
            m_path.emplace(now + delay(), message);
        }
    }

    /// A packet has come through.
    void Arrive(const Message& message)
    {
        ++steps;
        if (message.cargo == Cargo::ANSWER)
        {
            OnControl(message.control);
            return;
        }
        Control control;
        bool carriesData = true;
        if (message.cargo == Cargo::HEADER)
        {
            if (!receiver)
            {
                receiver = std::move(VrpWindowProbe(m_limits, m_basic).window);
            }
            control.frameOk = true;
            carriesData = m_dataWithHeader;
        }
        if (!receiver)
        {
            ++missingHeaders;
            control.missingHeader = true;
        }
        else
        {
            if (carriesData)
            {
                const auto outcome = receiver->OnPacket(message.packet, control.answer);
                if (taken)
                {
                    taken(message.packet, outcome, control.answer);
                }
            }
            control.ack = receiver->GetCumulativeAck();
        }
        if (!lose(Cargo::ANSWER, message.packet, false))
        {
            Depart({Cargo::ANSWER, 0, control});
        }
    }

    /// The sender receives a control packet, or what the path has left of it.
    void OnControl(const Control& control)
    {
        const Time time = NanoSeconds(now);
        if (control.frameOk && !lose(Cargo::OK, 0, false))
        {
            sender.OnFrameOk(time);
        }
        if (control.missingHeader)
        {
            sender.OnMissingHeader();
        }
        for (const auto packet : control.answer.nacks)
        {
            if (!lose(Cargo::NACK, packet, false))
            {
                sender.OnNack(packet, time);
            }
        }
        for (const auto packet : control.answer.acceptedAcks)
        {
            if (!lose(Cargo::ACCEPT, packet, false))
            {
                sender.OnSingleAck(packet, true, time);
            }
        }
        for (const auto packet : control.answer.singleAcks)
        {
            if (!lose(Cargo::SINGLE, packet, false))
            {
                sender.OnSingleAck(packet, false, time);
            }
        }
        if (control.ack && !lose(Cargo::ACK, *control.ack, false))
        {
            sender.OnAck(*control.ack, time);
        }
    }

    bool m_dataWithHeader;                  //!< packet 0 rides with the header
    bool m_basic;                           //!< the original algorithm
    VrpReceiveWindow::Limits m_limits;      //!< the receiver's
    std::multimap<int64_t, Message> m_path; //!< what is under way, by its arrival, ns
};

} // namespace ns3::lfn::tests

#endif // VRP_TEST_PEER_H
