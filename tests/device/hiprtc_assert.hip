// SPDX-License-Identifier: MIT
// assert in programs of hipRTC, which include nothing, with and without NDEBUG.
#include "tests/device/rtc.h"

namespace {

const char *kSource = "extern \"C\" __global__ void checked(int* out) {\n"
                      "  assert(out[1] == 5);\n"
                      "  __hip_atomic_store(out, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);\n"
                      "}\n";

// Launches the kernel on two words in the host's memory; the outcome of waiting.
hipError_t run(const RtcProgram &program, int *words) {
  hipModule_t module;
  hipFunction_t function;
  HIP_CHECK(hipModuleLoadData(&module, program.code().data()));
  HIP_CHECK(hipModuleGetFunction(&function, module, "checked"));
  void *arguments[] = {&words};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  hipError_t error = hipDeviceSynchronize();
  hipError_t unloaded = hipModuleUnload(module);
  CHECK(unloaded == hipSuccess || unloaded == error);
  return error;
}

} // namespace

int main() {
  int *words;
  HIP_CHECK(hipHostMalloc(&words, 2 * sizeof(int)));
  RtcProgram withChecks(kSource), without(kSource);
  RTC_CHECK(withChecks.compile());
  RTC_CHECK(without.compile({"-DNDEBUG"}));
  if (checkFailures)
    std::fprintf(stderr, "%s%s\n", withChecks.log().c_str(), without.log().c_str());
  words[0] = 0;
  words[1] = 4;
  CHECK_EQ(run(without, words), hipSuccess);
  CHECK_EQ(words[0], 1);
  words[0] = 0;
  words[1] = 5;
  CHECK_EQ(run(withChecks, words), hipSuccess);
  CHECK_EQ(words[0], 1);
  words[0] = 0;
  words[1] = 4;
  CHECK_EQ(run(withChecks, words), HIP_VERSION_MAJOR < 7 ? hipErrorAssert : hipErrorLaunchFailure);
  CHECK_EQ(words[0], 0);
  CHECK_EQ(hipDeviceReset(), hipSuccess);
  return testResult();
}
