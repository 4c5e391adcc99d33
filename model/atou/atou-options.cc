// SPDX-License-Identifier: GPL-2.0-only
#include "atou-options.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/lfn-wording.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("AtouOptions");
NS_OBJECT_ENSURE_REGISTERED(AtouOptions);

namespace
{

constexpr uint32_t MAX_WINDOW = 10000000;       ///< largest window, segments
constexpr uint32_t MAX_SEGMENT = 1U << 31;      ///< numbers stay far from where they wrap
constexpr uint32_t MAX_BUFFER = (1U << 31) - 1; ///< largest socket buffer, B
constexpr int64_t MAX_RUN = 1000000;            ///< longest run, s

/** @brief A line of atou's table of keywords. */
struct Keyword
{
    const char* word;      //!< the keyword
    const char* attribute; //!< the Attribute that it sets
    bool mayChange{false}; //!< also while a transfer runs
};

/// All keywords, in the order of the original's table.
constexpr std::array<Keyword, 32> KEYWORDS{{
    {"mss", "Mss"},
    {"rcvrwin", "RcvWin"},
    {"initsegs", "InitSegs", true},
    {"ssincr", "SsIncr", true},
    {"increment", "Increment", true},
    {"multiplier", "Multiplier", true},
    {"thresh_init", "ThreshInit"},
    {"max_ssthresh", "MaxSsthresh", true},
    {"floyd", "Floyd", true},
    {"kai", "Kai", true},
    {"newreno", "NewReno"},
    {"sack", "Sack"},
    {"fack", "Fack"},
    {"rampdown", "RampDown"},
    {"delack", "DelAck"},
    {"dup_thresh", "DupThresh", true},
    {"burst_limit", "BurstLimit", true},
    {"timeout", "Timeout", true},
    {"tick", "Tick", true},
    {"maxidle", "MaxIdle", true},
    {"maxpkts", "MaxPkts"},
    {"maxtime", "MaxTime"},
    {"vegas", "Vegas", true},
    {"valpha", "VAlpha", true},
    {"vbeta", "VBeta", true},
    {"vgamma", "VGamma", true},
    {"vss", "Vss", true},
    {"port", "Port"},
    {"sndbuf", "SndBuf"},
    {"rcvbuf", "RcvBuf"},
    {"droplist", "DropList"},
    {"debug", "Debug"},
}};

/// Splits a text at blanks.
std::vector<std::string>
Split(const std::string& text)
{
    std::istringstream words(text);
    std::vector<std::string> all;
    for (std::string word; words >> word;)
    {
        all.push_back(word);
    }
    return all;
}

/// Reads a finite number that is the whole of a text.
std::optional<double>
ReadNumber(const std::string& text)
{
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number))
    {
        return std::nullopt;
    }
    return number;
}

/// Reads a segment number.
std::optional<uint32_t>
ReadSegment(const std::string& text)
{
    const auto number = ReadNumber(text);
    if (!number || *number < 1 || *number > MAX_SEGMENT || *number != std::floor(*number))
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(*number);
}

/// Says that an Attribute's checker is for a type of value.
bool
IsOf(const Ptr<const AttributeChecker>& checker, const std::string& type)
{
    return checker->GetValueTypeName().starts_with("ns3::" + type + "Value");
}

/// Prints a number with no more digits than it needs.
std::string
Print(double number)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    std::string printed(text.data(), end);
    if (std::abs(number) < 1e15 && number == std::floor(number))
    {
        printed = std::to_string(static_cast<int64_t>(number));
    }
    return printed;
}

/// Says what a keyword takes, with the limits of its Attribute's checker.
std::string
WhatItTakes(const Ptr<const AttributeChecker>& checker)
{
    if (IsOf(checker, "Boolean"))
    {
        return "give 0 or 1";
    }
    const auto about = checker->GetUnderlyingTypeInformation();
    if (IsOf(checker, "Enum"))
    {
        const auto last = std::count(about.begin(), about.end(), '|');
        return "give a whole number from 0 to " + std::to_string(last) + " (" + about + ")";
    }
    std::string what = IsOf(checker, "Uinteger") ? "give a whole number" : "give a number";
    what += IsOf(checker, "Time") ? " of seconds" : "";
    // Such as "uint32_t 1:10" or, in units of the clock, "Time +0ns:+5ns".
    const auto blank = about.rfind(' ');
    const auto colon = about.rfind(':');
    if (blank == std::string::npos || colon == std::string::npos || colon < blank)
    {
        return what;
    }
    double low = std::strtod(about.c_str() + blank + 1, nullptr);
    double high = std::strtod(about.c_str() + colon + 1, nullptr);
    if (IsOf(checker, "Time"))
    {
        const double second = Seconds(1).ToDouble(Time::GetResolution());
        low /= second;
        high /= second;
    }
    return what + " from " + Print(low) + " to " + Print(high);
}

/// Makes the value of an Attribute from a number; null when the number is not of its kind.
Ptr<AttributeValue>
MakeValue(const Ptr<const AttributeChecker>& checker, double number)
{
    if (IsOf(checker, "Double"))
    {
        return Create<DoubleValue>(number);
    }
    if (IsOf(checker, "Time"))
    {
        const double most = MAX_RUN + 1; // beyond what any takes, yet no overflow
        return Create<TimeValue>(Seconds(std::clamp(number, -1.0, most)));
    }
    if (number < 0 || number > MAX_SEGMENT || number != std::floor(number))
    {
        return nullptr;
    }
    const auto count = static_cast<uint64_t>(number);
    if (IsOf(checker, "Uinteger"))
    {
        return Create<UintegerValue>(count);
    }
    if (IsOf(checker, "Boolean"))
    {
        return count > 1 ? nullptr : Create<BooleanValue>(count == 1);
    }
    // The names of an enumeration stand in the order of its numbers.
    auto names = checker->GetUnderlyingTypeInformation();
    std::replace(names.begin(), names.end(), '|', ' ');
    const auto words = Split(names);
    return count < words.size() ? Create<StringValue>(words[count]) : nullptr;
}

/// Makes a checker of windows and thresholds.
Ptr<const AttributeChecker>
MakeWindowChecker(uint32_t least)
{
    return MakeUintegerChecker<uint32_t>(least, MAX_WINDOW);
}

/// Makes a checker of real numbers of segments.
Ptr<const AttributeChecker>
MakeRealChecker()
{
    return MakeDoubleChecker<double>(0, MAX_WINDOW);
}

/// Makes a checker of timers.
Ptr<const AttributeChecker>
MakeTimerChecker()
{
    return MakeTimeChecker(MicroSeconds(1), Hours(AtouOptions::MOST_TIMER_HOURS));
}

} // namespace

