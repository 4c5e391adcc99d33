// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_QUEUE_LIMIT_H
#define LFN_QUEUE_LIMIT_H

#include "lfn-values.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Largest size of a queue: packets, bytes, or a multiple of a bandwidth-delay product.
 *
 * As text: "250p", "64kB", "0.5BDP".
 */
class QueueLimit
{
  public:
    /**
     * @brief Constructor of a size.
     * @param size Packets or bytes.
     */
    QueueLimit(QueueSize size = QueueSize()); // NOLINT(google-explicit-constructor): it is one

    /**
     * @brief Make a multiple of a bandwidth-delay product.
     * @param multiple The factor, above 0.
     */
    static QueueLimit OfBdp(double multiple);

    /** @brief Check whether it is a multiple of a bandwidth-delay product. */
    bool IsBdp() const;

    /** @brief Get the multiple; 0 when it is a size. */
    double GetBdp() const;

    /** @brief Get the size in packets or bytes; of a multiple it is 0. */
    QueueSize GetSize() const;

    /** @brief Check whether it holds anything: a size or a multiple above 0. */
    bool IsPositive() const;

    /**
     * @brief Get the size on a path.
     * @param rate The path's rate (bit/s).
     * @param rtt Its round-trip time of propagation.
     * @param mtu The largest IP packet (bytes); a multiple holds one of them at least.
     * @return Packets or bytes; UINT32_MAX bytes at most.
     */
    QueueSize Resolve(DataRate rate, Time rtt, uint32_t mtu) const;

    /**
     * @brief Check whether Resolve() gives what is asked for.
     * @param rate The path's rate (bit/s).
     * @param rtt Its round-trip time of propagation.
     * @return What is wrong with the remedy, or nothing.
     */
    std::optional<std::string> Check(DataRate rate, Time rtt) const;

  private:
    QueueSize m_size; //!< The size, unless it is a multiple.
    double m_bdp{0};  //!< The multiple; 0: a size.
};

namespace values
{

/** @brief Read a limit: as ReadQueueSize(), or a number with BDP. */
Result<QueueLimit> ReadQueueLimit(std::string_view text);

/** @brief Print a limit, such as "10000p" or "0.5BDP". */
std::string PrintQueueLimit(QueueLimit limit);

} // namespace values

/**
 * @ingroup lfn
 * @brief A QueueLimit as value of an Attribute.
 */
class QueueLimitValue : public AttributeValue
{
  public:
    /**
     * @brief Constructor.
     * @param limit The limit.
     */
    explicit QueueLimitValue(const QueueLimit& limit = QueueLimit());

    /**
     * @brief Get the limit that a value of an Attribute stands for.
     * @param value The value.
     * @return The limit of a QueueLimitValue or a QueueSizeValue; nothing for any other.
     */
    static std::optional<QueueLimit> From(const AttributeValue& value);

    /** @brief Get the limit. */
    QueueLimit Get() const;

    /** @brief Set the limit. */
    void Set(const QueueLimit& limit);

    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

  private:
    QueueLimit m_limit; //!< The limit.
};

/**
 * @ingroup lfn
 * @brief Make a checker of an Attribute that takes a QueueLimitValue, or a QueueSizeValue, above 0.
 */
Ptr<const AttributeChecker> MakePositiveQueueLimitChecker();

/**
 * @ingroup lfn
 * @brief Make an accessor of a QueueLimit, which takes a QueueSizeValue as well.
 * @tparam T The class.
 * @param member Its member.
 */
template <class T>
Ptr<const AttributeAccessor>
MakeQueueLimitAccessor(QueueLimit T::* member)
{
    // Reads and writes the member.
    class Accessor : public AttributeAccessor
    {
      public:
        explicit Accessor(QueueLimit T::* place)
            : m_place(place)
        {
        }

        bool Set(ObjectBase* object, const AttributeValue& value) const override
        {
            auto* const owner = dynamic_cast<T*>(object);
            const auto limit = QueueLimitValue::From(value);
            if (!owner || !limit)
            {
                return false;
            }
            owner->*m_place = *limit;
            return true;
        }

        bool Get(const ObjectBase* object, AttributeValue& value) const override
        {
            const auto* const owner = dynamic_cast<const T*>(object);
            auto* const limit = dynamic_cast<QueueLimitValue*>(&value);
            if (!owner || !limit)
            {
                return false;
            }
            limit->Set(owner->*m_place);
            return true;
        }

        bool HasGetter() const override
        {
            return true;
        }

        bool HasSetter() const override
        {
            return true;
        }

      private:
        QueueLimit T::* m_place;
    };

    return Create<Accessor>(member);
}

} // namespace ns3::lfn

#endif // LFN_QUEUE_LIMIT_H
