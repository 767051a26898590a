// Copies and fills. A direction that the caller states is checked against what the pointers are; then the pointers
// decide.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/copy_region.h"

using namespace hiplz;

namespace {

enum class Wait { no, yes };

// What the caller says of one side of a copy.
enum class Side { host, device, unknown };

// Checks one side: a device pointer must be known, and the bytes must lie in its allocation. HIP takes any memory that
// devices can reach for a device pointer, and any memory at all for a host pointer.
bool sideFits(const AllocationTable &table, const void *pointer, size_t bytes, Side side) {
  const std::optional<Allocation> memory = table.find(pointer);
  if (memory)
    return memory->contains(pointer, bytes);
  return side != Side::device;
}

bool directionSides(hipMemcpyKind kind, Side &to, Side &from) {
  switch (kind) {
  case hipMemcpyHostToHost: to = Side::host, from = Side::host; return true;
  case hipMemcpyHostToDevice: to = Side::device, from = Side::host; return true;
  case hipMemcpyDeviceToHost: to = Side::host, from = Side::device; return true;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU: to = Side::device, from = Side::device; return true;
  case hipMemcpyDefault: to = Side::unknown, from = Side::unknown; return true;
  }
  return false;
}

hipError_t checkCopy(void *to, const void *from, size_t toBytes, size_t fromBytes, hipMemcpyKind kind) {
  Side toSide, fromSide;
  if (!directionSides(kind, toSide, fromSide))
    return hipErrorInvalidMemcpyDirection;
  if (!to || !from)
    return hipErrorInvalidValue;
  const AllocationTable &table = LZContext::instance().allocations();
  if (!sideFits(table, to, toBytes, toSide) || !sideFits(table, from, fromBytes, fromSide)) {
    HIPLZ_LOG_INFO("a copy leaves an allocation, or a device pointer is due where %p or %p is none", to, from);
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t copyMemory(void *to, const void *from, size_t bytes, hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  if (bytes != 0)
    if (hipError_t error = checkCopy(to, from, bytes, bytes, kind))
      return error;
  return queue.copy(to, from, bytes, wait == Wait::yes);
}

// From the first byte of the first row to the last of the last; false if that is more than there are addresses.
bool bytesOfRows(size_t &bytes, size_t pitch, size_t width, size_t height) {
  return !__builtin_mul_overflow(pitch, height - 1, &bytes) && !__builtin_add_overflow(bytes, width, &bytes);
}

hipError_t copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                    hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  if (width == 0 || height == 0)
    return wait == Wait::yes ? queue.synchronize() : hipSuccess;
  if (toPitch < width || fromPitch < width)
    return hipErrorInvalidPitchValue;
  size_t toBytes, fromBytes;
  if (!bytesOfRows(toBytes, toPitch, width, height) || !bytesOfRows(fromBytes, fromPitch, width, height))
    return hipErrorInvalidValue;
  if (hipError_t error = checkCopy(to, from, toBytes, fromBytes, kind))
    return error;
  return queue.copyRegion(rowsRegion(to, toPitch, from, fromPitch, width, height, kind), wait == Wait::yes);
}

hipError_t fillMemory(void *to, uint32_t pattern, size_t patternBytes, size_t count, LZQueue &queue, Wait wait) {
  size_t bytes;
  if (__builtin_mul_overflow(count, patternBytes, &bytes))
    return hipErrorInvalidValue;
  if (bytes != 0 && (!to || !sideFits(LZContext::instance().allocations(), to, bytes, Side::device))) {
    HIPLZ_LOG_INFO("%zu bytes at %p are not inside memory that HIP allocated", bytes, to);
    return hipErrorInvalidValue;
  }
  hipError_t error = queue.fill(to, pattern, patternBytes, bytes);
  return error || wait == Wait::no ? error : queue.synchronize();
}

hipError_t copyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, LZQueue &queue,
                    Wait wait) {
  LZContext &context = LZContext::instance();
  context.device(toDevice);
  context.device(fromDevice);
  return copyMemory(to, from, bytes, hipMemcpyDeviceToDevice, queue, wait);
}

constexpr auto kPerThread = NullStream::perThread;

} // namespace

