// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_TEST_PROBE_H
#define JRM_TEST_PROBE_H

#include "ns3/jrm-receiver-core.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

/**
 * @file
 * @ingroup lfn-jrm
 * ns3::lfn::tests::JrmReceiverProbe: JRM's receiving half step by step; the law of rounds.
 */

namespace ns3::lfn::tests
{

inline constexpr uint32_t GROUP = 7;       //!< MCG of the tests
inline constexpr uint32_t PARTICIPANT = 3; //!< VRN of the tests

/** @brief How often packets are sent until the last has come: the maximum of geometric variables.
 */
struct JrmRounds
{
    double mean{0};     //!< beyond the first time
    double variance{0}; //!< of their number

    /// Each of a number of packets is lost with a probability.
    JrmRounds(uint32_t packets, double loss)
    {
        for (int j = 0; j < 200; ++j)
        {
            const double more = 1 - std::pow(1 - std::pow(loss, j + 1), packets);
            mean += more;
            variance += (2 * j + 1) * more;
        }
        variance -= mean * mean;
    }
};

/// Timers that never adapt.
inline JrmAdaptiveTimeout::Rules
MakeFixedRules()
{
    JrmAdaptiveTimeout::Rules rules;
    rules.adaptive = false;
    return rules;
}

/// Settings of a receiver with packets of 100 bytes and fixed timers.
inline JrmReceiverCore::Settings
MakeBasicSettings()
{
    JrmReceiverCore::Settings settings;
    settings.packetSize = 100;
    settings.adapt = MakeFixedRules();
    return settings;
}

/// The header of a packet of a message.
inline JrmHeader
MakeJrmHeader(uint32_t message, uint16_t packet, uint32_t length, JrmType type = JrmType::MSG)
{
    return {type, {PARTICIPANT, GROUP, message}, packet, length};
}

/// A receiver and its clock; what it sends, in words.
class JrmReceiverProbe
{
  public:
    JrmReceiverCore core; //!< the receiver

    /// A receiver that has received nothing.
    explicit JrmReceiverProbe(const JrmReceiverCore::Settings& settings)
    {
        core.Start(settings, [this]() { return std::uniform_real_distribution<>()(m_random); });
    }

    /// A packet of a message comes at a time in milliseconds.
    std::optional<DropReason> Take(int64_t ms,
                                   uint32_t message,
                                   uint16_t packet,
                                   uint32_t length,
                                   JrmType type = JrmType::MSG)
    {
        const uint32_t offset = (packet - 1U) * 100;
        const auto bytes = packet == 0 ? 0 : std::min(100U, length - std::min(length, offset));
        core.Expire(MilliSeconds(ms));
        return core.OnPacket(MakeJrmHeader(message, packet, length, type),
                             bytes,
                             {},
                             MilliSeconds(ms));
    }

    /// Let time pass; the NACKs and deliveries since, such as "N5:1 N6:2,3 D4".
    std::string At(int64_t ms)
    {
        return AtTime(MilliSeconds(ms));
    }

    /// The same, at any time.
    std::string AtTime(Time time)
    {
        core.Expire(time);
        std::string words;
        while (const auto nack = core.NextNack())
        {
            words += (words.empty() ? "N" : " N") + std::to_string(nack->id.message) + ":";
            for (std::size_t i = 0; i < nack->packets.size(); ++i)
            {
                words += (i > 0 ? "," : "") + std::to_string(nack->packets[i]);
            }
            words += nack->all ? "+" : "";
        }
        while (const auto delivery = core.NextDelivery())
        {
            words += (words.empty() ? "D" : " D") + std::to_string(delivery->id.message);
        }
        return words;
    }

  private:
    std::mt19937 m_random{1}; //!< for suppression
};

} // namespace ns3::lfn::tests

#endif // JRM_TEST_PROBE_H
