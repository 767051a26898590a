// SPDX-License-Identifier: MIT
#include "roofline/device_memory.h"

namespace hiplz::roofline {

DeviceError::DeviceError(const std::string &call, hipError_t error)
    : std::runtime_error(call + ": " + hipGetErrorName(error) + ": " + hipGetErrorString(error)) {}

void check(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw DeviceError(call, error);
}

DeviceMemory::DeviceMemory(size_t bytes) {
  check(hipMalloc(&pointer_, bytes), "hipMalloc");
  if (const hipError_t error = hipMemset(pointer_, 0, bytes)) {
    static_cast<void>(hipFree(pointer_));
    throw DeviceError("hipMemset", error);
  }
}

DeviceMemory::~DeviceMemory() { static_cast<void>(hipFree(pointer_)); }

} // namespace hiplz::roofline
