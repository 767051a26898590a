// SPDX-License-Identifier: MIT
// Texture references: variables of the program and of a module, bound to all kinds of memory, with every field that can be
// set. Deprecated in HIP, and complete nevertheless.
#include "tests/device/check.h"

#include <fstream>
#include <iterator>
#include <string>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

texture<float, hipTextureType1D> fetched;
texture<float, hipTextureType2D> flat;
static texture<uchar4, hipTextureType2D, hipReadModeNormalizedFloat> hidden; // of this file only
namespace names {
texture<int, hipTextureType3D> volume;
}
texture<short, hipTextureType1DLayered, hipReadModeElementType> lines;
texture<float2, hipTextureType2DLayered> planes;
texture<float, hipTextureTypeCubemap> cube;
texture<float, hipTextureTypeCubemapLayered> cubes;
texture<float, hipTextureType2D> levels;

__global__ void readFetched(float *out) { out[threadIdx.x] = tex1Dfetch(fetched, threadIdx.x); }
__global__ void readFlat(float *out, float x, float y) { out[0] = tex2D(flat, x, y); }
__global__ void readHidden(float4 *out) { out[threadIdx.x] = tex2D(hidden, threadIdx.x, 0); }
__global__ void readVolume(int *out) { out[threadIdx.x] = tex3D(names::volume, threadIdx.x, 1, 2); }
__global__ void readLines(short *out) { out[threadIdx.x] = tex1DLayered(lines, 1, threadIdx.x); }
__global__ void readPlanes(float2 *out) { out[threadIdx.x] = tex2DLayered(planes, 1, 1, threadIdx.x); }
__global__ void readCubes(float *out) {
  out[threadIdx.x] = texCubemap(cube, threadIdx.x == 0, threadIdx.x == 1, threadIdx.x == 2);
  out[3 + threadIdx.x] = texCubemapLayered(cubes, threadIdx.x == 0, threadIdx.x == 1, threadIdx.x == 2, 1);
}
__global__ void readLevels(float *out, float level) {
  out[0] = tex2DLod(levels, 0.5f, 0.5f, level);
  out[1] = tex2DGrad(levels, 0.5f, 0.5f, make_float2(1, 0), make_float2(0, 0));
  const float4 four = tex2Dgather(levels, 0.5f, 0.5f);
  out[2] = four.x + four.y + four.z + four.w;
}

template <class T> static hipArray_t makeArray(std::vector<T> elements, hipExtent extent, unsigned flags = 0) {
  hipArray_t array;
  const hipChannelFormatDesc desc = hipCreateChannelDesc<T>();
  HIP_CHECK(hipMalloc3DArray(&array, &desc, extent, flags));
  hipMemcpy3DParms copy{};
  const size_t height = std::max<size_t>(extent.height, 1);
  copy.srcPtr = make_hipPitchedPtr(elements.data(), extent.width * sizeof(T), extent.width, height);
  copy.dstArray = array;
  copy.extent = make_hipExtent(extent.width, height, std::max<size_t>(extent.depth, 1));
  copy.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&copy));
  return array;
}

