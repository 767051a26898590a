// SPDX-License-Identifier: MIT
// The forms of the texture functions: every texel type, both ways to call, gradients, gathering, linear and pitched memory,
// views, sRGB, and objects that kernels find in structures, arrays and constant memory.
#include "check.h"
#include "texture_model.h"

using model::Format;
using model::Texels;

namespace {

hipTextureDesc sampling(hipTextureFilterMode filter, hipTextureAddressMode address, bool normalized,
                        hipTextureReadMode read = hipReadModeElementType) {
  hipTextureDesc desc{};
  for (hipTextureAddressMode &mode : desc.addressMode)
    mode = address;
  desc.filterMode = filter;
  desc.readMode = read;
  desc.normalizedCoords = normalized;
  desc.maxMipmapLevelClamp = 100;
  return desc;
}

hipTextureObject_t createTexture(const hipResourceDesc &resource, const hipTextureDesc &desc,
                                 const hipResourceViewDesc *view = nullptr) {
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, view));
  return texture;
}

hipResourceDesc ofArray(hipArray_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

template <class T> hipResourceDesc ofLinear(T *memory, size_t count) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, hipCreateChannelDesc<T>(), count * sizeof(T)};
  return resource;
}

// A two-dimensional array with these elements.
template <class T> hipArray_t makeArray(const std::vector<T> &elements, size_t width, size_t height) {
  hipArray_t array;
  const hipChannelFormatDesc desc = hipCreateChannelDesc<T>();
  HIP_CHECK(hipMallocArray(&array, &desc, width, height));
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, elements.data(), width * sizeof(T), width * sizeof(T), height,
                               hipMemcpyHostToDevice));
  return array;
}

} // namespace

// Every type of texel, returned and stored through a pointer.
template <class T> __global__ void readBothWays(hipTextureObject_t flat, hipTextureObject_t linear, T *out, int width) {
  const int i = threadIdx.x;
  out[4 * i] = tex2D<T>(flat, float(i % width), float(i / width));
  tex2D(&out[4 * i + 1], flat, float(i % width), float(i / width));
  out[4 * i + 2] = tex1Dfetch<T>(linear, i);
  tex1Dfetch(&out[4 * i + 3], linear, i);
}

template <class T> void checkType(const char *name) {
  constexpr int width = 8, height = 8, count = width * height;
  std::mt19937 random(1);
  std::vector<T> elements(count);
  for (size_t i = 0; i < count * sizeof(T); ++i)
    ((unsigned char *)elements.data())[i] = (unsigned char)(random() & 0x3f);
  hipArray_t array = makeArray(elements, width, height);
  DeviceArray<T> memory(elements), out(4 * count);
  const hipTextureDesc desc = sampling(hipFilterModePoint, hipAddressModeClamp, false);
  hipTextureObject_t flat = createTexture(ofArray(array), desc);
  hipTextureObject_t linear = createTexture(ofLinear<T>(memory, count), desc);
  readBothWays<T><<<1, count>>>(flat, linear, out, width);
  const std::vector<T> results = out.host();
  for (int i = 0; i < 4 * count; ++i)
    if (std::memcmp(&results[i], &elements[i / 4], sizeof(T)) != 0) {
      ++checkFailures;
      std::fprintf(stderr, "%s: element %d differs\n", name, i);
      break;
    }
  HIP_CHECK(hipDestroyTextureObject(flat));
  HIP_CHECK(hipDestroyTextureObject(linear));
  HIP_CHECK(hipFreeArray(array));
}

#define CHECK_TYPES(scalar, vector)                                                                                    \
  checkType<scalar>(#scalar);                                                                                          \
  checkType<vector##1>(#vector "1");                                                                                   \
  checkType<vector##2>(#vector "2");                                                                                   \
  checkType<vector##4>(#vector "4")

TEST(everyType) {
  checkType<signed char>("signed char");
  CHECK_TYPES(char, char);
  CHECK_TYPES(unsigned char, uchar);
  CHECK_TYPES(short, short);
  CHECK_TYPES(unsigned short, ushort);
  CHECK_TYPES(int, int);
  CHECK_TYPES(unsigned, uint);
  CHECK_TYPES(float, float);
}

// Linear memory by index, inside and outside.
template <class T> __global__ void fetch(hipTextureObject_t texture, const int *indices, T *out) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, indices[threadIdx.x]);
}

