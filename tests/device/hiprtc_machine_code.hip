// SPDX-License-Identifier: MIT
// hipRTC in a process that runs machine code for gfx1030: libraries compile for the name that the device has then. What comes of it is SPIR-V,
// whose kernels share memory and streams with those of the machine code.
#include "code_objects.h"
#include "rtc.h"

static const char *const kSource = R"(
extern "C" __global__ void scale(float *values, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= by * (warpSize == 32 ? 1 : 0);
})";

static std::string architecture() {
  hipDeviceProp_t properties{};
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  return properties.gcnArchName;
}

static bool isSpirv(const std::vector<char> &code) {
  const std::string bytes(code.begin(), code.end());
  return bytes.find(std::string("\x03\x02\x23\x07", 4)) != bytes.npos && bytes.rfind("\x7f"
                                                                                     "ELF",
                                                                                     0) != 0;
}

TEST(kernelsOfBothKindsShareMemory) {
  CHECK(architecture() == "gfx1030");
  RtcProgram program(kSource);
  const std::string option = "--gpu-architecture=" + architecture();
  RTC_CHECK(program.compile({option.c_str(), "-O3"}));
  const std::vector<char> code = program.code();
  CHECK(isSpirv(code));
  hipModule_t compiled = nullptr, machine = nullptr;
  HIP_CHECK(hipModuleLoadData(&compiled, code.data()));
  const std::string object = codeObject("kernels.co");
  HIP_CHECK(hipModuleLoadData(&machine, object.data()));
  int n = 1000;
  float by = 0.5f;
  Buffer<float> a(1000), b(1000, 7), c(1000);
  for (int i = 0; i < n; ++i)
    a.host[i] = i;
  a.send();
  void *scales[] = {&c.device, &n, &by}, *adds[] = {&a.device, &b.device, &c.device, &n};
  HIP_CHECK(hipModuleLaunchKernel(function(machine, "vectorAdd"), 8, 1, 1, 128, 1, 1, 0, nullptr, adds, nullptr));
  HIP_CHECK(hipModuleLaunchKernel(function(compiled, "scale"), 8, 1, 1, 128, 1, 1, 0, nullptr, scales, nullptr));
  c.fetch();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(c.host[i], (i + 7.0f) / 2);
  HIP_CHECK(hipModuleUnload(compiled));
  HIP_CHECK(hipModuleUnload(machine));
}

TEST(namesOfProcessorsAndFeatures) {
  for (const char *option :
       {"--offload-arch=gfx1030", "--gpu-architecture=gfx90a:sramecc+:xnack-", "--offload-arch=gfx10-3-generic"}) {
    RtcProgram program(kSource);
    RTC_CHECK(program.compile({option}));
    CHECK(isSpirv(program.code()));
  }
}

int main(int argc, char **argv) {
  setenv("HIPLZ_AMD_TARGET", "gfx1030", 1);
  return runTests(argc, argv);
}
