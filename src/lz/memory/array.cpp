// SPDX-License-Identifier: MIT
// The shapes that arrays can have, and their memory.
#include "lz/memory/array.h"
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/memory/channel_format.h"
#include "lz/memory/memory.h"
#include "lz/memory/texture_limits.h"

#include <algorithm>

namespace hiplz {
namespace {

// Of rows: a cache line, so that rows do not share one.
constexpr size_t kRowAlignment = 64;

constexpr unsigned kKnownFlags = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;

void checkShape(const LZArray::Shape &shape) {
  namespace limits = texture_limits;
  const auto refuse = [](const char *why) { throw HipError(hipErrorInvalidValue, why); };
  const auto [format, width, height, depth, flags] = shape;
  const bool layered = flags & hipArrayLayered, cubemap = flags & hipArrayCubemap;
  if (flags & ~kKnownFlags)
    refuse("an array has flags that HIP does not know");
  if (width == 0)
    refuse("the width of an array is zero");
  if (cubemap) {
    if (width != height || width > limits::kCubemap)
      refuse("the faces of a cubemap are squares of at most 32768 elements a side");
    if (layered ? depth == 0 || depth % 6 != 0 || depth / 6 > limits::kLayers : depth != 6)
      refuse("a cubemap has 6 faces, or 6 for each of its layers");
    return;
  }
  if (layered && (depth == 0 || depth > limits::kLayers))
    refuse("a layered array has at least one and at most 2048 layers");
  if (!layered && depth != 0 && height == 0)
    refuse("an array with a depth needs a height");
  if ((flags & hipArrayTextureGather) && (height == 0 || (depth != 0 && !layered)))
    refuse("texture gather needs a two-dimensional array");
  const bool three = depth != 0 && !layered;
  const bool fits = three         ? std::max({width, height, depth}) <= limits::kExtent3D
                    : height != 0 ? width <= limits::kWidth2D && height <= limits::kHeight2D
                                  : width <= limits::kWidth1D;
  if (!fits)
    refuse("an array is larger than the device's limits (hipDeviceProp_t::maxTexture...)");
}

std::shared_ptr<std::byte> allocate(LZDevice &device, size_t bytes) {
  auto *memory = static_cast<std::byte *>(
      allocateMemory(device, MemoryKind::device, bytes, hipDeviceMallocDefault, MemoryOwner::array));
  return {memory, [](std::byte *pointer) {
            if (!runtimeUsable())
              return; // the process ends, or it is a forked child: the drivers are gone
            try {
              freeMemory(pointer, MemoryOwner::array);
            } catch (const HipError &error) {
              HIPLZ_LOG_ERROR("the memory of an array cannot be freed: %s", error.what());
            }
          }};
}

size_t elementBytesOf(const LZArray::Shape &shape) {
  return ChannelFormat::from(shape.format, hipErrorInvalidValue).elementBytes();
}

size_t pitchOf(const LZArray::Shape &shape) {
  const size_t row = shape.width * elementBytesOf(shape);
  return (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

} // namespace

LZArray::LZArray(LZDevice &device, const Shape &shape) : LZArray(Level{}, device, shape, nullptr) {
  owner_ = allocate(device, bytes());
  memory_ = owner_.get();
}

LZArray::LZArray(Level, LZDevice &device, const Shape &shape, std::shared_ptr<std::byte> memory)
    : device_(device), shape_((checkShape(shape), shape)), elementBytes_(elementBytesOf(shape)),
      rowPitch_(pitchOf(shape)), isLevel_(memory != nullptr), owner_(std::move(memory)), memory_(owner_.get()) {}

LZArray::~LZArray() = default;

std::shared_ptr<std::byte> LZArray::allocateFor(LZDevice &device, size_t bytes) { return allocate(device, bytes); }

} // namespace hiplz
