// SPDX-License-Identifier: MIT
// See cl_api.h.
#include "opencl/cl_api.h"
#include "base/log.h"

#include <dlfcn.h>

namespace hiplz::opencl {

ClFunctions clFunctions;

namespace {

bool load() {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    HIPLZ_LOG_INFO("OpenCL cannot be used: %s", dlerror());
    return false;
  }
  bool complete = true;
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function)
      HIPLZ_LOG_INFO("OpenCL cannot be used: libOpenCL.so.1 has no %s", name);
    complete &= function != nullptr;
  };
#define HIPLZ_CL(name) find(clFunctions.name, #name);
#include "opencl/cl_functions.def"
#undef HIPLZ_CL
  clFunctions.clCreateBufferWithProperties = reinterpret_cast<decltype(clFunctions.clCreateBufferWithProperties)>(
      dlsym(library, "clCreateBufferWithProperties"));
  return complete;
}

} // namespace

bool openCl() {
  static const bool opened = load();
  return opened;
}

ze_result_t resultOf(cl_int code) {
  switch (code) {
  case CL_SUCCESS: return ZE_RESULT_SUCCESS;
  case CL_OUT_OF_HOST_MEMORY: return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES: return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  case CL_DEVICE_NOT_AVAILABLE: return ZE_RESULT_ERROR_DEVICE_LOST;
  case CL_BUILD_PROGRAM_FAILURE:
  case CL_COMPILE_PROGRAM_FAILURE: return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  case CL_LINK_PROGRAM_FAILURE: return ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
  case CL_INVALID_BINARY: return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  case CL_INVALID_BUFFER_SIZE: return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  case CL_INVALID_KERNEL_NAME: return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  case CL_INVALID_ARG_INDEX: return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
  case CL_INVALID_ARG_SIZE: return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  case CL_INVALID_KERNEL_ARGS:
  case CL_INVALID_ARG_VALUE:
  case CL_INVALID_VALUE: return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE: return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  case CL_INVALID_OPERATION: return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  default: return ZE_RESULT_ERROR_UNKNOWN;
  }
}

} // namespace hiplz::opencl
