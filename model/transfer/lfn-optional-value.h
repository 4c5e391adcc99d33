// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_OPTIONAL_VALUE_H
#define LFN_OPTIONAL_VALUE_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <optional>
#include <string>
#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Checker of an Attribute that may be unset. Takes an OptionalValue, and the plain value
 *        where it is set.
 */
class OptionalChecker : public AttributeChecker
{
  public:
    /** @brief The text of an Attribute that is not set. */
    static constexpr const char* UNSET = "unset";

    /**
     * @brief A checker.
     * @param inner checks the value where the Attribute is set
     */
    explicit OptionalChecker(Ptr<const AttributeChecker> inner)
        : m_inner(std::move(inner))
    {
    }

    /** @brief Get the checker of a value that is set. @return it */
    Ptr<const AttributeChecker> GetInner() const
    {
        return m_inner;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::lfn::OptionalValue<" + m_inner->GetValueTypeName() + ">";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return std::string(UNSET) + " or " + m_inner->GetUnderlyingTypeInformation();
    }

  private:
    Ptr<const AttributeChecker> m_inner; //!< of a value that is set
};

/**
 * @ingroup lfn
 * @brief Value of an Attribute that may be unset: its text is then "unset", otherwise that of the
 *        value.
 *
 * @tparam V the plain value, such as BooleanValue
 */
template <typename V>
class OptionalValue : public AttributeValue
{
  public:
    /** @brief Nothing is set. */
    OptionalValue() = default;

    /**
     * @brief A value that is set.
     * @param value the value
     */
    explicit OptionalValue(V value)
        : m_value(std::move(value))
    {
    }

    /** @brief Get the value. @return it; nothing when it is not set */
    const std::optional<V>& Get() const
    {
        return m_value;
    }

    Ptr<AttributeValue> Copy() const override
    {
        return Create<OptionalValue<V>>(*this);
    }

    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override
    {
        return m_value ? m_value->SerializeToString(Inner(checker)) : OptionalChecker::UNSET;
    }

    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override
    {
        if (text == OptionalChecker::UNSET)
        {
            m_value.reset();
            return true;
        }
        V value;
        if (!value.DeserializeFromString(std::move(text), Inner(checker)))
        {
            return false;
        }
        m_value = std::move(value);
        return true;
    }

  private:
    /** @brief Get the checker of the value. */
    static Ptr<const AttributeChecker> Inner(const Ptr<const AttributeChecker>& checker)
    {
        const auto* optional = dynamic_cast<const OptionalChecker*>(PeekPointer(checker));
        return optional ? optional->GetInner() : checker;
    }

    std::optional<V> m_value; //!< the value
};

/**
 * @ingroup lfn
 * @brief OptionalChecker of one type of value.
 *
 * @tparam V the plain value, such as BooleanValue
 */
template <typename V>
class OptionalCheckerOf : public OptionalChecker
{
  public:
    using OptionalChecker::OptionalChecker;

    bool Check(const AttributeValue& value) const override
    {
        const auto* optional = dynamic_cast<const OptionalValue<V>*>(&value);
        if (!optional)
        {
            return GetInner()->Check(value);
        }
        return !optional->Get() || GetInner()->Check(*optional->Get());
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<OptionalValue<V>>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        auto* to = dynamic_cast<OptionalValue<V>*>(&destination);
        if (!to)
        {
            return false;
        }
        if (const auto* plain = dynamic_cast<const V*>(&source))
        {
            *to = OptionalValue<V>(*plain);
            return true;
        }
        const auto* from = dynamic_cast<const OptionalValue<V>*>(&source);
        if (from)
        {
            *to = *from;
        }
        return from != nullptr;
    }
};

/**
 * @brief Make the checker of an Attribute that may be unset.
 * @tparam V the plain value, such as BooleanValue
 * @param inner checks the value where the Attribute is set
 * @return the checker
 */
template <typename V>
Ptr<const AttributeChecker>
MakeOptionalChecker(Ptr<const AttributeChecker> inner)
{
    return Create<OptionalCheckerOf<V>>(std::move(inner));
}

} // namespace ns3::lfn

#endif // LFN_OPTIONAL_VALUE_H
