// SPDX-License-Identifier: MIT
// Batches of copies, fills of rows by elements, copies between devices and managed memory by location: additions of HIP 7.
#include "check.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr size_t kRow = 24, kRows = 6, kSlices = 3;

std::vector<int> numbers(size_t count, int first) {
  std::vector<int> result(count);
  for (size_t at = 0; at < count; ++at)
    result[at] = first + static_cast<int>(at);
  return result;
}

hipMemcpyAttributes inOrder(hipMemcpySrcAccessOrder order) {
  hipMemcpyAttributes attributes{};
  attributes.srcAccessOrder = order;
  return attributes;
}

} // namespace

TEST(batchOfCopies) {
  constexpr size_t kCopies = 3, kCount = 100, kBytes = kCount * sizeof(int);
  std::vector<int> from[kCopies], back(kCount);
  void *sources[kCopies], *device[kCopies];
  size_t sizes[kCopies];
  for (size_t at = 0; at < kCopies; ++at) {
    from[at] = numbers(kCount, 1000 * static_cast<int>(at));
    sources[at] = from[at].data();
    HIP_CHECK(hipMalloc(&device[at], kBytes));
    HIP_CHECK(hipMemset(device[at], 0xff, kBytes));
    sizes[at] = kBytes - at * sizeof(int);
  }
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  hipMemcpyAttributes attributes[2] = {inOrder(hipMemcpySrcAccessOrderStream),
                                       inOrder(hipMemcpySrcAccessOrderDuringApiCall)};
  size_t firsts[2] = {0, 2}, failed = 7;
  HIP_CHECK(hipMemcpyBatchAsync(device, sources, sizes, kCopies, attributes, firsts, 2, &failed, stream));
  CHECK(failed == SIZE_MAX);
  HIP_CHECK(hipStreamSynchronize(stream));
  for (size_t at = 0; at < kCopies; ++at) {
    HIP_CHECK(hipMemcpy(back.data(), device[at], kBytes, hipMemcpyDeviceToHost));
    for (size_t i = 0; i < kCount; ++i)
      CHECK(back[i] == (i < kCount - at ? from[at][i] : -1));
  }

  // One copy is wrong: it is named, and none is made.
  HIP_CHECK(hipMemset(device[0], 0xff, kBytes));
  sizes[2] = kBytes + 4096 * 16;
  CHECK(hipMemcpyBatchAsync(device, sources, sizes, kCopies, nullptr, nullptr, 0, &failed, stream) != hipSuccess);
  CHECK(failed == 2);
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipMemcpy(back.data(), device[0], kBytes, hipMemcpyDeviceToHost));
  CHECK(back[0] == -1);
  sizes[2] = kBytes;

  firsts[0] = 1; // the first copy would have no attributes
  CHECK(hipMemcpyBatchAsync(device, sources, sizes, kCopies, attributes, firsts, 2, &failed, stream) ==
        hipErrorInvalidValue);
  CHECK(failed == SIZE_MAX);
  firsts[0] = 0;
  attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
  CHECK(hipMemcpyBatchAsync(device, sources, sizes, kCopies, attributes, firsts, 2, nullptr, stream) ==
        hipErrorInvalidValue);
  CHECK(hipMemcpyBatchAsync(device, sources, sizes, 0, nullptr, nullptr, 0, nullptr, stream) == hipErrorInvalidValue);
  for (void *memory : device)
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipStreamDestroy(stream));
}

// The source may change as soon as the call returns, although the stream is not there yet.
TEST(sourceIsReadDuringTheCall) {
  constexpr size_t kBytes = 1 << 20;
  int *pinned, *device;
  HIP_CHECK(hipHostMalloc(&pinned, kBytes));
  HIP_CHECK(hipMalloc(&device, kBytes));
  for (size_t at = 0; at < kBytes / sizeof(int); ++at)
    pinned[at] = 5;
  void *to = device, *from = pinned;
  size_t bytes = kBytes, first = 0;
  hipMemcpyAttributes attributes = inOrder(hipMemcpySrcAccessOrderDuringApiCall);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemcpyBatchAsync(&to, &from, &bytes, 1, &attributes, &first, 1, nullptr, stream));
  for (size_t at = 0; at < kBytes / sizeof(int); ++at)
    pinned[at] = 6;
  std::vector<int> back(kBytes / sizeof(int));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipMemcpy(back.data(), device, kBytes, hipMemcpyDeviceToHost));
  for (int value : back)
    CHECK(value == 5);
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipStreamDestroy(stream));
}