TEST(linearMemory) {
  std::vector<float> elements(64);
  for (int i = 0; i < 64; ++i)
    elements[i] = i * 1.5f;
  DeviceArray<float> memory(elements), out(16);
  size_t offset = 99;
  HIP_CHECK(hipBindTexture(&offset, fetched, memory, 64 * sizeof(float)));
  CHECK_EQ(offset, size_t(0));
  readFetched<<<1, 16>>>(out);
  CHECK_EQ(out.host()[15], 15 * 1.5f);
  // Memory that is not aligned: kernels add the offset.
  HIP_CHECK(hipBindTexture(&offset, fetched, memory + 6, fetched.channelDesc));
  CHECK_EQ(offset, 2 * sizeof(float));
  readFetched<<<1, 16>>>(out);
  CHECK_EQ(out.host()[2], 6 * 1.5f);
  size_t again = 0;
  HIP_CHECK(hipGetTextureAlignmentOffset(&again, &fetched));
  CHECK_EQ(again, offset);
  hipDeviceptr_t address;
  HIP_CHECK(hipTexRefGetAddress(&address, &fetched));
  CHECK(address == memory + 6);
  CHECK_EQ(hipBindTexture(nullptr, fetched, memory + 6), hipErrorInvalidValue);
  // Binding is seen by the kernels that follow, not by those before.
  DeviceArray<float> other(std::vector<float>(64, -1.0f));
  HIP_CHECK(hipBindTexture(nullptr, fetched, memory));
  readFetched<<<1, 16>>>(out);
  HIP_CHECK(hipBindTexture(nullptr, fetched, other));
  CHECK_EQ(out.host()[15], 15 * 1.5f);
  readFetched<<<1, 16>>>(out);
  CHECK_EQ(out.host()[15], -1.0f);
  HIP_CHECK(hipUnbindTexture(fetched));
  HIP_CHECK(hipUnbindTexture(fetched));
  CHECK_EQ(hipGetTextureAlignmentOffset(&again, &fetched), hipErrorInvalidTexture);
  CHECK_EQ(hipTexRefGetAddress(&address, &fetched), hipErrorInvalidValue);
  CHECK_EQ(hipBindTexture(&offset, fetched, elements.data()), hipErrorInvalidValue); // pageable memory
  CHECK_EQ(hipBindTexture(&offset, fetched, memory, 65 * sizeof(float)), hipErrorInvalidValue);
}

TEST(fields) {
  hipArray_t array = makeArray<float>({0, 10, 20, 30, 40, 50, 60, 70}, {4, 2, 0});
  DeviceArray<float> out(3);
  auto read = [&](float x, float y) {
    readFlat<<<1, 1>>>(out, x, y);
    return out.host()[0];
  };
  // As the program sets them before the binding.
  flat.filterMode = hipFilterModeLinear;
  flat.addressMode[0] = flat.addressMode[1] = hipAddressModeWrap;
  flat.normalized = 1;
  HIP_CHECK(hipBindTextureToArray(flat, array));
  CHECK_EQ(read(0.25f, 0.25f), 5.0f);
  CHECK_EQ(read(1.25f, -0.75f), 5.0f);
  hipArray_t bound;
  HIP_CHECK(hipTexRefGetArray(&bound, &flat));
  CHECK(bound == array);
  // As the driver API sets them, before and after a binding.
  textureReference *reference = &flat;
  HIP_CHECK(hipTexRefSetFilterMode(reference, hipFilterModePoint));
  CHECK_EQ(read(0.25f, 0.25f), 10.0f);
  HIP_CHECK(hipTexRefSetFlags(reference, HIP_TRSF_READ_AS_INTEGER));
  HIP_CHECK(hipTexRefSetAddressMode(reference, 0, hipAddressModeBorder));
  HIP_CHECK(hipTexRefSetAddressMode(reference, 1, hipAddressModeClamp));
  float colour[] = {-3, 0, 0, 0}, got[4];
  HIP_CHECK(hipTexRefSetBorderColor(reference, colour));
  CHECK_EQ(read(2.5f, 1.5f), 60.0f);
  CHECK_EQ(read(2.5f, 7), 60.0f);
  CHECK_EQ(read(-0.5f, 0), -3.0f);
  HIP_CHECK(hipTexRefSetMaxAnisotropy(reference, 8));
  HIP_CHECK(hipTexRefSetMipmapFilterMode(reference, hipFilterModeLinear));
  HIP_CHECK(hipTexRefSetMipmapLevelBias(reference, 0.5f));
  HIP_CHECK(hipTexRefSetMipmapLevelClamp(reference, 1, 2));
  // The attributes that were set can be read.
  unsigned flags;
  hipTextureAddressMode mode;
  hipTextureFilterMode filter;
  float bias, low, high;
  int anisotropy, channels;
  hipArray_Format format;
  HIP_CHECK(hipTexRefGetFlags(&flags, reference));
  CHECK_EQ(flags, unsigned(HIP_TRSF_READ_AS_INTEGER));
  HIP_CHECK(hipTexRefGetAddressMode(&mode, reference, 0));
  CHECK_EQ(int(mode), int(hipAddressModeBorder));
  HIP_CHECK(hipTexRefGetFilterMode(&filter, reference));
  CHECK_EQ(int(filter), int(hipFilterModePoint));
  HIP_CHECK(hipTexRefGetMipmapFilterMode(&filter, reference));
  CHECK_EQ(int(filter), int(hipFilterModeLinear));
  HIP_CHECK(hipTexRefGetMipmapLevelBias(&bias, reference));
  CHECK_EQ(bias, 0.5f);
  HIP_CHECK(hipTexRefGetMipmapLevelClamp(&low, &high, reference));
  CHECK(low == 1 && high == 2);
  HIP_CHECK(hipTexRefGetMaxAnisotropy(&anisotropy, reference));
  CHECK_EQ(anisotropy, 8);
  HIP_CHECK(hipTexRefGetBorderColor(got, reference));
  CHECK_EQ(got[0], -3.0f);
  HIP_CHECK(hipTexRefGetFormat(&format, &channels, reference));
  CHECK(format == HIP_AD_FORMAT_FLOAT && channels == 1);
  // Other memory through the same variable.
  DeviceArray<float> rows(std::vector<float>(64, 5.0f));
  const HIP_ARRAY_DESCRIPTOR shape = {4, 4, HIP_AD_FORMAT_FLOAT, 1};
  HIP_CHECK(hipTexRefSetAddress2D(reference, &shape, static_cast<float *>(rows), 64));
  CHECK_EQ(read(1, 1), 5.0f);
  CHECK_EQ(hipTexRefGetArray(&bound, reference), hipErrorInvalidValue);
  size_t offset;
  HIP_CHECK(hipBindTexture2D(&offset, flat, rows, 4, 4, 64));
  CHECK_EQ(read(3.5f, 3.5f), 5.0f);
  HIP_CHECK(hipTexRefSetArray(reference, array, HIP_TRSA_OVERRIDE_FORMAT));
  CHECK_EQ(read(1, 1), 50.0f);
  const textureReference *found = nullptr;
  HIP_CHECK(hipGetTextureReference(&found, &flat));
  CHECK(found == reference);
  HIP_CHECK(hipUnbindTexture(flat));
  HIP_CHECK(hipFreeArray(array));
}

