// SPDX-License-Identifier: MIT
// Texture objects as the host sees them: what was given comes back in both forms of the API, descriptions that break a rule
// are refused with the documented error, and threads may create and destroy at the same time.
#include "tests/device/check.h"

#include <atomic>
#include <thread>

static hipResourceDesc linear(void *memory, hipChannelFormatDesc desc, size_t bytes) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, desc, bytes};
  return resource;
}

static hipResourceDesc pitched(void *memory, hipChannelFormatDesc desc, size_t width, size_t height, size_t pitch) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, desc, width, height, pitch};
  return resource;
}

static hipResourceDesc ofArray(hipArray_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

// The error of hipCreateTextureObject for most wrong descriptions.
static const hipError_t wrongDescription = since7(hipErrorInvalidChannelDescriptor, hipErrorInvalidValue);

static hipTextureDesc someSampling() {
  hipTextureDesc desc{};
  desc.addressMode[0] = hipAddressModeMirror;
  desc.addressMode[1] = hipAddressModeBorder;
  desc.addressMode[2] = hipAddressModeClamp;
  desc.filterMode = hipFilterModeLinear;
  desc.readMode = hipReadModeNormalizedFloat;
  desc.sRGB = 1;
  desc.borderColor[0] = 0.25f;
  desc.borderColor[3] = -2;
  desc.normalizedCoords = 1;
  desc.maxAnisotropy = 3;
  desc.mipmapFilterMode = hipFilterModeLinear;
  desc.mipmapLevelBias = 0.5f;
  desc.minMipmapLevelClamp = 1;
  desc.maxMipmapLevelClamp = 4;
  return desc;
}

static bool same(const hipTextureDesc &a, const hipTextureDesc &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

__global__ void readRows(hipTextureObject_t texture, unsigned *out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<unsigned>(texture, threadIdx.x, threadIdx.y);
}

// As with AMD's library, a view changes the format of the texels, and its extents do not matter, nor do levels and layers of an
// array that has none.
TEST(viewsOfOtherExtents) {
  constexpr unsigned kWidth = 8, kHeight = 4;
  std::vector<float> texels(kWidth * kHeight);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = 1.0f + static_cast<float>(i);
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  hipArray_t array;
  HIP_CHECK(hipMallocArray(&array, &desc, kWidth, kHeight));
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * 4, kWidth * 4, kHeight, hipMemcpyHostToDevice));
  hipResourceViewDesc half{}, twice{}, none{};
  half.width = kWidth / 2;
  twice.width = 2 * kWidth;
  twice.height = 2 * kHeight;
  twice.depth = 3;
  none.lastLayer = 7;
  none.firstMipmapLevel = 3;
  none.lastMipmapLevel = 2;
  const hipResourceDesc resource = ofArray(array);
  const hipTextureDesc sampling{};
  for (hipResourceViewDesc view : {half, twice, none}) {
    view.format = hipResViewFormatUnsignedInt1;
    hipTextureObject_t texture;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &sampling, &view));
    DeviceArray<unsigned> out(texels.size());
    readRows<<<1, dim3(kWidth, kHeight)>>>(texture, out);
    const std::vector<unsigned> read = out.host();
    CHECK(std::memcmp(read.data(), texels.data(), 4 * texels.size()) == 0);
    HIP_CHECK(hipDestroyTextureObject(texture));
  }
  HIP_CHECK(hipFreeArray(array));
}