// A box from memory with long rows into an array, and from there into packed memory.
TEST(batchOfBoxes) {
  const std::vector<int> from = numbers(kRow * kRows * kSlices, 0);
  std::vector<int> to(4 * 2 * 2, -1);
  int *device;
  HIP_CHECK(hipMalloc(&device, from.size() * sizeof(int)));
  HIP_CHECK(hipMemcpy(device, from.data(), from.size() * sizeof(int), hipMemcpyHostToDevice));
  hipArray_t array;
  const hipChannelFormatDesc ints = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMalloc3DArray(&array, &ints, make_hipExtent(16, 8, 4), hipArrayDefault));
  hipMemcpy3DBatchOp copies[2]{};
  copies[0].src.type = hipMemcpyOperandTypePointer;
  copies[0].src.op.ptr = {device, kRow, kRows, {hipMemLocationTypeDevice, 0}};
  copies[0].dst.type = hipMemcpyOperandTypeArray;
  copies[0].dst.op.array = {array, {1, 2, 1}};
  copies[0].extent = make_hipExtent(5, 4, 3);
  copies[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  copies[1].src.type = hipMemcpyOperandTypeArray;
  copies[1].src.op.array = {array, {2, 3, 2}};
  copies[1].dst.type = hipMemcpyOperandTypePointer;
  copies[1].dst.op.ptr.ptr = to.data();
  copies[1].extent = make_hipExtent(4, 2, 2);
  copies[1].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  size_t failed = 0;
  HIP_CHECK(hipMemcpy3DBatchAsync(2, copies, &failed, 0, nullptr));
  CHECK(failed == SIZE_MAX);
  HIP_CHECK(hipDeviceSynchronize());
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 2; ++y)
      for (size_t x = 0; x < 4; ++x)
        CHECK(to[(z * 2 + y) * 4 + x] == static_cast<int>(((z + 1) * kRows + y + 1) * kRow + x + 1));

  copies[1].extent.depth = 100;
  CHECK(hipMemcpy3DBatchAsync(2, copies, &failed, 0, nullptr) != hipSuccess);
  CHECK(failed == 1);
  copies[0].dst.type = static_cast<hipMemcpy3DOperandType>(9);
  CHECK(hipMemcpy3DBatchAsync(2, copies, &failed, 0, nullptr) == hipErrorInvalidValue);
  CHECK(failed == 0);
  CHECK(hipMemcpy3DBatchAsync(2, copies, &failed, 1, nullptr) == hipErrorInvalidValue);
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipFree(device));
}

