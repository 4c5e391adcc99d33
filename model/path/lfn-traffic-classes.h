// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TRAFFIC_CLASSES_H
#define LFN_TRAFFIC_CLASSES_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/queue-size.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::lfn
{

/** @brief A class of traffic at a queue disc. */
struct TrafficClass
{
    std::vector<uint8_t> tos;        //!< TOS bytes with ECN's bits 0; empty: all other packets
    double weight{1};                //!< share of the link is this over the sum of all weights
    std::optional<QueueSize> buffer; //!< of its own; unless given a share of the queue disc's
    std::optional<DataRate> cap;     //!< most that it sends, headers counted; unless given no limit
};

/**
 * @ingroup lfn
 * @brief The classes of a queue disc, as text `name:weight[:buffer][:cap],...`.
 *
 * A name is `rest`, which exactly one class has, or DSCPs and TOS bytes (tos::Read()) with `+`
 * between: `EF+0x28:0.6:500p:60Mbps,rest:0.4`. The DSCP of a packet decides, not its bits of ECN.
 */
class TrafficClasses
{
  public:
    static constexpr double LEAST_WEIGHT = 1e-6; //!< of a class
    static constexpr double MOST_WEIGHT = 1e6;   //!< of a class

    /** @brief One class for all packets. */
    TrafficClasses();

    /**
     * @brief Read classes.
     * @param text the text
     * @param classes set when the text is good
     * @return what to write instead, in one line; nothing when the text is good
     */
    static std::optional<std::string> Read(std::string_view text, TrafficClasses& classes);

    /** @brief Print the classes. @return a text that Read() takes, with the same classes */
    std::string Print() const;

    /** @brief Get the classes. @return at least one, in the order of the text */
    const std::vector<TrafficClass>& Get() const;

    /**
     * @brief Get the name of a class.
     * @param index its number
     * @return DSCPs and TOS bytes with `+` between, or `rest`
     */
    std::string GetName(std::size_t index) const;

    /**
     * @brief Get the class of a packet.
     * @param tos its TOS byte or traffic class
     * @return the number of the class
     */
    std::size_t Find(uint8_t tos) const;

    /** @brief Get the class of packets without a TOS byte. @return the number of `rest` */
    std::size_t GetRest() const;

  private:
    static constexpr std::size_t DSCPS = 64; //!< values of a DSCP

    /**
     * @brief Read a class and add it.
     * @param item its text
     * @param[out] isRest whether it is for all other packets
     * @return a remedy, or nothing
     */
    std::optional<std::string> Add(std::string_view item, bool& isRest);

    std::vector<TrafficClass> m_classes;   //!< in the order of the text
    std::array<uint8_t, DSCPS> m_byDscp{}; //!< number of the class of each DSCP
    std::size_t m_rest{0};                 //!< number of the class of all others
};

/**
 * @ingroup lfn
 * @brief Value of an Attribute of TrafficClasses.
 */
class TrafficClassesValue : public AttributeValue
{
  public:
    TrafficClassesValue() = default;

    /**
     * @brief Constructor.
     * @param value the classes
     */
    TrafficClassesValue(const TrafficClasses& value);

    /** @brief Set the value. @param value the classes */
    void Set(const TrafficClasses& value);

    /** @brief Get the value. @return the classes */
    TrafficClasses Get() const;

    /**
     * @brief Give the value to an accessor.
     * @tparam T type of the destination
     * @param value the destination
     * @return true
     */
    template <typename T>
    bool GetAccessor(T& value) const
    {
        value = T(m_value);
        return true;
    }

    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

  private:
    TrafficClasses m_value; //!< the classes
};

/** @brief Define MakeTrafficClassesAccessor(), as for the Attributes of ns-3. */
ATTRIBUTE_ACCESSOR_DEFINE(TrafficClasses);

/**
 * @ingroup lfn
 * @brief Make a checker of TrafficClasses.
 * @return the checker, which explains what it refuses (ExplainingChecker)
 */
Ptr<const AttributeChecker> MakeTrafficClassesChecker();

} // namespace ns3::lfn

#endif // LFN_TRAFFIC_CLASSES_H
