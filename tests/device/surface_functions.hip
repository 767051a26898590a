// SPDX-License-Identifier: MIT
// Surfaces: all functions, element types, boundary modes; what one of them writes is what textures, copies and other
// surfaces see.
#include "check.h"

namespace {

hipResourceDesc ofArray(hipArray_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

struct Surface {
  hipArray_t array;
  hipSurfaceObject_t object;
  Surface(const hipChannelFormatDesc &desc, hipExtent extent, unsigned flags) {
    HIP_CHECK(hipMalloc3DArray(&array, &desc, extent, flags | hipArraySurfaceLoadStore));
    const hipResourceDesc resource = ofArray(array);
    HIP_CHECK(hipCreateSurfaceObject(&object, &resource));
  }
  ~Surface() {
    HIP_CHECK(hipDestroySurfaceObject(object));
    HIP_CHECK(hipFreeArray(array));
  }
};

constexpr int kWidth = 6, kHeight = 5, kDepth = 12;

enum Kind { k1D, k2D, k3D, k1DLayered, k2DLayered, kCubemap, kCubemapLayered };

} // namespace

template <class T> __device__ T elementAt(int x, int y, int z) {
  T value;
  for (unsigned i = 0; i < sizeof(T); ++i)
    ((unsigned char *)&value)[i] = (unsigned char)(31 * x + 57 * y + 101 * z + 13 * i + 1);
  return value;
}

template <class T> __global__ void writeAll(hipSurfaceObject_t s, int kind) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, b = x * int(sizeof(T));
  T value = elementAt<T>(x, y, z);
  switch (kind) {
  case k1D: surf1Dwrite(value, s, b); break;
  case k2D: surf2Dwrite(value, s, b, y); break;
  case k3D: surf3Dwrite(value, s, b, y, z); break;
  case k1DLayered: surf1DLayeredwrite(value, s, b, z); break;
  case k2DLayered: surf2DLayeredwrite(value, s, b, y, z); break;
  case kCubemap: surfCubemapwrite(value, s, b, y, z); break;
  case kCubemapLayered:
    if (z % 2)
      surfCubemapLayeredwrite(value, s, b, y, z % 6, z / 6);
    else
      surfCubemapLayeredwrite(&value, s, b, y, z % 6, z / 6);
    break;
  }
}

template <class T> __global__ void readAll(hipSurfaceObject_t s, int kind, int *wrong) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, b = x * int(sizeof(T));
  T value, again;
  switch (kind) {
  case k1D:
    surf1Dread(&value, s, b);
    again = surf1Dread<T>(s, b);
    break;
  case k2D:
    surf2Dread(&value, s, b, y);
    again = surf2Dread<T>(s, b, y);
    break;
  case k3D:
    surf3Dread(&value, s, b, y, z);
    again = surf3Dread<T>(s, b, y, z);
    break;
  case k1DLayered:
    surf1DLayeredread(&value, s, b, z);
    again = surf1DLayeredread<T>(s, b, z);
    break;
  case k2DLayered:
    surf2DLayeredread(&value, s, b, y, z);
    again = surf2DLayeredread<T>(s, b, y, z);
    break;
  case kCubemap:
    surfCubemapread(&value, s, b, y, z);
    again = surfCubemapread<T>(s, b, y, z);
    break;
  default:
    surfCubemapLayeredread(&value, s, b, y, z % 6, z / 6);
    again = surfCubemapLayeredread<T>(s, b, y, z % 6, z / 6);
  }
  const T want = elementAt<T>(x, y, z);
  bool same = true;
  for (unsigned i = 0; i < sizeof(T); ++i)
    same &= ((unsigned char *)&value)[i] == ((const unsigned char *)&want)[i] &&
            ((unsigned char *)&again)[i] == ((const unsigned char *)&want)[i];
  if (!same)
    atomicAdd(wrong, 1);
}

template <class T> void checkType(const char *name) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<T>();
  const struct {
    Kind kind;
    hipExtent extent;
    unsigned flags;
    dim3 block;
  } kinds[] = {{k1D, {kWidth, 0, 0}, 0, dim3(kWidth)},
               {k2D, {kWidth, kHeight, 0}, 0, dim3(kWidth, kHeight)},
               {k3D, {kWidth, kHeight, kDepth}, 0, dim3(kWidth, kHeight, kDepth / 2)},
               {k1DLayered, {kWidth, 0, kDepth}, hipArrayLayered, dim3(kWidth, 1, kDepth)},
               {k2DLayered, {kWidth, kHeight, kDepth}, hipArrayLayered, dim3(kWidth, kHeight, kDepth / 2)},
               {kCubemap, {4, 4, 6}, hipArrayCubemap, dim3(4, 4, 6)},
               {kCubemapLayered, {4, 4, 12}, hipArrayCubemap | hipArrayLayered, dim3(4, 4, 12)}};
  DeviceArray<int> wrong(1);
  for (const auto &kind : kinds) {
    Surface surface(desc, kind.extent, kind.flags);
    writeAll<T><<<1, kind.block>>>(surface.object, kind.kind);
    HIP_CHECK(hipGetLastError());
    readAll<T><<<1, kind.block>>>(surface.object, kind.kind, wrong);
    if (wrong.host()[0] != 0) {
      ++checkFailures;
      std::fprintf(stderr, "%s, kind %d: %d elements differ\n", name, kind.kind, wrong.host()[0]);
    }
  }
}

