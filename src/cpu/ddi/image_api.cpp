// SPDX-License-Identifier: MIT
// zeImage*, zeSampler*, copies of images, and what of other chapters concerns images.
#include "cpu/check/uninitialized.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/external_memory.h"
#include "cpu/ddi/later_api.h"
#include "cpu/objects/image.h"
#include "cpu/objects/image_format.h"
#include "cpu/objects/sampler.h"

namespace hiplz::cpu::ddi {
namespace {

/// Rows of texels between an image and something else: of an image, or of memory.
struct Side {
  std::byte *base;
  size_t pitch, slicePitch;
};

Side sideOf(const Image &image, const Image::Region &region) {
  return {image.texel(region.origin), image.descriptor().rowPitch, image.descriptor().slicePitch};
}

/// Memory without padding, unless pitches say otherwise. Throws Error(INVALID_ARGUMENT) if they are too small.
Side sideOf(const void *memory, const Image &image, const Image::Region &region, uint32_t pitch, uint32_t slicePitch) {
  const size_t row = size_t{region.size[0]} * image.descriptor().texelBytes;
  require(pitch == 0 || pitch >= row || region.size[1] * region.size[2] == 1, ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "the row pitch is less than a row");
  Side side{static_cast<std::byte *>(const_cast<void *>(memory)), pitch ? pitch : row, 0};
  const size_t slice = side.pitch * region.size[1];
  // Layers of a one-dimensional array are slices for the caller and rows for the driver.
  const bool isLayered = image.descriptor().layers == 1 && slicePitch;
  if (isLayered)
    side.pitch = slicePitch;
  require(slicePitch == 0 || isLayered || slicePitch >= slice || region.size[2] == 1, ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "the slice pitch is less than a slice");
  side.slicePitch = slicePitch ? slicePitch : slice;
  return side;
}

ze_result_t appendCopy(CommandList &commands, const Side &to, const Side &from, const Image &image,
                       const Image::Region &region, const Events &events) {
  if (region.size[0] == 0)
    return commands.appendNothing(events);
  return commands.append<CopyRegionRecord>(Op::copyRegion, events, [&](CopyRegionRecord &record) {
    record.to = to.base;
    record.from = from.base;
    record.width = size_t{region.size[0]} * image.descriptor().texelBytes;
    record.rows = region.size[1];
    record.slices = region.size[2];
    record.toPitch = to.pitch;
    record.toSlicePitch = to.slicePitch;
    record.fromPitch = from.pitch;
    record.fromSlicePitch = from.slicePitch;
    check::noteCopy(record.to, record.from);
  });
}

bool overlap(const Image::Region &a, const Image::Region &b) {
  for (uint32_t d = 0; d < 3; ++d)
    if (a.origin[d] >= uint64_t{b.origin[d]} + b.size[d] || b.origin[d] >= uint64_t{a.origin[d]} + a.size[d])
      return false;
  return true;
}

} // namespace

ze_result_t deviceGetImageProperties(ze_device_handle_t device, ze_device_image_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_image_properties_t &out = deref(properties);
    out.maxImageDims1D = out.maxImageDims2D = kMaxImageSize;
    out.maxImageDims3D = kMaxImageSize3d;
    out.maxImageBufferSize = kMaxImageBufferBytes;
    out.maxImageArraySlices = kMaxImageLayers;
    // As many as there is room for among the arguments.
    out.maxSamplers = out.maxReadImageArgs = out.maxWriteImageArgs = kMaxArgumentBytes / sizeof(void *);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageGetProperties(ze_device_handle_t device, const ze_image_desc_t *desc,
                               ze_image_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    const ze_image_desc_t &in = deref(desc);
    ze_image_properties_t &out = deref(properties);
    checkImageDesc(in);
    ImageDescriptor descriptor{};
    const bool isSupported = describeFormat(in.format, descriptor);
    out.samplerFilterFlags = !isSupported || in.type == ZE_IMAGE_TYPE_BUFFER ? 0
                             : canBeFiltered(descriptor)
                                 ? ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR
                                 : ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT;
    if (auto *format = findInChain<ImageFormatProperties>(out.pNext, ImageFormatProperties::kType))
      format->isSupported = isSupported;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageCreate(ze_context_handle_t context, ze_device_handle_t device, const ze_image_desc_t *desc,
                        ze_image_handle_t *image) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    checkImageDesc(deref(desc));
    deref(image);
    owner.requireDevice(target);
    const bool isExportable = isExportWanted(desc->pNext);
    auto imported = importedFile(desc->pNext, Image::packedBytes(*desc));
    const auto *pitched = findInChain<const PitchedImageDesc>(const_cast<void *>(desc->pNext), kPitchedImageDesc);
    void *memory = pitched ? pitched->memory : nullptr;
    require(!pitched || memory, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(!memory || (!imported && !isExportable), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "an image is in memory of the program or in external memory");
    *image = (new Image(owner, target, *desc, {std::move(imported), isExportable, memory}))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageDestroy(ze_image_handle_t image) {
  return guarded([&] {
    delete &Image::from(image);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageGetAllocPropertiesExt(ze_context_handle_t context, ze_image_handle_t image,
                                       ze_image_allocation_ext_properties_t *properties) {
  return guarded([&] {
    Context::from(context);
    const Image &object = Image::from(image);
    ze_image_allocation_ext_properties_t &out = deref(properties);
    const Allocation texels = object.allocation();
    exportDescriptor(out.pNext, texels.file.get(), texels.exportable);
    out.id = texels.id;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageGetMemoryPropertiesExp(ze_image_handle_t image, ze_image_memory_properties_exp_t *properties) {
  return guarded([&] {
    const Image &object = Image::from(image);
    ze_image_memory_properties_exp_t &out = deref(properties);
    out.size = object.bytes();
    out.rowPitch = object.descriptor().rowPitch;
    out.slicePitch = object.descriptor().slicePitch;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t imageViewCreateExp(ze_context_handle_t context, ze_device_handle_t device, const ze_image_desc_t *desc,
                               ze_image_handle_t image, ze_image_handle_t *view) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    checkImageDesc(deref(desc));
    const Image &viewed = Image::from(image);
    deref(view);
    owner.requireDevice(target);
    *view = (new Image(viewed, *desc))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t contextMakeImageResident(ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image) {
  return guarded([&] { // all images are
    Context &owner = Context::from(context);
    owner.requireDevice(Device::from(device));
    Image::from(image);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t contextEvictImage(ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image) {
  return contextMakeImageResident(context, device, image);
}

ze_result_t samplerCreate(ze_context_handle_t context, ze_device_handle_t device, const ze_sampler_desc_t *desc,
                          ze_sampler_handle_t *sampler) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    const ze_sampler_desc_t &in = deref(desc);
    deref(sampler);
    require(static_cast<uint32_t>(in.addressMode) <= ZE_SAMPLER_ADDRESS_MODE_MIRROR &&
                static_cast<uint32_t>(in.filterMode) <= ZE_SAMPLER_FILTER_MODE_LINEAR,
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    owner.requireDevice(target);
    *sampler = (new Sampler(in))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t samplerDestroy(ze_sampler_handle_t sampler) {
  return guarded([&] {
    delete &Sampler::from(sampler);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendImageCopyRegion(ze_command_list_handle_t list, ze_image_handle_t to,
                                             ze_image_handle_t from, const ze_image_region_t *toRegion,
                                             const ze_image_region_t *fromRegion, ze_event_handle_t signal,
                                             uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    const Image &target = Image::from(to), &source = Image::from(from);
    EventArguments events(signal, waitCount, waits);
    require(target.descriptor().texelBytes == source.descriptor().texelBytes, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the images have different formats");
    const Image::Region there = target.region(toRegion), here = source.region(fromRegion);
    require(std::equal(there.size, there.size + 3, here.size), ZE_RESULT_ERROR_INVALID_SIZE,
            "the regions have different sizes");
    require(target.descriptor().texels != source.descriptor().texels || !overlap(there, here),
            ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    return appendCopy(commands, sideOf(target, there), sideOf(source, here), source, here, events);
  });
}

ze_result_t commandListAppendImageCopy(ze_command_list_handle_t list, ze_image_handle_t to, ze_image_handle_t from,
                                       ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  return commandListAppendImageCopyRegion(list, to, from, nullptr, nullptr, signal, waitCount, waits);
}

ze_result_t commandListAppendImageCopyToMemoryExt(ze_command_list_handle_t list, void *to, ze_image_handle_t from,
                                                  const ze_image_region_t *region, uint32_t pitch, uint32_t slicePitch,
                                                  ze_event_handle_t signal, uint32_t waitCount,
                                                  ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    const Image &image = Image::from(from);
    require(to, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    EventArguments events(signal, waitCount, waits);
    const Image::Region texels = image.region(region);
    return appendCopy(commands, sideOf(to, image, texels, pitch, slicePitch), sideOf(image, texels), image, texels,
                      events);
  });
}

ze_result_t commandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to, ze_image_handle_t from,
                                               const ze_image_region_t *region, ze_event_handle_t signal,
                                               uint32_t waitCount, ze_event_handle_t *waits) {
  return commandListAppendImageCopyToMemoryExt(list, to, from, region, 0, 0, signal, waitCount, waits);
}

ze_result_t commandListAppendImageCopyFromMemoryExt(ze_command_list_handle_t list, ze_image_handle_t to,
                                                    const void *from, const ze_image_region_t *region, uint32_t pitch,
                                                    uint32_t slicePitch, ze_event_handle_t signal, uint32_t waitCount,
                                                    ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    const Image &image = Image::from(to);
    require(from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    EventArguments events(signal, waitCount, waits);
    const Image::Region texels = image.region(region);
    return appendCopy(commands, sideOf(image, texels), sideOf(from, image, texels, pitch, slicePitch), image, texels,
                      events);
  });
}

ze_result_t commandListAppendImageCopyFromMemory(ze_command_list_handle_t list, ze_image_handle_t to, const void *from,
                                                 const ze_image_region_t *region, ze_event_handle_t signal,
                                                 uint32_t waitCount, ze_event_handle_t *waits) {
  return commandListAppendImageCopyFromMemoryExt(list, to, from, region, 0, 0, signal, waitCount, waits);
}

ze_result_t memGetPitchFor2dImage(ze_context_handle_t context, ze_device_handle_t device, size_t width, size_t height,
                                  uint32_t elementBytes, size_t *pitch) {
  return guarded([&] {
    Context &owner = Context::from(context);
    owner.requireDevice(Device::from(device));
    deref(pitch);
    size_t row = 0;
    require(width && height && elementBytes && !__builtin_mul_overflow(width, size_t{elementBytes}, &row) &&
                row <= SIZE_MAX - kImageRowAlignment,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *pitch = (row + kImageRowAlignment - 1) & ~(kImageRowAlignment - 1);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
