// SPDX-License-Identifier: MIT
// The capture of streams into a graph. A stream that is captured executes nothing: LZQueue and LZEvent hand what they are
// asked to do to the capture (stream/capture_sink.h), which makes nodes of it. Each stream remembers the nodes that its next one depends on; an
// event that is recorded in the capture carries them to other streams, which join the capture by waiting for it.
#pragma once
#include "base/mutex.h"
#include "lz/graph/graph.h"
#include "lz/stream/capture_sink.h"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace hiplz {

class LZGraphExec;

/// Thread-safe. A capture's lock guards its graph and the dependencies of its streams; it is taken before those of streams
/// and events, and never together with that of another capture. What is wrong with a call invalidates the captures that
/// are concerned: from then on their streams accept nothing until the capture is ended. A call for a stream that is not
/// captured (any more) gets hipErrorIllegalState.
class LZCapture {
public:
  LZCapture(hipStreamCaptureMode mode, LZGraph *into);
  LZCapture(const LZCapture &) = delete;
  LZCapture &operator=(const LZCapture &) = delete;

  /// Starts to capture the stream, into an existing graph after some of its nodes if `into` is not null.
  /// hipErrorStreamCaptureUnsupported for the legacy default stream, hipErrorIllegalState if it is captured already. Throws
  /// HipError.
  static hipError_t begin(LZQueue &queue, hipStreamCaptureMode mode, LZGraph *into,
                          std::span<LZGraphNode *const> dependencies);

  /// Ends the capture that began with this stream and hands over the graph, which the caller owns unless it existed
  /// before. hipErrorStreamCaptureUnmatched, -WrongThread: nothing has changed; -Invalidated, -Unjoined: the capture has
  /// ended without a graph.
  static hipError_t end(LZQueue &queue, LZGraph *&graph);

  /// The state of a stream. The dependencies are valid until the next call for it.
  struct Info {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    uint64_t id = 0;
    LZGraph *graph = nullptr;
    std::span<LZGraphNode *const> dependencies;
  };
  /// hipErrorStreamCaptureImplicit for the legacy default stream while a blocking stream of its device is captured.
  static hipError_t info(LZQueue &queue, Info &info);

  /// Adds to what the next node depends on, or replaces it. hipErrorInvalidValue for nodes of other graphs.
  static hipError_t updateDependencies(LZQueue &queue, std::span<LZGraphNode *const> nodes, bool replace);

  /// The mode of the calling thread, which decides how unsafe calls are dealt with; returns the former one.
  static hipStreamCaptureMode exchangeMode(hipStreamCaptureMode mode);

  /// For calls that are unsafe while someone captures, because no capture sees them: throws
  /// HipError{hipErrorStreamCaptureUnsupported} and invalidates the captures that forbid them to this thread. One load if
  /// nothing is captured.
  static void forbidUnsafe() {
    if (active()) [[unlikely]]
      forbidUnsafeSlowly();
  }

  /// For waits for a whole device, which no capture of any mode or thread may meet: throws
  /// HipError{hipErrorStreamCaptureUnsupported} and invalidates all captures. One load if nothing is captured.
  static void forbidAlways() {
    if (active()) [[unlikely]]
      forbidAlwaysSlowly();
  }

  /// True if a capture, valid or not, has not ended. Others may end meanwhile.
  static bool active() { return active_.load(std::memory_order_relaxed) != 0; }

  /// Calls for captured streams (graph/capture_commands.cpp).
  static CaptureSink &commands();

  /// Makes a node of what the stream was asked to do. The null stream is refused with hipErrorStreamCaptureImplicit, which
  /// invalidates the captures that it would have to wait for.
  static hipError_t add(LZQueue &queue, GraphNodeContent content);
  static hipError_t launchGraph(LZQueue &queue, LZGraphExec &exec);

  /// For a call that cannot be captured: this error, and the capture is invalid. The null stream's is hipErrorStreamCaptureImplicit.
  static hipError_t refuse(LZQueue &queue, hipError_t error = hipErrorStreamCaptureUnsupported);

  /// Records in a captured stream. hipErrorIllegalState as above.
  static hipError_t record(LZQueue &queue, CaptureMark &mark);
  /// Makes the stream, captured or not, wait for the mark.
  static hipError_t wait(LZQueue &queue, const CaptureMark &mark);
  /// The host asks for what was recorded in this capture, which becomes invalid.
  void invalidate();

  /// The thread that used this stream as its default one has ended; what captured it is over, and its graph is gone.
  static void abandon(LZQueue &queue) noexcept;

  /// The stream is destroyed. A capture that began with it is over, as above; any other goes on without it, and its end
  /// finds that nothing has joined what the stream did last, unless something has.
  static void leave(LZQueue &queue) noexcept;

private:
  struct Stream {
    LZQueue *queue; // non-owning; null once it has been destroyed
    std::vector<LZGraphNode *> dependencies;
  };

  static void forbidUnsafeSlowly();
  static void forbidAlwaysSlowly();
  static hipError_t refuseNull(LZQueue &queue);
  template <class Concerned> static bool invalidateIf(Concerned concerned);
  template <class Body> static hipError_t with(LZQueue &queue, Body body);
  bool valid();
  Stream *findLocked(const LZQueue &queue);
  hipError_t joinLocked(const std::shared_ptr<LZCapture> &self, LZQueue &queue,
                        std::span<LZGraphNode *const> dependencies);
  bool joinedLocked() const;
  void finishLocked() noexcept;
  void unregister() noexcept;

  static std::atomic<uint32_t> active_; // captures that have not ended

  const hipStreamCaptureMode mode_;
  const uint64_t id_;
  const std::thread::id thread_ = std::this_thread::get_id();

  Mutex mutex_{LockRank::capture}; // guards what follows
  std::unique_ptr<LZGraph> owned_;
  LZGraph *graph_;
  hipStreamCaptureStatus status_ = hipStreamCaptureStatusActive; // none: it has ended
  std::vector<Stream> streams_;                                  // the first one is where the capture began
};

} // namespace hiplz
