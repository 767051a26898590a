// SPDX-License-Identifier: MIT
// Device variables in an anonymous namespace and static ones: the host reaches them by name, and the optimiser does
// not take their initial value for their only one (clang 15 does, without the annotation in host_defines.h).
#include "tests/device/check.h"

#include <hip/hip_runtime.h>

namespace {
__constant__ int anonymousConstant;
__device__ float anonymousArray[4];
} // namespace
static __device__ int staticVariable = 7;
template <class T> struct Holder {
  static __constant__ T member;
};
template <class T> __constant__ T Holder<T>::member;

__global__ void read(float *out) {
  out[0] = anonymousConstant;
  out[1] = anonymousArray[threadIdx.x + 1];
  out[2] = staticVariable;
  out[3] = Holder<int>::member;
}

int main() {
  int eleven = 11, thirteen = 13;
  float array[4] = {1, 2, 3, 4};
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(anonymousConstant), &eleven, sizeof eleven));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(anonymousArray), array, sizeof array));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(Holder<int>::member), &thirteen, sizeof thirteen));
  float *out, host[4];
  HIP_CHECK(hipMalloc(&out, sizeof host));
  read<<<1, 1>>>(out);
  HIP_CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  CHECK(host[0] == 11);
  CHECK(host[1] == 2);
  CHECK(host[2] == 7);
  CHECK(host[3] == 13);
  HIP_CHECK(hipFree(out));
  return testResult();
}
