// SPDX-License-Identifier: MIT
// The log: sentences for people on standard error, silent unless HIPLZ_LOG asks for them. Test harnesses and build
// systems read standard error of programs, so by default nothing is written there but that a device is lost.
#pragma once

namespace hiplz {

enum class LogLevel { off, error, info, debug };

/// The level that HIPLZ_LOG asks for, read once.
LogLevel logLevel();

/// Writes one line "hiplz: <text>" to standard error with a single write; thread-safe, lines are never torn.
void logLine(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace hiplz

// The arguments are evaluated only if the level is on.
#define HIPLZ_LOG_AT(level, ...)                                                                                       \
  do {                                                                                                                 \
    if (::hiplz::logLevel() >= ::hiplz::LogLevel::level) [[unlikely]]                                                  \
      ::hiplz::logLine(__VA_ARGS__);                                                                                   \
  } while (0)
#define HIPLZ_LOG_ERROR(...) HIPLZ_LOG_AT(error, __VA_ARGS__)
#define HIPLZ_LOG_INFO(...) HIPLZ_LOG_AT(info, __VA_ARGS__)
#define HIPLZ_LOG_DEBUG(...) HIPLZ_LOG_AT(debug, __VA_ARGS__)
