// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_RULES_H
#define UDT_RULES_H

#include "udt-variant.h"

#include "ns3/enum.h"
#include "ns3/lfn-optional-value.h"
#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn-udt
 * @brief The variant of an end, and the rules that were set alone: these count, in any order
 *        they were set.
 */
class UdtRules
{
  public:
    /** @brief Sets one rule. */
    using Rule = std::function<void(UdtSettings&)>;

    UdtVariant variant{UdtVariant::UDT4}; //!< where all other rules come from

    /**
     * @brief Set one rule alone.
     * @param name of its Attribute
     * @param rule sets it; null for the variant's
     */
    void Set(const std::string& name, Rule rule);

    /**
     * @brief Check whether a rule was set alone.
     * @param name of its Attribute
     * @return whether it was
     */
    bool Has(const std::string& name) const;

    /**
     * @brief Set all rules.
     * @param settings what is set; what no variant names stays
     */
    void Apply(UdtSettings& settings) const;

  private:
    std::map<std::string, Rule> m_own; //!< by the name of the Attribute
};

/**
 * @ingroup lfn-udt
 * @brief Access to an Attribute that is a rule of a variant: unset, the variant's counts. A plain
 *        value asked for is the one in use.
 *
 * @tparam V the plain value, such as BooleanValue
 * @tparam T class of the end
 * @tparam Path members on the way from UdtSettings to the rule
 */
template <typename V, typename T, typename... Path>
class UdtRuleAccessor : public AttributeAccessor
{
  public:
    /** @brief Gets the settings in use. */
    using Getter = UdtSettings (T::*)() const;

    /**
     * @brief An accessor.
     * @param name of the Attribute
     * @param rules of the end
     * @param getter gets the settings in use
     * @param path members on the way from UdtSettings to the rule
     */
    UdtRuleAccessor(std::string name, UdtRules T::* rules, Getter getter, Path... path)
        : m_name(std::move(name)),
          m_rules(rules),
          m_getter(getter),
          m_field([path...](UdtSettings& settings) -> auto& { return (settings.*....*path); })
    {
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* end = dynamic_cast<T*>(object);
        const auto* optional = dynamic_cast<const OptionalValue<V>*>(&value);
        const auto* plain = dynamic_cast<const V*>(&value);
        if (!end || (!optional && !plain))
        {
            return false;
        }
        const auto own = plain ? std::optional<V>(*plain) : optional->Get();
        UdtRules::Rule rule;
        if (own)
        {
            rule = [own = *own, field = m_field](UdtSettings& settings) {
                own.GetAccessor(field(settings));
            };
        }
        (end->*m_rules).Set(m_name, rule);
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* end = dynamic_cast<const T*>(object);
        auto* optional = dynamic_cast<OptionalValue<V>*>(&value);
        auto* plain = dynamic_cast<V*>(&value);
        if (!end || (!optional && !plain))
        {
            return false;
        }
        auto settings = (end->*m_getter)();
        V inUse;
        inUse.Set(m_field(settings));
        if (plain)
        {
            *plain = inUse;
        }
        else
        {
            const bool isOwn = (end->*m_rules).Has(m_name);
            *optional = isOwn ? OptionalValue<V>(inUse) : OptionalValue<V>();
        }
        return true;
    }

  private:
    /** @brief Takes the settings, returns a reference to the rule. */
    using Field = std::function<decltype((std::declval<UdtSettings&>().*....*std::declval<Path>()))(
        UdtSettings&)>;

    std::string m_name;    //!< of the Attribute
    UdtRules T::* m_rules; //!< of the end
    Getter m_getter;       //!< gets the settings in use
    Field m_field;         //!< from the settings to the rule
};

/**
 * @ingroup lfn-udt
 * @brief Adds the Attributes of the rules to the type of an end.
 *
 * @tparam T class of the end
 */
template <typename T>
class UdtRuleAttributes
{
  public:
    /**
     * @brief Add the Attribute Variant.
     * @param tid the end's type, changed
     * @param rules of the end
     * @param getter gets the settings in use
     */
    UdtRuleAttributes(TypeId& tid, UdtRules T::* rules, UdtSettings (T::*getter)() const)
        : m_tid(tid),
          m_rules(rules),
          m_getter(getter)
    {
    }

    /**
     * @brief Add the Attribute of a rule, unset by default.
     * @tparam V the plain value, such as BooleanValue
     * @param name of the Attribute
     * @param help what the rule says; what the variants have is added
     * @param variants the rule in UDT4, UDT3, the draft and SRT
     * @param checker of the plain value
     * @param path members on the way from UdtSettings to the rule
     * @return this
     */
    template <typename V, typename... Path>
    UdtRuleAttributes& Add(const std::string& name,
                           const std::string& help,
                           const std::string& variants,
                           Ptr<const AttributeChecker> checker,
                           Path... path)
    {
        m_tid = m_tid.AddAttribute(
            name,
            help + " Unset, as Variant: " + variants + ".",
            OptionalValue<V>(),
            Create<UdtRuleAccessor<V, T, Path...>>(name, m_rules, m_getter, path...),
            MakeOptionalChecker<V>(checker));
        return *this;
    }

  private:
    TypeId& m_tid;                      //!< the end's type
    UdtRules T::* m_rules;              //!< of the end
    UdtSettings (T::*m_getter)() const; //!< gets the settings in use
};

/** @brief Make the checker of the Attribute Variant. @return it */
Ptr<const AttributeChecker> MakeUdtVariantChecker();

} // namespace ns3::lfn

#endif // UDT_RULES_H
