// SPDX-License-Identifier: MIT
// Asynchronous copies of boxes and arrays, and fills: pinned memory returns at once and in order,
// pageable sources may be reused, and the per-thread functions use the per-thread stream.
#include "check.h"

#include <atomic>

// The per-thread default stream lives as long as the process, and with it the thread that runs its host functions.
extern "C" const char *__tsan_default_options() { return "report_thread_leaks=0"; }

namespace {

__global__ void fillWith(int *data, int count, int value) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] = value + index;
}

/// Holds a stream up until it is opened.
class Gate {
public:
  explicit Gate(hipStream_t stream) {
    HIP_CHECK(hipLaunchHostFunc(
        stream,
        [](void *open) {
          while (!*static_cast<std::atomic<bool> *>(open))
            ;
        },
        &open_));
  }
  void open() { open_ = true; }

private:
  std::atomic<bool> open_{false};
};

constexpr size_t kWidth = 64, kHeight = 16, kDepth = 4, kCount = kWidth * kHeight * kDepth,
                 kPitch = kWidth * sizeof(int);

hipMemcpy3DParms box(void *to, const void *from) {
  hipMemcpy3DParms parameters{};
  parameters.dstPtr = make_hipPitchedPtr(to, kPitch, kPitch, kHeight);
  parameters.srcPtr = make_hipPitchedPtr(const_cast<void *>(from), kPitch, kPitch, kHeight);
  parameters.extent = make_hipExtent(kPitch - 4, kHeight, kDepth); // gaps, so that it stays a box
  parameters.kind = hipMemcpyDefault;
  return parameters;
}

bool hasBox(const int *data, int first) {
  bool right = true;
  for (size_t i = 0; i < kCount; ++i)
    right &= i % kWidth == kWidth - 1 || data[i] == first + static_cast<int>(i);
  return right;
}

// Everything behind a stream that is held up returns before it, and happens after what stands before it.
void copyPinned(hipStream_t stream) {
  int *device, *pinned, *managed;
  HIP_CHECK(hipMalloc(&device, kCount * 4));
  HIP_CHECK(hipHostMalloc(&pinned, kCount * 4, hipHostMallocDefault));
  HIP_CHECK(hipMallocManaged(&managed, kCount * 4, hipMemAttachGlobal));
  hipArray_t array;
  const hipChannelFormatDesc format = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMallocArray(&array, &format, kWidth, kHeight));
  std::memset(pinned, 0, kCount * 4);
  HIP_CHECK(hipMemset(device, 0, kCount * 4));
  fillWith<<<1, 1, 0, stream>>>(device, 0, 0); // compiled before the gate
  HIP_CHECK(hipDeviceSynchronize());

  Gate gate(stream);
  fillWith<<<kCount / 64, 64, 0, stream>>>(device, kCount, 7);
  const hipMemcpy3DParms out = box(pinned, device), in = box(managed, pinned);
  HIP_CHECK(hipMemcpy3DAsync(&out, stream));
  HIP_CHECK(hipMemcpy3DAsync(&in, stream));
  HIP_CHECK(hipMemcpy2DToArrayAsync(array, 0, 0, pinned, kPitch, kPitch, kHeight, hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipMemset2DAsync(device, kPitch, 1, 8, kHeight, stream));
  HIP_CHECK(hipMemset3DAsync(make_hipPitchedPtr(device, kPitch, kPitch, kHeight), 2, make_hipExtent(4, kHeight, kDepth),
                             stream));
  HIP_CHECK(hipMemPrefetchAsync(managed, kCount * 4, 0, stream));
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  CHECK_EQ(pinned[1], 0);
  gate.open();
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(hasBox(pinned, 7));
  CHECK(hasBox(managed, 7));
  std::vector<int> back(kCount);
  HIP_CHECK(hipMemcpy2DFromArray(back.data(), kPitch, array, 0, 0, kPitch, kHeight, hipMemcpyDeviceToHost));
  CHECK(std::equal(back.begin(), back.begin() + kWidth - 1, pinned));
  HIP_CHECK(hipMemcpy(back.data(), device, kCount * 4, hipMemcpyDeviceToHost));
  CHECK_EQ(back[0], 0x02020202);
  CHECK_EQ(back[1], 0x01010101);
  CHECK_EQ(back[2], 7 + 2);
  CHECK_EQ(back[kWidth * kHeight * 2], 0x02020202);
  CHECK_EQ(back[kWidth * kHeight * 2 + 1], 7 + static_cast<int>(kWidth * kHeight * 2) + 1);

  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(device));
}

