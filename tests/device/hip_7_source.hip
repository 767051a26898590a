// SPDX-License-Identifier: MIT
// Sources that mean something else in HIP 7: vectors of one value, their members, and the size of a warp.
#include "check.h"

#include <type_traits>

namespace {

static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(!std::is_integral<decltype(warpSize)>::value && std::is_convertible<decltype(warpSize), int>::value, "");
static_assert(int(warpSize) == 32, "libraries from before HIP 7 use it as a constant");
static_assert(!std::is_convertible<float, float4>::value, "the constructor is explicit");

__host__ __device__ bool checkVectors() {
  const float4 one(1.5f), braced{1.5f};
  const int3 three(7);
  const double1 single(2);
  bool right = one.x == 1.5f && one.y == 0 && one.z == 0 && one.w == 0 && braced.x == 1.5f && braced.w == 0;
  right = right && three.x == 7 && three.y == 0 && three.z == 0 && single.x == 2;
  // A scalar operand stands for all components all the same.
  const float4 vector(1, 2, 3, 4), sum = vector + 2.0f, product = 2.0f * vector;
  right = right && sum.x == 3 && sum.w == 6 && product.x == 2 && product.w == 8;
  float4 changed = vector;
  changed += 1.0f;
  changed++;
  right = right && changed.x == 3 && changed.w == 6 && (-vector).w == -4;
  changed[2] = vector[3];
  right = right && vector.data[3] == 4 && single.data[0] == 2; // libraries from before HIP 7 read it
  right = right && changed.z == 4 && changed[0] == 3;
  return right && make_int2(3, 3) == 3 && make_int2(3, 0) != 3 && !(int2(3) == 3) && (~int2(1, 2)).y == -3;
}

__global__ void kernel(int *out) {
  const int lanes = warpSize;
  int value = static_cast<int>(threadIdx.x);
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  if (threadIdx.x == 0) {
    out[0] = lanes;
    out[1] = checkVectors();
    out[2] = value;
    out[3] = __shfl(7, 0, warpSize);
  }
}

} // namespace

int main() {
  int *out;
  HIP_CHECK(hipMallocManaged(&out, 4 * sizeof(int)));
  kernel<<<1, 32>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  int lanes = 0;
  HIP_CHECK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  CHECK_EQ(out[0], lanes);
  CHECK_EQ(out[1], 1);
  CHECK_EQ(out[2], 31 * 32 / 2);
  CHECK_EQ(out[3], 7);
  CHECK(checkVectors());
  HIP_CHECK(hipFree(out));
  return testResult();
}
