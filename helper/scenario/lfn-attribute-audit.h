// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ATTRIBUTE_AUDIT_H
#define LFN_ATTRIBUTE_AUDIT_H

#include "lfn-installed-objects.h"

#include "ns3/lfn-flags.h"
#include "ns3/lfn-run-recorder.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Checks that installed objects have the Attributes that the command line gives, and lists
 * all Attributes for attributes.csv.
 */
class AttributeAudit
{
  public:
    /**
     * @brief Constructor.
     * @param flags The command line; it outlives this.
     * @param recorder Takes attributes.csv; it outlives this.
     */
    AttributeAudit(Flags& flags, RunRecorder& recorder);

    /** @brief Declare `--attributes` and its file. */
    void Declare();

    /**
     * @brief Treat an object as those that nodes lead to; before Begin().
     * @param path What attributes.csv shows.
     * @param object The object.
     */
    void AddObject(const std::string& path, Ptr<Object> object);

    /**
     * @brief Collect Attributes of classes of which nothing is installed, instead of ending the
     * program: this simulation has only a part of the flows. Before Begin().
     */
    void CollectAbsent();

    /** @brief Get what was collected. */
    const InstalledObjects::Absent& GetAbsent() const;

    /**
     * @brief Check now, and again when applications have started: sockets and such are made then.
     * An Attribute without effect ends the program with one line.
     */
    void Begin();

    /** @brief Forget the objects. */
    void Clear();

  private:
    /**
     * @brief Look at what is installed.
     * @param moment When this is.
     */
    void Look(InstalledObjects::Moment moment);

    Flags& m_flags;                                 //!< The command line.
    RunRecorder& m_recorder;                        //!< Takes attributes.csv.
    bool m_isWanted{false};                         //!< Write attributes.csv.
    bool m_isPart{false};                           //!< Only a part of the flows is here.
    InstalledObjects::Absent m_absent;              //!< What no object here takes.
    std::vector<InstalledObjects::Entry> m_objects; //!< What no node leads to.
    std::size_t m_listed{0};                        //!< Objects in attributes.csv.
};

} // namespace ns3::lfn

#endif // LFN_ATTRIBUTE_AUDIT_H
