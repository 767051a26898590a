// SPDX-License-Identifier: MIT
// Contexts: one for each device, a stack for each thread, flags, preferences, access between devices. The old functions
// are deprecated, and are what is tested here. Runs on two devices where there are two.
#include "tests/device/check.h"

#include <cstdlib>
#include <thread>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static int deviceOfContext() {
  hipDevice_t device = -1;
  HIP_CHECK(hipCtxGetDevice(&device));
  int current = -2;
  HIP_CHECK(hipGetDevice(&current));
  CHECK_EQ(device, current);
  return device;
}

static int count; // of the devices
static int last;  // the last of them

TEST(stack) {
  hipCtx_t primary, created, other, popped;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&primary, 0));
  HIP_CHECK(hipCtxCreate(&created, 0, last));
  CHECK_EQ(deviceOfContext(), last);
  HIP_CHECK(hipCtxGetCurrent(&other));
  CHECK(other == created);
  HIP_CHECK(hipCtxPushCurrent(primary));
  CHECK_EQ(deviceOfContext(), 0);
  std::thread([&] {
    CHECK_EQ(deviceOfContext(), 0); // a stack of its own, on the first device
    CHECK_EQ(hipCtxPopCurrent(nullptr), hipErrorInvalidContext);
    HIP_CHECK(hipCtxSetCurrent(created));
    CHECK_EQ(deviceOfContext(), last);
  }).join();
  HIP_CHECK(hipCtxPopCurrent(&popped));
  CHECK(popped == primary);
  CHECK_EQ(deviceOfContext(), last);
  HIP_CHECK(hipCtxDestroy(created));
  CHECK_EQ(deviceOfContext(), 0);
  CHECK_EQ(hipCtxPopCurrent(&popped), hipErrorInvalidContext);
  CHECK_EQ(hipCtxPushCurrent(nullptr), hipErrorInvalidContext);
  CHECK_EQ(hipCtxSetCurrent(reinterpret_cast<hipCtx_t>(&count)), hipErrorInvalidContext);
  CHECK_EQ(hipCtxCreate(&created, 0, count), hipErrorInvalidValue);
#if HIP_VERSION_MAJOR >= 7
  unsigned version = 0;
#else
  int version = 0;
#endif
  HIP_CHECK(hipCtxGetApiVersion(primary, &version));
  CHECK(version > 0);
  HIP_CHECK(hipCtxSynchronize());
  HIP_CHECK(hipDevicePrimaryCtxRelease(0));
}

TEST(flags) {
  hipCtx_t primary;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&primary, 0));
  unsigned flags = 99;
  int active = -1;
  HIP_CHECK(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleYield));
  HIP_CHECK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(flags, static_cast<unsigned>(hipDeviceScheduleYield));
  CHECK_EQ(active, 1);
  HIP_CHECK(hipCtxGetFlags(&flags));
  CHECK_EQ(flags, static_cast<unsigned>(hipDeviceScheduleYield));
  HIP_CHECK(hipGetDeviceFlags(&flags));
  CHECK_EQ(flags, static_cast<unsigned>(hipDeviceScheduleYield));
  // Of these, only the way of scheduling is kept.
  HIP_CHECK(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceMapHost | hipDeviceLmemResizeToMax));
  HIP_CHECK(hipGetDeviceFlags(&flags));
  CHECK_EQ(flags, static_cast<unsigned>(hipDeviceScheduleSpin));
  CHECK_EQ(hipDevicePrimaryCtxSetFlags(0, 0x1000), hipErrorInvalidValue);
  CHECK_EQ(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleSpin | hipDeviceScheduleYield), hipErrorInvalidValue);
  CHECK_EQ(hipDevicePrimaryCtxSetFlags(count, 0), hipErrorInvalidDevice);
  HIP_CHECK(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleAuto));
  HIP_CHECK(hipDevicePrimaryCtxRelease(0));
}

TEST(preferences) {
  hipFuncCache_t cache = hipFuncCachePreferEqual;
  HIP_CHECK(hipCtxSetCacheConfig(hipFuncCachePreferL1));
  HIP_CHECK(hipCtxGetCacheConfig(&cache));
  CHECK_EQ(cache, hipFuncCachePreferNone);
  CHECK_EQ(hipCtxSetCacheConfig(static_cast<hipFuncCache_t>(9)), hipErrorInvalidValue);
  CHECK_EQ(hipCtxGetCacheConfig(nullptr), hipErrorInvalidValue);
  hipSharedMemConfig banks = hipSharedMemBankSizeDefault;
  HIP_CHECK(hipCtxSetSharedMemConfig(hipSharedMemBankSizeEightByte));
  HIP_CHECK(hipCtxGetSharedMemConfig(&banks));
  CHECK_EQ(banks, hipSharedMemBankSizeFourByte);
  CHECK_EQ(hipCtxSetSharedMemConfig(static_cast<hipSharedMemConfig>(9)), hipErrorInvalidValue);
  CHECK_EQ(hipCtxGetSharedMemConfig(nullptr), hipErrorInvalidValue);
}

TEST(validDevices) {
  std::vector<int> order;
  for (int device = last; device >= 0; --device)
    order.push_back(device);
  HIP_CHECK(hipSetValidDevices(order.data(), count));
  CHECK_EQ(deviceOfContext(), last);
  HIP_CHECK(hipSetValidDevices(nullptr, 0));
  CHECK_EQ(deviceOfContext(), 0);
  CHECK_EQ(hipSetValidDevices(nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipSetValidDevices(order.data(), -1), hipErrorInvalidValue);
  CHECK_EQ(hipSetValidDevices(order.data(), count + 1), hipErrorInvalidValue);
  int wrong = count;
  CHECK_EQ(hipSetValidDevices(&wrong, 1), hipErrorInvalidDevice);
}

TEST(accessBetweenDevices) {
  hipCtx_t primary;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&primary, 0));
  uint32_t type = 99, hops = 99;
  CHECK_EQ(hipExtGetLinkTypeAndHopCount(0, 0, &type, &hops), hipErrorInvalidValue);
  CHECK_EQ(hipExtGetLinkTypeAndHopCount(0, count, &type, &hops), hipErrorInvalidDevice);
  CHECK_EQ(hipCtxEnablePeerAccess(nullptr, 0), hipErrorInvalidContext);
  CHECK_EQ(hipCtxEnablePeerAccess(primary, 0), hipErrorInvalidDevice); // itself
  if (count > 1) {
    HIP_CHECK(hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops));
    CHECK(type == 1 || type == 2);
    CHECK_EQ(hops, 1u);
    CHECK_EQ(hipExtGetLinkTypeAndHopCount(0, 1, nullptr, &hops), hipErrorInvalidValue);
    hipCtx_t second;
    HIP_CHECK(hipDevicePrimaryCtxRetain(&second, 1));
    HIP_CHECK(hipCtxSetCurrent(primary));
    HIP_CHECK(hipCtxEnablePeerAccess(second, 0));
    CHECK_EQ(hipCtxEnablePeerAccess(second, 0), hipErrorPeerAccessAlreadyEnabled);
    CHECK_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    HIP_CHECK(hipCtxDisablePeerAccess(second));
    CHECK_EQ(hipCtxDisablePeerAccess(second), hipErrorPeerAccessNotEnabled);
    CHECK_EQ(hipCtxEnablePeerAccess(second, 1), hipErrorInvalidValue);
  }
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  HIP_CHECK(hipGetDeviceCount(&count));
  last = count - 1;
  return runTests(argc, argv);
}
