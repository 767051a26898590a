// SPDX-License-Identifier: MIT
// Textures and surfaces as AMD's headers read them.
#include <hip/hip_runtime.h>

extern "C" __global__ void fetches(hipTextureObject_t numbers, hipTextureObject_t bytes, float *reals, int *integers,
                                   int n) {
  const int i = threadIdx.x;
  if (i < n) {
    reals[i] = tex1Dfetch<float>(numbers, i - 1);
    const uchar4 four = tex1Dfetch<uchar4>(bytes, i);
    integers[i] = four.x + four.y * 10 + four.z * 100 + four.w * 1000;
  }
}

extern "C" __global__ void samples(hipTextureObject_t plane, float *result, float step) {
  const int x = threadIdx.x, y = threadIdx.y;
  result[y * blockDim.x + x] = tex2D<float>(plane, x * step, y * step);
}

extern "C" __global__ void words(hipTextureObject_t plane, int *result) {
  result[threadIdx.x] = tex2D<int>(plane, (float)(int)threadIdx.x - 1, 0.5f);
}

extern "C" __global__ void fractions(hipTextureObject_t plane, float4 *result) {
  result[threadIdx.x] = tex2D<float4>(plane, threadIdx.x + 0.5f, 0.5f);
}

extern "C" __global__ void volumes(hipTextureObject_t volume, hipTextureObject_t layers, float *result) {
  const int i = threadIdx.x;
  result[2 * i] = tex3D<float>(volume, 0.5f, 1.5f, i + 0.5f);
  result[2 * i + 1] = tex2DLayered<float>(layers, 1.5f, 0.5f, i);
}

extern "C" __global__ void surfaces(hipSurfaceObject_t from, hipSurfaceObject_t to, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  short2 value;
  surf2Dread(&value, from, x * (int)sizeof(short2), y);
  surf2Dwrite(make_short2(value.y, -value.x), to, (width - 1 - x) * (int)sizeof(short2), y);
}
