// SPDX-License-Identifier: MIT
// HIP's functions with exceptions, and memory that frees itself.
#pragma once
#include "hip/hip_runtime_api.h"

#include <stdexcept>
#include <string>

namespace hiplz::roofline {

/// A HIP function has failed.
class DeviceError : public std::runtime_error {
public:
  DeviceError(const std::string &call, hipError_t error);
};

/// Throws DeviceError unless it is hipSuccess.
void check(hipError_t error, const char *call);

/// Memory of the device, all zeros at first. Throws DeviceError.
class DeviceMemory {
public:
  explicit DeviceMemory(size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  void *get() const { return pointer_; }
  template <class T> T *as() const { return static_cast<T *>(pointer_); }

private:
  void *pointer_ = nullptr;
};

} // namespace hiplz::roofline
