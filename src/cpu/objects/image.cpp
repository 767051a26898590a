// SPDX-License-Identifier: MIT
// See image.h.
#include "cpu/objects/image.h"
#include "cpu/objects/context.h"
#include "cpu/objects/driver.h"
#include "cpu/objects/image_format.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {

struct Head {
  ze_structure_type_t stype;
  const void *next;
};

/// Sets the sizes. Throws Error.
void describeSize(const ze_image_desc_t &desc, ImageDescriptor &out) {
  uint64_t size[3] = {desc.width, 1, 1}, limit = kMaxImageSize;
  out.dimensions = 1;
  out.layers = 3;
  switch (desc.type) {
  case ZE_IMAGE_TYPE_1DARRAY:
    out.layers = 1;
    size[1] = desc.arraylevels;
    out.dimensions = 2;
    break;
  case ZE_IMAGE_TYPE_2DARRAY:
    out.layers = 2;
    size[2] = desc.arraylevels;
    size[1] = desc.height;
    out.dimensions = 3;
    break;
  case ZE_IMAGE_TYPE_3D:
    limit = kMaxImageSize3d;
    size[1] = desc.height;
    size[2] = desc.depth;
    out.dimensions = 3;
    break;
  case ZE_IMAGE_TYPE_2D:
    size[1] = desc.height;
    out.dimensions = 2;
    break;
  case ZE_IMAGE_TYPE_BUFFER: // its width is in bytes
    limit = desc.width <= kMaxImageBufferBytes ? kMaxImageBufferBytes : 0;
    size[0] = desc.width / out.texelBytes;
    break;
  default: break;
  }
  for (uint32_t d = 0; d < 3; ++d) {
    if (size[d] == 0 || size[d] > (d == out.layers ? kMaxImageLayers : limit))
      throw Error{ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "a size of the image is zero or beyond the limit"};
    out.size[d] = static_cast<uint32_t>(size[d]);
  }
}

ImageDescriptor describe(const ze_image_desc_t &desc, size_t rowAlignment = kImageRowAlignment) {
  ImageDescriptor descriptor{};
  if (!describeFormat(desc.format, descriptor))
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT};
  describeSize(desc, descriptor);
  descriptor.rowPitch =
      (uint64_t{descriptor.size[0]} * descriptor.texelBytes + rowAlignment - 1) & ~uint64_t{rowAlignment - 1};
  descriptor.slicePitch = descriptor.rowPitch * descriptor.size[1]; // at most 2^14 * 2^4 * 2^14
  return descriptor;
}

size_t bytesOf(const ImageDescriptor &descriptor) { return descriptor.slicePitch * descriptor.size[2]; }

} // namespace

/// Memory of the device, on its account. Like every allocation it ends with its context at the latest.
class Image::Texels {
public:
  Texels(Context &context, Device &device, size_t bytes, External external)
      : bytes(bytes), driver_(context.driver()), context_(context), isOwned_(!external.memory),
        base_(external.memory     ? requireMemory(external.memory)
              : external.imported ? driver_.allocations().import(context, &device, ZE_MEMORY_TYPE_DEVICE,
                                                                 std::move(external.imported), bytes, false)
                                  : driver_.allocations().allocate(context, &device, ZE_MEMORY_TYPE_DEVICE, bytes, 0,
                                                                   external.isExportable)) {}
  ~Texels() {
    if (!isOwned_)
      return;
    try {
      driver_.allocations().release(driver_.allocations().remove(context_, base_));
    } catch (const Error &) { // the context has been destroyed, and the texels with it
    }
  }
  Texels(const Texels &) = delete;
  uint8_t *base() const { return static_cast<uint8_t *>(base_); }
  Allocation allocation() const { return driver_.allocations().find(base_); }
  const size_t bytes;

private:
  void *requireMemory(void *memory) const {
    const Allocation found = driver_.allocations().find(memory);
    const auto offset = static_cast<size_t>(static_cast<std::byte *>(memory) - found.base);
    if (!found.base || bytes > found.size - offset)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the image does not fit into the memory"};
    return memory;
  }

  Driver &driver_;
  Context &context_; // may be gone
  const bool isOwned_;
  void *const base_;
};

Image::Image(Context &context, Device &device, const ze_image_desc_t &desc, External external)
    : descriptor_(describe(desc, external.imported || external.isExportable ? 1 : kImageRowAlignment)) {
  texels_ = std::make_shared<const Texels>(context, device, bytesOf(descriptor_), std::move(external));
  descriptor_.texels = texels_->base();
}

Image::Image(const Image &viewed, const ze_image_desc_t &desc) : descriptor_(describe(desc)), texels_(viewed.texels_) {
  if (descriptor_.texelBytes != viewed.descriptor_.texelBytes)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "the texels of the image have another size"};
  if (!std::equal(descriptor_.size, descriptor_.size + 3, viewed.descriptor_.size))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "a view has the sizes of its image"};
  descriptor_.texels = texels_->base();
  descriptor_.rowPitch = viewed.descriptor_.rowPitch;
  descriptor_.slicePitch = viewed.descriptor_.slicePitch;
}

size_t Image::packedBytes(const ze_image_desc_t &desc) { return bytesOf(describe(desc, 1)); }
Allocation Image::allocation() const { return texels_->allocation(); }
size_t Image::bytes() const { return texels_->bytes; }

Image::Region Image::region(const ze_image_region_t *given) const {
  Region region{{0, 0, 0}, {descriptor_.size[0], descriptor_.size[1], descriptor_.size[2]}};
  if (given)
    region = {{given->originX, given->originY, given->originZ},
              {given->width, std::max(given->height, 1u), std::max(given->depth, 1u)}};
  for (uint32_t d = 0; d < 3; ++d)
    if (region.size[d] > descriptor_.size[d] || region.origin[d] > descriptor_.size[d] - region.size[d])
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the region is not within the image"};
  return region;
}

std::byte *Image::texel(const uint32_t (&position)[3]) const {
  return reinterpret_cast<std::byte *>(descriptor_.texels) + position[2] * descriptor_.slicePitch +
         position[1] * descriptor_.rowPitch + size_t{position[0]} * descriptor_.texelBytes;
}

void checkImageDesc(const ze_image_desc_t &desc) {
  constexpr ze_image_flags_t kFlags = ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED;
  if (desc.flags > kFlags || static_cast<uint32_t>(desc.type) > ZE_IMAGE_TYPE_BUFFER)
    throw Error{ZE_RESULT_ERROR_INVALID_ENUMERATION};
  if (desc.miplevels > 1)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "there are no mip levels"};
  for (auto *head = static_cast<const Head *>(desc.pNext); head; head = static_cast<const Head *>(head->next)) {
    if (head->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC ||
        head->stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD || head->stype == kPitchedImageDesc)
      continue;
    if (head->stype != ZE_STRUCTURE_TYPE_SRGB_EXT_DESC)
      throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "an extension of the image's description is not supported"};
    if (reinterpret_cast<const ze_srgb_ext_desc_t *>(head)->sRGB)
      throw Error{ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "there are no sRGB formats"};
  }
}

} // namespace hiplz::cpu
