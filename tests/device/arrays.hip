// SPDX-License-Identifier: MIT
// Arrays and mipmapped arrays: what they are asked to be is what they say they are, shapes that do not exist are refused, and
// their memory belongs to them alone.
#include "check.h"

#include <atomic>
#include <cstring>
#include <thread>

template <class Create> static void refused(Create create, hipError_t error) {
  hipArray_t array = nullptr;
  CHECK_EQ(create(&array), error);
  if (!array)
    return;
  ++checkFailures;
  HIP_CHECK(hipFreeArray(array));
}

TEST(describedAsCreated) {
  const struct {
    hipArray_Format format;
    hipChannelFormatKind kind;
    int bits;
  } formats[] = {{HIP_AD_FORMAT_UNSIGNED_INT8, hipChannelFormatKindUnsigned, 8},
                 {HIP_AD_FORMAT_UNSIGNED_INT16, hipChannelFormatKindUnsigned, 16},
                 {HIP_AD_FORMAT_UNSIGNED_INT32, hipChannelFormatKindUnsigned, 32},
                 {HIP_AD_FORMAT_SIGNED_INT8, hipChannelFormatKindSigned, 8},
                 {HIP_AD_FORMAT_SIGNED_INT16, hipChannelFormatKindSigned, 16},
                 {HIP_AD_FORMAT_SIGNED_INT32, hipChannelFormatKindSigned, 32},
                 {HIP_AD_FORMAT_HALF, hipChannelFormatKindFloat, 16},
                 {HIP_AD_FORMAT_FLOAT, hipChannelFormatKindFloat, 32}};
  for (const auto &format : formats)
    for (unsigned channels : {1u, 2u, 4u}) {
      const int bits = format.bits;
      const hipChannelFormatDesc desc = hipCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                                             channels > 2 ? bits : 0, format.kind);
      const struct {
        hipExtent extent;
        unsigned flags;
      } shapes[] = {{{7, 0, 0}, 0},
                    {{7, 5, 0}, hipArrayTextureGather},
                    {{7, 5, 3}, hipArraySurfaceLoadStore},
                    {{7, 0, 4}, hipArrayLayered},
                    {{7, 5, 4}, hipArrayLayered},
                    {{6, 6, 6}, hipArrayCubemap},
                    {{6, 6, 12}, hipArrayCubemap | hipArrayLayered}};
      for (const auto &shape : shapes) {
        hipArray_t arrays[2];
        HIP_CHECK(hipMalloc3DArray(&arrays[0], &desc, shape.extent, shape.flags));
        const HIP_ARRAY3D_DESCRIPTOR driver = {
            shape.extent.width, shape.extent.height, shape.extent.depth, format.format, channels, shape.flags};
        HIP_CHECK(hipArray3DCreate(&arrays[1], &driver));
        for (hipArray_t array : arrays) {
          hipChannelFormatDesc gotDesc;
          hipExtent extent;
          unsigned flags;
          HIP_CHECK(hipArrayGetInfo(&gotDesc, &extent, &flags, array));
          CHECK(std::memcmp(&gotDesc, &desc, sizeof desc) == 0);
          CHECK(std::memcmp(&extent, &shape.extent, sizeof extent) == 0);
          CHECK_EQ(flags, shape.flags);
          HIP_CHECK(hipArrayGetInfo(nullptr, nullptr, nullptr, array));
          HIP_CHECK(hipGetChannelDesc(&gotDesc, array));
          CHECK(std::memcmp(&gotDesc, &desc, sizeof desc) == 0);
          HIP_ARRAY3D_DESCRIPTOR got;
          HIP_CHECK(hipArray3DGetDescriptor(&got, array));
          CHECK_EQ(got.Width, driver.Width);
          CHECK_EQ(got.Height, driver.Height);
          CHECK_EQ(got.Depth, driver.Depth);
          CHECK_EQ(int(got.Format), int(driver.Format));
          CHECK_EQ(got.NumChannels, driver.NumChannels);
          CHECK_EQ(got.Flags, driver.Flags);
          HIP_ARRAY_DESCRIPTOR flat{};
          if (shape.extent.depth == 0) {
            HIP_CHECK(hipArrayGetDescriptor(&flat, array));
            CHECK_EQ(flat.Width, driver.Width);
            CHECK_EQ(flat.Height, driver.Height);
            CHECK_EQ(flat.NumChannels, driver.NumChannels);
          } else {
            CHECK_EQ(hipArrayGetDescriptor(&flat, array), hipErrorInvalidValue);
          }
        }
        HIP_CHECK(hipFreeArray(arrays[0]));
        HIP_CHECK(hipArrayDestroy(arrays[1]));
      }
    }
  hipArray_t array;
  const HIP_ARRAY_DESCRIPTOR flat = {9, 3, HIP_AD_FORMAT_HALF, 2};
  HIP_CHECK(hipArrayCreate(&array, &flat));
  HIP_ARRAY_DESCRIPTOR got;
  HIP_CHECK(hipArrayGetDescriptor(&got, array));
  CHECK(got.Width == 9 && got.Height == 3 && got.Format == HIP_AD_FORMAT_HALF && got.NumChannels == 2);
  HIP_CHECK(hipArrayDestroy(array));
}