TEST(linearMemory) {
  std::vector<unsigned char> bytes(37);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = (unsigned char)(7 * i + 3);
  DeviceArray<unsigned char> memory(bytes);
  const std::vector<int> indices = {0, 36, 37, -1, 1 << 30, -(1 << 30), 18, 35};
  DeviceArray<int> at(indices);
  DeviceArray<float> fractions(indices.size());
  DeviceArray<unsigned char> integers(indices.size());
  hipTextureObject_t asFractions =
      createTexture(ofLinear<unsigned char>(memory, 37),
                    sampling(hipFilterModeLinear, hipAddressModeBorder, false, hipReadModeNormalizedFloat));
  hipTextureObject_t asIntegers =
      createTexture(ofLinear<unsigned char>(memory, 37), sampling(hipFilterModePoint, hipAddressModeWrap, true));
  fetch<float><<<1, 8>>>(asFractions, at, fractions);
  fetch<unsigned char><<<1, 8>>>(asIntegers, at, integers);
  const std::vector<float> gotFractions = fractions.host();
  const std::vector<unsigned char> gotIntegers = integers.host();
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool inside = indices[i] >= 0 && indices[i] < 37;
    CHECK_EQ(gotFractions[i], inside ? bytes[indices[i]] / 255.0f : 0.0f);
    CHECK_EQ(gotIntegers[i], inside ? bytes[indices[i]] : (unsigned char)0);
  }
  HIP_CHECK(hipDestroyTextureObject(asFractions));
  HIP_CHECK(hipDestroyTextureObject(asIntegers));
}

template <class T> __global__ void read2D(hipTextureObject_t texture, const float2 *at, T *out) {
  out[threadIdx.x] = tex2D<T>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}

// Rows with a pitch; managed and pinned memory as well as that of the device.
TEST(pitchedMemory) {
  constexpr int width = 5, height = 4;
  std::mt19937 random(2);
  const Texels texels({hipChannelFormatKindFloat, 32, 2}, width, height, 1, 1, 1, random);
  std::vector<float2> places;
  std::uniform_real_distribution<float> around(-2, 8);
  for (int i = 0; i < 64; ++i)
    places.push_back(make_float2(around(random), around(random)));
  DeviceArray<float2> at(places), out(places.size());
  float2 *device, *managed, *pinned;
  constexpr size_t pitch = 48, bytes = 4096; // a multiple of texturePitchAlignment, and more than a row
  HIP_CHECK(hipMalloc(&device, bytes));
  HIP_CHECK(hipMallocManaged(&managed, bytes));
  HIP_CHECK(hipHostMalloc(&pinned, bytes));
  for (float2 *memory : {device, managed, pinned}) {
    HIP_CHECK(
        hipMemcpy2D(memory, pitch, texels.levels[0].bytes.data(), width * 8, width * 8, height, hipMemcpyDefault));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypePitch2D;
    resource.res.pitch2D = {memory, hipCreateChannelDesc<float2>(), width, height, pitch};
    const hipTextureDesc desc = sampling(hipFilterModeLinear, hipAddressModeBorder, false);
    hipTextureObject_t texture = createTexture(resource, desc);
    read2D<float2><<<1, 64>>>(texture, at, out);
    const std::vector<float2> results = out.host();
    for (int i = 0; i < 64; ++i) {
      const float place[] = {places[i].x, places[i].y};
      const model::Sample want = model::sampleLevel(texels, desc, 0, 2, place, 0);
      CHECK_NEAR(results[i].x, want.number[0], 1e-5);
      CHECK_NEAR(results[i].y, want.number[1], 1e-5);
    }
    HIP_CHECK(hipDestroyTextureObject(texture));
  }
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
}

