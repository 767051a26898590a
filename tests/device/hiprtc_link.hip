// SPDX-License-Identifier: MIT
// The linker of hipRTC: programs compiled with -fgpu-rdc, SPIR-V and files, in process.
#include "tests/device/rtc.h"

#include <fstream>

static std::vector<char> bitcodeOf(const char *source) {
  RtcProgram program(source, "piece.hip");
  CHECK_EQ(int(program.compile({"-fgpu-rdc"})), 0);
  size_t size;
  CHECK_EQ(int(hiprtcGetCodeSize(program.handle, &size)), HIPRTC_ERROR_INVALID_PROGRAM);
  return program.bitcode();
}

static const char *const kMain =
    "__device__ int twice(int);\n__device__ extern int shared;\n"
    "extern \"C\" __global__ void k(int *r) { *r = twice(20) + shared + int(sqrtf(4.f)); }";
static const char *const kOther = "__device__ int shared = 3;\n__device__ int twice(int x) { return 2 * x; }";

TEST(bitcode) {
  std::vector<char> first = bitcodeOf(kMain), second = bitcodeOf(kOther);
  hiprtcLinkState link = nullptr;
  RTC_CHECK(hiprtcLinkCreate(0, nullptr, nullptr, &link));
  RTC_CHECK(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, first.data(), first.size(), "first", 0, nullptr, nullptr));
  const char *file = "hiprtc_link.bc";
  std::ofstream(file, std::ios::binary).write(second.data(), std::streamsize(second.size()));
  RTC_CHECK(hiprtcLinkAddFile(link, hipJitInputLLVMBitcode, file, 0, nullptr, nullptr));
  std::remove(file);
  void *code = nullptr, *again = nullptr;
  size_t size = 0;
  RTC_CHECK(hiprtcLinkComplete(link, &code, &size));
  CHECK(size > 0);
  RTC_CHECK(hiprtcLinkComplete(link, &again, &size));
  CHECK(code == again);
  CHECK_EQ(
      int(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, first.data(), first.size(), "late", 0, nullptr, nullptr)),
      HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQ(runOne(code, "k"), 45);
  RTC_CHECK(hiprtcLinkDestroy(link));
  CHECK_EQ(int(hiprtcLinkDestroy(link)), HIPRTC_ERROR_INVALID_INPUT);
}

TEST(spirv) {
  RtcProgram one("extern \"C\" __global__ void one(int *r) { *r = 1; }"),
      two("extern \"C\" __global__ void two(int *r) { *r = 2; }");
  CHECK_EQ(int(one.compile()), 0);
  CHECK_EQ(int(two.compile()), 0);
  std::vector<char> first = one.code(), second = two.code();
  hiprtcLinkState link;
  RTC_CHECK(hiprtcLinkCreate(0, nullptr, nullptr, &link));
  RTC_CHECK(hiprtcLinkAddData(link, hipJitInputSpirv, first.data(), first.size(), "one", 0, nullptr, nullptr));
  RTC_CHECK(hiprtcLinkAddData(link, hipJitInputSpirv, second.data(), second.size(), "two", 0, nullptr, nullptr));
  void *code;
  size_t size;
  RTC_CHECK(hiprtcLinkComplete(link, &code, &size));
  CHECK_EQ(runOne(code, "one"), 1);
  CHECK_EQ(runOne(code, "two"), 2);
  RTC_CHECK(hiprtcLinkDestroy(link));
}

TEST(errors) {
  char log[500] = "";
  hipJitOption options[] = {hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  hiprtcLinkState link;
  CHECK_EQ(int(hiprtcLinkCreate(0, nullptr, nullptr, nullptr)), HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkCreate(2, nullptr, values, &link)), HIPRTC_ERROR_INVALID_INPUT);
  RTC_CHECK(hiprtcLinkCreate(2, options, values, &link));
  char nonsense[] = "this is no device code";
  void *code;
  size_t size;
  CHECK_EQ(int(hiprtcLinkComplete(link, &code, &size)), HIPRTC_ERROR_LINKING); // nothing in it
  CHECK_EQ(int(hiprtcLinkComplete(link, nullptr, &size)), HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkComplete(link, &code, nullptr)), HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, nullptr, 1, "", 0, nullptr, nullptr)),
           HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, nonsense, 0, "", 0, nullptr, nullptr)),
           HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(
      int(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, nonsense, sizeof nonsense, "nonsense", 0, nullptr, nullptr)),
      HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
  CHECK(contains(log, "nonsense"));
  CHECK_EQ(int(hiprtcLinkAddData(link, hipJitInputPtx, nonsense, sizeof nonsense, "ptx", 0, nullptr, nullptr)),
           HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkAddFile(link, hipJitInputSpirv, nullptr, 0, nullptr, nullptr)), HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkAddFile(link, hipJitInputSpirv, "/no/such/file", 0, nullptr, nullptr)),
           HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
  for (hipJitInputType foreign : {hipJitInputCubin, hipJitInputPtx, hipJitInputNvvm}) // before the file is looked for
    CHECK_EQ(int(hiprtcLinkAddFile(link, foreign, "/no/such/file", 0, nullptr, nullptr)), HIPRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(int(hiprtcLinkAddData(nullptr, hipJitInputSpirv, nonsense, sizeof nonsense, "", 0, nullptr, nullptr)),
           HIPRTC_ERROR_INVALID_INPUT);

  // A function that no input defines.
  values[1] = reinterpret_cast<void *>(sizeof log);
  std::vector<char> alone =
      bitcodeOf("__device__ int absent(int);\nextern \"C\" __global__ void k(int *r) { *r = absent(1); }");
  RTC_CHECK(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, alone.data(), alone.size(), "alone", 0, nullptr, nullptr));
  CHECK_EQ(int(hiprtcLinkComplete(link, &code, &size)), HIPRTC_ERROR_LINKING);
  CHECK(contains(log, "absent(int)"));
  RTC_CHECK(hiprtcLinkDestroy(link));

  // Bitcode that ends too early, and two definitions of one function.
  for (int i = 0; i < 2; ++i) {
    values[1] = reinterpret_cast<void *>(sizeof log);
    RTC_CHECK(hiprtcLinkCreate(2, options, values, &link));
    std::vector<char> bytes = bitcodeOf(kOther);
    const size_t part = i == 0 ? bytes.size() / 2 / 4 * 4 : bytes.size();
    hiprtcResult result =
        hiprtcLinkAddData(link, hipJitInputLLVMBitcode, bytes.data(), part, "piece", 0, nullptr, nullptr);
    if (result == HIPRTC_SUCCESS && i == 1)
      RTC_CHECK(hiprtcLinkAddData(link, hipJitInputLLVMBitcode, bytes.data(), part, "same", 0, nullptr, nullptr));
    if (result == HIPRTC_SUCCESS)
      CHECK_EQ(int(hiprtcLinkComplete(link, &code, &size)), HIPRTC_ERROR_LINKING);
    else
      CHECK_EQ(int(result), HIPRTC_ERROR_INVALID_INPUT);
    CHECK(log[0] != '\0');
    RTC_CHECK(hiprtcLinkDestroy(link));
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
