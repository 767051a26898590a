// SPDX-License-Identifier: MIT
// Contexts of the driver API. HIP has one context for each device, the primary one; a context handle names a device, and
// making a context current selects its device.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/context/device_reset.h"
#include "lz/graph/capture.h"

#include <algorithm>
#include <atomic>
#include <vector>

using namespace hiplz;

namespace {

// Contexts that the calling thread pushed over the current one; destroyed with the thread.
thread_local std::vector<int> pushedDevices;

hipCtx_t toHandle(const LZDevice &device) { return reinterpret_cast<hipCtx_t>(const_cast<LZDevice *>(&device)); }

} // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device) {
  return HIPLZ_API(hipCtxCreate, ctx, flags, device)([&] {
    if (!ctx)
      return refuse(hipErrorInvalidValue, "ctx is null");
    LZDevice &chosen = LZContext::instance().device(device, hipErrorInvalidValue);
    pushedDevices.push_back(threadState.device);
    threadState.device = chosen.ordinal();
    *ctx = toHandle(chosen);
    return hipSuccess;
  });
}

hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return HIPLZ_API(hipCtxDestroy, ctx)([&] {
    const LZDevice &device = contextFrom(ctx, hipErrorInvalidValue);
    if (device.ordinal() == threadState.device && !pushedDevices.empty()) {
      threadState.device = pushedDevices.back();
      pushedDevices.pop_back();
    }
    return hipSuccess;
  });
}

hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return HIPLZ_API(hipCtxPushCurrent, ctx)([&] {
    const LZDevice &device = contextFrom(ctx);
    pushedDevices.push_back(threadState.device);
    threadState.device = device.ordinal();
    return hipSuccess;
  });
}

hipError_t hipCtxPopCurrent(hipCtx_t *ctx) {
  return HIPLZ_API(hipCtxPopCurrent, ctx)([&] {
    const LZDevice &device = currentDevice();
    if (pushedDevices.empty())
      return refuse(hipErrorInvalidContext, "no context has been pushed");
    if (ctx)
      *ctx = toHandle(device);
    threadState.device = pushedDevices.back();
    pushedDevices.pop_back();
    return hipSuccess;
  });
}

hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return HIPLZ_API(hipCtxSetCurrent, ctx)([&] {
    // No context at all: back to the first device.
    threadState.device = ctx ? contextFrom(ctx).ordinal() : 0;
    return hipSuccess;
  });
}

hipError_t hipCtxGetCurrent(hipCtx_t *ctx) {
  return HIPLZ_API(hipCtxGetCurrent, ctx)([&] {
    if (!ctx)
      return refuse(hipErrorInvalidValue, "ctx is null");
    *ctx = toHandle(currentDevice());
    return hipSuccess;
  });
}

hipError_t hipCtxGetDevice(hipDevice_t *device) {
  return HIPLZ_API(hipCtxGetDevice, device)([&] {
    if (!device)
      return refuse(hipErrorInvalidValue, "device is null");
    *device = currentDevice().ordinal();
    return hipSuccess;
  });
}

hipError_t hipCtxGetApiVersion(hipCtx_t ctx, unsigned int *apiVersion) {
  return HIPLZ_API(hipCtxGetApiVersion, ctx, apiVersion)([&] {
    if (!apiVersion)
      return refuse(hipErrorInvalidValue, "apiVersion is null");
    if (ctx)
      contextFrom(ctx);
    *apiVersion = followsHip7() ? 7020 : 6040;
    return hipSuccess;
  });
}

hipError_t hipCtxSynchronize(void) {
  return HIPLZ_API(hipCtxSynchronize)([&] {
    LZCapture::forbidAlways();
    return currentDevice().synchronize();
  });
}

hipError_t hipCtxGetFlags(unsigned int *flags) {
  return HIPLZ_API(hipCtxGetFlags, flags)([&] {
    if (!flags)
      return refuse(hipErrorInvalidValue, "flags is null");
    *flags = currentDevice().scheduleFlags;
    return hipSuccess;
  });
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device) {
  return HIPLZ_API(hipDevicePrimaryCtxRetain, ctx, device)([&] {
    if (!ctx)
      return refuse(hipErrorInvalidValue, "ctx is null");
    *ctx = toHandle(LZContext::instance().device(device));
    return hipSuccess;
  });
}

// The primary context lives as long as the process, also when nobody holds it.
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return HIPLZ_API(hipDevicePrimaryCtxRelease, device)([&] {
    LZContext::instance().device(device);
    return hipSuccess;
  });
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return HIPLZ_API(hipDevicePrimaryCtxReset, device)([&] { return resetDevice(LZContext::instance().device(device)); });
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active) {
  return HIPLZ_API(hipDevicePrimaryCtxGetState, device, flags, active)([&] {
    const LZDevice &queried = LZContext::instance().device(device);
    if (flags) // each may be null, as in AMD's library
      *flags = queried.scheduleFlags;
    if (active)
      *active = queried.ordinal() == threadState.device;
    return hipSuccess;
  });
}

} // extern "C"