// Gathering: one component of four texels, counterclockwise from the lower left.
__global__ void gather(hipTextureObject_t texture, const float2 *at, float4 *out, uint4 *words) {
  const int i = threadIdx.x;
  for (int c = 0; c < 4; ++c) {
    out[4 * i + c] = tex2Dgather<float4>(texture, at[i].x, at[i].y, c);
    tex2Dgather(&words[4 * i + c], texture, at[i].x, at[i].y, c);
  }
}

TEST(gathering) {
  constexpr int width = 7, height = 5;
  std::mt19937 random(3);
  const Texels texels({hipChannelFormatKindFloat, 32, 4}, width, height, 1, 1, 1, random);
  hipArray_t array;
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float4>();
  HIP_CHECK(hipMallocArray(&array, &channels, width, height, hipArrayTextureGather));
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, texels.levels[0].bytes.data(), width * 16, width * 16, height,
                               hipMemcpyHostToDevice));
  std::vector<float2> places;
  std::uniform_real_distribution<float> around(-2, 3);
  for (int i = 0; i < 32; ++i)
    places.push_back(make_float2(around(random), around(random)));
  for (int mode = 0; mode < 4; ++mode) {
    const hipTextureDesc desc = sampling(hipFilterModePoint, hipTextureAddressMode(mode), true);
    hipTextureObject_t texture = createTexture(ofArray(array), desc);
    DeviceArray<float2> at(places);
    DeviceArray<float4> out(4 * places.size());
    DeviceArray<uint4> words(4 * places.size());
    gather<<<1, 32>>>(texture, at, out, words);
    const std::vector<float4> results = out.host();
    const std::vector<uint4> bits = words.host();
    CHECK(std::memcmp(results.data(), bits.data(), results.size() * 16) == 0);
    for (int i = 0; i < 32; ++i) {
      const model::Axis x = model::axis(places[i].x, width, mode, true, true),
                        y = model::axis(places[i].y, height, mode, true, true);
      for (int c = 0; c < 4; ++c) {
        const float *got = &results[4 * i + c].x;
        for (int corner = 0; corner < 4; ++corner) {
          const long column = model::index(x.first + (corner == 1 || corner == 2), width, mode);
          const long row = model::index(y.first + (corner < 2), height, mode);
          const double want =
              column < 0 || row < 0
                  ? 0
                  : model::decode(texels.format, texels.texel(0, int(column), int(row), 0, 0), c, false).number;
          CHECK_EQ(double(got[corner]), want);
        }
      }
    }
    HIP_CHECK(hipDestroyTextureObject(texture));
  }
  HIP_CHECK(hipFreeArray(array));
}

// Gradients select the level at which a step is one texel long. Each level has one colour: its number.
struct Gradients {
  float4 dx, dy;
};
__global__ void gradients(hipTextureObject_t t1, hipTextureObject_t t2, hipTextureObject_t t3, hipTextureObject_t l1,
                          hipTextureObject_t l2, hipTextureObject_t c, hipTextureObject_t cl, const Gradients *all,
                          float *out) {
  const int i = threadIdx.x;
  const float4 dx = all[i].dx, dy = all[i].dy;
  const float2 dx2 = make_float2(dx.x, dx.y), dy2 = make_float2(dy.x, dy.y);
  float *to = out + 8 * i;
  to[0] = tex1DGrad<float>(t1, 0.5f, dx.x, dy.x);
  tex2DGrad(to + 1, t2, 0.5f, 0.5f, dx2, dy2);
  to[2] = tex3DGrad<float>(t3, 0.5f, 0.5f, 0.5f, dx, dy);
  tex1DLayeredGrad(to + 3, l1, 0.5f, 1, dx.x, dy.x);
  to[4] = tex2DLayeredGrad<float>(l2, 0.5f, 0.5f, 1, dx2, dy2);
  // A step across the face of direction z: the coordinates on the face are half the direction's, divided by z.
  to[5] = texCubemapGrad<float>(c, 0.2f, 0.3f, 2.0f, make_float4(4 * dx.x, 4 * dx.y, 0, 0),
                                make_float4(4 * dy.x, 4 * dy.y, 0, 0));
  texCubemapLayeredGrad(to + 6, cl, 0.2f, 0.3f, 2.0f, 1, make_float4(4 * dx.x, 4 * dx.y, 0, 0),
                        make_float4(4 * dy.x, 4 * dy.y, 0, 0));
  to[7] = texCubemapLayeredLod<float>(cl, 0.2f, 0.3f, -2.0f, 1, 2.0f);
}

