// SPDX-License-Identifier: MIT
// A texture object over an array, and a surface of the same array that a kernel writes.
#include "tests/device/check.h"

__global__ void write(hipSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(float(y * width + x), surface, x * int(sizeof(float)), y);
}
__global__ void read(hipTextureObject_t texture, float *out, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

TEST(whatASurfaceWritesATextureReads) {
  constexpr int width = 16, height = 8;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array;
  HIP_CHECK(hipMallocArray(&array, &format, width, height, hipArraySurfaceLoadStore));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc how{};
  hipSurfaceObject_t surface;
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
  DeviceArray<float> out(width * height);
  write<<<height, width>>>(surface, width);
  read<<<height, width>>>(texture, out, width);
  const std::vector<float> found = out.host();
  for (int i = 0; i < width * height; ++i)
    CHECK_EQ(found[i], float(i));
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipDestroySurfaceObject(surface));
  HIP_CHECK(hipFreeArray(array));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
