// SPDX-License-Identifier: MIT
// VkFFT with its HIP back end, which generates kernels and compiles them with hipRTC.
#define VKFFT_BACKEND 2
#include <hip/hiprtc.h>

#include "tests/ecosystem/vkfft_transforms.h"

void execute(VkFFTConfiguration configuration, void *data, uint64_t bytes, bool back) {
  hipDevice_t device;
  HIP_CHECK(hipDeviceGet(&device, 0));
  void *buffer = nullptr;
  HIP_CHECK(hipMalloc(&buffer, bytes));
  HIP_CHECK(hipMemcpy(buffer, data, bytes, hipMemcpyHostToDevice));
  configuration.device = &device;
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  VkFFTApplication application = {};
  CHECK_EQ(initializeVkFFT(&application, configuration), VKFFT_SUCCESS);
  VkFFTLaunchParams parameters = {};
  CHECK_EQ(VkFFTAppend(&application, -1, &parameters), VKFFT_SUCCESS);
  if (back)
    CHECK_EQ(VkFFTAppend(&application, 1, &parameters), VKFFT_SUCCESS);
  HIP_CHECK(hipMemcpy(data, buffer, bytes, hipMemcpyDeviceToHost));
  deleteVkFFT(&application);
  HIP_CHECK(hipFree(buffer));
}

int main(int argc, char **argv) {
  HIP_CHECK(hipInit(0));
  return runTests(argc, argv);
}
