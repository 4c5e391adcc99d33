// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATOU_OPTIONS_H
#define ATOU_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-atou
 * @brief The options of an atou client, each an Attribute and a keyword of atou's own
 *        configuration files.
 *
 * Windows are in segments, as in the original. The defaults are those of the original program.
 */
class AtouOptions : public Object
{
  public:
    /** @brief Which round-trip time of an epoch Vegas computes the actual rate with. */
    enum class VegasRtt : uint8_t
    {
        OFF = 0,     //!< no Vegas
        LAST = 1,    //!< the last one
        MIN = 2,     //!< the smallest one
        AVERAGE = 3, //!< their mean
        MAX = 4,     //!< the largest one
    };

    /** @brief What Vegas does when gamma is exceeded in the first slow start. */
    enum class VegasExit : uint8_t
    {
        EIGHTH = 0,  //!< takes an eighth off cwnd and leaves slow start
        LIMITED = 1, //!< goes on with limited slow start
        DELTA = 2,   //!< takes delta off cwnd and leaves slow start
    };

    static constexpr std::size_t MAX_DROPS = 10;   //!< of droplist
    static constexpr int64_t MOST_TIMER_HOURS = 1; //!< of Timeout and Tick
    static constexpr uint32_t INFINITE = std::numeric_limits<uint32_t>::max() / 2; //!< ssthresh

    /** @return the object TypeId */
    static TypeId GetTypeId();

    /**
     * @brief Set an option by atou's keyword.
     * @param keyword the keyword, such as "rcvrwin"
     * @param value its value as the configuration file has it; droplist takes several numbers
     * @return "keyword: what is wrong, remedy"; nothing when all is well
     */
    std::optional<std::string> SetByKeyword(std::string_view keyword, const std::string& value);

    /**
     * @brief Check whether these options may become others while a transfer runs.
     *
     * How the window grows and falls, thresholds, limits and timers may; what the account of a
     * transfer rests on, such as mss, rcvrwin and the recovery, may not.
     *
     * @param next the others
     * @return "keyword: what is wrong, remedy" of the first that may not; nothing when all may
     */
    std::optional<std::string> CheckChange(const AtouOptions& next) const;

    /** @brief List the keywords. @return all of them, in the order of the original's table */
    static std::vector<std::string> GetKeywords();

    /**
     * @brief Make the options agree as the original program does: fack forces sack, rampdown goes
     *        with sack only.
     */
    void Settle();

    /**
     * @brief Get the first ssthresh.
     * @return threshInit times rcvrWin, INFINITE when threshInit is 0, segments
     */
    uint32_t GetFirstSsthresh() const;

    uint32_t mss{1472};               //!< UDP payload of a datagram, header included, B
    uint32_t rcvrWin{20};             //!< limit of cwnd, segments
    uint32_t initSegs{2};             //!< first cwnd and floor of cwnd and ssthresh, segments
    double ssIncr{1};                 //!< growth an ACK in slow start, segments
    double increment{1};              //!< growth per RTT in congestion avoidance, segments
    double multiplier{0.5};           //!< cwnd times this on loss
    double threshInit{1};             //!< first ssthresh as a fraction of rcvrWin; 0: infinite
    double maxSsthresh{0};            //!< limited slow start above this cwnd, segments; 0: off
    bool floyd{false};                //!< HighSpeed TCP (RFC 3649)
    double kai{0};                    //!< Scalable TCP: growth an ACK, segments; 0: off
    bool newReno{true};               //!< NewReno, not Reno, when there is no SACK
    bool sack{false};                 //!< SACK scoreboard
    bool fack{false};                 //!< FACK
    bool rampDown{false};             //!< smooth halving in recovery
    bool delAck{false};               //!< only reported in the summary: delayed ACK is the server's
    uint32_t dupThresh{3};            //!< duplicate ACKs that trigger a retransmission
    uint32_t burstLimit{0};           //!< most segments a send opportunity; 0: no limit
    Time timeout{MilliSeconds(500)};  //!< retransmission timer
    Time tick{Seconds(1)};            //!< longest wait for an ACK before timers are looked at
    uint32_t maxIdle{10};             //!< gives up when one more than these many timeouts fail
    uint32_t maxPkts{0};              //!< segments below this number are sent; 0: no limit
    Time maxTime{Seconds(10)};        //!< sends for this long; 0: no limit
    VegasRtt vegas{VegasRtt::OFF};    //!< Vegas
    double vAlpha{1};                 //!< Vegas, segments
    double vBeta{3};                  //!< Vegas, segments
    double vGamma{1};                 //!< Vegas, segments
    VegasExit vss{VegasExit::EIGHTH}; //!< when gamma is exceeded in slow start
    uint16_t port{7890};              //!< UDP port of the server
    uint32_t sndBuf{32768};           //!< only reported in the summary, B
    uint32_t rcvBuf{32768};           //!< receive buffer of the client's socket, B
    std::vector<uint32_t> dropList;   //!< segments not put on the wire, each entry once
    uint32_t debug{0};        //!< 2: losses, 3: Vegas exit, 4: packets, 5: bandwidth, 6: badack
    bool exactTimers{false};  //!< no keyword: timers expire when due, not at the next tick
    bool stickyDupacks{true}; //!< no keyword: a quirk of r1.38 when an ACK advances at dupThresh
    bool carefulSack{false};  //!< no keyword: SACK and FACK that keep better account than r1.38

  private:
    /**
     * @brief Set dropList from its text.
     * @param text numbers between blanks
     * @return false when there are more than MAX_DROPS or one is no segment number
     */
    bool SetDropList(std::string text);

    /** @brief Get dropList as text. @return numbers between blanks */
    std::string GetDropList() const;
};

} // namespace ns3::lfn

#endif // ATOU_OPTIONS_H
