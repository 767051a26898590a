// SPDX-License-Identifier: MIT
// A program that defines operators of the vector types itself, as CUDA's programs do: its own are taken. Bodies
// attract each other.
#include "check.h"

inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a = a + b; }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return a * s; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float3 make_float3(float4 v) { return make_float3(v.x, v.y, v.z); }
// In another sense than the usual one, to tell which is called.
inline __host__ __device__ int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, 0); }

inline __host__ __device__ float3 attraction(float4 body, float4 other) {
  const float3 way = make_float3(other) - make_float3(body);
  const float distance = dot(way, way) + 0.01f;
  const float inverse = 1 / sqrtf(distance * distance * distance);
  return (other.w * inverse) * way;
}

__global__ void forces(const float4 *bodies, float3 *result, int2 *marks, int count) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 body = bodies[i];
  float3 sum = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < count; first += blockDim.x) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k)
      sum += attraction(body, tile[k]);
    __syncthreads();
  }
  result[i] = sum;
  marks[i] = make_int2(1, 1) + make_int2(2, 2);
}

int main() {
  const int count = 256;
  std::vector<float4> bodies(count);
  for (int i = 0; i < count; ++i)
    bodies[i] = make_float4(i % 7, i % 11 * 0.5f, i % 5 * 0.25f, 1 + i % 3);
  float3 *result = onDevice(std::vector<float3>(count));
  int2 *marks = onDevice(std::vector<int2>(count));
  forces<<<count / 64, 64, 64 * sizeof(float4)>>>(onDevice(bodies), result, marks, count);
  const std::vector<float3> found = onHost(result, count);
  for (int i = 0; i < count; ++i) {
    float3 sum = make_float3(0, 0, 0);
    for (int k = 0; k < count; ++k)
      sum += attraction(bodies[i], bodies[k]);
    const float3 difference = sum - found[i];
    EXPECT(dot(difference, difference) <= 1e-6f * dot(sum, sum) + 1e-6f);
  }
  for (int2 mark : onHost(marks, count))
    EXPECT(mark.x == 3 && mark.y == 0);
}
