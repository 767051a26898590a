// SPDX-License-Identifier: MIT
#include "base/find_clang.h"
#include "base/env.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace hiplz {

std::string findProgram(const std::string &program, const std::string &prefix) {
  auto isProgram = [&](const std::string &path) {
    std::error_code error;
    return !path.empty() && access(path.c_str(), X_OK) == 0 &&
           !std::filesystem::equivalent(path, prefix + "/lib/hiplz/clang/clang++", error);
  };
  if (program.find('/') != program.npos)
    return isProgram(program) ? program : std::string();
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string candidate = folder + "/" + program; !folder.empty() && isProgram(candidate))
      return candidate;
  return {};
}

std::string findClang(const std::string &prefix) {
  if (const std::string wish = envString(EnvVar::HIPLZ_CLANG); !wish.empty())
    return findProgram(wish, prefix);
  if (const char *folder = std::getenv("HIP_CLANG_PATH"); folder && *folder)
    if (std::string found = findProgram(std::string(folder) + "/clang++", prefix); !found.empty())
      return found;
  for (const char *candidate : {HIPLZ_CONFIGURED_CLANG, "clang++-" HIPLZ_CLANG_MAJOR, "clang++"})
    if (std::string found = findProgram(candidate, prefix); !found.empty())
      return found;
  return {};
}

} // namespace hiplz
