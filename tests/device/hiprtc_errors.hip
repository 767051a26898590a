// SPDX-License-Identifier: MIT
// hipRTC refuses bad input with the documented result and says in the log what is wrong, where the user sees it.
#include "tests/device/rtc.h"

static const char *const kKernel = "extern \"C\" __global__ void k(int *r) { *r = 1; }";

TEST(wrongOrder) {
  hiprtcProgram program = nullptr;
  size_t size;
  const char *lowered;
  RTC_CHECK(hiprtcCreateProgram(&program, kKernel, nullptr, 0, nullptr, nullptr));
  CHECK_EQ(int(hiprtcGetCodeSize(program, &size)), HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQ(int(hiprtcGetLoweredName(program, "k", &lowered)), HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  RTC_CHECK(hiprtcGetProgramLogSize(program, &size));
  CHECK_EQ(size, size_t(1));
  RTC_CHECK(hiprtcCompileProgram(program, 0, nullptr));
  CHECK_EQ(int(hiprtcAddNameExpression(program, "k")), HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK_EQ(int(hiprtcGetLoweredName(program, "k", &lowered)), HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK_EQ(int(hiprtcGetBitcodeSize(program, &size)), HIPRTC_ERROR_INVALID_PROGRAM); // not compiled for a link
  hiprtcProgram copy = program;
  RTC_CHECK(hiprtcDestroyProgram(&program));
  CHECK(program == nullptr);
  CHECK_EQ(int(hiprtcDestroyProgram(&copy)), HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQ(int(hiprtcCompileProgram(copy, 0, nullptr)), HIPRTC_ERROR_INVALID_PROGRAM);
}

static int timesIn(const std::string &text, const char *part) {
  int times = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

// Clang's attributes for AMD's launch bounds refuse zero and fractions, AMD's code generation negative numbers.
TEST(launchBounds) {
  for (const char *bounds : {"0", "-1", "128, -1", "1.5", "128, 1.5"}) {
    RtcProgram program("__launch_bounds__(" + std::string(bounds) + ") __global__ void k(int *p) { *p = 1; }");
    CHECK_EQ(int(program.compile()), HIPRTC_ERROR_COMPILATION);
    CHECK_EQ(timesIn(program.log(), "error:"), 1);
  }
}

// Clang's diagnostics for its own atomic functions, and nothing else.
TEST(atomicArguments) {
  const char *scope = "__HIP_MEMORY_SCOPE_AGENT";
  struct {
    std::string call;
    int errors, warnings;
  } const cases[] = {
      {std::string("__hip_atomic_store(x, 1, __ATOMIC_RELEASE, ") + scope + ")", 0, 0},
      {std::string("__hip_atomic_store(x, 1, __ATOMIC_ACQUIRE, ") + scope + ")", 0, 1},
      {std::string("__hip_atomic_load(x, -1, ") + scope + ")", 0, 1},
      {std::string("__hip_atomic_store((const int *)x, 1, __ATOMIC_RELAXED, ") + scope + ")", 1, 0},
      {std::string("__hip_atomic_exchange(*x, 1, __ATOMIC_RELAXED, ") + scope + ")", 1, 0},
      {"__hip_atomic_fetch_add(x, 1, __ATOMIC_RELAXED, 10)", 1, 0},
      {std::string("__hip_atomic_fetch_or((float *)x, 1, __ATOMIC_RELAXED, ") + scope + ")", 1, 0},
      {std::string("__hip_atomic_fetch_max(&own, own, __ATOMIC_RELAXED, ") + scope + ")", 1, 0},
      {std::string("__hip_atomic_compare_exchange_strong(x, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELEASE, ") + scope + ")",
       0, 1},
  };
  for (const auto &one : cases) {
    RtcProgram program(
        "struct Own { __device__ Own() {} __device__ ~Own() {} };\n__global__ void k(int *x) {\n  Own own;\n  " +
        one.call + ";\n}");
    CHECK_EQ(int(program.compile()), one.errors ? HIPRTC_ERROR_COMPILATION : HIPRTC_SUCCESS);
    const std::string log = program.log();
    CHECK_EQ(timesIn(log, "error:"), one.errors);
    CHECK_EQ(timesIn(log, "warning:"), one.warnings);
  }
}

TEST(errorsInTheSource) {
  const char *header = "\n#define BROKEN this is\n#error no luck\n";
  struct {
    const char *source, *name;
    const char *said[3];
  } const cases[] = {
      {"\n\n__global__ void k( {}", "mine.cu", {"mine.cu:3:", "error:", "__global__ void k( {}"}},
      {"#include \"missing.h\"\n", "/abs/olute.hip", {"/abs/olute.hip:1:", "missing.h", "not found"}},
      {"#include \"sub/broken.h\"\n", "x.hip", {"sub/broken.h:3:", "no luck", "from x.hip:1"}},
      {"__global__ void k(int *p) { unknown(p); }", nullptr, {"unknown", "error:", "hiprtc_program:1:"}},
      {"__host__ int h();\n__global__ void k(int *p) { *p = h(); }", "calls.hip", {"calls.hip:2:", "h", "error:"}},
      {"__device__ int missing(int);\n__global__ void k(int *p) { *p = missing(1); }",
       "u",
       {"missing(int)", "not defined", "error"}},
      {"__global__ void k(int *p) { asm volatile(\"bar.sync 0;\"); }",
       "assembly.hip",
       {"error:", "assembl", "k(int*)"}},
      {"/* never closed", "", {"error:", "unterminated", "hiprtc_program:1:"}},
  };
  for (const auto &one : cases) {
    RtcProgram program(one.source, one.name, {header}, {"sub/broken.h"});
    CHECK_EQ(int(program.compile()), HIPRTC_ERROR_COMPILATION);
    const std::string log = program.log();
    for (const char *part : one.said) {
      if (!contains(log, part))
        std::fprintf(stderr, "the log lacks '%s':\n%s\n", part, log.c_str());
      CHECK(contains(log, part));
    }
    CHECK(!contains(log, ".hiplz-rtc"));
    size_t size;
    CHECK_EQ(int(hiprtcGetCodeSize(program.handle, &size)), HIPRTC_ERROR_INVALID_PROGRAM);
  }
}

TEST(nameExpressionsThatNameNothing) {
  for (const char *expression : {"absent", "k<int>", "overloaded", "3", "&k +", ""}) {
    RtcProgram program(std::string(kKernel) +
                       "\n__global__ void overloaded(int) {}\n__global__ void overloaded(float) {}");
    RTC_CHECK(hiprtcAddNameExpression(program.handle, expression));
    CHECK_EQ(int(program.compile()), HIPRTC_ERROR_COMPILATION);
    CHECK(contains(program.log(), "name expression"));
    const char *name;
    CHECK_EQ(int(hiprtcGetLoweredName(program.handle, expression, &name)), HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  }
}

TEST(optionsThatCannotBe) {
  for (std::vector<const char *> options : std::vector<std::vector<const char *>>{{"-std=c++1"},
                                                                                  {"--no-such-option"},
                                                                                  {"file.hip"},
                                                                                  {"-E"},
                                                                                  {"-o", "x"},
                                                                                  {"-D"},
                                                                                  {"-"},
                                                                                  {"--offload=amdgcn"},
                                                                                  {"-target", "x86_64"}}) {
    RtcProgram program(kKernel);
    CHECK_EQ(int(program.compile(options)), HIPRTC_ERROR_INVALID_OPTION);
    CHECK(contains(program.log(), "error"));
    CHECK_EQ(int(program.compile()), HIPRTC_SUCCESS); // the program is as good as before
  }
}

TEST(warningsAreInTheLog) {
  for (int i = 0; i < 2; ++i) { // also when the code comes from the cache
    RtcProgram program("extern \"C\" __global__ void k(int *r) { int unused = 1; *r = 2; }", "w.hip");
    CHECK_EQ(int(program.compile({"-Wall"})), 0);
    CHECK(contains(program.log(), "w.hip:1:"));
    CHECK(contains(program.log(), "unused"));
  }
  RtcProgram quiet("extern \"C\" __global__ void k(int *r) { int unused = 1; *r = 2; }", "w.hip");
  CHECK_EQ(int(quiet.compile({"-Wall", "-w"})), 0);
  CHECK(quiet.log() == "");
}

TEST(strings) {
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_ERROR_LINKING)) == "HIPRTC_ERROR_LINKING");
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_SUCCESS)) == "HIPRTC_SUCCESS");
  CHECK(hiprtcGetErrorString(hiprtcResult(12345)) != nullptr);
  int major = 0, minor = -1;
  RTC_CHECK(hiprtcVersion(&major, &minor));
  CHECK_EQ(major, 9);
  CHECK_EQ(minor, 0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
