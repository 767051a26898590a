// SPDX-License-Identifier: MIT
// Calls that a capture forbids: each error that HIP documents, what it invalidates, and that streams are as before afterwards.
#include "capture_states.h"

#include <atomic>
#include <thread>

namespace {

__global__ void add(int *data, int value) { *data += value; }

TEST(badArguments) {
  Stream stream;
  hipGraph_t graph = unset();
  hipStreamCaptureStatus status;
  CHECK_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  CHECK_EQ(hipStreamBeginCapture(hipStreamLegacy, hipStreamCaptureModeRelaxed), hipErrorStreamCaptureUnsupported);
  CHECK_EQ(hipStreamBeginCapture(stream, static_cast<hipStreamCaptureMode>(3)), hipErrorInvalidValue);
  CHECK_EQ(hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
  CHECK_EQ(hipStreamEndCapture(nullptr, &graph), hipErrorIllegalState);
  CHECK_EQ(hipStreamEndCapture(stream, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipStreamIsCapturing(stream, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipStreamGetCaptureInfo(stream, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipStreamGetCaptureInfo_v2(stream, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipThreadExchangeStreamCaptureMode(nullptr), hipErrorInvalidValue);
  hipStreamCaptureMode mode = static_cast<hipStreamCaptureMode>(7);
  CHECK_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipErrorInvalidValue);
  hipStream_t none = reinterpret_cast<hipStream_t>(&status);
  CHECK_EQ(hipStreamBeginCapture(none, hipStreamCaptureModeGlobal), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamEndCapture(none, &graph), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamIsCapturing(none, &status), hipErrorContextIsDestroyed);

  begin(stream);
  CHECK_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  // A call with bad arguments fails as always and changes nothing.
  CHECK_EQ(hipMemcpyAsync(nullptr, nullptr, 4, hipMemcpyDefault, stream), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchHostFunc(stream, nullptr, nullptr), hipErrorInvalidValue);
  endValid(stream);
}

// A stream that is captured cannot be waited for or asked.
TEST(waiting) {
  Stream stream;
  DeviceArray<int> data(1);
  begin(stream);
  CHECK_EQ(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
  begin(stream);
  CHECK_EQ(hipStreamQuery(stream), hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
  begin(stream);
  CHECK_EQ(hipStreamAddCallback(
               stream, [](hipStream_t, hipError_t, void *) {}, nullptr, 0),
           hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
}

// With the stream that a capture began with, the capture ends; with another one, only what it did is missing.
TEST(destroyedStreams) {
  DeviceArray<int> data(2);
  Stream forked, outside;
  Event fork, join;
  hipStream_t origin;
  HIP_CHECK(hipStreamCreate(&origin));
  begin(origin);
  add<<<1, 1, 0, origin>>>(data, 1);
  HIP_CHECK(hipEventRecord(fork, origin));
  HIP_CHECK(hipStreamWaitEvent(forked, fork, 0));
  CHECK_EQ(statusOf(forked), hipStreamCaptureStatusActive);
  HIP_CHECK(hipStreamDestroy(origin));
  CHECK_EQ(statusOf(forked), hipStreamCaptureStatusNone);
  add<<<1, 1, 0, forked>>>(data, 2); // executed again
  HIP_CHECK(hipStreamSynchronize(forked));
  CHECK_EQ(data.host()[0], 2);
  CHECK_EQ(hipStreamWaitEvent(outside, fork, 0), hipErrorCapturedEvent); // the capture that it means has ended
  HIP_CHECK(hipDeviceSynchronize());                                     // nothing forbids it any more

  for (bool joined : {true, false}) {
    Stream first;
    hipStream_t second;
    HIP_CHECK(hipStreamCreate(&second));
    begin(first);
    HIP_CHECK(hipEventRecord(fork, first));
    HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
    add<<<1, 1, 0, second>>>(data, 10);
    HIP_CHECK(hipEventRecord(join, second));
    if (joined)
      HIP_CHECK(hipStreamWaitEvent(first, join, 0));
    HIP_CHECK(hipStreamDestroy(second));
    hipGraph_t graph = unset();
    if (!joined) {
      CHECK_EQ(hipStreamEndCapture(first, &graph), hipErrorStreamCaptureUnjoined);
      continue;
    }
    HIP_CHECK(hipStreamEndCapture(first, &graph));
    hipGraphExec_t exec;
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    HIP_CHECK(hipGraphLaunch(exec, first));
    HIP_CHECK(hipStreamSynchronize(first));
    CHECK_EQ(data.host()[0], 12);
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
  }
  HIP_CHECK(hipDeviceSynchronize());
}

TEST(unsafeCalls) {
  Stream stream(hipStreamNonBlocking);
  DeviceArray<int> data(1);
  void *memory;
  auto unsafe = [&](auto call) {
    for (hipStreamCaptureMode mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal}) {
      begin(stream, mode);
      CHECK_EQ(call(), hipErrorStreamCaptureUnsupported);
      endInvalid(stream, data);
    }
  };
  unsafe([&] { return hipMalloc(&memory, 16); });
  unsafe([&] { return hipHostMalloc(&memory, 16, 0); });
  unsafe([&] { return hipMallocManaged(&memory, 16); });
  hipArray_t array;
  hipExtent extent;
  unsigned flags;
  int registered[1024];
  const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMallocArray(&array, &desc, 4, 0));
  unsafe([&] { return hipArrayGetInfo(nullptr, &extent, &flags, array); });
  unsafe([&] { return hipHostRegister(registered, sizeof registered, hipHostRegisterDefault); });
  HIP_CHECK(hipHostRegister(registered, sizeof registered, hipHostRegisterDefault));
  unsafe([&] { return hipHostUnregister(registered); });
  HIP_CHECK(hipHostUnregister(registered));
  unsafe([&] { return hipFreeArray(array); });
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipMalloc(&memory, 16));
  unsafe([&] { return hipFree(memory); });

  // A relaxed capture lets them pass, and so does a relaxed thread.
  begin(stream, hipStreamCaptureModeRelaxed);
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipMalloc(&memory, 16));
  endValid(stream);
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, hipStreamCaptureModeGlobal);
  begin(stream);
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipMalloc(&memory, 16));
  endValid(stream);
  HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, hipStreamCaptureModeRelaxed);
  HIP_CHECK(hipFree(memory));
}

// Which captures of another thread forbid unsafe calls depends on both modes.
TEST(unsafeCallsOfOtherThreads) {
  Stream stream(hipStreamNonBlocking);
  DeviceArray<int> data(1);
  auto inOtherThread = [](hipStreamCaptureMode mode) {
    hipError_t result;
    std::thread([&] {
      HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
      void *memory;
      result = hipMalloc(&memory, 16);
      if (!result)
        HIP_CHECK(hipFree(memory));
    }).join();
    return result;
  };
  begin(stream, hipStreamCaptureModeGlobal);
  CHECK_EQ(inOtherThread(hipStreamCaptureModeThreadLocal), hipSuccess);
  CHECK_EQ(inOtherThread(hipStreamCaptureModeRelaxed), hipSuccess);
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusActive);
  CHECK_EQ(inOtherThread(hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
  for (hipStreamCaptureMode mode : {hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    begin(stream, mode);
    CHECK_EQ(inOtherThread(hipStreamCaptureModeGlobal), hipSuccess);
    endValid(stream);
  }
}

// The legacy default stream would have to wait for the blocking streams that are captured.
TEST(legacyStream) {
  Stream blocking, nonBlocking(hipStreamNonBlocking);
  DeviceArray<int> data(1);
  hipStreamCaptureStatus status;
  begin(blocking);
  CHECK_EQ(hipStreamIsCapturing(nullptr, &status), hipErrorStreamCaptureImplicit);
  CHECK_EQ(statusOf(blocking), hipStreamCaptureStatusActive); // asking is harmless
  add<<<1, 1>>>(data, 1);
  CHECK_EQ(hipGetLastError(), hipErrorStreamCaptureImplicit);
  endInvalid(blocking, data);
  int value = 0;
  begin(blocking);
  CHECK_EQ(hipMemcpy(&value, data, 4, hipMemcpyDeviceToHost), hipErrorStreamCaptureImplicit);
  endInvalid(blocking, data);
  begin(blocking);
  CHECK_EQ(hipMemsetAsync(data, 0, 4, nullptr), hipErrorStreamCaptureImplicit);
  endInvalid(blocking, data);
  begin(blocking);
  CHECK_EQ(hipStreamSynchronize(nullptr), hipErrorStreamCaptureImplicit);
  endInvalid(blocking, data);
  Event event;
  begin(blocking);
  CHECK_EQ(hipEventRecord(event, nullptr), hipErrorStreamCaptureImplicit);
  endInvalid(blocking, data);

  // Not for the others; and those that are not captured are as free as ever.
  begin(nonBlocking);
  HIP_CHECK(hipStreamIsCapturing(nullptr, &status));
  CHECK_EQ(status, hipStreamCaptureStatusNone);
  add<<<1, 1>>>(data, 5);
  HIP_CHECK(hipMemcpy(&value, data, 4, hipMemcpyDeviceToHost));
  CHECK_EQ(value, 5);
  add<<<1, 1, 0, blocking>>>(data, 5);
  endValid(nonBlocking);
  HIP_CHECK(hipStreamSynchronize(blocking));
}

TEST(ending) {
  Stream origin, fork;
  Event event;
  DeviceArray<int> data(1);
  hipGraph_t graph = unset();
  // Of another stream.
  begin(origin);
  HIP_CHECK(hipEventRecord(event, origin));
  HIP_CHECK(hipStreamWaitEvent(fork, event, 0));
  CHECK_EQ(hipStreamEndCapture(fork, &graph), hipErrorStreamCaptureUnmatched);
  endValid(origin);
  CHECK_EQ(statusOf(fork), hipStreamCaptureStatusNone);
  // With work that has not been joined.
  begin(origin);
  HIP_CHECK(hipEventRecord(event, origin));
  HIP_CHECK(hipStreamWaitEvent(fork, event, 0));
  add<<<1, 1, 0, fork>>>(data, 1);
  CHECK_EQ(hipStreamEndCapture(origin, &graph), hipErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  CHECK_EQ(statusOf(origin), hipStreamCaptureStatusNone);
  CHECK_EQ(statusOf(fork), hipStreamCaptureStatusNone);
  // In another thread.
  for (hipStreamCaptureMode mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal}) {
    begin(origin, mode);
    std::thread([&] { CHECK_EQ(hipStreamEndCapture(origin, &graph), hipErrorStreamCaptureWrongThread); }).join();
    endValid(origin);
  }
  begin(origin, hipStreamCaptureModeRelaxed);
  std::thread([&] { endValid(origin); }).join();
  // Nothing of all that was executed.
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(data.host()[0], 0);
}

TEST(events) {
  Stream stream, other, ordinary;
  Event before, inside, never;
  DeviceArray<int> data(2); // one of each stream that is captured
  float milliseconds;
  HIP_CHECK(hipEventRecord(before, ordinary));
  HIP_CHECK(hipStreamSynchronize(ordinary));

  // An event from before the capture.
  begin(stream);
  HIP_CHECK(hipStreamWaitEvent(stream, never, 0));
  CHECK_EQ(hipStreamWaitEvent(stream, before, 0), hipErrorStreamCaptureIsolation);
  endInvalid(stream, data);

  // The host cannot ask for what is only planned.
  begin(stream);
  HIP_CHECK(hipEventRecord(inside, stream));
  CHECK_EQ(hipEventQuery(inside), hipErrorCapturedEvent);
  endInvalid(stream, data);
  begin(stream);
  HIP_CHECK(hipEventRecord(inside, stream));
  CHECK_EQ(hipEventSynchronize(inside), hipErrorCapturedEvent);
  endInvalid(stream, data);
  begin(stream);
  HIP_CHECK(hipEventRecord(inside, stream));
  CHECK_EQ(hipEventElapsedTime(&milliseconds, before, inside), hipErrorCapturedEvent);
  endInvalid(stream, data);

  // After the capture the event stays where it was recorded, until it is recorded again.
  begin(stream);
  HIP_CHECK(hipEventRecord(inside, stream));
  endValid(stream);
  CHECK_EQ(hipEventQuery(inside), hipErrorCapturedEvent);
  CHECK_EQ(hipStreamWaitEvent(ordinary, inside, 0), hipErrorCapturedEvent);
  begin(other);
  CHECK_EQ(hipStreamWaitEvent(other, inside, 0), hipErrorStreamCaptureIsolation);
  endInvalid(other, data + 1);
  HIP_CHECK(hipEventRecord(inside, ordinary));
  HIP_CHECK(hipEventSynchronize(inside));
  HIP_CHECK(hipEventElapsedTime(&milliseconds, before, inside));

  // Two captures stay two.
  begin(stream);
  begin(other);
  HIP_CHECK(hipEventRecord(inside, stream));
  CHECK_EQ(hipStreamWaitEvent(other, inside, 0), hipErrorStreamCaptureMerge);
  endInvalid(stream, data, false);
  endInvalid(other, data + 1);

  // The legacy default stream cannot join, nor what has become invalid be joined.
  begin(stream);
  HIP_CHECK(hipEventRecord(inside, stream));
  CHECK_EQ(hipStreamWaitEvent(nullptr, inside, 0), hipErrorStreamCaptureImplicit);
  CHECK_EQ(hipStreamWaitEvent(ordinary, inside, 0), hipErrorStreamCaptureInvalidated);
  CHECK_EQ(statusOf(ordinary), hipStreamCaptureStatusNone);
  endInvalid(stream, data);

  // An event may be destroyed while it is part of a capture.
  begin(stream);
  hipEvent_t shortLived;
  HIP_CHECK(hipEventCreate(&shortLived));
  HIP_CHECK(hipEventRecord(shortLived, stream));
  HIP_CHECK(hipStreamWaitEvent(other, shortLived, 0));
  HIP_CHECK(hipEventDestroy(shortLived));
  endValid(stream);
}

TEST(memory) {
  Stream stream;
  DeviceArray<int> data(1);
  int *managed;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), 64));
  begin(stream);
  CHECK_EQ(hipFreeAsync(data, stream), hipErrorInvalidValue); // not the graph's
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusActive);
  CHECK_EQ(hipStreamAttachMemAsync(stream, managed, 0, hipMemAttachSingle), hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
  begin(stream);
  CHECK_EQ(hipMemPrefetchAsync(managed, 64, 0, stream), hipErrorStreamCaptureUnsupported);
  endInvalid(stream, data);
  HIP_CHECK(hipFree(managed));
}