// The source may be overwritten as soon as the call has returned, also while the stream is held up.
void copyPageableSources(hipStream_t stream) {
  DeviceArray<int> device(kCount);
  HIP_CHECK(hipDeviceSynchronize());
  std::vector<int> source(kCount);
  for (size_t i = 0; i < kCount; ++i)
    source[i] = static_cast<int>(i) + 3;
  Gate gate(stream);
  const hipMemcpy3DParms in = box(device, source.data());
  HIP_CHECK(hipMemcpy3DAsync(&in, stream));
  std::fill(source.begin(), source.end(), -1);
  gate.open();
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(hasBox(device.host().data(), 3));

  // A pageable destination is written when the call returns.
  std::vector<int> back(kCount);
  fillWith<<<kCount / 64, 64, 0, stream>>>(device, kCount, 11);
  const hipMemcpy3DParms out = box(back.data(), device);
  HIP_CHECK(hipMemcpy3DAsync(&out, stream));
  CHECK(hasBox(back.data(), 11));
  HIP_CHECK(hipStreamSynchronize(stream));
}

// The per-thread functions do not wait for a stream that does not block, and follow what the thread has submitted.
TEST(perThread) {
  int *device, *pinned;
  HIP_CHECK(hipMalloc(&device, kCount * 4));
  HIP_CHECK(hipHostMalloc(&pinned, kCount * 4, hipHostMallocDefault));
  Gate gate(hipStreamPerThread);
  fillWith<<<kCount / 64, 64, 0, hipStreamPerThread>>>(device, kCount, 21);
  const hipMemcpy3DParms out = box(pinned, device);
  HIP_CHECK(hipMemcpy3DAsync_spt(&out, nullptr));
  CHECK_EQ(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
  gate.open();
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  CHECK(hasBox(pinned, 21));
  fillWith<<<kCount / 64, 64, 0, hipStreamPerThread>>>(device, kCount, 22);
  HIP_CHECK(hipMemcpy3D_spt(&out));
  CHECK(hasBox(pinned, 22));
  HIP_CHECK(hipMemset2D_spt(device, kPitch, 0, kPitch, kHeight * kDepth));
  HIP_CHECK(hipMemcpy3D_spt(&out));
  CHECK_EQ(pinned[5], 0);
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(device));
}

// Neither end is known to the device: the copy still comes in its turn.
void copyBetweenPageableMemory(hipStream_t stream) {
  int *pinned;
  HIP_CHECK(hipHostMalloc(&pinned, kCount * 4, hipHostMallocDefault));
  std::vector<int> source(kCount), target(kCount, -1);
  for (size_t i = 0; i < kCount; ++i)
    source[i] = static_cast<int>(i) + 31;
  fillWith<<<kCount / 64, 64, 0, stream>>>(pinned, kCount, 1);
  const hipMemcpy3DParms across = box(target.data(), source.data());
  HIP_CHECK(hipMemcpy3DAsync(&across, stream));
  CHECK(hasBox(target.data(), 31));
  CHECK_EQ(target[kWidth - 1], -1);
  CHECK_EQ(pinned[0], 1);
  HIP_CHECK(hipHostFree(pinned));
}

} // namespace

/// Both kinds of streams.
template <class Body> static void inStreams(Body body) {
  for (unsigned flags : {hipStreamDefault, hipStreamNonBlocking}) {
    hipStream_t stream;
    HIP_CHECK(hipStreamCreateWithFlags(&stream, flags));
    body(stream);
    HIP_CHECK(hipStreamDestroy(stream));
  }
}

TEST(pinnedIsAsynchronous) { inStreams(copyPinned); }
TEST(pageableSources) { inStreams(copyPageableSources); }
TEST(betweenPageableMemory) { inStreams(copyBetweenPageableMemory); }

int main(int argc, char **argv) { return runTests(argc, argv); }
