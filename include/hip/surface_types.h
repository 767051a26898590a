// SPDX-License-Identifier: MIT
// Types of the surface API.
#ifndef HIPLZ_SURFACE_TYPES_H
#define HIPLZ_SURFACE_TYPES_H

#include "spirv/user_macros_off.h"

#include "driver_types.h"

struct __hip_surface;
/// A surface object, for kernels that read and write single texels.
typedef struct __hip_surface *hipSurfaceObject_t;

/// A surface of the older kind.
struct surfaceReference {
  hipSurfaceObject_t surfaceObject;
};

/// How a surface access outside the array ends.
enum hipSurfaceBoundaryMode { hipBoundaryModeZero = 0, hipBoundaryModeTrap, hipBoundaryModeClamp };

#include "spirv/user_macros_on.h"
#endif
