// SPDX-License-Identifier: MIT
// The module API with the program's own fat binary: loading from memory and from files, kernels, variables, several
// modules at once, and everything that can be wrong with an image, a file or a name.
#include "tests/device/check.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>

struct Triple {
  char a;
  double b;
  short c;
};

extern "C" __device__ int moduleCounter = 17;
__device__ __managed__ int moduleManaged[3] = {10, 20, 30};
extern "C" __global__ void countManaged() { moduleManaged[1] += 1; }
extern "C" __global__ void addOne(int *data) { data[threadIdx.x] += 1; }
extern "C" __global__ void mixed(double *out, char c, Triple triple, short s, double d) {
  out[0] = c;
  out[1] = triple.a + triple.b + triple.c;
  out[2] = s;
  out[3] = d;
  moduleCounter += 1;
}
extern "C" __global__ void shared(int *out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}
__global__ void mangled(int *data) { data[0] = 99; }

// The code that the compiler generates for every program calls these.
extern "C" void **__hipRegisterFatBinary(const void *);
extern "C" void __hipUnregisterFatBinary(void **);
extern "C" void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, void *, void *,
                                      void *, int *);

static const std::string kMagic = std::string("__CLANG_OFFLOAD_") + "BUNDLE__";

/// The fat binary of this program, found in its own file.
static std::string ownBundle() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string program((std::istreambuf_iterator<char>(file)), {});
  size_t at = program.find(kMagic);
  if (at == program.npos)
    std::abort();
  std::string bundle = program.substr(at);
  uint64_t entries, end = 0;
  std::memcpy(&entries, bundle.data() + 24, 8);
  for (size_t i = 0, header = 32; i < entries; ++i) {
    uint64_t entry[3];
    std::memcpy(entry, bundle.data() + header, sizeof entry);
    end = std::max(end, entry[0] + entry[1]);
    header += sizeof entry + entry[2];
  }
  return bundle.substr(0, end);
}

/// A fat binary with one entry.
static std::string bundleOf(const std::string &target, const std::string &code) {
  const uint64_t numbers[] = {1, 32 + 24 + target.size(), code.size(), target.size()};
  return kMagic + std::string(reinterpret_cast<const char *>(numbers), sizeof numbers) + target + code;
}

/// A file that is removed at the end of the scope.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &content) : name_("modules_test_" + std::to_string(::getpid())) {
    std::ofstream(name_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(name_.c_str()); }
  const char *name() const { return name_.c_str(); }

private:
  std::string name_;
};

static hipError_t loadAndUnload(const std::function<hipError_t(hipModule_t *)> &load) {
  hipModule_t module = nullptr;
  hipError_t error = load(&module);
  if (error == hipSuccess)
    HIP_CHECK(hipModuleUnload(module));
  return error;
}
static hipError_t loadData(const std::string &image) {
  std::vector<char> exact(image.begin(), image.end());
  exact.resize(exact.size() + 4096); // the size is not passed: what follows must not matter
  return loadAndUnload([&](hipModule_t *module) { return hipModuleLoadData(module, exact.data()); });
}
static hipError_t loadFile(const std::string &content) {
  TemporaryFile file(content);
  return loadAndUnload([&](hipModule_t *module) { return hipModuleLoad(module, file.name()); });
}

static void runModule(hipModule_t module) {
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "addOne"));
  DeviceArray<int> data(64);
  int *pointer = data;
  void *parameters[] = {&pointer};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  std::vector<int> result = data.host();
  CHECK_EQ(result[0], 2);
  CHECK_EQ(result[31], 2);
  CHECK_EQ(result[32], 1);
  CHECK_EQ(result[63], 1);
}

TEST(loading) {
  const std::string bundle = ownBundle();
  std::vector<char> image(bundle.begin(), bundle.end());
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, image.data()));
  std::fill(image.begin(), image.end(), 0); // the module has what it needs
  runModule(module);
  HIP_CHECK(hipModuleUnload(module));

  image.assign(bundle.begin(), bundle.end());
  HIP_CHECK(hipModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  runModule(module);
  HIP_CHECK(hipModuleUnload(module));

  TemporaryFile file(bundle);
  HIP_CHECK(hipModuleLoad(&module, file.name()));
  runModule(module);
  HIP_CHECK(hipModuleUnload(module));
  for (int i = 0; i < 20; ++i)
    CHECK_EQ(loadData(bundle), hipSuccess);
}

