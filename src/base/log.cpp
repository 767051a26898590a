// SPDX-License-Identifier: MIT
// One line, one write(2), so that lines of several threads and processes do not mix.
#include "base/log.h"
#include "base/cancellation.h"
#include "base/env.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <unistd.h>

namespace hiplz {

namespace {

std::optional<LogLevel> levelNamed(std::string_view name) {
  if (name == "1")
    return LogLevel::info;
  static constexpr std::string_view kNames[] = {"off", "error", "info", "debug", "trace"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames))
    return std::nullopt;
  return static_cast<LogLevel>(found - std::begin(kNames));
}

std::optional<size_t> categoryNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(kLogCategories); ++i)
    if (name == kLogCategories[i].name)
      return i;
  return std::nullopt;
}

// Not by envNumber(), which would log a malformed number.
LogLevel levelOfAmd() {
  const std::string text = envString(EnvVar::AMD_LOG_LEVEL);
  unsigned number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ptr != text.data() + text.size())
    return LogLevel::off;
  return logLevelOfAmd(number);
}

constexpr int kFromEnvironment = -1;
std::atomic<int> levelOfAll{kFromEnvironment}; // else a LogLevel

} // namespace

LogLevel logLevelOfAmd(unsigned long number) {
  constexpr LogLevel kLevels[] = {LogLevel::off, LogLevel::error, LogLevel::info, LogLevel::debug};
  return kLevels[std::min<size_t>(number, std::size(kLevels) - 1)];
}

void setLogLevel(LogLevel level) { levelOfAll.store(static_cast<int>(level), std::memory_order_relaxed); }

LogLevels parseLogLevels(std::string_view text, std::string &bad) {
  LogLevel rest = LogLevel::off;
  std::array<std::optional<LogLevel>, std::size(kLogCategories)> named;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const size_t equals = entry.find('=');
    const auto level = levelNamed(equals == entry.npos ? entry : entry.substr(equals + 1));
    const auto category = equals == entry.npos ? std::nullopt : categoryNamed(entry.substr(0, equals));
    if (level && category)
      named[*category] = level;
    else if (level && equals == entry.npos)
      rest = *level;
    else if (!entry.empty())
      bad += (bad.empty() ? "" : ", ") + std::string(entry);
  }
  LogLevels levels;
  std::transform(named.begin(), named.end(), levels.begin(), [&](const auto &level) { return level.value_or(rest); });
  return levels;
}

LogLevel logLevel(LogCategory category) {
  if (const int level = levelOfAll.load(std::memory_order_relaxed); level != kFromEnvironment) [[unlikely]]
    return static_cast<LogLevel>(level);
  static const LogLevels levels = [] {
    if (!envIsSet(EnvVar::HIPLZ_LOG)) {
      LogLevels all;
      all.fill(levelOfAmd());
      return all;
    }
    std::string bad;
    const LogLevels read = parseLogLevels(envString(EnvVar::HIPLZ_LOG), bad);
    if (!bad.empty())
      logLine("HIPLZ_LOG: ignored, neither a level nor category=level: %s", bad.c_str());
    return read;
  }();
  return levels[static_cast<size_t>(category)];
}

/// Names come from modules, which anybody may have made: control characters are written as numbers (\x1b).
static void escapeControls(std::string &line) {
  const auto isControl = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; };
  if (std::none_of(line.begin(), line.end(), isControl))
    return;
  std::string escaped;
  for (const char c : line) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (isControl(byte))
      escaped += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    else
      escaped += c;
  }
  line = std::move(escaped);
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
  escapeControls(line);
  line += '\n';
  // A closed standard error is the user's choice; there is nobody left to tell.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

} // namespace hiplz
