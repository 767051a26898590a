// SPDX-License-Identifier: MIT
// See host_stack.h.
#include "base/host_stack.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <string_view>
#include <unwind.h>

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

/// A stack, and where on it the return addresses are.
struct KnownStack {
  HostStack stack;
  std::array<void *const *, kMostFrames> places{};
};

/// The last ones of a thread, for which nothing has to be unwound: that takes more than a microsecond.
struct KnownStacks {
  std::array<KnownStack, 8> all{};
  uint32_t next = 0;
};
thread_local KnownStacks lastStacks; // without a destructor: threads may call until they end

struct Unwinding {
  void *const *first; ///< where the innermost return address is
  KnownStack *found;
};

_Unwind_Reason_Code addFrame(_Unwind_Context *context, void *argument) {
  auto &[first, found] = *static_cast<Unwinding *>(argument);
  uint32_t &count = found->stack.count;
  void *const *const place = reinterpret_cast<void *const *>(_Unwind_GetCFA(context)) - 1;
  if (!count && place != first)
    return _URC_NO_REASON; // in here
  auto *const address = reinterpret_cast<void *>(_Unwind_GetIP(context));
  if (!address)
    return _URC_END_OF_STACK;
  found->places[count] = place;
  found->stack.frames[count++] = address;
  return count == kMostFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// Frames may have anything in these places by now, and all of it is read as numbers.
__attribute__((no_sanitize("address"))) bool isStill(const KnownStack &known, void *const *first) {
  if (known.places[0] != first || !known.stack.count)
    return false;
  for (uint32_t i = 0; i < known.stack.count; ++i)
    if (*known.places[i] != known.stack.frames[i])
      return false;
  return true;
}

} // namespace

// All return addresses are where they were the last time. The functions between them are the same then.
[[gnu::noinline]] HostStack hostStack() {
  void *const *const first = static_cast<void *const *>(__builtin_dwarf_cfa()) - 1;
  for (const KnownStack &each : lastStacks.all)
    if (isStill(each, first))
      return each.stack;
  KnownStack &made = lastStacks.all[lastStacks.next++ % lastStacks.all.size()];
  made.stack.count = 0;
  Unwinding unwinding{first, &made};
  _Unwind_Backtrace(addFrame, &unwinding);
  return made.stack;
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
