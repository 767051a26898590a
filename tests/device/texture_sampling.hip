// SPDX-License-Identifier: MIT
// Every kind of array, every format, read mode, filter, address mode and both kinds of coordinates, with and without levels of
// detail, against the model on the host.
#include "check.h"
#include "texture_model.h"

#include <string>

using model::Format;
using model::Texels;

enum Kind { k1D, k2D, k3D, k1DLayered, k2DLayered, kCubemap, kCubemapLayered };

struct Place {
  float x, y, z, level;
  int layer;
};

// The value that a texel of type T has at a place; `levels` says which of the two functions is called.
template <class T, Kind kind, bool levels> __device__ T read(hipTextureObject_t t, Place p) {
  if constexpr (kind == k1D)
    return levels ? tex1DLod<T>(t, p.x, p.level) : tex1D<T>(t, p.x);
  if constexpr (kind == k2D)
    return levels ? tex2DLod<T>(t, p.x, p.y, p.level) : tex2D<T>(t, p.x, p.y);
  if constexpr (kind == k3D)
    return levels ? tex3DLod<T>(t, p.x, p.y, p.z, p.level) : tex3D<T>(t, p.x, p.y, p.z);
  if constexpr (kind == k1DLayered)
    return levels ? tex1DLayeredLod<T>(t, p.x, p.layer, p.level) : tex1DLayered<T>(t, p.x, p.layer);
  if constexpr (kind == k2DLayered)
    return levels ? tex2DLayeredLod<T>(t, p.x, p.y, p.layer, p.level) : tex2DLayered<T>(t, p.x, p.y, p.layer);
  if constexpr (kind == kCubemap)
    return levels ? texCubemapLod<T>(t, p.x, p.y, p.z, p.level) : texCubemap<T>(t, p.x, p.y, p.z);
  if constexpr (kind == kCubemapLayered)
    return levels ? texCubemapLayeredLod<T>(t, p.x, p.y, p.z, p.layer, p.level)
                  : texCubemapLayered<T>(t, p.x, p.y, p.z, p.layer);
}

template <class T, Kind kind, bool levels>
__global__ void readAll(hipTextureObject_t texture, const Place *places, int count, T *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = read<T, kind, levels>(texture, places[i]);
}

template <class T> using Kernel = void (*)(hipTextureObject_t, const Place *, int, T *);

struct KindTraits {
  int dims, width, height, depth, layers;
  unsigned flags;
  Kernel<float4> asFloat;
  Kernel<uint4> asWord;
};
template <Kind kind, bool levels>
KindTraits traitsOf(int dims, int width, int height, int depth, int layers, unsigned flags) {
  return {dims, width, height, depth, layers, flags, readAll<float4, kind, levels>, readAll<uint4, kind, levels>};
}
template <bool levels> std::vector<KindTraits> allKinds() {
  return {traitsOf<k1D, levels>(1, 16, 0, 0, 1, hipArrayDefault),
          traitsOf<k2D, levels>(2, 13, 8, 0, 1, hipArrayDefault),
          traitsOf<k3D, levels>(3, 9, 6, 5, 1, hipArrayDefault),
          traitsOf<k1DLayered, levels>(1, 11, 0, 0, 3, hipArrayLayered),
          traitsOf<k2DLayered, levels>(2, 7, 9, 0, 3, hipArrayLayered),
          traitsOf<kCubemap, levels>(2, 8, 8, 0, 6, hipArrayCubemap),
          traitsOf<kCubemapLayered, levels>(2, 8, 8, 0, 12, hipArrayCubemap | hipArrayLayered)};
}

void upload(hipArray_t array, const Texels &texels, int level) {
  const Texels::Level &from = texels.levels[level];
  hipMemcpy3DParms copy{};
  const size_t row = from.width * texels.format.bytes();
  copy.srcPtr = make_hipPitchedPtr(const_cast<unsigned char *>(from.bytes.data()), row, from.width, from.height);
  copy.dstArray = array;
  copy.extent = make_hipExtent(from.width, from.height, from.depth > 1 ? from.depth : texels.layers);
  copy.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&copy));
}

// Random places in and around the texture, then special ones, then the borders of texels and their middles.
std::vector<Place> makePlaces(const KindTraits &kind, bool normalized, std::mt19937 &random) {
  std::uniform_real_distribution<float> around(-1.6f, 2.6f), levels(-1.5f, 4.0f);
  std::vector<Place> places;
  const float sx = normalized ? 1 : kind.width, sy = normalized ? 1 : std::max(kind.height, 1),
              sz = normalized ? 1 : std::max(kind.depth, 1);
  auto add = [&](float x, float y, float z) {
    places.push_back({x, y, z, levels(random), int(random() % (kind.layers + 4)) - 2});
  };
  for (int i = 0; i < 48; ++i)
    add(around(random) * sx, around(random) * sy, around(random) * sz);
  const float infinity = std::numeric_limits<float>::infinity();
  for (float special : {0.0f, -0.0f, 0.5f, 1.0f, -1.0f, 2.0f, 0.25f, 1e-30f, -1e-30f, 1e9f, -1e9f, 3e38f, infinity,
                        -infinity, std::numeric_limits<float>::quiet_NaN(), -1e-9f, 0.99999994f, 1 / 512.0f})
    for (float scale : {1.0f, sx}) {
      add(special * scale, around(random) * sy, special);
      add(around(random) * sx, special * sy, special);
    }
  for (int half = -2 * kind.width - 3; half <= 4 * kind.width + 3; half += 1 + random() % 4) {
    const float x = half * 0.5f / kind.width;
    add(x * sx, around(random) * sy, x);
    add(around(random) * sx, x * sy, x);
  }
  for (Place &place : places)
    if (random() % 8 == 0)
      place.level = float(int(random() % 9) - 2) / 2;
  return places;
}