TEST(badShapes) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  auto make = [&](hipExtent extent, unsigned flags) {
    return [=](hipArray_t *array) { return hipMalloc3DArray(array, &desc, extent, flags); };
  };
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(properties.maxTexture1D >= 65536 && properties.maxTexture2D[0] >= 32768 && properties.maxTexture3D[0] >= 2048);
  CHECK(properties.maxTextureCubemap >= 16384 && properties.maxTexture2DLayered[2] >= 2048);
  const size_t beyond1D = size_t(properties.maxTexture1D) + 1, beyond2D = size_t(properties.maxTexture2D[1]) + 1;
  const size_t beyond3D = size_t(properties.maxTexture3D[2]) + 1,
               layers = size_t(properties.maxTexture2DLayered[2]) + 1;
  refused(make({0, 0, 0}, 0), hipErrorInvalidValue);
  refused(make({4, 0, 4}, 0), hipErrorInvalidValue);
  refused(make({4, 4, 0}, hipArrayLayered), hipErrorInvalidValue);
  refused(make({4, 5, 6}, hipArrayCubemap), hipErrorInvalidValue);
  refused(make({4, 4, 5}, hipArrayCubemap), hipErrorInvalidValue);
  refused(make({4, 4, 12}, hipArrayCubemap), hipErrorInvalidValue);
  refused(make({4, 4, 8}, hipArrayCubemap | hipArrayLayered), hipErrorInvalidValue);
  refused(make({4, 4, 4}, hipArrayTextureGather), hipErrorInvalidValue);
  refused(make({4, 0, 0}, hipArrayTextureGather), hipErrorInvalidValue);
  refused(make({4, 4, 0}, 0x100), hipErrorInvalidValue);
  refused(make({beyond1D, 0, 0}, 0), hipErrorInvalidValue);
  refused(make({4, beyond2D, 0}, 0), hipErrorInvalidValue);
  refused(make({4, 4, beyond3D}, 0), hipErrorInvalidValue);
  refused(make({4, 4, layers}, hipArrayLayered), hipErrorInvalidValue);
  refused([&](hipArray_t *array) { return hipMallocArray(array, &desc, 4, 4, hipArrayLayered); }, hipErrorInvalidValue);
  refused([&](hipArray_t *array) { return hipMallocArray(array, nullptr, 4, 4); }, hipErrorInvalidValue);
  CHECK_EQ(hipMallocArray(nullptr, &desc, 4, 4), hipErrorInvalidValue);
  const hipChannelFormatDesc bad[] = {
      {0, 0, 0, 0, hipChannelFormatKindFloat},     {32, 32, 32, 0, hipChannelFormatKindFloat},
      {8, 0, 0, 0, hipChannelFormatKindFloat},     {32, 16, 0, 0, hipChannelFormatKindSigned},
      {12, 0, 0, 0, hipChannelFormatKindUnsigned}, {32, 0, 32, 0, hipChannelFormatKindSigned},
      {32, 0, 0, 0, hipChannelFormatKindNone},     {64, 0, 0, 0, hipChannelFormatKindSigned}};
  for (const hipChannelFormatDesc &format : bad)
    for (const hipExtent extent :
         {hipExtent{4, 4, 0}, hipExtent{4, 4, 4}}) // hipErrorInvalidChannelDescriptor is for textures
      refused([&](hipArray_t *array) { return hipMalloc3DArray(array, &format, extent, 0); }, hipErrorInvalidValue);
  for (const hipChannelFormatDesc &format : bad)
    refused([&](hipArray_t *array) { return hipMallocArray(array, &format, 4, 4); }, hipErrorInvalidValue);
  for (const hipChannelFormatDesc &format : bad) {
    hipMipmappedArray_t mipmapped;
    CHECK_EQ(hipMallocMipmappedArray(&mipmapped, &format, {4, 4, 0}, 2, 0), hipErrorInvalidValue);
  }
  HIP_ARRAY3D_DESCRIPTOR driver = {4, 4, 0, HIP_AD_FORMAT_FLOAT, 3, 0};
  refused([&](hipArray_t *array) { return hipArray3DCreate(array, &driver); }, hipErrorInvalidValue);
  driver.NumChannels = 1;
  driver.Format = hipArray_Format(77);
  refused([&](hipArray_t *array) { return hipArray3DCreate(array, &driver); }, hipErrorInvalidValue);
  // More memory than there is.
  const hipChannelFormatDesc wide = hipCreateChannelDesc<float4>();
  refused(
      [&](hipArray_t *array) {
        return hipMalloc3DArray(array, &wide, {16384, 16384, 16384}, 0);
      },
      hipErrorOutOfMemory);
}

