// SPDX-License-Identifier: MIT
#include "base/kernel_name.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace hiplz {

std::string readableKernel(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) // a kernel "a" of C would become a "signed char"
    return std::string(mangled);
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !text)
    return std::string(mangled);
  std::string name = text.get();
  // The parameters begin at the last bracket that opens at depth 0.
  int depth = 0;
  for (size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')')
      ++depth;
    else if (name[at] == '(' && --depth == 0) {
      name.erase(at);
      break;
    }
  }
  return name.starts_with("void ") ? name.substr(5) : name;
}

} // namespace hiplz
