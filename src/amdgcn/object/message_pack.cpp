// SPDX-License-Identifier: MIT
// See message_pack.h. Documents come from files that may be damaged: depth and size are bounded.
#include "amdgcn/object/message_pack.h"

namespace hiplz::amdgcn {
namespace {

constexpr int kMaxDepth = 16;

class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool read(PackedValue &value, int depth) {
    using Kind = PackedValue::Kind;
    uint64_t code;
    if (depth > kMaxDepth || !number(1, code))
      return false;
    if (code < 0x80 || code >= 0xe0) {
      value.kind = Kind::number;
      value.number = code < 0x80 ? code : code | ~uint64_t{0xff};
      return true;
    }
    if (code < 0x90)
      return readMap(value, code & 0xf, depth);
    if (code < 0xa0)
      return readList(value, code & 0xf, depth);
    if (code < 0xc0)
      return readText(value, code & 0x1f);
    uint64_t size = 0;
    switch (code) {
    case 0xc0: return true;
    case 0xc2:
    case 0xc3:
      value.kind = Kind::boolean;
      value.number = code & 1;
      return true;
    case 0xc4:
    case 0xc5:
    case 0xc6: return number(size_t{1} << (code - 0xc4), size) && readText(value, size);
    case 0xca: // floating-point numbers: their bits
    case 0xcb: value.kind = Kind::number; return number(code == 0xca ? 4 : 8, value.number);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf: value.kind = Kind::number; return number(size_t{1} << (code - 0xcc), value.number);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return readSigned(value, size_t{1} << (code - 0xd0));
    case 0xd9:
    case 0xda:
    case 0xdb: return number(size_t{1} << (code - 0xd9), size) && readText(value, size);
    case 0xdc:
    case 0xdd: return number(code == 0xdc ? 2 : 4, size) && readList(value, size, depth);
    case 0xde:
    case 0xdf: return number(code == 0xde ? 2 : 4, size) && readMap(value, size, depth);
    default: return false;
    }
  }

private:
  bool number(size_t size, uint64_t &value) {
    if (bytes_.size() < size)
      return false;
    value = 0;
    for (std::byte byte : bytes_.first(size))
      value = value << 8 | static_cast<uint64_t>(byte);
    bytes_ = bytes_.subspan(size);
    return true;
  }

  bool readSigned(PackedValue &value, size_t size) {
    value.kind = PackedValue::Kind::number;
    if (!number(size, value.number))
      return false;
    const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
    value.number = static_cast<uint64_t>(static_cast<int64_t>(value.number << unused) >> unused);
    return true;
  }

  bool readText(PackedValue &value, uint64_t size) {
    if (size > bytes_.size())
      return false;
    value.kind = PackedValue::Kind::text;
    value.text.assign(reinterpret_cast<const char *>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return true;
  }

  bool readList(PackedValue &value, uint64_t size, int depth) {
    if (size > bytes_.size()) // an element has at least a byte
      return false;
    value.kind = PackedValue::Kind::list;
    value.list.resize(size);
    for (PackedValue &element : value.list)
      if (!read(element, depth + 1))
        return false;
    return true;
  }

  bool readMap(PackedValue &value, uint64_t size, int depth) {
    if (size > bytes_.size() / 2)
      return false;
    value.kind = PackedValue::Kind::map;
    value.list.resize(size);
    for (PackedValue &element : value.list) {
      PackedValue key;
      if (!read(key, depth + 1) || !read(element, depth + 1))
        return false;
      value.keys.push_back(std::move(key.text));
    }
    return true;
  }

  std::span<const std::byte> bytes_;
};

} // namespace

const PackedValue &PackedValue::operator[](std::string_view key) const {
  static const PackedValue nothing;
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key)
      return list[i];
  return nothing;
}

std::optional<PackedValue> readMessagePack(std::span<const std::byte> bytes) {
  PackedValue value;
  if (!Reader(bytes).read(value, 0))
    return std::nullopt;
  return value;
}

} // namespace hiplz::amdgcn
