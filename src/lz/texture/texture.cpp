// SPDX-License-Identifier: MIT
// The rules for descriptions of textures, and the descriptor made from them.
#include "lz/texture/texture.h"
#include "base/hip_version.h"
#include "lz/core/handle_table.h"
#include "lz/device/device.h"
#include "lz/memory/memory.h"
#include "lz/memory/texture_limits.h"
#include "lz/texture/mipmapped_array.h"
#include "lz/texture/texture_slots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace hiplz {
namespace {

namespace limits = texture_limits;

[[noreturn]] void refuse(const char *why) { throw HipError(hipErrorInvalidValue, why); }

/// For the descriptions to which HIP 7 gave an error of their own.
[[noreturn]] void refuseSince7(hipError_t error, const char *why) {
  throw HipError(followsHip7() ? error : hipErrorInvalidValue, why);
}

bool hasLayers(const LZArray::Shape &shape) { return shape.flags & (hipArrayLayered | hipArrayCubemap); }

uint32_t layersOf(const LZArray::Shape &shape) { return hasLayers(shape) ? static_cast<uint32_t>(shape.depth) : 1; }

LZArray &arrayOf(hipArray_t handle) {
  LZArray *array = handle ? HandleTable<LZArray>::ofProcess().find(handle) : nullptr;
  if (!array)
    throw HipError(handle ? hipErrorInvalidHandle : hipErrorInvalidValue, "the array of a texture does not exist");
  return *array;
}

LZMipmappedArray &mipmappedArrayOf(hipMipmappedArray_t handle) {
  LZMipmappedArray *array = handle ? HandleTable<LZMipmappedArray>::ofProcess().find(handle) : nullptr;
  if (!array)
    throw HipError(handle ? hipErrorInvalidHandle : hipErrorInvalidValue,
                   "the mipmapped array of a texture does not exist");
  return *array;
}

constexpr char kUnaligned[] = "the memory of a texture is null, or not aligned to hipDeviceProp_t::textureAlignment";

bool isAligned(const void *pointer) {
  return pointer && reinterpret_cast<uintptr_t>(pointer) % limits::kAlignment == 0;
}

void checkMemory(const void *pointer, size_t bytes) {
  const std::optional<Allocation> memory = allocationTable().find(pointer);
  if (!memory || !memory->contains(pointer, bytes))
    refuse("a texture is larger than its memory, or the memory was not allocated by HIP");
}

uint32_t borderBits(float colour, const ChannelFormat &format) {
  if (format.kind == hipChannelFormatKindFloat)
    return std::bit_cast<uint32_t>(colour);
  const bool isSigned = format.kind == hipChannelFormatKindSigned;
  const double range = std::ldexp(1.0, static_cast<int>(8 * format.bytes) - isSigned);
  if (std::isnan(colour))
    return 0;
  const double value = std::clamp(std::nearbyint(static_cast<double>(colour)), isSigned ? -range : 0.0, range - 1);
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

// A format of 8 or 16 bits read as fractions: by what its integers are divided. 0 for all others.
float divisorOf(const ChannelFormat &format, hipTextureReadMode mode) {
  if (mode != hipReadModeNormalizedFloat || format.kind == hipChannelFormatKindFloat || format.bytes == 4)
    return 0;
  return static_cast<float>((1u << (8 * format.bytes - (format.kind == hipChannelFormatKindSigned))) - 1);
}

bool known(hipTextureAddressMode mode) { return mode >= hipAddressModeWrap && mode <= hipAddressModeBorder; }
bool known(hipTextureFilterMode mode) { return mode == hipFilterModePoint || mode == hipFilterModeLinear; }

} // namespace

__hiplz_texture_level textureLevelOf(const LZArray &array) {
  const LZArray::Shape &shape = array.shape();
  return {
      .data = reinterpret_cast<uint64_t>(array.memory()),
      .width = static_cast<uint32_t>(shape.width),
      .height = static_cast<uint32_t>(array.rows()),
      .depth = hasLayers(shape) ? 1 : static_cast<uint32_t>(array.slices()),
      .row_pitch = static_cast<uint32_t>(array.rowPitch()),
      .slice_pitch = array.slicePitch(),
  };
}

LZTexture::LZTexture(LZDevice &device, const hipResourceDesc &resource, const hipTextureDesc &sampling,
                     const hipResourceViewDesc *view, Of of)
    : device_(device), resource_(resource), sampling_(sampling) {
  if (view)
    view_ = *view;
  __hiplz_texture descriptor{};
  ChannelFormat format = describeResource(descriptor);
  if (view_)
    format = applyView(descriptor, format);
  describeSampling(descriptor, format, of);
  upload(descriptor);
}

LZTexture::LZTexture(LZDevice &device, const hipResourceDesc &resource) : device_(device), resource_(resource) {
  if (resource.resType != hipResourceTypeArray)
    refuse("a surface needs an array");
  __hiplz_texture descriptor{};
  describeFormat(descriptor, describeResource(descriptor));
  upload(descriptor);
}

LZTexture::~LZTexture() {
  if (runtimeUsable())
    LZTextureSlots::of(device_).giveBack(address_);
}

/// Fills in how a texel lies in memory.
void LZTexture::describeFormat(__hiplz_texture &descriptor, const ChannelFormat &format) {
  descriptor.element_bytes = static_cast<uint8_t>(format.elementBytes());
  descriptor.channels = static_cast<uint8_t>(format.channels);
  descriptor.component_shift = static_cast<uint8_t>(32 - 8 * format.bytes);
  descriptor.component_signed = format.kind == hipChannelFormatKindSigned;
  descriptor.component_half = format.kind == hipChannelFormatKindFloat && format.bytes == 2;
  descriptor.reads_integers = format.kind != hipChannelFormatKindFloat;
  // hsa_ext_image_channel_type_t: signed and unsigned integers of 8, 16 and 32 bits from 8 and 11 on, half 14, float 15.
  const unsigned size = format.bytes == 1 ? 0 : format.bytes == 2 ? 1 : 2;
  descriptor.channel_type = format.kind == hipChannelFormatKindFloat ? 13 + size
                            : descriptor.component_signed            ? 8 + size
                                                                     : 11 + size;
  // hsa_ext_image_channel_order_t: R, RG and RGBA.
  descriptor.channel_order = format.channels == 1 ? 1 : format.channels == 2 ? 3 : 8;
}

void LZTexture::upload(__hiplz_texture descriptor) {
  LZTextureSlots &slots = LZTextureSlots::of(device_);
  address_ = slots.take();
  descriptor.self = address_;
  descriptor.image_mark = __hiplz_image_mark;
  try {
    device_.copyBlocking(reinterpret_cast<void *>(address_), &descriptor, sizeof descriptor);
  } catch (...) {
    slots.giveBack(address_);
    throw;
  }
}

/// Fills in what the resource determines; returns its format.
ChannelFormat LZTexture::describeResource(__hiplz_texture &descriptor) const {
  descriptor.level_count = descriptor.layers = 1;
  switch (resource_.resType) {
  case hipResourceTypeArray: {
    const LZArray &array = arrayOf(resource_.res.array.array);
    descriptor.base = textureLevelOf(array);
    descriptor.layers = layersOf(array.shape());
    return ChannelFormat::from(array.shape().format);
  }
  case hipResourceTypeMipmappedArray: {
    LZMipmappedArray &array = mipmappedArrayOf(resource_.res.mipmap.mipmap);
    descriptor.base = textureLevelOf(array.level(0));
    descriptor.levels = array.levelTable();
    descriptor.level_count = array.levels();
    descriptor.layers = layersOf(array.shape());
    return ChannelFormat::from(array.shape().format);
  }
  case hipResourceTypeLinear: {
    const auto &linear = resource_.res.linear;
    const ChannelFormat format = ChannelFormat::from(linear.desc);
    const size_t elements = linear.sizeInBytes / format.elementBytes();
    if (elements == 0)
      refuse("a texture in linear memory has no element");
    if (elements > limits::kLinear)
      refuseSince7(hipErrorInvalidChannelDescriptor,
                   "a texture in linear memory has more elements than hipDeviceProp_t::maxTexture1DLinear");
    if (!isAligned(linear.devPtr))
      refuseSince7(hipErrorInvalidChannelDescriptor, kUnaligned);
    checkMemory(linear.devPtr, linear.sizeInBytes);
    descriptor.base = {.data = reinterpret_cast<uint64_t>(linear.devPtr),
                       .width = static_cast<uint32_t>(elements),
                       .height = 1,
                       .depth = 1,
                       .row_pitch = 0,
                       .slice_pitch = 0};
    return format;
  }
  case hipResourceTypePitch2D: {
    const auto &rows = resource_.res.pitch2D;
    const ChannelFormat format = ChannelFormat::from(rows.desc);
    if (rows.width == 0 || rows.width > limits::kWidth2D || rows.height == 0 || rows.height > limits::kHeight2D)
      refuse("a texture in pitched memory is empty or larger than hipDeviceProp_t::maxTexture2DLinear");
    if (rows.pitchInBytes < rows.width * format.elementBytes() || rows.pitchInBytes % limits::kAlignment != 0 ||
        rows.pitchInBytes > UINT32_MAX)
      refuse("the pitch of a texture is less than a row, or not a multiple of hipDeviceProp_t::texturePitchAlignment");
    if (!isAligned(rows.devPtr))
      refuse(kUnaligned);
    checkMemory(rows.devPtr, rows.pitchInBytes * (rows.height - 1) + rows.width * format.elementBytes());
    descriptor.base = {.data = reinterpret_cast<uint64_t>(rows.devPtr),
                       .width = static_cast<uint32_t>(rows.width),
                       .height = static_cast<uint32_t>(rows.height),
                       .depth = 1,
                       .row_pitch = static_cast<uint32_t>(rows.pitchInBytes),
                       .slice_pitch = 0};
    return format;
  }
  }
  refuse("the kind of a texture's resource is not one of hipResourceType");
}

/// Restricts the descriptor to the part that the view names; returns the format of the view.
ChannelFormat LZTexture::applyView(__hiplz_texture &descriptor, const ChannelFormat &format) const {
  const hipResourceViewDesc &view = *view_;
  if (resource_.resType != hipResourceTypeArray && resource_.resType != hipResourceTypeMipmappedArray)
    refuseSince7(hipErrorUnknown, "only arrays and mipmapped arrays can have views");
  const bool isArray = resource_.resType == hipResourceTypeArray;
  LZArray &array =
      isArray ? arrayOf(resource_.res.array.array) : mipmappedArrayOf(resource_.res.mipmap.mipmap).level(0);
  const LZArray::Shape &shape = array.shape();
  const ChannelFormat viewed = ChannelFormat::from(view.format, format);
  // AMD's library looks at nothing but the format. So the extents, which could only repeat the array's, do not matter, nor do
  // levels and layers of an array that has none.
  if (!isArray) {
    if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= descriptor.level_count)
      refuse("a view names levels that its array does not have");
    descriptor.base = textureLevelOf(mipmappedArrayOf(resource_.res.mipmap.mipmap).level(view.firstMipmapLevel));
    descriptor.levels += view.firstMipmapLevel * sizeof(__hiplz_texture_level);
    descriptor.level_count = view.lastMipmapLevel - view.firstMipmapLevel + 1;
  }
  if (hasLayers(shape)) {
    if (view.firstLayer > view.lastLayer || view.lastLayer >= descriptor.layers)
      refuse("a view names layers that its array does not have");
    const unsigned layers = view.lastLayer - view.firstLayer + 1;
    if ((shape.flags & hipArrayCubemap) && (view.firstLayer % 6 != 0 || layers % 6 != 0))
      refuse("a view of a cubemap has only some of its faces");
    descriptor.first_layer = view.firstLayer;
    descriptor.layers = layers;
  }
  return viewed;
}

