// SPDX-License-Identifier: MIT
// A stamp that tells one version of an installed file from another, for keys of caches.
#pragma once
#include <string>
#include <sys/stat.h>

namespace hiplz {

/// Size and time of the last change of a file, as text; empty if it is not there.
inline std::string fileStamp(const char *path) {
  struct stat status;
  if (::stat(path, &status) != 0)
    return {};
  return std::to_string(status.st_size) + "." + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace hiplz
