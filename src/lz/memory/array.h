// SPDX-License-Identifier: MIT
// The object behind hipArray_t: elements of one channel format in device memory, in one, two or three dimensions, with layers
// or faces as the last one. The memory is linear, rows are padded: a texture reads it through a descriptor in memory
// (texture/texture.h) on every device, so copies to and from it are ordinary copies of regions, and a surface that writes and
// a texture that reads the same array agree without any conversion.
#pragma once
#include "lz/core/error.h"

#include <cstddef>
#include <memory>

namespace hiplz {

class LZDevice;

/// Immutable after construction; any thread may use it. A level of a mipmapped array is an LZArray that keeps the memory
/// of the whole alive.
class LZArray {
public:
  /// Extents as HIP counts them: in elements, 0 for a dimension that the array does not have. With hipArrayLayered or
  /// hipArrayCubemap, depth is the number of layers or faces.
  struct Shape {
    hipChannelFormatDesc format{};
    size_t width = 0, height = 0, depth = 0;
    unsigned flags = hipArrayDefault;
  };

  /// Allocates the memory. Throws HipError (hipErrorInvalidValue for a format or a shape that HIP
  /// does not know or that is larger than texture_limits.h allows, hipErrorOutOfMemory).
  LZArray(LZDevice &device, const Shape &shape);
  LZArray(const LZArray &) = delete;
  LZArray &operator=(const LZArray &) = delete;
  /// Frees the memory if it is the last user; nothing may be using it any more.
  ~LZArray();

  LZDevice &device() const { return device_; }
  const Shape &shape() const { return shape_; }
  /// True if it is a level of a mipmapped array, which destroys it.
  bool isLevel() const { return isLevel_; }
  /// Bytes of an element: of all its channels.
  size_t elementBytes() const { return elementBytes_; }
  /// Rows and slices that are there in memory: at least 1.
  size_t rows() const { return shape_.height ? shape_.height : 1; }
  size_t slices() const { return shape_.depth ? shape_.depth : 1; }
  /// Bytes from one row to the next, and from one slice, layer or face to the next.
  size_t rowPitch() const { return rowPitch_; }
  size_t slicePitch() const { return rowPitch_ * rows(); }
  size_t bytes() const { return slicePitch() * slices(); }
  std::byte *memory() const { return memory_; }
  /// Where the element begins whose x counts in bytes, as HIP's copies count it.
  std::byte *at(size_t xBytes, size_t y, size_t z) const { return memory_ + z * slicePitch() + y * rowPitch_ + xBytes; }

private:
  friend class LZMipmappedArray;
  struct Level {
    explicit Level() = default;
  };

public:
  /// For LZMipmappedArray: a level in memory that is there already, or none yet.
  LZArray(Level, LZDevice &device, const Shape &shape, std::shared_ptr<std::byte> memory);

private:
  static std::shared_ptr<std::byte> allocateFor(LZDevice &device, size_t bytes);

  LZDevice &device_; // non-owning
  Shape shape_;
  size_t elementBytes_ = 0;
  size_t rowPitch_ = 0;
  bool isLevel_ = false;
  std::shared_ptr<std::byte> owner_;
  std::byte *memory_ = nullptr;
};

} // namespace hiplz
