// SPDX-License-Identifier: MIT
// MessagePack, the format of a code object's metadata, read into a tree. Only what metadata uses: no extension types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::amdgcn {

/// A value of a document. Exactly one of the members has a meaning, by the kind.
struct PackedValue {
  enum class Kind { nothing, boolean, number, text, list, map };
  Kind kind = Kind::nothing;
  uint64_t number = 0; ///< also a boolean; negative numbers in two's complement
  std::string text;
  std::vector<PackedValue> list; ///< also the values of a map, of which
  std::vector<std::string> keys; ///< these are the keys; those that are no texts are empty

  /// The entry of a map with this key, or an empty value.
  const PackedValue &operator[](std::string_view key) const;
};

/// Nothing if the bytes do not begin with a whole document. Never reads beyond the span.
std::optional<PackedValue> readMessagePack(std::span<const std::byte> bytes);

} // namespace hiplz::amdgcn
