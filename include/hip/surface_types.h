// Types of the surface API.
#ifndef HIPLZ_SURFACE_TYPES_H
#define HIPLZ_SURFACE_TYPES_H

#include "driver_types.h"

struct __hip_surface;
typedef struct __hip_surface* hipSurfaceObject_t;

struct surfaceReference {
  hipSurfaceObject_t surfaceObject;
};

enum hipSurfaceBoundaryMode {
  hipBoundaryModeZero = 0,
  hipBoundaryModeTrap,
  hipBoundaryModeClamp
};

#endif