TEST(everyType) {
  checkType<char>("char");
  checkType<unsigned char>("unsigned char");
  checkType<short>("short");
  checkType<float>("float");
  checkType<uchar2>("uchar2");
  checkType<ushort4>("ushort4");
  checkType<int2>("int2");
  checkType<uint4>("uint4");
  checkType<float4>("float4");
}

// Outside the array.
__global__ void outside(hipSurfaceObject_t s, int mode, int *out) {
  surf2Dread(out, s, -4, 0, mode);
  surf2Dread(out + 1, s, 4 * kWidth, 1, mode);
  surf2Dread(out + 2, s, 4, -7, mode);
  surf2Dread(out + 3, s, 8, kHeight + 100, mode);
  surf2Dread(out + 4, s, 4 * kWidth - 1, kHeight - 1, mode); // within the last element
}
__global__ void writeOutside(hipSurfaceObject_t s, int mode) {
  surf2Dwrite(-1, s, -4, 2, mode);
  surf2Dwrite(-2, s, 4 * kWidth, 2, mode);
  surf2Dwrite(-3, s, 4 * 2, kHeight, mode);
}

TEST(boundaries) {
  Surface surface(hipCreateChannelDesc<int>(), {kWidth, kHeight, 0}, 0);
  std::vector<int> elements(kWidth * kHeight);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = int(i) + 100;
  auto at = [&](int x, int y) -> int & { return elements[y * kWidth + x]; };
  auto upload = [&] {
    HIP_CHECK(hipMemcpy2DToArray(surface.array, 0, 0, elements.data(), kWidth * 4, kWidth * 4, kHeight,
                                 hipMemcpyHostToDevice));
  };
  upload();
  DeviceArray<int> out(5);
  outside<<<1, 1>>>(surface.object, hipBoundaryModeZero, out);
  CHECK(out.host() == (std::vector<int>{0, 0, 0, 0, at(kWidth - 1, kHeight - 1)}));
  outside<<<1, 1>>>(surface.object, hipBoundaryModeClamp, out);
  CHECK(out.host() ==
        (std::vector<int>{at(0, 0), at(kWidth - 1, 1), at(1, 0), at(2, kHeight - 1), at(kWidth - 1, kHeight - 1)}));
  auto readBack = [&] {
    std::vector<int> back(elements.size());
    HIP_CHECK(
        hipMemcpy2DFromArray(back.data(), kWidth * 4, surface.array, 0, 0, kWidth * 4, kHeight, hipMemcpyDeviceToHost));
    return back;
  };
  writeOutside<<<1, 1>>>(surface.object, hipBoundaryModeZero);
  CHECK(readBack() == elements);
  writeOutside<<<1, 1>>>(surface.object, hipBoundaryModeClamp);
  at(0, 2) = -1;
  at(kWidth - 1, 2) = -2;
  at(2, kHeight - 1) = -3;
  CHECK(readBack() == elements);
}

