// SPDX-License-Identifier: MIT
// The run-time linker and the options of module loading: SPIR-V, bitcode, objects and archives of -fgpu-rdc, what the
// compilers say, and everything that is no device code. The program compiles its inputs itself, with the clang and the
// prefix that the build names in the environment; without them only what needs no compiler is tested.
#include "tests/device/check.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

extern "C" __global__ void own(int *out) { *out = 5; }

static std::string folder;

static std::string read(const std::string &name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const std::string &name, const std::string &text) { std::ofstream(name, std::ios::binary) << text; }

static bool run(const std::string &command) {
  const bool succeeded = std::system((command + " > " + folder + "/said 2>&1").c_str()) == 0;
  if (!succeeded)
    std::fprintf(stderr, "%s\n%s\n", command.c_str(), read(folder + "/said").c_str());
  CHECK(succeeded);
  return succeeded;
}

/// Launches a kernel of the module that stores one number.
static int resultOf(hipModule_t module, const char *kernel) {
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, kernel));
  DeviceArray<int> out(1);
  int *data = out;
  void *arguments[] = {&data};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  return out.host()[0];
}

static int linked(hipLinkState_t link, const char *kernel) {
  void *binary = nullptr;
  size_t size = 0;
  HIP_CHECK(hipLinkComplete(link, &binary, &size));
  CHECK(size > 20);
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, binary));
  HIP_CHECK(hipLinkDestroy(link)); // the module keeps what it needs
  const int result = resultOf(module, kernel);
  HIP_CHECK(hipModuleUnload(module));
  return result;
}

static hipLinkState_t newLink() {
  hipLinkState_t link = nullptr;
  HIP_CHECK(hipLinkCreate(0, nullptr, nullptr, &link));
  return link;
}

