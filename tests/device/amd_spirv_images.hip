// SPDX-License-Identifier: MIT
// printf, textures, surfaces and conversions of modules that AMD's compiler has made.
#include "amd_modules.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <unistd.h>

/// The standard output of `run`.
template <class Run> static std::string printed(Run run) {
  std::fflush(stdout);
  const int before = dup(1);
  const std::string name = "amd_spirv_printed." + std::to_string(getpid());
  CHECK(std::freopen(name.c_str(), "w+", stdout));
  run();
  std::fflush(stdout);
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  dup2(before, 1);
  close(before);
  std::remove(name.c_str());
  return text;
}

TEST(conversionsSaturate) {
  Module module(readModule("llvm"));
  Values<float> x(8);
  Values<int> integers(8);
  Values<unsigned> words(16);
  Values<uint64_t> longs(8);
  const float given[] = {-1.5f, 3e9f, 1e20f, NAN, -1e20f, INFINITY, 2.75f, 0};
  std::copy_n(given, 8, x.get());
  module.run("saturates", 1, 8, x.get(), integers.get(), words.get(), longs.get());
  const int signedOnes[] = {-1, INT32_MAX, INT32_MAX, 0, INT32_MIN, INT32_MAX, 2, 0};
  const unsigned words32[] = {0, 3000000000, ~0u, 0, 0, ~0u, 2, 0, 0, ~0u, ~0u, 0, 0, ~0u, 5, 0};
  const uint64_t words64[] = {0, 3000000000, ~0ull, 0, 0, ~0ull, 2, 0};
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(integers[i], signedOnes[i]);
    CHECK_EQ(words[i], words32[i]);
    CHECK_EQ(words[i + 8], words32[i + 8]);
    CHECK_EQ(longs[i], words64[i]);
  }
}

TEST(printf) {
  Module module(readModule("services"));
  const std::string text = printed([&] { module.run("prints", 1, 2, 7, 2.5f); });
  const std::string rest = ": 7 3.75 many x 1099511627776%\n";
  CHECK(text == "thread 0" + rest + "thread 1" + rest || text == "thread 1" + rest + "thread 0" + rest);
}

/// As the host formats it.
template <class... T> static std::string host(const char *format, T... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

static int countOf(const std::string &text, const std::string &part) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(messagesInParts) {
  Module module(readModule("messages"));
  Values<char> text(16);
  std::strcpy(text.get(), "a string");
  for (int number : {4, 7}) {
    const std::string expected =
        host("[%s] %d [%10s] [%.3s] %p %%\n", "a string", number, "a string", "a string", (void *)0x1234) +
        host(number & 1 ? "odd %s %d %g\n" : "even %s %d %g\n", "a string", number, number / 2.0);
    CHECK(printed([&] { module.run("strings", 1, 1, text.get(), number); }) == expected);
  }
  const int n = 5;
  const std::string numbers =
      host("%d %u %hhd %hd %lld %zu %x %o %c\n", -n, 3000000000u, (char)-2, (short)-3, -5000000000ll, (size_t)n << 33,
           255, 8, 'A' + n) +
      host("%f %.3e %g %a %5.1f|%-8d|%+d|%08.3f\n", n * 0.1, 12345.678, 1e-10, 0.5, 2.25, n, n, 3.14159) +
      host("%*d|%-*d|%.*f\n", 6, n, 6, n, 2, 1.5);
  CHECK(printed([&] { module.run("numbers", 1, 1, n); }) == numbers);
  Values<int> characters(3);
  CHECK(printed([&] { module.run("results", 1, 1, characters.get(), text.get(), n); }) ==
        "a string\n5 5 5 5 5 5 5 5 5\nplain\n");
  CHECK_EQ(characters[0], 9);
  CHECK_EQ(characters[1], 18);
  CHECK_EQ(characters[2], 6);
}

// Messages of many threads do not mix, though their parts do.
TEST(messagesOfManyThreads) {
  Module module(readModule("messages"));
  Values<char> text(16);
  std::strcpy(text.get(), "even");
  std::strcpy(text.get() + 8, "odd");
  Values<const char *> names(2);
  names[0] = text.get();
  names[1] = text.get() + 8;
  const std::string all = printed([&] { module.run("loops", 2, 96, 4, names.get()); });
  for (int thread = 0; thread < 96; ++thread)
    for (int round : {0, 1, 3})
      CHECK_EQ(countOf(all, host("thread %d round %d %s\n", thread, round, round % 2 ? "odd" : "even")), 2);
  CHECK_EQ(countOf(all, "\n"), 2 * 96 * 3);
}

/// A pitched copy of `values`, and a texture of it.
template <class T> class Picture {
public:
  Picture(size_t width, size_t height, const std::vector<T> &values, hipTextureDesc sampling) {
    const hipChannelFormatDesc format = hipCreateChannelDesc<T>();
    HIP_CHECK(hipMallocArray(&array_, &format, width, height, hipArraySurfaceLoadStore));
    HIP_CHECK(hipMemcpy2DToArray(array_, 0, 0, values.data(), width * sizeof(T), width * sizeof(T), height,
                                 hipMemcpyHostToDevice));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array_;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &sampling, nullptr));
    HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  }
  ~Picture() {
    HIP_CHECK(hipDestroyTextureObject(texture));
    HIP_CHECK(hipDestroySurfaceObject(surface));
    HIP_CHECK(hipFreeArray(array_));
  }
  hipArray_t array() const { return array_; }
  hipTextureObject_t texture;
  hipSurfaceObject_t surface;

