// SPDX-License-Identifier: MIT
// A program that is linked with AMD's hipRTC: HIPLZ's stands in under its name.
#include "run.h"

#include <hip/hiprtc.h>

#include <vector>

int main() {
  const char *source = "extern \"C\" __global__ void thrice(int *out) { out[threadIdx.x] *= 3; }";
  hiprtcProgram program;
  size_t bytes;
  if (hiprtcCreateProgram(&program, source, "thrice.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS ||
      hiprtcGetCodeSize(program, &bytes) != HIPRTC_SUCCESS)
    return 1;
  std::vector<char> code(bytes);
  hipModule_t module;
  if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS || hipModuleLoadData(&module, code.data()) != hipSuccess)
    return 2;
  return run(module, "thrice", 3);
}
