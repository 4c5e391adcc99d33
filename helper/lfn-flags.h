// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLAGS_H
#define LFN_FLAGS_H

#include "lfn-values.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The strict reader of a program's command line.
 *
 * ns-3's CommandLine reads a number as far as it can and ignores the rest, takes a bare number as
 * seconds and keeps arguments that are no flags. This class checks every argument first: full
 * match, sign, range, unit, a flag given twice, an unknown flag, a missing value; for ns-3's own
 * arguments (`--RngRun=3`, `--ns3::TcpSocket::SndBufSize=1000000`) also the existence of the
 * global value, the TypeId and the attribute, and whether its checker takes the value. Only then
 * does CommandLine see the arguments, so that `--PrintHelp` and its relatives work as everywhere
 * in ns-3.
 *
 * Flags are declared with a variable, which holds the default before and the value after Parse().
 * A variable is written only when the whole command line is in order. Names are unique: a second
 * declaration of a name throws std::logic_error, since it is an error of the program.
 *
 * All flags are written `--name=value`; a Switch may also be written `--name`.
 */
class Flags
{
  public:
    /**
     * @brief Constructor.
     * @param program The program's name; error lines start with it.
     * @param description What the program does, for `--PrintHelp`.
     */
    explicit Flags(std::string program, std::string description = "");

    Flags(const Flags&) = delete;
    Flags& operator=(const Flags&) = delete;

    /**
     * @brief Declare a size in bytes: a number with B, kB, KiB, MB, MiB, GB, GiB, TB, TiB or no
     * unit. A fraction is taken when it makes a whole number of bytes (67.5MB).
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result (bytes).
     * @param min The smallest size taken (bytes).
     * @param max The largest size taken (bytes).
     */
    void Bytes(const std::string& name,
               const std::string& help,
               uint64_t& value,
               uint64_t min = 1,
               uint64_t max = UINT64_MAX);

    /**
     * @brief Declare a size in bytes that must fit 32 bits; see the 64-bit form.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result (bytes).
     * @param min The smallest size taken (bytes).
     * @param max The largest size taken (bytes).
     */
    void Bytes(const std::string& name,
               const std::string& help,
               uint32_t& value,
               uint32_t min = 1,
               uint32_t max = UINT32_MAX);

    /**
     * @brief Declare a whole number without a unit.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param min The smallest number taken.
     * @param max The largest number taken.
     */
    void Count(const std::string& name,
               const std::string& help,
               uint64_t& value,
               uint64_t min = 0,
               uint64_t max = UINT64_MAX);

    /**
     * @brief Declare a whole number without a unit that must fit 32 bits.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param min The smallest number taken.
     * @param max The largest number taken.
     */
    void Count(const std::string& name,
               const std::string& help,
               uint32_t& value,
               uint32_t min = 0,
               uint32_t max = UINT32_MAX);

    /**
     * @brief Declare a comma list of whole numbers ("3,7,11").
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result; may be empty by default, never on the command line.
     * @param min The smallest number taken.
     * @param max The largest number taken.
     */
    void CountList(const std::string& name,
                   const std::string& help,
                   std::vector<uint64_t>& value,
                   uint64_t min = 1,
                   uint64_t max = UINT64_MAX);

    /**
     * @brief Declare a data rate: a positive number with a unit of ns-3's DataRate.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result (bit/s).
     */
    void Rate(const std::string& name, const std::string& help, DataRate& value);

    /**
     * @brief Declare a time: a number with ns, us, ms, s, min, h, d (or ps, fs); 0 needs no unit.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param min The shortest time taken.
     * @param max The longest time taken; ten years leave room for sums of such times.
     */
    void Duration(const std::string& name,
                  const std::string& help,
                  Time& value,
                  Time min = Time(0),
                  Time max = Days(3650));

    /**
     * @brief Declare a comma list of times, none negative.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     */
    void DurationList(const std::string& name, const std::string& help, std::vector<Time>& value);

    /**
     * @brief Declare a fraction or probability, a number from 0 to 1 unless told otherwise.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param min The smallest number taken.
     * @param max The largest number taken.
     */
    void Fraction(const std::string& name,
                  const std::string& help,
                  double& value,
                  double min = 0.0,
                  double max = 1.0);

    /**
     * @brief Declare a finite number.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param min The smallest number taken.
     * @param max The largest number taken.
     */
    void Number(const std::string& name,
                const std::string& help,
                double& value,
                double min,
                double max);

    /**
     * @brief Declare a word out of a list.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`; the words are added to it.
     * @param value Default and result.
     * @param choices The words taken.
     */
    void Choice(const std::string& name,
                const std::string& help,
                std::string& value,
                const std::vector<std::string>& choices);

    /**
     * @brief Declare a free text, not empty when given.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     * @param check An optional own check: gets the text, returns a remedy or nothing.
     */
    void Text(const std::string& name,
              const std::string& help,
              std::string& value,
              std::function<std::optional<std::string>(const std::string&)> check = {});

    /**
     * @brief Declare a switch: `--name`, `--name=true` or `--name=false`.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     */
    void Switch(const std::string& name, const std::string& help, bool& value);

