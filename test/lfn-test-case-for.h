// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_CASE_FOR_H
#define LFN_TEST_CASE_FOR_H

#include "lfn-test-case.h"

#include <functional>
#include <string>

/**
 * @file
 * @ingroup lfn
 * Cases that a suite has several of, and calls that must throw.
 */

namespace ns3::lfn::tests
{

/**
 * @brief A case of several, each with another setting.
 * @tparam Setting what is set
 */
template <typename Setting>
class CaseFor : public Case
{
  public:
    /**
     * @brief A case.
     * @param name what holds when it passes
     * @param setting what is set
     */
    CaseFor(const std::string& name, const Setting& setting)
        : Case(name),
          m_setting(setting)
    {
    }

  protected:
    const Setting m_setting; //!< what is set
};

/**
 * @brief Tells whether a call throws.
 * @tparam Error what it may throw
 * @param call the call
 * @return true when it does
 */
template <typename Error>
bool
Throws(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const Error&)
    {
        return true;
    }
    return false;
}

} // namespace ns3::lfn::tests

#endif // LFN_TEST_CASE_FOR_H
