// SPDX-License-Identifier: MIT
#include "tools/prefix.h"

#include "base/env.h"
#include "hip/hip_version.h"
#include "hiplz/version.h"

#include <filesystem>
#include <sstream>

namespace hiplz {

std::string installedPrefix() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = program.parent_path(), above = folder.parent_path();
  return folder.filename() == "clang" ? above.parent_path().parent_path().string() : above.string();
}

FoundClang findClang() { return findClang(installedPrefix()); }

std::string findClangFolder() {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(findClang().path, error);
  return error ? std::string() : real.parent_path().string();
}

std::string findOcloc() {
  const std::string wish = envString(EnvVar::HIPLZ_OCLOC);
  return findProgram(wish.empty() ? "ocloc" : wish, installedPrefix());
}

std::string hipVersionText() {
  std::ostringstream text;
  text << HIP_VERSION_MAJOR << '.' << HIP_VERSION_MINOR << '.' << HIP_VERSION_PATCH << "-hiplz" HIPLZ_VERSION_STRING;
  return text.str();
}

} // namespace hiplz
