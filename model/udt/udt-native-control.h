// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_NATIVE_CONTROL_H
#define UDT_NATIVE_CONTROL_H

#include "udt-congestion.h"

#include <functional>
#include <optional>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief UDT's own congestion control: rate by additive increase that follows the link's free
 *        capacity, and multiplicative decrease (UDT-41 to UDT-52).
 */
class UdtNativeControl : public UdtCongestion
{
  public:
    /** @brief When slow start ends, besides at a loss. */
    enum class SlowStartEnd : uint8_t
    {
        WINDOW,        //!< the window exceeds the peer's (UDT4)
        FIRST_ACK,     //!< the first acknowledgement (draft, section 7.2)
        FIRST_CAPACITY //!< the first one with a capacity; P = W / T in wrong units (UDT3)
    };

    /** @brief Where the share of NAKs that decrease the rate comes from (UDT-46). */
    enum class DecRandomSource : uint8_t
    {
        HASH,  //!< a hash of the largest sequence number sent (UDT4)
        STREAM //!< a random number
    };

    /** @brief What can be set. */
    struct Settings
    {
        Time syn{MilliSeconds(10)};                      //!< SYN
        Time periodGranularity{MicroSeconds(1)};         //!< a decrease rounds P up to it; 0: no
        double minimumIncrease{0.01};                    //!< packets per SYN; 0: 1/MSS
        bool freeze{false};                              //!< pause SYN at a new period
        bool decreaseOnFirst{true};                      //!< decrease, remember P at a new period
        bool capCapacity{true};                          //!< L/9 after a decrease
        SlowStartEnd slowStartEnd{SlowStartEnd::WINDOW}; //!< see there
        DecRandomSource decRandomSource{DecRandomSource::HASH}; //!< see there
        uint32_t nakOffset{0};   //!< added to AvgNAK and DecRandom; 1 in UDT3
        double windowRtts{1};    //!< RTTs of data that W holds; 2 leave room for a gap
        bool hasWindow{true};    //!< W = R T + 16; false: the receiver's window alone (UDT3)
        double leastGapShare{0}; //!< P is at least this share of the least gap; .9 in UDT3
        double decrease{1.125};  //!< a decrease multiplies P by it; 1.03 in SRT
        double nakWeight{0.125}; //!< of a period's NAKs in AvgNAK; .03 in SRT
        double lossRateCap{0};   //!< L is at most this many times the rate at the last loss; 0: no
                                 //!< limit; 2 in SRT
        double lossTolerance{0}; //!< a smaller share of losses in flight is no congestion; .02 in
                                 //!< SRT
        bool slowStartLoss{false}; //!< the NAK that ends slow start may decrease the rate (SRT)
    };

    /** @brief Makes a random number, 0 to 1. */
    using Random = std::function<double()>;

    /**
     * @brief A control.
     * @param settings what was set
     * @param random random numbers of DecRandomSource::STREAM
     */
    explicit UdtNativeControl(const Settings& settings, Random random = nullptr);

    void OnStart(Time now) override;
    void OnAck(Time now, int64_t next, const UdtPathState& path) override;
    Time OnLoss(int64_t first, const UdtPathState& path) override;
    void OnTimeout(const UdtPathState& path) override;
    double GetPeriod() const override;
    double GetWindow() const override;

    /**
     * @brief Compute the increase of the rate.
     * @param free capacity that is free, packets/s
     * @param mss packet with its headers, B
     * @param minimum least increase
     * @return packets per SYN
     */
    static double GetIncrease(int64_t free, uint32_t mss, double minimum);

    /**
     * @brief Compute the free capacity that the increase follows.
     * @param capacity L, packets/s
     * @param periodUs P, us
     * @param isCapped a ninth of L at most
     * @return B, packets/s
     */
    static int64_t GetFreeCapacity(int64_t capacity, double periodUs, bool isCapped);

    /**
     * @brief Update the average number of NAKs per period at the end of one.
     * @param average AvgNAK so far
     * @param naks in the period
     * @param weight of these
     * @return AvgNAK, without offset
     */
    static uint32_t UpdateAverageNaks(uint32_t average, uint32_t naks, double weight = 0.125);

    /** @brief Get the average number of NAKs per period. @return AvgNAK */
    uint32_t GetAverageNaks() const;

  private:
    /**
     * @brief Follow the window in slow start.
     * @param next packet that the receiver expects next
     * @param path the connection
     */
    void SlowStart(int64_t next, const UdtPathState& path);

    /**
     * @brief Set the period from the arrival rate; as UDT3, from the window.
     * @param path the connection
     */
    void EndSlowStart(const UdtPathState& path);

    /**
     * @brief Increase the rate.
     * @param path the connection
     */
    void Increase(const UdtPathState& path);

    /** @brief Decrease the rate. */
    void Decrease();

    /**
     * @brief Check whether the losses are too few for congestion.
     * @param path the connection
     * @return whether their share of the packets in flight, RTT / P, is below the tolerance
     */
    bool IsTolerable(const UdtPathState& path) const;

    /**
     * @brief Begin a period of congestion.
     * @param path the connection
     */
    void BeginPeriod(const UdtPathState& path);

    Settings m_settings;         //!< what was set
    Random m_random;             //!< random numbers
    double m_period{1};          //!< P, us
    double m_window{16};         //!< W, packets
    bool m_isSlowStart{true};    //!< slow start is on
    bool m_hasLoss{false};       //!< a NAK came since the last increase
    std::optional<Time> m_acted; //!< when OnAck() acted last
    int64_t m_lastAck{-1};       //!< what it acted on
    int64_t m_lastDecrease{-1};  //!< LD: largest packet sent at the last decrease
    double m_periodBefore{1};    //!< PD: P before the last new period, us
    uint32_t m_averageNaks{0};   //!< AvgNAK
    uint32_t m_naks{0};          //!< NAKs in this period
    uint32_t m_decreases{0};     //!< DecCount
    uint32_t m_decreaseEvery{1}; //!< DecRandom
};

} // namespace ns3::lfn

#endif // UDT_NATIVE_CONTROL_H