TEST(handles) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
  hipArray_t array;
  CHECK_EQ(hipFreeArray(nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipMallocArray(&array, &desc, 16, 16));
  HIP_CHECK(hipFreeArray(array));
  CHECK_EQ(hipFreeArray(array), hipErrorContextIsDestroyed);
  CHECK_EQ(hipArrayDestroy(array), hipErrorContextIsDestroyed);
  CHECK_EQ(hipArrayGetInfo(nullptr, nullptr, nullptr, array), hipErrorInvalidHandle);
  CHECK_EQ(hipFreeMipmappedArray(hipMipmappedArray_t(array)), hipErrorContextIsDestroyed);
  hipMipmappedArray_t levels;
  HIP_CHECK(hipMallocMipmappedArray(&levels, &desc, {16, 16, 0}, 2, 0));
  HIP_CHECK(hipFreeMipmappedArray(levels));
  CHECK_EQ(hipFreeMipmappedArray(levels), hipErrorContextIsDestroyed);
  CHECK_EQ(hipMipmappedArrayDestroy(levels), hipErrorContextIsDestroyed);
  int number = 0;
  CHECK_EQ(hipFreeArray(hipArray_t(&number)), hipErrorContextIsDestroyed);
  CHECK_EQ(hipGetLastError(), hipErrorContextIsDestroyed);
  CHECK_EQ(hipFreeMipmappedArray(nullptr), hipErrorInvalidValue);

  // The memory is accounted for.
  size_t before, during, after, total;
  HIP_CHECK(hipMemGetInfo(&before, &total));
  HIP_CHECK(hipMallocArray(&array, &desc, 1024, 1024));
  HIP_CHECK(hipMemGetInfo(&during, &total));
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipMemGetInfo(&after, &total));
  CHECK(before - during >= 4u << 20);
  CHECK_EQ(before, after);
}

