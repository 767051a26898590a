// SPDX-License-Identifier: MIT
#include "tools/offload_bundler/bundler_line.h"
#include "tools/hipcc/arguments.h"

#include <algorithm>
#include <string_view>

namespace hiplz {

namespace {

// The value behind "-name=" or "--name=", null if the argument is something else.
const char *valueOf(const std::string &argument, std::string_view name) {
  std::string_view text = argument;
  text.remove_prefix(text.starts_with("--") ? 1 : 0);
  const bool is =
      text.starts_with('-') && text.substr(1).starts_with(name) && text.substr(1 + name.size()).starts_with('=');
  return is ? argument.c_str() + argument.find('=') + 1 : nullptr;
}

} // namespace

BundlerLine::BundlerLine(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

std::vector<std::string> BundlerLine::deviceFiles() const {
  std::vector<std::string> targets, inputs, files;
  for (const std::string &argument : arguments_) {
    if (argument == "-unbundle" || argument == "--unbundle" || argument == "-list" || argument == "--list")
      return {};
    if (const char *names = valueOf(argument, "targets"))
      targets = hipcc::splitNames(names);
    else if (const char *input = valueOf(argument, "input"))
      inputs.emplace_back(input);
  }
  for (size_t i = 0; i < std::min(targets.size(), inputs.size()); ++i)
    if (targets[i].starts_with("hip"))
      files.push_back(inputs[i]);
  return files;
}

void BundlerLine::add(const std::string &target, const std::string &file) {
  for (std::string &argument : arguments_)
    if (valueOf(argument, "targets"))
      argument += "," + target;
  arguments_.push_back("-input=" + file);
}

} // namespace hiplz
