// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-output-folder.h"

#include "lfn-json.h"

#include "ns3/lfn-wording.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3::lfn
{

namespace fs = std::filesystem;

namespace
{

/** @brief run.json is never larger than this by far (bytes). */
constexpr std::uintmax_t MOST_RUN_FILE = 16 * 1024 * 1024;

/** @brief Name a path in an error line. */
std::string
Shown(const fs::path& path)
{
    return Printable(path.string(), 300);
}

/** @brief Write a file. @return What went wrong, or nothing. */
std::optional<std::string>
WriteFile(const fs::path& path, const std::string& content)
{
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    return file ? std::nullopt : std::optional<std::string>(std::strerror(errno ? errno : EIO));
}

/**
 * @brief Make a scratch folder with files in it; if that fails, nothing remains.
 * @return What went wrong, or nothing.
 */
std::optional<std::string>
Fill(const fs::path& scratch, const OutputFolder::Files& files)
{
    std::error_code error;
    fs::remove_all(scratch, error);
    if (!fs::create_directory(scratch, error))
    {
        return error ? error.message() : std::string("the scratch folder is in use");
    }
    for (const auto& [name, text] : files)
    {
        if (auto trouble = WriteFile(scratch / name, text))
        {
            fs::remove_all(scratch, error);
            return trouble;
        }
    }
    return std::nullopt;
}

/**
 * @brief Exchange two folders at once.
 * @param first One folder.
 * @param second The other, on the same file system.
 * @return False if the system cannot do it here.
 */
bool
Exchange(const fs::path& first, const fs::path& second)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0;
#else
    (void)first;
    (void)second;
    return false;
#endif
}

/** @brief Get the machine's name, as far as scratch names need it: letters, digits and dashes. */
std::string
HostName()
{
    std::array<char, 64> name{};
    if (gethostname(name.data(), name.size() - 1) != 0)
    {
        return "host";
    }
    std::string host(name.data());
    std::ranges::replace_if(
        host,
        [](char c) { return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'); },
        '-');
    return host;
}

} // namespace

OutputFolder::OutputFolder(const std::string& folder,
                           std::string program,
                           std::vector<std::string> names,
                           bool force)
    : m_folder(folder),
      m_program(std::move(program)),
      m_names(std::move(names)),
      m_force(force)
{
    // The true place, links resolved as far as it exists: scratch folders go next to it.
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(fs::absolute(m_folder, error), error);
    if (!error && !m_folder.empty())
    {
        m_folder = resolved;
    }
    if (!m_folder.has_filename() && m_folder.has_relative_path())
    {
        m_folder = m_folder.parent_path();
    }
}

std::optional<std::string>
OutputFolder::Look(Content& content) const
{
    std::error_code error;
    const auto status = fs::status(m_folder, error);
    if (status.type() == fs::file_type::not_found)
    {
        content = Content::ABSENT;
        if (fs::symlink_status(m_folder, error).type() != fs::file_type::not_found)
        {
            return "this is a link to nowhere, remove it or give another folder";
        }
        return std::nullopt;
    }
    if (!fs::status_known(status) || status.type() == fs::file_type::none)
    {
        return "the folder cannot be looked at (" + error.message() + "), give another one";
    }
    if (status.type() != fs::file_type::directory)
    {
        return "a file is in the way, give a folder";
    }
    content = Content::OURS;
    bool isEmpty = true;
    fs::directory_iterator entries(m_folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error))
    {
        isEmpty = false;
        const std::string name = entries->path().filename().string();
        std::error_code ignored;
        const bool isFile = entries->symlink_status(ignored).type() == fs::file_type::regular;
        const bool isOurs = std::ranges::find(m_names, name) != m_names.end();
        if (isOurs && entries->is_directory(ignored))
        {
            return "a folder " + name + " is in the way, remove it or give another folder";
        }
        if (!isOurs || !isFile)
        {
            content = Content::FOREIGN;
        }
    }
    if (error)
    {
        return "the folder cannot be read (" + error.message() + "), give another one";
    }
    if (content == Content::OURS && !isEmpty)
    {
        const fs::path runFile = m_folder / "run.json";
        const auto size = fs::file_size(runFile, error);
        std::ostringstream text;
        if (!error && size <= MOST_RUN_FILE)
        {
            std::ifstream file(runFile, std::ios::binary);
            text << file.rdbuf();
        }
        if (!JsonObject::HasText(text.str(), "program", m_program))
        {
            content = Content::FOREIGN;
        }
    }
    return std::nullopt;
}

std::string
OutputFolder::ScratchName() const
{
    // The folder's own name may be as long as a name can be.
    return "." + m_folder.filename().string().substr(0, 100) + ".lfn-" + HostName() + "-" +
           std::to_string(getpid());
}

