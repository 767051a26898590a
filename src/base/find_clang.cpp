// SPDX-License-Identifier: MIT
#include "base/find_clang.h"
#include "base/env.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace hiplz {

namespace {

/// The first line that `program --version` prints.
std::string versionLine(const std::string &program) {
  std::string command = "'";
  for (const char c : program)
    command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE *output = popen((command + "' --version 2>/dev/null").c_str(), "r");
  std::string text;
  for (int c = 0; output && (c = std::fgetc(output)) != EOF && c != '\n';)
    text += static_cast<char>(c);
  if (output)
    pclose(output);
  return text;
}

/// Empty if the link-time passes fit the clang++, else what it is. They are a plug-in of one version of LLVM.
std::string misfit(const std::string &program) {
  std::error_code error;
  if (std::filesystem::equivalent(program, HIPLZ_CONFIGURED_CLANG, error))
    return {};
  const std::string line = versionLine(program);
  constexpr char kClang[] = "clang version ";
  const size_t at = line.find(kClang);
  if (at == line.npos)
    return line.empty() ? "it says no version" : "it is " + line;
  const std::string version = line.substr(at + sizeof kClang - 1);
  return version.starts_with(HIPLZ_CLANG_MAJOR ".") ? std::string()
                                                    : "it is clang " + version.substr(0, version.find(' '));
}

} // namespace

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

FoundClang findClang(const std::string &prefix) {
  constexpr char kNeeded[] = "this HIPLZ needs clang " HIPLZ_CLANG_MAJOR ", the version that it was built with";
  constexpr char kRemedy[] =
      "; install clang-" HIPLZ_CLANG_MAJOR ", or let HIPLZ_CLANG name a clang++ of version " HIPLZ_CLANG_MAJOR;
  if (const std::string wish = envString(EnvVar::HIPLZ_CLANG); !wish.empty()) {
    const std::string found = findProgram(wish, prefix);
    const std::string why = found.empty() ? "there is no such program" : misfit(found);
    return why.empty() ? FoundClang{found, {}}
                       : FoundClang{{}, std::string(kNeeded) + "; HIPLZ_CLANG is " + wish + ", but " + why};
  }
  std::string others; // what was found and does not fit
  auto fits = [&](const std::string &found) {
    const std::string why = found.empty() ? std::string() : misfit(found);
    if (!why.empty())
      others += "; found " + found + ", but " + why;
    return !found.empty() && why.empty();
  };
  if (const char *folder = std::getenv("HIP_CLANG_PATH"); folder && *folder)
    if (std::string found = findProgram(std::string(folder) + "/clang++", prefix); fits(found))
      return {found, {}};
  for (const char *candidate : {HIPLZ_CONFIGURED_CLANG, "clang++-" HIPLZ_CLANG_MAJOR, "clang++"})
    if (std::string found = findProgram(candidate, prefix); fits(found))
      return {found, {}};
  return {{}, kNeeded + (others.empty() ? "; none was found" : others) + kRemedy};
}

} // namespace hiplz
