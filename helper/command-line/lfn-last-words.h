// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_LAST_WORDS_H
#define LFN_LAST_WORDS_H

#include <memory>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief One line and exit status 1 for a run that ns-3 or an exception ends, while this lives.
 *
 * ns-3 says on stderr where it gave up, and calls std::terminate(). Such lines are held back, and
 * the reason in them goes into the one line, after the arguments that may be to blame. A debugger
 * stops at std::terminate() as ever; with NS_LOG in the environment nothing is changed, and the
 * program aborts in ns-3's own words.
 *
 * A NS_LOG that ns-3 would abort over ends the program here, with one line.
 *
 * A write beyond the limit of a file's size (ulimit -f) is an error to report, not a fatal signal.
 */
class LastWords
{
  public:
    /**
     * @brief Constructor.
     * @param program The program's name, with which the line begins.
     */
    explicit LastWords(std::string program);
    ~LastWords();

    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;

    /**
     * @brief Set the arguments of the command line that the line names: those whose values ns-3
     * reads, so that no check here finds all that is wrong with them.
     */
    static void Suspect(std::vector<std::string> arguments);

  private:
    class Filter;

    /** @brief Say the line, and end the program. */
    [[noreturn]] static void Speak();

    static inline std::vector<std::string> suspects; //!< Arguments that may be to blame.

    std::unique_ptr<Filter> m_filter; //!< Holds lines back; null with NS_LOG.
};

} // namespace ns3::lfn

#endif // LFN_LAST_WORDS_H
