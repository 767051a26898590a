// SPDX-License-Identifier: MIT
// hipRTC: sources that are compiled at run time, with headers from memory, options and name expressions.
#include "tests/device/rtc.h"

#include "tests/device/captured_output.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>

TEST(kernelsRun) {
  RtcProgram program(R"(
extern "C" __global__ void saxpy(float a, const float *x, float *y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
})");
  CHECK_EQ(int(program.compile({"--offload-arch=gfx90a", "--gpu-architecture=sm_80", "-ffast-math"})), 0);
  CHECK(program.log() == "");
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, program.code().data()));
  hipFunction_t saxpy;
  HIP_CHECK(hipModuleGetFunction(&saxpy, module, "saxpy"));
  constexpr size_t kCount = 1000;
  std::vector<float> x(kCount), y(kCount, 1);
  for (size_t i = 0; i < kCount; ++i)
    x[i] = float(i);
  DeviceArray<float> dx(kCount), dy(kCount);
  HIP_CHECK(hipMemcpy(static_cast<float *>(dx), x.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(static_cast<float *>(dy), y.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
  float a = 3;
  float *px = static_cast<float *>(dx), *py = static_cast<float *>(dy);
  size_t n = kCount;
  void *arguments[] = {&a, &px, &py, &n};
  HIP_CHECK(hipModuleLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipMemcpy(y.data(), static_cast<float *>(dy), kCount * sizeof(float), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < kCount; ++i)
    CHECK_EQ(y[i], 3 * float(i) + 1);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(shortMacrosAreTheProgramsOwn) {
  RtcProgram program(R"(extern "C" __global__ void sum(int *out) { *out = V + N + T + x; })");
  CHECK_EQ(int(program.compile({"-DV=3", "-DN=40", "-DT=500", "-D", "x=6000"})), 0);
  CHECK(program.log() == "");
  CHECK_EQ(runOne(program.code().data(), "sum"), 6543);
}

TEST(memberFunctions) {
  RtcProgram program(R"(
struct Steps {
  int step;
  __device__ int up(int x) const { return x + step; }
  __device__ int down(int x) const { return x - step; }
};
extern "C" __global__ void k(int *out) {
  int (Steps::*function)(int) const = blockDim.x % 2 ? &Steps::up : &Steps::down;
  Steps steps{int(gridDim.x) + 4};
  *out = (steps.*function)(100);
})");
  CHECK_EQ(int(program.compile()), 0);
  CHECK(program.log() == "");
  CHECK_EQ(runOne(program.code().data(), "k"), 105);
}

/// Threads may hand on what only others have set, without taking the branches of those.
TEST(partlySetVariables) {
  RtcProgram program(R"(
__device__ __attribute__((noinline)) int twice(int value) { return 2 * value; }
__device__ void load(int *from, int (&items)[1], bool valid) {
  if (valid)
    items[0] = *from;
}
extern "C" __global__ void k(int *r) {
  int items[1];
  load(r, items, threadIdx.x == 1);
  const int result = twice(items[0]);
  *r = threadIdx.x == 1 ? result : 427;
})");
  CHECK_EQ(int(program.compile({"-O3"})), 0);
  CHECK_EQ(runOne(program.code().data(), "k"), 427);
}

TEST(headersFromMemory) {
  const char *one = "#pragma once\n#include \"inner/two.h\"\n#define ONE (TWO + 1)\n";
  const char *two = "#define TWO 2\n";
  RtcProgram program(
      "#include <hip/hip_runtime.h>\n#include <cstdint>\n#include <type_traits>\n#include <limits>\n"
      "#include \"one.h\"\n#include <inner/two.h>\n"
      "static_assert(std::is_same<int32_t, int>::value, \"\");\n"
      "extern \"C\" __global__ void k(int *r) { *r = ONE * 100 + std::numeric_limits<signed char>::max(); }",
      "dir/with/kernel.hip", {one, two}, {"one.h", "inner/two.h"});
  CHECK_EQ(int(program.compile()), 0);
  CHECK_EQ(runOne(program.code().data(), "k"), 427);
}

/// Nothing has to be included for half, hip_bfloat16, complex numbers, constants and the types of <cstddef> and <cstdint>.
TEST(withoutIncludes) {
  RtcProgram program(R"(
extern "C" __global__ void k(int *r) {
  ptrdiff_t difference = r - (r - 2);
  hipFloatComplex z = make_hipFloatComplex(3.0f, 4.0f);
  hip_bfloat16 b(0.5f);
  float sum = hipCabsf(z) + __half2float(__float2half(1.5f)) + float(b) + float(hip_bfloat16(2.0f));
  *r = int(sum) + int(difference) + (HIP_PI_F > 3.14f) + int(sizeof(uint64_t)) + (HIP_R_32F == 0);
})");
  for (const char *option : {"-fgpu-flush-denormals-to-zero", "-fno-gpu-flush-denormals-to-zero", "-DHIP_PI=3"}) {
    CHECK_EQ(int(program.compile({option})), int(HIPRTC_SUCCESS));
    CHECK_EQ(runOne(program.code().data(), "k"), 21);
  }
}

/// Functions of half take what converts to half, unless the source includes the overloads of hip/hip_bf16.h.
TEST(numbersForHalf) {
  RtcProgram program(R"(
extern "C" __global__ void k(int *r) {
  __half a = 3.8, b = 2.2;
  *r = __heq(a == b, 0) + 2 * __heq(a, 3.8) + 4 * __hisnan(b) + 8 * __hgt(a, 2);
})");
  CHECK_EQ(int(program.compile()), int(HIPRTC_SUCCESS));
  CHECK_EQ(runOne(program.code().data(), "k"), 11);
  RtcProgram newer(R"(#include <hip/hip_bf16.h>
extern "C" __global__ void k(int *r) { *r = __bfloat162float(__float2bfloat16(0.5f)) == 0.5f; })");
  CHECK_EQ(int(newer.compile()), int(HIPRTC_SUCCESS));
  CHECK_EQ(runOne(newer.code().data(), "k"), 1);
}

/// Names of AMD's own headers that sources use, and the type of ptrdiff_t, which a macro chooses.
TEST(namesOfInternalHeaders) {
  RtcProgram program(R"(
template <size_t... Values> __device__ int sumOf(__hip_internal::index_sequence<Values...>) { return (0 + ... + Values); }
extern "C" __global__ void k(int *r) {
  using namespace __hip_internal;
  const bool chosen = __HIPRTC_PTRDIFF_T_IS_LONG_LONG__;
  *r = __hip_internal::is_same<ptrdiff_t, long long>::value == chosen && is_same<::ptrdiff_t, long>::value != chosen;
  *r += 2 * is_integral<__hip_uint8_t>::value + 4 * (sizeof(__hip_int64_t) == 8) + 8 * is_floating_point<float>::value +
        16 * is_same<enable_if<true, int>::type, conditional<false, float, int>::type>::value +
        32 * (sumOf(make_index_sequence<5>()) == 10) + 64 * (is_convertible<int, float>::value && alignment_of<int>::value == 4);
})");
  for (const char *option : {"-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=0", "-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=1",
                             "-D __HIPRTC_PTRDIFF_T_IS_LONG_LONG__"}) {
    CHECK_EQ(int(program.compile({option})), int(HIPRTC_SUCCESS));
    CHECK(program.log().empty());
    CHECK_EQ(runOne(program.code().data(), "k"), 127);
  }
}

TEST(options) {
  const std::string source = "#ifdef A\n#define TEXT A\n#else\n#define TEXT 0\n#endif\n"
                             "#ifdef B\n#define MORE B(2)\n#else\n#define MORE 0\n#endif\n"
                             "extern \"C\" __global__ void k(int *r) {\n"
                             "#ifdef __FAST_MATH__\n  const int fast = 1000;\n#else\n  const int fast = 0;\n#endif\n"
                             "  *r = TEXT + MORE + fast + (__cplusplus == 202002L ? 10000 : 0);\n}";
  struct {
    std::vector<const char *> options;
    int result;
  } const cases[] = {
      {{}, 0},
      {{"-DA=5"}, 5},
      {{"-D", "A=6"}, 6},
      {{"-D A=7"}, 7},
      {{"--define-macro=A=8", "-DB(x)=x*10"}, 28},
      {{"--define-macro", "A=9", "-UA"}, 0},
      {{"-ffast-math"}, 1000},
      {{"--use_fast_math", "-std=c++20", "-O1"}, 11000},
      {{"--std=c++20", "-g", "-lineinfo", "--maxrregcount=32", "-O0"}, 10000},
      {{"-std=gnu++17", "-DA=2"}, 2},
      {{"-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-DA=3"}, 3},
      {{"-mllvm", "-amdgpu-early-inline-all=true", "-DA=4", "", "--fmad=false"}, 4},
  };
  for (const auto &one : cases) {
    RtcProgram program(source);
    const hiprtcResult result = program.compile(one.options);
    if (result != HIPRTC_SUCCESS)
      std::fprintf(stderr, "%s\n", program.log().c_str());
    CHECK_EQ(int(result), 0);
    CHECK_EQ(runOne(program.code().data(), "k"), one.result);
    CHECK_EQ(contains(program.log(), "-mllvm"), one.options.size() > 1 && std::string(one.options[0]) == "-mllvm");
  }
}

/// True if a program compiled with the options has drivers round divisions and square roots of float correctly.
static bool roundsCorrectly(const std::vector<const char *> &options) {
  RtcProgram program("extern \"C\" __global__ void k(float *x) { *x = sqrtf(x[0] / x[1]); }");
  CHECK_EQ(int(program.compile(options)), 0);
  const std::vector<char> code = program.code();
  return contains(std::string(code.begin(), code.end()), "hiplz_correctly_rounded_divide_sqrt");
}
TEST(precisionOfDivisionsAndRoots) {
  CHECK(roundsCorrectly({}));
  CHECK(!roundsCorrectly({"--prec-div=false", "-prec-sqrt=false"}));
  CHECK(roundsCorrectly({"--prec-div=false"}));
  CHECK(roundsCorrectly({"--prec-sqrt=false"}));
  CHECK(roundsCorrectly({"--prec-div=false", "--prec-sqrt=false", "--prec-div=true"}));
  CHECK(!roundsCorrectly({"--use_fast_math"}));
  CHECK(!roundsCorrectly({"-fno-hip-fp32-correctly-rounded-divide-sqrt"}));
}

// Of several options the last one counts.
TEST(kindOfPrintf) {
  const std::string source = R"(extern "C" __global__ void k(int *x) { *x = printf("%s\n", "seven."); })";
  const struct {
    std::vector<const char *> options;
    int result;
  } cases[] = {{{}, 7},
               {{"-mprintf-kind=hostcall"}, 7},
               {{"-mprintf-kind=buffered"}, 0},
               {{"-mprintf-kind=buffered", "-mprintf-kind=hostcall"}, 7}};
  for (const auto &one : cases) {
    RtcProgram program(source);
    CHECK_EQ(int(program.compile(one.options)), 0);
    Capture capture;
    const int result = runOne(program.code().data(), "k");
    CHECK(capture.finish() == "seven.\n");
    CHECK_EQ(result, one.result);
  }
}

TEST(nameExpressions) {
  RtcProgram program(R"(
namespace space {
template <class T, int n> __global__ void scale(T *p) { *p = T(n) + sizeof(T); }
__global__ void overloaded(int *p) { *p = 1; }
__global__ void overloaded(float *p) { *p = 2; }
__device__ int variable = 41;
}
__constant__ int numbers[4] = {1, 2, 3, 4};
static __device__ long own = 8;
extern "C" __global__ void plain(int *p) { *p = space::variable + numbers[0] + int(own); }
)");
  const char *expressions[] = {"space::scale<int, 3>",
                               "&space::scale<double, (4 > 3 ? 7 : 8)>",
                               "(void (*)(int *))space::overloaded",
                               "static_cast<void (*)(float *)>(&space::overloaded)",
                               "&space::variable",
                               "&numbers",
                               "&own",
                               "plain"};
  for (const char *expression : expressions) {
    RTC_CHECK(hiprtcAddNameExpression(program.handle, expression));
    RTC_CHECK(hiprtcAddNameExpression(program.handle, expression)); // twice is no error
  }
  CHECK_EQ(int(program.compile()), 0);
  std::set<std::string> names;
  for (const char *expression : expressions)
    names.insert(program.lowered(expression));
  CHECK_EQ(names.size(), std::size(expressions));
  CHECK(program.lowered("plain") == "plain");
  CHECK(program.lowered("(void (*)(int *))space::overloaded") == "_ZN5space10overloadedEPi");

  const std::vector<char> code = program.code();
  CHECK_EQ(runOne(code.data(), program.lowered(expressions[0]).c_str()), 3 + 4);
  CHECK_EQ(runOne(code.data(), program.lowered(expressions[2]).c_str()), 1);
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, code.data()));
  struct {
    const char *expression;
    size_t bytes;
    int first;
  } const variables[] = {{"&space::variable", 4, 41}, {"&numbers", 16, 1}, {"&own", 8, 8}};
  for (const auto &variable : variables) {
    hipDeviceptr_t address;
    size_t bytes = 0;
    HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module, program.lowered(variable.expression).c_str()));
    CHECK_EQ(bytes, variable.bytes);
    int value = 0;
    HIP_CHECK(hipMemcpy(&value, reinterpret_cast<void *>(address), sizeof value, hipMemcpyDeviceToHost));
    CHECK_EQ(value, variable.first);
  }
  // The host may change what it has found.
  hipDeviceptr_t address;
  size_t bytes;
  HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module, program.lowered("&space::variable").c_str()));
  const int value = 100;
  HIP_CHECK(hipMemcpy(reinterpret_cast<void *>(address), &value, sizeof value, hipMemcpyHostToDevice));
  hipFunction_t plain;
  HIP_CHECK(hipModuleGetFunction(&plain, module, "plain"));
  DeviceArray<int> result(1);
  int *pointer = result;
  void *arguments[] = {&pointer};
  HIP_CHECK(hipModuleLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  int sum = 0;
  HIP_CHECK(hipMemcpy(&sum, pointer, sizeof sum, hipMemcpyDeviceToHost));
  CHECK_EQ(sum, 100 + 1 + 8);
  HIP_CHECK(hipModuleUnload(module));
}

