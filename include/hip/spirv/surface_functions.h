// SPDX-License-Identifier: MIT
// The surface functions of kernels: elements of arrays are read and written as they are in memory. x counts in bytes. A
// hipSurfaceBoundaryMode says what happens outside the array: reads give zero and writes do nothing
// (hipBoundaryModeZero), the nearest element is used (hipBoundaryModeClamp), or the kernel faults
// (hipBoundaryModeTrap).
#pragma once

#include "hip/spirv/texture_sampling.h"
#include "hip/surface_types.h"

namespace __hiplz {

/// One index of a surface; -1 for the elements that are not there.
__HIPLZ_DEVICE int surfaceIndex(int index, unsigned size, int mode) {
  if (index >= 0 && (unsigned)index < size)
    return index;
  return mode != hipBoundaryModeClamp ? -1 : index < 0 ? 0 : (int)size - 1;
}

/// The address of an element of type T, or 0 outside. An x within an element means the element.
template <class T>
__HIPLZ_DEVICE uint64_t surfaceElement(Texture *surface, int xBytes, int y, int z, int layer, int mode) {
  TextureLevel *level = &surface->base;
  const unsigned columns = level->width * surface->element_bytes / (unsigned)sizeof(T);
  const int column = surfaceIndex(xBytes < 0 ? -1 : (int)((unsigned)xBytes / (unsigned)sizeof(T)), columns, mode);
  const int row = surfaceIndex(y, level->height, mode);
  const int slice = surfaceIndex(z, level->depth, mode);
  layer = surfaceIndex(layer, surface->layers, mode);
  if ((column | row | slice | layer) < 0)
    // A write to address 16, which no allocation has, is what a device reports as a fault.
    return mode == hipBoundaryModeTrap ? 16 : 0;
  return level->data + (uint64_t)column * sizeof(T) + (uint64_t)row * level->row_pitch +
         (uint64_t)(unsigned)(slice + layer) * level->slice_pitch;
}

template <class T> __HIPLZ_DEVICE T surfaceRead(const void *object, int xBytes, int y, int z, int layer, int mode) {
  const uint64_t address = surfaceElement<T>(textureOf(object), xBytes, y, z, layer, mode);
  T value;
  __builtin_memset(&value, 0, sizeof value);
  if (address != 0)
    value = *(const T *)address;
  return value;
}
template <class T>
__HIPLZ_DEVICE void surfaceWrite(const T &value, const void *object, int xBytes, int y, int z, int layer, int mode) {
  const uint64_t address = surfaceElement<T>(textureOf(object), xBytes, y, z, layer, mode);
  if (address != 0)
    *(T *)address = value;
}

} // namespace __hiplz

#define __HIPLZ_UNPACK(...) __VA_ARGS__
#define __HIPLZ_IF_TEXEL(T) typename std::enable_if<__hiplz::TexelType<T>::value>::type * = nullptr
#define __HIPLZ_SURFACE(name, parameters, row, slice, plane)                                                           \
  template <class T, __HIPLZ_IF_TEXEL(T)>                                                                              \
  __HIPLZ_DEVICE T name##read(hipSurfaceObject_t object, __HIPLZ_UNPACK parameters,                                    \
                              int boundaryMode = hipBoundaryModeZero) {                                                \
    return __hiplz::surfaceRead<T>(object, x, row, slice, plane, boundaryMode);                                        \
  }                                                                                                                    \
  template <class T, __HIPLZ_IF_TEXEL(T)>                                                                              \
  __HIPLZ_DEVICE void name##read(T *data, hipSurfaceObject_t object, __HIPLZ_UNPACK parameters,                        \
                                 int boundaryMode = hipBoundaryModeZero) {                                             \
    *data = __hiplz::surfaceRead<T>(object, x, row, slice, plane, boundaryMode);                                       \
  }                                                                                                                    \
  template <class T, __HIPLZ_IF_TEXEL(T)>                                                                              \
  __HIPLZ_DEVICE void name##write(T data, hipSurfaceObject_t object, __HIPLZ_UNPACK parameters,                        \
                                  int boundaryMode = hipBoundaryModeZero) {                                            \
    __hiplz::surfaceWrite<T>(data, object, x, row, slice, plane, boundaryMode);                                        \
  }

__HIPLZ_SURFACE(surf1D, (int x), 0, 0, 0)
__HIPLZ_SURFACE(surf2D, (int x, int y), y, 0, 0)
__HIPLZ_SURFACE(surf3D, (int x, int y, int z), y, z, 0)
__HIPLZ_SURFACE(surf1DLayered, (int x, int layer), 0, 0, layer)
__HIPLZ_SURFACE(surf2DLayered, (int x, int y, int layer), y, 0, layer)
__HIPLZ_SURFACE(surfCubemap, (int x, int y, int face), y, 0, face)
__HIPLZ_SURFACE(surfCubemapLayered, (int x, int y, int face, int layer), y, 0, (layer * 6 + face))

/// HIP has this one with the value behind a pointer, too.
template <class T, __HIPLZ_IF_TEXEL(T)>
__HIPLZ_DEVICE void surfCubemapLayeredwrite(T *data, hipSurfaceObject_t object, int x, int y, int face, int layer) {
  surfCubemapLayeredwrite(*data, object, x, y, face, layer);
}

#undef __HIPLZ_SURFACE
#undef __HIPLZ_IF_TEXEL
#undef __HIPLZ_UNPACK
