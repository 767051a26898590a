// SPDX-License-Identifier: MIT
// One line, one write(2), so that lines of several threads and processes do not mix.
#include "base/log.h"
#include "base/cancellation.h"
#include "base/env.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace hiplz {

LogLevel logLevel() {
  static const LogLevel level = [] {
    std::string value = envString(EnvVar::HIPLZ_LOG);
    if (value == "error")
      return LogLevel::error;
    if (value == "info" || value == "1")
      return LogLevel::info;
    if (value == "debug")
      return LogLevel::debug;
    if (envIsSet(EnvVar::HIPLZ_LOG))
      return LogLevel::off;
    switch (std::min<uint64_t>(envNumber(EnvVar::AMD_LOG_LEVEL).value_or(0), 3)) {
    case 0: return LogLevel::off;
    case 1: return LogLevel::error;
    case 2: return LogLevel::info;
    default: return LogLevel::debug;
    }
  }();
  return level;
}

void logLine(const char *format, ...) {
  const CancellationOff notNow;
  static constexpr char kPrefix[] = "hiplz: ";
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string line = kPrefix;
  if (length > 0) {
    line.resize(line.size() + length + 1);
    std::vsnprintf(line.data() + sizeof(kPrefix) - 1, length + 1, format, again);
    line.pop_back();
  }
  va_end(again);
  line += '\n';
  // A closed standard error is the user's choice; there is nobody left to tell.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

} // namespace hiplz
