// SPDX-License-Identifier: MIT
// Where a stream that is captured hands what it is asked to do, instead of executing it. Captures are parts of graphs, which
// are made of streams and stand above them; so streams and events know this interface alone, and graph/capture_commands.cpp
// implements it.
#pragma once
#include "lz/core/error.h"
#include "lz/module/launch_parameters.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace hiplz {

class CaptureSink;
class LZCapture;
class LZEvent;
class LZGraphNode;
class LZKernel;
class LZMemoryPool;
class LZQueue;
struct CopyRegion;
struct FillRegion;
struct MemoryOperation;

/// Where an event was recorded last, if that was in a captured stream. An event keeps it and hands it back.
struct CaptureMark {
  CaptureSink *sink = nullptr; // null: it was not
  std::shared_ptr<LZCapture> capture;
  std::vector<LZGraphNode *> nodes; // non-owning
  const LZQueue *queue = nullptr;   // only compared
  explicit operator bool() const { return sink != nullptr; }
};

/// Thread-safe. The functions take the captured stream; if it is no longer captured, they return hipErrorIllegalState.
/// The legacy default stream is refused with hipErrorStreamCaptureImplicit, which invalidates the captures that it
/// would have to wait for.
class CaptureSink {
public:
  virtual hipError_t launch(LZQueue &queue, const LZKernel &kernel, const LaunchShape &shape,
                            const LaunchArguments &arguments) = 0;
  virtual hipError_t copy(LZQueue &queue, const CopyRegion &region) = 0;
  virtual hipError_t fill(LZQueue &queue, const FillRegion &region) = 0;
  virtual hipError_t batch(LZQueue &queue, std::span<const MemoryOperation> operations) = 0;
  /// These two throw HipError.
  virtual void *allocate(LZQueue &queue, LZMemoryPool &pool, size_t bytes) = 0;
  virtual void free(LZQueue &queue, void *pointer) = 0;

  /// Records in the captured stream: the mark is what the event keeps.
  virtual hipError_t record(LZQueue &queue, CaptureMark &mark) = 0;
  /// Makes the stream, captured or not, wait for the mark.
  virtual hipError_t wait(LZQueue &queue, const CaptureMark &mark) = 0;
  /// Records and waits when the graph is executed.
  virtual hipError_t recordExternal(LZQueue &queue, LZEvent &event) = 0;
  virtual hipError_t waitExternal(LZQueue &queue, LZEvent &event) = 0;

  /// For what cannot be captured: invalidates the capture and returns hipErrorStreamCaptureUnsupported.
  virtual hipError_t refuse(LZQueue &queue) = 0;
  /// A captured stream would wait for what precedes its capture: hipErrorStreamCaptureIsolation.
  virtual hipError_t refuseOutside(LZQueue &queue) = 0;
  /// The host asks for an event that was recorded in a capture: hipErrorCapturedEvent.
  virtual hipError_t refuseHost(const CaptureMark &mark) = 0;

  /// The thread that used this stream as its default one has ended; what captured it is over, and its graph is gone.
  virtual void abandon(LZQueue &queue) noexcept = 0;

protected:
  ~CaptureSink() = default; // there is one, which is never destroyed
};

} // namespace hiplz
