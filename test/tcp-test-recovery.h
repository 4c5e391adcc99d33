// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_TEST_RECOVERY_H
#define TCP_TEST_RECOVERY_H

#include "ns3/tcp-recovery-core.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lfn-tcp
 * ns3::lfn::tests::RecoveryProbe: a TCP sender's recovery without a socket, driven by words.
 */

namespace ns3::lfn::tests
{

/**
 * @ingroup lfn-tcp
 * @brief A sender with Reno's window around a TcpRecoveryCore, so that a test reads as an example
 * of an RFC.
 *
 * All numbers are of segments of 1000 B, the first one is 0. Events are words: "write 8", "ack 3",
 * "sack 4-6,9" (with the last acknowledgement number), "dup", "data" (the peer's, with the same
 * number), "echo 5" (an ACK with ECN-Echo), "timeout". What the sender does is written in the same
 * way: states, "halve 8" (that flight), "cwnd 1", "send 8", "timer" (restarted), "acked 2",
 * "refuse 2-3".
 */
class RecoveryProbe : private TcpRecoveryCore::Actions
{
  public:
    static constexpr uint32_t SEGMENT = 1000; //!< size of a segment, [B]

    /** @brief A sender with a connection's settings and rules. */
    explicit RecoveryProbe(TcpRecoveryCore::Settings settings = {}, TcpRules rules = {})
        : m_rules(rules),
          core(*this, m_rules, [this](TcpRecoveryCore::Segment& segment) { Count(segment); })
    {
        settings.segmentSize = SEGMENT;
        m_settings = settings;
        core.Configure(settings);
    }

    /**
     * @brief Do what words say.
     * @param words events, separated by "; "
     * @return what the sender did
     */
    std::string Do(const std::string& words)
    {
        m_done.str("");
        std::istringstream events(words);
        for (std::string event; std::getline(events >> std::ws, event, ';');)
        {
            std::istringstream text(event);
            std::string what;
            std::string with;
            text >> what >> with;
            Happen(what, with);
        }
        auto done = m_done.str();
        done.resize(done.empty() ? 0 : done.size() - 1);
        return done;
    }

    /// An acknowledgement arrives, with SACK blocks of bytes.
    void Take(int64_t number,
              const std::vector<TcpRecoveryCore::Range>& sacks,
              bool hasEcho = false)
    {
        const auto& board = core.GetScoreboard();
        const bool isOld = number == board.GetHead();
        m_deliveredBytes = 0;
        const auto sackedBytes = core.OnSacks(sacks);
        const auto highData = board.GetEnd();
        auto ack = core.Acknowledge(number, 0);
        ack.highData = highData;
        ack.writtenBytes = static_cast<uint32_t>(m_written - number);
        ack.receiverWindow = receiverWindow;
        ack.deliveredBytes = m_deliveredBytes;
        ack.isDuplicate =
            m_settings.hasSack ? sackedBytes > 0 : isOld && !m_hasData && number < highData;
        core.LeaveCwr(number);
        if (hasEcho && !isOld)
        {
            core.OnEcho(ack);
        }
        core.OnAck(ack);
        SendPending();
    }

    /// Write a number of segments, and send what the window allows.
    void Write(int64_t segments)
    {
        m_written += segments * SEGMENT;
        SendPending();
    }

    /// The timer expires.
    void Expire()
    {
        core.OnTimeout(core.GetScoreboard().GetEnd());
        SendPending();
    }

    uint32_t cwnd{10 * SEGMENT};                      //!< congestion window, [B]
    uint32_t ssthresh{1'000'000};                     //!< slow start threshold, [B]
    uint32_t receiverWindow{1'000'000};               //!< that the peer offers, [B]
    std::vector<int64_t> sent;                        //!< numbers of the segments that were sent
    std::vector<TcpRecoveryCore::Decision> decisions; //!< that were logged

  private:
    TcpRules m_rules; // before the core, which refers to them

  public:
    TcpRecoveryCore core; //!< the unit under test

  private:
    uint32_t GetCwnd() const override
    {
        return cwnd;
    }

    uint32_t GetSsThresh() const override
    {
        return ssthresh;
    }

    void SetState(TcpRecoveryCore::State state) override
    {
        constexpr std::array NAMES{"open", "disorder", "cwr", "recovery", "loss"};
        m_done << NAMES.at(static_cast<std::size_t>(state)) << ' ';
    }

