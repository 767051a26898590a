// SPDX-License-Identifier: MIT
// The one place through which the runtime calls Level Zero, for the trace (HIPLZ_LOG=ze=trace). libhiplz.so defines the
// functions of the loader that it calls (ze_calls.def), for itself alone, as jumps through a pointer: what the linker
// would have made. So calls cost no more than before, and none can be forgotten. With the first call of a function its
// pointer becomes the loader's function, or if calls are traced, a function that writes a line around it.
//
// This file is linked into libhiplz.so, not into the static library of the Level Zero objects: tests that link the
// latter call the loader, or functions of their own.
#include "base/log.h"
#include "lz/core/error.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <type_traits>

namespace hiplz {
namespace {

void append(std::string &line, const char *format, auto... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  line += text;
}

template <class Value> void describe(std::string &line, const Value &value) {
  if constexpr (std::is_same_v<Value, const char *>)
    line += value ? '"' + std::string(value) + '"' : "null";
  else if constexpr (std::is_pointer_v<Value>)
    value ? append(line, "%p", static_cast<const void *>(value)) : void(line += "null");
  else if constexpr (std::is_enum_v<Value>)
    append(line, "0x%x", static_cast<unsigned>(value));
  else if constexpr (std::is_same_v<Value, uint64_t>) // sizes and timeouts
    value == UINT64_MAX ? void(line += "UINT64_MAX") : append(line, "%" PRIu64, value);
  else if constexpr (std::is_integral_v<Value>)
    append(line, "%u", static_cast<unsigned>(value));
  else
    line += "{...}";
}

/// Appends "name=value", and " -> what it points to" for what the function has written.
template <class Value> void describeArgument(std::string &line, std::string_view &names, Value value, bool written) {
  std::string_view name = names.substr(0, names.find(' '));
  names.remove_prefix(std::min(names.size(), name.size() + 1));
  const bool output = name.starts_with('*');
  name.remove_prefix(output);
  if (line.back() != '(')
    line += ", ";
  line.append(name) += '=';
  describe(line, value);
  if constexpr (std::is_pointer_v<Value>)
    if constexpr (!std::is_void_v<std::remove_pointer_t<Value>> && requires { sizeof *value; })
      if (output && written && value) {
        line += " -> ";
        describe(line, *value);
      }
}

struct CallInfo {
  const char *name;
  const char *parameters; // their names, with spaces between them
};

/// Where the calls of one function go. Thread-safe: threads that make the first call at the same time store the same.
template <const CallInfo &Info, class Function> struct Call;
template <const CallInfo &Info, class... Arguments> struct Call<Info, ze_result_t(Arguments...)> {
  using Pointer = ze_result_t(ZE_APICALL *)(Arguments...);

  static ze_result_t ZE_APICALL first(Arguments... arguments) {
    // As the linker would have found it. An older loader does not have every function.
    auto found = reinterpret_cast<Pointer>(dlsym(RTLD_DEFAULT, Info.name));
    loaders.store(found ? found : missing, std::memory_order_release);
    const bool traces = logLevel(LogCategory::ze) >= LogLevel::trace;
    target.store(traces ? traced : loaders.load(std::memory_order_relaxed), std::memory_order_release);
    return target.load(std::memory_order_relaxed)(arguments...);
  }

  static ze_result_t ZE_APICALL missing(Arguments...) { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

  static ze_result_t ZE_APICALL traced(Arguments... arguments) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const ze_result_t result = loaders.load(std::memory_order_acquire)(arguments...);
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    std::string line = Info.name;
    line += '(';
    std::string_view names = Info.parameters;
    (describeArgument(line, names, arguments, result == ZE_RESULT_SUCCESS), ...);
    logLine("%s) = %s, %.1f us", line.c_str(), zeResultName(result), took.count());
    return result;
  }

  static inline constinit std::atomic<Pointer> loaders{nullptr};
  static inline constinit std::atomic<Pointer> target{first};
};

} // namespace
} // namespace hiplz

#define HIPLZ_ZE(function, names, parameters, arguments)                                                               \
  namespace hiplz {                                                                                                    \
  namespace {                                                                                                          \
  constexpr CallInfo function##Info{#function, names};                                                                 \
  }                                                                                                                    \
  }                                                                                                                    \
  ze_result_t ZE_APICALL function parameters {                                                                         \
    using Called = hiplz::Call<hiplz::function##Info, decltype(function)>;                                             \
    return Called::target.load(std::memory_order_relaxed) arguments;                                                   \
  }
#include "lz/core/ze_calls.def"
