// SPDX-License-Identifier: MIT
// Device functions that have the names of OpenCL built-ins, as many programs do, are the program's own. None is inlined
// here, so that the translator meets their names.
#include "tests/device/check.h"

#define SHARED __host__ __device__ __attribute__((noinline))

SHARED float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SHARED float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
SHARED float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x + 0.5f; }
SHARED double mix(double a, double b, double t) { return a + (b - a) * t + 1; }
SHARED float sign(float x) { return x > 0 ? 2 : -2; }
SHARED int select(int a, int b, int c) { return a + b + c; }
SHARED int rotate(int a, int b) { return a - b; }
SHARED int popcount(int x) { return x + 1; }
SHARED int get_global_id(unsigned i) { return i + 5; }
SHARED int convert_int(float x) { return (int)x + 100; }
SHARED float2 vload2(size_t i, const float *p) { return make_float2(p[i], i); }
SHARED int any(int x) { return x + 3; }
SHARED int read_imagei(int x) { return x * 3; }
SHARED int work_group_reduce_add(int x) { return x + 9; }
SHARED int atomic_add(int *p, int v) { return *p -= v; }
SHARED void barrier(int *p) { *p += 1; }
extern "C" SHARED int get_work_dim() { return 55; }

const int kResults = 17;

__host__ __device__ void all(float *out, int i) {
  float3 a = make_float3(i, 2, 3), b = make_float3(4, i, 6);
  int n = i;
  float *o = out;
  *o++ = dot(a, b);
  *o++ = cross(a, b).y;
  *o++ = clamp(i, 2, 5);
  *o++ = mix(i, 2, 0.5);
  *o++ = sign(i);
  *o++ = select(i, 2, 3);
  *o++ = rotate(i, 3);
  *o++ = popcount(i);
  *o++ = get_global_id(i);
  *o++ = convert_int(i);
  *o++ = vload2(1, out).x;
  *o++ = any(i);
  *o++ = read_imagei(i);
  *o++ = work_group_reduce_add(i);
  *o++ = atomic_add(&n, 3);
  barrier(&n);
  *o++ = n;
  *o++ = get_work_dim();
}

__global__ void step(float *out) { all(out + threadIdx.x * kResults, threadIdx.x); }

int main() {
  const int threads = 8;
  DeviceArray<float> out(threads * kResults);
  step<<<1, threads>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<float> actual = out.host(), expected(threads * kResults);
  for (int i = 0; i < threads; ++i)
    all(&expected[i * kResults], i);
  for (size_t i = 0; i < actual.size(); ++i)
    CHECK_EQ(actual[i], expected[i]);
  return testResult();
}
