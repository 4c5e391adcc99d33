// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-small-file.h"

#include "lfn-wording.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace ns3::lfn
{

FileProblem
ReadSmallFile(const std::string& path, std::size_t most, std::string& text)
{
    namespace fs = std::filesystem;
    std::error_code error; // leaves a type that is refused
    const auto status = fs::status(path, error);
    if (!fs::exists(status))
    {
        return FileProblem::ABSENT;
    }
    if (!fs::is_regular_file(status))
    {
        return FileProblem::NO_FILE;
    }
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
    {
        return FileProblem::UNREADABLE;
    }
    text.clear();
    std::array<char, 65536> buffer{};
    ssize_t got = 0;
    do
    {
        got = read(file, buffer.data(), buffer.size());
        text.append(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    } while (text.size() <= most && (got > 0 || (got < 0 && errno == EINTR)));
    close(file);
    if (got < 0)
    {
        return FileProblem::UNREADABLE;
    }
    return text.size() > most ? FileProblem::TOO_LARGE : FileProblem::NONE;
}

std::optional<std::string>
ReadSmallFile(const std::string& path, std::size_t most, const std::string& kind, std::string& text)
{
    switch (ReadSmallFile(path, most, text))
    {
    case FileProblem::ABSENT:
        return Printable(path) + ": there is no such file, give " + kind;
    case FileProblem::NO_FILE:
        return Printable(path) + ": this is no file, give " + kind;
    case FileProblem::TOO_LARGE:
        return Printable(path) + ": the file is too large, give one of " +
               std::to_string(most / 1'000'000) + " MB at most";
    case FileProblem::UNREADABLE:
        return Printable(path) + ": the file cannot be read, allow it or give another one";
    case FileProblem::NONE:
        break;
    }
    return std::nullopt;
}

} // namespace ns3::lfn