TEST(givenBack) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<uchar4>();
  hipArray_t array;
  hipMipmappedArray_t levels;
  DeviceArray<uchar4> memory(1024);
  HIP_CHECK(hipMalloc3DArray(&array, &desc, make_hipExtent(8, 8, 4), hipArrayLayered));
  HIP_CHECK(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(32, 32, 0), 4));
  hipResourceDesc resources[4] = {ofArray(array), {}, linear(memory, desc, 4096), pitched(memory, desc, 16, 16, 64)};
  resources[1].resType = hipResourceTypeMipmappedArray;
  resources[1].res.mipmap.mipmap = levels;
  const hipTextureDesc sampling = someSampling();
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedInt1;
  for (const hipResourceDesc &resource : resources) {
    const bool viewed = resource.resType == hipResourceTypeArray;
    hipTextureDesc used = sampling;
    if (viewed) { // 32-bit integers are not filtered
      used.filterMode = used.mipmapFilterMode = hipFilterModePoint;
      view.firstLayer = 1;
      view.lastLayer = 2;
      view.depth = 4;
    }
    hipTextureObject_t texture;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &used, viewed ? &view : nullptr));
    hipResourceDesc gotResource;
    hipTextureDesc gotSampling;
    hipResourceViewDesc gotView;
    HIP_CHECK(hipGetTextureObjectResourceDesc(&gotResource, texture));
    CHECK(std::memcmp(&gotResource, &resource, sizeof resource) == 0);
    HIP_CHECK(hipGetTextureObjectTextureDesc(&gotSampling, texture));
    CHECK(same(gotSampling, used));
    CHECK_EQ(hipGetTextureObjectResourceViewDesc(&gotView, texture), viewed ? hipSuccess : hipErrorInvalidValue);
    if (viewed)
      CHECK(std::memcmp(&gotView, &view, sizeof view) == 0);

    // The forms of the driver API describe the same, and make the same again.
    HIP_RESOURCE_DESC driverResource;
    HIP_TEXTURE_DESC driverSampling;
    HIP_RESOURCE_VIEW_DESC driverView;
    HIP_CHECK(hipTexObjectGetResourceDesc(&driverResource, texture));
    HIP_CHECK(hipTexObjectGetTextureDesc(&driverSampling, texture));
    CHECK_EQ(driverSampling.flags, unsigned(HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB));
    CHECK_EQ(hipTexObjectGetResourceViewDesc(&driverView, texture), viewed ? hipSuccess : hipErrorInvalidValue);
    if (viewed)
      CHECK(driverView.format == HIP_RES_VIEW_FORMAT_UINT_1X32 && driverView.lastLayer == 2);
    hipTextureObject_t again;
    HIP_CHECK(hipTexObjectCreate(&again, &driverResource, &driverSampling, viewed ? &driverView : nullptr));
    CHECK(again != texture);
    HIP_CHECK(hipGetTextureObjectResourceDesc(&gotResource, again));
    CHECK(gotResource.resType == resource.resType);
    if (resource.resType == hipResourceTypeLinear) {
      CHECK(gotResource.res.linear.devPtr == resource.res.linear.devPtr);
      CHECK(std::memcmp(&gotResource.res.linear.desc, &desc, sizeof desc) == 0);
      CHECK_EQ(gotResource.res.linear.sizeInBytes, size_t(4096));
    }
    if (resource.resType == hipResourceTypePitch2D)
      CHECK(gotResource.res.pitch2D.devPtr == memory && gotResource.res.pitch2D.width == 16 &&
            gotResource.res.pitch2D.height == 16 && gotResource.res.pitch2D.pitchInBytes == 64 &&
            gotResource.res.pitch2D.desc.w == 8 && gotResource.res.pitch2D.desc.f == hipChannelFormatKindUnsigned);
    HIP_CHECK(hipGetTextureObjectTextureDesc(&gotSampling, again));
    CHECK(same(gotSampling, used));
    HIP_CHECK(hipTexObjectDestroy(again));
    HIP_CHECK(hipDestroyTextureObject(texture));
    CHECK_EQ(hipGetTextureObjectTextureDesc(&gotSampling, texture), hipErrorInvalidValue);
    CHECK_EQ(hipDestroyTextureObject(texture), hipErrorInvalidValue);
  }
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipFreeMipmappedArray(levels));
  HIP_CHECK(hipDestroyTextureObject(nullptr));
  HIP_CHECK(hipTexObjectDestroy(nullptr));
}

static hipError_t create(const hipResourceDesc &resource, const hipTextureDesc &sampling,
                         const hipResourceViewDesc *view = nullptr) {
  hipTextureObject_t texture = nullptr;
  const hipError_t error = hipCreateTextureObject(&texture, &resource, &sampling, view);
  if (error == hipSuccess)
    HIP_CHECK(hipDestroyTextureObject(texture));
  return error;
}

