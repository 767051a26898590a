// SPDX-License-Identifier: MIT
// Ordering, waiting, launching. Copies are in stream/queue_copy.cpp.
#include "lz/stream/queue.h"
#include "base/driver_extensions.h"
#include "base/log.h"
#include "lz/core/ze_extensions.h"
#include "lz/memory/memory_pools.h"
#include "lz/module/abort.h"
#include "lz/module/grid.h"
#include "lz/module/hostcall.h"
#include "lz/module/kernel.h"
#include "lz/module/printf.h"
#include "lz/stream/callback.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/serialization.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

namespace hiplz {
namespace {

StreamPoint::Side sideOf(LZQueue::Kind kind) {
  switch (kind) {
  case LZQueue::Kind::null: return StreamPoint::Side::null;
  case LZQueue::Kind::blocking: return StreamPoint::Side::blocking;
  default: return StreamPoint::Side::independent;
  }
}

CommandNote launchNote(const LZKernel &kernel, const LaunchShape &shape) {
  CommandNote note = commandNote(trace::CommandType::kernel);
  note.name = kernel.nameInProfile(*profiler());
  std::copy_n(shape.grid, 3, note.grid);
  std::copy_n(shape.block, 3, note.block);
  note.sharedBytes = static_cast<uint32_t>(shape.sharedBytes);
  return note;
}

/// A kernel that becomes ready for its first launch in a stream.
class CompilationInProfile {
public:
  explicit CompilationInProfile(const LZKernel &kernel)
      : kernel_(kernel), hooks_(profilerOf(trace::kCommands)), begin_(hooks_ ? hooks_->now() : 0) {}