TEST(mipmapped) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<short2>();
  hipMipmappedArray_t levels;
  HIP_CHECK(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(20, 9, 0), 3, hipArrayDefault));
  const size_t widths[] = {20, 10, 5}, heights[] = {9, 4, 2};
  hipArray_t array;
  for (unsigned i = 0; i < 3; ++i) {
    HIP_CHECK(hipGetMipmappedArrayLevel(&array, levels, i));
    hipExtent extent;
    HIP_CHECK(hipArrayGetInfo(nullptr, &extent, nullptr, array));
    CHECK_EQ(extent.width, widths[i]);
    CHECK_EQ(extent.height, heights[i]);
    CHECK_EQ(extent.depth, size_t(0));
    hipArray_t again;
    HIP_CHECK(hipMipmappedArrayGetLevel(&again, levels, i));
    CHECK(again == array);
  }
  // The fields of the structure, which tell where the memory is; it is not the application's to free.
  CHECK(levels->width == 20 && levels->height == 9 && levels->max_mipmap_level == 2 && levels->num_channels == 2);
  CHECK_EQ(hipFree(levels->data), hipErrorInvalidValue);
  CHECK_EQ(hipGetMipmappedArrayLevel(&array, levels, 3), hipErrorInvalidValue);
  CHECK_EQ(hipGetMipmappedArrayLevel(nullptr, levels, 0), hipErrorInvalidValue);
  HIP_CHECK(hipFreeMipmappedArray(levels));
  CHECK_EQ(hipFreeMipmappedArray(levels), hipErrorContextIsDestroyed);
  CHECK_EQ(hipArrayGetInfo(nullptr, nullptr, nullptr, array), hipErrorInvalidHandle); // it went along

  // As many levels as it takes to get to one element; layers and faces are not halved.
  HIP_ARRAY3D_DESCRIPTOR driver = {16, 4, 3, HIP_AD_FORMAT_UNSIGNED_INT8, 4, hipArrayLayered};
  CHECK_EQ(hipMipmappedArrayCreate(&levels, &driver, 6), hipErrorInvalidValue);
  HIP_CHECK(hipMipmappedArrayCreate(&levels, &driver, 5));
  HIP_CHECK(hipMipmappedArrayGetLevel(&array, levels, 4));
  HIP_ARRAY3D_DESCRIPTOR got;
  HIP_CHECK(hipArray3DGetDescriptor(&got, array));
  CHECK(got.Width == 1 && got.Height == 1 && got.Depth == 3 && got.Flags == hipArrayLayered);
  CHECK_EQ(hipMipmappedArrayGetLevel(&array, levels, 5), hipErrorInvalidValue);
  HIP_CHECK(hipMipmappedArrayDestroy(levels));
  CHECK_EQ(hipMipmappedArrayDestroy(levels), hipErrorContextIsDestroyed);
  CHECK_EQ(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(6, 6, 6), 4), hipErrorInvalidValue);
  HIP_CHECK(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(8, 8, 8), 0));
  HIP_CHECK(hipGetMipmappedArrayLevel(&array, levels, 0));
  CHECK_EQ(hipGetMipmappedArrayLevel(&array, levels, 1), hipErrorInvalidValue);
  HIP_CHECK(hipFreeMipmappedArray(levels));
  CHECK_EQ(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(0, 8, 8), 1), hipErrorInvalidValue);
  CHECK_EQ(hipMallocMipmappedArray(nullptr, &desc, make_hipExtent(8, 8, 8), 1), hipErrorInvalidValue);
}

// Programs free each level that they have asked for, as AMD's library expects; the level stays in the mipmapped array.
TEST(freedLevelStaysInItsMipmappedArray) {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
  hipMipmappedArray_t levels;
  HIP_CHECK(hipMallocMipmappedArray(&levels, &desc, make_hipExtent(8, 4, 0), 2));
  const int written[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  hipArray_t array;
  HIP_CHECK(hipGetMipmappedArrayLevel(&array, levels, 1));
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, written, 16, 16, 2, hipMemcpyHostToDevice));
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipMipmappedArrayGetLevel(&array, levels, 1));
  int read[2][4] = {};
  HIP_CHECK(hipMemcpy2DFromArray(read, 16, array, 0, 0, 16, 2, hipMemcpyDeviceToHost));
  CHECK(std::memcmp(read, written, sizeof read) == 0);
  HIP_CHECK(hipArrayDestroy(array));
  HIP_CHECK(hipFreeMipmappedArray(levels));
  CHECK_EQ(hipFreeArray(array), hipErrorContextIsDestroyed);
}

TEST(manyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
      for (int i = 0; i < 50; ++i) {
        hipArray_t array;
        hipMipmappedArray_t levels;
        failures += hipMallocArray(&array, &desc, 32, 8) != hipSuccess;
        failures += hipMallocMipmappedArray(&levels, &desc, make_hipExtent(32, 8, 0), 3) != hipSuccess;
        failures += hipFreeArray(array) != hipSuccess;
        failures += hipFreeMipmappedArray(levels) != hipSuccess;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(failures.load(), 0);
}

template <class T> static void noTexel() {
  const hipChannelFormatDesc desc = hipCreateChannelDesc<T>();
  CHECK_EQ(desc.f, hipChannelFormatKindNone);
  CHECK_EQ(desc.x + desc.y + desc.z + desc.w, 0);
}

/// A format that no texel can have has a description as well, which no array takes.
TEST(descriptionsOfOtherTypes) {
  noTexel<float3>();
  noTexel<uchar3>();
  noTexel<double>();
  noTexel<longlong2>();
  noTexel<bool>();
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float3>();
  hipArray_t array = nullptr;
  CHECK_EQ(hipMallocArray(&array, &desc, 4, 4), hipErrorInvalidValue);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
