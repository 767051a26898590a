// SPDX-License-Identifier: MIT
// Regular expressions for the names of kernels. In a source of its own, because each one that uses std::regex compiles all of it, which
// takes longer than the rest.
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace hiplz {

class NamePattern {
public:
  /// ECMAScript's grammar. Throws std::invalid_argument with what is wrong.
  explicit NamePattern(const std::string &expression);
  /// True if a part of the name matches.
  bool isIn(std::string_view name) const;

private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

} // namespace hiplz
