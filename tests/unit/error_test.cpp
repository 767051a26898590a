// SPDX-License-Identifier: MIT
// Errors: the table of Level Zero results, names and texts of HIP's errors.
#include "lz/core/error.h"

#include <gtest/gtest.h>

#include <cstring>

namespace hiplz {
namespace {

TEST(Errors, resultsBecomeTheErrorThatFits) {
  EXPECT_EQ(toHipError(ZE_RESULT_SUCCESS), hipSuccess);
  EXPECT_EQ(toHipError(ZE_RESULT_NOT_READY), hipErrorNotReady);
  EXPECT_EQ(toHipError(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY), hipErrorOutOfMemory);
  EXPECT_EQ(toHipError(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY), hipErrorOutOfMemory);
  EXPECT_EQ(toHipError(ZE_RESULT_ERROR_INVALID_ARGUMENT), hipErrorInvalidValue);
  EXPECT_EQ(toHipError(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION), hipErrorInvalidConfiguration);
  EXPECT_EQ(toHipError(static_cast<ze_result_t>(0x12345)), hipErrorUnknown);
}

TEST(Errors, zeCheckThrowsWithTheCallAndItsResult) {
  EXPECT_NO_THROW(zeCheck(ZE_RESULT_SUCCESS, "zeCall"));
  try {
    zeCheck(ZE_RESULT_ERROR_DEVICE_LOST, "zeCall");
    FAIL();
  } catch (const HipError &error) {
    EXPECT_EQ(error.code(), hipErrorLaunchFailure);
    EXPECT_EQ(error.zeResult(), ZE_RESULT_ERROR_DEVICE_LOST);
    EXPECT_NE(std::strstr(error.what(), "zeCall"), nullptr);
  }
  EXPECT_STREQ(zeResultName(ZE_RESULT_ERROR_DEVICE_LOST), "ZE_RESULT_ERROR_DEVICE_LOST");
}

TEST(Errors, everyErrorHasItsOwnNameAndAText) {
  for (hipError_t error :
       {hipSuccess, hipErrorInvalidValue, hipErrorOutOfMemory, hipErrorNotInitialized, hipErrorInvalidConfiguration,
        hipErrorInvalidDeviceFunction, hipErrorNoDevice, hipErrorNoBinaryForGpu, hipErrorNotReady,
        hipErrorIllegalAddress, hipErrorLaunchFailure, hipErrorGraphExecUpdateFailure, hipErrorUnknown, hipErrorTbd}) {
    const char *name = nullptr, *text = nullptr;
    EXPECT_EQ(hipDrvGetErrorName(error, &name), hipSuccess);
    EXPECT_EQ(hipDrvGetErrorString(error, &text), hipSuccess);
    EXPECT_STREQ(name, hipGetErrorName(error));
    EXPECT_STREQ(text, hipGetErrorString(error));
    EXPECT_EQ(std::strncmp(name, "hip", 3), 0);
    EXPECT_NE(*text, '\0');
  }
  EXPECT_STREQ(hipGetErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
}

TEST(Errors, unknownCodesAreNotInventedNames) {
  const auto unknown = static_cast<hipError_t>(4711);
  const char *name = "unchanged";
  EXPECT_EQ(hipDrvGetErrorName(unknown, &name), hipErrorInvalidValue);
  EXPECT_STREQ(name, "unchanged");
  EXPECT_EQ(hipDrvGetErrorName(hipSuccess, nullptr), hipErrorInvalidValue);
  EXPECT_STREQ(hipGetErrorName(unknown), "hipErrorUnknown");
  EXPECT_STREQ(hipGetErrorString(unknown), "unknown error");
}

} // namespace
} // namespace hiplz