    void ReduceSsThresh(uint32_t flightBytes) override
    {
        m_done << "halve " << Segments(flightBytes) << ' ';
        ssthresh = std::max(flightBytes / 2, 2 * SEGMENT);
    }

    void SetLossWindow() override
    {
        SetCwnd(SEGMENT);
    }

    void BeginReduction(uint32_t) override
    {
        SetCwnd(ssthresh);
    }

    void GoOnReducing(uint32_t, bool) override
    {
    }

    void EndReduction() override
    {
        SetCwnd(ssthresh);
    }

    void ReportReduction() override
    {
    }

    void ReportAcked(uint32_t segments) override
    {
        m_done << "acked " << segments << ' ';
    }

    void OpenWindow(uint32_t segments) override
    {
        cwnd += cwnd < ssthresh ? segments * SEGMENT : 0; // congestion avoidance stands still
    }

    void Deflate(uint32_t) override
    {
    }

    void ReportNewAck(bool restartTimer) override
    {
        m_done << (restartTimer ? "timer " : "");
    }

    uint32_t SendNow(int64_t offset, uint32_t bytes) override
    {
        bytes = static_cast<uint32_t>(std::min<int64_t>(bytes, m_written - offset));
        m_done << "send " << offset / SEGMENT << ' ';
        sent.push_back(offset / SEGMENT);
        auto& segment = core.OnSend(offset, bytes);
        segment.record.deliveredTime = Time(0);
        return segment.bytes;
    }

    void SendNext(int64_t offset, uint32_t bytes) override
    {
        SendNow(offset, bytes);
    }

    void UpdateBytesInFlight() override
    {
    }

    void Log(TcpRecoveryCore::Decision decision) override
    {
        decisions.push_back(decision);
    }

    void RefuseSack(const TcpRecoveryCore::Range& block) override
    {
        m_done << "refuse " << block.begin / SEGMENT << '-' << block.end / SEGMENT - 1 << ' ';
    }

    /// Show bytes as segments.
    static std::string Segments(uint32_t bytes)
    {
        std::ostringstream text;
        text << bytes / double{SEGMENT};
        return text.str();
    }

    /// Count a segment that has arrived, once.
    void Count(TcpRecoveryCore::Segment& segment)
    {
        m_deliveredBytes += segment.record.deliveredTime == Time(0) ? segment.bytes : 0;
        segment.record.deliveredTime = Time::Max();
    }

    /// Set the window.
    void SetCwnd(uint32_t bytes)
    {
        if (bytes != cwnd)
        {
            m_done << "cwnd " << Segments(bytes) << ' ';
        }
        cwnd = bytes;
    }

    /// Send what the window allows.
    void SendPending()
    {
        while (core.GetBytesInFlight() < std::min(cwnd, receiverWindow))
        {
            const auto head = core.GetScoreboard().GetHead();
            const auto next =
                core.FindNext(static_cast<uint32_t>(m_written - head), receiverWindow);
            if (!next)
            {
                return;
            }
            SendNow(next->begin, static_cast<uint32_t>(next->end - next->begin));
        }
    }

    /// Read SACK blocks.
    static std::vector<TcpRecoveryCore::Range> Read(const std::string& words)
    {
        std::vector<TcpRecoveryCore::Range> blocks;
        std::istringstream text(words);
        for (std::string block; std::getline(text, block, ',');)
        {
            const auto dash = block.find('-');
            const auto first = std::stoll(block);
            const auto last =
                dash == std::string::npos ? first : std::stoll(block.substr(dash + 1));
            blocks.push_back({first * SEGMENT, (last + 1) * SEGMENT});
        }
        return blocks;
    }

    /// An event.
    void Happen(const std::string& what, const std::string& with)
    {
        const auto head = core.GetScoreboard().GetHead();
        m_hasData = what == "data";
        if (what == "write")
        {
            Write(std::stoll(with));
        }
        else if (what == "timeout")
        {
            Expire();
        }
        else if (what == "ack" || what == "echo")
        {
            Take(std::stoll(with) * SEGMENT, {}, what == "echo");
        }
        else
        {
            Take(head, Read(with));
        }
    }

    TcpRecoveryCore::Settings m_settings; //!< of the connection
    std::ostringstream m_done;            //!< what was done
    int64_t m_written{0};                 //!< by the application, [B]
    uint32_t m_deliveredBytes{0};         //!< by the acknowledgement in work, [B]
    bool m_hasData{false};                //!< it carries the peer's data
};

} // namespace ns3::lfn::tests

#endif // TCP_TEST_RECOVERY_H
