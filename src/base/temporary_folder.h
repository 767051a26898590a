// SPDX-License-Identifier: MIT
// A folder for the files of one task. It is removed, with all that is in it, together with the object.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace hiplz {

class TemporaryFolder {
public:
  /// Where programs make their folders: `name` in $TMPDIR, or in /tmp.
  static std::string pattern(const std::string &name) {
    const char *root = ::secure_getenv("TMPDIR");
    return std::string(root && *root ? root : "/tmp") + "/" + name + "-XXXXXX";
  }
  /// `pattern` ends in XXXXXX, which becomes something that no other folder has. If that fails, path() is empty and errno
  /// tells why.
  explicit TemporaryFolder(std::string pattern) : path_(std::move(pattern)) {
    if (!::mkdtemp(path_.data()))
      path_.clear();
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
      std::filesystem::remove_all(path_, ignored);
  }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace hiplz