void LZTexture::describeSampling(__hiplz_texture &descriptor, const ChannelFormat &format, Of of) const {
  const hipTextureDesc &sampling = *sampling_;
  for (hipTextureAddressMode mode : sampling.addressMode)
    if (!known(mode))
      refuse("an address mode is not one of hipTextureAddressMode");
  if (!known(sampling.filterMode) || !known(sampling.mipmapFilterMode))
    refuse("a filter mode is not one of hipTextureFilterMode");
  if (sampling.readMode != hipReadModeElementType && sampling.readMode != hipReadModeNormalizedFloat)
    refuse("a read mode is not one of hipTextureReadMode");
  const bool isFetched = resource_.resType == hipResourceTypeLinear; // by index: nothing is filtered
  const float divisor = divisorOf(format, sampling.readMode);
  const bool fractional = divisor != 0 || format.kind == hipChannelFormatKindFloat;
  if (sampling.filterMode == hipFilterModeLinear && !fractional && !isFetched && of == Of::object)
    refuse("textures that are read as integers cannot be filtered");
  const bool isMipmapped = resource_.resType == hipResourceTypeMipmappedArray;
  if (isMipmapped && !sampling.normalizedCoords && of == Of::object)
    refuseSince7(hipErrorInvalidChannelDescriptor, "a texture with levels of detail needs normalised coordinates");

  describeFormat(descriptor, format);
  descriptor.divisor = divisor;
  descriptor.reads_integers = !fractional;
  if (sampling.sRGB && divisor == 255)
    descriptor.srgb = LZTextureSlots::of(device_).srgbTable();
  for (unsigned i = 0; i < 4; ++i) {
    descriptor.border[i] = sampling.borderColor[i];
    descriptor.border_bits[i] = borderBits(sampling.borderColor[i], format);
  }
  for (unsigned i = 0; i < 3; ++i) {
    // Repetition is defined for normalised coordinates only; CUDA clamps otherwise, and so do we.
    const hipTextureAddressMode mode = sampling.addressMode[i];
    const bool repeats = mode == hipAddressModeWrap || mode == hipAddressModeMirror;
    descriptor.address_mode[i] =
        static_cast<uint8_t>(repeats && !sampling.normalizedCoords ? hipAddressModeClamp : mode);
  }
  descriptor.linear_filter = sampling.filterMode == hipFilterModeLinear && fractional;
  descriptor.linear_levels = sampling.mipmapFilterMode == hipFilterModeLinear;
  descriptor.normalized_coords = sampling.normalizedCoords != 0;
  const auto last = static_cast<float>(descriptor.level_count - 1);
  descriptor.level_bias = sampling.mipmapLevelBias;
  descriptor.min_level = std::fmin(std::fmax(sampling.minMipmapLevelClamp, 0.0f), last);
  descriptor.max_level = std::fmin(std::fmax(sampling.maxMipmapLevelClamp, descriptor.min_level), last);
}

} // namespace hiplz
