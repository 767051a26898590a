// SPDX-License-Identifier: MIT
// A texture object may be destroyed while kernels that use it wait for their turn: they read what it was.
#include "tests/device/check.h"

#include <atomic>
#include <chrono>
#include <thread>

static __global__ void read(hipTextureObject_t object, float *out) { *out = tex1Dfetch<float>(object, 0); }

static std::atomic<bool> open{false};

static void waitUntilOpen(void *) {
  while (!open)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int main() {
  constexpr int kTextures = 2600, kFloats = 4; // a texture begins at a multiple of 16 bytes
  std::vector<float> values(kTextures * kFloats);
  for (int i = 0; i < kTextures; ++i)
    values[i * kFloats] = i;
  DeviceArray<float> memory(values), out(kTextures);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipLaunchHostFunc(stream, waitUntilOpen, nullptr));
  std::thread opener([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    open = true;
  });
  for (int i = 0; i < kTextures; ++i) {
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeLinear;
    resource.res.linear = {memory + i * kFloats, hipCreateChannelDesc<float>(), sizeof(float)};
    hipTextureDesc sampling{};
    hipTextureObject_t object;
    HIP_CHECK(hipCreateTextureObject(&object, &resource, &sampling, nullptr));
    read<<<1, 1, 0, stream>>>(object, out + i);
    HIP_CHECK(hipDestroyTextureObject(object));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  opener.join();
  const std::vector<float> found = out.host();
  int wrong = 0;
  for (int i = 0; i < kTextures; ++i)
    wrong += found[i] != i;
  CHECK_EQ(wrong, 0);
  HIP_CHECK(hipStreamDestroy(stream));
  return testResult();
}