TEST(copyBetweenDevices) {
  const std::vector<int> from = numbers(kRow * kRows, 0);
  std::vector<int> to(from.size());
  int *first, *second;
  HIP_CHECK(hipMalloc(&first, from.size() * sizeof(int)));
  HIP_CHECK(hipMalloc(&second, from.size() * sizeof(int)));
  HIP_CHECK(hipMemcpy(first, from.data(), from.size() * sizeof(int), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemset(second, 0xff, from.size() * sizeof(int)));
  hipMemcpy3DPeerParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(first, kRow * sizeof(int), kRow * sizeof(int), kRows);
  parameters.dstPtr = make_hipPitchedPtr(second, kRow * sizeof(int), kRow * sizeof(int), kRows);
  parameters.srcPos = make_hipPos(2 * sizeof(int), 1, 0);
  parameters.dstPos = make_hipPos(0, 3, 0);
  parameters.extent = make_hipExtent(4 * sizeof(int), 3, 1);
  HIP_CHECK(hipMemcpy3DPeer(&parameters));
  HIP_CHECK(hipMemcpy3DPeerAsync(&parameters, nullptr));
  HIP_CHECK(hipMemcpy(to.data(), second, to.size() * sizeof(int), hipMemcpyDeviceToHost));
  for (size_t y = 0; y < kRows; ++y)
    for (size_t x = 0; x < kRow; ++x)
      CHECK(to[y * kRow + x] == (y >= 3 && x < 4 ? from[(y - 2) * kRow + x + 2] : -1));
  parameters.srcDevice = 99;
  CHECK(hipMemcpy3DPeer(&parameters) == hipErrorInvalidDevice);
  CHECK(hipMemcpy3DPeer(nullptr) == hipErrorInvalidValue);
  HIP_CHECK(hipFree(first));
  HIP_CHECK(hipFree(second));
}

namespace {

template <class Value, class Fill> void checkFill(Fill fill, Value value) {
  constexpr size_t kPitch = 64, kHeight = 4, kWidth = 5;
  void *memory;
  HIP_CHECK(hipMalloc(&memory, kPitch * kHeight));
  HIP_CHECK(hipMemset(memory, 0xff, kPitch * kHeight));
  HIP_CHECK(fill(memory, kPitch, value, kWidth, kHeight - 1));
  std::vector<unsigned char> host(kPitch * kHeight), expected(kPitch * kHeight, 0xff);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpy(host.data(), memory, host.size(), hipMemcpyDeviceToHost));
  for (size_t y = 0; y < kHeight - 1; ++y)
    for (size_t x = 0; x < kWidth; ++x)
      std::memcpy(&expected[y * kPitch + x * sizeof value], &value, sizeof value);
  CHECK(host == expected);
  HIP_CHECK(hipFree(memory));
}

} // namespace

TEST(fillsOfRows) {
  checkFill<unsigned char>(hipMemsetD2D8, 0x12);
  checkFill<unsigned short>(hipMemsetD2D16, 0x1234);
  checkFill<unsigned int>(hipMemsetD2D32, 0x12345678);
  const auto inStream = [](auto fill) {
    return [fill](auto... arguments) { return fill(arguments..., hipStreamPerThread); };
  };
  checkFill<unsigned char>(inStream(hipMemsetD2D8Async), 0x21);
  checkFill<unsigned short>(inStream(hipMemsetD2D16Async), 0x4321);
  checkFill<unsigned int>(inStream(hipMemsetD2D32Async), 0x87654321);
  CHECK(hipMemsetD2D32(nullptr, 64, 1, 5, 4) == hipErrorInvalidValue);
}

TEST(managedMemoryByLocation) {
  constexpr size_t kBytes = 1 << 16;
  int *memory;
  HIP_CHECK(hipMallocManaged(&memory, kBytes));
  const hipMemLocation device{hipMemLocationTypeDevice, 0}, host{hipMemLocationTypeHost, 0};
  const auto attribute = [&](hipMemRangeAttribute which) {
    int value = 99;
    HIP_CHECK(hipMemRangeGetAttribute(&value, sizeof value, which, memory, kBytes));
    return value;
  };
  HIP_CHECK(hipMemAdvise_v2(memory, kBytes, hipMemAdviseSetPreferredLocation, device));
  CHECK(attribute(hipMemRangeAttributePreferredLocation) == 0);
  HIP_CHECK(hipMemAdvise_v2(memory, kBytes, hipMemAdviseSetPreferredLocation, host));
  CHECK(attribute(hipMemRangeAttributePreferredLocation) == hipCpuDeviceId);
  HIP_CHECK(hipMemPrefetchAsync_v2(memory, kBytes, device, 0, nullptr));
  CHECK(attribute(hipMemRangeAttributeLastPrefetchLocation) == 0);
  HIP_CHECK(hipMemPrefetchAsync_v2(memory, kBytes, {hipMemLocationTypeHostNumaCurrent, 0}, 0, nullptr));
  CHECK(attribute(hipMemRangeAttributeLastPrefetchLocation) == hipCpuDeviceId);
  CHECK(hipMemPrefetchAsync_v2(memory, kBytes, device, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, kBytes, {hipMemLocationTypeNone, 0}, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, kBytes, {hipMemLocationTypeDevice, 99}, 0, nullptr) == hipErrorInvalidDevice);
  int descriptor = -1;
  CHECK(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, hipMemRangeHandleTypeDmaBufFd, 0) ==
        hipErrorNotSupported);
  CHECK(hipMemGetHandleForAddressRange(&descriptor, memory, 0, hipMemRangeHandleTypeDmaBufFd, 0) ==
        hipErrorInvalidValue);
  HIP_CHECK(hipFree(memory));
}