TypeId
AtouOptions::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::AtouOptions")
            .SetParent<Object>()
            .SetGroupName("Lfn")
            .AddConstructor<AtouOptions>()
            .AddAttribute(
                "Mss",
                "mss: UDP payload of a datagram, atou's header of 12 bytes included (bytes)",
                UintegerValue(1472),
                MakeUintegerAccessor(&AtouOptions::mss),
                MakeUintegerChecker<uint32_t>(13, 65507))
            .AddAttribute("RcvWin",
                          "rcvrwin: limit of the window (segments)",
                          UintegerValue(20),
                          MakeUintegerAccessor(&AtouOptions::rcvrWin),
                          MakeWindowChecker(1))
            .AddAttribute("InitSegs",
                          "initsegs: first window, floor of window and threshold (segments)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&AtouOptions::initSegs),
                          MakeWindowChecker(1))
            .AddAttribute("SsIncr",
                          "ssincr: growth an ACK in slow start (segments)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&AtouOptions::ssIncr),
                          MakeRealChecker())
            .AddAttribute("Increment",
                          "increment: growth per RTT in congestion avoidance (segments)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&AtouOptions::increment),
                          MakeRealChecker())
            .AddAttribute("Multiplier",
                          "multiplier: the window times this on loss",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&AtouOptions::multiplier),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "ThreshInit",
                "thresh_init: first slow-start threshold as a fraction of RcvWin; 0: infinite",
                DoubleValue(1),
                MakeDoubleAccessor(&AtouOptions::threshInit),
                MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("MaxSsthresh",
                          "max_ssthresh: limited slow start above this window (segments); 0: off",
                          DoubleValue(0),
                          MakeDoubleAccessor(&AtouOptions::maxSsthresh),
                          MakeRealChecker())
            .AddAttribute(
                "Floyd",
                "floyd: HighSpeed TCP, increment and multiplier from the window (RFC 3649)",
                BooleanValue(false),
                MakeBooleanAccessor(&AtouOptions::floyd),
                MakeBooleanChecker())
            .AddAttribute("Kai",
                          "kai: Scalable TCP, growth an ACK (segments); 0: off",
                          DoubleValue(0),
                          MakeDoubleAccessor(&AtouOptions::kai),
                          MakeRealChecker())
            .AddAttribute("NewReno",
                          "newreno: NewReno rather than Reno when there is no SACK",
                          BooleanValue(true),
                          MakeBooleanAccessor(&AtouOptions::newReno),
                          MakeBooleanChecker())
            .AddAttribute("Sack",
                          "sack: SACK scoreboard; the server has to send blocks",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouOptions::sack),
                          MakeBooleanChecker())
            .AddAttribute("Fack",
                          "fack: forward acknowledgement; brings Sack along",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouOptions::fack),
                          MakeBooleanChecker())
            .AddAttribute(
                "RampDown",
                "rampdown: smooth halving of the window in recovery; only with Sack or Fack",
                BooleanValue(false),
                MakeBooleanAccessor(&AtouOptions::rampDown),
                MakeBooleanChecker())
            .AddAttribute("DelAck",
                          "delack: only reported in the summary, delayed ACKs are the server's",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouOptions::delAck),
                          MakeBooleanChecker())
            .AddAttribute("DupThresh",
                          "dup_thresh: duplicate ACKs that trigger a retransmission",
                          UintegerValue(3),
                          MakeUintegerAccessor(&AtouOptions::dupThresh),
                          MakeWindowChecker(1))
            .AddAttribute("BurstLimit",
                          "burst_limit: most segments sent at one opportunity; 0: no limit",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AtouOptions::burstLimit),
                          MakeWindowChecker(0))
            .AddAttribute("Timeout",
                          "timeout: retransmission timer",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&AtouOptions::timeout),
                          MakeTimerChecker())
            .AddAttribute("Tick",
                          "tick: longest wait for an ACK before timers are looked at",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&AtouOptions::tick),
                          MakeTimerChecker())
            .AddAttribute("MaxIdle",
                          "maxidle: gives up after this many successive timeouts",
                          UintegerValue(10),
                          MakeUintegerAccessor(&AtouOptions::maxIdle),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MaxPkts",
                          "maxpkts: segments below this number are sent; 0: no limit",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AtouOptions::maxPkts),
                          MakeUintegerChecker<uint32_t>(0, MAX_SEGMENT))
            .AddAttribute("MaxTime",
                          "maxtime: sends for this long; 0: no limit",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&AtouOptions::maxTime),
                          MakeTimeChecker(Seconds(0), Seconds(MAX_RUN)))
            .AddAttribute("Vegas",
                          "vegas: off, or which round-trip time of an epoch gives the actual rate",
                          EnumValue(VegasRtt::OFF),
                          MakeEnumAccessor<VegasRtt>(&AtouOptions::vegas),
                          MakeEnumChecker(VegasRtt::OFF,
                                          "off",
                                          VegasRtt::LAST,
                                          "last",
                                          VegasRtt::MIN,
                                          "min",
                                          VegasRtt::AVERAGE,
                                          "average",
                                          VegasRtt::MAX,
                                          "max"))
            .AddAttribute("VAlpha",
                          "valpha: Vegas grows the window up to this delta (segments)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&AtouOptions::vAlpha),
                          MakeRealChecker())
            .AddAttribute("VBeta",
                          "vbeta: Vegas shrinks the window above this delta (segments)",
                          DoubleValue(3),
                          MakeDoubleAccessor(&AtouOptions::vBeta),
                          MakeRealChecker())
            .AddAttribute("VGamma",
                          "vgamma: Vegas ends the first slow start above this delta (segments)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&AtouOptions::vGamma),
                          MakeRealChecker())
            .AddAttribute("Vss",
                          "vss: what exceeding VGamma does: takes an eighth off the window, goes "
                          "on with limited slow start, or takes delta off",
                          EnumValue(VegasExit::EIGHTH),
                          MakeEnumAccessor<VegasExit>(&AtouOptions::vss),
                          MakeEnumChecker(VegasExit::EIGHTH,
                                          "eighth",
                                          VegasExit::LIMITED,
                                          "limited",
                                          VegasExit::DELTA,
                                          "delta"))
            .AddAttribute("Port",
                          "port: UDP port of the server",
                          UintegerValue(7890),
                          MakeUintegerAccessor(&AtouOptions::port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("SndBuf",
                          "sndbuf: only reported in the summary (bytes)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&AtouOptions::sndBuf),
                          MakeUintegerChecker<uint32_t>(1, MAX_BUFFER))
            .AddAttribute("RcvBuf",
                          "rcvbuf: receive buffer of the client's socket (bytes)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&AtouOptions::rcvBuf),
                          MakeUintegerChecker<uint32_t>(40, MAX_BUFFER))
            .AddAttribute("DropList",
                          "droplist: up to 10 segment numbers between blanks that are not put on "
                          "the wire, each entry once",
                          StringValue(""),
                          MakeStringAccessor(&AtouOptions::SetDropList, &AtouOptions::GetDropList),
                          MakeStringChecker())
            .AddAttribute("Debug",
                          "debug: 2 losses, 3 Vegas exit, 4 packets, 5 bandwidth, 6 bad ACKs",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AtouOptions::debug),
                          MakeUintegerChecker<uint32_t>(0, 10))
            .AddAttribute("ExactTimers",
                          "Timers expire when due, not at the next Tick (no keyword)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouOptions::exactTimers),
                          MakeBooleanChecker())
            .AddAttribute("StickyDupacks",
                          "A quirk of the original: an ACK that advances when exactly DupThresh "
                          "duplicates have come deflates nothing, and NewReno keeps the count (no "
                          "keyword)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&AtouOptions::stickyDupacks),
                          MakeBooleanChecker())
            .AddAttribute("CarefulSack",
                          "SACK and FACK keep better account than the original: they note blocks "
                          "before a recovery, take what is under way at a timeout for lost, and "
                          "fill gaps after the last new segment (no keyword)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AtouOptions::carefulSack),
                          MakeBooleanChecker());
    return tid;
}

