// SPDX-License-Identifier: MIT
// Images: texels in memory of their own, row by row, and the descriptor that kernels read. A view describes the texels of another
// image in its own way and keeps them.
#pragma once
#include "cpu/abi/image_descriptor.h"
#include "cpu/objects/memory.h"
#include "cpu/objects/object.h"

#include <cstddef>
#include <memory>

namespace hiplz::cpu {

class Context;
class Device;
class Driver;

/// The largest images; 2^31 texels in each dimension is what kernels' coordinates allow.
constexpr uint32_t kMaxImageSize = 16384, kMaxImageSize3d = 2048, kMaxImageLayers = 2048;
constexpr uint64_t kMaxImageBufferBytes = uint64_t{1} << 31;

/// Rows of images begin at multiples of this many bytes, the line of a cache.
constexpr size_t kImageRowAlignment = 64;

/// Type of ze_image_pitched_exp_desc_t: texels in memory of the program.
constexpr auto kPitchedImageDesc = static_cast<ze_structure_type_t>(0x2001f);

/// Immutable but for its texels; every method may be called by any thread.
class Image : public Object<Image, ze_image_handle_t> {
public:
  static constexpr uint64_t kKind = 16;

  /// Texels that others reach. Imported and exportable ones have no padding, so that the size of the image says where each is.
  struct External {
    std::shared_ptr<SharedFile> imported; ///< what they are in, with at least packedBytes(); null: in new memory
    bool isExportable = false;
    void *memory = nullptr; ///< the program's, which they are in, with padded rows; it stays the program's
  };

  /// Texels in new memory that nobody has written are zero. Throws Error: UNSUPPORTED_IMAGE_FORMAT, UNSUPPORTED_SIZE,
  /// OUT_OF_DEVICE_MEMORY, INVALID_ARGUMENT if the program's memory is no allocation or too small.
  Image(Context &context, Device &device, const ze_image_desc_t &desc, External external);

  /// The size of the texels without padding, in bytes. Throws Error: UNSUPPORTED_IMAGE_FORMAT, UNSUPPORTED_SIZE.
  static size_t packedBytes(const ze_image_desc_t &desc);

  /// A view. Throws Error: UNSUPPORTED_IMAGE_FORMAT if the texels are of another size, INVALID_ARGUMENT if the sizes are others.
  Image(const Image &viewed, const ze_image_desc_t &desc);

  /// The descriptor for kernels; valid as long as the image.
  const ImageDescriptor &descriptor() const { return descriptor_; }

  /// The allocation that its texels are, and how many bytes. The former is gone with its context.
  Allocation allocation() const;
  size_t bytes() const;

  /// A region within the image, in texels. A height or depth of zero means one; a width of zero, nothing.
  struct Region {
    uint32_t origin[3], size[3];
  };
  /// The region that an append call means; null: the whole image. Throws Error(INVALID_ARGUMENT) if it leaves the image.
  Region region(const ze_image_region_t *given) const;
  std::byte *texel(const uint32_t (&position)[3]) const;

private:
  class Texels;
  alignas(kImageAlignment) ImageDescriptor descriptor_{};
  std::shared_ptr<const Texels> texels_;
};

/// The linear filter is for numbers that can be interpolated.
inline bool canBeFiltered(const ImageDescriptor &descriptor) { return descriptor.type >= kComponentUnorm; }

/// Checks flags, type and extensions of a description. Throws Error: INVALID_ENUMERATION, UNSUPPORTED_FEATURE (extensions, mip levels).
void checkImageDesc(const ze_image_desc_t &desc);

} // namespace hiplz::cpu
