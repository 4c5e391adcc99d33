// SPDX-License-Identifier: GPL-2.0-only
#ifndef LFN_FIELD_ACCESSOR_H
#define LFN_FIELD_ACCESSOR_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/ptr.h"

#include <utility>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Access to an Attribute that is a field of a struct which the object holds, such as its
 *        core's settings.
 *
 * @tparam V the Attribute's value, such as UintegerValue
 * @tparam T class of the object
 * @tparam F takes the object, returns a reference to the field
 */
template <typename V, typename T, typename F>
class FieldAccessor : public AccessorHelper<T, V>
{
  public:
    /**
     * @brief An accessor.
     * @param field takes the object, returns a reference to the field
     */
    explicit FieldAccessor(F field)
        : m_field(std::move(field))
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

  private:
    bool DoSet(T* object, const V* value) const override
    {
        return value->GetAccessor(m_field(*object));
    }

    bool DoGet(const T* object, V* value) const override
    {
        value->Set(m_field(*object));
        return true;
    }

    F m_field; //!< from the object to its field
};

/**
 * @brief Make the accessor of an Attribute that is a field of a struct which the object holds.
 *        ns-3's own functions, such as MakeUintegerAccessor(), reach members of the object alone.
 * @tparam V the Attribute's value, such as UintegerValue
 * @param member the struct, a member of the object
 * @param path the field; where structs are nested, those on the way to it first
 * @return the accessor
 */
template <typename V, typename T, typename S, typename... Path>
Ptr<const AttributeAccessor>
MakeFieldAccessor(S T::* member, Path... path)
{
    const auto field = [member, path...](auto& object) -> auto& {
        return ((object.*member).*....*path);
    };
    return Ptr<const AttributeAccessor>(new FieldAccessor<V, T, decltype(field)>(field), false);
}

} // namespace ns3::lfn

#endif // LFN_FIELD_ACCESSOR_H