TEST(gradientsOfAllKinds) {
  constexpr unsigned kLevels = 5;
  struct {
    hipExtent extent;
    unsigned flags;
    size_t layers;
  } kinds[] = {{make_hipExtent(16, 0, 0), 0, 1},
               {make_hipExtent(16, 16, 0), 0, 1},
               {make_hipExtent(16, 16, 16), 0, 0},
               {make_hipExtent(16, 0, 2), hipArrayLayered, 2},
               {make_hipExtent(16, 16, 2), hipArrayLayered, 2},
               {make_hipExtent(16, 16, 6), hipArrayCubemap, 6},
               {make_hipExtent(16, 16, 12), hipArrayCubemap | hipArrayLayered, 12}};
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
  hipTextureObject_t textures[7];
  hipMipmappedArray_t arrays[7];
  for (int k = 0; k < 7; ++k) {
    HIP_CHECK(hipMallocMipmappedArray(&arrays[k], &channels, kinds[k].extent, kLevels, kinds[k].flags));
    for (unsigned level = 0; level < kLevels; ++level) {
      hipArray_t array;
      HIP_CHECK(hipGetMipmappedArrayLevel(&array, arrays[k], level));
      const size_t side = 16 >> level, height = kinds[k].extent.height ? side : 1,
                   depth = kinds[k].layers ? kinds[k].layers : side;
      const std::vector<float> colour(side * height * depth, float(level));
      hipMemcpy3DParms copy{};
      copy.srcPtr = make_hipPitchedPtr(const_cast<float *>(colour.data()), side * 4, side, height);
      copy.dstArray = array;
      copy.extent = make_hipExtent(side, height, depth);
      copy.kind = hipMemcpyHostToDevice;
      HIP_CHECK(hipMemcpy3D(&copy));
    }
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = arrays[k];
    hipTextureDesc desc = sampling(hipFilterModeLinear, hipAddressModeClamp, true);
    desc.mipmapFilterMode = hipFilterModeLinear;
    textures[k] = createTexture(resource, desc);
  }
  const float4 zero = make_float4(0, 0, 0, 0);
  const std::vector<Gradients> all = {{zero, zero},
                                      {make_float4(1 / 16.0f, 0, 0, 0), zero},
                                      {make_float4(1 / 8.0f, 0, 0, 0), zero},
                                      {zero, make_float4(1 / 4.0f, 0, 0, 0)},
                                      {make_float4(1 / 5.0f, 0, 0, 0), make_float4(1 / 9.0f, 0, 0, 0)},
                                      {make_float4(100, 0, 0, 0), zero},
                                      {make_float4(0.15f, 0.2f, 0.1f, 0), make_float4(0.1f, 0.1f, 0.2f, 0)}};
  DeviceArray<Gradients> at(all);
  DeviceArray<float> out(8 * all.size());
  gradients<<<1, unsigned(all.size())>>>(textures[0], textures[1], textures[2], textures[3], textures[4], textures[5],
                                         textures[6], at, out);
  const std::vector<float> results = out.host();
  for (size_t i = 0; i < all.size(); ++i) {
    const float4 dx = all[i].dx, dy = all[i].dy;
    auto level = [](double x, double y) {
      const double longest = std::max(x, y);
      return longest > 0 ? std::fmin(std::fmax(std::log2(16 * std::sqrt(longest)), 0), 4) : 0;
    };
    const double one = level(dx.x * dx.x, dy.x * dy.x);
    const double two = level(dx.x * dx.x + dx.y * dx.y, dy.x * dy.x + dy.y * dy.y);
    const double three = level(dx.x * dx.x + dx.y * dx.y + dx.z * dx.z, dy.x * dy.x + dy.y * dy.y + dy.z * dy.z);
    const double want[] = {one, two, three, one, two, two, two, 2};
    for (int k = 0; k < 8; ++k)
      CHECK_NEAR(results[8 * i + k], want[k], 1.01 / 256); // fractions of 8 bits
  }
  for (int k = 0; k < 7; ++k) {
    HIP_CHECK(hipDestroyTextureObject(textures[k]));
    HIP_CHECK(hipFreeMipmappedArray(arrays[k]));
  }
}

