// Buffers and images of OpenGL as HIP memory and arrays.
#ifndef HIPLZ_HIP_GL_INTEROP_H
#define HIPLZ_HIP_GL_INTEROP_H

#include "hip_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int GLuint;
typedef unsigned int GLenum;

typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame,
  hipGLDeviceListNextFrame
} hipGLDeviceList;

hipError_t hipGLGetDevices(unsigned int* pHipDeviceCount, int* pHipDevices,
                           unsigned int hipDeviceCount, hipGLDeviceList deviceList);

hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource** resource, GLuint buffer,
                                       unsigned int flags);

hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource** resource, GLuint image,
                                      GLenum target, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
