// SPDX-License-Identifier: MIT
// See system_file.h.
#include "base/system_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

namespace hiplz {

std::string systemText(const std::string &path, size_t most) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return text;
  std::array<char, 4096> piece;
  while (text.size() < most) {
    const ssize_t count = ::read(file, piece.data(), std::min(piece.size(), most - text.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    text.append(piece.data(), static_cast<size_t>(count));
  }
  ::close(file);
  return text;
}

std::string_view nextPart(std::string_view &text, char end) {
  const size_t size = std::min(text.size(), text.find(end));
  const std::string_view part = text.substr(0, size);
  text.remove_prefix(std::min(text.size(), size + 1));
  return part;
}

std::optional<uint64_t> numberAt(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
    return std::nullopt;
  return value;
}

} // namespace hiplz
