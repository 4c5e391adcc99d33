// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FLAGS_H
#define LFN_FLAGS_H

#include "lfn-attribute-kind.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
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
 * A declaration has the flag's name, one line of help for `--PrintHelp`, and a variable, which
 * holds the default before and the value after Parse(); then, where there are, the least and the
 * most that is taken, in the variable's unit. A variable is written only when the whole command
 * line is in order. Names are unique: a second declaration of a name throws std::logic_error, since
 * it is an error of the program.
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
     * unit. A fraction is taken when it makes a whole number of bytes (67.5MB). The variable is a
     * uint32_t or a uint64_t.
     */
    template <typename T>
    void Bytes(const std::string& name,
               const std::string& help,
               T& value,
               std::type_identity_t<T> min = 1,
               std::type_identity_t<T> max = std::numeric_limits<T>::max());

    /** @brief Declare a whole number without a unit, a uint32_t or a uint64_t. */
    template <typename T>
    void Count(const std::string& name,
               const std::string& help,
               T& value,
               std::type_identity_t<T> min = 0,
               std::type_identity_t<T> max = std::numeric_limits<T>::max());

    /**
     * @brief Declare a comma list of whole numbers ("3,7,11"); it may be empty by default, never on
     * the command line.
     */
    void CountList(const std::string& name,
                   const std::string& help,
                   std::vector<uint64_t>& value,
                   uint64_t min = 1,
                   uint64_t max = UINT64_MAX);

    /** @brief Declare a data rate: a positive number with a unit of ns-3's DataRate. */
    void Rate(const std::string& name, const std::string& help, DataRate& value);

    /**
     * @brief Declare a time: a number with ns, us, ms, s, min, h, d (or ps, fs); 0 needs no unit.
     * The longest is ten years unless configured otherwise, so that sums of such
     * times.
     */
    void Duration(const std::string& name,
                  const std::string& help,
                  Time& value,
                  Time min = Time(0),
                  Time max = Days(3650));

    /** @brief Declare a comma list of times, none negative. */
    void DurationList(const std::string& name, const std::string& help, std::vector<Time>& value);

    /** @brief Declare a fraction or probability, a number from 0 to 1 unless configured otherwise.
     */
    void Fraction(const std::string& name,
                  const std::string& help,
                  double& value,
                  double min = 0.0,
                  double max = 1.0);

    /** @brief Declare a finite number in a range. */
    void Number(const std::string& name,
                const std::string& help,
                double& value,
                double min,
                double max);

    /** @brief Declare a word out of a list, which is added to the help. */
    void Choice(const std::string& name,
                const std::string& help,
                std::string& value,
                const std::vector<std::string>& choices);

    /**
     * @brief Declare a free text, not empty when given; an own check gets it and returns a remedy
     * or nothing.
     */
    void Text(const std::string& name,
              const std::string& help,
              std::string& value,
              std::function<std::optional<std::string>(const std::string&)> check = {});

    /** @brief Declare a switch: `--name`, `--name=true` or `--name=false`. */
    void Switch(const std::string& name, const std::string& help, bool& value);

    /**
     * @brief Declare a queue size: a positive number with p, kp, Kip, Mp, Mip, B, kB, KiB, MB or
     * MiB.
     */
    void Queue(const std::string& name, const std::string& help, QueueSize& value);

    /**
     * @brief Declare a flag that is an Attribute, or several that mean the same.
     *
     * Kind of value, range, default and, unless given here, help are those of the first Attribute;
     * they all must have the same default. Check() sets the Attributes' defaults when the flag is
     * on the command line, and only then. The Attribute may be given as well, if it says the same.
     *
     * @param name The flag's name.
     * @param attributes The Attributes as "ns3::Class::Name", where they are declared;
     * std::logic_error when there is none.
     * @param help One line for `--PrintHelp`; that of the Attribute if empty.
     * @param isSize Whole numbers are bytes.
     */
    void Attribute(const std::string& name,
                   const std::vector<std::string>& attributes,
                   const std::string& help = "",
                   bool isSize = false);

    /** @brief Declare a flag that is an Attribute, a whole number of bytes; see Attribute(). */
    void SizeAttribute(const std::string& name,
                       const std::vector<std::string>& attributes,
                       const std::string& help = "");

    /**
     * @brief Get the value of a flag that is an Attribute; after Check().
     * @tparam V The AttributeValue, such as TimeValue.
     * @param name The flag's name; std::logic_error when there is none of that type.
     * @return The value.
     */
    template <typename V>
    auto Get(const std::string& name) const
    {
        const auto value = DynamicCast<const V>(GetValue(name));
        if (!value)
        {
            throw std::logic_error("--" + name + " has another type");
        }
        return value->Get();
    }

    /**
     * @brief Get the value of a flag in canonical text; after Check().
     * @param name The flag's name; std::logic_error when there is none.
     * @return The text, such as a word.
     */
    std::string GetText(const std::string& name) const;

    /** @brief Check whether the command line gives an Attribute, by its flag or by its own name. */
    bool IsGiven(const std::string& attribute) const;

    /**
     * @brief Set the default of an Attribute that follows from flags, unless the command line gives
     * it; after Parse().
     */
    void Imply(const std::string& attribute, const AttributeValue& value) const;

    /**
     * @brief As Imply() of the Attribute that a class or an ancestor declares; does nothing where
     * none does.
     */
    void Imply(TypeId tid, const std::string& name, const AttributeValue& value) const;

    /** @brief An Attribute on the command line. */
    struct Given
    {
        std::string name;                //!< "ns3::Class::Name".
        Ptr<const AttributeValue> value; //!< What it was set to.
        std::string argument;            //!< The name on the command line, without dashes.
    };

    /**
     * @brief Get the Attributes that the command line gives, by flags or by name; after Check().
     */
    std::vector<Given> GetGiven() const;

    /**
     * @brief Add a paragraph that `--PrintHelp` shows under the description, such as the columns
     * that the program writes.
     */
    void Columns(const std::string& text);

    /** @brief The same for a text that takes time to make: `--PrintHelp` alone calls `make`. */
    void Columns(std::function<std::string()> make);

    /**
     * @brief Set the help of a declared flag that takes time to make.
     * @param name The flag, without dashes.
     * @param make Makes one line of help; `--PrintHelp` alone calls it.
     */
    void Explain(const std::string& name, std::function<std::string()> make);

    /**
     * @brief Check a command line and, when it is in order, set the variables.
     *
     * Nothing is printed; of ns-3 only the defaults of Attributes that are flags are set.
     *
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> Check(int argc, const char* const* argv);

    /**
     * @brief Check a command line given as strings, without the program's name; see the other form.
     */
    std::optional<std::string> Check(const std::vector<std::string>& arguments);

    /**
     * @brief Check the command line, then hand it to ns-3's CommandLine.
     *
     * An error ends the program with one line on stderr and exit status 1.
     */
    void Parse(int argc, char* argv[]);

    /**
     * @brief End the program over an impossible value or combination, in the form of all errors.
     * @param name The flag that is to blame, without dashes; its value is shown.
     * @param remedy What to do about it.
     */
    [[noreturn]] void Refuse(const std::string& name, const std::string& remedy) const;

    /** @brief Refuse() a flag if its value is wrong. */
    void RefuseIf(bool isWrong, const std::string& name, const std::string& remedy) const;

    /** @brief Refuse() a flag if there is a remedy. */
    void RefuseIf(const std::string& name, const std::optional<std::string>& remedy) const;

    /**
     * @brief Refuse() the first flag that is given where none of them has an effect.
     * @param hasEffect Whether the flags have an effect.
     * @param names The flags, without dashes.
     * @param remedy What to do about one that is given.
     */
    void RefuseUnless(bool hasEffect,
                      const std::vector<std::string>& names,
                      const std::string& remedy) const;

    /** @brief End the program with one line, "program: message", and exit status 1. */
    [[noreturn]] void Exit(const std::string& message) const;

    /**
     * @brief Make the error line of an impossible combination.
     * @param name The flag that is to blame, or the attribute of ns-3, without dashes.
     * @param remedy What to do about it.
     * @return "--name=value: remedy", one line, all printable.
     */
    std::string Complaint(const std::string& name, const std::string& remedy) const;

    /** @brief Check whether a flag was given on the command line, or an Attribute that it is. */
    bool IsSet(std::string_view name) const;

    /**
     * @brief Get every flag with its value in canonical text that the flag itself would take.
     *
     * Declared flags come first, in the order of declaration and given or not; then the global
     * values and attributes of ns-3 that were given, in the order of the command line.
     */
    std::vector<std::pair<std::string, std::string>> Values() const;

    /** @brief Find the names of the flags that are Attributes of a class or of its descendants. */
    std::vector<std::string> FindFlagsOf(TypeId parent) const;

    /** @brief Check whether a flag is declared. */
    bool Has(std::string_view name) const;

    /**
     * @brief Find the argument that sets an Attribute.
     * @param attribute its full name, such as ns3::lfn::TcpSource::SndBufSize
     * @return the name of the flag that is bound to it, else that of the Attribute
     */
    std::string FindArgument(const std::string& attribute) const;

    /**
     * @brief Get names and JSON numbers of the flags that are numbers, in base units (bytes, bit/s,
     * seconds, packets).
     */
    std::vector<std::pair<std::string, std::string>> BaseValues() const;

    /** @brief Get the program's name. */
    const std::string& GetProgram() const;

  private:
    /** @brief One declared flag. */
    struct Flag
    {
        std::string name;                       //!< Name without dashes.
        std::string help;                       //!< One line of explanation.
        AttributeKind kind;                     //!< How its values are read and spoken of.
        Ptr<const AttributeChecker> checker;    //!< Its range; null for any.
        Ptr<const AttributeValue> value;        //!< Its value now.
        std::string initial;                    //!< The default in canonical text.
        std::function<void()> assign;           //!< Sets the program's variable from the value.
        std::vector<std::string> attributes{};  //!< That are set with it.
        bool isSet{false};                      //!< Given on the command line.
        std::function<std::string()> explain{}; //!< Makes `help`, if set.
    };

    /**
     * @brief Declare a flag that sets a variable.
     * @tparam V The AttributeValue that holds it.
     * @tparam T The variable's type.
     * @param name The flag's name.
     * @param help One line of explanation.
     * @param value The variable.
     * @param checker Its range.
     * @param kind How its values are read and spoken of.
     */
    template <typename V, typename T>
    void AddVariable(const std::string& name,
                     const std::string& help,
                     T& value,
                     Ptr<const AttributeChecker> checker,
                     AttributeKind kind);

    /**
     * @brief Declare a flag that is a list, held as its canonical text.
     * @tparam T What it is a list of.
     * @param name The flag's name.
     * @param help One line of explanation.
     * @param value The variable.
     * @param read Reads a list strictly.
     * @param print Prints what it takes back.
     * @param isGood Indicates whether an item is in range.
     * @param kind How its values are spoken of.
     */
    template <typename T>
    void AddList(const std::string& name,
                 const std::string& help,
                 std::vector<T>& value,
                 values::Result<std::vector<T>> (*read)(std::string_view),
                 std::string (*print)(const std::vector<T>&),
                 std::function<bool(const T&)> isGood,
                 AttributeKind kind);

    struct Line;

    /**
     * @brief Read an argument.
     * @param arguments The command line.
     * @param i The argument's index.
     * @param line Gets what the argument says.
     * @return The error line without the program's name, or nothing when all is in order.
     */
    std::optional<std::string> ReadArgument(const std::vector<std::string>& arguments,
                                            std::size_t i,
                                            Line& line) const;

    /** @brief Find a flag that an Attribute of its own contradicts; as ReadArgument(). */
    std::optional<std::string> FindContradiction(const Line& line) const;

    /** @brief Take a declaration in. */
    void Add(Flag flag);

    /**
     * @brief Read a flag's text.
     * @param flag The flag.
     * @param text The text.
     * @param value Set to the value if the text is good.
     * @return What to do about a bad value, or nothing.
     */
    static std::optional<std::string> Read(const Flag& flag,
                                           const std::string& text,
                                           Ptr<const AttributeValue>& value);

    /** @brief Get a value that a flag would take: its own now, unless that stands for none. */
    static std::string GetExample(const Flag& flag);

    /** @brief Find a declared flag by its name without dashes; null when there is none. */
    const Flag* Find(std::string_view name) const;

    /** @brief Get the value of a flag that is an Attribute; std::logic_error when there is none. */
    Ptr<const AttributeValue> GetValue(const std::string& name) const;

    /** @brief Get a flag's value, with what Imply() made of it. */
    Ptr<const AttributeValue> GetNow(const Flag& flag) const;

    /**
     * @brief Find what the command line says of a flag's Attributes by their own names.
     * @param flag The flag.
     * @param given Attributes and global values by their own names.
     * @param[out] value What they say.
     * @return The name of one that is given, or nothing.
     */
    static std::optional<std::string> FindOwn(
        const Flag& flag,
        const std::vector<std::pair<std::string, std::string>>& given,
        Ptr<const AttributeValue>& value);

    /** @brief Explain an unknown name, with the nearest known one. */
    std::string ExplainUnknown(const std::string& name) const;

    std::string m_program;                               //!< Name that error lines start with.
    std::string m_description;                           //!< What the program does.
    std::vector<std::function<std::string()>> m_columns; //!< Paragraphs about the files written.
    std::vector<Flag> m_flags;                           //!< In the order of declaration.
    /** Global values and attributes of ns-3 that were given, in the order of the command line. */
    std::vector<std::pair<std::string, std::string>> m_foreign;
};

} // namespace ns3::lfn

#endif // LFN_FLAGS_H
