// SPDX-License-Identifier: MIT
// Image instructions of machine code for AMD's GPUs: kernels of tests/data/amdgcn/textures.co read and write the same textures and surfaces
// as kernels of this file, with the same results.
#include "check.h"
#include "code_objects.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>

constexpr unsigned kThreads = 256, kCount = 1024;

/// Accesses that the kernel in textures.co makes, by its numbers.
enum Access {
  sample1D,
  sample2D,
  sample3D,
  sampleLayer,
  sampleCube,
  sampleLevel,
  sampleGradient,
  gather,
  sampleSome,
  load,
  loadLevel,
  fetchLinear,
  store,
  fetchParts
};

static hipModule_t machineCode() {
  static hipModule_t module = [] {
    hipModule_t loaded = nullptr;
    HIP_CHECK(hipModuleLoad(&loaded, codeObjectPath("textures.co").c_str()));
    return loaded;
  }();
  return module;
}

/// Coordinates from -2 to 18 in x and from -2 to 10 in y and z; levels of detail and derivatives in the rest.
static std::vector<float4> places(float scale) {
  std::vector<float4> all;
  for (unsigned i = 0; i < kCount; ++i)
    all.push_back(make_float4((i * 37 % 160 * 0.125f - 2 + 0.0625f) * scale,
                              (i * 53 % 96 * 0.125f - 2 + 0.0625f) * scale, i * 29 % 96 * 0.125f - 2 + 0.0625f,
                              i % 7 * 0.5f - 0.5f));
  return all;
}

/// Both kernels get the same from the texture, bit for bit.
static void compare(Access access, void (*own)(hipTextureObject_t, const float4 *, float4 *),
                    hipTextureObject_t texture, const std::vector<float4> &at) {
  DeviceArray<float4> in(at), mine(at), theirs(at);
  const float4 *inPointer = in;
  float4 *outPointer = theirs;
  own<<<kCount / kThreads, kThreads>>>(texture, inPointer, mine);
  hipFunction_t function = nullptr;
  HIP_CHECK(hipModuleGetFunction(&function, machineCode(), "access"));
  int which = access;
  void *arguments[] = {&texture, &inPointer, &outPointer, &which};
  HIP_CHECK(hipModuleLaunchKernel(function, kCount / kThreads, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  const std::vector<float4> expected = mine.host(), actual = theirs.host();
  bool differs = false;
  for (unsigned i = 0; i < kCount; ++i)
    if (std::memcmp(&expected[i], &actual[i], sizeof expected[i]) != 0) {
      std::fprintf(stderr, "access %d at %g %g %g %g: %g %g %g %g, expected %g %g %g %g\n", which, at[i].x, at[i].y,
                   at[i].z, at[i].w, actual[i].x, actual[i].y, actual[i].z, actual[i].w, expected[i].x, expected[i].y,
                   expected[i].z, expected[i].w);
      CHECK(false);
      return;
    }
  for (unsigned i = 1; i < kCount; ++i)
    differs |= std::memcmp(&expected[i], &expected[0], sizeof expected[0]) != 0;
  CHECK(differs);
}

#define KERNEL(name, value)                                                                                            \
  __global__ void name(hipTextureObject_t texture, const float4 *in, float4 *out) {                                    \
    const unsigned i = blockIdx.x * kThreads + threadIdx.x;                                                            \
    const float4 at = in[i];                                                                                           \
    out[i] = value;                                                                                                    \
  }
__device__ float4 asFloats(uint4 v) {
  return make_float4(__uint_as_float(v.x), __uint_as_float(v.y), __uint_as_float(v.z), __uint_as_float(v.w));
}
__device__ float4 asFloats(int4 v) {
  return make_float4(__int_as_float(v.x), __int_as_float(v.y), __int_as_float(v.z), __int_as_float(v.w));
}
KERNEL(own1D, tex1D<float4>(texture, at.x))
KERNEL(own2D, tex2D<float4>(texture, at.x, at.y))
KERNEL(own3D, tex3D<float4>(texture, at.x, at.y, at.z))
KERNEL(ownLayer, tex2DLayered<float4>(texture, at.x, at.y, static_cast<int>(rintf(at.z))))
KERNEL(ownLevel, tex2DLod<float4>(texture, at.x, at.y, at.w))
KERNEL(ownGradient, tex2DGrad<float4>(texture, at.x, at.y, make_float2(at.z, at.w), make_float2(at.w, at.z)))
KERNEL(ownGather, tex2Dgather<float4>(texture, at.x, at.y, 1))
KERNEL(ownUnsigned, asFloats(tex2D<uint4>(texture, at.x, at.y)))
KERNEL(ownSigned, asFloats(tex2D<int4>(texture, at.x, at.y)))
KERNEL(ownFetch, tex1Dfetch<float4>(texture, static_cast<int>(at.x)))
__device__ float4 withoutLast(float4 v) { return make_float4(v.x, v.y, v.z, 0); }
KERNEL(ownFetchParts, withoutLast(tex1Dfetch<float4>(texture, static_cast<int>(at.x))))
KERNEL(ownCube, texCubemap<float4>(texture, at.x, at.y, at.z))

__device__ float4 some(float4 v) { return make_float4(v.y, v.w, 0, 0); }
KERNEL(ownSome, some(tex2D<float4>(texture, at.x, at.y)))
__device__ float4 texel(hipTextureObject_t texture, float x, float y, int width, int height) {
  const int column = static_cast<int>(x), row = static_cast<int>(y);
  return column < 0 || row < 0 || column >= width || row >= height ? make_float4(0, 0, 0, 0)
                                                                   : tex2D<float4>(texture, column + 0.5f, row + 0.5f);
}
KERNEL(ownLoad, texel(texture, at.x, at.y, 16, 8))

/// An array with texels that all differ, and texture objects of it.
struct Textures {
  hipArray_t array = nullptr;
  hipResourceDesc resource{};

  template <class T> static Textures make(unsigned width, unsigned height, unsigned depth = 0, unsigned flags = 0) {
    Textures all;
    const hipChannelFormatDesc format = hipCreateChannelDesc<T>();
    HIP_CHECK(hipMalloc3DArray(&all.array, &format, make_hipExtent(width, height, depth), flags));
    std::vector<T> texels(size_t{width} * std::max(height, 1u) * std::max(depth, 1u));
    auto *bytes = reinterpret_cast<unsigned char *>(texels.data());
    for (size_t i = 0; i < texels.size() * sizeof(T); ++i)
      bytes[i] = static_cast<unsigned char>(i * 7 + i / 64);
    if constexpr (std::is_same<T, float4>::value)
      for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = make_float4(i * 0.5f, i * i % 97 * 0.25f, 3 - i * 1.0f, i % 5 * 1.0f);
    hipMemcpy3DParms copy{};
    copy.srcPtr = make_hipPitchedPtr(texels.data(), width * sizeof(T), width, std::max(height, 1u));
    copy.dstArray = all.array;
    copy.extent = make_hipExtent(width, std::max(height, 1u), std::max(depth, 1u));
    copy.kind = hipMemcpyHostToDevice;
    HIP_CHECK(hipMemcpy3D(&copy));
    all.resource.resType = hipResourceTypeArray;
    all.resource.res.array.array = all.array;
    return all;
  }
  hipTextureObject_t object(hipTextureAddressMode mode, hipTextureFilterMode filter, bool normalized,
                            hipTextureReadMode read = hipReadModeElementType) const {
    hipTextureDesc sampling{};
    for (auto &each : sampling.addressMode)
      each = mode;
    sampling.filterMode = filter;
    sampling.readMode = read;
    sampling.normalizedCoords = normalized;
    sampling.borderColor[0] = 5, sampling.borderColor[3] = 7;
    hipTextureObject_t texture = nullptr;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &sampling, nullptr));
    return texture;
  }
};

