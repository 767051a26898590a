// SPDX-License-Identifier: MIT
// Initialisation and versions.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"

using namespace hiplz;

namespace {
static_assert(HIP_VERSION == kHipVersion7);

hipError_t storeVersion(int *version) {
  if (!version)
    return refuse(hipErrorInvalidValue, "version is null");
  *version = followsHip7() ? kHipVersion7 : kHipVersion6;
  return hipSuccess;
}
} // namespace

extern "C" {

hipError_t hipInit(unsigned int flags) {
  return HIPLZ_API(hipInit, flags)([&] {
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZContext::instance();
    return hipSuccess;
  });
}

hipError_t hipDriverGetVersion(int *driverVersion) {
  return HIPLZ_API(hipDriverGetVersion, driverVersion)([&] { return storeVersion(driverVersion); });
}

hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
  return HIPLZ_API(hipRuntimeGetVersion, runtimeVersion)([&] { return storeVersion(runtimeVersion); });
}

} // extern "C"
