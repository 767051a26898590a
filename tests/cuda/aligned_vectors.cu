// SPDX-License-Identifier: MIT
// CUDA 13's vectors of four wide elements: their alignment, and their copies in kernels.
#include "check.h"

static_assert(sizeof(double4_16a) == 32 && alignof(double4_16a) == 16, "");
static_assert(sizeof(double4_32a) == 32 && alignof(double4_32a) == 32, "");
static_assert(alignof(long4_16a) == 16 && alignof(ulong4_32a) == 32, "");
static_assert(alignof(longlong4_32a) == 32 && alignof(ulonglong4_16a) == 16, "");

__global__ void reverse(const double4_32a *in, double4_16a *out) {
  const double4_32a v = in[threadIdx.x];
  out[threadIdx.x] = make_double4_16a(v.w, v.z, v.y, v.x);
}

int main() {
  std::vector<double4_32a> in;
  for (int i = 0; i < 40; ++i)
    in.push_back(make_double4_32a(i, i + 0.25, i + 0.5, i + 0.75));
  double4_32a *dIn = onDevice(in);
  double4_16a *dOut = onDevice(std::vector<double4_16a>(40));
  reverse<<<1, 40>>>(dIn, dOut);
  const std::vector<double4_16a> out = onHost(dOut, 40);
  for (int i = 0; i < 40; ++i)
    EXPECT(out[i].x == i + 0.75 && out[i].y == i + 0.5 && out[i].z == i + 0.25 && out[i].w == i);
  EXPECT(make_longlong4_16a(1, 2, 3, -4).w == -4);
  return 0;
}