TEST(samplesOfEveryModeAndFilter) {
  const Textures plane = Textures::make<float4>(16, 8);
  for (const auto filter : {hipFilterModePoint, hipFilterModeLinear})
    for (const auto mode : {hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap, hipAddressModeMirror})
      for (const bool normalized : {false, true}) {
        const hipTextureObject_t texture = plane.object(mode, filter, normalized);
        compare(sample2D, own2D, texture, places(normalized ? 0.125f : 1));
        compare(sampleSome, ownSome, texture, places(normalized ? 0.125f : 1));
        compare(gather, ownGather, texture, places(normalized ? 0.125f : 1));
      }
  compare(load, ownLoad, plane.object(hipAddressModeClamp, hipFilterModePoint, false), places(1));
  compare(loadLevel, ownLoad, plane.object(hipAddressModeClamp, hipFilterModePoint, false), [] {
    std::vector<float4> at = places(1);
    for (float4 &each : at)
      each.w = 0;
    return at;
  }());
}

TEST(linesVolumesLayersAndCubes) {
  compare(sample1D, own1D, Textures::make<float4>(16, 0).object(hipAddressModeBorder, hipFilterModeLinear, false),
          places(1));
  compare(sample3D, own3D, Textures::make<float4>(16, 8, 7).object(hipAddressModeClamp, hipFilterModeLinear, false),
          places(1));
  compare(sampleLayer, ownLayer,
          Textures::make<float4>(16, 8, 5, hipArrayLayered).object(hipAddressModeClamp, hipFilterModePoint, false),
          places(1));
  compare(sampleCube, ownCube,
          Textures::make<float4>(8, 8, 6, hipArrayCubemap).object(hipAddressModeClamp, hipFilterModePoint, true),
          places(1));
}

