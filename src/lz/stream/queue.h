// SPDX-License-Identifier: MIT
// A stream: one immediate command list on which commands execute in the order of submission. Drivers with in-order lists
// keep that order themselves; for the others each command signals an event that the next one waits for, which costs the
// host less than barriers between them (0.5 us a command instead of 3 us on Intel's driver of 2022).
//
// Two counters carry the rest. submitted_ counts the commands; drained_ is the highest count known to be complete. The
// null stream and the blocking streams compare the other side's counter with what they last waited for, so a program
// with one stream pays nothing for the default-stream rules. Events that the list still refers to are held until
// drained_ passes the count at which they were used.
#pragma once
#include "lz/core/error.h"
#include "lz/core/ze_handle.h"
#include "lz/memory/argument_memory.h"
#include "lz/memory/staging.h"
#include "lz/module/kernel_cache.h"
#include "lz/stream/launch.h"
#include "lz/sync/event_pool.h"
#include "lz/sync/stream_point.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hiplz {

class LZCallbackThread;
class LZCapture;
class LZDevice;
class LZExternalSemaphore;
class LZGraphExec;
class LZGraphLanes;
class LZGraphRecording;
class LZGrid;
class LZKernel;
class LZModule;
class LZQueueLists;
struct MemoryOperation;
struct CopyRegion;
struct FillRegion;
struct GraphStep;

/// Thread-safe: each method takes the queue's own lock for the time of the appends, never while the host waits, and
/// never the locks of two queues at once. Methods that return hipError_t may throw HipError where they create Level
/// Zero objects. A fault of the device makes all of them fail with the fault's error.
class LZQueue {
public:
  /// What a stream that is made from native handles appends to: an immediate list, or else a queue.
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

  LZQueue(LZDevice &device, Kind kind, unsigned flags, int priority);
  /// The handles are borrowed until ownNative() is called.
  LZQueue(LZDevice &device, unsigned flags, const NativeStream &native);
  LZQueue(const LZQueue &) = delete;
  LZQueue &operator=(const LZQueue &) = delete;
  /// The queue must be idle.
  ~LZQueue();

