// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_CLASS_FAMILY_H
#define LFN_CLASS_FAMILY_H

#include "ns3/lfn-wording.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The classes derived from one, and the texts that name them with their Attributes.
 *
 * The registry is ns3::TypeId. Classes of this module have short names: "parallel-tcp" is
 * ns3::lfn::ParallelTcpTransport, where ns3::lfn::Transport is the parent.
 */
class ClassFamily
{
  public:
    /**
     * @brief Constructor.
     * @param parent The parent, a class of this module, such as ns3::lfn::Transport.
     */
    explicit ClassFamily(TypeId parent);

    /** @brief Get the short name of a class, or that of its TypeId when it has no short one. */
    std::string GetName(TypeId type) const;

    /** @brief List the classes that can be made, sorted by GetName(). */
    std::vector<TypeId> List() const;

    /** @brief Get the names of List(). */
    std::vector<std::string> GetNames() const;

    /**
     * @brief Make objects from a comma list; commas and bars within brackets are the values'.
     * @tparam T The parent; it has a method Check(), which returns a remedy or nothing.
     * @param text Such as "tcp[Congestion=ns3::TcpBbr],rbudp,ns3::lfn::MyTransport".
     * @param objects Gets the objects, in the order of the list.
     * @return A remedy, or nothing when the text is good.
     */
    template <typename T>
    std::optional<std::string> Read(const std::string& text, std::vector<Ptr<T>>& objects) const
    {
        std::vector<Ptr<T>> made;
        for (const auto& item : Split(text))
        {
            ObjectFactory factory;
            auto remedy = ReadItem(item, factory);
            if (!remedy)
            {
                made.push_back(factory.Create<T>());
                remedy = made.back()->Check();
                remedy = remedy ? PrintName(item) + ": " + *remedy : remedy;
            }
            if (remedy)
            {
                return remedy;
            }
        }
        objects = std::move(made);
        return std::nullopt;
    }

  private:
    /** @brief Cut a list at its commas, except for those within brackets. */
    static std::vector<std::string> Split(const std::string& text);

    /** @brief Get the printable name of an item, without its Attributes. */
    static std::string PrintName(const std::string& item);

    /** @brief Check whether a class is derived from the parent and can be made. */
    bool IsMember(TypeId type) const;

    /** @brief Make the name of a TypeId of a short name. */
    std::string Lengthen(const std::string& name) const;

    /** @brief Read one item; as Read(). */
    std::optional<std::string> ReadItem(const std::string& item, ObjectFactory& factory) const;

    TypeId m_parent;      //!< The parent.
    std::string m_suffix; //!< Of the TypeIds of this module: the parent's name.
    std::string m_word;   //!< The parent's name in messages.
};

} // namespace ns3::lfn

#endif // LFN_CLASS_FAMILY_H
