// SPDX-License-Identifier: MIT
// The command line by which clang calls its bundler.
#pragma once
#include <string>
#include <vector>

namespace hiplz {

/// The arguments of one run of clang-offload-bundler, without its name.
class BundlerLine {
public:
  explicit BundlerLine(std::vector<std::string> arguments);

  /// Files that are to become device code of a fat binary; none if bundles are taken apart or made from something else.
  std::vector<std::string> deviceFiles() const;

  /// Puts one more file into the bundle.
  void add(const std::string &target, const std::string &file);

  const std::vector<std::string> &arguments() const { return arguments_; }

private:
  std::vector<std::string> arguments_;
};

} // namespace hiplz