// sRGB colours become linear before they are filtered; the fourth component is not a colour.
TEST(srgb) {
  std::vector<uchar4> elements(256);
  for (int i = 0; i < 256; ++i)
    elements[i] = make_uchar4(i, 255 - i, i / 2, i);
  hipArray_t array = makeArray(elements, 256, 1);
  std::vector<float2> places;
  for (int i = 0; i < 256; ++i)
    places.push_back(make_float2(i + 0.5f, 0.5f));
  places[0].x = 200.0f; // between two texels
  hipTextureDesc desc = sampling(hipFilterModeLinear, hipAddressModeClamp, false, hipReadModeNormalizedFloat);
  desc.sRGB = 1;
  hipTextureObject_t texture = createTexture(ofArray(array), desc);
  DeviceArray<float2> at(places);
  DeviceArray<float4> out(256);
  read2D<float4><<<1, 256>>>(texture, at, out);
  const std::vector<float4> results = out.host();
  auto toLinear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  for (int i = 1; i < 256; ++i) {
    CHECK_NEAR(results[i].x, toLinear(i / 255.0), 1e-7);
    CHECK_NEAR(results[i].y, toLinear((255 - i) / 255.0), 1e-7);
    CHECK_NEAR(results[i].z, toLinear(i / 2 / 255.0), 1e-7);
    CHECK_NEAR(results[i].w, i / 255.0, 1e-7);
  }
  CHECK_NEAR(results[0].x, (toLinear(199 / 255.0) + toLinear(200 / 255.0)) / 2, 1e-6);
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFreeArray(array));
}

// A view of another format, and of some layers and levels.
__global__ void readLayer(hipTextureObject_t texture, float4 *out, int layers) {
  const int i = threadIdx.x;
  out[i] = tex2DLayeredLod<float4>(texture, 0.5f, 0.5f, i % layers, float(i / layers));
}

TEST(views) {
  const std::vector<unsigned> words = {0x04030201, 0xff00807f};
  hipArray_t array = makeArray(words, 2, 1);
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedChar4;
  view.width = 2;
  view.height = 1;
  const hipTextureDesc desc = sampling(hipFilterModePoint, hipAddressModeClamp, false);
  hipTextureObject_t texture = createTexture(ofArray(array), desc, &view);
  DeviceArray<float2> at(std::vector<float2>{make_float2(0, 0), make_float2(1, 0)});
  DeviceArray<uchar4> out(2);
  read2D<uchar4><<<1, 2>>>(texture, at, out);
  CHECK(std::memcmp(out.host().data(), words.data(), 8) == 0);
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFreeArray(array));

  constexpr unsigned kLevels = 4, kLayers = 5;
  hipMipmappedArray_t levels;
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
  HIP_CHECK(hipMallocMipmappedArray(&levels, &channels, make_hipExtent(8, 8, kLayers), kLevels, hipArrayLayered));
  for (unsigned level = 0; level < kLevels; ++level) {
    const size_t side = 8 >> level;
    std::vector<float> colours(side * side * kLayers);
    for (size_t i = 0; i < colours.size(); ++i)
      colours[i] = float(10 * level + i / (side * side));
    hipMemcpy3DParms copy{};
    copy.srcPtr = make_hipPitchedPtr(colours.data(), side * 4, side, side);
    HIP_CHECK(hipGetMipmappedArrayLevel(&copy.dstArray, levels, level));
    copy.extent = make_hipExtent(side, side, kLayers);
    copy.kind = hipMemcpyHostToDevice;
    HIP_CHECK(hipMemcpy3D(&copy));
  }
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  hipResourceViewDesc part{};
  part.width = part.height = 8;
  part.depth = kLayers;
  part.firstMipmapLevel = 1;
  part.lastMipmapLevel = 2;
  part.firstLayer = 2;
  part.lastLayer = 3;
  hipTextureObject_t some = createTexture(resource, sampling(hipFilterModePoint, hipAddressModeClamp, true), &part);
  DeviceArray<float4> colours(12);
  readLayer<<<1, 12>>>(some, colours, 3);
  const std::vector<float4> results = colours.host();
  for (int i = 0; i < 12; ++i) {
    // Layers and levels beyond the last one are the last one.
    CHECK_EQ(results[i].x, float(10 * (1 + std::min(i / 3, 1)) + 2 + std::min(i % 3, 1)));
  }
  HIP_CHECK(hipDestroyTextureObject(some));
  HIP_CHECK(hipFreeMipmappedArray(levels));
}