TEST(bareSpirv) {
  const std::string bundle = ownBundle();
  size_t at = bundle.find("\x03\x02\x23\x07");
  CHECK(at != bundle.npos);
  const std::string spirv = bundle.substr(at);
  hipModule_t module;
  TemporaryFile file(spirv);
  HIP_CHECK(hipModuleLoad(&module, file.name()));
  runModule(module);
  HIP_CHECK(hipModuleUnload(module));
  CHECK_EQ(loadData(spirv), hipSuccess);
}

static void testArguments(hipModule_t module) {
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "mixed"));
  DeviceArray<double> out(4);
  double *pointer = out;
  char c = 5;
  Triple triple = {1, 2.5, 3};
  short s = -7;
  double d = 1e10;
  auto check = [&] {
    std::vector<double> result = out.host();
    CHECK_EQ(result[0], 5);
    CHECK_EQ(result[1], 6.5);
    CHECK_EQ(result[2], -7);
    CHECK_EQ(result[3], 1e10);
    HIP_CHECK(hipMemset(out, 0, 4 * sizeof(double)));
  };
  void *parameters[] = {&pointer, &c, &triple, &s, &d};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  check();
  struct {
    double *pointer;
    char c;
    Triple triple;
    short s;
    double d;
  } packed = {pointer, c, triple, s, d};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  check();

  HIP_CHECK(hipModuleGetFunction(&function, module, "shared"));
  DeviceArray<int> ints(32);
  int *intPointer = ints;
  void *sharedParameters[] = {&intPointer};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 32 * sizeof(int), nullptr, sharedParameters, nullptr));
  CHECK_EQ(ints.host()[0], 62);
}

static int counterOf(hipModule_t module) {
  hipDeviceptr_t address;
  size_t size = 0;
  HIP_CHECK(hipModuleGetGlobal(&address, &size, module, "moduleCounter"));
  CHECK_EQ(size, sizeof(int));
  CHECK_EQ(memoryType(address), hipMemoryTypeDevice);
  int value = 0;
  HIP_CHECK(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
  return value;
}

/// Each module has its own variables, also beside the program's.
TEST(severalModules) {
  const std::string bundle = ownBundle();
  hipModule_t first, second;
  HIP_CHECK(hipModuleLoadData(&first, bundle.data()));
  HIP_CHECK(hipModuleLoadData(&second, bundle.data()));
  CHECK(first != second);
  testArguments(first); // launches `mixed` twice
  CHECK_EQ(counterOf(first), 19);
  CHECK_EQ(counterOf(second), 17);
  int own = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&own, HIP_SYMBOL(moduleCounter), sizeof own));
  CHECK_EQ(own, 17);
  HIP_CHECK(hipModuleUnload(first));
  runModule(second);
  HIP_CHECK(hipModuleUnload(second));
}

/// A managed variable of a module that was loaded by itself begins with its initial value, and the host reaches it.
static void testManagedVariable(const std::string &bundle) {
  hipModule_t modules[2];
  for (hipModule_t &module : modules) {
    HIP_CHECK(hipModuleLoadData(&module, bundle.data()));
    hipDeviceptr_t address;
    size_t size = 0;
    HIP_CHECK(hipModuleGetGlobal(&address, &size, module, "moduleManaged"));
    CHECK_EQ(size, sizeof moduleManaged);
    CHECK(address != moduleManaged);
    hipFunction_t function;
    HIP_CHECK(hipModuleGetFunction(&function, module, "countManaged"));
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    const int *values = static_cast<const int *>(address);
    CHECK_EQ(values[0] + values[1] + values[2], 61);
    hipPointerAttribute_t attributes;
    HIP_CHECK(hipPointerGetAttributes(&attributes, address));
    CHECK_EQ(attributes.isManaged, 1);
  }
  CHECK_EQ(moduleManaged[1], 20);
  for (hipModule_t module : modules)
    HIP_CHECK(hipModuleUnload(module));
}

