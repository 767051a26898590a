// SPDX-License-Identifier: MIT
// Copies of consecutive bytes. A direction that the caller states is checked against what the pointers are; then the
// pointers decide.
#include "api/copy_checked.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"

using namespace hiplz;

namespace {

hipError_t copyMemory(void *to, const void *from, size_t bytes, hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  return copyChecked(linearRegion(to, from, bytes, kind), queue, wait);
}

hipError_t copyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, LZQueue &queue, Wait wait) {
  LZContext &context = LZContext::instance();
  context.device(toDevice);
  context.device(fromDevice);
  return copyMemory(to, from, bytes, hipMemcpyDeviceToDevice, queue, wait);
}

} // namespace

extern "C" {

hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy, dst, src, sizeBytes,
                   kind)([&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpy_spt, dst, src, sizeBytes, kind)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyAsync, dst, src, sizeBytes, kind,
                   stream)([&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyAsync_spt, dst, src, sizeBytes, kind, stream)(
      [&] { return copyMemory(dst, src, sizeBytes, kind, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyWithStream, dst, src, sizeBytes, kind, stream)([&] {
    LZQueue &queue = queueFrom(stream);
    if (followsHip7() && queue.captured()) // the host waits for the copy
      return LZCapture::refuse(queue);
    return copyMemory(dst, src, sizeBytes, kind, queue, Wait::always);
  });
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes) {
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

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes, hipStream_t stream) {
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

} // extern "C"