private:
  hipArray_t array_;
};

TEST(textures) {
  Module module(readModule("textures"));
  hipTextureDesc sampling = {};
  sampling.readMode = hipReadModeElementType;
  Values<float> numbers(8), reals(8);
  Values<unsigned char> bytes(32);
  Values<int> integers(8);
  for (int i = 0; i < 32; ++i)
    bytes[i] = i % 9;
  for (int i = 0; i < 8; ++i)
    numbers[i] = i + 0.5f;
  hipResourceDesc linear = {};
  linear.resType = hipResourceTypeLinear;
  hipTextureObject_t ofNumbers, ofBytes;
  linear.res.linear = {numbers.get(), hipCreateChannelDesc<float>(), 8 * sizeof(float)};
  HIP_CHECK(hipCreateTextureObject(&ofNumbers, &linear, &sampling, nullptr));
  linear.res.linear = {bytes.get(), hipCreateChannelDesc<uchar4>(), 32};
  HIP_CHECK(hipCreateTextureObject(&ofBytes, &linear, &sampling, nullptr));
  module.run("fetches", 1, 8, ofNumbers, ofBytes, reals.get(), integers.get(), 8);
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(reals[i], i == 0 ? 0.0f : i - 0.5f);
    CHECK_EQ(integers[i], bytes[4 * i] + bytes[4 * i + 1] * 10 + bytes[4 * i + 2] * 100 + bytes[4 * i + 3] * 1000);
  }
  HIP_CHECK(hipDestroyTextureObject(ofNumbers));
  HIP_CHECK(hipDestroyTextureObject(ofBytes));

  // Filtered: the values are linear in both coordinates, from the middle of the first texel on.
  sampling.filterMode = hipFilterModeLinear;
  for (hipTextureAddressMode &mode : sampling.addressMode)
    mode = hipAddressModeClamp;
  std::vector<float> plane(6 * 4);
  for (int i = 0; i < 24; ++i)
    plane[i] = i % 6 + i / 6 * 10;
  Values<float> sampled(16);
  {
    const Picture<float> picture(6, 4, plane, sampling);
    module.run("samples", 1, dim3(4, 4), picture.texture, sampled.get(), 0.75f);
  }
  for (int i = 0; i < 16; ++i) {
    const float x = std::max(i % 4 * 0.75f - 0.5f, 0.0f), y = std::max(i / 4 * 0.75f - 0.5f, 0.0f);
    CHECK_NEAR(sampled[i], x + 10 * y, 1e-5);
  }

  // Integers with a border.
  sampling.filterMode = hipFilterModePoint;
  for (hipTextureAddressMode &mode : sampling.addressMode)
    mode = hipAddressModeBorder;
  sampling.borderColor[0] = 7;
  Values<int> words(5);
  {
    const Picture<int> picture(3, 1, {-100, 200, -300}, sampling);
    module.run("words", 1, 5, picture.texture, words.get());
  }
  const int expected[] = {7, -100, 200, -300, 7};
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(words[i], expected[i]);

  sampling.readMode = hipReadModeNormalizedFloat;
  Values<float4> fractions(2);
  {
    const Picture<uchar4> picture(2, 1, {make_uchar4(255, 0, 51, 102), make_uchar4(0, 255, 153, 204)}, sampling);
    module.run("fractions", 1, 2, picture.texture, fractions.get());
  }
  CHECK_NEAR(fractions[0].x, 1, 1e-6);
  CHECK_NEAR(fractions[0].z, 0.2, 1e-6);
  CHECK_NEAR(fractions[1].w, 0.8, 1e-6);

  // Components that the format lacks are 0, and the fourth one is 1.
  sampling.readMode = hipReadModeElementType;
  {
    const Picture<float> picture(2, 1, {2.5f, -3}, sampling);
    module.run("fractions", 1, 2, picture.texture, fractions.get());
  }
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(fractions[i].x, i == 0 ? 2.5f : -3);
    CHECK_EQ(fractions[i].y, 0);
    CHECK_EQ(fractions[i].z, 0);
    CHECK_EQ(fractions[i].w, 1);
  }
}

