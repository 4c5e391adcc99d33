// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-own-library.h"

#include "ns3/lfn-wording.h"

#include <dlfcn.h>
#include <sstream>
#include <string_view>

namespace ns3::lfn
{

std::optional<std::string>
LoadLibraries(const std::vector<std::string>& arguments)
{
    constexpr std::string_view FLAG = "--library=";
    for (const auto& argument : arguments)
    {
        if (!argument.starts_with(FLAG))
        {
            continue;
        }
        std::istringstream files(argument.substr(FLAG.size()));
        for (std::string file; std::getline(files, file, ',');)
        {
            // Without a slash dlopen() would look everywhere but in the working directory.
            const auto path = file.find('/') == std::string::npos ? "./" + file : file;
            if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
            {
                const char* error = dlerror();
                return Printable(argument) + ": cannot be loaded, give a shared library built " +
                       "against lfn (" + Printable(error ? error : "", 200) + ")";
            }
        }
    }
    return std::nullopt;
}

} // namespace ns3::lfn
