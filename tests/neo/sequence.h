// SPDX-License-Identifier: MIT
// The common part of the call sequences: a call must be taken, and the driver must be Intel's.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#define EXPECT(expected, call)                                                                                         \
  do {                                                                                                                 \
    hipError_t error = (call);                                                                                         \
    if (error != (expected)) {                                                                                         \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error));                               \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)
#define MUST(call) EXPECT(hipSuccess, call)

/// 0 if device 0 is one of Intel's driver; else the exit code of the test, which has been explained.
inline int requireIntel() {
  int count = 0;
  if (hipGetDeviceCount(&count) == hipErrorNoDevice) {
    std::printf("SKIP: Intel's Level Zero driver (intel-opencl-icd) shows no device\n");
    return 77;
  }
  hipDeviceProp_t properties;
  MUST(hipGetDeviceProperties(&properties, 0));
  std::printf("%s\n", properties.name);
  if (!std::strstr(properties.name, "Intel")) {
    std::printf("this is not Intel's driver\n");
    return 1;
  }
  return 0;
}
