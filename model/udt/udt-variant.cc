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
    settings.receiver.filter = UdtFilter::EXACT;
    settings.control.periodGranularity = Time(0);
    settings.control.minimumIncrease = 0; // 1/MSS
}

/**
 * @brief Set what SRT in file mode has against UDT4 (UDT-64).
 * @param settings what is set
 */
void
ApplySrt(UdtSettings& settings)
{
    auto& [sender, receiver, control] = settings;
    for (auto* expiration : {&sender.expiration, &receiver.expiration})
    {
        expiration->check = expiration->syn;
        expiration->restarts = false;
    }
    sender.smoothRtt = false;
    sender.nakEndsWait = false;
    sender.lightAckFrees = true;
    sender.catchUp = true;
    sender.pacingGranularity = MicroSeconds(1);
    sender.zeroRates = true;
    sender.ack2Interval = sender.expiration.syn;
    sender.ackTimer = true;
    receiver.filter = UdtFilter::SRT;
    receiver.strictPairs = true;
    receiver.rttFromFirst = true;
    control.minimumIncrease = 0; // 1/MSS
    control.decRandomSource = UdtNativeControl::DecRandomSource::STREAM;
    control.decrease = 1.03;
    control.nakWeight = 0.03;
    control.lossRateCap = 2;
    control.lossTolerance = 0.02;
    control.slowStartLoss = true;
}

/**
 * @brief Set all rules that a variant names to UDT4's.
 * @param settings what is set
 */
void
Reset(UdtSettings& settings)
{
    const UdtSettings standard;
    auto& sender = settings.sender;
    auto& receiver = settings.receiver;
    auto& control = settings.control;
    SetSilentCheck(settings, standard.sender.expiration.check);
    sender.firstWindow = standard.sender.firstWindow;
    sender.smoothRtt = standard.sender.smoothRtt;
    sender.interruptible = standard.sender.interruptible;
    sender.nakAddsFirst = standard.sender.nakAddsFirst;
    sender.nakEndsWait = standard.sender.nakEndsWait;
    sender.lightAckFrees = standard.sender.lightAckFrees;
    sender.catchUp = standard.sender.catchUp;
    sender.pacingGranularity = standard.sender.pacingGranularity;
    sender.zeroRates = standard.sender.zeroRates;
    sender.ack2Interval = standard.sender.ack2Interval;
    sender.ackTimer = standard.sender.ackTimer;
    receiver.lightAckPackets = standard.receiver.lightAckPackets;
    receiver.repeatNak = standard.receiver.repeatNak;
    receiver.nakMinimum = standard.receiver.nakMinimum;
    receiver.nakPerLoss = standard.receiver.nakPerLoss;
    receiver.probeWindow = standard.receiver.probeWindow;
    receiver.filter = standard.receiver.filter;
    receiver.strictPairs = standard.receiver.strictPairs;
    receiver.rttFromFirst = standard.receiver.rttFromFirst;
    receiver.ackRepeatRtts = standard.receiver.ackRepeatRtts;
    receiver.ratesInEveryAck = standard.receiver.ratesInEveryAck;
    receiver.flowControl = standard.receiver.flowControl;
    for (auto* expiration : {&sender.expiration, &receiver.expiration})
    {
        expiration->minimum = standard.sender.expiration.minimum;
        expiration->deadTime = standard.sender.expiration.deadTime;
        expiration->patience = standard.sender.expiration.patience;
        expiration->restarts = standard.sender.expiration.restarts;
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
    control.decRandomSource = standard.control.decRandomSource;
    control.decrease = standard.control.decrease;
    control.nakWeight = standard.control.nakWeight;
    control.lossRateCap = standard.control.lossRateCap;
    control.lossTolerance = standard.control.lossTolerance;
    control.slowStartLoss = standard.control.slowStartLoss;
}

} // namespace

void
ApplyUdtVariant(UdtVariant variant, UdtSettings& settings)
{
    Reset(settings);
    auto& [sender, receiver, control] = settings;
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
    else if (variant == UdtVariant::SRT)
    {
        ApplySrt(settings);
    }
}

} // namespace ns3::lfn