  void end(LZDevice &device, const LaunchShape &shape, const ze_kernel_properties_t &properties) const {
    if (!hooks_) [[likely]]
      return;
    trace::Compilation compilation{};
    compilation.name = kernel_.nameInProfile(*hooks_);
    compilation.begin = begin_;
    compilation.end = hooks_->now();
    record(*hooks_, compilation);
    trace::Kernel about{};
    about.name = compilation.name;
    about.device = static_cast<uint32_t>(device.ordinal());
    about.blockThreads = shape.block[0] * shape.block[1] * shape.block[2];
    about.sharedBytes = properties.localMemSize;
    about.privateBytes = properties.privateMemSize;
    about.dynamicBytes = static_cast<uint32_t>(shape.sharedBytes);
    about.blocksPerMultiprocessor =
        kernel_.occupancy(device, about.blockThreads, shape.sharedBytes).blocksPerMultiprocessor;
    record(*hooks_, about);
  }

private:
  const LZKernel &kernel_;
  const ProfilerHooks *hooks_;
  uint64_t begin_;
};

void describeStream(const LZQueue &queue) {
  const ProfilerHooks *hooks = profiler();
  if (!hooks) [[likely]]
    return;
  trace::Stream stream{};
  stream.id = queue.id();
  stream.handle = reinterpret_cast<uintptr_t>(&queue);
  stream.device = static_cast<uint32_t>(queue.device().ordinal());
  switch (queue.kind()) {
  case LZQueue::Kind::null: stream.type = trace::Stream::Type::null; break;
  case LZQueue::Kind::blocking: stream.type = trace::Stream::Type::blocking; break;
  case LZQueue::Kind::nonBlocking: stream.type = trace::Stream::Type::nonBlocking; break;
  case LZQueue::Kind::internal: stream.type = trace::Stream::Type::internal; break;
  }
  stream.priority = static_cast<int8_t>(queue.priority());
  record(*hooks, stream);
}

LZQueue::Kind kindOf(unsigned flags) {
  return flags & hipStreamNonBlocking ? LZQueue::Kind::nonBlocking : LZQueue::Kind::blocking;
}

} // namespace

static uint32_t countBits(const std::vector<uint32_t> &mask) {
  uint32_t bits = 0;
  for (const uint32_t word : mask)
    bits += static_cast<uint32_t>(std::popcount(word));
  return bits;
}

LZQueue::LZQueue(LZDevice &device, Kind kind, unsigned flags, int priority, std::vector<uint32_t> unitMask)
    : device_(device), siblings_(LZDeviceQueues::of(device)), kind_(kind), flags_(flags), priority_(priority),
      unitMask_(std::move(unitMask)),
      appender_(device, sideOf(kind), siblings_.unjoinedQueues, priority, countBits(unitMask_)) {
  describeStream(*this);
}

LZQueue::LZQueue(LZDevice &device, unsigned flags, const NativeStream &native)
    : device_(device), siblings_(LZDeviceQueues::of(device)), kind_(kindOf(flags)), flags_(flags), priority_(0),
      appender_(device, sideOf(kind_), siblings_.unjoinedQueues, native.list, native.queue, native.ordinal) {
  describeStream(*this);
}

LZQueue::~LZQueue() = default;

// The first steps of every command, before it is appended: a lost device takes none, and the default stream's rules hold.
hipError_t LZQueue::prepare() {
  // Calls that can be captured have not come here.
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->refuse(*this);
  // The runtime's own copies read what a kernel has printed before it gave up.
  if (kind_ != Kind::internal)
    if (hipError_t fault = device_.fault())
      return fault;
  return joinOthers();
}

hipError_t LZQueue::joinOthers() {
  if (hipError_t lost = device_.lost())
    return lost;
  if (kind_ == Kind::blocking) {
    if (LZQueue *null = siblings_.nullQueueIfUsed())
      return join(*null);
  } else if (kind_ == Kind::null && siblings_.unjoinedQueues.load(std::memory_order_acquire) != 0) {
    hipError_t first = hipSuccess;
    siblings_.forEachBlockingQueue([&](LZQueue &queue) {
      if (!queue.order().isUnjoined())
        return;
      if (hipError_t error = join(queue); error && !first)
        first = error;
      queue.withdrawIfJoined();
    });
    return first;
  }
  return hipSuccess;
}

// Waiting is not a command: it does not make a blocking stream wait for the null stream. The null stream stands for the
// blocking streams, so a wait for it is a wait for them.
hipError_t LZQueue::prepareWait() { return kind_ == Kind::null ? joinOthers() : device_.lost(); }

// Makes this queue wait for the work of one of the other side, unless it did so already.
hipError_t LZQueue::join(LZQueue &other) {
  if (order().due(other.order()) == 0)
    return hipSuccess;
  const StreamMarker mark = other.appender_.marker();
  std::lock_guard lock(appender_.mutex());
  if (order().hasJoinedLocked(other.order(), mark.count))
    return hipSuccess;
  hipError_t error = appender_.appendWaitLocked(mark.event);
  if (!error)
    order().setJoinedLocked(other.order(), mark.count);
  return error;
}

void LZQueue::withdrawIfJoined() {
  std::lock_guard lock(appender_.mutex());
  order().leaveUnjoinedLocked();
}

bool LZQueue::beginCapture(CaptureSink &sink, std::shared_ptr<LZCapture> capture) {
  {
    std::lock_guard lock(appender_.mutex());
    if (capture_)
      return false;
    capture_ = std::move(capture);
    sink_.store(&sink, std::memory_order_release);
  }
  if (kind_ != Kind::blocking)
    return true;
  // The null stream would have to wait for what this one does not do now.
  LZQueue &null = *siblings_.nullQueueIfUsed();
  std::lock_guard lock(null.appender_.mutex());
  ++null.capturedSiblings_;
  null.sink_.store(&sink, std::memory_order_release);
  return true;
}

void LZQueue::endCapture() noexcept {
  {
    std::lock_guard lock(appender_.mutex());
    capture_.reset();
    sink_.store(nullptr, std::memory_order_release);
  }
  if (kind_ != Kind::blocking)
    return;
  LZQueue &null = *siblings_.nullQueueIfUsed();
  std::lock_guard lock(null.appender_.mutex());
  if (--null.capturedSiblings_ == 0)
    null.sink_.store(nullptr, std::memory_order_release);
}

std::shared_ptr<LZCapture> LZQueue::capture() {
  std::lock_guard lock(appender_.mutex());
  return capture_;
}

hipError_t LZQueue::waitFor(const StreamMarker &mark) {
  if (ze_result_t result = mark.event.wait())
    return appender_.failed(result, "zeEventHostSynchronize");
  mark.event.noteSignalled();
  order().raiseDrained(mark.count);
  bool print;
  {
    std::lock_guard lock(appender_.mutex());
    order().releaseHeldLocked();
    print = mayPrint_;
    mayPrint_ = mayPrint_ && !order().idle();
  }
  if (print)
    LZPrintf::drainAfter(device_);
  if (kind_ != Kind::internal)
    LZAbort::lookAfter(device_);
  if (const ProfilerHooks *hooks = profiler()) [[unlikely]]
    LZCommandProfile::collect(*hooks, id());
  return waitedOutcome();
}

hipError_t LZQueue::waitedOutcome() const { return kind_ == Kind::internal ? device_.lost() : device_.fault(); }

hipError_t LZQueue::synchronize() noexcept {
  if (CaptureSink *sink = captured()) [[unlikely]] {
    try {
      return sink->refuse(*this);
    } catch (const std::bad_alloc &) {
      return hipErrorOutOfMemory;
    }
  }
  return finish();
}

// Blocking copies come here when their commands have been appended, and callers take their memory back, whatever the
// result. So a failure to wait is no reason to give up at once.
hipError_t LZQueue::finish() noexcept {
  hipError_t error = finishOnce();
  for (int pause = 1; pause <= 16 && error && !idle() && !device_.lost() && !device_.fault(); pause *= 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    error = finishOnce();
  }
  return error;
}

hipError_t LZQueue::finishOnce() noexcept {
  try {
    if (hipError_t error = prepareWait())
      return error;
    const hipError_t outcome = idle() ? waitedOutcome() : waitFor(appender_.marker());
    LZMemoryPools::of(device_).synchronised(id(), drained());
    return outcome;
  } catch (const HipError &error) {
    return error.code();
  } catch (const std::bad_alloc &) {
    return hipErrorOutOfMemory;
  }
}

hipError_t LZQueue::query() {
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->refuse(*this);
  if (hipError_t error = prepareWait())
    return error;
  if (appender_.native())
    return queryNative();
  if (order().idle())
    return waitedOutcome();
  const StreamMarker mark = appender_.marker();
  ze_result_t result = mark.event.query();
  if (result == ZE_RESULT_NOT_READY)
    return hipErrorNotReady;
  return result ? appender_.failed(result, "zeEventQueryStatus") : waitFor(mark);
}

LZEventRef LZQueue::record(bool timed) {
  if (hipError_t error = prepare())
    throw HipError(error);
  LZEventRef event = (timed ? device_.driver().timedEvents() : device_.driver().events()).acquire();
  std::lock_guard lock(appender_.mutex());
  appender_.signalLocked(event, LZAppender::Counts::yes);
  return event;
}

hipError_t LZQueue::wait(const LZEventRef &event) {
  // An event of another driver means nothing to this one; a thread of ours carries the news.
  if (event.pool().zeContext() != device_.zeContext())
    return hostStep(event, {});
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(appender_.mutex());
  return appender_.appendWaitLocked(event);
}

hipError_t LZQueue::callback(std::function<void(hipError_t)> function) { return hostStep({}, std::move(function)); }

// The stream goes on when the callback thread has waited for the event, or if there is none for the stream to get here,
// has polled until the result was something other than hipErrorNotReady, and has run the function.
hipError_t LZQueue::hostStep(LZEventRef awaited, std::function<void(hipError_t)> function,
                             std::function<hipError_t()> poll) {
  if (hipError_t error = prepare())
    return error;
  const bool ownEvent = !awaited;
  if (ownEvent)
    awaited = device_.driver().events().acquire();
  LZCallbackThread::Task task{std::move(awaited), device_.driver().unorderedEvents().acquire(), std::move(poll),
                              std::move(function)};
  if (const ProfilerHooks *hooks = profilerOf(trace::kCommands)) [[unlikely]] {
    const auto type = task.function ? trace::CommandType::hostFunction : trace::CommandType::wait;
    task.profiled = LZCommandProfile::submittedToHost(*hooks, id(), commandNote(type));
  }
  std::lock_guard lock(appender_.mutex());
  if (!callbacks_)
    callbacks_ = std::make_unique<LZCallbackThread>();
  callbacks_->reserve(1);
  if (ownEvent)
    appender_.signalLocked(task.arrived, LZAppender::Counts::yes);
  hipError_t error = appender_.appendWaitLocked(task.done, LZAppender::Profiled::no);
  if (!error)
    callbacks_->add(std::move(task));
  return error;
}

hipError_t LZQueue::launch(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments) {
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->launch(*this, kernel, shape, arguments);
  if (kernel.printsToBuffer() && !shape.gridState) [[unlikely]] {
    LZDevice *const device = &device_;
    return withPrinting(*this, std::span(&device, 1), [&] { return launchNow(kernel, shape, arguments); });
  }
  // A grid that meets others cannot end before they have been launched.
  if (const Serialization &serial = Serialization::ofKernels(); serial.any() && !shape.gridState) [[unlikely]]
    return serial.around(*this, [&] { return launchNow(kernel, shape, arguments); });
  return launchNow(kernel, shape, arguments);
}

hipError_t LZQueue::launchNow(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments) {
  if (hipError_t error = prepare())
    return error;
  const uint64_t grid = !shape.cooperative ? 0 : shape.gridState ? shape.gridState : gridAddress();
  std::unique_lock lock(appender_.mutex());
  KernelInstance *instance = kernels_.find(&kernel);
  LZPauses::Pause pause;
  if (!instance) [[unlikely]] {
    pause = beginPauseLocked();
    // Compiling may take long; the stream stays usable meanwhile, and another thread may be faster.
    lock.unlock();
    const CompilationInProfile compilation(kernel);
    ZeKernel handle = kernel.createHandle(device_);
    // Drivers that compile kernels one by one do it when the properties are asked for, and go by the group size.
    // The launch will find out if the size is possible.
    zeKernelSetGroupSize(handle.get(), shape.block[0], shape.block[1], shape.block[2]);
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    LZ_CALL(zeKernelGetProperties, (handle.get(), &properties));
    compilation.end(device_, shape, properties);
    lock.lock();
    instance = kernels_.find(&kernel);
    if (!instance) {
      instance = &kernels_.add(kernel, std::move(handle));
      instance->fixedSharedBytes = properties.localMemSize;
      instance->notePrepared(shape.block);
    }
    endPauseLocked(pause);
  } else if (!instance->isPrepared(shape.block)) [[unlikely]] {
    if (device_.driver().hasExtension(kZeKernelsOnDemandExtension)) {
      pause = beginPauseLocked();
      instance->prepare(shape.block);
      endPauseLocked(pause);
    }
    instance->notePrepared(shape.block);
  }
  std::byte *memory = nullptr;
  if (const size_t bytes = kernel.argumentMemory()) [[unlikely]]
    memory = argumentMemory_.take(device_, bytes, [&] { return appender_.markerLocked().event; });
  if (hipError_t error = instance->set(device_, shape, arguments, grid, memory))
    return error;
  const ze_group_count_t groups{shape.grid[0], shape.grid[1], shape.grid[2]};
  if (shape.cooperative) [[unlikely]]
    if (hipError_t error = checkCooperative(*instance, groups))
      return error;
  if (kernel.prints())
    LZPrintf::of(device_).expect();
  if (kernel.callsHost()) [[unlikely]]
    LZHostcall::of(device_).expect();
  hipError_t error = appender_.appendLocked(
      [&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
        return (shape.cooperative ? zeCommandListAppendLaunchCooperativeKernel : zeCommandListAppendLaunchKernel)(
            appender_.listLocked(), instance->ze.get(), &groups, signal, waitCount, waits);
      },
      [&] { return launchNote(kernel, shape); });
  if (error)
    return error;
  if (kernel.prints()) {
    mayPrint_ = true;
    LZPrintf::launched(device_);
  }
  if (pause) [[unlikely]] {
    lock.unlock();
    addPause(std::move(pause));
  }
  return hipSuccess;
}

LZPauses::Pause LZQueue::beginPauseLocked() {
  LZPauses::Pause pause;
  if (appender_.native())
    return pause;
  try {
    pause.before = device_.driver().timedEvents().acquire();
    appender_.signalLocked(pause.before, LZAppender::Counts::no);
  } catch (const HipError &) { // the launch will meet it
    return {};
  }
  pause.count = submitted();
  pause.begin = std::chrono::steady_clock::now();
  return pause;
}

void LZQueue::endPauseLocked(LZPauses::Pause &pause) {
  if (!pause.before || submitted() != pause.count)
    return;
  try {
    LZEventRef after = device_.driver().timedEvents().acquire();
    appender_.signalLocked(after, LZAppender::Counts::no);
    pause.after = std::move(after);
    pause.end = std::chrono::steady_clock::now();
  } catch (const HipError &) { // the launch will meet it
  }
}

LZPauses::Pause LZQueue::beginPause() {
  if (prepare() != hipSuccess) // the launch will meet it
    return {};
  std::lock_guard lock(appender_.mutex());
  return beginPauseLocked();
}

void LZQueue::endPause(LZPauses::Pause &pause) {
  std::lock_guard lock(appender_.mutex());
  endPauseLocked(pause);
}

void LZQueue::forgetModule(const LZModule &module) noexcept {
  std::unique_lock lock(appender_.mutex());
  bool uses = false;
  kernels_.forEach([&](const LZKernel &kernel) { uses |= &kernel.module() == &module; });
  if (!uses)
    return;
  lock.unlock();
  finish(); // a failure stays with the device
  lock.lock();
  kernels_.forgetModule(module);
}

} // namespace hiplz