// Code that is compiled again gives the same bytes, whether it comes from the cache or not.
TEST(repeated) {
  const std::string source = "extern \"C\" __global__ void k(int *r) { *r = __LINE__; }";
  std::vector<char> first;
  for (int i = 0; i < 3; ++i) {
    RtcProgram program(source);
    CHECK_EQ(int(program.compile()), 0);
    if (i == 0)
      first = program.code();
    CHECK(program.code() == first);
    // A program may be compiled again, with other options.
    CHECK_EQ(int(program.compile({"-O0"})), 0);
    CHECK_EQ(runOne(program.code().data(), "k"), 1);
  }
}

static int included(const std::vector<const char *> &options) {
  RtcProgram program("#include \"x.h\"\nextern \"C\" __global__ void k(int *r) { *r = VALUE; }");
  CHECK_EQ(int(program.compile(options)), 0);
  return runOne(program.code().data(), "k");
}

// A program is compiled again when the same text would mean something else.
TEST(headersOfTheCache) {
  const auto root = std::filesystem::temp_directory_path() / ("hiplz-rtc-" + std::to_string(::getpid()));
  const auto write = [&](const char *folder, const char *text) {
    std::filesystem::create_directories(root / folder);
    std::ofstream(root / folder / "x.h") << text;
  };
  write("second", "#define VALUE 2\n");
  std::filesystem::create_directories(root / "first");
  const std::string first = "-I" + (root / "first").string(), second = "-I" + (root / "second").string();
  const std::vector<const char *> options = {first.c_str(), second.c_str()};
  std::this_thread::sleep_for(
      std::chrono::milliseconds(20)); // a file that is as new as its compilation is not relied on
  for (int i = 0; i < 2; ++i)
    CHECK_EQ(included(options), 2);
  // Another text of the same size and age.
  const auto time = std::filesystem::last_write_time(root / "second/x.h");
  write("second", "#define VALUE 3\n");
  std::filesystem::last_write_time(root / "second/x.h", time);
  for (int i = 0; i < 2; ++i)
    CHECK_EQ(included(options), 3);
  // A header in a folder that is searched before.
  write("first", "#define VALUE 1\n");
  for (int i = 0; i < 2; ++i)
    CHECK_EQ(included(options), 1);
  std::filesystem::remove(root / "first/x.h");
  CHECK_EQ(included(options), 3);
  // A folder that did not exist, and folders in the environment.
  const std::string later = "-I" + (root / "later").string();
  const std::vector<const char *> more = {later.c_str(), second.c_str()};
  CHECK_EQ(included(more), 3);
  write("later", "#define VALUE 4\n");
  CHECK_EQ(included(more), 4);
  ::setenv("CPATH", (root / "second").c_str(), 1);
  CHECK_EQ(included({}), 3);
  ::setenv("CPATH", (root / "later").c_str(), 1);
  CHECK_EQ(included({}), 4);
  ::unsetenv("CPATH");
  ::setenv("CPLUS_INCLUDE_PATH", (root / "second").c_str(), 1);
  CHECK_EQ(included({}), 3);
  ::unsetenv("CPLUS_INCLUDE_PATH");
  std::filesystem::remove_all(root);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
