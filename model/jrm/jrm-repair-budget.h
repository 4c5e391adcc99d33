// SPDX-License-Identifier: GPL-2.0-only
#ifndef JRM_REPAIR_BUDGET_H
#define JRM_REPAIR_BUDGET_H

#include "jrm-source.h"

#include <cstdint>
#include <limits>
#include <map>

namespace ns3::lfn
{

/**
 * @ingroup lfn-jrm
 * @brief What hosts that ask may make a sender retransmit (deviation JRM-D18).
 *
 * It is in proportion to what was sent first, for each host and for all together, and a few packets
 * more for chance. A host is an address, with all its ports; those of a few thousand are
 * distinguished.
 */
class JrmRepairBudget
{
  public:
    /** @brief What may be retransmitted. */
    struct Limits
    {
        double one{0}; //!< bytes retransmitted for one host over those sent; 0: no limit
        double all{0}; //!< the same for all of them
    };

    /** @brief Nothing was sent, and there are no limits. */
    JrmRepairBudget() = default;

    /**
     * @brief Nothing was sent.
     * @param limits what may be retransmitted
     * @param datagram size of the largest datagram, B: 16 of them may be retransmitted beyond that
     */
    JrmRepairBudget(const Limits& limits, uint32_t datagram);

    /**
     * @brief A message was sent, and is kept.
     * @param bytes size of its datagrams, B
     */
    void AddMessage(uint64_t bytes);

    /**
     * @brief A message is kept no longer.
     * @param bytes size of its datagrams, B
     */
    void RemoveMessage(uint64_t bytes);

    /**
     * @brief Take what a packet retransmitted costs from what its asker and all askers may have.
     * @param source who asks
     * @param bytes size of the datagram, B
     * @return false, and nothing is taken, when one of them does not have it
     */
    bool Spend(const JrmSource& source, uint32_t bytes);

    /**
     * @brief Get how sparing one has to be.
     * @return half of what all together may have saved up over what they have left; 1 and less is
     *         no reason to be sparing
     */
    double GetScarcity();

  private:
    /** @brief What may still be retransmitted; it grows with what is sent. */
    struct Allowance
    {
        double level{std::numeric_limits<double>::infinity()}; //!< B
        uint64_t mark{0};                                      //!< bytes sent at that time
    };

    /**
     * @brief Get what may have been saved up.
     * @param limit bytes retransmitted over those sent
     * @return the most that an allowance may have, B
     */
    double GetMost(double limit) const;

    /**
     * @brief Bring an allowance up to date.
     * @param allowance the allowance
     * @param limit bytes retransmitted over those sent; 0 for no limit
     */
    void Refill(Allowance& allowance, double limit) const;

    Limits m_limits;                       //!< what may be retransmitted
    double m_burst{0};                     //!< beyond that, B
    uint64_t m_sentBytes{0};               //!< datagrams of all messages, B
    uint64_t m_keptBytes{0};               //!< of those kept, B
    std::map<JrmHost, Allowance> m_askers; //!< by address
    Allowance m_all;                       //!< of all askers
};

} // namespace ns3::lfn

#endif // JRM_REPAIR_BUDGET_H
