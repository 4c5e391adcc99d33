// SPDX-License-Identifier: GPL-2.0-only
#include "vrp-sender-core.h"

#include <algorithm>
#include <utility>

namespace ns3::lfn
{

void
VrpSenderCore::Start(const Settings& settings,
                     Ptr<VrpRttEstimator> timeout,
                     std::shared_ptr<VrpRateControl> rate)
{
    m_rate = std::move(rate);
    m_settings = settings;
    if (m_settings.maxHeaderSize == 0)
    {
        m_settings.maxHeaderSize = m_settings.packetSize + VrpHeader::SIZE;
    }
    m_timeout = timeout;
    m_frames.clear();
    m_ready.clear();
    m_unclosed.clear();
    m_nextNumber = settings.firstNumber;
    m_totals = {};
    m_ended = 0;
    m_failed = 0;
    m_firstFailure.clear();
}

std::optional<uint16_t>
VrpSenderCore::Create(uint32_t bytes, const VrpTolerance& tolerance)
{
    const auto number = FindNumber();
    if (!number)
    {
        return std::nullopt;
    }
    VrpOutgoingFrame::Settings settings = m_settings;
    settings.header.number = *number;
    settings.header.dataSize = bytes;
    settings.header.packetSize = m_settings.packetSize;
    if (m_settings.lifeTries > 0)
    {
        settings.backoffLimit = m_settings.frameTimeout / m_settings.lifeTries;
    }
    Frame frame;
    frame.header = VrpHeaderPacket::Pack(settings.header,
                                         tolerance,
                                         m_settings.maxHeaderSize,
                                         m_settings.combineSmall,
                                         m_unclosed);
    settings.dataWithHeader = frame.header.carriesData;
    frame.core = std::make_unique<VrpOutgoingFrame>(settings, m_timeout, m_rate);
    m_frames.emplace(*number, std::move(frame));
    MakeReady(*number);
    return number;
}

bool
VrpSenderCore::OnTags(uint16_t number, std::span<const VrpTag> tags, Time now)
{
    // Only the last SINGLE_ACK is for a packet that came; those before are for accepted losses.
    const VrpTag* lastSingle = nullptr;
    for (const auto& tag : tags)
    {
        lastSingle = tag.code == VrpTagCode::SINGLE_ACK ? &tag : lastSingle;
    }
    bool useful = false;
    for (const auto& tag : tags)
    {
        auto target = number;
        switch (tag.code)
        {
        case VrpTagCode::FRAME_OK:
        case VrpTagCode::FRAME_REFUSED:
        case VrpTagCode::MISSING_HDR:
            target = tag.frame;
            break;
        case VrpTagCode::ACK:
        case VrpTagCode::SINGLE_ACK:
        case VrpTagCode::NACK:
            break;
        default:
            continue; // not for a frame, or sent in the wrong direction
        }
        const auto found = m_frames.find(target);
        if (found != m_frames.end())
        {
            useful = true;
            OnTag(found->second, tag, &tag != lastSingle, now);
            MakeReady(target);
        }
    }
    return useful;
}

void
VrpSenderCore::OnTag(Frame& frame, const VrpTag& tag, bool accepted, Time now)
{
    switch (tag.code)
    {
    case VrpTagCode::FRAME_OK:
        frame.core->OnFrameOk(now);
        frame.header.closes.clear(); // the receiver has them
        break;
    case VrpTagCode::FRAME_REFUSED:
        frame.core->OnRefused();
        break;
    case VrpTagCode::MISSING_HDR:
        frame.core->OnMissingHeader();
        break;
    case VrpTagCode::ACK:
        frame.core->OnAck(tag.packet, now);
        break;
    case VrpTagCode::SINGLE_ACK:
        frame.core->OnSingleAck(tag.packet, accepted, now);
        break;
    default:
        frame.core->OnNack(tag.packet, now);
        break;
    }
}

void
VrpSenderCore::MakeReady(uint16_t number)
{
    const auto found = m_frames.find(number);
    if (found != m_frames.end() && !std::exchange(found->second.ready, true))
    {
        m_ready.push_back(number);
    }
}

std::optional<VrpSenderCore::Turn>
VrpSenderCore::Next(Time now)
{
    while (!m_ready.empty())
    {
        const auto number = m_ready.front();
        m_ready.pop_front();
        const auto found = m_frames.find(number);
        if (found == m_frames.end())
        {
            continue; // taken out in the meantime
        }
        auto& frame = found->second;
        frame.ready = false;
        if (const auto step = frame.core->Next(now))
        {
            MakeReady(number);
            return Turn{Turn::Kind::SEND, number, *step};
        }
        return Turn{frame.core->IsEnded() ? Turn::Kind::END : Turn::Kind::WAIT, number, {}};
    }
    return std::nullopt;
}

void
VrpSenderCore::MarkLeft(uint16_t number, const VrpOutgoingFrame::Step& step, Time now)
{
    const auto found = m_frames.find(number);
    if (found != m_frames.end())
    {
        found->second.core->MarkLeft(step, now);
        MakeReady(number); // its deadline has moved
    }
}

VrpSenderCore::Frame
VrpSenderCore::TakeOut(uint16_t number)
{
    auto frame = std::move(m_frames.at(number));
    m_frames.erase(number);
    m_totals += frame.core->GetCounters();
    ++m_ended;
    if (frame.core->GetState() != VrpFrameState::DONE && m_failed++ == 0)
    {
        m_firstFailure = "frame " + std::to_string(number) + ": " + frame.core->GetFailure();
    }
    for (const auto close : frame.header.closes)
    {
        m_unclosed.push_back(close); // the header that carried them never arrived
    }
    // The incomplete block of a failed frame is freed as well.
    if (frame.core->GetState() != VrpFrameState::REFUSED)
    {
        m_unclosed.push_back(number);
    }
    return frame;
}

const VrpSenderCore::Frame&
VrpSenderCore::GetFrame(uint16_t number) const
{
    return m_frames.at(number);
}

void
VrpSenderCore::Abort(const std::string& reason)
{
    for (auto& [number, frame] : m_frames)
    {
        frame.core->Abort(reason);
        MakeReady(number);
    }
}

uint64_t
VrpSenderCore::GetEnded() const
{
    return m_ended;
}

uint64_t
VrpSenderCore::GetFailed() const
{
    return m_failed;
}

std::string
VrpSenderCore::GetFailure() const
{
    return m_failed == 0 ? ""
                         : std::to_string(m_failed) + " of " + std::to_string(m_ended) +
                               " frames failed; " + m_firstFailure;
}

VrpOutgoingFrame::Counters
VrpSenderCore::GetTotals() const
{
    auto totals = m_totals;
    for (const auto& [number, frame] : m_frames)
    {
        totals += frame.core->GetCounters();
    }
    return totals;
}

std::vector<VrpTag>
VrpSenderCore::TakeCloses(uint32_t room)
{
    std::vector<VrpTag> tags;
    for (uint32_t size = 0; !m_unclosed.empty(); m_unclosed.pop_front())
    {
        const auto tag = VrpTag::OfFrame(VrpTagCode::FRAME_CLOSE, m_unclosed.front());
        size += tag.GetSize();
        if (size > room)
        {
            break;
        }
        tags.push_back(tag);
    }
    return tags;
}

std::optional<uint16_t>
VrpSenderCore::FindNumber()
{
    for (uint32_t tries = 0; tries < VrpHeader::FRAME_NUMBERS; ++tries)
    {
        const auto number = m_nextNumber;
        m_nextNumber = static_cast<uint16_t>((number + 1) % VrpHeader::FRAME_NUMBERS);
        if (!m_frames.contains(number) &&
            std::find(m_unclosed.begin(), m_unclosed.end(), number) == m_unclosed.end())
        {
            return number;
        }
    }
    return std::nullopt;
}

} // namespace ns3::lfn