extern "C" {

hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy, dst, src, sizeBytes, kind)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy_spt, dst, src, sizeBytes, kind)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyAsync, dst, src, sizeBytes, kind, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyAsync_spt, dst, src, sizeBytes, kind, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyWithStream, dst, src, sizeBytes, kind, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(stream), Wait::yes); });
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void *src, size_t sizeBytes) {
  return HIPLZ_API(hipMemcpyHtoD, dst, src, sizeBytes)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyHostToDevice, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes) {
  return HIPLZ_API(hipMemcpyDtoH, dst, src, sizeBytes)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyDeviceToHost, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
  return HIPLZ_API(hipMemcpyDtoD, dst, src, sizeBytes)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyDeviceToDevice, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void *src, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyHtoDAsync, dst, src, sizeBytes, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyHostToDevice, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyDtoHAsync, dst, src, sizeBytes, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyDeviceToHost, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyDtoDAsync, dst, src, sizeBytes, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, hipMemcpyDeviceToDevice, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId, size_t sizeBytes) {
  return HIPLZ_API(hipMemcpyPeer, dst, dstDeviceId, src, srcDeviceId, sizeBytes)(
      [&] { return copyPeer(dst, dstDeviceId, src, srcDeviceId, sizeBytes, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice, size_t sizeBytes,
                              hipStream_t stream) {
  return HIPLZ_API(hipMemcpyPeerAsync, dst, dstDeviceId, src, srcDevice, sizeBytes, stream)(
      [&] { return copyPeer(dst, dstDeviceId, src, srcDevice, sizeBytes, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2D, dst, dpitch, src, spitch, width, height, kind)(
      [&] { return copyRows(dst, dpitch, src, spitch, width, height, kind, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpy2D_spt(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                           hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy2D_spt, dst, dpitch, src, spitch, width, height, kind)([&] {
    return copyRows(dst, dpitch, src, spitch, width, height, kind, queueFrom(nullptr, kPerThread), Wait::yes);
  });
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DAsync, dst, dpitch, src, spitch, width, height, kind, stream)(
      [&] { return copyRows(dst, dpitch, src, spitch, width, height, kind, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                                hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy2DAsync_spt, dst, dpitch, src, spitch, width, height, kind, stream)([&] {
    return copyRows(dst, dpitch, src, spitch, width, height, kind, queueFrom(stream, kPerThread), Wait::no);
  });
}

hipError_t hipMemset(void *dst, int value, size_t sizeBytes) {
  return HIPLZ_API(hipMemset, dst, value, sizeBytes)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemset_spt(void *dst, int value, size_t sizeBytes) {
  return HIPLZ_API(hipMemset_spt, dst, value, sizeBytes)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemsetAsync, dst, value, sizeBytes, stream)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetAsync_spt(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
  return HIPLZ_API(hipMemsetAsync_spt, dst, value, sizeBytes, stream)(
      [&] { return fillMemory(dst, value & 0xff, 1, sizeBytes, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return HIPLZ_API(hipMemsetD8, dst, value, count)(
      [&] { return fillMemory(dst, value, 1, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD8Async, dst, value, count, stream)(
      [&] { return fillMemory(dst, value, 1, count, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return HIPLZ_API(hipMemsetD16, dst, value, count)(
      [&] { return fillMemory(dst, value, 2, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD16Async, dst, value, count, stream)(
      [&] { return fillMemory(dst, value, 2, count, queueFrom(stream), Wait::no); });
}

hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return HIPLZ_API(hipMemsetD32, dst, value, count)(
      [&] { return fillMemory(dst, value, 4, count, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return HIPLZ_API(hipMemsetD32Async, dst, value, count, stream)(
      [&] { return fillMemory(dst, value, 4, count, queueFrom(stream), Wait::no); });
}

} // extern "C"
