// SPDX-License-Identifier: MIT
// Copies of rows and boxes, between memory and arrays.
#include "api/copy_checked.h"

using namespace hiplz;

namespace {

hipError_t copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                    hipMemcpyKind kind, LZQueue &queue, Wait wait) {
  return copyChecked(rowsRegion(to, toPitch, from, fromPitch, width, height, kind), queue, wait);
}

hipError_t copyBox(const hipMemcpy3DParms *parameters, LZQueue &queue, Wait wait) {
  if (!parameters)
    return refuse(hipErrorInvalidValue, "parameters is null");
  CopyRegion region;
  if (hipError_t error = makeRegion(region, *parameters))
    return error;
  return copyChecked(region, queue, wait);
}

// The driver API has no error of its own for pitches.
template <class Description> hipError_t copyDescribed(const Description *description, LZQueue &queue, Wait wait) {
  if (!description)
    return refuse(hipErrorInvalidValue, "description is null");
  CopyRegion region;
  if (hipError_t error = makeRegion(region, *description))
    return error;
  hipError_t error = copyChecked(region, queue, wait);
  return error == hipErrorInvalidPitchValue ? refuse(hipErrorInvalidValue, "a row is longer than its pitch") : error;
}

} // namespace

extern "C" {

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
  return HIPLZ_API(hipMemcpy2DAsync_spt, dst, dpitch, src, spitch, width, height, kind, stream)(
      [&] { return copyRows(dst, dpitch, src, spitch, width, height, kind, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) {
  return HIPLZ_API(hipMemcpy3D, p)([&] { return copyBox(p, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *p) {
  return HIPLZ_API(hipMemcpy3D_spt, p)([&] { return copyBox(p, queueFrom(nullptr, kPerThread), Wait::yes); });
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy3DAsync, p, stream)([&] { return copyBox(p, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *p, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy3DAsync_spt, p,
                   stream)([&] { return copyBox(p, queueFrom(stream, kPerThread), Wait::no); });
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy) {
  return HIPLZ_API(hipDrvMemcpy3D, pCopy)([&] { return copyDescribed(pCopy, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream) {
  return HIPLZ_API(hipDrvMemcpy3DAsync, pCopy,
                   stream)([&] { return copyDescribed(pCopy, queueFrom(stream), Wait::no); });
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
  return HIPLZ_API(hipMemcpyParam2D, pCopy)([&] { return copyDescribed(pCopy, queueFrom(nullptr), Wait::yes); });
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyParam2DAsync, pCopy,
                   stream)([&] { return copyDescribed(pCopy, queueFrom(stream), Wait::no); });
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy) {
  return HIPLZ_API(hipDrvMemcpy2DUnaligned, pCopy)([&] { return copyDescribed(pCopy, queueFrom(nullptr), Wait::yes); });
}

} // extern "C"