TEST(volumesAndLayers) {
  Module module(readModule("textures"));
  std::vector<float> values(2 * 2 * 3);
  for (int i = 0; i < 12; ++i)
    values[i] = i;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t arrays[2];
  hipTextureObject_t textures[2];
  for (unsigned layered : {0, 1}) {
    HIP_CHECK(hipMalloc3DArray(&arrays[layered], &format, make_hipExtent(2, 2, 3), layered ? hipArrayLayered : 0));
    hipMemcpy3DParms copy = {};
    copy.srcPtr = make_hipPitchedPtr(values.data(), 2 * sizeof(float), 2, 2);
    copy.dstArray = arrays[layered];
    copy.extent = make_hipExtent(2, 2, 3);
    copy.kind = hipMemcpyHostToDevice;
    HIP_CHECK(hipMemcpy3D(&copy));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = arrays[layered];
    hipTextureDesc sampling = {};
    sampling.readMode = hipReadModeElementType;
    HIP_CHECK(hipCreateTextureObject(&textures[layered], &resource, &sampling, nullptr));
  }
  Values<float> result(6);
  module.run("volumes", 1, 3, textures[0], textures[1], result.get());
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(result[2 * i], 4.0f * i + 2);
    CHECK_EQ(result[2 * i + 1], 4.0f * i + 1);
  }
  for (unsigned i : {0, 1}) {
    HIP_CHECK(hipDestroyTextureObject(textures[i]));
    HIP_CHECK(hipFreeArray(arrays[i]));
  }
}

TEST(surfaces) {
  Module module(readModule("textures"));
  std::vector<short2> values(5 * 3);
  for (int i = 0; i < 15; ++i)
    values[i] = make_short2(i * 100, -i);
  hipTextureDesc sampling = {};
  sampling.readMode = hipReadModeElementType;
  const Picture<short2> from(5, 3, values, sampling), to(5, 3, values, sampling);
  module.run("surfaces", 1, dim3(5, 3), from.surface, to.surface, 5, 3);
  std::vector<short2> result(15);
  HIP_CHECK(hipMemcpy2DFromArray(result.data(), 5 * sizeof(short2), to.array(), 0, 0, 5 * sizeof(short2), 3,
                                 hipMemcpyDeviceToHost));
  for (int i = 0; i < 15; ++i) {
    const short2 source = values[i / 5 * 5 + 4 - i % 5];
    CHECK_EQ(result[i].x, source.y);
    CHECK_EQ(result[i].y, -source.x);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