TEST(badResources) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  const hipTextureDesc sampling{};
  DeviceArray<float> memory(1024);
  char *bytes = reinterpret_cast<char *>(static_cast<float *>(memory));
  hipTextureObject_t texture;
  const hipResourceDesc good = linear(memory, desc, 4096);
  CHECK_EQ(hipCreateTextureObject(nullptr, &good, &sampling, nullptr), wrongDescription);
  CHECK_EQ(hipCreateTextureObject(&texture, nullptr, &sampling, nullptr), wrongDescription);
  CHECK_EQ(hipCreateTextureObject(&texture, &good, nullptr, nullptr), wrongDescription);
  CHECK_EQ(create(good, sampling), hipSuccess);
  hipResourceDesc unknown{};
  unknown.resType = hipResourceType(17);
  CHECK_EQ(create(unknown, sampling), hipErrorInvalidValue);

  // Linear memory.
  CHECK_EQ(create(linear(nullptr, desc, 4096), sampling), wrongDescription);
  CHECK_EQ(create(linear(bytes + 4, desc, 64), sampling), wrongDescription); // textureAlignment
  const size_t tooMany = (size_t(properties.maxTexture1DLinear) + 1) * sizeof(float);
  CHECK_EQ(create(linear(memory, desc, tooMany), sampling), wrongDescription);
  CHECK_EQ(create(linear(bytes + properties.textureAlignment, desc, 64), sampling), hipSuccess);
  CHECK_EQ(create(linear(memory, desc, 4097), sampling), hipErrorInvalidValue); // beyond the memory
  CHECK_EQ(create(linear(memory, desc, 3), sampling), hipErrorInvalidValue);    // less than one element
  CHECK_EQ(create(linear(memory, {32, 0, 0, 0, hipChannelFormatKindNone}, 64), sampling),
           hipErrorInvalidChannelDescriptor);
  std::vector<float> pageable(64);
  CHECK_EQ(create(linear(pageable.data(), desc, 64), sampling), hipErrorInvalidValue);
  CHECK(properties.maxTexture1DLinear >= 1 << 27);

  // Rows.
  CHECK_EQ(create(pitched(memory, desc, 16, 16, 64), sampling), hipSuccess);
  CHECK_EQ(create(pitched(nullptr, desc, 16, 16, 64), sampling), hipErrorInvalidValue);
  CHECK_EQ(create(pitched(bytes + 4, desc, 16, 15, 64), sampling), hipErrorInvalidValue);
  CHECK_EQ(create(pitched(memory, desc, 0, 16, 64), sampling), hipErrorInvalidValue);
  CHECK_EQ(create(pitched(memory, desc, 16, 0, 64), sampling), hipErrorInvalidValue);
  CHECK_EQ(create(pitched(memory, desc, 17, 16, 64), sampling), hipErrorInvalidValue); // longer than the pitch
  CHECK_EQ(create(pitched(memory, desc, 15, 16, 60), sampling), hipErrorInvalidValue); // texturePitchAlignment
  CHECK_EQ(create(pitched(memory, desc, 16, 65, 64), sampling), hipErrorInvalidValue); // beyond the memory
  CHECK_EQ(create(pitched(memory, desc, 16, size_t(properties.maxTexture2DLinear[1]) + 1, 64), sampling),
           hipErrorInvalidValue);

  // Arrays.
  CHECK_EQ(create(ofArray(nullptr), sampling), hipErrorInvalidValue);
  hipArray_t array;
  HIP_CHECK(hipMallocArray(&array, &desc, 4, 4));
  HIP_CHECK(hipFreeArray(array));
  CHECK_EQ(create(ofArray(array), sampling), hipErrorInvalidHandle);
  hipResourceDesc levels{};
  levels.resType = hipResourceTypeMipmappedArray;
  CHECK_EQ(create(levels, sampling), hipErrorInvalidValue);

  // The driver API's forms.
  HIP_RESOURCE_DESC driver{};
  HIP_TEXTURE_DESC driverSampling{};
  driver.resType = HIP_RESOURCE_TYPE_LINEAR;
  driver.res.linear = {static_cast<float *>(memory), HIP_AD_FORMAT_FLOAT, 3, 64};
  CHECK_EQ(hipTexObjectCreate(&texture, &driver, &driverSampling, nullptr), hipErrorInvalidValue);
  driver.res.linear.numChannels = 1;
  driver.flags = 1;
  CHECK_EQ(hipTexObjectCreate(&texture, &driver, &driverSampling, nullptr), hipErrorInvalidValue);
  driver.flags = 0;
  driverSampling.flags = 0x8000;
  CHECK_EQ(hipTexObjectCreate(&texture, &driver, &driverSampling, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipTexObjectCreate(&texture, nullptr, &driverSampling, nullptr), hipErrorInvalidValue);
}