TEST(formatsOfIntegersAndFractions) {
  compare(sample2D, ownUnsigned, Textures::make<uchar4>(16, 8).object(hipAddressModeBorder, hipFilterModePoint, false),
          places(1));
  compare(sample2D, ownSigned, Textures::make<short2>(16, 8).object(hipAddressModeBorder, hipFilterModePoint, false),
          places(1));
  compare(sample2D, ownSigned, Textures::make<int>(16, 8).object(hipAddressModeClamp, hipFilterModePoint, false),
          places(1));
  compare(
      sample2D, own2D,
      Textures::make<uchar4>(16, 8).object(hipAddressModeClamp, hipFilterModeLinear, false, hipReadModeNormalizedFloat),
      places(1));
}

TEST(levelsOfDetail) {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float4>();
  hipMipmappedArray_t levels = nullptr;
  HIP_CHECK(hipMallocMipmappedArray(&levels, &format, make_hipExtent(16, 8, 0), 4, 0));
  for (unsigned level = 0; level < 4; ++level) {
    hipArray_t array = nullptr;
    HIP_CHECK(hipGetMipmappedArrayLevel(&array, levels, level));
    const unsigned width = 16 >> level, height = 8 >> level;
    std::vector<float4> texels(width * height);
    for (size_t i = 0; i < texels.size(); ++i)
      texels[i] = make_float4(100.0f * level + i, i * 0.5f, level * 1.0f, i % 3 * 1.0f);
    HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float4), width * sizeof(float4), height,
                                 hipMemcpyHostToDevice));
  }
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  hipTextureDesc sampling{};
  sampling.filterMode = sampling.mipmapFilterMode = hipFilterModeLinear;
  sampling.normalizedCoords = 1;
  sampling.maxMipmapLevelClamp = 3;
  hipTextureObject_t texture = nullptr;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &sampling, nullptr));
  compare(sampleLevel, ownLevel, texture, places(0.125f));
  compare(sampleGradient, ownGradient, texture, places(0.125f));
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFreeMipmappedArray(levels));
}

TEST(linearMemory) {
  std::vector<float4> texels(12);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = make_float4(i * 1.0f, i * 2.0f, i * 3.0f, i * 4.0f);
  DeviceArray<float4> memory(texels);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = texels.size() * sizeof(float4);
  hipTextureDesc sampling{};
  hipTextureObject_t texture = nullptr;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &sampling, nullptr));
  compare(fetchLinear, ownFetch, texture, places(1));
  compare(fetchParts, ownFetchParts, texture, places(1));
}

/// Texels outside are not written, and every format takes its part of the four words.
template <class T> static void storeAndRead(const std::vector<float4> &given, T (*texelOf)(float4)) {
  constexpr unsigned width = 60, height = 9;
  const Textures plane = Textures::make<T>(width, height, 0, hipArraySurfaceLoadStore);
  hipSurfaceObject_t surface = nullptr;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &plane.resource));
  DeviceArray<float4> in(given);
  const float4 *inPointer = in;
  DeviceArray<float4> unused(kCount);
  float4 *unusedPointer = unused;
  int which = store;
  void *arguments[] = {&surface, &inPointer, &unusedPointer, &which};
  hipFunction_t function = nullptr;
  HIP_CHECK(hipModuleGetFunction(&function, machineCode(), "access"));
  HIP_CHECK(hipModuleLaunchKernel(function, kCount / kThreads, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<T> texels(width * height);
  HIP_CHECK(hipMemcpy2DFromArray(texels.data(), width * sizeof(T), plane.array, 0, 0, width * sizeof(T), height,
                                 hipMemcpyDeviceToHost));
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      const T expected = texelOf(given[(y + 2) * 80 + x + 8]);
      if (std::memcmp(&texels[y * width + x], &expected, sizeof expected) != 0) {
        std::fprintf(stderr, "texel %u, %u of %zu bytes\n", x, y, sizeof expected);
        CHECK(false);
        return;
      }
    }
  HIP_CHECK(hipDestroySurfaceObject(surface));
}

TEST(stores) {
  storeAndRead<float4>(places(1), [](float4 v) { return v; });
  storeAndRead<float>(places(1), [](float4 v) { return v.x; });
  std::vector<float4> words;
  for (unsigned i = 0; i < kCount; ++i) {
    const uint32_t four[4] = {i * 7, i * 5 + 1, i ^ 85, i};
    float4 each;
    std::memcpy(&each, four, sizeof each);
    words.push_back(each);
  }
  storeAndRead<uchar4>(words, [](float4 v) {
    uint32_t word[4];
    std::memcpy(word, &v, sizeof word);
    return make_uchar4(word[0] & 255, word[1] & 255, word[2] & 255, word[3] & 255);
  });
  storeAndRead<ushort2>(words, [](float4 v) {
    uint32_t word[4];
    std::memcpy(word, &v, sizeof word);
    return make_ushort2(word[0] & 0xffff, word[1] & 0xffff);
  });
}

int main(int argc, char **argv) { return runTests(argc, argv); }
