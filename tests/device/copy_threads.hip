// SPDX-License-Identifier: MIT
// Threads that copy and fill boxes in streams of their own and in one that they share, while others register memory, give
// advice and ask about pointers.
#include "check.h"

#include <thread>

namespace {

constexpr int kThreads = 4, kRounds = 60;
constexpr size_t kWidth = 200, kPitch = 256, kHeight = 9, kDepth = 5, kBytes = kPitch * kHeight * kDepth;

hipMemcpy3DParms box(void *to, void *from) {
  hipMemcpy3DParms parameters{};
  parameters.dstPtr = make_hipPitchedPtr(to, kPitch, kWidth, kHeight);
  parameters.srcPtr = make_hipPitchedPtr(from, kPitch, kWidth, kHeight);
  parameters.extent = make_hipExtent(kWidth, kHeight, kDepth);
  parameters.kind = hipMemcpyDefault;
  return parameters;
}

bool isBox(const std::vector<unsigned char> &bytes, unsigned char inside, unsigned char gaps) {
  bool right = true;
  for (size_t i = 0; i < bytes.size(); ++i)
    right &= bytes[i] == (i % kPitch < kWidth ? inside : gaps);
  return right;
}

// A thread's work in one stream is in order, whatever other threads submit to the same.
void copies(int thread, hipStream_t shared) {
  hipStream_t own;
  HIP_CHECK(hipStreamCreateWithFlags(&own, hipStreamNonBlocking));
  void *device, *other;
  HIP_CHECK(hipMalloc(&device, kBytes));
  HIP_CHECK(hipMalloc(&other, kBytes));
  std::vector<unsigned char> host(kBytes), back(kBytes);
  for (int round = 0; round < kRounds; ++round) {
    const hipStream_t stream = round % 2 ? shared : own;
    const auto value = static_cast<unsigned char>(thread * 16 + round % 16);
    std::fill(host.begin(), host.end(), value);
    HIP_CHECK(hipMemsetAsync(device, 0xaa, kBytes, stream));
    const hipMemcpy3DParms in = box(device, host.data()), across = box(other, device);
    HIP_CHECK(hipMemcpy3DAsync(&in, stream));
    std::fill(host.begin(), host.end(), 0);
    HIP_CHECK(hipMemset2DAsync(other, kPitch, 0x55, kPitch, kHeight * kDepth, stream));
    HIP_CHECK(hipMemcpy3DAsync(&across, stream));
    HIP_CHECK(hipMemcpyAsync(back.data(), other, kBytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(isBox(back, value, 0x55));
    HIP_CHECK(hipMemcpyAsync(back.data(), device, kBytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(isBox(back, value, 0xaa));
  }
  HIP_CHECK(hipFree(other));
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipStreamDestroy(own));
}

// Memory comes and goes while other threads look pointers up.
void descriptions(int thread) {
  for (int round = 0; round < kRounds; ++round) {
    std::vector<char> host(3000 + 100 * thread);
    HIP_CHECK(hipHostRegister(host.data(), host.size(), 0));
    hipPointerAttribute_t attributes{};
    HIP_CHECK(hipPointerGetAttributes(&attributes, host.data() + 10));
    CHECK_EQ(attributes.type, hipMemoryTypeHost);
    HIP_CHECK(hipMemAdvise(host.data(), host.size(), hipMemAdviseSetReadMostly, 0));
    int mostly = 0;
    HIP_CHECK(hipMemRangeGetAttribute(&mostly, 4, hipMemRangeAttributeReadMostly, host.data(), host.size()));
    CHECK_EQ(mostly, 1);
    void *managed;
    HIP_CHECK(hipMallocManaged(&managed, 8192, hipMemAttachGlobal));
    HIP_CHECK(hipMemAdvise(managed, 8192, hipMemAdviseSetPreferredLocation, 0));
    HIP_CHECK(hipMemPrefetchAsync(managed, 8192, 0, hipStreamPerThread));
    bool sync = true;
    HIP_CHECK(hipPointerSetAttribute(&sync, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    HIP_CHECK(hipHostUnregister(host.data()));
    HIP_CHECK(hipFree(managed));
  }
}

} // namespace

int main() {
  hipStream_t shared;
  HIP_CHECK(hipStreamCreate(&shared));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([=] { thread % 2 ? copies(thread, shared) : descriptions(thread); });
  threads.emplace_back([=] { copies(kThreads, shared); });
  for (std::thread &thread : threads)
    thread.join();
  HIP_CHECK(hipStreamDestroy(shared));
  return testResult();
}