// Objects that are not parameters of their own.
struct Holder {
  int before;
  hipTextureObject_t inner[2];
};
struct Scene {
  Holder holders[2];
};
__constant__ Scene constantScene;
__device__ hipTextureObject_t variable;

__device__ __attribute__((noinline)) float readFrom(const Holder &holder, int which, float x) {
  return tex2D<float>(holder.inner[which], x, 0);
}
__global__ void indirect(Scene byValue, const Scene *inMemory, float *out) {
  const int i = threadIdx.x; // 4 objects
  out[i] = readFrom(byValue.holders[i / 2], i % 2, 0);
  out[4 + i] = readFrom(inMemory->holders[i / 2], i % 2, 1);
  out[8 + i] = readFrom(constantScene.holders[i / 2], i % 2, 2);
  out[12 + i] = tex2D<float>(i == 0 ? variable : inMemory->holders[i / 2].inner[i % 2], 3, 0);
}

TEST(objectsInMemory) {
  Scene scene{};
  hipArray_t arrays[4];
  for (int i = 0; i < 4; ++i) {
    arrays[i] = makeArray<float>({10.0f * i, 10.0f * i + 1, 10.0f * i + 2, 10.0f * i + 3}, 4, 1);
    scene.holders[i / 2].inner[i % 2] =
        createTexture(ofArray(arrays[i]), sampling(hipFilterModePoint, hipAddressModeClamp, false));
  }
  DeviceArray<Scene> inMemory(std::vector<Scene>{scene});
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(constantScene), &scene, sizeof scene));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(variable), &scene.holders[0].inner[0], sizeof(hipTextureObject_t)));
  DeviceArray<float> out(16);
  indirect<<<1, 4>>>(scene, inMemory, out);
  const std::vector<float> results = out.host();
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(results[i], 10.0f * (i % 4) + i / 4);
  for (int i = 0; i < 4; ++i) {
    HIP_CHECK(hipDestroyTextureObject(scene.holders[i / 2].inner[i % 2]));
    HIP_CHECK(hipFreeArray(arrays[i]));
  }
}

// A channel of every width survives the way through a sampler's word, and narrow integers keep their value in it.
__global__ void channels(int *wrong) {
  const signed char byte = -7;
  const unsigned short word = 65000;
  const float number = -1.5f;
  *wrong = __hipMapTo<int>(byte) != -7 || __hipMapFrom<signed char>(__hipMapTo<int>(byte)) != byte;
  *wrong += __hipMapTo<unsigned>(word) != 65000u || __hipMapFrom<unsigned short>(__hipMapTo<float>(word)) != word;
  *wrong +=
      __hipMapTo<int>(number) != __float_as_int(number) || __hipMapFrom<float>(__hipMapTo<unsigned>(number)) != number;
  *wrong += __hipMapTo<float>(0x40490fdbu) != __uint_as_float(0x40490fdbu);
}

TEST(samplerWords) {
  DeviceArray<int> wrong(1);
  channels<<<1, 1>>>(wrong);
  CHECK_EQ(wrong.host()[0], 0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
