// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_CASE_H
#define LFN_TEST_CASE_H

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/ptr.h"
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
 * @brief A case that its suite names and reports what to run with.
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

/** @brief The base class of a case whose RunWith() is a function of a type. */
template <typename F>
struct CaseBase;

/** @brief The same, with the parameters of the function. */
template <typename... P>
struct CaseBase<void(P...)>
{
    using Type = CaseOf<P...>; //!< the base class
};

/**
 * @brief Connect a trace source to a lambda.
 * @param object the object with the source
 * @param source its name
 * @param sink called with what the source reports
 */
template <typename T, typename F>
void
ConnectTrace(const Ptr<T>& object, const std::string& source, const F& sink)
{
    const auto connect = [&]<typename... A>(const std::function<void(A...)>& function) {
        return object->TraceConnectWithoutContext(source, Callback<void, A...>(function));
    };
    NS_ABORT_MSG_UNLESS(connect(std::function(sink)), "no trace source " << source);
}

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

/** @brief Begins a case that is one function of these parameters; its body follows. */
#define LFN_CASE_OF(NAME, ...)                                                                     \
    class NAME : public ns3::lfn::tests::CaseBase<void(__VA_ARGS__)>::Type                         \
    {                                                                                              \
        using CaseOf::CaseOf;                                                                      \
        void RunWith(__VA_ARGS__) override;                                                        \
    };                                                                                             \
    void NAME::RunWith(__VA_ARGS__)
// NOLINTEND(bugprone-macro-parentheses)

#endif // LFN_TEST_CASE_H
