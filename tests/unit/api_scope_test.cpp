// SPDX-License-Identifier: MIT
// The boundary of the C API: exceptions, the thread's last error, the trace.
#include "api/api_scope.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <thread>

namespace hiplz {
namespace {

template <class Body> hipError_t call(Body body) { return HIPLZ_API(someFunction)(body); }

class ApiScopeTest : public testing::Test {
protected:
  void SetUp() override { threadState.lastError = threadState.lastResult = hipSuccess; }
};

TEST_F(ApiScopeTest, noExceptionPassesTheBoundary) {
  EXPECT_EQ(call([]() -> hipError_t { throw HipError(hipErrorInvalidDevice, "a sentence"); }), hipErrorInvalidDevice);
  EXPECT_EQ(call([]() -> hipError_t { throw std::bad_alloc(); }), hipErrorOutOfMemory);
  EXPECT_EQ(call([]() -> hipError_t { throw std::runtime_error("unexpected"); }), hipErrorUnknown);
  EXPECT_EQ(call([]() -> hipError_t { throw 42; }), hipErrorUnknown);
}

TEST_F(ApiScopeTest, theLastErrorIsOfTheLastCallThatFailed) {
  call([] { return hipErrorInvalidValue; });
  call([] { return hipSuccess; });
  call([] { return hipErrorNotReady; });
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(ApiScopeTest, theExtendedLastErrorIsOfTheLastCall) {
  call([] { return hipErrorInvalidValue; });
  EXPECT_EQ(hipExtGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLastError(), hipSuccess);
  call([] { return hipErrorInvalidValue; });
  call([] { return hipSuccess; });
  EXPECT_EQ(hipExtGetLastError(), hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
}

TEST_F(ApiScopeTest, eachThreadHasItsOwnLastError) {
  call([] { return hipErrorInvalidValue; });
  std::thread([] {
    EXPECT_EQ(hipPeekAtLastError(), hipSuccess);
    call([] { return hipErrorNotFound; });
    EXPECT_EQ(hipPeekAtLastError(), hipErrorNotFound);
  }).join();
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidValue);
}

TEST_F(ApiScopeTest, theTraceShowsArguments) {
  std::string line;
  describeArgument(line, 7);
  describeArgument(line, -7L);
  describeArgument(line, SIZE_MAX);
  describeArgument(line, hipMemcpyDeviceToHost);
  describeArgument(line, "text");
  describeArgument(line, static_cast<const char *>(nullptr));
  describeArgument(line, dim3(1, 2, 3));
  EXPECT_EQ(line, "7-7184467440737095516152\"text\"null{1,2,3}");
  line.clear();
  describeArgument(line, reinterpret_cast<hipStream_t>(0x1234));
  EXPECT_EQ(line, "0x1234");
}

TEST_F(ApiScopeTest, theTraceNamesArguments) {
  const char *names = "dst, sizeBytes";
  std::string line;
  describeName(line, names);
  EXPECT_EQ(line, "dst=");
  describeName(line, names);
  EXPECT_EQ(line, "dst=sizeBytes=");
  EXPECT_EQ(std::string(names), "");
}

TEST_F(ApiScopeTest, launchConfigurationsNestAndEnd) {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
  for (unsigned depth = 1; depth <= 3; ++depth)
    ASSERT_EQ(__hipPushCallConfiguration(dim3(depth), dim3(depth * 2), depth * 3, nullptr), hipSuccess);
  for (unsigned depth = 3; depth >= 1; --depth) {
    ASSERT_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipSuccess);
    EXPECT_EQ(grid.x, depth);
    EXPECT_EQ(block.x, depth * 2);
    EXPECT_EQ(shared, depth * 3);
  }
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipErrorMissingConfiguration);
  EXPECT_EQ(hipGetLastError(), hipErrorMissingConfiguration);
  for (unsigned depth = 0; depth < ThreadState::kConfigurations; ++depth)
    ASSERT_EQ(__hipPushCallConfiguration(dim3(1), dim3(1), 0, nullptr), hipSuccess);
  EXPECT_EQ(__hipPushCallConfiguration(dim3(1), dim3(1), 0, nullptr), hipErrorInvalidConfiguration);
  threadState.configurationCount = 0;
}

} // namespace
} // namespace hiplz
