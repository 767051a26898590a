// SPDX-License-Identifier: MIT
#include "tools/prefix.h"

#include "base/env.h"
#include "hip/hip_version.h"
#include "hiplz/version.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace hiplz {

namespace {

// The clang++ of the prefix runs the one that is looked for here, and hipcc, so it must not be what is found.
bool isOurOwn(const std::string &path) {
  std::error_code error;
  return std::filesystem::equivalent(path, installedPrefix() + "/lib/hiplz/clang/clang++", error);
}

bool isProgram(const std::string &path) { return !path.empty() && access(path.c_str(), X_OK) == 0 && !isOurOwn(path); }

std::string findInPath(const std::string &program) {
  if (program.find('/') != program.npos)
    return isProgram(program) ? program : std::string();
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string candidate = folder + "/" + program; !folder.empty() && isProgram(candidate))
      return candidate;
  return {};
}

} // namespace

std::string installedPrefix() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = program.parent_path(), above = folder.parent_path();
  return folder.filename() == "clang" ? above.parent_path().parent_path().string() : above.string();
}

std::string findClang() {
  if (const std::string wish = envString(EnvVar::HIPLZ_CLANG); !wish.empty())
    return findInPath(wish);
  if (const char *folder = std::getenv("HIP_CLANG_PATH"); folder && *folder)
    if (std::string candidate = std::string(folder) + "/clang++"; isProgram(candidate))
      return candidate;
  for (const char *candidate : {HIPLZ_CONFIGURED_CLANG, "clang++-" HIPLZ_CLANG_MAJOR, "clang++"})
    if (std::string found = findInPath(candidate); !found.empty())
      return found;
  return {};
}

std::string findClangFolder() {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(findClang(), error);
  return error ? std::string() : real.parent_path().string();
}

std::string findOcloc() {
  const std::string wish = envString(EnvVar::HIPLZ_OCLOC);
  return findInPath(wish.empty() ? "ocloc" : wish);
}

std::string hipVersionText() {
  std::ostringstream text;
  text << HIP_VERSION_MAJOR << '.' << HIP_VERSION_MINOR << '.' << HIP_VERSION_PATCH << "-hiplz" HIPLZ_VERSION_STRING;
  return text.str();
}

} // namespace hiplz
