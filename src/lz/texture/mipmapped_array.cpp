// SPDX-License-Identifier: MIT
// The levels of a mipmapped array.
#include "lz/texture/mipmapped_array.h"
#include "lz/core/handle_table.h"
#include "lz/device/device.h"
#include "lz/memory/channel_format.h"
#include "lz/texture/texture.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace hiplz {
namespace {

// Layers and faces are as many on each level.
LZArray::Shape shapeOfLevel(LZArray::Shape shape, unsigned level) {
  const auto half = [=](size_t extent) { return extent ? std::max<size_t>(extent >> level, 1) : 0; };
  shape.width = half(shape.width);
  shape.height = half(shape.height);
  if (!(shape.flags & (hipArrayLayered | hipArrayCubemap)))
    shape.depth = half(shape.depth);
  return shape;
}

unsigned possibleLevels(const LZArray::Shape &shape) {
  const bool three = !(shape.flags & (hipArrayLayered | hipArrayCubemap));
  return static_cast<unsigned>(std::bit_width(std::max({shape.width, shape.height, three ? shape.depth : 0})));
}

} // namespace

LZMipmappedArray::LZMipmappedArray(LZDevice &device, const LZArray::Shape &shape, unsigned levels)
    : hipMipmappedArray{} {
  const unsigned count = std::max(levels, 1u), possible = std::max(possibleLevels(shape), 1u);
  if (count > possible) // as AMD's library does; CUDA takes as many as there are
    throw HipError(hipErrorInvalidValue, "a mipmapped array of this extent has at most " + std::to_string(possible) +
                                             " levels, not " + std::to_string(levels));
  std::vector<size_t> begins;
  size_t bytes = 0;
  for (unsigned level = 0; level < count; ++level) {
    begins.push_back(bytes);
    bytes += LZArray(LZArray::Level{}, device, shapeOfLevel(shape, level), nullptr).bytes();
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  const std::shared_ptr<std::byte> memory = LZArray::allocateFor(device, bytes + count * sizeof(__hiplz_texture_level));
  std::vector<__hiplz_texture_level> table;
  for (unsigned level = 0; level < count; ++level) {
    LZArray &array = levels_.emplace_back(LZArray::Level{}, device, shapeOfLevel(shape, level),
                                          std::shared_ptr<std::byte>(memory, memory.get() + begins[level]));
    table.push_back(textureLevelOf(array));
  }
  device.copyBlocking(memory.get() + bytes, table.data(), count * sizeof(__hiplz_texture_level));
  bytes_ = bytes;
  levelTable_ = reinterpret_cast<uint64_t>(memory.get() + bytes);

  const ChannelFormat channels = ChannelFormat::from(shape.format);
  this->data = memory.get();
  this->desc = shape.format;
  this->type = hipResourceTypeMipmappedArray;
  this->width = static_cast<unsigned>(shape.width);
  this->height = static_cast<unsigned>(shape.height);
  this->depth = static_cast<unsigned>(shape.depth);
  this->max_mipmap_level = count - 1;
  this->flags = shape.flags;
  this->format = channels.arrayFormat();
  this->num_channels = channels.channels;
}

void LZMipmappedArray::addLevelHandles() {
  try {
    for (LZArray &level : levels_)
      HandleTable<LZArray>::ofProcess().add(level);
  } catch (...) {
    removeLevelHandles();
    throw;
  }
}

void LZMipmappedArray::removeLevelHandles() {
  for (LZArray &level : levels_)
    HandleTable<LZArray>::ofProcess().remove(level);
}

} // namespace hiplz