void
OutputFolder::RemoveRemains() const
{
    const std::string own = ScratchName();
    const std::string prefix = own.substr(0, own.rfind('-') + 1);
    std::error_code error;
    std::vector<fs::path> remains;
    fs::directory_iterator entries(m_folder.parent_path(), error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error))
    {
        const std::string name = entries->path().filename().string();
        if (!name.starts_with(prefix))
        {
            continue;
        }
        pid_t pid = 0;
        const char* end = name.data() + name.size();
        const auto read = std::from_chars(name.data() + prefix.size(), end, pid);
        if (read.ec == std::errc() && read.ptr == end && pid > 0 && kill(pid, 0) != 0 &&
            errno == ESRCH)
        {
            remains.push_back(entries->path());
        }
    }
    for (const auto& path : remains)
    {
        fs::remove_all(path, error);
    }
}

std::optional<std::string>
OutputFolder::Check() const
{
    if (m_folder.empty())
    {
        return "give a folder";
    }
    Content content = Content::ABSENT;
    if (auto trouble = Look(content))
    {
        return trouble;
    }
    if (content == Content::FOREIGN && !m_force)
    {
        return "the folder holds something other than a run of " + m_program +
               ", give another one or add --force";
    }
    // Permissions do not suffice (read-only file systems, the superuser): try it.
    fs::path place = m_folder;
    std::error_code error;
    if (content == Content::ABSENT)
    {
        for (place = m_folder.parent_path();; place = place.parent_path())
        {
            const auto type = fs::status(place, error).type();
            if (type == fs::file_type::directory)
            {
                break;
            }
            if (type != fs::file_type::not_found || !place.has_relative_path())
            {
                return Shown(place) + " is no folder, give another one";
            }
        }
        for (const auto& part : m_folder)
        {
            if (part.native().size() > 255)
            {
                return "the name is too long, give another folder";
            }
        }
    }
    const fs::path scratch = place / ScratchName();
    if (mkdir(scratch.c_str(), 0777) != 0 && errno != EEXIST)
    {
        return "nothing can be written into " + Shown(place) + " (" + std::strerror(errno) +
               "), give another folder";
    }
    rmdir(scratch.c_str());
    return std::nullopt;
}

std::optional<std::string>
OutputFolder::Write(const Files& files) const
{
    Content content = Content::ABSENT;
    if (auto trouble = Look(content))
    {
        return trouble;
    }
    // Something foreign that appeared during the run, such as packet captures, just stays.
    std::error_code error;
    if (content == Content::ABSENT)
    {
        fs::create_directories(m_folder.parent_path(), error);
        if (error)
        {
            return "cannot make " + Shown(m_folder.parent_path()) + ": " + error.message();
        }
    }
    RemoveRemains();

    // All at once where possible; but any host that stands in the folder would be left in a deleted
    // one.
    const bool isHere = fs::equivalent(m_folder, fs::current_path(error), error);
    std::optional<std::string> trouble;
    if ((content == Content::ABSENT || (content == Content::OURS && !isHere)) &&
        ReplaceFolder(files, trouble))
    {
        return std::nullopt;
    }
    if (content == Content::ABSENT && !fs::is_directory(m_folder, error))
    {
        return "cannot write " + Shown(m_folder) + (trouble ? ": " + *trouble : "");
    }
    trouble = ReplaceFiles(files);
    if (trouble)
    {
        return "cannot write into " + Shown(m_folder) + ": " + *trouble;
    }
    return std::nullopt;
}

bool
OutputFolder::ReplaceFolder(const Files& files, std::optional<std::string>& trouble) const
{
    const fs::path scratch = m_folder.parent_path() / ScratchName();
    trouble = Fill(scratch, files);
    if (trouble)
    {
        return false;
    }
    std::error_code error;
    fs::rename(scratch, m_folder, error);
    bool isDone = !error;
    if (!isDone && fs::is_directory(m_folder, error))
    {
        fs::permissions(scratch, fs::status(m_folder, error).permissions(), error);
        isDone = Exchange(scratch, m_folder);
    }
    fs::remove_all(scratch, error);
    return isDone;
}

std::optional<std::string>
OutputFolder::ReplaceFiles(const Files& files) const
{
    const fs::path scratch = m_folder / ScratchName();
    std::error_code error;
    auto trouble = Fill(scratch, files);
    for (auto file = files.begin(); !trouble && file != files.end(); ++file)
    {
        fs::rename(scratch / file->first, m_folder / file->first, error);
        if (error)
        {
            trouble = error.message();
        }
    }
    if (!trouble)
    {
        for (const auto& name : m_names)
        {
            if (std::ranges::find(files, name, &Files::value_type::first) == files.end())
            {
                fs::remove(m_folder / name, error);
            }
        }
    }
    fs::remove_all(scratch, error);
    return trouble;
}

} // namespace ns3::lfn
