// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_CASE_H
#define LFN_TEST_CASE_H

#include "ns3/test.h"

#include <functional>
#include <string>
#include <tuple>

/**
 * @file
 * @ingroup lfn
 * How suites and cases are written: a suite is the table of its cases and names them.
 */

namespace ns3::lfn::tests
{

/** @brief A case that its suite names. */
class Case : public TestCase
{
  public:
    /**
     * @brief A case.
     * @param name what holds when it passes
     */
    explicit Case(const std::string& name)
        : TestCase(name)
    {
    }
};

/**
 * @brief A case that its suite names and tells what to run with.
 * @tparam P what RunWith() takes
 */
template <typename... P>
class CaseOf : public Case
{
  public:
    /**
     * @brief A case.
     * @param name what holds when it passes
     * @param with what it runs with
     */
    explicit CaseOf(const std::string& name, const P&... with)
        : Case(name),
          m_with(with...)
    {
    }

  private:
    void DoRun() override
    {
        std::apply([this](const P&... with) { RunWith(with...); }, m_with);
    }

    /// The test.
    virtual void RunWith(P... with) = 0;

    std::tuple<P...> m_with; //!< what it runs with
};

/** @brief A suite that registers itself. */
class Suite : public TestSuite
{
  public:
    /**
     * @brief A suite.
     * @param name of the suite
     * @param type whether units or whole stacks are tested
     * @param fill adds the cases
     */
    Suite(const std::string& name, Type type, const std::function<void(Suite& suite)>& fill)
        : TestSuite(name, type)
    {
        fill(*this);
    }

    /**
     * @brief Add a case.
     * @param test the case
     * @param duration how long it takes
     */
    void Add(TestCase* test, Duration duration = Duration::QUICK)
    {
        AddTestCase(test, duration);
    }
};

} // namespace ns3::lfn::tests

/** @brief Begins a case that is one function; its body follows. */
#define LFN_CASE(NAME) LFN_CASE_FROM(NAME, ns3::lfn::tests::Case)

// NOLINTBEGIN(bugprone-macro-parentheses): a name and a base class cannot stand in them
/** @brief Begins the same with another base class than Case. */
#define LFN_CASE_FROM(NAME, BASE)                                                                  \
    class NAME : public BASE                                                                       \
    {                                                                                              \
        using Base = BASE;                                                                         \
        using Base::Base;                                                                          \
        void DoRun() override;                                                                     \
    };                                                                                             \
    void NAME::DoRun()
// NOLINTEND(bugprone-macro-parentheses)

#endif // LFN_TEST_CASE_H
