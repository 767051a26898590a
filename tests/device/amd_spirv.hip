// SPDX-License-Identifier: MIT
// Modules that AMD's compiler has made run as if they were ours. amd_spirv_images.hip has printf, textures, surfaces and conversions,
// amd_spirv_intrinsics.hip intrinsics.
#include "amd_modules.h"

#include <hip/hip_fp16.h>

#include <cstdint>

TEST(indicesAndAtomics) {
  Module module(readModule("basic"));
  constexpr int n = 1000;
  Values<float> a(n), b(n), c(n);
  Values<int> values(n), result(1);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
    expected += values[i] = i % 7;
  }
  module.run("add", 8, 128, a.get(), b.get(), c.get(), n);
  for (int i = 0; i < n; ++i)
    CHECK_EQ(c[i], 3.0f * i);
  module.run("sum", 3, 64, values.get(), n, result.get());
  CHECK_EQ(result[0], expected);
  hipDeviceptr_t total;
  size_t bytes;
  HIP_CHECK(hipModuleGetGlobal(&total, &bytes, module.get(), "total"));
  CHECK_EQ(bytes, sizeof(int));
  int copy = 0;
  HIP_CHECK(hipMemcpy(&copy, total, sizeof copy, hipMemcpyDeviceToHost));
  CHECK_EQ(copy, expected);
  Values<unsigned> places(2 * 3 * 2 * 4 * 3 * 2);
  module.run("dimensions", dim3(2, 3, 2), dim3(4, 3, 2), places.get());
  for (unsigned i = 0; i < 2 * 3 * 2 * 4 * 3 * 2; ++i)
    CHECK_EQ(places[i], i / 24 * 1000 + i % 24);
}

TEST(dynamicSharedMemory) {
  Module module(readModule("basic"));
  Values<int> values(50);
  for (int i = 0; i < 50; ++i)
    values[i] = i;
  HIP_CHECK(module.start("reverse", 1, 50, 50 * sizeof(int), values.get()));
  for (int i = 0; i < 50; ++i)
    CHECK_EQ(values[i], 49 - i);
}

TEST(structuresAndVariables) {
  struct Pair {
    int first;
    float rest[3];
    double *where;
  };
  Module module(readModule("basic"));
  Values<double> where(12);
  Values<float> result(12);
  Values<int> number(1);
  const Pair pair = {10, {0.5f, 1.5f, 2.5f}, where.get()};
  const float factors[] = {1, 2, 3, 40}; // the last one from the host
  hipDeviceptr_t address;
  size_t bytes;
  HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module.get(), "factors"));
  CHECK_EQ(bytes, sizeof factors);
  HIP_CHECK(hipMemcpy(address, factors, sizeof factors, hipMemcpyHostToDevice));
  module.run("structures", 1, 12, pair, 'c', true, result.get());
  for (int i = 0; i < 12; ++i) {
    CHECK_EQ(where[i], pair.rest[i % 3]);
    CHECK_EQ(result[i], (pair.rest[i % 3] + 10) * factors[i % 4] + 'c' + 1);
  }
  for (int expected : {5, 7}) {
    module.run("managed", 1, 1, number.get());
    CHECK_EQ(number[0], expected);
  }
}

TEST(warpsHave32Lanes) {
  Module module(readModule("warp"));
  Values<unsigned long long> ballots(64);
  Values<unsigned> counts(65);
  module.run("ballots", 1, 64, ballots.get(), counts.get());
  CHECK_EQ(counts[0], 32u);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK_EQ(ballots[i], 0xaaaaaaaaull);
    CHECK_EQ(counts[1 + i], i % 3 != 0 ? 0u : i < 32 ? 11u : 11u);
  }
  Values<int> values(64), up(64), crossed(64), first(64);
  Values<double> doubles(64);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  module.run("sums", 1, 64, values.get());
  CHECK_EQ(values[0], 31 * 32 / 2);
  CHECK_EQ(values[32], 31 * 32 / 2 + 32 * 32);
  module.run("shuffles", 1, 64, up.get(), crossed.get(), first.get(), doubles.get());
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(up[i], i % 32 < 3 ? i : i - 3);
    CHECK_EQ(crossed[i], i ^ 5);
    CHECK_EQ(first[i], (i / 8 * 8 + 2) * 10);
    CHECK_EQ(doubles[i], (i / 32 * 32 + 31 - i % 32) * 0.5);
  }
  module.run("votes", 1, 64, values.get());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(values[i], (i < 32 ? 1 + 2 : 0) + 4 + 8);
}

