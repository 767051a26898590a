// SPDX-License-Identifier: MIT
// A write outside a surface in mode hipBoundaryModeTrap ends the kernel with a fault, which stays with the device. On a GPU
// such a kernel may hang the machine's display, so the test is for devices in the host's memory.
#include "check.h"

__global__ void write(hipSurfaceObject_t surface, int x) { surf1Dwrite(5, surface, x, hipBoundaryModeTrap); }

int main() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (!properties.pageableMemoryAccess) {
    std::printf("skipped: the device does not share the host's memory\n");
    return 77;
  }
  const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  HIP_CHECK(hipMallocArray(&resource.res.array.array, &desc, 8, 0, hipArraySurfaceLoadStore));
  hipSurfaceObject_t surface;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  write<<<1, 1>>>(surface, 28);
  HIP_CHECK(hipDeviceSynchronize());
  int last = 0;
  HIP_CHECK(hipMemcpy2DFromArray(&last, 4, resource.res.array.array, 28, 0, 4, 1, hipMemcpyDeviceToHost));
  CHECK_EQ(last, 5);
  write<<<1, 1>>>(surface, 32);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  HIP_CHECK(hipDestroySurfaceObject(surface));
  HIP_CHECK(hipFreeArray(resource.res.array.array));
  return testResult();
}
