// SPDX-License-Identifier: MIT
#include "base/name_pattern.h"

#include <regex>
#include <stdexcept>

namespace hiplz {

struct NamePattern::Compiled {
  std::regex expression;
};

NamePattern::NamePattern(const std::string &expression) {
  try {
    compiled_ = std::make_shared<const Compiled>(Compiled{std::regex(expression)});
  } catch (const std::regex_error &error) {
    throw std::invalid_argument(error.what());
  }
}

bool NamePattern::isIn(std::string_view name) const {
  return std::regex_search(name.begin(), name.end(), compiled_->expression);
}

} // namespace hiplz
