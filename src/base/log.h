// SPDX-License-Identifier: MIT
// The log: sentences for people on standard error, silent unless HIPLZ_LOG asks for them. Test harnesses and build
// systems read standard error of programs, so by default the only line written there is that a device is lost.
//
// A line belongs to the category of the folder that its source file is in (log_categories.def), so no call names one.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace hiplz {

enum class LogLevel : unsigned char { off, error, info, debug, trace };

enum class LogCategory : unsigned char {
#define HIPLZ_LOG_CATEGORY(name, doc) name,
#include "base/log_categories.def"
};

/// Name and description of a category, as the documentation test shows them.
struct LogCategoryInfo {
  const char *name;
  const char *doc;
};
inline constexpr LogCategoryInfo kLogCategories[] = {
#define HIPLZ_LOG_CATEGORY(name, doc) {#name, doc},
#include "base/log_categories.def"
};

/// The level of a number of AMD_LOG_LEVEL.
LogLevel logLevelOfAmd(unsigned long number);

/// Sets the level of all categories, instead of what the environment asks for.
void setLogLevel(LogLevel level);

/// The level of each category.
using LogLevels = std::array<LogLevel, std::size(kLogCategories)>;

/// Reads a value of HIPLZ_LOG: entries with commas between them, each a level for all categories that are not named, or
/// category=level; of several, the last one counts. `bad` receives the entries that are neither.
LogLevels parseLogLevels(std::string_view text, std::string &bad);

/// The level that HIPLZ_LOG asks for, read once.
LogLevel logLevel(LogCategory category);

/// The category of a source file, from its path.
consteval LogCategory logCategoryOf(std::string_view file) {
#define HIPLZ_LOG_FOLDER(path, category)                                                                               \
  if (file.find(path) != file.npos)                                                                                    \
    return LogCategory::category;
#include "base/log_categories.def"
  return LogCategory::other;
}

/// Writes one line "hiplz: <text>" to standard error with a single write; thread-safe, lines are never torn.
void logLine(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace hiplz

// The arguments are evaluated only if the level is on.
#define HIPLZ_LOG_AT(level, ...)                                                                                       \
  do {                                                                                                                 \
    if (::hiplz::logLevel(::hiplz::logCategoryOf(__FILE__)) >= ::hiplz::LogLevel::level) [[unlikely]]                  \
      ::hiplz::logLine(__VA_ARGS__);                                                                                   \
  } while (0)
#define HIPLZ_LOG_ERROR(...) HIPLZ_LOG_AT(error, __VA_ARGS__)
#define HIPLZ_LOG_INFO(...) HIPLZ_LOG_AT(info, __VA_ARGS__)
#define HIPLZ_LOG_DEBUG(...) HIPLZ_LOG_AT(debug, __VA_ARGS__)
