// SPDX-License-Identifier: MIT
// Buffers and images of OpenGL as HIP memory and arrays.
#ifndef HIPLZ_HIP_GL_INTEROP_H
#define HIPLZ_HIP_GL_INTEROP_H

#include "spirv/user_macros_off.h"

#include "hip_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int GLuint;
typedef unsigned int GLenum;

/// Which devices hipGLGetDevices stores.
typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame,
  hipGLDeviceListNextFrame
} hipGLDeviceList;

/// Stores the devices that render the current OpenGL context.
hipError_t hipGLGetDevices(unsigned int *pHipDeviceCount, int *pHipDevices, unsigned int hipDeviceCount,
                           hipGLDeviceList deviceList);

/// Registers a buffer of OpenGL for use by HIP.
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer, unsigned int flags);

/// Registers a texture or render buffer of OpenGL for use by HIP.
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target, unsigned int flags);

#ifdef __cplusplus
}
#endif

#include "spirv/user_macros_on.h"
#endif
