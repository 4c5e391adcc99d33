// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-small-file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace ns3::lfn
{

FileFault
ReadSmallFile(const std::string& path, std::size_t most, std::string& text)
{
    namespace fs = std::filesystem;
    std::error_code error; // leaves a type that is refused
    const auto status = fs::status(path, error);
    if (!fs::exists(status))
    {
        return FileFault::ABSENT;
    }
    if (!fs::is_regular_file(status))
    {
        return FileFault::NO_FILE;
    }
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
    {
        return FileFault::UNREADABLE;
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
        return FileFault::UNREADABLE;
    }
    return text.size() > most ? FileFault::TOO_LARGE : FileFault::NONE;
}

} // namespace ns3::lfn