std::optional<std::string>
AtouOptions::SetByKeyword(std::string_view keyword, const std::string& value)
{
    NS_LOG_FUNCTION(this << std::string(keyword) << value);
    const std::string word(keyword);
    const auto entry = std::find_if(KEYWORDS.begin(), KEYWORDS.end(), [keyword](const auto& line) {
        return keyword == line.word;
    });
    if (entry == KEYWORDS.end())
    {
        const auto nearest = FindNearest(word, GetKeywords());
        auto answer = Printable(word, 40) + ": there is no such keyword, ";
        if (nearest)
        {
            return answer + "did you mean " + *nearest + "?";
        }
        for (const auto& line : KEYWORDS)
        {
            answer += (&line == KEYWORDS.data() ? "give one of " : ", ") + std::string(line.word);
        }
        return answer;
    }
    const auto wrong = [&word](const std::string& what, const std::string& remedy) {
        return word + ": " + what + ", " + remedy;
    };
    const auto values = Split(value);
    if (entry->attribute == std::string_view("DropList"))
    {
        const std::string remedy = "give up to " + std::to_string(MAX_DROPS) +
                                   " segment numbers from 1 to " + std::to_string(MAX_SEGMENT);
        for (const auto& text : values)
        {
            if (!ReadSegment(text))
            {
                return wrong(Printable(text, 40) + " is no segment number", remedy);
            }
        }
        if (values.empty() || values.size() > MAX_DROPS)
        {
            return wrong(values.empty() ? "no value" : "too many values", remedy);
        }
        SetDropList(value);
        return std::nullopt;
    }

    TypeId::AttributeInformation about;
    GetTypeId().LookupAttributeByName(entry->attribute, &about);
    const auto remedy = WhatItTakes(about.checker);
    if (values.size() != 1)
    {
        return wrong(values.empty() ? "no value" : "more than one value", remedy);
    }
    const auto number = ReadNumber(values[0]);
    if (!number)
    {
        return wrong(Printable(values[0], 40) + " is no number", remedy);
    }
    // By the accessor, so that options that ns-3 did not create take values, too.
    const auto made = MakeValue(about.checker, *number);
    const auto valid = made ? about.checker->CreateValidValue(*made) : nullptr;
    if (!valid || !about.accessor->Set(this, *valid))
    {
        return wrong(Printable(values[0], 40) + " does not do", remedy);
    }
    return std::nullopt;
}

std::optional<std::string>
AtouOptions::CheckChange(const AtouOptions& next) const
{
    NS_LOG_FUNCTION(this);
    for (const auto& line : KEYWORDS)
    {
        StringValue before;
        StringValue after;
        GetAttribute(line.attribute, before);
        next.GetAttribute(line.attribute, after);
        if (!line.mayChange && before.Get() != after.Get())
        {
            return std::string(line.word) +
                   ": a running transfer keeps it, set it before the start";
        }
    }
    return std::nullopt;
}

std::vector<std::string>
AtouOptions::GetKeywords()
{
    std::vector<std::string> words;
    words.reserve(KEYWORDS.size());
    for (const auto& line : KEYWORDS)
    {
        words.emplace_back(line.word);
    }
    return words;
}

void
AtouOptions::Settle()
{
    NS_LOG_FUNCTION(this);
    sack = sack || fack;
    rampDown = rampDown && sack;
}

uint32_t
AtouOptions::GetFirstSsthresh() const
{
    if (threshInit == 0)
    {
        return INFINITE;
    }
    return static_cast<uint32_t>(std::min<double>(threshInit * rcvrWin, INFINITE));
}

bool
AtouOptions::SetDropList(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    std::vector<uint32_t> segments;
    for (const auto& word : Split(text))
    {
        const auto segment = ReadSegment(word);
        if (!segment || segments.size() == MAX_DROPS)
        {
            return false;
        }
        segments.push_back(*segment);
    }
    dropList = std::move(segments);
    return true;
}

std::string
AtouOptions::GetDropList() const
{
    std::string text;
    for (const auto segment : dropList)
    {
        text += (text.empty() ? "" : " ") + std::to_string(segment);
    }
    return text;
}

} // namespace ns3::lfn