TEST(mathematics) {
  Module module(readModule("numbers"));
  constexpr int n = 40;
  Values<float> x(n), singles(n);
  Values<double> y(n), doubles(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.1f + i * 0.37f;
    y[i] = 0.2 + i * 0.11;
  }
  module.run("mathematics", 1, n, x.get(), singles.get(), y.get(), doubles.get());
  for (int i = 0; i < n; ++i) {
    const double v = x[i], w = y[i];
    int exponent;
    double expected = std::sin(v) + std::exp(-v) * std::sqrt(v) + std::pow(v, 1.5) + v * v + 1;
    expected += std::frexp(v, &exponent) + exponent + v; // fraction and whole
    expected += std::sin(v) * 2 + std::cos(v) * 3 + v / 3;
    CHECK_NEAR(singles[i], expected, 1e-5 * std::fabs(expected) + 1e-5);
    const double twice = std::cos(w) + std::log(w) + std::pow(w, 2.5) + std::erf(w) + std::tgamma(w) + std::sqrt(w) / 7;
    CHECK_NEAR(doubles[i], twice, 1e-13 * std::fabs(twice) + 1e-14);
  }
  Values<__half> halves(n), results(n);
  Values<unsigned> words(n), bits(n);
  for (int i = 0; i < n; ++i) {
    halves[i] = __float2half(i * 0.25f);
    words[i] = 0x9e3779b9u * i;
  }
  module.run("halves", 1, n, halves.get(), results.get());
  module.run("integers", 1, n, words.get(), bits.get());
  for (int i = 0; i < n; ++i) {
    CHECK_NEAR(__half2float(results[i]), std::sqrt(i * 0.25) + i * 0.125, 0.01);
    const unsigned v = words[i];
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
      reversed |= (v >> bit & 1) << (31 - bit);
    const unsigned zeros = v ? static_cast<unsigned>(__builtin_clz(v)) : 32;
    CHECK_EQ(bits[i], static_cast<unsigned>(__builtin_popcount(v)) + zeros * 100 +
                          static_cast<unsigned>(__builtin_ffs(static_cast<int>(v))) * 10000 + (reversed >> 20) + v / 2);
  }
}

TEST(signsAreBits) {
  Module module(readModule("numbers"));
  Values<unsigned short> x(32), y(64);
  for (int i = 0; i < 32; ++i)
    x[i] = 0x7bfe + i + (i & 1) * 0x8000; // the largest numbers, infinity, NaNs of both kinds
  module.run("signs", 1, 32, x.get(), y.get());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(y[i], x[i] ^ 0x8000);
    CHECK_EQ(y[i + 32], x[i] & 0x7fff);
  }
}

TEST(shiftsTakeTheLowerBits) {
  Module module(readModule("numbers"));
  Values<uint64_t> x(32), y(32);
  Values<unsigned> offsets(32);
  for (unsigned i = 0; i < 32; ++i) {
    x[i] = 0x9e3779b97f4a7c15 * (i + 1);
    offsets[i] = 2 * i;
  }
  module.run("fields", 1, 32, x.get(), offsets.get(), y.get());
  for (unsigned i = 0; i < 32; ++i)
    CHECK_EQ(y[i], x[i] << ((1 - offsets[i]) & 63) >> 1);
}

