// SPDX-License-Identifier: MIT
// See host_stack.h.
#include "base/host_stack.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <memory>
#include <string_view>

namespace hiplz {
namespace {

std::string_view fileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool isOurs(std::string_view file) {
  for (const std::string_view prefix : {"libhiplz", "libze_", "libamdhip64", "libc.so", "libhiprtc"})
    if (file.starts_with(prefix))
      return true;
  return false;
}

std::string demangled(const char *name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

} // namespace

HostStack hostStack() {
  HostStack stack;
  stack.count = static_cast<uint32_t>(::backtrace(stack.frames.data(), static_cast<int>(stack.frames.size())));
  return stack;
}

std::vector<std::string> describe(const HostStack &stack) {
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < stack.count; ++i) {
    // A return address is behind the call; the byte before it belongs to the call's line.
    const char *const call = static_cast<const char *>(stack.frames[i]) - 1;
    Dl_info info{};
    if (!::dladdr(call, &info) || !info.dli_fname || isOurs(fileName(info.dli_fname)))
      continue;
    char offset[32];
    std::snprintf(offset, sizeof offset, "+%#tx", call - static_cast<const char *>(info.dli_fbase));
    lines.push_back((info.dli_sname ? demangled(info.dli_sname) + " (" : std::string("(")) +
                    std::string(fileName(info.dli_fname)) + offset + ")");
  }
  return lines;
}

std::string callerOf(const HostStack &stack) {
  const std::vector<std::string> frames = describe(stack);
  const auto named =
      std::find_if(frames.begin(), frames.end(), [](const std::string &frame) { return frame[0] != '('; });
  if (frames.empty() || named == frames.begin() || named == frames.end())
    return frames.empty() ? "" : frames.front();
  return frames.front() + ", called by " + *named;
}

} // namespace hiplz