TEST(names) {
  const std::string bundle = ownBundle();
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, bundle.data()));
  hipFunction_t function;
  hipDeviceptr_t address;
  size_t size;
  CHECK_EQ(hipModuleGetFunction(&function, module, "noSuchKernel"), hipErrorNotFound);
  CHECK_EQ(hipModuleGetFunction(&function, module, ""), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetFunction(&function, module, "mangled"), hipErrorNotFound);
  HIP_CHECK(hipModuleGetFunction(&function, module, "_Z7mangledPi"));
  CHECK_EQ(hipModuleGetFunction(nullptr, module, "addOne"), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetFunction(&function, module, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetFunction(&function, nullptr, "addOne"), hipErrorInvalidHandle);
  CHECK_EQ(hipModuleGetGlobal(&address, &size, module, "noSuchVariable"), hipErrorNotFound);
  CHECK_EQ(hipModuleGetGlobal(&address, &size, module, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetGlobal(nullptr, nullptr, module, "moduleCounter"), hipErrorInvalidValue);
  HIP_CHECK(hipModuleGetGlobal(nullptr, &size, module, "moduleCounter"));
  HIP_CHECK(hipModuleUnload(module));
  CHECK_EQ(hipModuleUnload(module), hipErrorNotFound);
  CHECK_EQ(hipModuleUnload(nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipModuleGetFunction(&function, module, "addOne"), hipErrorNotFound);
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(mangled)));
  CHECK_EQ(hipGetFuncBySymbol(&function, &size), hipErrorInvalidDeviceFunction);
}

