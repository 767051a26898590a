// SPDX-License-Identifier: MIT
// Parsing of the environment variables of env_vars.def.
#include "base/env.h"
#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <iterator>

namespace hiplz {
namespace {

constexpr EnvVarInfo kVars[] = {
#define HIPLZ_ENV(name, kind, allowed, defaultValue, doc) {#name, EnvKind::kind, allowed, defaultValue, doc},
#include "base/env_vars.def"
#undef HIPLZ_ENV
};

/// Takes what stands before the separator off the beginning of the text.
std::string_view takeUntil(std::string_view &text, char separator) {
  const std::string_view word = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

bool isOneOf(std::string_view word, std::string_view words) {
  while (!words.empty())
    if (takeUntil(words, ' ') == word)
      return true;
  return false;
}

bool areAll(std::string_view list, std::string_view words) {
  while (!list.empty())
    if (!isOneOf(takeUntil(list, ','), words))
      return false;
  return true;
}

constexpr std::string_view kOn = "1 on yes true", kOff = "0 off no false";

std::optional<uint64_t> parseNumber(std::string_view text) {
  uint64_t number = 0;
  const char *last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, number);
  unsigned shift = 0;
  if (error == std::errc() && end + 1 == last) {
    switch (*end) {
    case 'k':
    case 'K': shift = 10; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    default: return std::nullopt;
    }
    ++end;
  }
  if (error != std::errc() || end != last || (number << shift) >> shift != number)
    return std::nullopt;
  return number << shift;
}

bool isInRange(std::string_view text, std::string_view range) {
  const auto number = parseNumber(text);
  if (!number || range.empty())
    return number.has_value();
  return *number >= *parseNumber(takeUntil(range, ' ')) && *number <= *parseNumber(range);
}

bool isWellFormed(const EnvVarInfo &info, std::string_view value) {
  switch (info.kind) {
  case EnvKind::text: return true;
  case EnvKind::flag: return isOneOf(value, kOn) || isOneOf(value, kOff);
  case EnvKind::number: return isInRange(value, info.allowed);
  case EnvKind::word: return isOneOf(value, info.allowed);
  case EnvKind::words: return areAll(value, info.allowed);
  }
  return false;
}

std::string expected(const EnvVarInfo &info) {
  std::string list;
  std::string_view allowed = info.allowed;
  switch (info.kind) {
  case EnvKind::flag: return "0 or 1";
  case EnvKind::number:
    if (allowed.empty())
      return "a number, perhaps with K, M or G behind it";
    list = takeUntil(allowed, ' ');
    return "a number from " + list + " to " + std::string(allowed);
  default:
    while (!allowed.empty())
      list += (list.empty() ? "" : ", ") + std::string(takeUntil(allowed, ' '));
    return (info.kind == EnvKind::word ? "one of " : "some of ") + list;
  }
}

} // namespace

const EnvVarInfo &envVarInfo(EnvVar var) { return kVars[static_cast<unsigned>(var)]; }

unsigned envVarCount() { return std::size(kVars); }

std::string envString(EnvVar var) {
  const EnvVarInfo &info = envVarInfo(var);
  const char *value = ::secure_getenv(info.name);
  if (!value || (!*value && info.kind != EnvKind::text))
    return info.defaultValue;
  if (isWellFormed(info, value))
    return value;
  static std::atomic<bool> reported[std::size(kVars)]; // once: some variables are read again and again
  if (!reported[static_cast<unsigned>(var)].exchange(true))
    HIPLZ_LOG_ERROR("%s=%s is ignored; it must be %s", info.name, value, expected(info).c_str());
  return info.defaultValue;
}

bool envIsSet(EnvVar var) { return std::getenv(envVarInfo(var).name) != nullptr; }

std::optional<uint64_t> envNumber(EnvVar var) { return parseNumber(envString(var)); }

bool envFlag(EnvVar var) { return isOneOf(envString(var), kOn); }

} // namespace hiplz
