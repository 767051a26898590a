// SPDX-License-Identifier: MIT
// Names that tests/device/check.h takes from HIP 6, for AMD's headers of HIP 5.
#pragma once
#include <hip/hip_runtime.h>

struct PointerAttributes : hipPointerAttribute_t {
  const hipMemoryType &type = memoryType;
};
#define hipPointerAttribute_t PointerAttributes
#define hipMemoryTypeUnregistered static_cast<hipMemoryType>(-1)
