// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_OUTPUT_FOLDER_H
#define LFN_OUTPUT_FOLDER_H

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief The folder that a program's run leaves its files in.
 *
 * An earlier run of the same program is replaced; a folder that holds anything else is refused
 * unless forced, and then other files stay. All files are first written under another name. Where
 * the folder holds nothing but our files, it is exchanged as a whole, so that any host that kills
 * the process finds either the old files or the new ones; elsewhere each file is renamed into
 * place.
 */
class OutputFolder
{
  public:
    /** @brief Pairs of a file's name and its content. */
    using Files = std::vector<std::pair<std::string, std::string>>;

    /**
     * @brief Constructor.
     * @param folder The folder; it need not exist.
     * @param program The program whose earlier run may be replaced.
     * @param names The names of all files that the program may write; run.json among them.
     * @param force Write into a folder that holds other things.
     */
    OutputFolder(const std::string& folder,
                 std::string program,
                 std::vector<std::string> names,
                 bool force);

    /**
     * @brief Check that the files can be written; leaves nothing behind.
     * @return What is wrong and the remedy, or nothing when all is well.
     */
    std::optional<std::string> Check() const;

    /**
     * @brief Write the files; of our names, those that are not given disappear.
     * @return What went wrong, or nothing when all is well.
     */
    std::optional<std::string> Write(const Files& files) const;

  private:
    /** @brief What the folder holds now. */
    enum class Content
    {
        ABSENT,  //!< There is no such folder.
        OURS,    //!< Nothing, or an earlier run of the program.
        FOREIGN, //!< Something else, or more.
    };

    /**
     * @brief Look at the folder.
     * @param content What it holds.
     * @return What makes it unfit in any case, or nothing.
     */
    std::optional<std::string> Look(Content& content) const;

    /**
     * @brief Get the name of a scratch folder or file next to or in the folder.
     * @return A name that no other process uses at this time.
     */
    std::string ScratchName() const;

    /**
     * @brief Exchange the folder for one with the files.
     * @param files The files.
     * @param trouble What went wrong with them, or nothing when only the exchange did.
     * @return False when the folder is as before.
     */
    bool ReplaceFolder(const Files& files, std::optional<std::string>& trouble) const;

    /**
     * @brief Replace file by file, run.json last, since it speaks for the others.
     * @return What went wrong, or nothing.
     */
    std::optional<std::string> ReplaceFiles(const Files& files) const;

    /** @brief Remove scratch folders that killed runs with the same folder left. */
    void RemoveRemains() const;

    std::filesystem::path m_folder;   //!< The folder.
    std::string m_program;            //!< Whose runs may be replaced.
    std::vector<std::string> m_names; //!< Names of all files of a run.
    bool m_force;                     //!< Write into a folder with other files.
};

} // namespace ns3::lfn

#endif // LFN_OUTPUT_FOLDER_H
