// SPDX-License-Identifier: MIT
// Captures: their streams, what becomes of calls, and which threads may make which calls.
#include "lz/graph/capture.h"
#include "base/log.h"
#include "lz/core/numbering.h"
#include "lz/device/device.h"
#include "lz/graph/graph_exec.h"
#include "lz/stream/device_queues.h"

#include <algorithm>
#include <unordered_set>

namespace hiplz {
namespace {

constinit thread_local hipStreamCaptureMode threadMode = hipStreamCaptureModeGlobal;

/// The captures that have not ended.
struct Registry {
  Mutex mutex{LockRank::captureTable};
  std::vector<std::shared_ptr<LZCapture>> captures;
};
Registry &registry() {
  static auto *all = new Registry; // used until the process ends
  return *all;
}

void appendOnce(std::vector<LZGraphNode *> &nodes, std::span<LZGraphNode *const> added) {
  for (LZGraphNode *node : added)
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
      nodes.push_back(node);
}

} // namespace

std::atomic<uint32_t> LZCapture::active_{0};

LZCapture::LZCapture(hipStreamCaptureMode mode, LZGraph *into)
    : mode_(mode), id_(newNumber<LZCapture>()), owned_(into ? nullptr : std::make_unique<LZGraph>()),
      graph_(into ? into : owned_.get()) {}

LZCapture::Stream *LZCapture::findLocked(const LZQueue &queue) {
  auto found = std::find_if(streams_.begin(), streams_.end(), [&](const Stream &s) { return s.queue == &queue; });
  return found == streams_.end() ? nullptr : &*found;
}

bool LZCapture::valid() {
  std::lock_guard lock(mutex_);
  return status_ == hipStreamCaptureStatusActive;
}

void LZCapture::invalidate() {
  std::lock_guard lock(mutex_);
  if (status_ == hipStreamCaptureStatusActive)
    status_ = hipStreamCaptureStatusInvalidated;
}

// Calls body(capture, its stream) under the lock of the capture of the queue.
template <class Body> hipError_t LZCapture::with(LZQueue &queue, Body body) {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return queue.kind() == LZQueue::Kind::null ? refuseNull(queue)
                                               : hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
  std::lock_guard lock(capture->mutex_);
  Stream *stream = capture->findLocked(queue);
  if (!stream)
    return hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
  if (capture->status_ != hipStreamCaptureStatusActive)
    return hiplz::refuse(hipErrorStreamCaptureInvalidated, "the capture is invalid");
  return body(*capture, *stream);
}

// Puts the queue, which may not be captured, under this capture.
hipError_t LZCapture::joinLocked(const std::shared_ptr<LZCapture> &self, LZQueue &queue,
                                 std::span<LZGraphNode *const> dependencies) {
  Stream stream{&queue, {}};
  appendOnce(stream.dependencies, dependencies);
  streams_.push_back(std::move(stream));
  if (queue.beginCapture(commands(), self))
    return hipSuccess;
  streams_.pop_back();
  return hiplz::refuse(hipErrorStreamCaptureMerge, "the stream is captured already");
}

void LZCapture::finishLocked() noexcept {
  for (const Stream &stream : streams_)
    if (stream.queue)
      stream.queue->endCapture();
  streams_.clear();
  status_ = hipStreamCaptureStatusNone;
}

void LZCapture::unregister() noexcept {
  std::lock_guard lock(registry().mutex);
  if (std::erase_if(registry().captures, [&](const auto &capture) { return capture.get() == this; }))
    active_.fetch_sub(1, std::memory_order_relaxed);
}

hipError_t LZCapture::begin(LZQueue &queue, hipStreamCaptureMode mode, LZGraph *into,
                            std::span<LZGraphNode *const> dependencies) {
  if (queue.kind() == LZQueue::Kind::null)
    return hiplz::refuse(hipErrorStreamCaptureUnsupported, "the legacy default stream cannot be captured");
  if (hipError_t fault = queue.device().fault())
    return fault;
  LZDeviceQueues::of(queue.device()).nullQueue(); // joinLocked needs it
  auto capture = std::make_shared<LZCapture>(mode, into);
  {
    std::lock_guard lock(registry().mutex);
    registry().captures.push_back(capture);
    active_.fetch_add(1, std::memory_order_relaxed);
  }
  try {
    std::lock_guard lock(capture->mutex_);
    if (capture->joinLocked(capture, queue, dependencies) == hipSuccess)
      return hipSuccess;
  } catch (...) {
    capture->unregister();
    throw;
  }
  capture->unregister();
  return hiplz::refuse(hipErrorIllegalState, "the stream is captured already");
}

// True if everything that the other streams have done precedes the end of the first stream.
bool LZCapture::joinedLocked() const {
  std::unordered_set<const LZGraphNode *> before;
  std::vector<const LZGraphNode *> toVisit(streams_[0].dependencies.begin(), streams_[0].dependencies.end());
  while (!toVisit.empty()) {
    const LZGraphNode *node = toVisit.back();
    toVisit.pop_back();
    if (before.insert(node).second)
      toVisit.insert(toVisit.end(), node->dependencies().begin(), node->dependencies().end());
  }
  for (const Stream &stream : streams_)
    for (const LZGraphNode *node : stream.dependencies)
      if (!before.count(node))
        return false;
  return true;
}

hipError_t LZCapture::end(LZQueue &queue, LZGraph *&graph) {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
  hipError_t error = hipSuccess;
  std::unique_ptr<LZGraph> dropped;
  {
    std::lock_guard lock(capture->mutex_);
    if (capture->streams_.empty())
      return hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
    if (capture->streams_[0].queue != &queue)
      return hiplz::refuse(hipErrorStreamCaptureUnmatched, "the capture began in another stream");
    if (capture->mode_ != hipStreamCaptureModeRelaxed && capture->thread_ != std::this_thread::get_id())
      return hiplz::refuse(hipErrorStreamCaptureWrongThread,
                           "the capture began in another thread, and its mode is not hipStreamCaptureModeRelaxed");
    if (capture->status_ == hipStreamCaptureStatusInvalidated)
      error = hipErrorStreamCaptureInvalidated;
    else if (!capture->joinedLocked())
      error = hipErrorStreamCaptureUnjoined;
    capture->finishLocked();
    dropped = std::move(capture->owned_);
    if (!error) {
      graph = capture->graph_;
      static_cast<void>(dropped.release()); // the caller's now
    }
  }
  capture->unregister();
  return error;
}

void LZCapture::abandon(LZQueue &queue) noexcept {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return;
  std::unique_ptr<LZGraph> dropped;
  {
    std::lock_guard lock(capture->mutex_);
    capture->finishLocked();
    dropped = std::move(capture->owned_);
  }
  capture->unregister();
}

void LZCapture::leave(LZQueue &queue) noexcept {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return;
  {
    std::lock_guard lock(capture->mutex_);
    Stream *stream = capture->findLocked(queue);
    if (!stream)
      return; // the capture has ended meanwhile
    if (stream != &capture->streams_[0]) {
      queue.endCapture();
      stream->queue = nullptr;
      return;
    }
  }
  abandon(queue);
}

hipError_t LZCapture::info(LZQueue &queue, Info &info) {
  info = {};
  if (!queue.captured())
    return hipSuccess;
  if (queue.kind() == LZQueue::Kind::null)
    return hiplz::refuse(hipErrorStreamCaptureImplicit, "a blocking stream of the device is captured");
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return hipSuccess;
  std::lock_guard lock(capture->mutex_);
  const Stream *stream = capture->findLocked(queue);
  if (!stream)
    return hipSuccess;
  info.status = capture->status_;
  info.id = capture->id_;
  if (capture->status_ == hipStreamCaptureStatusActive) {
    info.graph = capture->graph_;
    info.dependencies = stream->dependencies;
  }
  return hipSuccess;
}

hipError_t LZCapture::updateDependencies(LZQueue &queue, std::span<LZGraphNode *const> nodes, bool replace) {
  return with(queue, [&](LZCapture &capture, Stream &stream) {
    for (const LZGraphNode *node : nodes)
      if (&node->graph() != capture.graph_)
        return hiplz::refuse(hipErrorInvalidValue, "a dependency is a node of another graph");
    if (replace)
      stream.dependencies.clear();
    appendOnce(stream.dependencies, nodes);
    return hipSuccess;
  });
}

hipStreamCaptureMode LZCapture::exchangeMode(hipStreamCaptureMode mode) { return std::exchange(threadMode, mode); }

// Invalidates the captures for which concerned(capture) is true; false if there are none.
template <class Concerned> bool LZCapture::invalidateIf(Concerned concerned) {
  std::vector<std::shared_ptr<LZCapture>> captures;
  {
    std::lock_guard lock(registry().mutex);
    captures = registry().captures;
  }
  bool any = false;
  for (const auto &capture : captures)
    if (concerned(*capture)) {
      capture->invalidate();
      any = true;
    }
  return any;
}

void LZCapture::forbidUnsafeSlowly() {
  if (threadMode == hipStreamCaptureModeRelaxed)
    return;
  const bool forbidden = invalidateIf([](const LZCapture &capture) {
    if (capture.thread_ == std::this_thread::get_id())
      return capture.mode_ != hipStreamCaptureModeRelaxed;
    return threadMode == hipStreamCaptureModeGlobal && capture.mode_ == hipStreamCaptureModeGlobal;
  });
  if (forbidden)
    throw HipError(hipErrorStreamCaptureUnsupported,
                   "the call is unsafe while a stream is captured, because the graph would not contain it; use "
                   "hipThreadExchangeStreamCaptureMode if that is intended");
}

void LZCapture::forbidAlwaysSlowly() {
  if (invalidateIf([](const LZCapture &) { return true; }))
    throw HipError(hipErrorStreamCaptureUnsupported,
                   "the call waits for all streams while one is captured; the capture is invalid");
}

// The null stream waits for the blocking streams of its device, and those that are captured do nothing now.
hipError_t LZCapture::refuseNull(LZQueue &queue) {
  invalidateIf([&](LZCapture &capture) {
    std::lock_guard lock(capture.mutex_);
    return std::any_of(capture.streams_.begin(), capture.streams_.end(), [&](const Stream &stream) {
      return stream.queue && stream.queue->kind() == LZQueue::Kind::blocking &&
             &stream.queue->device() == &queue.device();
    });
  });
  return hiplz::refuse(hipErrorStreamCaptureImplicit,
                       "the legacy default stream was used while a blocking stream of the device was captured");
}

hipError_t LZCapture::refuse(LZQueue &queue, hipError_t error) {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  if (!capture)
    return queue.kind() == LZQueue::Kind::null ? refuseNull(queue)
                                               : hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
  capture->invalidate();
  return hiplz::refuse(error, "the call cannot be captured; the capture is invalid");
}

hipError_t LZCapture::add(LZQueue &queue, GraphNodeContent content) {
  return with(queue, [&](LZCapture &capture, Stream &stream) {
    LZGraphNode &node = capture.graph_->add(queue.device(), std::move(content), stream.dependencies);
    stream.dependencies.assign(1, &node);
    return hipSuccess;
  });
}

hipError_t LZCapture::launchGraph(LZQueue &queue, LZGraphExec &exec) {
  return add(queue, ChildNode{exec.copyGraph(LZGraph::Purpose::clone)});
}

hipError_t LZCapture::record(LZQueue &queue, CaptureMark &mark) {
  const std::shared_ptr<LZCapture> capture = queue.capture();
  return with(queue, [&](LZCapture &, Stream &stream) {
    mark = {&commands(), capture, stream.dependencies, &queue};
    return hipSuccess;
  });
}

hipError_t LZCapture::wait(LZQueue &queue, const CaptureMark &mark) {
  LZCapture &capture = *mark.capture;
  const std::shared_ptr<LZCapture> own = queue.capture();
  if (!own && queue.kind() == LZQueue::Kind::null) {
    capture.invalidate();
    return hiplz::refuse(hipErrorStreamCaptureImplicit,
                         "the legacy default stream cannot wait for an event of a capture");
  }
  if (own && own != mark.capture) {
    own->invalidate();
    // A capture that has ended has nothing left to merge with.
    if (!capture.valid())
      return hiplz::refuse(hipErrorStreamCaptureIsolation, "the event belongs to a capture that has ended");
    capture.invalidate();
    return hiplz::refuse(hipErrorStreamCaptureMerge, "the event belongs to another capture");
  }
  if (!own)
    LZDeviceQueues::of(queue.device()).nullQueue(); // joinLocked needs it
  std::lock_guard lock(capture.mutex_);
  if (capture.status_ == hipStreamCaptureStatusNone)
    return hiplz::refuse(hipErrorCapturedEvent, "the event belongs to a capture that has ended");
  if (capture.status_ == hipStreamCaptureStatusInvalidated)
    return hiplz::refuse(hipErrorStreamCaptureInvalidated, "the capture is invalid");
  for (const LZGraphNode *node : mark.nodes)
    if (LZGraph::findNode(node) != node)
      return hiplz::refuse(hipErrorInvalidValue, "the event names nodes that have been destroyed");
  if (!own)
    return capture.joinLocked(mark.capture, queue, mark.nodes);
  Stream *stream = capture.findLocked(queue);
  if (!stream)
    return hiplz::refuse(hipErrorIllegalState, "the stream is not captured");
  if (mark.queue != &queue)
    appendOnce(stream->dependencies, mark.nodes);
  return hipSuccess;
}

} // namespace hiplz