    /**
     * @brief Declare a queue size: a positive number with p, kp, Kip, Mp, Mip, B, kB, KiB, MB or
     * MiB.
     * @param name The flag's name.
     * @param help One line for `--PrintHelp`.
     * @param value Default and result.
     */
    void Queue(const std::string& name, const std::string& help, QueueSize& value);

    /**
     * @brief Add a paragraph that `--PrintHelp` shows under the description, such as the columns
     * that the program writes.
     * @param text The paragraph.
     */
    void Columns(const std::string& text);

    /**
     * @brief Check a command line and, when it is in order, set the variables.
     *
     * Nothing is printed and nothing of ns-3 (global values, attribute defaults) is set.
     *
     * @param argc The number of arguments, the program's name included.
     * @param argv The arguments.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(int argc, const char* const* argv);

    /**
     * @brief Check a command line given as strings; see the other form.
     * @param arguments The arguments without the program's name.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(const std::vector<std::string>& arguments);

    /**
     * @brief Check the command line, then hand it to ns-3's CommandLine.
     *
     * An error ends the program with one line on stderr and exit status 1.
     *
     * @param argc The number of arguments, the program's name included.
     * @param argv The arguments.
     */
    void Parse(int argc, char* argv[]);

    /**
     * @brief End the program over an impossible value or combination, in the form of all errors.
     * @param name The flag that is to blame, without dashes; its value is shown.
     * @param remedy What to do about it.
     */
    [[noreturn]] void Refuse(const std::string& name, const std::string& remedy) const;

    /**
     * @brief End the program with one line, "program: message", and exit status 1.
     * @param message The message.
     */
    [[noreturn]] void Exit(const std::string& message) const;

    /**
     * @brief Make the error line of an impossible combination.
     * @param name The flag that is to blame, or the attribute of ns-3, without dashes.
     * @param remedy What to do about it.
     * @return "--name=value: remedy", one line, all printable.
     */
    std::string Complaint(const std::string& name, const std::string& remedy) const;

    /**
     * @brief Tell whether a flag was given on the command line.
     * @param name The flag's name.
     * @return True if it was.
     */
    bool IsSet(std::string_view name) const;

    /**
     * @brief Get every flag with its value in canonical text that the flag itself would take.
     *
     * Declared flags come first, in the order of declaration and given or not; then the global
     * values and attributes of ns-3 that were given, in the order of the command line.
     *
     * @return Pairs of name and value.
     */
    std::vector<std::pair<std::string, std::string>> Values() const;

    /**
     * @brief Get the program's name.
     * @return The name.
     */
    const std::string& GetProgram() const;

  private:
    /** @brief What a flag's parser answers: a remedy, or the action that sets the variable. */
    struct Outcome
    {
        std::string remedy;           //!< What to do about a bad value; empty when it is good.
        std::function<void()> assign; //!< Sets the variable.
    };

    /** @brief One declared flag. */
    struct Flag
    {
        std::string name;                                 //!< Name without dashes.
        std::string help;                                 //!< One line of explanation.
        std::string example;                              //!< A value to show in remedies.
        std::string initial;                              //!< The default in canonical text.
        bool isSwitch{false};                             //!< May stand without a value.
        bool isSet{false};                                //!< Given on the command line.
        std::function<Outcome(const std::string&)> parse; //!< Checks one text.
        std::function<std::string()> print;               //!< The variable in canonical text.
    };

    /**
     * @brief How a type of value is read and spoken of.
     * @tparam R The type that the reader gives.
     */
    template <typename R>
    struct Form
    {
        std::function<values::Result<R>(std::string_view)> read; //!< Reads a text strictly.
        std::function<bool(const R&)> isGood;                    //!< Checks the range.
        std::string what;                                        //!< What to give, in words.
        std::string example;                                     //!< A good value.
        std::string unit;                                        //!< What a bare number lacks.
    };

    /**
     * @brief Declare a flag whose value is read by one of the strict readers.
     * @tparam T The variable's type.
     * @tparam R The type that the reader gives.
     * @param name The flag's name.
     * @param help One line of explanation.
     * @param value The variable.
     * @param form How its text is read and spoken of.
     * @param print Prints the variable in canonical text.
     */
    template <typename T, typename R>
    void AddRead(const std::string& name,
                 const std::string& help,
                 T& value,
                 const Form<R>& form,
                 std::function<std::string()> print);

    /**
     * @brief Take a declaration in.
     * @param flag The flag.
     */
    void Add(Flag flag);

    /**
     * @brief Find a declared flag.
     * @param name The name without dashes.
     * @return The flag, or null.
     */
    const Flag* Find(std::string_view name) const;

    /**
     * @brief Explain an unknown name, with the nearest known one.
     * @param name The name without dashes.
     * @return The remedy.
     */
    std::string ExplainUnknown(const std::string& name) const;

    std::string m_program;              //!< Name that error lines start with.
    std::string m_description;          //!< What the program does.
    std::vector<std::string> m_columns; //!< Paragraphs about the files written.
    std::vector<Flag> m_flags;          //!< In the order of declaration.
    /** Global values and attributes of ns-3 that were given, in the order of the command line. */
    std::vector<std::pair<std::string, std::string>> m_foreign;
};

} // namespace ns3::lfn

#endif // LFN_FLAGS_H
