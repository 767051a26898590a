// SPDX-License-Identifier: MIT
// Copies to and from arrays: rectangles of rows, and bytes that fill row after row.
#include "api/copy_checked.h"
#include "lz/memory/array.h"

#include <algorithm>

using namespace hiplz;

namespace {

struct Offset {
  size_t x, y;
};

hipError_t copyToArray(hipArray_const_t to, Offset at, const void *from, size_t fromPitch, size_t width, size_t height,
                       hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  CopyRegion region = rowsRegion(nullptr, 0, from, fromPitch, width, height, kind);
  if (hipError_t error = arrayEnd(region.to, to, at.x, at.y))
    return error;
  return copyChecked(region, queue, wait);
}

hipError_t copyFromArray(void *to, size_t toPitch, hipArray_const_t from, Offset at, size_t width, size_t height,
                         hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  CopyRegion region = rowsRegion(to, toPitch, nullptr, 0, width, height, kind);
  if (hipError_t error = arrayEnd(region.from, from, at.x, at.y))
    return error;
  return copyChecked(region, queue, wait);
}

hipError_t copyArrays(hipArray_const_t to, Offset toAt, hipArray_const_t from, Offset fromAt, size_t width,
                      size_t height, hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  CopyRegion region;
  if (hipError_t error = arrayEnd(region.to, to, toAt.x, toAt.y))
    return error;
  if (hipError_t error = arrayEnd(region.from, from, fromAt.x, fromAt.y))
    return error;
  region.width = width;
  region.height = height;
  region.kind = kind;
  return copyChecked(region, queue, wait);
}

// The functions of the driver API for one-dimensional arrays take no pitch, and call a missing array an invalid value.
hipError_t copyBytesToArray(hipArray_t to, size_t at, const void *from, size_t bytes, hipMemcpyKind kind,
                            LZQueue &queue, Wait wait) {
  return to ? copyToArray(to, {at, 0}, from, bytes, bytes, 1, kind, queue, wait)
            : refuse(hipErrorInvalidValue, "the destination array is null");
}

hipError_t copyBytesFromArray(void *to, hipArray_t from, size_t at, size_t bytes, hipMemcpyKind kind, LZQueue &queue,
                              Wait wait) {
  return from ? copyFromArray(to, bytes, from, {at, 0}, bytes, 1, kind, queue, wait)
              : refuse(hipErrorInvalidValue, "the source array is null");
}

enum class Direction { toArray, fromArray };

// Consecutive bytes of memory and the rows of an array: the rest of a row, whole rows, the beginning of a row.
hipError_t copyThroughRows(Direction direction, hipArray_const_t handle, Offset at, const void *memory, size_t bytes,
                           hipMemcpyKind kind, LZQueue &queue) {
  if (!handle)
    return refuse(hipErrorInvalidValue, direction == Direction::toArray ? "dst is null" : "src is null");
  CopyEnd end;
  if (hipError_t error = arrayEnd(end, handle, at.x, at.y))
    return error;
  const size_t row = end.array->shape().width * end.array->elementBytes();
  if (at.x >= row)
    return bytes == 0 && at.x == row
               ? hipSuccess
               : refuse(hipErrorInvalidValue, "the copy begins beyond the end of the array's row");
  CopyRegion regions[3];
  CopyMemory ends[3];
  size_t count = 0;
  auto add = [&](size_t width, size_t height) {
    CopyRegion &region = regions[count++];
    region = rowsRegion(const_cast<void *>(memory), width, memory, width, width, height, kind);
    (direction == Direction::toArray ? region.to : region.from) = end;
    memory = static_cast<const std::byte *>(memory) + width * height;
    bytes -= width * height;
    end.x = 0;
    end.y += height;
  };
  if (const size_t first = std::min(bytes, row - at.x); at.x != 0 && first != 0)
    add(first, 1);
  if (bytes >= row)
    add(row, bytes / row);
  if (bytes != 0)
    add(bytes, 1);
  for (size_t index = 0; index < count; ++index)
    if (hipError_t error = checkCopy(regions[index], ends[index]))
      return error;
  for (size_t index = 0; index < count; ++index)
    if (hipError_t error = queue.copyRegion(regions[index], ends[index], false))
      return error;
  return queue.synchronize();
}

} // namespace

extern "C" {

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                              size_t width, size_t height, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2DToArray, dst, wOffset, hOffset, src, spitch, width, height, kind)([&] {
    return copyToArray(dst, {wOffset, hOffset}, src, spitch, width, height, kind, queueFrom(nullptr), Wait::yes);
  });
}

hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                  size_t width, size_t height, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2DToArray_spt, dst, wOffset, hOffset, src, spitch, width, height, kind)([&] {
    return copyToArray(dst, {wOffset, hOffset}, src, spitch, width, height, kind, queueFrom(nullptr, kPerThread),
                       Wait::yes);
  });
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DToArrayAsync, dst, wOffset, hOffset, src, spitch, width, height, kind, stream)([&] {
    return copyToArray(dst, {wOffset, hOffset}, src, spitch, width, height, kind, queueFrom(stream), Wait::no);
  });
}

hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                       size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DToArrayAsync_spt, dst, wOffset, hOffset, src, spitch, width, height, kind, stream)([&] {
    return copyToArray(dst, {wOffset, hOffset}, src, spitch, width, height, kind, queueFrom(stream, kPerThread),
                       Wait::no);
  });
}

hipError_t hipMemcpy2DFromArray(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t width, size_t height, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2DFromArray, dst, dpitch, src, wOffset, hOffset, width, height, kind)([&] {
    return copyFromArray(dst, dpitch, src, {wOffset, hOffset}, width, height, kind, queueFrom(nullptr), Wait::yes);
  });
}

hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                    size_t width, size_t height, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2DFromArray_spt, dst, dpitch, src, wOffset, hOffset, width, height, kind)([&] {
    return copyFromArray(dst, dpitch, src, {wOffset, hOffset}, width, height, kind, queueFrom(nullptr, kPerThread),
                         Wait::yes);
  });
}

hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DFromArrayAsync, dst, dpitch, src, wOffset, hOffset, width, height, kind, stream)([&] {
    return copyFromArray(dst, dpitch, src, {wOffset, hOffset}, width, height, kind, queueFrom(stream), Wait::no);
  });
}

hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                         size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DFromArrayAsync_spt, dst, dpitch, src, wOffset, hOffset, width, height, kind, stream)([&] {
    return copyFromArray(dst, dpitch, src, {wOffset, hOffset}, width, height, kind, queueFrom(stream, kPerThread),
                         Wait::no);
  });
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst, hipArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                   hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2DArrayToArray, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height,
                   kind)([&] {
    return copyArrays(dst, {wOffsetDst, hOffsetDst}, src, {wOffsetSrc, hOffsetSrc}, width, height, kind,
                      queueFrom(nullptr), Wait::yes);
  });
}

hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                            hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyToArray, dst, wOffset, hOffset, src, count, kind)([&] {
    return copyThroughRows(Direction::toArray, dst, {wOffset, hOffset}, src, count, kind, queueFrom(nullptr));
  });
}

hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                              hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromArray, dst, src, wOffset, hOffset, count, kind)([&] {
    return copyThroughRows(Direction::fromArray, src, {wOffset, hOffset}, dst, count, kind, queueFrom(nullptr));
  });
}

hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                  hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromArray_spt, dst, src, wOffset, hOffset, count, kind)([&] {
    return copyThroughRows(Direction::fromArray, src, {wOffset, hOffset}, dst, count, kind,
                           queueFrom(nullptr, kPerThread));
  });
}

hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count) {
  return HIPLZ_API(hipMemcpyHtoA, dstArray, dstOffset, srcHost, count)([&] {
    return copyBytesToArray(dstArray, dstOffset, srcHost, count, hipMemcpyHostToDevice, queueFrom(nullptr), Wait::yes);
  });
}

hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count,
                              hipStream_t stream) {
  return HIPLZ_API(hipMemcpyHtoAAsync, dstArray, dstOffset, srcHost, count, stream)([&] {
    return copyBytesToArray(dstArray, dstOffset, srcHost, count, hipMemcpyHostToDevice, queueFrom(stream), Wait::no);
  });
}

hipError_t hipMemcpyAtoH(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count) {
  return HIPLZ_API(hipMemcpyAtoH, dst, srcArray, srcOffset, count)([&] {
    return copyBytesFromArray(dst, srcArray, srcOffset, count, hipMemcpyDeviceToHost, queueFrom(nullptr), Wait::yes);
  });
}

hipError_t hipMemcpyAtoHAsync(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyAtoHAsync, dst, srcArray, srcOffset, count, stream)([&] {
    return copyBytesFromArray(dst, srcArray, srcOffset, count, hipMemcpyDeviceToHost, queueFrom(stream), Wait::no);
  });
}

hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice, size_t count) {
  return HIPLZ_API(hipMemcpyDtoA, dstArray, dstOffset, srcDevice, count)([&] {
    return copyBytesToArray(dstArray, dstOffset, srcDevice, count, hipMemcpyDeviceToDevice, queueFrom(nullptr),
                            Wait::yes);
  });
}

hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset, size_t count) {
  return HIPLZ_API(hipMemcpyAtoD, dstDevice, srcArray, srcOffset, count)([&] {
    return copyBytesFromArray(dstDevice, srcArray, srcOffset, count, hipMemcpyDeviceToDevice, queueFrom(nullptr),
                              Wait::yes);
  });
}

hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset, size_t count) {
  return HIPLZ_API(hipMemcpyAtoA, dstArray, dstOffset, srcArray, srcOffset, count)([&] {
    HIPLZ_NOT_NULL(dstArray, srcArray);
    return copyArrays(dstArray, {dstOffset, 0}, srcArray, {srcOffset, 0}, count, 1, hipMemcpyDeviceToDevice,
                      queueFrom(nullptr), Wait::yes);
  });
}

} // extern "C"
