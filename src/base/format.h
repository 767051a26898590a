// SPDX-License-Identifier: MIT
// printf into a string, for pictures and reports: libstdc++ 12 has no std::format.
#pragma once
#include <cstdarg>
#include <cstdio>
#include <string>

namespace hiplz {

/// The text of any length that printf would write; empty if the pattern is not one.
[[gnu::format(printf, 1, 2)]] inline std::string format(const char *pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

} // namespace hiplz
