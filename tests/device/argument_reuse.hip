// SPDX-License-Identifier: MIT
// Arguments that did not change are not set again, but a pointer is after memory went back to the driver: drivers
// remember the memory that stood behind an address, and the next allocation may have the same address. Memory that
// hipFree keeps for the next hipMalloc stays what it is for the driver, so here it keeps none. The program counts the
// calls by putting its own function before the loader's.
#include "check.h"

#include <atomic>
#include <cstdint>
#include <dlfcn.h>

namespace {
std::atomic<int> calls[2]; // by the index of the argument
__global__ void store(int *to, int value) { *to = value; }
} // namespace

extern "C" uint32_t zeKernelSetArgumentValue(void *kernel, uint32_t index, size_t size, const void *value) {
  static const auto real =
      reinterpret_cast<decltype(&zeKernelSetArgumentValue)>(dlsym(RTLD_NEXT, "zeKernelSetArgumentValue"));
  if (index < 2)
    ++calls[index];
  return real(kernel, index, size, value);
}

static void expectCalls(int pointer, int value) {
  CHECK_EQ(calls[0].exchange(0), pointer);
  CHECK_EQ(calls[1].exchange(0), value);
}

int main() {
  setenv("HIPLZ_MALLOC_CACHE", "0", 1);
  int *memory, *other;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), sizeof(int)));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&other), sizeof(int)));
  store<<<1, 1>>>(memory, 1);
  expectCalls(1, 1);
  store<<<1, 1>>>(memory, 1);
  expectCalls(0, 0);
  store<<<1, 1>>>(memory, 2);
  expectCalls(0, 1);
  store<<<1, 1>>>(other, 2);
  expectCalls(1, 0);
  HIP_CHECK(hipFree(memory));
  store<<<1, 1>>>(other, 2);
  expectCalls(1, 0);
  store<<<1, 1>>>(other, 2);
  expectCalls(0, 0);
  int result = 0;
  HIP_CHECK(hipMemcpy(&result, other, sizeof result, hipMemcpyDeviceToHost));
  CHECK_EQ(result, 2);
  HIP_CHECK(hipFree(other));
  return testResult();
}