TEST(badImages) {
  const std::string bundle = ownBundle();
  CHECK_EQ(hipModuleLoad(nullptr, "x"), hipErrorInvalidValue);
  hipModule_t module;
  CHECK_EQ(hipModuleLoad(&module, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoad(&module, ""), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoad(&module, "no/such/file"), hipErrorFileNotFound);
  CHECK_EQ(hipModuleLoad(&module, "/"), hipErrorFileNotFound);
  CHECK_EQ(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoadData(nullptr, bundle.data()), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoadDataEx(&module, bundle.data(), 1, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLoadData(&module, reinterpret_cast<const void *>(uintptr_t(4096))), hipErrorInvalidImage);

  CHECK_EQ(loadFile(""), hipErrorInvalidImage);
  CHECK_EQ(loadFile("text"), hipErrorInvalidImage);
  CHECK_EQ(loadData(bundleOf("hipv4-amdgcn-amd-amdhsa--gfx90a", "code")), hipErrorNoBinaryForGpu);
  CHECK_EQ(loadFile(bundleOf("hipv4-amdgcn-amd-amdhsa--gfx90a", "code")), hipErrorNoBinaryForGpu);
  CHECK_EQ(loadFile(bundleOf("hip-spirv64----generic", "this is not SPIR-V")), hipErrorInvalidImage);
  CHECK_EQ(loadFile(bundleOf("hip-spirv64----generic", std::string("\x07\x23\x02\x03", 4) + std::string(60, '\0'))),
           hipErrorInvalidImage);
  // An instruction that does not exist: the parsers of the runtime pass over it, the driver's compiler must refuse it.
  std::string unknownInstruction = bundle;
  const uint32_t returns = 1 << 16 | 253, unknown = 1 << 16 | 0x7fff;
  const size_t found = bundle.find(std::string(reinterpret_cast<const char *>(&returns), sizeof returns),
                                   bundle.find("\x03\x02\x23\x07"));
  CHECK(found != bundle.npos);
  std::memcpy(&unknownInstruction[found], &unknown, sizeof unknown);
  // AMD's SPIR-V is refused when it is translated, as by AMD's library.
  const bool isAmds = bundle.find("amdgcnspirv") != bundle.npos;
  const hipError_t refused = isAmds ? hipErrorInvalidImage : hipErrorSharedObjectInitFailed;
  CHECK_EQ(loadFile(unknownInstruction), refused);
  CHECK_EQ(loadData(unknownInstruction), refused);
  // The header of a code object for gfx90a: 64 bits, little endian, AMD's ABI of version 4, a shared object for EM_AMDGPU.
  std::string elf(64, '\0');
  elf.replace(0, 9, "\177ELF\2\1\1\100\2");
  elf[16] = 3;
  elf[18] = static_cast<char>(224);
  elf[48] = 0x3f;
  CHECK_EQ(loadFile(elf), hipErrorNoBinaryForGpu);
  elf[4] = 0; // neither 32 nor 64 bits
  CHECK_EQ(loadFile(elf), hipErrorInvalidImage);
  for (size_t size = 0; size < bundle.size(); size += 1 + bundle.size() / 100)
    CHECK(loadFile(bundle.substr(0, size)) != hipSuccess);
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::string noise(random() % 300, '\0');
    for (char &c : noise)
      c = static_cast<char>(random());
    CHECK_EQ(loadFile(noise), hipErrorInvalidImage);
    CHECK_EQ(loadData(noise), hipErrorInvalidImage);
  }
  HIP_CHECK(hipModuleLoadData(&module, bundle.data())); // all is still well
  runModule(module);
  HIP_CHECK(hipModuleUnload(module));
}

/// Fat binaries that register before main like any other; what is wrong shows when a kernel is launched.
TEST(badRegistrations) {
  struct Wrapper {
    uint32_t magic, version;
    const void *image, *reserved;
  };
  const std::string amd = bundleOf("hipv4-amdgcn-amd-amdhsa--gfx906", "code");
  const std::string noise = "noise that is no fat binary";
  const std::string cut = bundleOf("hip-spirv64----generic", "\x03\x02\x23\x07");
  auto launch = [](const Wrapper &wrapper, const char *name) {
    static const char host = 0;
    void **handle = __hipRegisterFatBinary(&wrapper);
    __hipRegisterFunction(handle, &host, nullptr, name, unsigned(-1), nullptr, nullptr, nullptr, nullptr, nullptr);
    hipError_t first = hipLaunchKernel(&host, dim3(1), dim3(1), nullptr, 0, nullptr);
    CHECK_EQ(hipGetLastError(), first);
    CHECK_EQ(hipLaunchKernel(&host, dim3(1), dim3(1), nullptr, 0, nullptr), first);
    __hipUnregisterFatBinary(handle);
    CHECK_EQ(hipLaunchKernel(&host, dim3(1), dim3(1), nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
    return first;
  };
  const uint32_t magic = 0x48495046;
  CHECK_EQ(launch({magic, 1, amd.data(), nullptr}, "k"), hipErrorNoBinaryForGpu);
  CHECK_EQ(launch({magic, 1, noise.data(), nullptr}, "k"), hipErrorInvalidImage);
  CHECK_EQ(launch({magic, 1, cut.data(), nullptr}, "k"), hipErrorInvalidImage);
  CHECK_EQ(launch({magic, 1, nullptr, nullptr}, "k"), hipErrorInvalidImage);
  CHECK_EQ(launch({magic, 9, amd.data(), nullptr}, "k"), hipErrorInvalidImage);
  CHECK_EQ(launch({1, 1, amd.data(), nullptr}, "k"), hipErrorInvalidImage);
  const std::string bundle = ownBundle();
  CHECK_EQ(launch({magic, 1, bundle.data(), nullptr}, "noSuchKernel"), hipErrorInvalidDeviceFunction);
  void **handle = __hipRegisterFatBinary(nullptr);
  __hipUnregisterFatBinary(handle);
  __hipUnregisterFatBinary(nullptr);
}

TEST(threads) {
  const std::string bundle = ownBundle();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        hipModule_t module;
        HIP_CHECK(hipModuleLoadData(&module, bundle.data()));
        runModule(module);
        HIP_CHECK(hipModuleUnload(module));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// The log of this program as it loads a file with code for other targets, in a process of its own.
TEST(sentence) {
  char program[4096] = {};
  CHECK(::readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  TemporaryFile file(bundleOf("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "code"));
  const std::string command = std::string("HIPLZ_LOG=info '") + program + "' " + file.name() + " 2>&1";
  std::FILE *output = ::popen(command.c_str(), "r");
  std::string text(10000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), output));
  CHECK_EQ(::pclose(output), 0);
  CHECK(text.find("hipErrorNoBinaryForGpu") != text.npos);
  CHECK(text.find(file.name()) != text.npos);
  CHECK(text.find("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+") != text.npos);
}

TEST(managedVariableTwice) {
  const std::string bundle = ownBundle();
  testManagedVariable(bundle);
  testManagedVariable(bundle);
}

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] != '-') { // a child of the scenario `sentence`
    hipModule_t module;
    return hipModuleLoad(&module, argv[1]) == hipErrorNoBinaryForGpu ? 0 : 1;
  }
  return runTests(argc, argv);
}
