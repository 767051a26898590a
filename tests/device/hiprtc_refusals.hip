// SPDX-License-Identifier: MIT
// The answer of each function of hipRTC to each of its arguments when that one is bad: the result, and a sentence under
// HIPLZ_LOG=info. As in the tables of api_errors, each row says where its result comes from.
#include "tests/device/api_errors/said.h"
#include "tests/device/api_errors/source.h"
#include "tests/device/rtc.h"

static const char *const kKernel = "extern \"C\" __global__ void k(int *r) { *r = 1; }";
static hiprtcProgram program, made, noProgram;
static hiprtcLinkState linkState, noLink;
static const char *name = "a.h", *none = nullptr, *lowered;
static hipJitOption option = hipJitOptionMaxRegisters;
static void *values[1], *code;
static char bytes[16];
static size_t size;
static int number;

namespace {

struct Refused {
  Source source;
  const char *function, *argument;
  hiprtcResult result;
  const char *sentence;
  hiprtcResult (*call)();
};

} // namespace

#define REFUSED(source, function, argument, result, sentence, ...)                                                     \
  {Source::source, #function, argument, HIPRTC_ERROR_##result, sentence, [] { return function(__VA_ARGS__); }},

// clang-format off
static const Refused refusals[] = {
    REFUSED(doc, hiprtcVersion, "null major", INVALID_INPUT, "major is null", nullptr, &number)
    REFUSED(doc, hiprtcVersion, "null minor", INVALID_INPUT, "minor is null", &number, nullptr)
    REFUSED(doc, hiprtcCreateProgram, "null prog", INVALID_PROGRAM, "prog is null",
            nullptr, kKernel, "k", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcCreateProgram, "null src", INVALID_INPUT, "src is null",
            &made, nullptr, "k", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcCreateProgram, "negative numHeaders", INVALID_INPUT, "numHeaders is negative",
            &made, kKernel, "k", -1, nullptr, nullptr)
    REFUSED(doc, hiprtcCreateProgram, "null headers", INVALID_INPUT, "headers is null",
            &made, kKernel, "k", 1, nullptr, &name)
    REFUSED(doc, hiprtcCreateProgram, "null includeNames", INVALID_INPUT, "includeNames is null",
            &made, kKernel, "k", 1, &name, nullptr)
    REFUSED(own, hiprtcCreateProgram, "null header", INVALID_INPUT, "a header is null",
            &made, kKernel, "k", 1, &none, &name)
    REFUSED(own, hiprtcCreateProgram, "null include name", INVALID_INPUT, "a header is null",
            &made, kKernel, "k", 1, &name, &none)
    REFUSED(doc, hiprtcDestroyProgram, "null prog", INVALID_INPUT, "prog is null", nullptr)
    REFUSED(cuda, hiprtcDestroyProgram, "program that is none", INVALID_PROGRAM, "the program does not exist",
            &noProgram)
    REFUSED(cuda, hiprtcCompileProgram, "null prog", INVALID_PROGRAM, "the program does not exist",
            nullptr, 0, nullptr)
    REFUSED(cuda, hiprtcCompileProgram, "null options", INVALID_INPUT, "options is null", program, 1, nullptr)
    REFUSED(cuda, hiprtcCompileProgram, "negative numOptions", INVALID_INPUT, "numOptions is negative",
            program, -1, &name)
    REFUSED(own, hiprtcCompileProgram, "null option", INVALID_INPUT, "one of options is null", program, 1, &none)
    REFUSED(cuda, hiprtcAddNameExpression, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, "k")
    REFUSED(doc, hiprtcAddNameExpression, "null name_expression", INVALID_INPUT, "name_expression is null",
            program, nullptr)
    REFUSED(cuda, hiprtcGetLoweredName, "null prog", INVALID_PROGRAM, "the program does not exist",
            nullptr, "k", &lowered)
    REFUSED(doc, hiprtcGetLoweredName, "null name_expression", INVALID_INPUT, "name_expression is null",
            program, nullptr, &lowered)
    REFUSED(doc, hiprtcGetLoweredName, "null lowered_name", INVALID_INPUT, "lowered_name is null",
            program, "k", nullptr)
    REFUSED(cuda, hiprtcGetProgramLogSize, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, &size)
    REFUSED(clr, hiprtcGetProgramLogSize, "null logSizeRet", INVALID_INPUT, "logSizeRet is null", program, nullptr)
    REFUSED(cuda, hiprtcGetProgramLog, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, bytes)
    REFUSED(clr, hiprtcGetProgramLog, "null log", INVALID_INPUT, "log is null", program, nullptr)
    REFUSED(cuda, hiprtcGetCodeSize, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, &size)
    REFUSED(clr, hiprtcGetCodeSize, "null codeSizeRet", INVALID_INPUT, "codeSizeRet is null", program, nullptr)
    REFUSED(cuda, hiprtcGetCode, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, bytes)
    REFUSED(clr, hiprtcGetCode, "null code", INVALID_INPUT, "code is null", program, nullptr)
    REFUSED(cuda, hiprtcGetBitcodeSize, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, &size)
    REFUSED(clr, hiprtcGetBitcodeSize, "null bitcode_size", INVALID_INPUT, "bitcode_size is null", program, nullptr)
    REFUSED(cuda, hiprtcGetBitcode, "null prog", INVALID_PROGRAM, "the program does not exist", nullptr, bytes)
    REFUSED(clr, hiprtcGetBitcode, "null bitcode", INVALID_INPUT, "bitcode is null", program, nullptr)
    REFUSED(doc, hiprtcLinkCreate, "null hip_link_state_ptr", INVALID_INPUT, "hip_link_state_ptr is null",
            0, nullptr, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkCreate, "null option_ptr", INVALID_INPUT, "option_ptr is null", 1, nullptr, values, &noLink)
    REFUSED(doc, hiprtcLinkCreate, "null option_vals_pptr", INVALID_INPUT, "option_vals_pptr is null",
            1, &option, nullptr, &noLink)
    REFUSED(doc, hiprtcLinkAddFile, "null hip_link_state", INVALID_INPUT, "the link does not exist",
            nullptr, hipJitInputSpirv, "/proc/self/exe", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddFile, "null file_path", INVALID_INPUT, "file_path is null",
            linkState, hipJitInputSpirv, nullptr, 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddFile, "file_path of no file", PROGRAM_CREATION_FAILURE, "/no/such/file",
            linkState, hipJitInputSpirv, "/no/such/file", 0, nullptr, nullptr)
    REFUSED(clr, hiprtcLinkAddFile, "input_type of CUDA", INVALID_INPUT, "NVIDIA's GPUs",
            linkState, hipJitInputPtx, "/proc/self/exe", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddData, "null hip_link_state", INVALID_INPUT, "the link does not exist",
            nullptr, hipJitInputSpirv, bytes, 16, "name", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddData, "null image", INVALID_INPUT, "image is null",
            linkState, hipJitInputSpirv, nullptr, 16, "name", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddData, "image_size of 0", INVALID_INPUT, "image_size is 0",
            linkState, hipJitInputSpirv, bytes, 0, "name", 0, nullptr, nullptr)
    REFUSED(clr, hiprtcLinkAddData, "input_type of CUDA", INVALID_INPUT, "NVIDIA's GPUs",
            linkState, hipJitInputPtx, bytes, 16, "name", 0, nullptr, nullptr)
    REFUSED(own, hiprtcLinkAddData, "input_type that is none", INVALID_INPUT, "unknown input type 77",
            linkState, hipJitInputType(77), bytes, 16, "name", 0, nullptr, nullptr)
    REFUSED(doc, hiprtcLinkAddData, "image of another type", PROGRAM_CREATION_FAILURE, "the image begins neither like",
            linkState, hipJitInputSpirv, bytes, 16, "name", 0, nullptr, nullptr)
    REFUSED(clr, hiprtcLinkComplete, "null hip_link_state", INVALID_INPUT, "the link does not exist",
            nullptr, &code, &size)
    REFUSED(clr, hiprtcLinkComplete, "null bin_out", INVALID_INPUT, "bin_out is null", linkState, nullptr, &size)
    REFUSED(clr, hiprtcLinkComplete, "null size_out", INVALID_INPUT, "size_out is null", linkState, &code, nullptr)
    REFUSED(clr, hiprtcLinkDestroy, "null hip_link_state", INVALID_INPUT, "the link does not exist", nullptr)
};
// clang-format on

int main() {
  ::setenv("HIPLZ_LOG", "info", 1); // before the first call
  RTC_CHECK(hiprtcCreateProgram(&program, kKernel, "k", 0, nullptr, nullptr));
  RTC_CHECK(hiprtcLinkCreate(0, nullptr, nullptr, &linkState));
  std::string report;
  Said said;
  for (const Refused &row : refusals) {
    const hiprtcResult result = row.call();
    const std::string text = said.take();
    if (result == row.result && !text.empty() && text.find(row.sentence) != text.npos)
      continue;
    ++checkFailures;
    report += std::string(row.function) + ", " + row.argument + ": " + hiprtcGetErrorString(result) + ", expected " +
              hiprtcGetErrorString(row.result) + " and \"" + row.sentence + "\"; it said:\n" + text;
  }
  said.restore();
  std::fputs(report.c_str(), stderr);
  CHECK(made == nullptr && noLink == nullptr);
  return testResult();
}
