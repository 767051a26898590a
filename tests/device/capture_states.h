// SPDX-License-Identifier: MIT
// Streams and events that end with their scope, and the beginning and the end of captures that are expected to be valid or not.
#pragma once
#include "check.h"

namespace {

struct Stream {
  hipStream_t stream;
  explicit Stream(unsigned flags = hipStreamDefault) { HIP_CHECK(hipStreamCreateWithFlags(&stream, flags)); }
  ~Stream() { HIP_CHECK(hipStreamDestroy(stream)); }
  operator hipStream_t() const { return stream; }
};
struct Event {
  hipEvent_t event;
  Event() { HIP_CHECK(hipEventCreate(&event)); }
  ~Event() { HIP_CHECK(hipEventDestroy(event)); }
  operator hipEvent_t() const { return event; }
};

[[maybe_unused]] hipGraph_t unset() { return reinterpret_cast<hipGraph_t>(1); }

[[maybe_unused]] void begin(hipStream_t stream, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
  HIP_CHECK(hipStreamBeginCapture(stream, mode));
}

[[maybe_unused]] hipStreamCaptureStatus statusOf(hipStream_t stream) {
  hipStreamCaptureStatus status;
  HIP_CHECK(hipStreamIsCapturing(stream, &status));
  return status;
}

// Ends a capture that is valid, and drops the graph.
[[maybe_unused]] void endValid(hipStream_t stream) {
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusActive);
  hipGraph_t graph = unset();
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphDestroy(graph));
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusNone);
}

// Ends a capture that something has invalidated; its streams refuse everything until then.
[[maybe_unused]] void endInvalid(hipStream_t stream, int *data, bool lastCapture = true) {
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusInvalidated);
  CHECK_EQ(hipMemsetAsync(data, 0, 4, stream), hipErrorStreamCaptureInvalidated);
  hipGraph_t graph = unset();
  CHECK_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK_EQ(statusOf(stream), hipStreamCaptureStatusNone);
  HIP_CHECK(hipMemsetAsync(data, 0, 4, stream));
  if (lastCapture)
    HIP_CHECK(hipStreamSynchronize(stream));
}

} // namespace
