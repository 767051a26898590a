// SPDX-License-Identifier: MIT
// A machine without a device: every call answers, none ends the process, also in a forked child.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace {

class NoDevice : public testing::Test {
protected:
  void SetUp() override { setenv("HIPLZ_DEVICES", "none", 1); }
};

TEST_F(NoDevice, countIsZeroAndTheErrorSaysWhy) {
  int count = -1;
  EXPECT_EQ(hipGetDeviceCount(&count), hipErrorNoDevice);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(hipGetLastError(), hipErrorNoDevice);
  EXPECT_EQ(hipInit(0), hipErrorNoDevice);
}

TEST_F(NoDevice, everyChapterAnswers) {
  void *pointer = nullptr;
  char byte = 0;
  hipStream_t stream;
  hipEvent_t event;
  hipDeviceProp_t properties;
  size_t size;
  EXPECT_EQ(hipSetDevice(0), hipErrorNoDevice);
  EXPECT_EQ(hipGetDeviceProperties(&properties, 0), hipErrorNoDevice);
  EXPECT_EQ(hipMalloc(&pointer, 16), hipErrorNoDevice);
  EXPECT_EQ(hipHostMalloc(&pointer, 16, 0), hipErrorNoDevice);
  EXPECT_EQ(hipFree(&byte), hipErrorNoDevice);
  EXPECT_EQ(hipMemcpy(&byte, &byte, 1, hipMemcpyHostToHost), hipErrorNoDevice);
  EXPECT_EQ(hipMemGetInfo(&size, &size), hipErrorNoDevice);
  EXPECT_EQ(hipStreamCreate(&stream), hipErrorNoDevice);
  EXPECT_EQ(hipStreamSynchronize(nullptr), hipErrorNoDevice);
  EXPECT_EQ(hipEventCreate(&event), hipErrorNoDevice);
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorNoDevice);
  EXPECT_EQ(hipLaunchKernel(&byte, dim3(1), dim3(1), nullptr, 0, nullptr), hipErrorNoDevice);
}

TEST_F(NoDevice, versionsNeedNoDevice) {
  int version = 0;
  EXPECT_EQ(hipRuntimeGetVersion(&version), hipSuccess);
  EXPECT_EQ(version, HIP_VERSION);
  EXPECT_EQ(hipDriverGetVersion(&version), hipSuccess);
  EXPECT_EQ(hipRuntimeGetVersion(nullptr), hipErrorInvalidValue);
}

TEST_F(NoDevice, aForkedChildGetsTheSameAnswer) {
  int count;
  EXPECT_EQ(hipGetDeviceCount(&count), hipErrorNoDevice);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    _exit(hipGetDeviceCount(&count) == hipErrorNoDevice && hipGetLastError() == hipErrorNoDevice ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace
