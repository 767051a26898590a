// SPDX-License-Identifier: MIT
// Fills of consecutive bytes, rows and boxes.
#include "api/copy_checked.h"

using namespace hiplz;

namespace {

hipError_t fillMemory(void *to, uint32_t value, size_t elementBytes, size_t elements, LZQueue &queue, Wait wait) {
  return fillChecked(linearFill(to, value, elementBytes, elements), queue, wait);
}

hipError_t fillBox(const hipPitchedPtr &memory, int value, const hipExtent &extent, LZQueue &queue, Wait wait) {
  FillRegion region = linearFill(memory.ptr, value & 0xff, 1, extent.width);
  region.pitch = memory.pitch;
  region.rows = memory.ysize;
  region.height = extent.height;
  region.depth = extent.depth;
  return fillChecked(region, queue, wait);
}

hipError_t fillRows(void *to, size_t pitch, int value, size_t width, size_t height, LZQueue &queue, Wait wait) {
  return fillBox({to, pitch, width, height}, value, {width, height, 1}, queue, wait);
}

hipError_t fillElements(void *to, size_t pitch, uint32_t value, size_t elementBytes, size_t width, size_t height,
                        hipStream_t stream, Wait wait) {
  FillRegion region = linearFill(to, value, elementBytes, width);
  region.pitch = pitch;
  region.rows = height;
  region.height = height;
  return fillChecked(region, queueFrom(stream), wait);
}

} // namespace

extern "C" {

hipError_t hipMemset(void *dst, int value, size_t sizeBytes) {
  return HIPLZ_API(hipMemset, dst, value, sizeBytes)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemset_spt(void *dst, int value, size_t sizeBytes) {
  return HIPLZ_API(hipMemset_spt, dst, value, sizeBytes)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemsetAsync, dst, value, sizeBytes,
                   stream)([&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetAsync_spt(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemsetAsync_spt, dst, value, sizeBytes, stream)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return HIPLZ_API(hipMemsetD8, dst, value,
                   count)([&] { return fillMemory(dst, value, 1, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD8Async, dst, value, count,
                   stream)([&] { return fillMemory(dst, value, 1, count, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return HIPLZ_API(hipMemsetD16, dst, value,
                   count)([&] { return fillMemory(dst, value, 2, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD16Async, dst, value, count,
                   stream)([&] { return fillMemory(dst, value, 2, count, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return HIPLZ_API(hipMemsetD32, dst, value,
                   count)([&] { return fillMemory(dst, value, 4, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD32Async, dst, value, count,
                   stream)([&] { return fillMemory(dst, value, 4, count, queueFrom(stream), Wait::no); });
}

hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return HIPLZ_API(hipMemset2D, dst, pitch, value, width,
                   height)([&] { return fillRows(dst, pitch, value, width, height, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return HIPLZ_API(hipMemset2D_spt, dst, pitch, value, width, height)(
      [&] { return fillRows(dst, pitch, value, width, height, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return HIPLZ_API(hipMemset2DAsync, dst, pitch, value, width, height,
                   stream)([&] { return fillRows(dst, pitch, value, width, height, queueFrom(stream), Wait::no); });
}

hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return HIPLZ_API(hipMemset2DAsync_spt, dst, pitch, value, width, height, stream)(
      [&] { return fillRows(dst, pitch, value, width, height, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
  return HIPLZ_API(hipMemset3D, pitchedDevPtr, value,
                   extent)([&] { return fillBox(pitchedDevPtr, value, extent, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemset3D_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
  return HIPLZ_API(hipMemset3D_spt, pitchedDevPtr, value, extent)(
      [&] { return fillBox(pitchedDevPtr, value, extent, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream) {
  return HIPLZ_API(hipMemset3DAsync, pitchedDevPtr, value, extent,
                   stream)([&] { return fillBox(pitchedDevPtr, value, extent, queueFrom(stream), Wait::no); });
}

hipError_t hipMemset3DAsync_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream) {
  return HIPLZ_API(hipMemset3DAsync_spt, pitchedDevPtr, value, extent, stream)(
      [&] { return fillBox(pitchedDevPtr, value, extent, queueFrom(stream, kPerThread), Wait::no); });
}

#define HIPLZ_FILL_ROWS(bits, Value)                                                                                   \
  hipError_t hipMemsetD2D##bits(hipDeviceptr_t dst, size_t dstPitch, Value value, size_t width, size_t height) {       \
    return HIPLZ_API(hipMemsetD2D##bits, dst, dstPitch, value, width, height)(                                         \
        [&] { return fillElements(dst, dstPitch, value, sizeof value, width, height, nullptr, Wait::yes); });          \
  }                                                                                                                    \
  hipError_t hipMemsetD2D##bits##Async(hipDeviceptr_t dst, size_t dstPitch, Value value, size_t width, size_t height,  \
                                       hipStream_t stream) {                                                           \
    return HIPLZ_API(hipMemsetD2D##bits##Async, dst, dstPitch, value, width, height, stream)(                          \
        [&] { return fillElements(dst, dstPitch, value, sizeof value, width, height, stream, Wait::no); });            \
  }
HIPLZ_FILL_ROWS(8, unsigned char)
HIPLZ_FILL_ROWS(16, unsigned short)
HIPLZ_FILL_ROWS(32, unsigned int)
#undef HIPLZ_FILL_ROWS

} // extern "C"
