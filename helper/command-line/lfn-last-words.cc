// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-last-words.h"

#include "lfn-log-names.h"

#include "ns3/lfn-wording.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <streambuf>
#include <utility>

namespace ns3::lfn
{

/** @brief Passes on what is written to stderr, but for lines that may be ns-3's last. */
class LastWords::Filter : public std::streambuf
{
  public:
    /** @brief Constructor; it takes the place of stderr's buffer. */
    explicit Filter(std::string name)
        : program(std::move(name)),
          m_outer(newest),
          m_terminate(std::set_terminate(&LastWords::Speak)),
          m_target(std::cerr.rdbuf(this)),
          m_clog(std::clog.rdbuf(this)),
          m_onDivision(std::signal(SIGFPE, &OnDivision))
    {
        newest = this;
    }

    ~Filter() override
    {
        Release();
        std::cerr.rdbuf(m_target);
        std::clog.rdbuf(m_clog);
        std::set_terminate(m_terminate);
        std::signal(SIGFPE, m_onDivision);
        newest = m_outer;
    }

    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    /** @brief Pass on what was held back: it was not the end. */
    void Release()
    {
        m_target->sputn(held.data(), static_cast<std::streamsize>(held.size()));
        m_target->sputn(m_line.data(), static_cast<std::streamsize>(m_line.size()));
        m_target->pubsync();
        held.clear();
        m_line.clear();
    }

    static inline Filter* newest{nullptr}; //!< The one in force.

    std::string program; //!< The program's name.
    std::string held;    //!< Lines held back.

  protected:
    int_type overflow(int_type c) override
    {
        if (traits_type::eq_int_type(c, traits_type::eof()))
        {
            return traits_type::not_eof(c);
        }
        m_line += traits_type::to_char_type(c);
        if (m_line.back() == '\n')
        {
            // ns-3 3.48 prints a stack trace behind its last line.
            const bool isLast = held.find(", terminating\n") != std::string::npos ||
                                m_line.ends_with(", terminating\n") ||
                                (m_line.find("file=") != std::string::npos &&
                                 m_line.find(", line=") != std::string::npos);
            if (isLast)
            {
                held += std::exchange(m_line, "");
            }
            else
            {
                Release();
            }
        }
        return c;
    }

  private:
    /** @brief End the program over a whole number divided by zero. */
    static void OnDivision(int /* signal */)
    {
        newest->held = "msg=\"a division by zero\", ";
        std::terminate();
    }

    Filter* m_outer;                    //!< In force before.
    std::terminate_handler m_terminate; //!< Its like.
    std::streambuf* m_target;           //!< Its like.
    std::streambuf* m_clog;             //!< Of std::clog, where ns-3 puts a part of its last line.
    void (*m_onDivision)(int);          //!< What handled SIGFPE before.
    std::string m_line;                 //!< What is written, up to the next line's end.
};

LastWords::LastWords(std::string program)
{
    std::signal(SIGXFSZ, SIG_IGN);
    CheckLogEnvironment(program);
    if (!std::getenv("NS_LOG"))
    {
        m_filter = std::make_unique<Filter>(std::move(program));
    }
}

LastWords::~LastWords() = default;

void
LastWords::Suspect(std::vector<std::string> arguments)
{
    suspects = std::move(arguments);
}

namespace
{

/** @brief Find the message in what ns-3 says at the end, or else the condition, or nothing. */
std::string
FindReason(const std::string& text)
{
    for (const std::string begin : {"msg=\"", "cond=\""})
    {
        const auto from = text.find(begin);
        const auto to = text.find("\", ", from);
        if (from != std::string::npos && to != std::string::npos)
        {
            return Printable(text.substr(from + begin.size(), to - from - begin.size()), 100);
        }
    }
    return "";
}

} // namespace

void
LastWords::Speak()
{
    std::string reason = FindReason(std::exchange(Filter::newest->held, ""));
    try
    {
        if (const auto exception = std::current_exception())
        {
            std::rethrow_exception(exception);
        }
    }
    catch (const std::bad_alloc&)
    {
        reason = "there is not enough memory";
    }
    catch (const std::exception& exception)
    {
        reason = Printable(exception.what(), 100);
    }
    catch (...)
    {
        reason = "an exception";
    }
    std::string arguments;
    for (const auto& suspect : suspects)
    {
        arguments += (arguments.empty() ? "" : ", ") + Printable(suspect);
    }
    std::cout.flush();
    std::cerr << Filter::newest->program << (arguments.empty() ? "" : ": ") << arguments
              << ": ns-3 cannot go on" << (reason.empty() ? "" : " (" + reason + ")")
              << ": give other values, or set NS_LOG to see where it stopped" << std::endl;
    Filter::newest->Release();
    std::quick_exit(1);
}

} // namespace ns3::lfn
