// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_OBJECT_FLAGS_H
#define LFN_OBJECT_FLAGS_H

#include "ns3/lfn-flags.h"
#include "ns3/lfn-object-log.h"
#include "ns3/lfn-run-recorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Flags and columns of objects in time: `--objects`, `--objectSize`, `--objectRate` and
 * `--deadline`.
 */
class ObjectFlags
{
  public:
    /** @brief Declare the flags, and describe the columns for `--PrintHelp`. */
    void Declare(Flags& flags);

    /**
     * @brief Check the flags together, after they are read; what is wrong ends the program.
     * @param flags the flags
     * @param bytes user bytes of a flow, [B]; 0: until the end of the run
     */
    void Check(const Flags& flags, uint64_t bytes);

    /** @brief Check whether flows send objects. */
    bool AreWanted() const;

    /** @brief Get the objects of a flow, the first one available at a time. */
    ObjectLog::Settings GetObjects(Time begin) const;

    /** @brief Get the names of the columns. */
    static std::vector<std::string> GetColumns();

    /** @brief Get the values of the columns for a flow, at a time. */
    static RunRecorder::Fields GetFields(const ObjectLog& log, Time now);

  private:
    std::string m_class{"none"}; //!< value of --objects
    uint64_t m_size{0};          //!< value of --objectSize, [B]
    double m_rate{30};           //!< value of --objectRate, objects/s
    Time m_deadline;             //!< value of --deadline
    uint64_t m_objects{0};       //!< of a flow; 0: until the end of the run
};

} // namespace ns3::lfn

#endif // LFN_OBJECT_FLAGS_H
