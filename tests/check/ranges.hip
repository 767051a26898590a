// SPDX-License-Identifier: MIT
// Calls of the API that copy, fill or free too much, by every form of them. Each function makes one, which fails and is handled (planted.h).
#include "planted.h"

#define DEFECT(name) template <bool bad> __attribute__((noinline)) void name()

constexpr size_t kBytes = 100;
static char host[4096];

static char *bytes(size_t count = kBytes) { return allocate<char>(count); }

__device__ int table[16];
__constant__ float weights[9];

DEFECT(copyDown) { // finds: memcheck error in copyDown<
  (void)hipMemcpyDtoH(host, bytes(), kBytes + bad);
}
DEFECT(copyUp) { // finds: memcheck error in copyUp<
  (void)hipMemcpyHtoD(bytes(), host, kBytes + bad);
}
DEFECT(copyBetween) { // finds: memcheck error in copyBetween<
  (void)hipMemcpyDtoD(bytes(), bytes(2 * kBytes), kBytes + bad);
}
DEFECT(copyByDefault) { // finds: memcheck error in copyByDefault<
  (void)hipMemcpy(bytes(), host, kBytes + 8 * bad, hipMemcpyDefault);
}
DEFECT(copyLater) { // finds: memcheck error in copyLater<
  (void)hipMemcpyAsync(bytes(), host, kBytes + bad, hipMemcpyHostToDevice, nullptr);
  (void)hipDeviceSynchronize();
}
DEFECT(copyFromMiddle) { // finds: memcheck error in copyFromMiddle<
  (void)hipMemcpy(host, bytes() + 60, 40 + bad, hipMemcpyDeviceToHost);
}
DEFECT(copyRows) { // finds: memcheck error in copyRows<
  (void)hipMemcpy2D(bytes(10 * 16), 16, host, 32, 16, 10 + bad, hipMemcpyHostToDevice);
}
DEFECT(copyRowsWider) { // finds: memcheck error in copyRowsWider<
  (void)hipMemcpy2D(host, 32, bytes(10 * 16), bad ? 20 : 16, 16, 10, hipMemcpyDeviceToHost);
}
DEFECT(copyRowsLater) { // finds: memcheck error in copyRowsLater<
  (void)hipMemcpy2DAsync(bytes(10 * 16), 16, host, 32, 16, 10 + bad, hipMemcpyHostToDevice, nullptr);
  (void)hipDeviceSynchronize();
}
DEFECT(copyVolume) { // finds: memcheck error in copyVolume<
  hipMemcpy3DParms copy{};
  copy.srcPtr = make_hipPitchedPtr(host, 8, 8, 8);
  copy.dstPtr = make_hipPitchedPtr(bytes(8 * 8 * 4), 8, 8, 8);
  copy.extent = make_hipExtent(8, 8, 4 + bad);
  copy.kind = hipMemcpyHostToDevice;
  (void)hipMemcpy3D(&copy);
}
DEFECT(copyToVariable) { // finds: memcheck error in copyToVariable<
  (void)hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof table + 4 * bad, 0, hipMemcpyHostToDevice);
}
DEFECT(copyToEndOfVariable) { // finds: memcheck error in copyToEndOfVariable<
  (void)hipMemcpyToSymbol(HIP_SYMBOL(weights), host, 8, sizeof weights - (bad ? 4 : 8), hipMemcpyHostToDevice);
}
DEFECT(copyFromVariable) { // finds: memcheck error in copyFromVariable<
  (void)hipMemcpyFromSymbol(host, HIP_SYMBOL(table), sizeof table + bad, 0, hipMemcpyDeviceToHost);
}
DEFECT(fillBytes) { // finds: memcheck error in fillBytes<
  (void)hipMemsetAsync(bytes(), 1, kBytes + bad, nullptr);
  (void)hipDeviceSynchronize();
}
DEFECT(fillWords) { // finds: memcheck error in fillWords<
  (void)hipMemsetD32(bytes(), 1, bad ? kBytes : kBytes / 4);
}
DEFECT(fillHalfWords) { // finds: memcheck error in fillHalfWords<
  (void)hipMemsetD16(bytes(), 1, kBytes / 2 + bad);
}
DEFECT(fillRows) { // finds: memcheck error in fillRows<
  (void)hipMemset2D(bytes(10 * 16), 16, 0, 16, 10 + bad);
}
DEFECT(copyFreed) { // finds: memcheck error in copyFreed<
  char *memory = bytes();
  if (bad)
    (void)hipFree(memory);
  (void)hipMemcpy(memory, host, 8, hipMemcpyHostToDevice);
}
DEFECT(fillFreed) { // finds: memcheck error in fillFreed<
  char *memory = bytes();
  if (bad)
    (void)hipFree(memory);
  (void)hipMemset(memory, 0, 8);
}
DEFECT(freeTwiceInStream) { // finds: memcheck error in freeTwiceInStream<
  void *memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, kBytes, nullptr));
  HIP_CHECK(hipFreeAsync(memory, nullptr));
  if (bad)
    (void)hipFreeAsync(memory, nullptr);
}
DEFECT(freeStackVariable) { // finds: memcheck error in freeStackVariable<
  int local = 0;
  if (bad)
    (void)hipFree(&local);
}
DEFECT(freeDeviceAsPinned) { // finds: memcheck error in freeDeviceAsPinned<
  void *memory = bytes();
  (void)(bad ? hipHostFree(memory) : hipFree(memory));
}

template <bool bad> void run() {
  copyDown<bad>();
  copyUp<bad>();
  copyBetween<bad>();
  copyByDefault<bad>();
  copyLater<bad>();
  copyFromMiddle<bad>();
  copyRows<bad>();
  copyRowsWider<bad>();
  copyRowsLater<bad>();
  copyVolume<bad>();
  copyToVariable<bad>();
  copyToEndOfVariable<bad>();
  copyFromVariable<bad>();
  fillBytes<bad>();
  fillWords<bad>();
  fillHalfWords<bad>();
  fillRows<bad>();
  copyFreed<bad>();
  fillFreed<bad>();
  freeTwiceInStream<bad>();
  freeStackVariable<bad>();
  freeDeviceAsPinned<bad>();
}