struct Run {
  const KindTraits &kind;
  const Texels &texels;
  const hipTextureDesc &desc;
  std::vector<Place> places;
};

std::string describe(const Run &run, const Place &at) {
  char text[512];
  std::snprintf(
      text, sizeof text,
      "flags %u dims %d, %d channels of %d bits, kind %d, filter %d, read mode %d, normalised %d, modes %d %d %d, "
      "levels %zu (filter %d), at %g %g %g layer %d level %g",
      run.kind.flags, run.kind.dims, run.texels.format.channels, run.texels.format.bits, int(run.texels.format.kind),
      run.desc.filterMode, run.desc.readMode, run.desc.normalizedCoords, run.desc.addressMode[0],
      run.desc.addressMode[1], run.desc.addressMode[2], run.texels.levels.size(), run.desc.mipmapFilterMode, at.x, at.y,
      at.z, at.layer, at.level);
  return text;
}

model::Sample expected(const Run &run, Place at) {
  const bool cube = run.kind.flags & hipArrayCubemap;
  float place[3] = {at.x, at.y, at.z};
  if (cube) {
    const model::CubePlace on = model::cubePlace(at.x, at.y, at.z);
    std::copy_n(on.place, 3, place);
    const int layers = run.texels.layers / 6;
    at.layer = std::min(std::max(run.kind.flags & hipArrayLayered ? at.layer : 0, 0), layers - 1) * 6 + on.face;
  }
  return model::sample(run.texels, run.desc, run.kind.dims, place, at.layer, at.level, cube);
}

long checked = 0;

// Integers exactly; floats exactly unless they are filtered.
template <class T, class Compare>
void check(const Run &run, Kernel<T> kernel, hipTextureObject_t texture, Compare differs) {
  DeviceArray<Place> places(run.places);
  DeviceArray<T> out(run.places.size());
  const int count = int(run.places.size());
  kernel<<<(count + 63) / 64, 64>>>(texture, places, count, out);
  const std::vector<T> results = out.host();
  for (int i = 0; i < count; ++i) {
    ++checked;
    const model::Sample want = expected(run, run.places[i]);
    const T got = results[i];
    for (int c = 0; c < 4; ++c)
      if (differs(((const decltype(got.x) *)&got)[c], want, c) && ++checkFailures < 20)
        std::fprintf(stderr, "component %d is %.9g (%u), expected %.9g (%u): %s\n", c,
                     double(((const decltype(got.x) *)&got)[c]), unsigned(((const decltype(got.x) *)&got)[c]),
                     want.number[c], want.word[c], describe(run, run.places[i]).c_str());
  }
}

void checkTexture(const Run &run, const hipResourceDesc &resource, float largest) {
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &run.desc, nullptr));
  const bool fractions = run.desc.readMode == hipReadModeNormalizedFloat && run.texels.format.hasFractions();
  if (fractions || run.texels.format.isFloat()) {
    const bool filtered = run.desc.filterMode == hipFilterModeLinear ||
                          (run.desc.mipmapFilterMode == hipFilterModeLinear && run.texels.levels.size() > 1);
    const double tolerance = filtered ? 1e-6 * largest : 0;
    check<float4>(run, run.kind.asFloat, texture, [=](float got, const model::Sample &want, int c) {
      return !(std::fabs(got - want.number[c]) <= tolerance);
    });
  } else {
    check<uint4>(run, run.kind.asWord, texture,
                 [](unsigned got, const model::Sample &want, int c) { return got != want.word[c]; });
  }
  HIP_CHECK(hipDestroyTextureObject(texture));
}