TEST(badInput) {
  hipLinkState_t link = newLink();
  char junk[64] = "this is no device code";
  void *binary;
  size_t size;
  const hipJitInputType kinds[] = {hipJitInputFatBinary,
                                   hipJitInputObject,
                                   hipJitInputLibrary,
                                   hipJitInputLLVMBitcode,
                                   hipJitInputLLVMBundledBitcode,
                                   hipJitInputLLVMArchivesOfBundledBitcode,
                                   hipJitInputSpirv};
  for (hipJitInputType kind : kinds)
    CHECK_EQ(hipLinkAddData(link, kind, junk, sizeof junk, "junk", 0, nullptr, nullptr), hipErrorInvalidImage);
  for (hipJitInputType kind : {hipJitInputCubin, hipJitInputPtx, hipJitInputNvvm})
    CHECK_EQ(hipLinkAddData(link, kind, junk, sizeof junk, "junk", 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddData(link, static_cast<hipJitInputType>(77), junk, sizeof junk, "junk", 0, nullptr, nullptr),
           hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddData(link, hipJitInputSpirv, nullptr, 4, "none", 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddData(link, hipJitInputSpirv, junk, 0, "none", 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddFile(link, hipJitInputSpirv, "/no/such/file", 0, nullptr, nullptr), hipErrorFileNotFound);
  CHECK_EQ(hipLinkAddFile(link, hipJitInputNvvm, "/no/such/file", 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddFile(link, hipJitInputSpirv, nullptr, 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkComplete(link, &binary, &size), hipErrorInvalidImage); // nothing was added
  CHECK_EQ(hipLinkComplete(link, nullptr, &size), hipErrorInvalidValue);
  CHECK_EQ(hipLinkComplete(link, &binary, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipLinkDestroy(link));
  CHECK_EQ(hipLinkDestroy(link), hipErrorInvalidValue);
  CHECK_EQ(hipLinkComplete(link, &binary, &size), hipErrorInvalidValue);
  CHECK_EQ(hipLinkAddData(nullptr, hipJitInputSpirv, junk, 4, "none", 0, nullptr, nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipLinkCreate(0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipLinkCreate(1, nullptr, nullptr, &link), hipErrorInvalidValue);

  // The message in the buffer is cut off where the buffer ends.
  char text[40];
  std::memset(text, 'x', sizeof text);
  hipJitOption options[] = {hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes, hipJitOptionWallTime};
  void *values[] = {text, reinterpret_cast<void *>(size_t{20}), nullptr};
  hipModule_t module;
  CHECK_EQ(hipModuleLoadDataEx(&module, junk, 3, options, values), hipErrorInvalidImage);
  CHECK_EQ(std::strlen(text), reinterpret_cast<size_t>(values[1]));
  CHECK(std::strlen(text) == 19 && text[20] == 'x');
  hipJitOption unknown = static_cast<hipJitOption>(555);
  CHECK_EQ(hipModuleLoadDataEx(&module, junk, 1, &unknown, values), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoadDataEx(&module, junk, 1, nullptr, values), hipErrorInvalidValue);
}

/// SPIR-V of this program goes through the linker as it is.
TEST(ownCode) {
  const std::string program = read("/proc/self/exe");
  const size_t at = program.find(std::string("__CLANG_OFFLOAD_") + "BUNDLE__");
  CHECK(at != program.npos);
  hipLinkState_t link = newLink();
  // The bundle carries its sizes, what follows it does not matter.
  HIP_CHECK(hipLinkAddData(link, hipJitInputFatBinary, const_cast<char *>(program.data() + at), program.size() - at,
                           nullptr, 0, nullptr, nullptr));
  CHECK_EQ(linked(link, "own"), 5);
}

TEST(compiled) {
  const char *compiler = std::getenv("HIPLZ_TEST_COMPILE");
  if (!compiler) {
    std::printf("HIPLZ_TEST_COMPILE is not set: what needs a compiler is left out\n");
    return;
  }
  const std::string compile = compiler;
  write(folder + "/one.hip", R"(
    #include <hip/hip_runtime.h>
    extern __device__ int shared;
    __device__ int twice(int x);
    extern "C" __global__ void store(int *out) { *out = twice(20) + shared; })");
  write(folder + "/two.hip", R"(
    #include <hip/hip_runtime.h>
    __device__ int shared = 2;
    __device__ int twice(int x) { return 2 * x; })");
  write(folder + "/alone.hip", R"(
    #include <hip/hip_runtime.h>
    __device__ int counter = 7;
    extern "C" __global__ void alone(int *out) { *out = counter + static_cast<int>(sqrtf(16.0f) + sinf(0.0f)); }
    extern "C" __global__ void prints(int *out) { printf("%d\n", *out); *out = 3; })");
  for (const char *name : {"one", "two"}) {
    const std::string path = folder + "/" + name;
    if (!run(compile + " --cuda-device-only -emit-llvm -fgpu-rdc -c " + path + ".hip -o " + path + ".bc") ||
        !run(compile + " -fgpu-rdc -c " + path + ".hip -o " + path + ".o"))
      return;
  }
  run(compile + " --cuda-device-only -emit-llvm -c " + folder + "/alone.hip -o " + folder + "/alone.bc");
  run("ar rcs " + folder + "/libboth.a " + folder + "/one.o " + folder + "/two.o");

  hipLinkState_t link = newLink();
  std::string one = read(folder + "/one.bc");
  HIP_CHECK(hipLinkAddData(link, hipJitInputLLVMBitcode, one.data(), one.size(), "one", 0, nullptr, nullptr));
  std::fill(one.begin(), one.end(), 'x'); // the link has a copy
  HIP_CHECK(hipLinkAddFile(link, hipJitInputLLVMBitcode, (folder + "/two.bc").c_str(), 0, nullptr, nullptr));
  CHECK_EQ(linked(link, "store"), 42);

  link = newLink();
  HIP_CHECK(hipLinkAddFile(link, hipJitInputObject, (folder + "/two.o").c_str(), 0, nullptr, nullptr));
  HIP_CHECK(hipLinkAddFile(link, hipJitInputObject, (folder + "/one.o").c_str(), 0, nullptr, nullptr));
  CHECK_EQ(linked(link, "store"), 42);

  link = newLink();
  HIP_CHECK(hipLinkAddFile(link, hipJitInputLibrary, (folder + "/libboth.a").c_str(), 0, nullptr, nullptr));
  CHECK_EQ(linked(link, "store"), 42);

  // A definition that is missing, and what the buffers say about it.
  char error[4096] = "", info[4096] = "";
  float wallTime = -1;
  hipJitOption options[] = {hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes,
                            hipJitOptionInfoLogBuffer,  hipJitOptionInfoLogBufferSizeBytes,
                            hipJitOptionWallTime,       hipJitOptionOptimizationLevel};
  void *values[] = {error,   reinterpret_cast<void *>(sizeof error), info, reinterpret_cast<void *>(sizeof info),
                    nullptr, reinterpret_cast<void *>(size_t{3})};
  HIP_CHECK(hipLinkCreate(6, options, values, &link));
  HIP_CHECK(hipLinkAddFile(link, hipJitInputLLVMBitcode, (folder + "/one.bc").c_str(), 0, nullptr, nullptr));
  void *binary;
  size_t size;
  CHECK_EQ(hipLinkComplete(link, &binary, &size), hipErrorInvalidImage);
  CHECK(std::strstr(error, "shared") || std::strstr(error, "twice"));
  CHECK(reinterpret_cast<size_t>(values[1]) == std::strlen(error));
  std::memcpy(&wallTime, &values[4], sizeof wallTime);
  CHECK(wallTime > 0);
  // The link goes on where it was.
  HIP_CHECK(hipLinkAddFile(link, hipJitInputLLVMBitcode, (folder + "/two.bc").c_str(), 0, nullptr, nullptr));
  CHECK_EQ(linked(link, "store"), 42);

  // Bitcode as a module, from a file and from memory that begins with it.
  hipModule_t module;
  HIP_CHECK(hipModuleLoad(&module, (folder + "/alone.bc").c_str()));
  CHECK_EQ(resultOf(module, "alone"), 11);
  hipDeviceptr_t address;
  HIP_CHECK(hipModuleGetGlobal(&address, &size, module, "counter"));
  CHECK_EQ(size, sizeof(int));
  int value = 100;
  HIP_CHECK(hipMemcpyHtoD(address, &value, sizeof value));
  CHECK_EQ(resultOf(module, "alone"), 104);
  HIP_CHECK(hipModuleUnload(module));
  const std::string alone = read(folder + "/alone.bc") + std::string(100, '\0');
  HIP_CHECK(hipModuleLoadDataEx(&module, alone.data(), 6, options, values));
  CHECK_EQ(resultOf(module, "prints"), 3);
  HIP_CHECK(hipModuleUnload(module));

  // Cut off, and bitcode that no compiler reads.
  write(folder + "/cut.bc", alone.substr(0, alone.size() / 2));
  CHECK_EQ(hipModuleLoad(&module, (folder + "/cut.bc").c_str()), hipErrorInvalidImage);
  write(folder + "/cut.bc", alone.substr(0, 4));
  CHECK_EQ(hipModuleLoad(&module, (folder + "/cut.bc").c_str()), hipErrorInvalidImage);
}

int main(int argc, char **argv) {
  char name[] = "/tmp/hiplz-linker-test-XXXXXX";
  if (!mkdtemp(name))
    return 1;
  folder = name;
  const int result = runTests(argc, argv);
  CHECK_EQ(std::system(("rm -r " + folder).c_str()), 0);
  return result ? result : testResult();
}
