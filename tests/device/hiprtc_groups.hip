// SPDX-License-Identifier: MIT
// Cooperative groups in code that is compiled at run time, which need not include their header.
#include "tests/device/rtc.h"

int main() {
  RtcProgram program(R"(
namespace cg = cooperative_groups;
extern "C" __global__ void sums(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  const int i = block.thread_rank();
  out[2 * i] = cg::reduce(tile, i, cg::plus<int>());
  if (i % 2 != 0)
    out[2 * i + 1] = cg::coalesced_threads().size();
  else
    out[2 * i + 1] = cg::inclusive_scan(cg::coalesced_threads(), 1);
})");
  CHECK_EQ(int(program.compile()), 0);
  CHECK(program.log() == "");
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, program.code().data()));
  hipFunction_t sums;
  HIP_CHECK(hipModuleGetFunction(&sums, module, "sums"));
  DeviceArray<int> out(2 * 64);
  int *pointer = out;
  void *arguments[] = {&pointer};
  HIP_CHECK(hipModuleLaunchKernel(sums, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<int> got = out.host();
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(got[2 * i], i / 8 * 64 + 28);
    CHECK_EQ(got[2 * i + 1], i % 2 != 0 ? 16 : i % 32 / 2 + 1);
  }
  HIP_CHECK(hipModuleUnload(module));
  return testResult();
}
