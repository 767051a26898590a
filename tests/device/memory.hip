// SPDX-License-Identifier: MIT
// Memory: the kinds of allocation, copies in every direction with pinned and pageable memory, fills, pointer queries.
#include "check.h"

#include <algorithm>
#include <numeric>

namespace {

__global__ void increment(int *data, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] += 1;
}

// Around the borders of the staging chunks, which are 256 KiB.
const size_t kCounts[] = {1, 3, 1000, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, (1 << 20) + 7};

TEST(copiesInEveryDirection) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (size_t count : kCounts) {
    const size_t bytes = count * sizeof(int);
    std::vector<int> source(count), result(count, -1);
    std::iota(source.begin(), source.end(), 17);
    int *first, *second, *pinned, *managed;
    HIP_CHECK(hipMalloc(&first, bytes));
    HIP_CHECK(hipMalloc(&second, bytes));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), bytes, hipHostMallocDefault));
    HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), bytes));

    HIP_CHECK(hipMemcpy(first, source.data(), bytes, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(second, first, bytes, hipMemcpyDeviceToDevice));
    HIP_CHECK(hipMemcpy(result.data(), second, bytes, hipMemcpyDeviceToHost));
    CHECK(result == source);

    // A pageable source may be overwritten as soon as the call has returned.
    std::vector<int> reused = source;
    HIP_CHECK(hipMemcpyAsync(second, reused.data(), bytes, hipMemcpyHostToDevice, stream));
    std::fill(reused.begin(), reused.end(), -5);
    HIP_CHECK(hipMemcpyAsync(pinned, second, bytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(std::equal(source.begin(), source.end(), pinned));

    // The direction is found out from the pointers.
    increment<<<64, 256, 0, stream>>>(second, static_cast<int>(count));
    HIP_CHECK(hipMemcpyAsync(managed, second, bytes, hipMemcpyDefault, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    bool right = true;
    for (size_t i = 0; i < count; ++i)
      right &= managed[i] == source[i] + 1;
    CHECK(right);
    HIP_CHECK(hipMemcpyWithStream(result.data(), managed, bytes, hipMemcpyDefault, stream));
    CHECK(std::equal(result.begin(), result.end(), managed));

    // Host to host, in the order of the stream.
    HIP_CHECK(hipMemcpyAsync(pinned, source.data(), bytes, hipMemcpyHostToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(std::equal(source.begin(), source.end(), pinned));
    std::fill(result.begin(), result.end(), 0);
    HIP_CHECK(hipMemcpy(result.data(), source.data(), bytes, hipMemcpyHostToHost));
    CHECK(result == source);

    HIP_CHECK(hipFree(first));
    HIP_CHECK(hipFree(second));
    HIP_CHECK(hipHostFree(pinned));
    HIP_CHECK(hipFree(managed));
  }
  HIP_CHECK(hipStreamDestroy(stream));
}

// The driver API's names, with pointers into the middle of allocations.
TEST(partialCopies) {
  constexpr int kCount = 1000;
  DeviceArray<int> device(kCount);
  std::vector<int> source(kCount), result(kCount, 0);
  std::iota(source.begin(), source.end(), 0);
  int *const base = device;
  HIP_CHECK(hipMemcpyHtoD(base + 100, source.data(), 200 * sizeof(int)));
  HIP_CHECK(hipMemcpyDtoD(base + 500, base + 100, 200 * sizeof(int)));
  HIP_CHECK(hipMemcpyDtoH(result.data(), base + 500, 200 * sizeof(int)));
  CHECK(std::equal(result.begin(), result.begin() + 200, source.begin()));
  CHECK_EQ(device.host()[99], 0);
  CHECK_EQ(device.host()[300], 0);
  HIP_CHECK(hipMemcpyHtoDAsync(base, source.data(), kCount * sizeof(int), nullptr));
  HIP_CHECK(hipMemcpyDtoDAsync(base + 10, base + 990, 10 * sizeof(int), nullptr));
  HIP_CHECK(hipMemcpyDtoHAsync(result.data(), base, kCount * sizeof(int), nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(result[15], 995);
  CHECK_EQ(result[20], 20);
  HIP_CHECK(hipMemcpyPeer(base + 20, 0, base, 0, sizeof(int)));
  CHECK_EQ(device.host()[20], 0);
}

TEST(rectangles) {
  constexpr size_t kWidth = 37, kHeight = 11, kPitch = 50;
  std::vector<unsigned char> source(kPitch * kHeight), result(kWidth * kHeight);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<unsigned char>(i * 7);
  void *device;
  size_t pitch;
  HIP_CHECK(hipMallocPitch(&device, &pitch, kWidth, kHeight));
  CHECK(pitch >= kWidth);
  HIP_CHECK(hipMemcpy2D(device, pitch, source.data(), kPitch, kWidth, kHeight, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy2DAsync(result.data(), kWidth, device, pitch, kWidth, kHeight, hipMemcpyDeviceToHost, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  bool right = true;
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x)
      right &= result[y * kWidth + x] == source[y * kPitch + x];
  CHECK(right);
  CHECK_EQ(hipMemcpy2D(device, kWidth - 1, source.data(), kPitch, kWidth, kHeight, hipMemcpyHostToDevice),
           hipErrorInvalidPitchValue);
  CHECK_EQ(hipMemcpy2D(device, pitch, source.data(), kPitch, kWidth, kHeight + 1, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  // Sizes whose product is small again in 64 bits, and a pitch that does not fit 32 bits.
  CHECK_EQ(hipMemcpy2D(device, SIZE_MAX / 2 + 1, source.data(), SIZE_MAX / 2 + 1, 1, 3, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy2D(device, pitch, source.data(), kPitch, kWidth, SIZE_MAX, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  HIP_CHECK(hipMemset(device, 0, kWidth));
  HIP_CHECK(hipMemcpy2D(device, (size_t{1} << 32) + 1, source.data(), (size_t{1} << 32) + 1, kWidth, 1,
                        hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(result.data(), device, kWidth, hipMemcpyDeviceToHost));
  CHECK(std::equal(result.begin(), result.begin() + kWidth, source.begin()));
  HIP_CHECK(hipFree(device));
}

TEST(fills) {
  constexpr int kCount = 1003;
  DeviceArray<unsigned> device(kCount);
  unsigned *const base = device;
  HIP_CHECK(hipMemset(base, 0xab, kCount * 4));
  CHECK_EQ(device.host()[kCount - 1], 0xababababu);
  HIP_CHECK(hipMemsetD32(base, 0x12345678, kCount));
  CHECK_EQ(device.host()[kCount - 1], 0x12345678u);
  HIP_CHECK(hipMemsetD16(base, 0xbeef, kCount));
  CHECK_EQ(device.host()[0], 0xbeefbeefu);
  CHECK_EQ(device.host()[kCount / 2], 0x1234beefu);
  HIP_CHECK(hipMemsetD8(reinterpret_cast<char *>(base) + 1, 0x77, 2));
  CHECK_EQ(device.host()[0], 0xbe7777efu);
  HIP_CHECK(hipMemsetD32Async(base, -1, kCount, nullptr));
  HIP_CHECK(hipMemsetD16Async(base, 1, 2, nullptr));
  HIP_CHECK(hipMemsetD8Async(base + 1, 2, 4, nullptr));
  HIP_CHECK(hipMemsetAsync(base + 2, 3, 4, nullptr));
  const std::vector<unsigned> result = device.host();
  CHECK_EQ(result[0], 0x00010001u);
  CHECK_EQ(result[1], 0x02020202u);
  CHECK_EQ(result[2], 0x03030303u);
  CHECK_EQ(result[3], 0xffffffffu);
}

TEST(pointerQueries) {
  constexpr size_t kBytes = 10000;
  char *device, *pinned, *managed;
  HIP_CHECK(hipMalloc(&device, kBytes));
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), kBytes, hipHostMallocPortable));
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), kBytes));
  struct {
    char *pointer;
    hipMemoryType type;
  } const cases[] = {{device, hipMemoryTypeDevice}, {pinned, hipMemoryTypeHost}, {managed, hipMemoryTypeManaged}};
  for (const auto &test : cases) {
    hipPointerAttribute_t attributes;
    HIP_CHECK(hipPointerGetAttributes(&attributes, test.pointer + 100));
    CHECK_EQ(attributes.type, test.type);
    CHECK_EQ(attributes.device, 0);
    CHECK(attributes.devicePointer == test.pointer + 100);
    CHECK(attributes.hostPointer == (test.type == hipMemoryTypeDevice ? nullptr : test.pointer + 100));
    CHECK_EQ(attributes.isManaged, test.type == hipMemoryTypeManaged);
    hipDeviceptr_t base;
    size_t size;
    HIP_CHECK(hipMemGetAddressRange(&base, &size, test.pointer + kBytes - 1));
    CHECK(base == test.pointer);
    CHECK_EQ(size, kBytes);
    HIP_CHECK(hipMemPtrGetInfo(test.pointer, &size));
    CHECK_EQ(size, kBytes);
  }
  hipPointerAttribute_t attributes;
  CHECK(isUnregistered(&attributes));
  CHECK_EQ(hipPointerGetAttributes(nullptr, device), since7(hipSuccess, hipErrorInvalidValue));
  void *mapped = nullptr;
  unsigned flags = 0;
  HIP_CHECK(hipHostGetDevicePointer(&mapped, pinned, 0));
  CHECK(mapped == pinned);
  HIP_CHECK(hipHostGetFlags(&flags, pinned));
  CHECK_EQ(flags, static_cast<unsigned>(hipHostMallocPortable));
  CHECK_EQ(hipHostGetDevicePointer(&mapped, &flags, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostGetFlags(&flags, device), hipErrorInvalidValue);
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(managed));
  CHECK(isUnregistered(device));
}

TEST(accounting) {
  size_t freeBefore, freeNow, total;
  HIP_CHECK(hipMemGetInfo(&freeBefore, &total));
  CHECK(freeBefore <= total);
  void *memory;
  HIP_CHECK(hipMalloc(&memory, 64 << 20));
  HIP_CHECK(hipMemGetInfo(&freeNow, &total));
  CHECK_EQ(freeBefore - freeNow, static_cast<size_t>(64 << 20));
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipMemGetInfo(&freeNow, &total));
  CHECK_EQ(freeNow, freeBefore);
}

TEST(borderCases) {
  void *pointer = &pointer;
  HIP_CHECK(hipMalloc(&pointer, 0));
  CHECK(pointer == nullptr);
  HIP_CHECK(hipFree(nullptr));
  HIP_CHECK(hipHostFree(nullptr));
  HIP_CHECK(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemset(nullptr, 0, 0));
}

} // namespace

/// Memory may be allocated for what only kernels write, and through pointers that promise not to.
TEST(pointersToQualifiedTypes) {
  const float *constant = nullptr;
  volatile int *unstable = nullptr;
  const volatile char *both = nullptr;
  const double *rows = nullptr;
  const int *pooled = nullptr;
  size_t pitch = 0;
  HIP_CHECK(hipMalloc(&constant, sizeof *constant));
  HIP_CHECK(hipMallocManaged(&unstable, sizeof *unstable));
  HIP_CHECK(hipHostMalloc(&both, sizeof *both));
  HIP_CHECK(hipMallocPitch(&rows, &pitch, 16, 2));
  HIP_CHECK(hipMallocAsync(&pooled, sizeof *pooled, nullptr));
  CHECK(constant && unstable && both && rows && pooled);
  HIP_CHECK(hipFree(const_cast<float *>(constant)));
  HIP_CHECK(hipFree(const_cast<int *>(unstable)));
  HIP_CHECK(hipHostFree(const_cast<char *>(both)));
  HIP_CHECK(hipFree(const_cast<double *>(rows)));
  HIP_CHECK(hipFreeAsync(const_cast<int *>(pooled), nullptr));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
