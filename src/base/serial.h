// SPDX-License-Identifier: MIT
// Numbers, strings and bytes one after the other, strings after their length: how results are kept in the disk caches.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace hiplz {

class SerialWriter {
public:
  void number(uint64_t value) { append(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    append(value.data(), value.size());
  }
  void append(const void *data, size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    body.insert(body.end(), first, first + size);
  }
  std::vector<std::byte> body;
};

/// Reads what SerialWriter wrote. After a read past the end, everything is empty and good() is false.
class SerialReader {
public:
  explicit SerialReader(std::span<const std::byte> bytes) : bytes_(bytes), whole_(bytes.size()) {}
  bool good() const { return good_; }
  uint64_t number() {
    uint64_t value = 0;
    if (const std::byte *at = take(sizeof value))
      std::memcpy(&value, at, sizeof value);
    return value;
  }
  uint32_t number32() { return static_cast<uint32_t>(number()); }
  /// A number of things that follow. More than kMaxCount are taken for damage.
  uint64_t count() {
    const uint64_t value = number();
    good_ &= value <= kMaxCount;
    return good_ ? value : 0;
  }
  /// Points into the bytes that are read.
  std::string_view text() {
    const uint64_t size = number();
    const std::byte *at = take(size);
    return at ? std::string_view(reinterpret_cast<const char *>(at), size) : std::string_view();
  }

  /// Points into the bytes that are read.
  std::span<const std::byte> bytes(uint64_t size) {
    const std::byte *at = take(size);
    return at ? std::span(at, size) : std::span<const std::byte>();
  }
  /// Goes on at the next multiple from the beginning.
  void align(size_t multiple) {
    if (const size_t over = (whole_ - bytes_.size()) % multiple)
      take(multiple - over);
  }

private:
  static constexpr uint64_t kMaxCount = 1u << 20;
  const std::byte *take(uint64_t size) {
    good_ &= size <= bytes_.size();
    if (!good_)
      return nullptr;
    const std::byte *at = bytes_.data();
    bytes_ = bytes_.subspan(size);
    return at;
  }
  std::span<const std::byte> bytes_; // that are left
  size_t whole_;
  bool good_ = true;
};

} // namespace hiplz
