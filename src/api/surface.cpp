// SPDX-License-Identifier: MIT
// Surface objects.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/texture/texture.h"

#include <memory>

using namespace hiplz;

extern "C" {

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *pSurfObject, const hipResourceDesc *pResDesc) {
  return HIPLZ_API(hipCreateSurfaceObject, pSurfObject, pResDesc)([&] {
    HIPLZ_NOT_NULL(pSurfObject, pResDesc);
    auto surface = std::make_unique<LZTexture>(currentDevice(), *pResDesc);
    LZContext::instance().addHandle(*surface);
    *pSurfObject = reinterpret_cast<hipSurfaceObject_t>(surface.release()->address());
    return hipSuccess;
  });
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surfaceObject) {
  return HIPLZ_API(hipDestroySurfaceObject, surfaceObject)([&] {
    LZContext &context = LZContext::instance();
    if (!surfaceObject)
      return hipSuccess;
    LZTexture *surface = context.findTexture(surfaceObject);
    if (!surface || !surface->isSurface() || !context.removeHandle(surface))
      throw HipError(hipErrorInvalidValue, "the surface does not exist, or it has been destroyed");
    delete surface;
    return hipSuccess;
  });
}

} // extern "C"
