// SPDX-License-Identifier: MIT
// Arrays and mipmapped arrays: creation, description, destruction. Copies to and from them are with the other copies.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/graph/capture.h"
#include "lz/memory/channel_format.h"

#include <memory>

using namespace hiplz;

namespace {

LZArray::Shape shapeOf(const HIP_ARRAY3D_DESCRIPTOR &descriptor) {
  return {ChannelFormat::from(descriptor.Format, descriptor.NumChannels).description(), descriptor.Width,
          descriptor.Height, descriptor.Depth, descriptor.Flags};
}

HIP_ARRAY3D_DESCRIPTOR descriptorOf(const LZArray &array) {
  const LZArray::Shape &shape = array.shape();
  const ChannelFormat format = ChannelFormat::from(shape.format);
  return {shape.width, shape.height, shape.depth, format.arrayFormat(), format.channels, shape.flags};
}

hipError_t create(hipArray_t *array, const LZArray::Shape &shape) {
  LZCapture::forbidUnsafe();
  auto created = std::make_unique<LZArray>(currentDevice(), shape);
  LZContext::instance().addHandle(*created);
  *array = toHandle(*created.release());
  return hipSuccess;
}

// The answers of AMD's library to the two mistakes in freeing an array. It does not check mipmapped arrays; here both kinds of
// arrays get the same answers.
[[noreturn]] void throwFreed(const void *handle) {
  if (!handle)
    throw HipError(hipErrorInvalidValue, "the array is null");
  throw HipError(hipErrorContextIsDestroyed, "the array does not exist, or it has been freed before");
}

hipError_t destroy(hipArray_t array) {
  LZCapture::forbidUnsafe();
  LZContext &context = LZContext::instance();
  LZArray *const known = context.findArray(array);
  if (!known)
    throwFreed(array);
  LZArray &destroyed = *known;
  // AMD's library hands out a new view of the level each time, which programs free. Here all get one handle, and the
  // mipmapped array keeps it.
  if (destroyed.isLevel())
    return hipSuccess;
  if (!context.removeHandle(&destroyed))
    throwFreed(array); // another thread was faster
  delete &destroyed;   // waits for what the devices are doing
  return hipSuccess;
}

hipError_t createMipmapped(hipMipmappedArray_t *array, const LZArray::Shape &shape, unsigned levels) {
  LZCapture::forbidUnsafe();
  LZContext &context = LZContext::instance();
  auto created = std::make_unique<LZMipmappedArray>(currentDevice(), shape, levels);
  created->addLevelHandles();
  context.addHandle(*created);
  *array = created.release();
  return hipSuccess;
}

hipError_t destroyMipmapped(hipMipmappedArray_t array) {
  LZCapture::forbidUnsafe();
  LZContext &context = LZContext::instance();
  LZMipmappedArray *const known = context.findMipmappedArray(array);
  if (!known || !context.removeHandle(known))
    throwFreed(array);
  LZMipmappedArray &destroyed = *known;
  destroyed.removeLevelHandles();
  delete &destroyed;
  return hipSuccess;
}

hipError_t level(hipArray_t *levelArray, hipMipmappedArray_const_t array, unsigned level) {
  if (!levelArray)
    return refuse(hipErrorInvalidValue, "levelArray is null");
  LZMipmappedArray &mipmapped = mipmappedArrayFrom(array);
  if (level >= mipmapped.levels())
    throw HipError(hipErrorInvalidValue, "the mipmapped array has " + std::to_string(mipmapped.levels()) + " levels");
  *levelArray = toHandle(mipmapped.level(level));
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width, size_t height,
                          unsigned int flags) {
  return HIPLZ_API(hipMallocArray, array, desc, width, height, flags)([&] {
    // Layers and faces need a third extent.
    HIPLZ_NOT_NULL(array, desc);
    if (flags & (hipArrayLayered | hipArrayCubemap))
      return refuse(hipErrorInvalidValue, "flags ask for a layered array or a cubemap, which have a third extent");
    return create(array, {*desc, width, height, 0, flags});
  });
}

hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc, hipExtent extent, unsigned int flags) {
  return HIPLZ_API(hipMalloc3DArray, array, desc, extent, flags)([&] {
    HIPLZ_NOT_NULL(array, desc);
    return create(array, {*desc, extent.width, extent.height, extent.depth, flags});
  });
}

hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray) {
  return HIPLZ_API(hipArrayCreate, pHandle, pAllocateArray)([&] {
    HIPLZ_NOT_NULL(pHandle, pAllocateArray);
    const HIP_ARRAY_DESCRIPTOR &flat = *pAllocateArray;
    return create(pHandle, shapeOf({flat.Width, flat.Height, 0, flat.Format, flat.NumChannels, hipArrayDefault}));
  });
}

hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  return HIPLZ_API(hipArray3DCreate, array, pAllocateArray)([&] {
    HIPLZ_NOT_NULL(array, pAllocateArray);
    return create(array, shapeOf(*pAllocateArray));
  });
}

hipError_t hipFreeArray(hipArray_t array) {
  return HIPLZ_API(hipFreeArray, array)([&] { return destroy(array); });
}

hipError_t hipArrayDestroy(hipArray_t array) {
  return HIPLZ_API(hipArrayDestroy, array)([&] { return destroy(array); });
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned int *flags, hipArray_t array) {
  return HIPLZ_API(hipArrayGetInfo, desc, extent, flags, array)([&] {
    LZCapture::forbidUnsafe();
    const LZArray::Shape &shape = arrayFrom(array).shape();
    if (desc)
      *desc = shape.format;
    if (extent)
      *extent = {shape.width, shape.height, shape.depth};
    if (flags)
      *flags = shape.flags;
    return hipSuccess;
  });
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
  return HIPLZ_API(hipArrayGetDescriptor, pArrayDescriptor, array)([&] {
    if (!pArrayDescriptor)
      return refuse(hipErrorInvalidValue, "pArrayDescriptor is null");
    LZCapture::forbidUnsafe();
    const HIP_ARRAY3D_DESCRIPTOR whole = descriptorOf(arrayFrom(array));
    if (whole.Depth != 0)
      throw HipError(hipErrorInvalidValue,
                     "an array with a depth or with layers is described by hipArray3DGetDescriptor");
    *pArrayDescriptor = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
    return hipSuccess;
  });
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
  return HIPLZ_API(hipArray3DGetDescriptor, pArrayDescriptor, array)([&] {
    if (!pArrayDescriptor)
      return refuse(hipErrorInvalidValue, "pArrayDescriptor is null");
    LZCapture::forbidUnsafe();
    *pArrayDescriptor = descriptorOf(arrayFrom(array));
    return hipSuccess;
  });
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array) {
  return HIPLZ_API(hipGetChannelDesc, desc, array)([&] {
    if (!desc)
      return refuse(hipErrorInvalidValue, "desc is null");
    *desc = arrayFrom(array).shape().format;
    return hipSuccess;
  });
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray, const hipChannelFormatDesc *desc,
                                   hipExtent extent, unsigned int numLevels, unsigned int flags) {
  return HIPLZ_API(hipMallocMipmappedArray, mipmappedArray, desc, extent, numLevels, flags)([&] {
    HIPLZ_NOT_NULL(mipmappedArray, desc);
    return createMipmapped(mipmappedArray, {*desc, extent.width, extent.height, extent.depth, flags}, numLevels);
  });
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray) {
  return HIPLZ_API(hipFreeMipmappedArray, mipmappedArray)([&] { return destroyMipmapped(mipmappedArray); });
}

hipError_t hipMipmappedArrayGetMemoryRequirements(hipArrayMemoryRequirements *memoryRequirements,
                                                  hipMipmappedArray_t mipmap, hipDevice_t device) {
  return HIPLZ_API(hipMipmappedArrayGetMemoryRequirements, memoryRequirements, mipmap, device)([&] {
    HIPLZ_NOT_NULL(memoryRequirements);
    const LZMipmappedArray &array = mipmappedArrayFrom(mipmap);
    LZContext::instance().device(device); // an array has the same layout on all of them
    *memoryRequirements = {LZMipmappedArray::kAlignment, array.bytes()};
    return hipSuccess;
  });
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray, hipMipmappedArray_const_t mipmappedArray,
                                     unsigned int levelIndex) {
  return HIPLZ_API(hipGetMipmappedArrayLevel, levelArray, mipmappedArray, levelIndex)([&] {
    LZCapture::forbidUnsafe();
    return level(levelArray, mipmappedArray, levelIndex);
  });
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle, HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels) {
  return HIPLZ_API(hipMipmappedArrayCreate, pHandle, pMipmappedArrayDesc, numMipmapLevels)([&] {
    HIPLZ_NOT_NULL(pHandle, pMipmappedArrayDesc);
    return createMipmapped(pHandle, shapeOf(*pMipmappedArrayDesc), numMipmapLevels);
  });
}

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray) {
  return HIPLZ_API(hipMipmappedArrayDestroy, hMipmappedArray)([&] { return destroyMipmapped(hMipmappedArray); });
}

hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray, hipMipmappedArray_t hMipMappedArray,
                                     unsigned int levelIndex) {
  return HIPLZ_API(hipMipmappedArrayGetLevel, pLevelArray, hMipMappedArray,
                   levelIndex)([&] { return level(pLevelArray, hMipMappedArray, levelIndex); });
}

} // extern "C"
