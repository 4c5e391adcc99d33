// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_GILBERT_ELLIOTT_ERROR_MODEL_H
#define LFN_GILBERT_ELLIOTT_ERROR_MODEL_H

#include "ns3/error-model.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Loses packets in bursts: a two-state chain with a loss probability in each state.
 *
 * Each packet is lost with the probability of the present state; then the state may change. With p
 * the probability to turn bad and r the one to turn good, the chain is bad a share p / (p + r) of
 * the time, and a stay in the bad state lasts 1 / r packets on average. The first packet finds the
 * chain in its stationary distribution, so the mean loss holds for short transfers too. While the
 * model is switched off (IsEnabled) the chain stands still.
 */
class GilbertElliottErrorModel : public ErrorModel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    GilbertElliottErrorModel();

    /**
     * @brief Fixes the random numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Sets GoodToBad and BadToGood by what arrives of them, with the losses in either state
     * as they are.
     * @param loss long-run share of lost packets, from 0 to 1
     * @param burst mean stay in the bad state, [packets], at least 1; with the losses of the
     * defaults the mean length of a burst of losses
     * @return false, with nothing set, when no chain has these
     */
    bool SetMean(double loss, double burst);

    /**
     * @brief Gives the long-run share of lost packets.
     * @return a probability, from the present attributes; a chain that never moves stays good
     */
    double GetMeanLoss() const;

    /**
     * @brief Counts the packets that were lost.
     * @return their number since the start or the last Reset()
     */
    uint64_t GetDropped() const;

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    /** @brief Draws an event. @return whether it happens; certain outcomes take no random number */
    bool Draw(double probability);

    /** @brief Gives the long-run share of packets that find the chain bad. @return a probability */
    double GetBadShare() const;

    double m_goodToBad{0.0};              //!< attribute GoodToBad
    double m_badToGood{1.0};              //!< attribute BadToGood
    double m_lossInGood{0.0};             //!< attribute LossInGood
    double m_lossInBad{1.0};              //!< attribute LossInBad
    bool m_drawn{false};                  //!< the first state has been drawn
    bool m_bad{false};                    //!< the present state
    uint64_t m_dropped{0};                //!< packets lost so far
    Ptr<UniformRandomVariable> m_uniform; //!< source of all draws
};

} // namespace ns3::lfn

#endif /* LFN_GILBERT_ELLIOTT_ERROR_MODEL_H */