// Each call must be taken whatever the fields that are set later still say.
TEST(anyOrder) {
  hipArray_t colours = makeArray<uchar4>({make_uchar4(0, 0, 0, 0), make_uchar4(255, 255, 255, 255)}, {2, 1, 0});
  textureReference *reference = &hidden;
  HIP_CHECK(hipTexRefSetFlags(reference, HIP_TRSF_READ_AS_INTEGER));
  HIP_CHECK(hipTexRefSetArray(reference, colours, HIP_TRSA_OVERRIDE_FORMAT));
  HIP_CHECK(hipTexRefSetFilterMode(reference, hipFilterModeLinear));
  HIP_CHECK(hipTexRefSetFlags(reference, 0));
  DeviceArray<float4> fractions(2);
  readHidden<<<1, 2>>>(fractions);
  CHECK_EQ(fractions.host()[1].x, 0.5f);
  HIP_CHECK(hipUnbindTexture(hidden));
  HIP_CHECK(hipTexRefSetFilterMode(reference, hipFilterModePoint));
  HIP_CHECK(hipFreeArray(colours));

  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  hipMipmappedArray_t pyramid;
  HIP_CHECK(hipMallocMipmappedArray(&pyramid, &desc, make_hipExtent(4, 4, 0), 2));
  HIP_CHECK(hipTexRefSetFlags(&levels, 0));
  HIP_CHECK(hipTexRefSetMipmappedArray(&levels, pyramid, HIP_TRSA_OVERRIDE_FORMAT));
  HIP_CHECK(hipTexRefSetFlags(&levels, HIP_TRSF_NORMALIZED_COORDINATES));
  HIP_CHECK(hipUnbindTexture(levels));
  levels.normalized = 0;
  levels.readMode = hipReadModeElementType;
  HIP_CHECK(hipFreeMipmappedArray(pyramid));
}

