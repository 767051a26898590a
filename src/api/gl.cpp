// SPDX-License-Identifier: MIT
// Buffers and images of OpenGL. Level Zero shares none with OpenGL, so nothing can be registered, and no handle that the
// other functions are given can be one.
#include "api/api_scope.h"
#include "api/current.h"

#include <hip/hip_gl_interop.h>

using namespace hiplz;

namespace {

hipError_t refuseSharing(const void *resource, unsigned flags) {
  constexpr unsigned kKnown = hipGraphicsRegisterFlagsReadOnly | hipGraphicsRegisterFlagsWriteDiscard |
                              hipGraphicsRegisterFlagsSurfaceLoadStore | hipGraphicsRegisterFlagsTextureGather;
  if (!resource || (flags & ~kKnown))
    return refuse(hipErrorInvalidValue, resource ? "flags is not one of hipGraphicsRegisterFlags" : "resource is null");
  return refuse(hipErrorNotSupported, "Level Zero does not share buffers or images with OpenGL");
}

// The two functions document different errors for a stream that does not exist.
hipError_t checkResources(int count, hipGraphicsResource_t *resources, hipStream_t stream, hipError_t noStream) {
  queueFrom(stream, NullStream::legacy, noStream);
  return count <= 0 || !resources ? refuse(hipErrorInvalidValue, "count is not positive, or resources is null")
                                  : refuse(hipErrorInvalidHandle, "a resource has not been registered");
}

} // namespace

extern "C" {

hipError_t hipGLGetDevices(unsigned int *pHipDeviceCount, int *pHipDevices, unsigned int hipDeviceCount,
                           hipGLDeviceList deviceList) {
  return HIPLZ_API(hipGLGetDevices, pHipDeviceCount, pHipDevices, hipDeviceCount, deviceList)([&] {
    HIPLZ_NOT_NULL(pHipDeviceCount, pHipDevices);
    if (hipDeviceCount == 0 || deviceList < hipGLDeviceListAll || deviceList > hipGLDeviceListNextFrame)
      return refuse(hipErrorInvalidValue, "hipDeviceCount is 0, or deviceList is not one of hipGLDeviceList");
    // None of the devices renders an OpenGL context that it could share with HIP.
    *pHipDeviceCount = 0;
    return refuse(hipErrorNoDevice, "no device renders an OpenGL context");
  });
}

hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer, unsigned int flags) {
  return HIPLZ_API(hipGraphicsGLRegisterBuffer, resource, buffer,
                   flags)([&] { return refuseSharing(resource, flags); });
}

hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target, unsigned int flags) {
  return HIPLZ_API(hipGraphicsGLRegisterImage, resource, image, target,
                   flags)([&] { return refuseSharing(resource, flags); });
}

hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream) {
  return HIPLZ_API(hipGraphicsMapResources, count, resources,
                   stream)([&] { return checkResources(count, resources, stream, hipErrorInvalidHandle); });
}

hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream) {
  return HIPLZ_API(hipGraphicsUnmapResources, count, resources,
                   stream)([&] { return checkResources(count, resources, stream, hipErrorContextIsDestroyed); });
}

hipError_t hipGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, hipGraphicsResource_t resource) {
  return HIPLZ_API(hipGraphicsResourceGetMappedPointer, devPtr, size, resource)([&] {
    return devPtr && size ? refuse(hipErrorInvalidValue, "the resource has not been registered")
                          : refuse(hipErrorInvalidValue, "devPtr or size is null");
  });
}

hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t resource,
                                                unsigned int arrayIndex, unsigned int mipLevel) {
  return HIPLZ_API(hipGraphicsSubResourceGetMappedArray, array, resource, arrayIndex, mipLevel)([&] {
    return array ? refuse(hipErrorInvalidValue, "the resource has not been registered")
                 : refuse(hipErrorInvalidValue, "array is null");
  });
}

hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource) {
  return HIPLZ_API(hipGraphicsUnregisterResource,
                   resource)([&] { return refuse(hipErrorInvalidValue, "the resource has not been registered"); });
}

} // extern "C"
