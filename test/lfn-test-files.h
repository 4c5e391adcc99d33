// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_TEST_FILES_H
#define LFN_TEST_FILES_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup lfn
 * Files that a test writes and reads.
 */

namespace ns3::lfn::tests
{

/** @brief A folder that is gone when the test is. */
class ScratchFolder
{
  public:
    ScratchFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "lfn-test-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }

    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// The path of something in the folder.
    std::filesystem::path operator/(const std::string& name) const
    {
        return m_path / name;
    }

    /// The path of the folder itself.
    const std::filesystem::path& Path() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path; //!< the folder
};

/// The content of a file, "(none)" if there is no such file.
inline std::string
Read(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        return "(none)";
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace ns3::lfn::tests

#endif // LFN_TEST_FILES_H