TEST(allKinds) {
  std::vector<uchar4> colours = {make_uchar4(255, 51, 0, 102), make_uchar4(0, 0, 255, 255)};
  hipArray_t one = makeArray(colours, {2, 1, 0});
  HIP_CHECK(hipBindTextureToArray(hidden, one));
  DeviceArray<float4> fractions(2);
  readHidden<<<1, 2>>>(fractions);
  CHECK(fractions.host()[0].x == 1 && fractions.host()[0].y == 0.2f && fractions.host()[0].w == 0.4f &&
        fractions.host()[1].z == 1);

  std::vector<int> cells(3 * 3 * 3);
  for (int i = 0; i < 27; ++i)
    cells[i] = i;
  hipArray_t cellArray = makeArray(cells, {3, 3, 3});
  HIP_CHECK(hipBindTextureToArray(names::volume, cellArray));
  DeviceArray<int> integers(3);
  readVolume<<<1, 3>>>(integers);
  CHECK(integers.host() == (std::vector<int>{21, 22, 23}));

  hipArray_t lineArray = makeArray<short>({1, 2, 3, 4}, {2, 0, 2}, hipArrayLayered);
  HIP_CHECK(hipBindTextureToArray(lines, lineArray));
  DeviceArray<short> shorts(2);
  readLines<<<1, 2>>>(shorts);
  CHECK(shorts.host() == (std::vector<short>{2, 4}));

  std::vector<float2> pairs;
  for (int i = 0; i < 8; ++i)
    pairs.push_back(make_float2(i, -i));
  hipArray_t planeArray = makeArray(pairs, {2, 2, 2}, hipArrayLayered);
  HIP_CHECK(hipBindTextureToArray(planes, planeArray));
  DeviceArray<float2> results(2);
  readPlanes<<<1, 2>>>(results);
  CHECK(results.host()[0].x == 3 && results.host()[1].x == 7 && results.host()[1].y == -7);

  std::vector<float> faces(12 * 4);
  for (int i = 0; i < 48; ++i)
    faces[i] = i / 4;
  hipArray_t cubeArray = makeArray(std::vector<float>(faces.begin(), faces.begin() + 24), {2, 2, 6}, hipArrayCubemap);
  hipArray_t cubesArray = makeArray(faces, {2, 2, 12}, hipArrayCubemap | hipArrayLayered);
  HIP_CHECK(hipBindTextureToArray(cube, cubeArray));
  HIP_CHECK(hipBindTextureToArray(cubes, cubesArray));
  DeviceArray<float> floats(6);
  readCubes<<<1, 3>>>(floats);
  CHECK(floats.host() == (std::vector<float>{0, 2, 4, 6, 8, 10}));

  hipMipmappedArray_t pyramid;
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
  HIP_CHECK(hipMallocMipmappedArray(&pyramid, &channels, make_hipExtent(2, 2, 0), 2));
  for (unsigned level = 0; level < 2; ++level) {
    hipArray_t array;
    HIP_CHECK(hipGetMipmappedArrayLevel(&array, pyramid, level));
    const std::vector<float> colour(4, level + 1.0f);
    HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, colour.data(), 8, 8 >> level, 2 >> level, hipMemcpyHostToDevice));
  }
  levels.normalized = 1;
  levels.mipmapFilterMode = hipFilterModeLinear;
  levels.maxMipmapLevelClamp = 5;
  HIP_CHECK(hipBindTextureToMipmappedArray(levels, pyramid));
  readLevels<<<1, 1>>>(floats, 0.5f);
  CHECK_EQ(floats.host()[0], 1.5f);
  CHECK_EQ(floats.host()[1], 2.0f);
  CHECK_EQ(floats.host()[2], 4.0f);
  hipMipmappedArray_t bound;
  HIP_CHECK(hipTexRefGetMipMappedArray(&bound, &levels));
  CHECK(bound == pyramid);
  HIP_CHECK(hipTexRefSetMipmappedArray(&levels, pyramid, HIP_TRSA_OVERRIDE_FORMAT));

  HIP_CHECK(hipUnbindTexture(hidden));
  HIP_CHECK(hipUnbindTexture(names::volume));
  HIP_CHECK(hipUnbindTexture(lines));
  HIP_CHECK(hipUnbindTexture(planes));
  HIP_CHECK(hipUnbindTexture(cube));
  HIP_CHECK(hipUnbindTexture(cubes));
  HIP_CHECK(hipUnbindTexture(levels));
  for (hipArray_t array : {one, cellArray, lineArray, planeArray, cubeArray, cubesArray})
    HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipFreeMipmappedArray(pyramid));
}

