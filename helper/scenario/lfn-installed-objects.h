// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_INSTALLED_OBJECTS_H
#define LFN_INSTALLED_OBJECTS_H

#include "ns3/lfn-flags.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The objects of a simulation that can be reached from its nodes and its topology: what is
 * aggregated, and what Attributes point to.
 */
class InstalledObjects
{
  public:
    /** @brief When one looks around. */
    enum class Moment
    {
        BUILT,    //!< All applications and the topology are there, their sockets are not.
        STARTING, //!< Some applications have begun.
        STARTED   //!< All applications have begun, with their sockets.
    };

    /** @brief Arguments for classes of which nothing is installed, each with what to do. */
    using Absent = std::map<std::string, std::string>;

    /** @brief An object and the way to it. */
    struct Entry
    {
        std::string path;   //!< Such as NodeList/0/ApplicationList/1.
        Ptr<Object> object; //!< The object.
    };

    /**
     * @brief Look around.
     * @param others What no node leads to, such as the topology; null objects are passed over.
     */
    explicit InstalledObjects(const std::vector<Entry>& others);

    /** @brief Get what was found, each object once. */
    const std::vector<Entry>& GetEntries() const;

    /**
     * @brief Find an Attribute of the command line that an object does not have as given, or that
     * nothing here takes.
     * @param flags The command line.
     * @param moment When this is: what should be there by then and is not is missing.
     * @param[out] absent Takes what nothing here takes, which is not returned then; null: it is.
     * @return The name of the argument and what to do, or nothing.
     */
    std::optional<std::pair<std::string, std::string>> FindIgnored(const Flags& flags,
                                                                   Moment moment,
                                                                   Absent* absent) const;

    /** @brief List when applications start, and make what they need, such as sockets. */
    static std::set<Time> ListStarts();

    /**
     * @brief List all Attributes of all objects.
     * @return CSV: path,class,attribute,value,type; class declares the Attribute.
     */
    std::string List() const;

  private:
    /**
     * @brief Find what sets an Attribute of an ns-3 object that the program sets itself.
     * @param flags The command line.
     * @param owner The class that declares the Attribute.
     * @param name The Attribute.
     * @param has The text of its value in the object.
     * @return The names of flags or Attributes of this module, which work; empty without one.
     */
    std::vector<std::string> FindInstead(const Flags& flags,
                                         TypeId owner,
                                         const std::string& name,
                                         const std::string& has) const;

    /**
     * @brief Say what to do about an Attribute of a class of which nothing is installed.
     * @param owner The class.
     * @param name The Attribute.
     * @return A remedy; nothing where an object of the class comes later, with this Attribute.
     */
    std::optional<std::string> ExplainMissing(TypeId owner, const std::string& name) const;

    /** @brief Add an object and what can be reached from it; null does nothing. */
    void Visit(const std::string& path, Ptr<Object> object);

    /** @brief Get the Attributes of a class that lead to other objects. */
    const std::vector<TypeId::AttributeInformation>& GetReferences(TypeId tid);

    std::vector<Entry> m_entries;             //!< In the order of the visit.
    std::unordered_set<const Object*> m_seen; //!< Those in m_entries.
    /** By class: to list them takes longer than to visit an object. */
    std::map<TypeId, std::vector<TypeId::AttributeInformation>> m_references;
};

} // namespace ns3::lfn

#endif // LFN_INSTALLED_OBJECTS_H
