// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_THROWS_H
#define LFN_TEST_THROWS_H

#include <functional>

/**
 * @file
 * @ingroup lfn
 * Calls that must throw.
 */

namespace ns3::lfn::tests
{

/**
 * @brief Indicates whether a call throws.
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

#endif // LFN_TEST_THROWS_H