  LZDevice &device() const { return device_; }
  Kind kind() const { return kind_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  /// Unique in the process, never used again.
  uint64_t id() const { return id_; }
  /// How many commands the queue has been given, and how many of them are known to be complete.
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
  uint64_t drained() const { return drained_.load(std::memory_order_acquire); }
  /// True if everything submitted is known to be complete.
  bool idle() const { return !native_ && drained() >= submitted(); }

  /// True if the stream executes nothing because it is captured: its commands become nodes of a graph (LZCapture). The null
  /// stream must not be used then; it is in this state while a blocking stream of its device is captured.
  bool captured() const { return captured_.load(std::memory_order_relaxed) != 0; }

  /// Launches a kernel. After the first launch of a kernel on this queue it allocates nothing.
  hipError_t launch(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments);

  /// Copies in stream order. Between memory of devices and pinned memory it is asynchronous unless blocking is set; with
  /// pageable memory it returns when the source may be reused and the destination, if pageable, has been written.
  hipError_t copy(void *to, const void *from, size_t bytes, bool blocking);
  hipError_t copyRegion(const CopyRegion &region, bool blocking);

  /// Fills bytes (a multiple of patternBytes, which is 1, 2 or 4) with the pattern, asynchronously.
  hipError_t fill(void *to, uint32_t pattern, size_t patternBytes, size_t bytes);
  hipError_t fillRegion(const FillRegion &region);

  /// Moves managed memory to a device of the same driver, in stream order. It changes speed, never results.
  hipError_t prefetch(const void *memory, size_t bytes, LZDevice &to);
  /// Tells the driver how managed memory will be used. Drivers may know better: a refusal is only logged.
  hipError_t advise(const void *memory, size_t bytes, ze_memory_advice_t advice);

  /// An event that is signalled when everything submitted so far has completed. With timed, it carries the time.
  LZEventRef record(bool timed);

  /// The immediate list, or null if the stream is on a queue; and that queue, or null.
  ze_command_list_handle_t nativeList() const;
  ze_command_queue_handle_t nativeQueue() const;
  void ownNative();

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
  /// Orders this queue behind what the default stream's rules say, as if a command were submitted now.
  hipError_t joinDefault() { return prepare(); }
  /// Everything up to this count of another queue's commands precedes what is submitted to this queue from now on.
  void noteFollows(uint64_t queue, uint64_t count);
  /// True if noteFollows() has said so.
  bool follows(const StreamPoint &point);

  /// Launches an executable graph; after the first launch it allocates nothing.
  hipError_t launch(LZGraphExec &exec);

  /// hipSuccess if everything submitted has completed, hipErrorNotReady if not, or the device's fault.
  hipError_t query();

  /// Waits for everything submitted before the call. A captured stream cannot be waited for.
  hipError_t synchronize() noexcept;
  /// The same, for what was submitted before the capture if the stream is captured.
  hipError_t finish() noexcept;
  /// Withdraws the stream from LZDevice::unjoinedQueues if the null stream waits for all of its work, or it is complete.
  void noteJoined();

  /// Waits, then drops the kernel handles of the module.
  void forgetModule(const LZModule &module) noexcept;

private:
  hipError_t launchNow(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments);
  hipError_t copyNow(const CopyRegion &region, bool blocking);
  hipError_t launchNow(LZGraphExec &exec);
  friend class LZGraphExec;
  friend class LZGraphRecorder;
  static uint64_t newId();
  struct Held {
    uint64_t count;
    LZEventRef event;
  };

  friend class LZCapture;
  hipError_t prepare();
  hipError_t follow();
  hipError_t prepareWait();
  hipError_t hostStep(LZEventRef awaited, std::function<void(hipError_t)> function,
                      std::function<hipError_t()> poll = {});
  uint64_t gridAddress();
  static hipError_t checkCooperative(const KernelInstance &instance, const ze_group_count_t &groups);
  hipError_t writeWord(const MemoryOperation &operation);
  hipError_t waitForWord(const MemoryOperation &operation);
  hipError_t flush();
  hipError_t submitGraph(const LZGraphRecording &recording, LZGraphLanes &lanes, const LZEventRef &previous,
                         LZEventRef &done);
  hipError_t appendListsLocked(const GraphStep &step, LZGraphLanes &lanes, bool last);
  hipError_t executeLists(const GraphStep &step, LZGraphLanes &lanes);
  hipError_t appendSyncLocked(const GraphStep &step);
  hipError_t joinWith(LZQueue &other, std::atomic<uint64_t> &joined);
  template <class Append> hipError_t submit(Append append);
  void countLocked();
  ze_result_t submitListLocked(uint64_t count);
  hipError_t queryNative();
  hipError_t launchBeside(LZGraphExec &exec);
  template <class Append> hipError_t appendLocked(Append append);
  struct Links {
    uint32_t count;
    ze_event_handle_t event;
    ze_event_handle_t *list() { return count ? &event : nullptr; }
  };
  Links linksLocked();
  enum class Counts { no, yes };
  void signalLocked(const LZEventRef &event, Counts counts);
  void advanceLocked(const LZEventRef &event);
  hipError_t appendWaitLocked(const LZEventRef &event);
  Held markerLocked();
  Held marker();
  void holdLocked(LZEventRef event);
  void releaseHeldLocked();
  hipError_t waitFor(const Held &mark);
  hipError_t waitedOutcome() const;
  hipError_t failed(ze_result_t result, const char *call);
  void raiseDrained(uint64_t count);
  hipError_t appendRegion(const CopyRegion &region);
  hipError_t copyFromPageable(const CopyRegion &region);
  hipError_t copyToPageable(const CopyRegion &region);
  hipError_t copyBetweenDrivers(const CopyRegion &region, LZDevice &toDevice, LZDevice &fromDevice);

  LZDevice &device_; // non-owning
  const Kind kind_;
  const unsigned flags_;
  const int priority_;
  const bool inOrder_;
  const bool native_ = false; // made from a native handle: the list may have commands that are not counted
  const uint64_t id_ = newId();
  std::atomic<uint32_t> captured_{0};     // of the null stream: how many blocking streams are
  std::atomic<uint64_t> submitted_{0};    // written under mutex_; read by other queues (acquire)
  std::atomic<uint64_t> drained_{0};      // only grows
  std::atomic<uint64_t> joinedByNull_{0}; // submitted_ of this queue when the null queue last waited for it
  std::atomic<bool> unjoined_{false};     // whether it is in LZDevice::unjoinedQueues; written under mutex_
  std::atomic<uint64_t> joinedNull_{0};   // submitted_ of the null queue when this queue last waited for it

  std::mutex mutex_;                    // guards what follows
  std::unique_ptr<LZQueueLists> lists_; // if it is on a queue; destroyed after list_
  ZeCommandList list_;                  // of a queue: the one that takes the next command
  KernelCache kernels_;
  LZArgumentMemory argumentMemory_;
  bool mayPrint_ = false;  // a kernel that prints may be running
  LZEventRef link_;        // without in-order lists: the event that the next command has to wait for, if any
  std::vector<Held> held_; // in the order of count
  size_t heldFirst_ = 0;   // the entries before this one have been released
  Held marker_{};          // the last event that covers everything up to its count
  Held asked_{};           // of a native stream: what query() has found not to be ready
  Held milestone_{};       // a marker that is asked now and then whether held events can be released
  std::unique_ptr<LZCallbackThread> callbacks_;
  std::shared_ptr<LZCapture> capture_;                 // not of the null stream
  std::vector<std::pair<uint64_t, uint64_t>> follows_; // by id, counts of other queues that precede what comes next

  LZStaging staging_; // has its own lock
  std::once_flag gridOnce_;
  std::unique_ptr<LZGrid> grid_; // written under gridOnce_
};

} // namespace hiplz