#ifdef HIPLZ_HIP_VERSION // AMD's headers of HIP 7.2 do not have these
TEST(rangesInBatches) {
  constexpr size_t kBytes = 1 << 16, kRanges = 3;
  const hipMemLocation device{hipMemLocationTypeDevice, 0}, host{hipMemLocationTypeHost, 0};
  int *memory;
  HIP_CHECK(hipMallocManaged(&memory, kRanges * kBytes));
  char *const bytes = reinterpret_cast<char *>(memory);
  void *ranges[kRanges] = {bytes, bytes + kBytes, bytes + 2 * kBytes};
  size_t sizes[kRanges] = {kBytes, kBytes, kBytes};
  const auto lastPrefetch = [&](size_t range) {
    int value = 99;
    HIP_CHECK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeLastPrefetchLocation, ranges[range],
                                      sizes[range]));
    return value;
  };
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  std::memset(memory, 5, kRanges * kBytes);
  hipMemLocation locations[2] = {device, host};
  size_t firsts[2] = {0, 2};
  HIP_CHECK(hipMemPrefetchBatchAsync(ranges, sizes, kRanges, locations, firsts, 2, 0, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(lastPrefetch(0), 0);
  CHECK_EQ(lastPrefetch(1), 0);
  CHECK_EQ(lastPrefetch(2), hipCpuDeviceId);
  CHECK(bytes[0] == 5 && bytes[3 * kBytes - 1] == 5);

  // The neighbours of what is discarded keep their values, and it can be written again.
  HIP_CHECK(hipMemDiscardBatchAsync(ranges + 1, sizes, 1, 0, stream));
  HIP_CHECK(hipMemsetAsync(ranges[1], 7, kBytes, stream));
  hipDeviceptr_t pointers[1] = {ranges[2]};
  HIP_CHECK(hipDrvMemDiscardBatchAsync(pointers, sizes, 1, 0, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(bytes[0] == 5 && bytes[kBytes - 1] == 5 && bytes[kBytes] == 7 && bytes[2 * kBytes - 1] == 7);
  HIP_CHECK(hipMemDiscardAndPrefetchBatchAsync(ranges + 2, sizes, 1, locations, firsts, 1, 0, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(lastPrefetch(2), 0);
  HIP_CHECK(hipDrvMemDiscardAndPrefetchBatchAsync(pointers, sizes, 1, locations + 1, firsts, 1, 0, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(lastPrefetch(2), hipCpuDeviceId);

  const auto refused = [&](void **pointers, size_t *sizes, size_t count, hipMemLocation *where, size_t *firsts,
                           size_t number, unsigned long long flags, hipStream_t stream) {
    CHECK_EQ(hipMemPrefetchBatchAsync(pointers, sizes, count, where, firsts, number, flags, stream),
             hipErrorInvalidValue);
    CHECK_EQ(hipMemDiscardAndPrefetchBatchAsync(pointers, sizes, count, where, firsts, number, flags, stream),
             hipErrorInvalidValue);
  };
  refused(nullptr, sizes, 1, locations, firsts, 1, 0, stream);
  refused(ranges, nullptr, 1, locations, firsts, 1, 0, stream);
  refused(ranges, sizes, 0, locations, firsts, 1, 0, stream);
  refused(ranges, sizes, 1, nullptr, firsts, 1, 0, stream);
  refused(ranges, sizes, 1, locations, firsts, 2, 0, stream);
  refused(ranges, sizes, 2, locations, firsts, 2, 0, stream); // the second location has the third range
  refused(ranges, sizes, 1, locations, firsts + 1, 1, 0, stream);
  refused(ranges, sizes, 1, locations, firsts, 1, 1, stream);
  refused(ranges, sizes, 1, locations, firsts, 1, 0, nullptr);
  locations[0].id = 99;
  refused(ranges, sizes, 1, locations, firsts, 1, 0, stream);
  CHECK_EQ(hipMemDiscardBatchAsync(ranges, sizes, 1, 1, stream), hipErrorInvalidValue);
  CHECK_EQ(hipMemDiscardBatchAsync(ranges, sizes, 1, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDrvMemDiscardBatchAsync(nullptr, sizes, 1, 0, stream), hipErrorInvalidValue);
  sizes[0] = 0;
  CHECK_EQ(hipMemDiscardBatchAsync(ranges, sizes, 1, 0, stream), hipErrorInvalidValue);
  sizes[0] = 3 * kBytes + 1;
  CHECK_EQ(hipMemDiscardBatchAsync(ranges, sizes, 1, 0, stream), hipErrorInvalidValue);

  // A graph has no such node.
  sizes[0] = kBytes;
  hipGraph_t graph = nullptr;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_EQ(hipMemDiscardBatchAsync(ranges, sizes, 1, 0, stream), hipErrorStreamCaptureUnsupported);
  CHECK_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(memory));
}

TEST(poolsByLocation) {
  hipMemLocation device{hipMemLocationTypeDevice, 0}, host{hipMemLocationTypeHost, 0},
      none{hipMemLocationTypeDevice, 99};
  hipMemPool_t standard, pool, current = nullptr;
  HIP_CHECK(hipDeviceGetDefaultMemPool(&standard, 0));
  HIP_CHECK(hipMemGetDefaultMemPool(&current, &device, hipMemAllocationTypePinned));
  CHECK(current == standard);
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = device;
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  HIP_CHECK(hipMemSetMemPool(&device, hipMemAllocationTypePinned, pool));
  HIP_CHECK(hipMemGetMemPool(&current, &device, hipMemAllocationTypePinned));
  CHECK(current == pool);
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == pool);
  HIP_CHECK(hipMemSetMemPool(&device, hipMemAllocationTypePinned, standard));
  HIP_CHECK(hipMemPoolDestroy(pool));
  HIP_CHECK(hipMemGetMemPool(&current, &device, hipMemAllocationTypePinned));
  CHECK(current == standard);

  CHECK_EQ(hipMemGetMemPool(nullptr, &device, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetMemPool(&current, nullptr, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetMemPool(&current, &host, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetDefaultMemPool(&current, &none, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetDefaultMemPool(&current, &device, hipMemAllocationTypeInvalid), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetDefaultMemPool(&current, &device, hipMemAllocationTypeManaged), hipErrorNotSupported);
  CHECK_EQ(hipMemSetMemPool(&device, hipMemAllocationTypePinned, nullptr), hipErrorInvalidValue);
}

TEST(memoryOfMipmappedArrays) {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipMipmappedArray_t array;
  HIP_CHECK(hipMallocMipmappedArray(&array, &format, make_hipExtent(64, 32, 0), 3, hipArrayDefault));
  hipArrayMemoryRequirements memory{};
  HIP_CHECK(hipMipmappedArrayGetMemoryRequirements(&memory, array, 0));
  CHECK(memory.size >= sizeof(float) * (64 * 32 + 32 * 16 + 16 * 8));
  CHECK(memory.alignment != 0 && memory.size % memory.alignment == 0);
  CHECK_EQ(hipMipmappedArrayGetMemoryRequirements(nullptr, array, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMipmappedArrayGetMemoryRequirements(&memory, nullptr, 0), hipErrorInvalidHandle);
  CHECK_EQ(hipMipmappedArrayGetMemoryRequirements(&memory, array, 99), hipErrorInvalidDevice);
  HIP_CHECK(hipFreeMipmappedArray(array));
}
#endif

int main(int argc, char **argv) { return runTests(argc, argv); }