// The program's own device code, as an image for the module API.
static std::string ownImage() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  const std::string magic = std::string("__CLANG_OFFLOAD_") + "BUNDLE__";
  return program.substr(program.find(magic));
}

TEST(moduleReferences) {
  hipModule_t module;
  const std::string image = ownImage();
  HIP_CHECK(hipModuleLoadData(&module, image.data()));
  textureReference *reference;
  HIP_CHECK(hipModuleGetTexRef(&reference, module, "fetched"));
  textureReference *again;
  HIP_CHECK(hipModuleGetTexRef(&again, module, "fetched"));
  CHECK(again == reference && reference != &fetched);
  CHECK_EQ(hipModuleGetTexRef(&again, module, "missing"), hipErrorNotFound);
  CHECK_EQ(hipModuleGetTexRef(nullptr, module, "fetched"), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetTexRef(&again, module, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetTexRef(&again, module, ""), hipErrorInvalidValue);
  CHECK_EQ(hipModuleGetTexRef(&again, nullptr, "fetched"), hipErrorInvalidHandle);
  CHECK_EQ(reference->readMode, hipReadModeNormalizedFloat);
  std::vector<float> elements(64, 2.5f);
  DeviceArray<float> memory(elements), out(16);
  HIP_CHECK(hipTexRefSetFormat(reference, HIP_AD_FORMAT_FLOAT, 1));
  size_t offset;
  HIP_CHECK(hipTexRefSetAddress(&offset, reference, static_cast<float *>(memory), 256));
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "_Z11readFetchedPf"));
  float *to = out;
  void *arguments[] = {&to};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_EQ(out.host()[15], 2.5f);
  HIP_CHECK(hipTexRefSetAddress(&offset, reference, nullptr, 0)); // undoes the binding
  hipDeviceptr_t address;
  CHECK_EQ(hipTexRefGetAddress(&address, reference), hipErrorInvalidValue);
  HIP_CHECK(hipModuleUnload(module));
  CHECK_EQ(hipTexRefGetAddress(&address, reference), hipErrorInvalidTexture);
}

__device__ float ordinary;

TEST(badInput) {
  textureReference lonely{};
  hipArray_t array = makeArray<int>({1, 2}, {2, 0, 0});
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>(), integer = hipCreateChannelDesc<int>();
  CHECK_EQ(hipBindTextureToArray(&lonely, array, &integer), hipErrorInvalidTexture);
  CHECK_EQ(hipBindTextureToArray(reinterpret_cast<textureReference *>(&ordinary), array, &integer),
           hipErrorInvalidTexture);
  CHECK_EQ(hipBindTextureToArray(&flat, array, &desc), hipErrorInvalidValue); // not its format
  CHECK_EQ(hipBindTextureToArray(&flat, nullptr, &integer),
           since7(hipErrorInvalidChannelDescriptor, hipErrorInvalidValue));
  CHECK_EQ(hipBindTextureToArray(nullptr, array, &integer),
           since7(hipErrorInvalidChannelDescriptor, hipErrorInvalidValue));
  CHECK_EQ(hipTexRefSetArray(&flat, array, 0), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetAddressMode(&flat, 3, hipAddressModeClamp), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetAddressMode(&flat, 0, hipTextureAddressMode(9)), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetFilterMode(&flat, hipTextureFilterMode(2)), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetFlags(&flat, 0x100), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetFormat(&flat, HIP_AD_FORMAT_FLOAT, 3), hipErrorInvalidValue);
  CHECK_EQ(hipTexRefSetFilterMode(nullptr, hipFilterModePoint), hipErrorInvalidValue);
  float colour[4] = {};
  CHECK_EQ(hipTexRefSetBorderColor(&lonely, colour), hipErrorInvalidTexture);
  HIP_CHECK(hipTexRefSetFilterMode(&lonely, hipFilterModeLinear)); // a structure with fields
  CHECK_EQ(int(lonely.filterMode), int(hipFilterModeLinear));
  const textureReference *found;
  CHECK_EQ(hipGetTextureReference(&found, &lonely), hipErrorInvalidValue);
  CHECK_EQ(hipGetTextureReference(&found, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipFreeArray(array));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