TEST(atomics) {
  Module module(readModule("numbers"));
  Values<int> numbers(8);
  Values<unsigned> words(4);
  Values<float> reals(2);
  Values<unsigned long long> longs(1);
  Values<double> doubles(1);
  words[2] = 0xffff;
  module.run("atomics", 1, 256, numbers.get(), words.get(), reals.get(), longs.get(), doubles.get());
  CHECK_EQ(numbers[0], 255 * 256 / 2);
  CHECK_EQ(numbers[1], -255 * 256 / 2);
  CHECK_EQ(numbers[2], -7);
  CHECK_EQ(numbers[3], 255);
  CHECK_EQ(numbers[4], 512);
  CHECK_EQ(numbers[5], 256);
  CHECK_EQ(numbers[6], 77);
  CHECK_EQ(words[0], ~0u);
  CHECK_EQ(words[1], 0u);
  CHECK_EQ(words[2], 0xff00u);
  CHECK_EQ(reals[0], 128.0f);
  CHECK_EQ(reals[1], 255.0f);
  CHECK_EQ(longs[0], 256ull << 33);
  CHECK_EQ(doubles[0], 64.0);
}

TEST(heap) {
  Module module(readModule("services"));
  Values<int *> blocks(16);
  Values<int> sums(16);
  module.run("allocates", 1, 16, blocks.get());
  module.run("releases", 1, 16, blocks.get(), sums.get());
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(sums[i], 16 * i + 6);
}

TEST(hiddenArguments) {
  Module module(readModule("grid"));
  const dim3 grid(3, 2, 2), block(4, 3, 2);
  Values<unsigned> result(12 * 12);
  module.run("hidden", grid, block, result.get());
  for (unsigned i = 0; i < 12; ++i) {
    const unsigned *mine = result.get() + 12 * i;
    const unsigned expected[] = {4, 3, 2, 12, 6, 4, 3, 2, 2, 4 | 3 << 16, 3, i % 3};
    for (unsigned n = 0; n < 12; ++n)
      CHECK_EQ(mine[n], expected[n]);
  }
  Values<int> memory(1), shared(64);
  module.run("memories", 1, 64, memory.get(), shared.get());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(shared[i], i % 3);
}

TEST(barriersOfTheGrid) {
  Module module(readModule("grid"));
  constexpr int blocks = 4, threads = 64, rounds = 8;
  int n = blocks * threads, count = rounds;
  Values<int> values(2 * n);
  std::vector<int> model(n);
  for (int i = 0; i < n; ++i)
    model[i] = values[i] = i * 5;
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module.get(), "together"));
  int *data = values.get();
  void *arguments[] = {&data, &n, &count};
  HIP_CHECK(hipModuleLaunchCooperativeKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments));
  HIP_CHECK(hipDeviceSynchronize());
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> before = model;
    for (int i = 0; i < n; ++i)
      model[i] = before[(i + 1) % n] + 1;
  }
  for (int i = 0; i < n; ++i)
    CHECK_EQ(values[i], model[i]);
}

TEST(ordersAndScopes) {
  Module module(readModule("scopes"));
  Values<int> counts(8);
  Values<unsigned long long> longs(1);
  Values<float> reals(2);
  module.run("scopes", 2, 128, counts.get(), longs.get(), reals.get());
  const int expected[] = {256, 512, -1, 127, -127, 9, 1, 77};
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(counts[i], expected[i]);
  CHECK_EQ(longs[0], 768ull);
  CHECK_EQ(reals[0], 128.0f);
  CHECK_EQ(reals[1], 64.0f);
  Values<int> data(64), flag(1), result(64);
  module.run("message", 2, 64, data.get(), flag.get(), result.get());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(result[i], 3 * i);
}

TEST(atomicsOfSmallIntegers) {
  Module module(readModule("scopes"));
  Values<uint8_t> bytes(8);
  Values<int16_t> shorts(8);
  bytes[5] = shorts[5] = 4;
  module.run("smallOperations", 2, 64, bytes.get(), shorts.get());
  const int expected[] = {128, 63, 0, 384, 77, 9};
  for (int i = 0; i < 6; ++i) {
    CHECK_EQ(bytes[i], expected[i] & 255);
    CHECK_EQ(shorts[i], expected[i]);
  }
  CHECK(bytes[6] == 4 || bytes[6] == 9); // the second block's exchange
  CHECK(shorts[6] == 4 || shorts[6] == 9);
}

