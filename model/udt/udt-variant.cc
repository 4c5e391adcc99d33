// SPDX-License-Identifier: GPL-2.0-only
#include "udt-variant.h"

namespace ns3::lfn
{

namespace
{

constexpr uint32_t OLD_PROBE_WINDOW = 16;
constexpr uint32_t OLD_FIRST_WINDOW = 16;

/**
 * @brief Set how often a silent end looks at its timers, at both ends.
 * @param settings what is set
 * @param check the period
 */
void
SetSilentCheck(UdtSettings& settings, Time check)
{
    settings.sender.expiration.check = check;
    settings.receiver.expiration.check = check;
}

/**
 * @brief Set what UDT3 and the draft have in common against UDT4.
 * @param settings what is set
 */
void
ApplyOlder(UdtSettings& settings)
{
    SetSilentCheck(settings, MilliSeconds(10));
    settings.sender.firstWindow = OLD_FIRST_WINDOW;
    settings.sender.smoothRtt = false;
    settings.receiver.repeatNak = true;
    settings.receiver.nakMinimum = settings.receiver.syn;
    settings.receiver.probeWindow = OLD_PROBE_WINDOW;
    settings.receiver.exactMedian = true;
    settings.control.periodGranularity = Time(0);
    settings.control.minimumIncrease = 0; // 1/MSS
}

} // namespace

void
ApplyUdtVariant(UdtVariant variant, UdtSettings& settings)
{
    const UdtSettings standard;
    auto& sender = settings.sender;
    auto& receiver = settings.receiver;
    auto& control = settings.control;
    // From whatever was there to UDT4.
    SetSilentCheck(settings, standard.sender.expiration.check);
    sender.firstWindow = standard.sender.firstWindow;
    sender.smoothRtt = standard.sender.smoothRtt;
    sender.interruptible = standard.sender.interruptible;
    sender.nakAddsFirst = standard.sender.nakAddsFirst;
    receiver.lightAckPackets = standard.receiver.lightAckPackets;
    receiver.repeatNak = standard.receiver.repeatNak;
    receiver.nakMinimum = standard.receiver.nakMinimum;
    receiver.nakPerLoss = standard.receiver.nakPerLoss;
    receiver.probeWindow = standard.receiver.probeWindow;
    receiver.exactMedian = standard.receiver.exactMedian;
    receiver.ackRepeatRtts = standard.receiver.ackRepeatRtts;
    receiver.ratesInEveryAck = standard.receiver.ratesInEveryAck;
    receiver.flowControl = standard.receiver.flowControl;
    for (auto* expiration : {&sender.expiration, &receiver.expiration})
    {
        expiration->minimum = standard.sender.expiration.minimum;
        expiration->deadTime = standard.sender.expiration.deadTime;
        expiration->patience = standard.sender.expiration.patience;
    }
    control.periodGranularity = standard.control.periodGranularity;
    control.minimumIncrease = standard.control.minimumIncrease;
    control.freeze = standard.control.freeze;
    control.decreaseOnFirst = standard.control.decreaseOnFirst;
    control.capCapacity = standard.control.capCapacity;
    control.slowStartEnd = standard.control.slowStartEnd;
    control.nakOffset = standard.control.nakOffset;
    control.hasWindow = standard.control.hasWindow;
    control.leastGapShare = standard.control.leastGapShare;
    if (variant == UdtVariant::UDT3)
    {
        ApplyOlder(settings);
        sender.interruptible = true;
        sender.nakAddsFirst = true;
        receiver.lightAckPackets = 0;
        receiver.ratesInEveryAck = true;
        receiver.flowControl = true;
        for (auto* expiration : {&sender.expiration, &receiver.expiration})
        {
            expiration->minimum = Time(0);
            expiration->deadTime = Seconds(3);
            expiration->patience = Seconds(30);
        }
        control.freeze = true;
        control.decreaseOnFirst = false;
        control.slowStartEnd = UdtNativeControl::SlowStartEnd::FIRST_CAPACITY;
        control.nakOffset = 1;
        control.hasWindow = false;
        control.leastGapShare = 0.9;
    }
    else if (variant == UdtVariant::DRAFT)
    {
        ApplyOlder(settings);
        receiver.ackRepeatRtts = 2;
        receiver.nakPerLoss = true;
        for (auto* expiration : {&sender.expiration, &receiver.expiration})
        {
            expiration->minimum = MilliSeconds(500);
            expiration->deadTime = Seconds(3);
        }
        control.capCapacity = false;
        control.slowStartEnd = UdtNativeControl::SlowStartEnd::FIRST_ACK;
    }
}

} // namespace ns3::lfn
