// SPDX-License-Identifier: MIT
// Functions for profilers: names of functions, commands and kernels, and a report of every call.
#include "api/api_names.h"
#include "api/api_scope.h"
#include "api/api_tracer.h"
#include "api/current.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

using namespace hiplz;

namespace {

// Before main, so that every thread of the program finds the recorder.
const bool opened = [] {
  openProfiler();
  return true;
}();

/// The functions here that return no hipError_t answer null or -1 instead; the error becomes the last one all the same.
template <class Scope, class Result, class Body> Result answer(Scope scope, Result none, Body body) {
  Result result = none;
  scope([&] {
    result = body();
    return hipSuccess;
  });
  return result;
}

} // namespace

extern "C" {

hipError_t hipProfilerStart(void) {
  return HIPLZ_API(hipProfilerStart)([] {
    ApiTracer::setRecording(true);
    if (const ProfilerHooks *hooks = profiler())
      hooks->setRecording(true);
    return hipSuccess;
  });
}

hipError_t hipProfilerStop(void) {
  return HIPLZ_API(hipProfilerStop)([] {
    ApiTracer::setRecording(false);
    if (const ProfilerHooks *hooks = profiler())
      hooks->setRecording(false);
    return hipSuccess;
  });
}

void hipRegisterTracerCallback(int (*function)(activity_domain_t domain, uint32_t id, void *data)) {
  ApiTracer::setCallback(function);
}

const char *hipApiName(uint32_t id) { return apiName(id); }

const char *hipGetCmdName(unsigned int op) {
  switch (op) {
  case 0: return "InternalMarker";
  case 0x11F0: return "KernelExecution";
  case 0x11F3: return "CopyDeviceToHost";
  case 0x11F4: return "CopyHostToDevice";
  case 0x11F5: return "CopyDeviceToDevice";
  case 0x11FE: return "Marker";
  case 0x1201: return "CopyDeviceToHost2D";
  case 0x1202: return "CopyHostToDevice2D";
  case 0x1203: return "CopyDeviceToDevice2D";
  case 0x1207: return "FillBuffer";
  default: return "Unknown command type";
  }
}

const char *hipKernelNameRef(const hipFunction_t f) {
  return answer(HIPLZ_API(hipKernelNameRef, f), static_cast<const char *>(nullptr),
                [&] { return LZRegistry::instance().kernelOf(f).name().c_str(); });
}

const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream) {
  return answer(HIPLZ_API(hipKernelNameRefByPtr, hostFunction, stream), static_cast<const char *>(nullptr),
                [&] { return LZRegistry::instance().kernelFor(hostFunction).name().c_str(); });
}

int hipGetStreamDeviceId(hipStream_t stream) {
  return answer(HIPLZ_API(hipGetStreamDeviceId, stream), -1, [&] { return queueFrom(stream).device().ordinal(); });
}

} // extern "C"
