// SPDX-License-Identifier: MIT
// Bounds-checked reading of little-endian integers and of parts of a span.
#pragma once
#include "base/parse_error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hiplz {

/// A cursor over bytes; every read throws ParseError instead of leaving the span.
class ByteReader {
public:
  /// `what` names the thing that is read, for the sentence; it must outlive the reader.
  ByteReader(std::span<const std::byte> bytes, const char *what) : bytes_(bytes), what_(what) {}

  template <class Integer> Integer read() {
    Integer value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take(uint64_t count) {
    if (count > bytes_.size() - at_)
      throw ParseError(std::string(what_) + " ends after " + std::to_string(bytes_.size()) + " bytes, in the middle");
    auto part = bytes_.subspan(at_, count);
    at_ += count;
    return part;
  }
  size_t position() const { return at_; }

private:
  std::span<const std::byte> bytes_;
  const char *what_;
  size_t at_ = 0;
};

inline bool startsWith(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

} // namespace hiplz
