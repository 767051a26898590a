// SPDX-License-Identifier: MIT
// The object behind hipMipmappedArray_t: an array with levels of detail, each half as large as the one before, in one piece of
// memory. The table of levels that kernels look up follows the texels.
#pragma once
#include "lz/memory/array.h"

#include <deque>

namespace hiplz {

/// Immutable after construction; any thread may use it. The base is the public structure, whose fields an application
/// may read.
class LZMipmappedArray : public hipMipmappedArray {
public:
  /// Allocates all levels; at least one. More than it takes to get down to one element are hipErrorInvalidValue.
  /// Throws HipError as LZArray does.
  LZMipmappedArray(LZDevice &device, const LZArray::Shape &shape, unsigned levels);
  LZMipmappedArray(const LZMipmappedArray &) = delete;
  LZMipmappedArray &operator=(const LZMipmappedArray &) = delete;

  /// The levels are handles of the application as long as the mipmapped array is one.
  void addLevelHandles();
  void removeLevelHandles();

  LZDevice &device() const { return levels_.front().device(); }
  const LZArray::Shape &shape() const { return levels_.front().shape(); }
  /// Bytes of all levels with their alignment, which is that of the whole, too.
  size_t bytes() const { return bytes_; }
  static constexpr size_t kAlignment = 256;
  unsigned levels() const { return static_cast<unsigned>(levels_.size()); }
  /// level < levels().
  LZArray &level(unsigned level) { return levels_[level]; }
  /// The device's address of an array of __hiplz_texture_level.
  uint64_t levelTable() const { return levelTable_; }

private:
  std::deque<LZArray> levels_;
  size_t bytes_ = 0;
  uint64_t levelTable_ = 0;
};

} // namespace hiplz
