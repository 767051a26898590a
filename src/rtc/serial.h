// Strings and bytes one after the other, each behind its length: how results are kept in the disk cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::rtc {

class Writer {
public:
  void number(uint64_t value) { append(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    append(value.data(), value.size());
  }
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  void append(const void *data, size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what Writer wrote. After something that is not there, everything is empty and good() is false.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  uint64_t number() {
    uint64_t value = 0;
    if (const std::byte *at = take(sizeof value))
      std::memcpy(&value, at, sizeof value);
    return value;
  }
  /// Points into the bytes that are read.
  std::string_view text() {
    const uint64_t size = number();
    const std::byte *at = take(size);
    return at ? std::string_view(reinterpret_cast<const char *>(at), size) : std::string_view();
  }

private:
  const std::byte *take(uint64_t size) {
    good_ &= size <= bytes_.size();
    if (!good_)
      return nullptr;
    const std::byte *at = bytes_.data();
    bytes_ = bytes_.subspan(size);
    return at;
  }
  std::span<const std::byte> bytes_;
  bool good_ = true;
};

} // namespace hiplz::rtc
