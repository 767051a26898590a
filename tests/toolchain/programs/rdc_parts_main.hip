// SPDX-License-Identifier: MIT
// Uses the variables, functions, classes and kernels that another file defines (rdc_parts.h), on the device and from the host.
#include "check.h"
#include "rdc_parts.h"

static __device__ int hidden = 7000;
namespace {
__constant__ int unnamed = 1;
}
__device__ static int hidden_of_main() { return hidden + unnamed; }

__global__ void use(int *out, double *scaled) {
  if (threadIdx.x == 0) {
    out[0] = table[0] * 1000 + table[1] * 100 + table[2] * 10 + table[3];
    out[1] = settings.offsets[0] + settings.offsets[2];
    scaled[0] = settings.scale * 3;
    out[2] = limits[1] - limits[0];
    out[3] = chosen(9);
    Square object(6);
    const Shape *shape = &object;
    out[4] = shape->area();
    out[5] = inlined(5);
    out[6] = twice(21);
    out[7] = factorial(5);
    out[9] = counted();
    out[10] = hidden_of_main();
    table[1] = 77;
    shared_counter += 4;
  }
  __syncthreads();
  const int sum = sum_of_block(static_cast<int>(threadIdx.x) + 1);
  if (threadIdx.x == 0)
    out[8] = sum;
}

__global__ void call_warp(int *out) { out[threadIdx.x] = warp_sum(static_cast<int>(threadIdx.x)); }

int main() {
  int *out = nullptr;
  double *scaled = nullptr;
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&out), 32 * sizeof(int)) == hipSuccess);
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&scaled), sizeof(double)) == hipSuccess);
  // The host writes variables that the other file defines.
  const int limit = 95;
  REQUIRE(hipMemcpyToSymbol(HIP_SYMBOL(limits), &limit, sizeof limit, sizeof(int)) == hipSuccess);
  shared_counter = 20;
  use<<<1, 16, 16 * sizeof(int)>>>(out, scaled);
  REQUIRE(hipGetLastError() == hipSuccess);
  int host[32];
  double number = 0;
  REQUIRE(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  REQUIRE(hipMemcpy(&number, scaled, sizeof number, hipMemcpyDeviceToHost) == hipSuccess);
  const int expected[] = {3141, 16, 100, 81, 36, 100005, 42, 120, 136, 42, 7001};
  for (int i = 0; i < 11; ++i)
    if (host[i] != expected[i]) {
      std::fprintf(stderr, "out[%d] is %d, not %d\n", i, host[i], expected[i]);
      return 1;
    }
  REQUIRE(number == 1.5);
  REQUIRE(shared_counter == 24);
  // A kernel of the other file.
  other_kernel<<<1, 1>>>(out, 6);
  REQUIRE(hipGetLastError() == hipSuccess);
  REQUIRE(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  REQUIRE(host[0] == 101006);
  REQUIRE(shared_counter == 25);
  int values[4];
  REQUIRE(hipMemcpyFromSymbol(values, HIP_SYMBOL(table), sizeof values) == hipSuccess);
  REQUIRE(values[0] == 3 && values[1] == 77 && values[2] == 4 && values[3] == 12);
  int *address = nullptr;
  size_t bytes = 0;
  REQUIRE(hipGetSymbolAddress(reinterpret_cast<void **>(&address), HIP_SYMBOL(settings)) == hipSuccess);
  REQUIRE(hipGetSymbolSize(&bytes, HIP_SYMBOL(settings)) == hipSuccess);
  REQUIRE(address != nullptr && bytes == sizeof(Settings));
  call_warp<<<1, 32>>>(out);
  REQUIRE(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 32; ++i)
    REQUIRE(host[i] == 496);
  REQUIRE(hipFree(out) == hipSuccess && hipFree(scaled) == hipSuccess);
  return 0;
}