// Threads that capture, end, invalidate and use the same streams at the same time, in any order: every call gets an
// answer, and the streams work afterwards.
TEST(races) {
  Stream streams[2];
  Event event;
  DeviceArray<int> data(1);
  int *target = data;
  std::vector<std::thread> threads;
  std::atomic<int> unexpected{0};
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      auto allowed = [&](hipError_t error) {
        unexpected += error != hipSuccess && error != hipErrorIllegalState && error != hipErrorCapturedEvent &&
                      error != hipErrorNotReady &&
                      (error < hipErrorStreamCaptureUnsupported || error > hipErrorStreamCaptureWrongThread);
      };
      for (int round = 0; round < 200; ++round) {
        hipStream_t stream = streams[(number + round) % 2];
        allowed(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
        allowed(hipMemsetAsync(target, 0, 4, stream));
        allowed(hipEventRecord(event, stream));
        allowed(hipStreamWaitEvent(streams[round % 2], event, 0));
        hipStreamCaptureStatus status;
        unsigned long long id;
        allowed(hipStreamGetCaptureInfo(stream, &status, &id));
        if (round % 7 == number)
          allowed(hipStreamQuery(stream));
        hipGraph_t graph;
        const hipError_t error = hipStreamEndCapture(stream, &graph);
        allowed(error);
        if (!error)
          allowed(hipGraphDestroy(graph));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(unexpected.load(), 0);
  hipGraph_t graph;
  for (hipStream_t stream : {streams[0].stream, streams[1].stream})
    if (statusOf(stream) != hipStreamCaptureStatusNone && hipStreamEndCapture(stream, &graph) == hipSuccess)
      HIP_CHECK(hipGraphDestroy(graph));
  for (hipStream_t stream : {streams[0].stream, streams[1].stream})
    HIP_CHECK(hipStreamSynchronize(stream));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
