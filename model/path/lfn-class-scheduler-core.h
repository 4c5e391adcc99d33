// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_CLASS_SCHEDULER_CORE_H
#define LFN_CLASS_SCHEDULER_CORE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Chooses the class that sends next, so that classes share a link by weights, packet by
 * packet.
 *
 * Each class has a lead: the bytes that it has sent per unit of its weight, relative to the last
 * class. Of the classes that are ready, the one with the smallest lead sends. Two classes that stay
 * ready differ by at most one packet of each, divided by their weights.
 *
 * A class that is not ready saves nothing: its lead is raised to the smallest one of those that
 * are. So leads stay small however long a run is, and nothing is lost to rounding.
 */
class ClassSchedulerCore
{
  public:
    /** A set of classes: bit i is class i. */
    using ClassSet = uint64_t;

    static constexpr std::size_t MOST_CLASSES = 64; //!< classes that a set can hold

    /**
     * @brief Constructor.
     * @param classes the number of classes, 1 to MOST_CLASSES; the weight of each is 1
     */
    explicit ClassSchedulerCore(std::size_t classes);

    /**
     * @brief Set the weight of a class; it applies to the next packet.
     * @param index the class
     * @param weight its share of the link is its weight over the sum of all; above 0
     */
    void SetWeight(std::size_t index, double weight);

    /**
     * @brief Choose the class that sends next.
     * @param ready the classes that have a packet and may send it
     * @return the class with the smallest lead, the first one of equals; nothing if none is ready
     */
    std::optional<std::size_t> Choose(ClassSet ready) const;

    /**
     * @brief A class has sent a packet.
     * @param index the class
     * @param bytes size of the packet, [B]
     * @param ready the classes that are ready now; this one counts as ready whether it is or not
     */
    void OnSent(std::size_t index, uint32_t bytes, ClassSet ready);

    /**
     * @brief Get the lead of a class.
     * @param index the class
     * @return bytes per weight more than the last class; 0 for that, [B]
     */
    double GetLead(std::size_t index) const;

  private:
    /** @brief What is kept per class. */
    struct Share
    {
        double weight{1}; //!< relative to the others
        double lead{0};   //!< bytes per weight more than the last class, [B]
    };

    /** @brief Subtract the last class's lead from all. */
    void Rebase();

    std::vector<Share> m_shares; //!< one per class
};

} // namespace ns3::lfn

#endif // LFN_CLASS_SCHEDULER_CORE_H
