// SPDX-License-Identifier: MIT
// Nothing that clang or LLVM stumble over ends the program, and the next compilation is as good as before.
#include "tests/device/rtc.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

static void stumbles(const char *pragma) {
  RtcProgram program(std::string("#pragma clang __debug ") + pragma + "\n__global__ void k() {}");
  CHECK_EQ(int(program.compile()), HIPRTC_ERROR_INTERNAL_ERROR);
  if (!contains(program.log(), "the compiler"))
    std::fprintf(stderr, "%s: %s\n", pragma, program.log().c_str());
  CHECK(contains(program.log(), "the compiler"));
  size_t size;
  CHECK_EQ(int(hiprtcGetCodeSize(program.handle, &size)), HIPRTC_ERROR_INVALID_PROGRAM);
  const std::string source = std::string("extern \"C\" __global__ void k(int *r) { *r = sizeof(\"") + pragma + "\"); }";
  RtcProgram next(source);
  CHECK_EQ(int(next.compile()), 0);
  CHECK_EQ(runOne(next.code().data(), "k"), int(std::strlen(pragma) + 1));
}

TEST(pragmas) {
  stumbles("crash");
  stumbles("llvm_fatal_error");
  stumbles("parser_crash");
}

// A header crashes the compiler while it precompiles its headers, and the next compilation has the same options.
TEST(precompiledHeaders) {
  const std::string header = std::filesystem::temp_directory_path() / ("crash" + std::to_string(::getpid()) + ".h");
  for (const char *text : {"#pragma clang __debug crash\n", "#define FIVE 5\n", "#define FIVE 5\n"}) {
    std::ofstream(header) << text;
    RtcProgram again("extern \"C\" __global__ void k(int *r) { *r = FIVE; }");
    const bool crashes = std::strstr(text, "crash");
    CHECK_EQ(int(again.compile({"-include", header.c_str()})), crashes ? int(HIPRTC_ERROR_INTERNAL_ERROR) : 0);
    if (!crashes)
      CHECK_EQ(runOne(again.code().data(), "k"), 5);
  }
  std::filesystem::remove(header);
}

// The parser calls itself for each parenthesis, until the stack is used up.
TEST(deepRecursion) {
  RtcProgram deep("__global__ void k(int *r) { *r = " + std::string(100000, '(') + "1" + std::string(100000, ')') +
                  "; }");
  CHECK_EQ(int(deep.compile({"-fbracket-depth=1000000"})), HIPRTC_ERROR_INTERNAL_ERROR);
}

// Kernels that fault are still the device's own business: its handler and the compiler's live together. The last scenario,
// because the device is lost.
TEST(faultsOfKernels) {
  RtcProgram program("extern \"C\" __global__ void k(int *r) { *(volatile int *)(r - r) = 1; }");
  CHECK_EQ(int(program.compile()), 0);
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, program.code().data()));
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "k"));
  int *nothing = nullptr;
  void *arguments[] = {&nothing};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipDeviceSynchronize() != hipSuccess);
  RtcProgram after("extern \"C\" __global__ void after(int *r) { *r = 5; }");
  CHECK_EQ(int(after.compile()), 0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
