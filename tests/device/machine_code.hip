// SPDX-License-Identifier: MIT
// Machine code for gfx1030 and gfx1100 runs on the CPU device: modules that the program loads, and fat binaries that hold nothing else. The code
// objects are in tests/data/amdgcn, with their source and the script that makes them.
#include "check.h"
#include "code_objects.h"
#include "machine_models/model.h"

#include <algorithm>
#include <cstdint>
#include <string>

extern "C" void **__hipRegisterFatBinary(const void *data);
extern "C" void __hipUnregisterFatBinary(void **modules);
extern "C" void __hipRegisterFunction(void **modules, const void *host, char *device, const char *name,
                                      unsigned threads, uint3 *tid, uint3 *bid, dim3 *blockDim, dim3 *gridDim,
                                      int *wSize);

static hipModule_t kernels() {
  static const std::string bytes = codeObject("kernels.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  return module;
}

static void checkSums(const std::vector<float> &sums) {
  for (int i = 0; i < 1000; ++i)
    CHECK_EQ(sums[i], 3.0f * i);
  CHECK_EQ(sums[1000], -1.0f); // the guard holds
}

struct Operands {
  Buffer<float> a{1000}, b{1000}, c{1001, -1};
  int n = 1000;
  void *pointers[4] = {&a.device, &b.device, &c.device, &n};
  Operands() {
    for (int i = 0; i < n; ++i)
      a.host[i] = i, b.host[i] = 2.0f * i;
    a.send();
    b.send();
  }
};

TEST(guardedAddition) {
  const hipModule_t module = kernels();
  for (const unsigned block : {1u, 7u, 32u, 100u, 256u, 1000u}) { // partial waves, too
    Operands o;
    HIP_CHECK(hipModuleLaunchKernel(function(module, "vectorAdd"), (1000 + block) / block, 1, 1, block, 1, 1, 0,
                                    nullptr, o.pointers, nullptr));
    o.c.fetch();
    checkSums(o.c.host);
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(packedArguments) {
  const hipModule_t module = kernels();
  Operands o;
  struct {
    const void *a, *b, *c;
    int n;
  } packed{o.a.device, o.b.device, o.c.device, o.n};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "vectorAdd"), 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  o.c.fetch();
  checkSums(o.c.host);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(localMemoryBarriersAndVariables) {
  const hipModule_t module = kernels();
  Buffer<float> in(1000), out(4);
  for (int i = 0; i < 1000; ++i)
    in.host[i] = i;
  in.send();
  int n = 1000;
  void *arguments[] = {&in.device, &out.device, &n};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "reduceSum"), 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (int block = 0; block < 4; ++block) {
    float expected = 0;
    for (int i = block * 256; i < std::min(1000, (block + 1) * 256); ++i)
      expected += i;
    CHECK_EQ(out.host[block], expected);
  }
  hipDeviceptr_t variable = nullptr;
  size_t bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&variable, &bytes, module, "launches"));
  CHECK_EQ(bytes, sizeof(int));
  int launches = 0;
  HIP_CHECK(hipMemcpy(&launches, variable, sizeof launches, hipMemcpyDeviceToHost));
  CHECK_EQ(launches, 5 + 4);
  HIP_CHECK(hipModuleUnload(module));
}