TEST(kernelsThatNeedWhatIsMissingAreRefused) {
  Module module(readModule("missing"));
  Values<int> result(4);
  module.run("works", 1, 4, result.get());
  CHECK_EQ(result[3], 3);
  for (const char *name : {"asks", "queues"}) {
    hipFunction_t function;
    HIP_CHECK(hipModuleGetFunction(&function, module.get(), name));
    int *data = result.get();
    void *arguments[] = {&data};
    CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr),
             hipErrorSharedObjectInitFailed);
    HIP_CHECK(hipDeviceSynchronize()); // the device is as before
  }
  module.run("works", 1, 4, result.get());
}

TEST(divisionsOf128Bits) {
  Module module(readModule("wide"));
  constexpr int n = 64;
  Values<__int128> x(n), y(n), results(4 * n);
  uint64_t state = 7;
  const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < n; ++i) { // of all sizes and signs
    x[i] = static_cast<__int128>(static_cast<unsigned __int128>(random()) << 64 | random()) >> i % 9 * 14;
    y[i] = static_cast<__int128>(static_cast<unsigned __int128>(random()) << 64 | random()) >> i * 2;
    if (y[i] == 0 || y[i] == -1)
      y[i] = 3;
  }
  module.run("quotients", 1, n, x.get(), y.get(), results.get());
  for (int i = 0; i < n; ++i) {
    const unsigned __int128 a = x[i], b = y[i];
    CHECK(results[4 * i] == x[i] / y[i]);
    CHECK(results[4 * i + 1] == x[i] % y[i]);
    CHECK(results[4 * i + 2] == static_cast<__int128>(a / b));
    CHECK(results[4 * i + 3] == static_cast<__int128>(a % b));
  }
  // A variable of a size that is known only at run time: its kernel alone is refused.
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module.get(), "sizes"));
  void *data = results.get();
  int size = 4;
  void *arguments[] = {&data, &size};
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr),
           hipErrorSharedObjectInitFailed);
}

TEST(pointersToFunctions) {
  Module module(readModule("pointers"));
  Values<int> result(32);
  module.run("calls", 1, 32, result.get());
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(result[i], i & 1 ? i * i : 2 * i);
  // Kept in memory from one kernel to the next, with other parameters, and none.
  Values<float> numbers(32);
  module.run("choose", 1, 1);
  module.run("applies", 1, 32, numbers.get());
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(numbers[i], i % 3 == 0 ? i + 0.5f : i % 3 == 1 ? i * 0.5f : -1.0f);
}

// Made by hand: variables with types, pointers without, in every instruction that takes or makes pointers.
TEST(pointersWithAndWithoutTypesMeet) {
  Module module(readModule("mixed_pointers"));
  for (int choice = 0; choice < 4; ++choice) {
    Values<int> result(6);
    module.run("mix", 1, 1, result.get(), choice);
    CHECK_EQ(result[0], choice & 1 ? 2 : 11); // chosen by a phi and a selection
    CHECK_EQ(result[1], 11 + 3);              // inserted into a structure and extracted from it
    CHECK_EQ(result[2], 11 + 2);              // the same, nested
    CHECK_EQ(result[3], 3);                   // stored and compared
    CHECK_EQ(result[4], 5);                   // copied
    CHECK_EQ(result[5], 7 * 5 + choice);      // vectors made of words and of vectors
  }
}