// All ways to sample one array.
void checkArray(const KindTraits &kind, const Texels &texels, const hipResourceDesc &resource, std::mt19937 &random) {
  const bool mipmapped = texels.levels.size() > 1;
  const bool integers = !texels.format.isFloat();
  const float largest = texels.format.isFloat() ? (texels.format.bits == 16 ? 65504.0f : 10.0f) : 3.0f;
  for (int mode = 0; mode < 4; ++mode)
    for (hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear})
      for (hipTextureReadMode read : {hipReadModeElementType, hipReadModeNormalizedFloat})
        for (bool normalized : {false, true}) {
          if (mipmapped && !normalized)
            continue;
          // Integers cannot be filtered; integers of 32 bits are never fractions.
          const bool fractions = read == hipReadModeNormalizedFloat && texels.format.hasFractions();
          if (filter == hipFilterModeLinear && integers && !fractions)
            continue;
          hipTextureDesc desc{};
          desc.addressMode[0] = hipTextureAddressMode(mode);
          for (int d : {1, 2})
            desc.addressMode[d] = hipTextureAddressMode(random() % 4);
          desc.filterMode = filter;
          desc.readMode = read;
          desc.normalizedCoords = normalized;
          desc.maxAnisotropy = 4; // changes nothing
          for (int c = 0; c < 4; ++c)
            desc.borderColor[c] = float(c + 1);
          desc.mipmapFilterMode = random() % 2 ? hipFilterModeLinear : hipFilterModePoint;
          if (desc.mipmapFilterMode == hipFilterModeLinear && integers && !fractions)
            desc.mipmapFilterMode = hipFilterModePoint;
          desc.mipmapLevelBias = mipmapped && random() % 2 ? 0.75f : 0.0f;
          desc.minMipmapLevelClamp = random() % 2 ? 0.5f : 0.0f;
          desc.maxMipmapLevelClamp = random() % 2 ? 1.5f : 10.0f;
          checkTexture({kind, texels, desc, makePlaces(kind, normalized, random)}, resource, largest);
        }
}

// Eight texels 1 ... 8 at the borders between texels, from two before the image to one behind it.
void checkBorders() {
  const float texels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float expected[4][12] = {{7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2},  // hipAddressModeWrap
                                 {1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8},  // hipAddressModeClamp
                                 {2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 7},  // hipAddressModeMirror, as measured on a GPU
                                 {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0}}; // hipAddressModeBorder
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  HIP_CHECK(hipMallocArray(&resource.res.array.array, &channels, 8, 0));
  HIP_CHECK(hipMemcpy2DToArray(resource.res.array.array, 0, 0, texels, sizeof texels, sizeof texels, 1,
                               hipMemcpyHostToDevice));
  std::vector<Place> at(12);
  for (int i = 0; i < 12; ++i)
    at[i].x = (i - 2) / 8.0f;
  DeviceArray<Place> places(at);
  for (int mode = 0; mode < 4; ++mode) {
    hipTextureDesc desc{};
    desc.addressMode[0] = hipTextureAddressMode(mode);
    desc.normalizedCoords = 1;
    hipTextureObject_t texture;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
    DeviceArray<float4> out(at.size());
    readAll<float4, k1D, false><<<1, 12>>>(texture, places, 12, out);
    const std::vector<float4> results = out.host();
    for (int i = 0; i < 12; ++i)
      CHECK_EQ(results[i].x, expected[mode][i]);
    HIP_CHECK(hipDestroyTextureObject(texture));
  }
  HIP_CHECK(hipFreeArray(resource.res.array.array));
}

TEST(borders) { checkBorders(); }

TEST(everyFormat) {
  std::mt19937 random(12345);
  for (const Format &format : model::allFormats()) {
    const hipChannelFormatDesc channels = format.desc();
    for (const KindTraits &kind : allKinds<false>()) {
      const bool layered = kind.layers > 1;
      const hipExtent extent = make_hipExtent(kind.width, kind.height, layered ? kind.layers : kind.depth);
      const Texels texels(format, kind.width, std::max(kind.height, 1), std::max(kind.depth, 1), kind.layers, 1,
                          random);
      hipResourceDesc resource{};
      resource.resType = hipResourceTypeArray;
      HIP_CHECK(hipMalloc3DArray(&resource.res.array.array, &channels, extent, kind.flags));
      upload(resource.res.array.array, texels, 0);
      checkArray(kind, texels, resource, random);
      HIP_CHECK(hipFreeArray(resource.res.array.array));
    }
    for (const KindTraits &kind : allKinds<true>()) {
      const bool layered = kind.layers > 1;
      const hipExtent extent = make_hipExtent(kind.width, kind.height, layered ? kind.layers : kind.depth);
      constexpr int kLevels = 3;
      const Texels texels(format, kind.width, std::max(kind.height, 1), std::max(kind.depth, 1), kind.layers, kLevels,
                          random);
      hipResourceDesc resource{};
      resource.resType = hipResourceTypeMipmappedArray;
      HIP_CHECK(hipMallocMipmappedArray(&resource.res.mipmap.mipmap, &channels, extent, kLevels, kind.flags));
      for (int level = 0; level < kLevels; ++level) {
        hipArray_t array;
        HIP_CHECK(hipGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, level));
        upload(array, texels, level);
      }
      checkArray(kind, texels, resource, random);
      HIP_CHECK(hipFreeMipmappedArray(resource.res.mipmap.mipmap));
    }
  }
  std::printf("%ld samples\n", checked);
  CHECK(checked > 100000);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