// As on a GPU, whose waves run beside each other.
TEST(wavesReadBeforeOthersWrite) {
  const hipModule_t module = kernels();
  for (const unsigned block : {32u, 100u, 256u}) {
    Buffer<int> out(256);
    int n = 5;
    void *arguments[] = {&out.device, &n};
    HIP_CHECK(hipModuleLaunchKernel(function(module, "readsBeforeOthersWrite"), 1, 1, 1, block, 1, 1, 0, nullptr,
                                    arguments, nullptr));
    out.fetch();
    int expected = 3 * (0 + 1 + 2 + 3 + 4);
    for (unsigned t = 0; t < block; ++t) {
      CHECK_EQ(out.host[t], expected);
      expected += static_cast<int>(t % 3);
    }
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(wavesWriteBeforeOthersRead) {
  const hipModule_t module = kernels();
  Buffer<int> out(128);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "sumsOf64Lanes"), 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  int expected = 0;
  for (int t = 0; t < 128; ++t)
    expected += t * t;
  for (const int value : out.host)
    CHECK_EQ(value, expected);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(barriersOfWavesThatPart) {
  const hipModule_t module = kernels();
  Buffer<int> out(128);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "barriersApart"), 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (int t = 0; t < 128; ++t) {
    const int wave = t / 32, other = (t + 32) % 128;
    int expected = wave % 2 ? 3 * (t - 32) : -2 * (t + 32);
    for (int i = 0; i <= wave; ++i)
      expected += other + 1000 * std::min(i, other / 32); // what a wave has left when it ended
    CHECK_EQ(out.host[t], expected);
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(wavesLoadBeforeOthersStore) {
  const hipModule_t module = kernels();
  Buffer<int> values(128);
  for (int t = 0; t < 128; ++t)
    values.host[t] = -1 - t;
  values.send();
  void *arguments[] = {&values.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "scalesBySign"), 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  values.fetch();
  for (int t = 0; t < 128; ++t)
    CHECK_EQ(values.host[t], 1 + t);
  HIP_CHECK(hipModuleUnload(module));
}

namespace {

/// The element of the table that each form reads (addressForms in kernels.hip), or the sum of several. The table has its index in each element.
std::vector<int> addressForms(unsigned start, unsigned x, unsigned y, unsigned z) {
  const unsigned i = start + x;
  auto signedShift = [](unsigned value, unsigned by) { return static_cast<unsigned>(static_cast<int>(value) >> by); };
  int sum = 0;
  for (unsigned n = 0; n < 5; ++n)
    sum += static_cast<int>(2 * (x + n * (start & 63)) + y);
  auto number = [](unsigned value) { return static_cast<int>(value); };
  return {number(i & 1023),
          number((3 * i >> 4) & 1023),
          static_cast<int16_t>(i) + 32768,
          number(signedShift(i, 3) & 1023),
          number(((x ^ start) & 1023) + 16 * y),
          number((x | start) & 1023),
          number((static_cast<int>(i) < 512 ? 0 : 2048) + x + 64 * z),
          number((i << 2) >> 2 & 0xffff),
          sum,
          number(7 * (i & 255)),
          number(7 * ((16 * y + x + z) & 255)),
          number((i < 100 ? 2 * i : i) & 0xfff),
          static_cast<int>(3ll * static_cast<int>(i) >> 32) & 1023};
}

} // namespace

TEST(addressesOfEachForm) {
  constexpr unsigned kForms = 13, kMost = 256;
  const hipModule_t module = kernels();
  const hipFunction_t kernel = function(module, "addressForms");
  Buffer<int> table(65536);
  for (int i = 0; i < 65536; ++i)
    table.host[i] = i;
  table.send();
  for (const dim3 block : {dim3(1), dim3(8), dim3(50), dim3(64), dim3(256), dim3(16, 4), dim3(16, 3), dim3(16, 1, 4),
                           dim3(16, 3, 3), dim3(8, 8), dim3(8, 3), dim3(8, 5, 2), dim3(24, 2), dim3(5, 7), dim3(32, 4)})
    for (const unsigned start : {0u, 1u, 16u, 85u, 500u, 511u, 1000u, 1008u, 0x7ff0u, 0x7ffeu, 0x3ffffff0u, 0x7ffffff1u,
                                 0x80000000u, 0xffff7ff8u, 0xffffffe0u, 0xfffffffau}) {
      Buffer<int> results(kForms * kMost, -1), stored(256 + 64, -1);
      unsigned argument = start;
      void *arguments[] = {&table.device, &results.device, &stored.device, &argument};
      HIP_CHECK(hipModuleLaunchKernel(kernel, 1, 1, 1, block.x, block.y, block.z, 0, nullptr, arguments, nullptr));
      results.fetch();
      stored.fetch();
      std::vector<int> words(256, -1), bytes(256, 0xff);
      for (unsigned t = 0; t < kMost; ++t) {
        const unsigned x = t % block.x, y = t / block.x % block.y, z = t / (block.x * block.y);
        std::vector<int> expected(kForms, -1);
        if (z < block.z) {
          expected = addressForms(start, x, y, z);
          words[(start + x) & 255] = static_cast<int>(5 * ((start + x) & 255));
          bytes[(start + x + 3) & 255] = static_cast<int>((start + x + 3) & 255);
        }
        CHECK(std::equal(expected.begin(), expected.end(), results.host.begin() + kForms * t));
      }
      for (unsigned n = 0; n < 256; ++n) {
        CHECK_EQ(stored.host[n], words[n]);
        CHECK_EQ(int(reinterpret_cast<const unsigned char *>(&stored.host[256])[n]), bytes[n]);
      }
    }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(recursionAndPrivateMemory) {
  const hipModule_t module = kernels();
  Buffer<unsigned> out(64);
  void *arguments[] = {&out.device};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "recursive"), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  const unsigned expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (unsigned t = 0; t < 64; ++t)
    CHECK_EQ(out.host[t], expected[t % 12]);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(threeDimensionsAndStructures) {
  const hipModule_t module = kernels();
  Buffer<int64_t> out(600, -1);
  struct {
    int x, y, z;
    long long offset;
  } box{1, 10, 100, 1ll << 40};
  void *arguments[] = {&out.device, &box};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "shape"), 2, 3, 1, 5, 4, 3, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (int block = 0; block < 6; ++block)
    for (int i = 0; i < 60; ++i)
      CHECK_EQ(out.host[block * 100 + i], (1ll << 40) + i % 5 + 10 * (i / 5 % 4) + 100 * (i / 20) + 1000 * block);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(lanesLeaveLoopsAndTakeBothWaysOfBranches) {
  constexpr unsigned kThreads = 64, kLanes = 32;
  const hipModule_t module = kernels();
  Buffer<uint32_t> in(kThreads), out(3 * kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    in.host[t] = t * 2654435761u >> 22;
  in.send();
  void *arguments[] = {&in.device, &out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "lanesPart"), 1, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  uint32_t number[kThreads], total[kThreads], last[kThreads];
  for (uint32_t t = 0; t < kThreads; ++t) {
    number[t] = in.host[t], total[t] = 0, last[t] = 99;
    for (uint32_t round = 0; round < 40 && total[t] <= 1000; ++round) {
      uint32_t y = number[t] + round;
      for (bool goesOn = true; goesOn && y > 3;) {
        const bool isOdd = y % 2 == 1;
        y = isOdd ? 3 * y + 1 : y / 4;
        total[t] = isOdd ? total[t] + y % 16 : total[t] ^ round;
        goesOn = y % 64 != 5;
        last[t] = goesOn ? last[t] : round;
      }
      if (total[t] <= 1000)
        number[t] = (5 * number[t] + y % 8) % 1024;
    }
  }
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t neighbour = t / kLanes * kLanes + (t + 1) % kLanes;
    CHECK_EQ(out.host[3 * t], total[t]);
    CHECK_EQ(out.host[3 * t + 1], number[neighbour]);
    CHECK_EQ(out.host[3 * t + 2], last[neighbour]);
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(privateArraysOfEachElement) {
  const hipModule_t module = kernels();
  Buffer<int> out(64);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "privateArrays"), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (unsigned t = 0; t < 64; ++t) {
    int bytes[16], words[16], numbers[16];
    for (unsigned i = 0; i < 16; ++i) {
      bytes[(i + t) % 16] = static_cast<signed char>(i * 9 - t);
      words[(i * 3 + t) % 16] = static_cast<unsigned short>(i * 5000 + t);
      numbers[i ^ (t & 15)] = static_cast<int>(i * t);
    }
    CHECK_EQ(out.host[t], bytes[t % 16] + words[t / 2 % 16] + numbers[5]);
  }
  HIP_CHECK(hipModuleUnload(module));
}

// More work-groups than processors, and waves of one work-group.
TEST(loopsThatWait) {
  const hipModule_t module = kernels();
  constexpr int kCount = 20;
  Buffer<int> flags(2 * kCount), out(kCount);
  int count = kCount;
  void *arguments[] = {&flags.device, &out.device, &count};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "waits"), kCount, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  int expected = 0;
  for (int block = kCount - 1; block >= 0; --block) {
    expected = (expected + 1) * 2;
    CHECK_EQ(out.host[block], expected);
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(wavesWaitForLocalMemory) {
  const hipModule_t module = kernels();
  Buffer<int> out(8);
  void *arguments[] = {&out.device};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "waitsInLocalMemory"), 1, 1, 1, 256, 1, 1, 0, nullptr, arguments,
                                  nullptr));
  out.fetch();
  for (int wave = 0, expected = 1; wave < 8; ++wave, expected *= 3)
    CHECK_EQ(out.host[wave], expected);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(wordsOf64BitsAreWhole) {
  const hipModule_t module = kernels();
  Buffer<unsigned long long> place(1);
  Buffer<int> torn(1);
  int times = 1 << 20;
  void *arguments[] = {&place.device, &torn.device, &times};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "wholeWords"), 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  torn.fetch();
  CHECK_EQ(torn.host[0], 0);
  HIP_CHECK(hipModuleUnload(module));
}

// Functions that cannot be translated do not matter to kernels that do not call them.
TEST(kernelsConsistOfTheFunctionsThatTheyCall) {
  const hipModule_t module = kernels();
  for (const char *name : {"callsOneFunction", "callsByPointer"}) {
    Buffer<int> out(64, 5);
    void *arguments[] = {&out.device};
    HIP_CHECK(hipModuleLaunchKernel(function(module, name), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    out.fetch();
    for (int t = 0; t < 64; ++t)
      CHECK_EQ(out.host[t], 3 * t + 15);
  }
  Buffer<int> out(1, 7);
  void *arguments[] = {&out.device};
  CHECK_EQ(hipModuleLaunchKernel(function(module, "callsHalted"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr),
           hipErrorSharedObjectInitFailed);
  (void)hipGetLastError();
  HIP_CHECK(hipModuleUnload(module));
}

// Others of the file run.
TEST(whatCannotBeTranslatedIsAnErrorOfItsKernel) {
  const hipModule_t module = kernels();
  Buffer<int64_t> out(1, 7);
  void *arguments[] = {&out.device};
  CHECK_EQ(hipModuleLaunchKernel(function(module, "refused"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr),
           hipErrorSharedObjectInitFailed);
  (void)hipGetLastError();
  out.fetch();
  CHECK_EQ(out.host[0], 7);
  HIP_CHECK(hipModuleUnload(module));
}

// An offload bundle as clang makes it, with entries for a processor that nobody translates and for the one that is tested.
static std::string bundle(const std::string &code) {
  const std::string targets[] = {"host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--gfx900",
                                 "hipv4-amdgcn-amd-amdhsa--" + amdTarget()};
  std::string header = "__CLANG_OFFLOAD_BUNDLE__", table;
  auto number = [](uint64_t value) { return std::string(reinterpret_cast<const char *>(&value), sizeof value); };
  for (const std::string &target : targets) {
    const bool isCode = target.find(amdTarget()) != target.npos;
    table += number(4096) + number(isCode ? code.size() : 0) + number(target.size()) + target;
  }
  header += number(3) + table;
  header.resize(4096);
  return header + code;
}

TEST(fatBinaryWithMachineCodeAlone) {
  static const std::string bytes = bundle(codeObject("kernels.co"));
  static const struct {
    uint32_t magic = 0x48495046, version = 1;
    const void *image = bytes.data(), *reserved = nullptr;
  } wrapper;
  static char stub;
  void **handle = __hipRegisterFatBinary(&wrapper);
  char name[] = "vectorAdd";
  __hipRegisterFunction(handle, &stub, name, name, -1u, nullptr, nullptr, nullptr, nullptr, nullptr);
  // Libraries choose their files by this name.
  hipDeviceProp_t properties{};
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(properties.gcnArchName == amdTarget());
  CHECK_EQ(properties.major, amdTarget() == "gfx1030" ? 10 : 11);
  CHECK_EQ(properties.minor, amdTarget() == "gfx1030" ? 3 : 0);
  CHECK_EQ(properties.warpSize, 32);
  {
    Operands o;
    HIP_CHECK(hipLaunchKernel(&stub, dim3(8), dim3(128), o.pointers, 0, nullptr));
    o.c.fetch();
    checkSums(o.c.host);
  }
  __hipUnregisterFatBinary(handle);
}

// Linked from two files, of which each has its metadata, and which use each other's functions and variables.
TEST(codeObjectOfTwoFiles) {
  const std::string bytes = codeObject("linked.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  Buffer<int> out(64);
  int number = 4;
  void *adds[] = {&number}, *scales[] = {&out.device};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "addToFactor"), 1, 1, 1, 1, 1, 1, 0, nullptr, adds, nullptr));
  HIP_CHECK(hipModuleLaunchKernel(function(module, "scale"), 1, 1, 1, 64, 1, 1, 0, nullptr, scales, nullptr));
  out.fetch();
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(out.host[t], 7 * t + 7);
  HIP_CHECK(hipModuleUnload(module));
}

// Sums that lie so close to the middle of two halves that rounding them to f32 first would put them there.
TEST(productsOfHalvesAreRoundedOnce) {
  constexpr int kCount = 1 << 14;
  const std::string bytes = codeObject("kernels.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  Buffer<unsigned short> a(kCount), b(kCount), c(kCount), out(kCount);
  unsigned state = 1;
  auto random = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < kCount; ++i) {
    const unsigned exponent = 13 + random() % 6;
    c.host[i] = (unsigned short)(random() % 2 << 15 | exponent << 10 | random() % 1024);
    a.host[i] = (unsigned short)(random() % 2 << 15 | 15 << 10 | random() % 1024);
    b.host[i] = (unsigned short)toHalf(std::ldexp(1, int(exponent) - 26) / h(a.host[i]));
  }
  a.send(), b.send(), c.send();
  void *pointers[] = {&a.device, &b.device, &c.device, &out.device};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "productsOfHalves"), kCount / 256, 1, 1, 256, 1, 1, 0, nullptr,
                                  pointers, nullptr));
  out.fetch();
  int twice = 0;
  for (int i = 0; i < kCount; ++i) {
    const double sum = h(a.host[i]) * h(b.host[i]) + h(c.host[i]);
    CHECK_EQ(out.host[i], toHalf(sum));
    twice += toHalf(float(sum)) != toHalf(sum);
  }
  CHECK(twice > 0);
  HIP_CHECK(hipModuleUnload(module));
}

// Each byte of the headers, the tables and the descriptors changed, and files cut off: an error or a module, never a crash.
TEST(damagedFilesEndInAnError) {
  const std::string whole = codeObject("kernels.co");
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    damaged.resize(whole.size() + 4096); // the size is not known to hipModuleLoadData
    hipModule_t module = nullptr;
    if (hipModuleLoadData(&module, damaged.data()) == hipSuccess)
      HIP_CHECK(hipModuleUnload(module));
    else
      ++refused;
  }
  CHECK(refused > 0);
  (void)hipGetLastError();
}

int main(int argc, char **argv) { return runTests(argc, argv); }
