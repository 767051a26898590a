// SPDX-License-Identifier: MIT
// A stream: the face of its order (sync/stream_order.h) and of what appends its commands (stream/appender.h). What a stream
// can be asked to do is here; a stream that is captured hands it to its capture (stream/capture_sink.h) instead.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"
#include "lz/memory/allocating_stream.h"
#include "lz/memory/argument_memory.h"
#include "lz/memory/staging.h"
#include "lz/module/kernel_instance.h"
#include "lz/module/launch_parameters.h"
#include "lz/stream/appender.h"
#include "lz/stream/pauses.h"
#include "lz/sync/stream_order.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace hiplz {

class CaptureSink;
class LZCallbackThread;
class LZCapture;
class LZDeviceQueues;
class LZExternalSemaphore;
class LZGrid;
class LZKernel;
class LZModule;
struct MemoryOperation;
struct Allocation;
struct CopyMemory;
struct CopyRegion;
struct FillRegion;

/// Where a copy comes from and where it goes, for the profile.
struct CopyWay {
  trace::Place from = trace::Place::unknown, to = trace::Place::unknown;
};

/// The attributes that hipStreamSetAttribute keeps for a stream. No driver of Level Zero takes any of it.
struct StreamAttributes {
  hipAccessPolicyWindow accessPolicy{};
  int synchronizationPolicy = 1; // hipSyncPolicyAuto
  unsigned memoryDomain = 0;
  unsigned char memoryDomains[2] = {}; // for the default and the remote one
};

/// Thread-safe: each method takes the lock of the appender for the time of the appends, never while the host waits, and
/// never the locks of two queues at once. Methods that return hipError_t may throw HipError where they create Level
/// Zero objects. A fault of the device makes all of them fail with the fault's error.
class LZQueue final : public AllocatingStream {
public:
  /// The target of a stream that is made from native handles: an immediate list, or else a queue.
  struct NativeStream {
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue;
    uint32_t ordinal; ///< of the queue's group
  };
  enum class Kind {
    null,        // the legacy default stream
    blocking,    // waits for the null stream and the null stream for it; per-thread default streams are of this kind
    nonBlocking, // independent of the null stream
    internal,    // the runtime's own
  };

  /// `unitMask` has a bit for each compute unit that the stream may use; empty: all.
  LZQueue(LZDevice &device, Kind kind, unsigned flags, int priority, std::vector<uint32_t> unitMask = {});
  /// The handles are borrowed until ownNative() is called.
  LZQueue(LZDevice &device, unsigned flags, const NativeStream &native);
  LZQueue(const LZQueue &) = delete;
  LZQueue &operator=(const LZQueue &) = delete;
  /// The queue must be idle.
  ~LZQueue();

