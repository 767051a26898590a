// SPDX-License-Identifier: MIT
// Copies to and from arrays: rectangles, boxes, bytes that fill row after row, layers, and arrays of one dimension.
#include "check.h"

#include <numeric>

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // hipMemcpyToArray, hipMemcpyFromArray

namespace {

hipStream_t stream; // of the whole program

/// An array that is freed at the end of the scope.
class Array {
public:
  template <class T> static Array of(size_t width, size_t height = 0, size_t depth = 0, unsigned flags = 0) {
    Array array;
    const hipChannelFormatDesc format = hipCreateChannelDesc<T>();
    if (depth == 0)
      HIP_CHECK(hipMallocArray(&array.handle_, &format, width, height, flags));
    else
      HIP_CHECK(hipMalloc3DArray(&array.handle_, &format, make_hipExtent(width, height, depth), flags));
    return array;
  }
  Array(const Array &) = delete;
  Array(Array &&other) : handle_(other.handle_) { other.handle_ = nullptr; }
  ~Array() {
    if (handle_)
      HIP_CHECK(hipFreeArray(handle_));
  }
  operator hipArray_t() const { return handle_; }

private:
  Array() = default;
  hipArray_t handle_ = nullptr;
};

std::vector<int> numbers(size_t count, int first) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

constexpr size_t kWidth = 50, kHeight = 9, kRow = kWidth * sizeof(int);

std::vector<int> contents(hipArray_t array) {
  std::vector<int> values(kWidth * kHeight);
  HIP_CHECK(hipMemcpy2DFromArray(values.data(), kRow, array, 0, 0, kRow, kHeight, hipMemcpyDeviceToHost));
  return values;
}

TEST(rectangles) {
  const Array array = Array::of<int>(kWidth, kHeight);
  std::vector<int> expected = numbers(kWidth * kHeight, 0);
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, expected.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice));
  CHECK(contents(array) == expected);

  // A rectangle of 6 x 3 elements, from memory of several kinds, by all the functions.
  const std::vector<int> patch = numbers(8 * 3, 10000); // rows of 8, of which 6 are copied
  DeviceArray<int> devicePatch(patch);
  for (int way = 0; way < 6; ++way) {
    const size_t x = 3 + 5 * way, y = way;
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 6; ++column)
        expected[(y + row) * kWidth + x + column] = patch[row * 8 + column];
    switch (way) {
    case 0: HIP_CHECK(hipMemcpy2DToArray(array, x * 4, y, patch.data(), 32, 24, 3, hipMemcpyHostToDevice)); break;
    case 1: HIP_CHECK(hipMemcpy2DToArray_spt(array, x * 4, y, devicePatch, 32, 24, 3, hipMemcpyDeviceToDevice)); break;
    case 2:
      HIP_CHECK(hipMemcpy2DToArrayAsync(array, x * 4, y, patch.data(), 32, 24, 3, hipMemcpyDefault, stream));
      break;
    case 3:
      HIP_CHECK(hipMemcpy2DToArrayAsync_spt(array, x * 4, y, devicePatch, 32, 24, 3, hipMemcpyDefault, stream));
      break;
    case 4: {
      hip_Memcpy2D copy{};
      copy.srcMemoryType = hipMemoryTypeHost, copy.srcHost = patch.data(), copy.srcPitch = 32;
      copy.dstMemoryType = hipMemoryTypeArray, copy.dstArray = array, copy.dstXInBytes = x * 4, copy.dstY = y;
      copy.WidthInBytes = 24, copy.Height = 3;
      HIP_CHECK(hipMemcpyParam2D(&copy));
      break;
    }
    case 5: {
      // The extent is in elements because of the array, the position in the memory in bytes because it is memory.
      hipMemcpy3DParms box{};
      box.srcPtr = make_hipPitchedPtr(const_cast<int *>(patch.data()), 32, 32, 3);
      box.dstArray = array;
      box.dstPos = make_hipPos(x, y, 0);
      box.extent = make_hipExtent(6, 3, 1);
      box.kind = hipMemcpyHostToDevice;
      HIP_CHECK(hipMemcpy3D(&box));
      break;
    }
    }
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(contents(array) == expected);
  }

  // Out of the array: a rectangle at (4, 2).
  std::vector<int> part(5 * 4);
  auto isPart = [&] {
    bool right = true;
    for (size_t row = 0; row < 4; ++row)
      for (size_t column = 0; column < 5; ++column)
        right &= part[row * 5 + column] == expected[(2 + row) * kWidth + 4 + column];
    std::fill(part.begin(), part.end(), -1);
    return right;
  };
  HIP_CHECK(hipMemcpy2DFromArray_spt(part.data(), 20, array, 16, 2, 20, 4, hipMemcpyDeviceToHost));
  CHECK(isPart());
  HIP_CHECK(hipMemcpy2DFromArrayAsync(part.data(), 20, array, 16, 2, 20, 4, hipMemcpyDefault, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(isPart());
  HIP_CHECK(hipMemcpy2DFromArrayAsync_spt(part.data(), 20, array, 16, 2, 20, 4, hipMemcpyDeviceToHost, nullptr));
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  CHECK(isPart());

  // From array to array.
  const Array other = Array::of<int>(kWidth, kHeight);
  const std::vector<int> zeros(kWidth * kHeight);
  HIP_CHECK(hipMemcpy2DToArray(other, 0, 0, zeros.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy2DArrayToArray(other, 8, 1, array, 40, 3, 60, 4, hipMemcpyDeviceToDevice));
  std::vector<int> moved(kWidth * kHeight);
  for (size_t row = 0; row < 4; ++row)
    for (size_t column = 0; column < 15; ++column)
      moved[(1 + row) * kWidth + 2 + column] = expected[(3 + row) * kWidth + 10 + column];
  CHECK(contents(other) == moved);
}

// Rows follow each other without their padding.
TEST(bytesThroughRows) {
  const Array array = Array::of<int>(kWidth, kHeight);
  std::vector<int> expected(kWidth * kHeight);
  HIP_CHECK(hipMemcpyToArray(array, 0, 0, expected.data(), expected.size() * 4, hipMemcpyHostToDevice));
  struct Range {
    size_t x, y, count;
  };
  const Range ranges[] = {{0, 0, 3},
                          {10, 0, 4},
                          {45, 1, 20},
                          {7, 2, 43},
                          {0, 3, kWidth},
                          {1, 3, kWidth * 4},
                          {0, 0, kWidth * kHeight},
                          {49, 8, 1},
                          {0, 5, kWidth * 2 + 3}};
  int first = 1;
  for (const Range &range : ranges) {
    const std::vector<int> values = numbers(range.count, first += 100000);
    std::copy(values.begin(), values.end(), expected.begin() + range.y * kWidth + range.x);
    HIP_CHECK(hipMemcpyToArray(array, range.x * 4, range.y, values.data(), range.count * 4, hipMemcpyHostToDevice));
    CHECK(contents(array) == expected);
    std::vector<int> back(range.count);
    HIP_CHECK(hipMemcpyFromArray(back.data(), array, range.x * 4, range.y, range.count * 4, hipMemcpyDeviceToHost));
    CHECK(back == values);
    std::fill(back.begin(), back.end(), 0);
    HIP_CHECK(hipMemcpyFromArray_spt(back.data(), array, range.x * 4, range.y, range.count * 4, hipMemcpyDefault));
    CHECK(back == values);
  }
  // One byte more than there is.
  CHECK_EQ(hipMemcpyToArray(array, 0, 1, expected.data(), kRow * (kHeight - 1) + 4, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyToArray(array, kRow + 4, 0, expected.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyToArray(array, 0, kHeight, expected.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DFromArray(expected.data(), 4, array, 0, 0, 4, 1, hipMemcpyHostToHost),
           hipErrorInvalidMemcpyDirection);
  CHECK(contents(array) == expected);
}

TEST(oneDimension) {
  constexpr size_t kCount = 300, kBytes = kCount * sizeof(int);
  const Array array = Array::of<int>(kCount), other = Array::of<int>(kCount);
  const std::vector<int> values = numbers(kCount, 5);
  std::vector<int> back(kCount);
  DeviceArray<int> device(kCount);

  HIP_CHECK(hipMemcpyHtoA(array, 0, values.data(), kBytes));
  HIP_CHECK(hipMemcpyAtoH(back.data(), array, 0, kBytes));
  CHECK(back == values);
  HIP_CHECK(hipMemcpyAtoD(device, array, 40, 400)); // elements 10 to 109
  HIP_CHECK(hipMemcpyDtoA(other, 80, device, 400));
  HIP_CHECK(hipMemcpyAtoHAsync(back.data(), other, 80, 400, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(std::equal(back.begin(), back.begin() + 100, values.begin() + 10));
  HIP_CHECK(hipMemcpyAtoA(other, 0, array, 200, 1000));
  HIP_CHECK(hipMemcpyAtoH(back.data(), other, 0, 1000));
  CHECK(std::equal(back.begin(), back.begin() + 250, values.begin() + 50));
  const std::vector<int> again = numbers(kCount, 900);
  HIP_CHECK(hipMemcpyHtoAAsync(array, 0, again.data(), kBytes, stream));
  HIP_CHECK(hipMemcpyAtoHAsync(back.data(), array, 0, kBytes, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(back == again);

  CHECK_EQ(hipMemcpyAtoH(nullptr, array, 0, kBytes), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAtoH(back.data(), nullptr, 0, kBytes), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAtoH(back.data(), array, 4, kBytes), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAtoH(back.data(), array, 0, kBytes + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyHtoA(array, kBytes + 8, back.data(), 4), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAtoD(back.data(), array, 0, 4), hipErrorInvalidValue); // not memory of a device
  CHECK_EQ(hipMemcpyAtoA(array, 4, other, 0, kBytes), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyAtoA(nullptr, 0, other, 0, 4), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyHtoA(array, kBytes, back.data(), 0), hipSuccess);
  // More than a row of an array of two dimensions.
  const Array rows = Array::of<int>(10, 10);
  CHECK_EQ(hipMemcpyAtoH(back.data(), rows, 0, 100 * 4), hipErrorInvalidValue);
}

TEST(boxesAndLayers) {
  constexpr size_t kX = 7, kY = 5, kZ = 4;
  const Array volume = Array::of<float4>(kX, kY, kZ), layers = Array::of<float4>(kX, kY, kZ, hipArrayLayered);
  std::vector<float4> values(kX * kY * kZ), back(kX * kY * kZ);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = make_float4(i, i + 0.25f, -static_cast<float>(i), 1);
  hipMemcpy3DParms in{};
  in.srcPtr = make_hipPitchedPtr(values.data(), kX * sizeof(float4), kX, kY);
  in.dstArray = volume;
  in.extent = make_hipExtent(kX, kY, kZ);
  in.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&in));

  hipMemcpy3DParms across{};
  across.srcArray = volume;
  across.dstArray = layers;
  across.extent = make_hipExtent(kX, kY, kZ);
  across.kind = hipMemcpyDeviceToDevice;
  HIP_CHECK(hipMemcpy3DAsync(&across, nullptr));
  // Slice 2 of the volume into layer 0, shifted by an element and a row.
  across.srcPos = make_hipPos(0, 0, 2);
  across.dstPos = make_hipPos(1, 1, 0);
  across.extent = make_hipExtent(kX - 1, kY - 1, 1);
  HIP_CHECK(hipMemcpy3D(&across));

  hipMemcpy3DParms out{};
  out.srcArray = layers;
  out.dstPtr = make_hipPitchedPtr(back.data(), kX * sizeof(float4), kX, kY);
  out.extent = make_hipExtent(kX, kY, kZ);
  out.kind = hipMemcpyDeviceToHost;
  HIP_CHECK(hipMemcpy3D(&out));
  std::vector<float4> expected = values;
  for (size_t y = 0; y + 1 < kY; ++y)
    for (size_t x = 0; x + 1 < kX; ++x)
      expected[(y + 1) * kX + x + 1] = values[(2 * kY + y) * kX + x];
  CHECK(std::memcmp(back.data(), expected.data(), back.size() * sizeof(float4)) == 0);

  // The positions in memory are bytes, also beside an array.
  float4 one{};
  out.srcPos = make_hipPos(2, 3, 1);
  out.dstPtr = make_hipPitchedPtr(back.data(), kX * sizeof(float4), kX, kY);
  out.dstPos = make_hipPos(sizeof(float4), 0, 0);
  out.extent = make_hipExtent(1, 1, 1);
  HIP_CHECK(hipMemcpy3D(&out));
  one = expected[(1 * kY + 3) * kX + 2];
  CHECK(std::memcmp(&back[1], &one, sizeof one) == 0);

  // The description of the driver API counts bytes.
  HIP_MEMCPY3D described{};
  described.srcMemoryType = hipMemoryTypeArray, described.srcArray = volume;
  described.srcXInBytes = 3 * sizeof(float4), described.srcY = 1, described.srcZ = 3;
  described.dstMemoryType = hipMemoryTypeHost, described.dstHost = back.data();
  described.WidthInBytes = 2 * sizeof(float4), described.Height = 2, described.Depth = 1;
  HIP_CHECK(hipDrvMemcpy3D(&described));
  for (size_t y = 0; y < 2; ++y)
    CHECK(std::memcmp(&back[y * 2], &values[(3 * kY + 1 + y) * kX + 3], 2 * sizeof(float4)) == 0);

  described.srcArray = nullptr;
  CHECK_EQ(hipDrvMemcpy3D(&described), hipErrorInvalidValue);

  // One too many in each dimension.
  for (int dimension = 0; dimension < 3; ++dimension) {
    hipMemcpy3DParms over = in;
    (dimension == 0 ? over.dstPos.x : dimension == 1 ? over.dstPos.y : over.dstPos.z) = 1;
    CHECK_EQ(hipMemcpy3D(&over), hipErrorInvalidValue);
  }
  // Arrays of different elements.
  const Array narrow = Array::of<float2>(kX, kY, kZ);
  across.dstArray = narrow;
  CHECK_EQ(hipMemcpy3D(&across), hipErrorInvalidValue);
}

TEST(badArguments) {
  const Array array = Array::of<int>(kWidth, kHeight);
  std::vector<int> host(kWidth * kHeight);
  hipArray_t gone;
  {
    const Array freed = Array::of<int>(kWidth, kHeight);
    gone = freed;
  }
  for (hipArray_t none : {hipArray_t(nullptr), gone, reinterpret_cast<hipArray_t>(host.data())}) {
    CHECK_EQ(hipMemcpy2DToArray(none, 0, 0, host.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice),
             hipErrorInvalidHandle);
    CHECK_EQ(hipMemcpy2DFromArray(host.data(), kRow, none, 0, 0, kRow, kHeight, hipMemcpyDeviceToHost),
             hipErrorInvalidHandle);
    CHECK_EQ(hipMemcpy2DArrayToArray(array, 0, 0, none, 0, 0, kRow, kHeight, hipMemcpyDeviceToDevice),
             hipErrorInvalidHandle);
    CHECK_EQ(hipMemcpyToArray(none, 0, 0, host.data(), 4, hipMemcpyHostToDevice),
             none ? hipErrorInvalidHandle : hipErrorInvalidValue);
  }
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, nullptr, kRow, kRow, kHeight, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow - 1, kRow, kHeight, hipMemcpyHostToDevice),
           hipErrorInvalidPitchValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 1, 0, host.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 1, host.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, SIZE_MAX, 0, host.data(), kRow, kRow, 1, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, SIZE_MAX, host.data(), kRow, kRow, 1, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow, kRow, kHeight, static_cast<hipMemcpyKind>(-1)),
           hipErrorInvalidMemcpyDirection);
  // An array is on the device.
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow, kRow, kHeight, hipMemcpyDeviceToHost),
           hipErrorInvalidMemcpyDirection);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow, kRow, kHeight, hipMemcpyDeviceToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow, 0, kHeight, hipMemcpyHostToDevice), hipSuccess);
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, host.data(), kRow, kRow, 0, hipMemcpyHostToDevice), hipSuccess);
  CHECK_EQ(hipGetLastError(), since7(hipErrorInvalidValue, hipSuccess)); // HIP 6: of the last call
}

} // namespace

int main(int argc, char **argv) {
  HIP_CHECK(hipStreamCreate(&stream));
  const int result = runTests(argc, argv);
  HIP_CHECK(hipStreamDestroy(stream));
  return result;
}