TEST(badSampling) {
  const hipChannelFormatDesc floats = hipCreateChannelDesc<float>(), integers = hipCreateChannelDesc<int>(),
                             bytes = hipCreateChannelDesc<unsigned char>();
  hipArray_t ofFloats, ofIntegers, ofBytes;
  HIP_CHECK(hipMallocArray(&ofFloats, &floats, 8, 8));
  HIP_CHECK(hipMallocArray(&ofIntegers, &integers, 8, 8));
  HIP_CHECK(hipMallocArray(&ofBytes, &bytes, 8, 8));
  hipTextureDesc sampling{};
  sampling.filterMode = hipFilterModeLinear;
  CHECK_EQ(create(ofArray(ofFloats), sampling), hipSuccess);
  CHECK_EQ(create(ofArray(ofIntegers), sampling), hipErrorInvalidValue); // integers cannot be filtered
  CHECK_EQ(create(ofArray(ofBytes), sampling), hipErrorInvalidValue);
  sampling.readMode = hipReadModeNormalizedFloat;
  CHECK_EQ(create(ofArray(ofBytes), sampling), hipSuccess);
  CHECK_EQ(create(ofArray(ofIntegers), sampling), hipErrorInvalidValue); // 32 bits are never fractions
  for (int which = 0; which < 4; ++which) {
    hipTextureDesc wrong{};
    if (which == 0)
      wrong.addressMode[2] = hipTextureAddressMode(4);
    if (which == 1)
      wrong.filterMode = hipTextureFilterMode(2);
    if (which == 2)
      wrong.mipmapFilterMode = hipTextureFilterMode(-1);
    if (which == 3)
      wrong.readMode = hipTextureReadMode(2);
    CHECK_EQ(create(ofArray(ofFloats), wrong), hipErrorInvalidValue);
  }
  hipResourceDesc levels{};
  levels.resType = hipResourceTypeMipmappedArray;
  HIP_CHECK(hipMallocMipmappedArray(&levels.res.mipmap.mipmap, &floats, make_hipExtent(8, 8, 0), 3));
  hipTextureDesc normalized{};
  CHECK_EQ(create(levels, normalized), wrongDescription); // levels need normalised coordinates
  normalized.normalizedCoords = 1;
  CHECK_EQ(create(levels, normalized), hipSuccess);

  // Views.
  hipResourceViewDesc view{};
  view.lastMipmapLevel = 2;
  CHECK_EQ(create(levels, normalized, &view), hipSuccess);
  view.lastMipmapLevel = 3;
  CHECK_EQ(create(levels, normalized, &view), hipErrorInvalidValue);
  view.firstMipmapLevel = 2;
  view.lastMipmapLevel = 1;
  CHECK_EQ(create(levels, normalized, &view), hipErrorInvalidValue);
  view = {};
  view.format = hipResViewFormatUnsignedShort2;
  CHECK_EQ(create(ofArray(ofFloats), normalized, &view), hipSuccess);
  view.format = hipResViewFormatFloat2; // another size
  CHECK_EQ(create(ofArray(ofFloats), normalized, &view), hipErrorInvalidValue);
  view.format = hipResViewFormatUnsignedBlockCompressed1;
  CHECK_EQ(create(ofArray(ofFloats), normalized, &view), hipErrorNotSupported);
  view.format = hipResourceViewFormat(1000);
  CHECK_EQ(create(ofArray(ofFloats), normalized, &view), hipErrorInvalidValue);
  DeviceArray<float> memory(64);
  view = {};
  CHECK_EQ(create(linear(memory, floats, 256), normalized, &view), since7(hipErrorUnknown, hipErrorInvalidValue));

  HIP_CHECK(hipFreeMipmappedArray(levels.res.mipmap.mipmap));
  for (hipArray_t array : {ofFloats, ofIntegers, ofBytes})
    HIP_CHECK(hipFreeArray(array));
}

__global__ void read(hipTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

// More objects than a chunk of descriptors has, from several threads.
TEST(manyObjects) {
  DeviceArray<float> memory(std::vector<float>(256, 7.0f));
  const hipResourceDesc resource = linear(memory, hipCreateChannelDesc<float>(), 1024);
  const hipTextureDesc sampling{};
  HIP_CHECK(hipDeviceSynchronize());
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<hipTextureObject_t> textures(300);
      for (hipTextureObject_t &texture : textures)
        failures += hipCreateTextureObject(&texture, &resource, &sampling, nullptr) != hipSuccess;
      float *out = nullptr;
      failures += hipMalloc(&out, 32 * sizeof(float)) != hipSuccess;
      read<<<1, 32, 0, hipStreamPerThread>>>(textures[299], out);
      float host[32] = {};
      failures += hipMemcpyAsync(host, out, sizeof host, hipMemcpyDeviceToHost, hipStreamPerThread) != hipSuccess;
      failures += hipStreamSynchronize(hipStreamPerThread) != hipSuccess;
      for (float value : host)
        failures += value != 7.0f;
      for (hipTextureObject_t texture : textures)
        failures += hipDestroyTextureObject(texture) != hipSuccess;
      failures += hipFree(out) != hipSuccess;
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(failures.load(), 0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