  LZDevice &device() const override { return device_; }
  Kind kind() const { return kind_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  const std::vector<uint32_t> &unitMask() const { return unitMask_; }
  /// The execution context that it belongs to; 0: the device's.
  uint64_t executionContext() const { return executionContext_.load(std::memory_order_relaxed); }
  void setExecutionContext(uint64_t id) { executionContext_.store(id, std::memory_order_relaxed); }
  /// True once its execution context has been destroyed: the application can only ask about it and destroy it.
  bool detached() const { return detached_.load(std::memory_order_acquire); }
  void detach() { detached_.store(true, std::memory_order_release); }
  StreamAttributes attributes() {
    std::lock_guard lock(appender_.mutex());
    return attributes_;
  }
  void setAttributes(const StreamAttributes &attributes) {
    std::lock_guard lock(appender_.mutex());
    attributes_ = attributes;
  }
  /// Unique in the process, never used again.
  uint64_t id() const { return order().id(); }
  /// How many commands the queue has been given, and how many of them are known to be complete.
  uint64_t submitted() const { return order().submitted(); }
  uint64_t drained() const { return order().drained(); }
  /// True if everything submitted is known to be complete.
  bool idle() const { return !appender_.native() && order().idle(); }
  /// For several appends under one lock; call joinDefault() before.
  LZAppender &appender() { return appender_; }

  /// Where its commands go because it is captured, else null. The null stream must not be used while a blocking stream of its
  /// device is captured, and has a sink then, too.
  CaptureSink *captured() const { return sink_.load(std::memory_order_acquire); }
  /// For captures alone. The first puts the stream, which is not the null stream, under a capture; false if it is under one.
  /// The device's null stream must exist.
  bool beginCapture(CaptureSink &sink, std::shared_ptr<LZCapture> capture);
  void endCapture() noexcept;
  /// The capture it is under; null if there is none, and for the null stream.
  std::shared_ptr<LZCapture> capture();

  /// Launches a kernel. After the first launch of a kernel on this queue it allocates nothing.
  hipError_t launch(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments);
  /// hipErrorCooperativeLaunchTooLarge unless all groups can run at the same time.
  static hipError_t checkCooperative(const KernelInstance &instance, const ze_group_count_t &groups);

  /// Copies in stream order. Between memory of devices and pinned memory it is asynchronous unless blocking is set; with
  /// pageable memory it returns when the source may be reused and the destination, if pageable, has been written.
  /// `memory` is memoryOf(region).
  hipError_t copyRegion(const CopyRegion &region, const CopyMemory &memory, bool blocking);
  /// Fills memory asynchronously. `memory` is memoryOf(region).
  hipError_t fillRegion(const FillRegion &region, const std::optional<Allocation> &memory);

  /// Moves managed memory to a device of the same driver, in stream order. It changes speed, never results.
  hipError_t prefetch(const void *memory, size_t bytes, LZDevice &to);
  /// Tells the driver how managed memory will be used. Drivers may know better: a refusal is only logged.
  hipError_t advise(const void *memory, size_t bytes, ze_memory_advice_t advice);

  /// An event that is signalled when everything submitted so far has completed. With timed, it carries the time.
  LZEventRef record(bool timed);

  /// Around what the host does before a launch and what takes long: the stream stands still meanwhile. endPause() leaves an
  /// empty pause if anything has been submitted in between. Of streams with commands of the application all are empty. The
  /// pause counts from addPause() on, which comes after the launch.
  LZPauses::Pause beginPause();
  void endPause(LZPauses::Pause &pause);
  void addPause(LZPauses::Pause pause) {
    if (pause)
      pauses_->add(device_, std::move(pause));
  }
  const std::shared_ptr<LZPauses> &pauses() const { return pauses_; }

  /// The immediate list, or null if the stream is on a queue; and that queue, or null.
  ze_command_list_handle_t nativeList() const { return appender_.nativeList(); }
  ze_command_queue_handle_t nativeQueue() const { return appender_.nativeQueue(); }
  void ownNative() { appender_.ownNative(); }

  /// Later commands wait for the event, which may belong to any device.
  hipError_t wait(const LZEventRef &event);

  /// Runs the function on a thread of the runtime when the stream gets there; the stream goes on after it has returned.
  /// The function receives the state of the stream.
  hipError_t callback(std::function<void(hipError_t)> function);

  /// Writes words of memory and waits for them, in this order. All of them have been checked (memory_operation.h).
  hipError_t batch(std::span<const MemoryOperation> operations);

  /// Signals semaphores of other APIs, or waits for them, with these values. hipErrorNotSupported if the driver has none.
  hipError_t useSemaphores(std::span<LZExternalSemaphore *const> semaphores, std::span<const uint64_t> values,
                           bool signals);

  /// The end of what has been submitted so far, the default stream's rules included. Throws HipError.
  StreamPoint point();
  /// Signals an event that is not one of the runtime's recycled ones when everything submitted so far has completed.
  /// `behind` receives an event that is signalled right after it.
  hipError_t signal(const LZEventRef &event, LZEventRef *behind = nullptr);
  /// Everything up to this count of another queue's commands precedes what is submitted to this queue from now on.
  void noteFollows(uint64_t queue, uint64_t count);

  uint64_t streamId() const override { return order().id(); }
  StreamPoint::Side side() const override { return order().side(); }
  bool follows(const StreamPoint &point) override;
  hipError_t joinDefault() override { return prepare(); }
  hipError_t follow(const StreamPoint &point) override;

  /// hipSuccess if everything submitted has completed, hipErrorNotReady if not, or the device's fault.
  hipError_t query();

  /// Waits for everything submitted before the call. A captured stream cannot be waited for.
  hipError_t synchronize() noexcept;
  /// The same, for what was submitted before the capture if the stream is captured.
  hipError_t finish() noexcept;
  /// Withdraws the stream from LZDeviceQueues::unjoinedQueues if the null stream waits for all of its work, or it is
  /// complete.
  void withdrawIfJoined();

  /// A kernel that prints has been appended under the lock, by other means than launch().
  void notePrintingLocked() { mayPrint_ = true; }

  /// Waits, then drops the kernel handles of the module.
  void forgetModule(const LZModule &module) noexcept;

private:
  hipError_t launchNow(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments);
  hipError_t copyNow(const CopyRegion &region, const CopyMemory &memory, bool blocking);
  LZPauses::Pause beginPauseLocked();
  void endPauseLocked(LZPauses::Pause &pause);
  hipError_t prepare();
  hipError_t joinOthers();
  hipError_t prepareWait();
  hipError_t join(LZQueue &other);
  hipError_t hostStep(LZEventRef awaited, std::function<void(hipError_t)> function,
                      std::function<hipError_t()> poll = {});
  uint64_t gridAddress();
  hipError_t writeWord(const MemoryOperation &operation);
  hipError_t waitForWord(const MemoryOperation &operation);
  hipError_t flush();
  hipError_t queryNative();
  hipError_t waitFor(const StreamMarker &mark);
  hipError_t waitedOutcome() const;
  hipError_t appendRegion(const CopyRegion &region, CopyWay way = {});
  hipError_t copyFromPageable(const CopyRegion &region, CopyWay way);
  hipError_t copyToPageable(const CopyRegion &region, CopyWay way);
  void markChunk(LZStaging &staging, LZStaging::Chunk &chunk);
  hipError_t finishAfter(hipError_t error) noexcept;
  hipError_t finishOnce() noexcept;
  hipError_t copyBetweenDrivers(const CopyRegion &region, LZDevice &toDevice, LZDevice &fromDevice);

  StreamOrder &order() { return appender_.order(); }
  const StreamOrder &order() const { return appender_.order(); }

  /// Appends one command under the rules of its stream; the arguments as of LZAppender::appendLocked.
  template <class Append, class Describe = std::nullptr_t>
  hipError_t submit(Append append, Describe describe = nullptr) {
    if (hipError_t error = prepare())
      return error;
    std::lock_guard lock(appender_.mutex());
    return appender_.appendLocked(append, describe);
  }

  LZDevice &device_;         // non-owning
  LZDeviceQueues &siblings_; // the queues of the device; non-owning
  const Kind kind_;
  const unsigned flags_;
  const int priority_;
  const std::vector<uint32_t> unitMask_; // empty: all
  const std::shared_ptr<LZPauses> pauses_ = std::make_shared<LZPauses>();
  std::atomic<uint64_t> executionContext_{0};
  std::atomic<bool> detached_{false};
  std::atomic<CaptureSink *> sink_{nullptr}; // written under the lock of the appender
  LZAppender appender_;                      // its lock guards what follows
  KernelInstanceTable kernels_;
  LZArgumentMemory argumentMemory_;
  StreamAttributes attributes_;
  bool mayPrint_ = false; // a kernel that prints may be running
  StreamMarker asked_{};  // of a native stream: what query() has found not to be ready
  std::unique_ptr<LZCallbackThread> callbacks_;
  std::shared_ptr<LZCapture> capture_; // not of the null stream
  uint32_t capturedSiblings_ = 0;      // of the null stream: how many blocking streams are captured

  Lockable<LZStaging> staging_{LockRank::staging}; // locked for a whole copy; not under mutex_
  std::once_flag gridOnce_;
  std::unique_ptr<LZGrid> grid_; // written under gridOnce_
};

} // namespace hiplz
