// SPDX-License-Identifier: MIT
// Fills of rows and boxes: what is filled, what is left alone, and how large ones fare.
#include "check.h"

namespace {

hipStream_t stream; // of the whole program

std::vector<unsigned char> bytesOf(const void *device, size_t bytes) {
  std::vector<unsigned char> copy(bytes);
  HIP_CHECK(hipMemcpy(copy.data(), device, bytes, hipMemcpyDeviceToHost));
  return copy;
}

struct Shape {
  size_t width, height, depth, pitch, rows;
};

// Few rows, many rows, long rows, no gaps between rows, none between slices, one row a slice.
constexpr Shape kShapes[] = {{10, 3, 1, 16, 3},   {10, 1000, 1, 13, 1000}, {70000, 12, 1, 70016, 12},
                             {32, 50, 7, 32, 50}, {30, 50, 7, 32, 50},     {30, 50, 7, 32, 53},
                             {32, 50, 7, 32, 53}, {5, 1, 100, 8, 1},       {5, 1, 100, 8, 3},
                             {1, 1, 1, 1, 1},     {4, 9, 1, 4, 9},         {7, 2, 33, 7, 2}};

TEST(boxes) {
  int way = 0;
  for (const Shape &shape : kShapes) {
    const size_t bytes = shape.pitch * shape.rows * shape.depth;
    unsigned char *memory;
    HIP_CHECK(hipMalloc(&memory, bytes));
    for (int round = 0; round < 4; ++round, ++way) {
      HIP_CHECK(hipMemset(memory, 0xee, bytes));
      const unsigned char value = static_cast<unsigned char>(3 + way);
      std::vector<unsigned char> expected(bytes, 0xee);
      for (size_t z = 0; z < shape.depth; ++z)
        for (size_t y = 0; y < shape.height; ++y)
          std::memset(&expected[(z * shape.rows + y) * shape.pitch], value, shape.width);
      const hipPitchedPtr box = make_hipPitchedPtr(memory, shape.pitch, shape.width, shape.rows);
      const hipExtent extent = make_hipExtent(shape.width, shape.height, shape.depth);
      // The low byte of the value counts.
      switch (round) {
      case 0: HIP_CHECK(hipMemset3D(box, value + 0x1200, extent)); break;
      case 1: HIP_CHECK(hipMemset3DAsync(box, value - 0x100, extent, stream)); break;
      case 2: HIP_CHECK(hipMemset3D_spt(box, value, extent)); break;
      case 3: HIP_CHECK(hipMemset3DAsync_spt(box, value, extent, stream)); break;
      }
      HIP_CHECK(hipStreamSynchronize(stream));
      CHECK(bytesOf(memory, bytes) == expected);
      if (shape.depth > 1)
        continue;
      HIP_CHECK(hipMemset(memory, 0xee, bytes));
      switch (round) {
      case 0: HIP_CHECK(hipMemset2D(memory, shape.pitch, value, shape.width, shape.height)); break;
      case 1: HIP_CHECK(hipMemset2DAsync(memory, shape.pitch, value, shape.width, shape.height, stream)); break;
      case 2: HIP_CHECK(hipMemset2D_spt(memory, shape.pitch, value, shape.width, shape.height)); break;
      case 3: HIP_CHECK(hipMemset2DAsync_spt(memory, shape.pitch, value, shape.width, shape.height, stream)); break;
      }
      HIP_CHECK(hipStreamSynchronize(stream));
      CHECK(bytesOf(memory, bytes) == expected);
    }
    HIP_CHECK(hipFree(memory));
  }
}

// Memory of every kind that devices reach.
TEST(kinds) {
  void *pinned, *managed;
  HIP_CHECK(hipHostMalloc(&pinned, 4096, hipHostMallocDefault));
  HIP_CHECK(hipMallocManaged(&managed, 4096, hipMemAttachGlobal));
  for (void *memory : {pinned, managed}) {
    std::memset(memory, 1, 4096);
    HIP_CHECK(hipMemset2D(memory, 64, 9, 60, 64));
    HIP_CHECK(hipDeviceSynchronize());
    const auto *bytes = static_cast<const unsigned char *>(memory);
    bool right = true;
    for (int i = 0; i < 4096; ++i)
      right &= bytes[i] == (i % 64 < 60 ? 9 : 1);
    CHECK(right);
  }
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(managed));
}

TEST(badArguments) {
  unsigned char *memory;
  constexpr size_t kPitch = 256, kHeight = 57, kDepth = 16;
  HIP_CHECK(hipMalloc(&memory, kPitch * kHeight * kDepth));
  std::vector<unsigned char> host(kPitch * kHeight * kDepth);
  const hipExtent extent = make_hipExtent(184, kHeight, kDepth);
  auto fill3D = [&](void *to, size_t pitch, size_t rows, hipExtent size) {
    return hipMemset3D(make_hipPitchedPtr(to, pitch, 184, rows), 1, size);
  };
  CHECK_EQ(fill3D(memory, kPitch, kHeight, extent), hipSuccess);
  CHECK_EQ(fill3D(nullptr, kPitch, kHeight, extent), hipErrorInvalidValue);
  CHECK_EQ(fill3D(host.data(), kPitch, kHeight, extent), hipErrorInvalidValue);
  CHECK_EQ(fill3D(memory, 1, kHeight, extent), hipErrorInvalidValue);
  CHECK_EQ(fill3D(memory + 1, kPitch, kHeight, make_hipExtent(kPitch, kHeight, kDepth)), hipErrorInvalidValue);
  for (size_t much : {size_t{SIZE_MAX}, size_t{SIZE_MAX / 2}}) {
    CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(much, kHeight, kDepth)), hipErrorInvalidValue);
    CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(184, much, kDepth)), hipErrorInvalidValue);
    CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(184, kHeight, much)), hipErrorInvalidValue);
  }
  CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(kPitch + 1, kHeight, kDepth)), hipErrorInvalidValue);
  CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(184, kHeight + 1, kDepth)), hipErrorInvalidValue);
  CHECK_EQ(fill3D(memory, kPitch, kHeight, make_hipExtent(184, kHeight, kDepth + 1)), hipErrorInvalidValue);
  CHECK_EQ(fill3D(memory + kPitch * kHeight * kDepth + 1, kPitch, kHeight, make_hipExtent(0, 0, 0)), hipSuccess);

  CHECK_EQ(hipMemset2D(nullptr, kPitch, 1, 184, kHeight), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2D(host.data(), kPitch, 1, 184, kHeight), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2D(memory, 1, 1, 184, kHeight), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2D(memory, kPitch, 1, kPitch + 1, kHeight), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2D(memory, kPitch, 1, 184, kHeight * kDepth + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2D(memory, kPitch, 1, 0, kHeight), hipSuccess);
  CHECK_EQ(hipMemset2D(memory, kPitch, 1, 184, 0), hipSuccess);
  CHECK_EQ(hipMemsetD16(memory + 1, 1, 4), hipErrorInvalidValue); // not aligned
  CHECK_EQ(hipMemsetD32(memory + 2, 1, 4), hipErrorInvalidValue);
  CHECK_EQ(hipMemset2DAsync(memory, kPitch, 1, 184, kHeight, reinterpret_cast<hipStream_t>(memory)),
           hipErrorContextIsDestroyed);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(memory));
}

} // namespace

int main(int argc, char **argv) {
  HIP_CHECK(hipStreamCreate(&stream));
  const int result = runTests(argc, argv);
  HIP_CHECK(hipStreamDestroy(stream));
  return result;
}
