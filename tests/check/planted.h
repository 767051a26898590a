// SPDX-License-Identifier: MIT
// The common part of the programs with planted defects. Each has kernels with a defect if `bad` is true and their clean twins otherwise. A
// comment behind the line of a defect says what the checks must find there: "finds: tool severity". run.py compares. All defects of a
// program run in one process, so none of them may fault.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    const hipError_t status = (call);                                                                                  \
    if (status != hipSuccess) {                                                                                        \
      std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, hipGetErrorName(status));                             \
      std::exit(3);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kItems = 128, kBlock = 64; // of a launch, and of a block
constexpr int kBlocks = kItems / kBlock;

__device__ inline int globalId() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// Launches kernel<bad> with so many blocks and waits.
#define LAUNCH(kernel, count, ...)                                                                                     \
  do {                                                                                                                 \
    kernel<bad><<<count, kBlock, kBlock * sizeof(int)>>>(__VA_ARGS__);                                                 \
    HIP_CHECK(hipDeviceSynchronize());                                                                                 \
  } while (0)

/// Zeros on the device.
template <class T> T *allocate(size_t count) {
  void *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, count * sizeof(T)));
  HIP_CHECK(hipMemset(memory, 0, count * sizeof(T)));
  HIP_CHECK(hipDeviceSynchronize());
  return static_cast<T *>(memory);
}

template <bool bad> void run();

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "bad"))
    run<true>();
  else
    run<false>();
}