// One memory, seen through a surface, a texture and copies in turn, in stream order.
__global__ void increment(hipSurfaceObject_t s) {
  const int b = 4 * threadIdx.x, y = threadIdx.y;
  surf2Dwrite(surf2Dread<float>(s, b, y) + 1, s, b, y);
}
__global__ void readTexture(hipTextureObject_t t, float *out) {
  out[threadIdx.y * kWidth + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

TEST(aliases) {
  Surface surface(hipCreateChannelDesc<float>(), {kWidth, kHeight, 0}, 0);
  const hipResourceDesc resource = ofArray(surface.array);
  hipTextureDesc desc{};
  desc.filterMode = hipFilterModeLinear;
  desc.addressMode[0] = desc.addressMode[1] = hipAddressModeClamp;
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  std::vector<float> elements(kWidth * kHeight), back(elements.size());
  DeviceArray<float> out(elements.size());
  HIP_CHECK(hipDeviceSynchronize());
  for (int round = 0; round < 20; ++round) {
    for (float &element : elements)
      element = float(round * 7);
    // The texture exists already when the array is written.
    HIP_CHECK(hipMemcpy2DToArrayAsync(surface.array, 0, 0, elements.data(), kWidth * 4, kWidth * 4, kHeight,
                                      hipMemcpyHostToDevice, stream));
    for (int i = 0; i < 3; ++i)
      increment<<<1, dim3(kWidth, kHeight), 0, stream>>>(surface.object);
    readTexture<<<1, dim3(kWidth, kHeight), 0, stream>>>(texture, out);
    HIP_CHECK(hipMemcpy2DFromArrayAsync(back.data(), kWidth * 4, surface.array, 0, 0, kWidth * 4, kHeight,
                                        hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    const std::vector<float> seen = out.host();
    for (size_t i = 0; i < seen.size(); ++i) {
      CHECK_EQ(seen[i], float(round * 7 + 3));
      CHECK_EQ(back[i], float(round * 7 + 3));
    }
  }
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipDestroyTextureObject(texture));
}

// Memory of hipMalloc behind a texture, changed by kernels and copies.
__global__ void fill(int *memory, int value) { memory[threadIdx.x] = value + int(threadIdx.x); }
__global__ void fetch(hipTextureObject_t t, int *out) { out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x); }

TEST(linearAliases) {
  DeviceArray<int> memory(64), out(64);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {static_cast<int *>(memory), hipCreateChannelDesc<int>(), 64 * sizeof(int)};
  const hipTextureDesc desc{};
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  for (int round = 0; round < 10; ++round) {
    fill<<<1, 64>>>(memory, round);
    fetch<<<1, 64>>>(texture, out);
    const std::vector<int> seen = out.host();
    for (int i = 0; i < 64; ++i)
      CHECK_EQ(seen[i], round + i);
  }
  HIP_CHECK(hipDestroyTextureObject(texture));
}

// A level of a mipmapped array is a surface like any other; the texture of the whole sees what is written.
__global__ void paint(hipSurfaceObject_t s, float colour) { surf2Dwrite(colour, s, 4 * threadIdx.x, threadIdx.y); }
__global__ void readLevels(hipTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, threadIdx.x);
}

TEST(levels) {
  hipMipmappedArray_t array;
  const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
  HIP_CHECK(hipMallocMipmappedArray(&array, &channels, make_hipExtent(8, 8, 0), 4, hipArraySurfaceLoadStore));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  hipTextureDesc desc{};
  desc.normalizedCoords = 1;
  desc.maxMipmapLevelClamp = 10;
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  for (unsigned level = 0; level < 4; ++level) {
    hipArray_t part;
    HIP_CHECK(hipGetMipmappedArrayLevel(&part, array, level));
    hipSurfaceObject_t surface;
    const hipResourceDesc ofPart = ofArray(part);
    HIP_CHECK(hipCreateSurfaceObject(&surface, &ofPart));
    paint<<<1, dim3(8 >> level, 8 >> level)>>>(surface, 2.5f * level);
    HIP_CHECK(hipDestroySurfaceObject(surface));
  }
  DeviceArray<float> out(4);
  readLevels<<<1, 4>>>(texture, out);
  CHECK(out.host() == (std::vector<float>{0, 2.5f, 5, 7.5f}));
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFreeMipmappedArray(array));
}

TEST(badInput) {
  hipSurfaceObject_t object;
  hipResourceDesc resource{};
  CHECK_EQ(hipCreateSurfaceObject(nullptr, &resource), hipErrorInvalidValue);
  CHECK_EQ(hipCreateSurfaceObject(&object, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipCreateSurfaceObject(&object, &resource), hipErrorInvalidValue); // no array
  resource.res.array.array = reinterpret_cast<hipArray_t>(&resource);
  CHECK_EQ(hipCreateSurfaceObject(&object, &resource), hipErrorInvalidHandle);
  DeviceArray<int> memory(16);
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {static_cast<int *>(memory), hipCreateChannelDesc<int>(), 64};
  CHECK_EQ(hipCreateSurfaceObject(&object, &resource), hipErrorInvalidValue);
  HIP_CHECK(hipDestroySurfaceObject(nullptr));
  Surface surface(hipCreateChannelDesc<int>(), {4, 0, 0}, 0);
  CHECK_EQ(hipDestroyTextureObject(reinterpret_cast<hipTextureObject_t>(surface.object)), hipErrorInvalidValue);
  const hipResourceDesc valid = ofArray(surface.array);
  HIP_CHECK(hipCreateSurfaceObject(&object, &valid));
  HIP_CHECK(hipDestroySurfaceObject(object));
  CHECK_EQ(hipDestroySurfaceObject(object), hipErrorInvalidValue);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
