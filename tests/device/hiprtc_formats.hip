// SPDX-License-Identifier: MIT
// OCP's formats with scales in code that is compiled at run time.
#include "tests/device/rtc.h"

int main() {
  RtcProgram program(R"(
#include <hip/hip_ext_ocp.h>
extern "C" __global__ void formats(float *out) {
  const __hipext_ocp_fp8x2_e5m2 two(threadIdx.x, -1.5f, 1);
  const __amd_floatx2_storage_t back = two.get_scaled_floatx2(2);
  const __amd_bf16x2_storage_t four = __hipext_ocp_fp4x2_e2m1(back, 0).get_scaled_bf16x2(-1);
  out[2 * threadIdx.x] = back[0];
  out[2 * threadIdx.x + 1] = __amd_cvt_bf16x2_to_hipbf162(four).y;
})");
  CHECK_EQ(int(program.compile()), 0);
  CHECK(program.log() == "");
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, program.code().data()));
  hipFunction_t formats;
  HIP_CHECK(hipModuleGetFunction(&formats, module, "formats"));
  DeviceArray<float> out(2 * 4);
  float *pointer = out;
  void *arguments[] = {&pointer};
  HIP_CHECK(hipModuleLaunchKernel(formats, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  const std::vector<float> got = out.host();
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(got[2 * i], 2.0f * i);
    CHECK_EQ(got[2 * i + 1], -1.5f);
  }
  HIP_CHECK(hipModuleUnload(module));
  return testResult();
}