TEST(callsAndObjects) {
  Module module(readModule("objects"));
  Values<int> calls(32);
  module.run("calls", 1, 32, calls.get());
  for (int i = 0; i < 32; ++i) {
    int before = 1, fibonacci = 0; // F(-1) and F(0)
    for (int n = 0; n < (i & 15); ++n) {
      const int next = before + fibonacci;
      before = fibonacci;
      fibonacci = next;
    }
    CHECK_EQ(calls[i], (i & 1 ? i * i : 2 * i) + fibonacci);
  }
  Values<double> variables(16);
  module.run("variables", 1, 16, variables.get());
  const double weights[] = {0.5, 0.25, 0.125};
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(variables[i], (1 << (i & 7)) * weights[i % 3] + (4 << (i & 3)));
  struct {
    char tag;
    float matrix[2][2];
    struct {
      short low, high;
    } range[2];
  } nested = {'a', {{1, 2}, {3, 4}}, {{1, 2}, {3, 40}}};
  Values<float> result(3);
  module.run("nested", 1, 1, nested, result.get());
  CHECK_EQ(result[0], 7.0f);
  CHECK_EQ(result[1], 15.0f);
  CHECK_EQ(result[2], 40.0f + 'a');
}

TEST(functionsWithoutOptimisation) {
  Module module(readModule("objects"));
  Values<int> result(32);
  module.run("unoptimised", 1, 32, result.get());
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(result[i], i * 100 + 11 + i);
}

TEST(memoryIsFilled) {
  Module module(readModule("objects"));
  Values<int> bytes(32);
  Values<unsigned> result(32), whole(512);
  for (int i = 0; i < 32; ++i)
    bytes[i] = 2 * i + 1;
  module.run("filled", 1, 32, bytes.get(), result.get());
  module.run("filledInMemory", 1, 32, bytes.get(), whole.get());
  for (int i = 0; i < 512; ++i)
    CHECK_EQ(whole[i], 0x01010101u * static_cast<unsigned>(bytes[i / 16]));
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(result[i], whole[16 * i]);
}

TEST(largeStructures) {
  Module module(readModule("objects"));
  struct {
    double values[300];
    int last;
  } large;
  for (int i = 0; i < 300; ++i)
    large.values[i] = i * 0.5;
  large.last = 10;
  Values<double> result(64);
  module.run("large", 1, 64, large, result.get());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(result[i], i * 7 % 300 * 0.5 + (i == 0 || i == 50 ? i : 0) + i * 1.5 + 11);
}

TEST(cooperativeGroups) {
  Module module(readModule("groups"));
  Values<int> result(129);
  module.run("tiles", 1, 64, result.get());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(result[i], (i / 8 * 64 + 28) * 10 + i % 8);
  module.run("coalesced", 1, 32, result.get());
  for (int i = 0; i < 32; i += 3)
    CHECK_EQ(result[i], 1100 + i / 3);
  Values<int> values(128);
  int sum = 0, count = 0;
  for (int i = 0; i < 128; ++i) {
    sum += values[i] = i % 11;
    count += i % 11 > 5;
  }
  module.run("reduction", 1, 128, values.get(), result.get());
  CHECK_EQ(result[0], sum);
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(result[1 + i], count);
}

TEST(asFatBinary) {
  const std::string target = "hip-spirv64-amd-amdhsa--amdgcnspirv", gpu = "hipv4-amdgcn-amd-amdhsa--gfx90a";
  const std::string code = readModule("basic");
  const uint64_t first = 24 + 8 + 24 + gpu.size() + 24 + target.size();
  std::string image = "__CLANG_OFFLOAD_BUNDLE__";
  const auto number = [&](uint64_t value) { image.append(reinterpret_cast<const char *>(&value), sizeof value); };
  number(2);
  number(first);
  number(4);
  number(gpu.size());
  image += gpu;
  number(first + 4);
  number(code.size());
  number(target.size());
  image += target + "code" + code;
  Module module(image);
  Values<int> values(2);
  values[1] = 9;
  HIP_CHECK(module.start("reverse", 1, 2, 8, values.get()));
  CHECK_EQ(values[0], 9);
}

TEST(trapsAndAssertionsEndTheGrid) {
  Module module(readModule("services"));
  CHECK_EQ(module.start("traps", 1, 1, 0, 2), hipSuccess);
  CHECK_EQ(module.start("asserts", 1, 8, 0, 8), hipSuccess);
  CHECK_EQ(module.start("asserts", 1, 8, 0, 7), hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceReset());
}

int main(int argc, char **argv) { return runTests(argc, argv); }
