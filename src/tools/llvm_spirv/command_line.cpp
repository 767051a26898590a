// SPDX-License-Identifier: MIT
#include "command_line.h"
#include "spirv_target.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace hiplz::spirv {

constexpr std::string_view kVersion = "--spirv-max-version=1.3";

static std::string extensions() {
  std::string option = "--spirv-ext=-all";
  for (const char *name : kExtensionNames)
    option += std::string(",+") + name;
  return option;
}

static bool isOption(std::string_view argument, std::string_view name) {
  if (argument.starts_with("--"))
    argument.remove_prefix(1);
  return argument.starts_with(name) && (argument.size() == name.size() || argument[name.size()] == '=');
}

CommandLine rewriteCommandLine(const std::vector<std::string> &arguments) {
  CommandLine line;
  bool binary = true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (isOption(argument, "-spirv-max-version")) {
      line.arguments.emplace_back(kVersion);
    } else if (isOption(argument, "-spirv-ext")) {
      line.arguments.push_back(extensions());
    } else {
      line.arguments.push_back(argument);
      if (argument == "-o" && i + 1 < arguments.size())
        line.arguments.push_back(line.output = arguments[++i]);
      else if (argument.starts_with("-o="))
        line.output = argument.substr(3);
      else if (argument == "-r" || isOption(argument, "-to-text") || isOption(argument, "-spirv-text"))
        binary = false;
    }
  }
  if (!binary || line.output == "-")
    line.output.clear();
  return line;
}

static bool isUsable(const std::string &path, const std::string &self) {
  if (access(path.c_str(), X_OK) != 0)
    return false;
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) && resolved != self;
}

std::string findTranslator(const std::string &self) {
  if (const char *chosen = std::getenv("HIPLZ_LLVM_SPIRV"); chosen && *chosen)
    return isUsable(chosen, self) ? chosen : "";
  if (isUsable(HIPLZ_LLVM_SPIRV, self))
    return HIPLZ_LLVM_SPIRV;
  const char *path = std::getenv("PATH");
  for (const char *name : {"llvm-spirv-" HIPLZ_LLVM_VERSION, "llvm-spirv"}) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (std::string candidate = folder + "/" + name; isUsable(candidate, self))
        return candidate;
  }
  return "";
}

} // namespace hiplz::spirv
