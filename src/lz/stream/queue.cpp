// SPDX-License-Identifier: MIT
// Appending, ordering, waiting. Copies are in stream/queue_copy.cpp.
#include "lz/stream/queue.h"
#include "base/log.h"
#include "lz/context/context.h"
#include "lz/core/serialization.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/device.h"
#include "lz/graph/capture.h"
#include "lz/module/grid.h"
#include "lz/module/kernel.h"
#include "lz/module/printf.h"
#include "lz/stream/callback.h"
#include "lz/stream/queue_lists.h"
#include "lz/stream/queue_submit.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace hiplz {
namespace {

// How many events a queue holds before it asks whether some can be released, and how often it asks.
constexpr size_t kHeldBeforeAsking = 64, kAskEvery = 32;

ze_command_queue_priority_t zePriority(int priority) {
  if (priority == 0)
    return ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
  return priority < 0 ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH : ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
}

} // namespace

LZQueue::LZQueue(LZDevice &device, Kind kind, unsigned flags, int priority)
    : device_(device), kind_(kind), flags_(flags), priority_(priority), inOrder_(device.driver().inOrderLists()) {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  std::tie(description.ordinal, description.index) = device.nextHardwareQueue();
  if (device.driver().apiVersion() >= kZeApiVersionInOrder)
    description.flags = kZeCommandQueueFlagInOrder;
  description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  description.priority = zePriority(priority);
  LZ_CALL(zeCommandListCreateImmediate, (device.zeContext(), device.ze(), &description, list_.receive()));
}

LZQueue::~LZQueue() = default;

// What every command does before it is appended: a lost device takes none, and the default stream's rules hold.
hipError_t LZQueue::prepare() {
  // What can be captured has not come here.
  if (captured()) [[unlikely]]
    return LZCapture::refuse(*this);
  // The runtime's own copies read what a kernel has printed before it gave up.
  if (kind_ != Kind::internal)
    if (hipError_t fault = device_.fault())
      return fault;
  return follow();
}

hipError_t LZQueue::follow() {
  if (hipError_t lost = device_.lost())
    return lost;
  if (kind_ == Kind::blocking) {
    if (LZQueue *null = device_.nullQueueIfUsed())
      return joinWith(*null, joinedNull_);
  } else if (kind_ == Kind::null && device_.unjoinedQueues.load(std::memory_order_acquire) != 0) {
    hipError_t first = hipSuccess;
    device_.forEachBlockingQueue([&](LZQueue &queue) {
      if (!queue.unjoined_.load(std::memory_order_relaxed))
        return;
      if (hipError_t error = joinWith(queue, queue.joinedByNull_); error && !first)
        first = error;
      queue.noteJoined();
    });
    return first;
  }
  return hipSuccess;
}

// Waiting is no command: a blocking stream does not wait for the null stream on that account. The null stream stands for
// the blocking streams, so that a wait for it is one for them.
hipError_t LZQueue::prepareWait() { return kind_ == Kind::null ? follow() : device_.lost(); }

// Makes this queue wait for the work of another, unless it did so already. `joined` is changed only under this queue's
// lock and together with the append, so whoever finds it raised knows that the wait is in the list.
hipError_t LZQueue::joinWith(LZQueue &other, std::atomic<uint64_t> &joined) {
  const uint64_t count = other.submitted();
  if (joined.load(std::memory_order_acquire) >= count || other.drained() >= count)
    return hipSuccess;
  const Held mark = other.marker();
  std::lock_guard lock(mutex_);
  if (joined.load(std::memory_order_relaxed) >= mark.count)
    return hipSuccess;
  hipError_t error = appendWaitLocked(mark.event);
  if (!error)
    joined.store(mark.count, std::memory_order_release);
  return error;
}

void LZQueue::countLocked() {
  submitted_.store(submitted() + 1, std::memory_order_release);
  if (kind_ == Kind::blocking && !unjoined_.load(std::memory_order_relaxed)) {
    unjoined_.store(true, std::memory_order_relaxed);
    device_.unjoinedQueues.fetch_add(1, std::memory_order_release);
  }
}

void LZQueue::noteJoined() {
  std::lock_guard lock(mutex_);
  if (!unjoined_.load(std::memory_order_relaxed) ||
      (joinedByNull_.load(std::memory_order_acquire) < submitted() && drained() < submitted()))
    return;
  unjoined_.store(false, std::memory_order_relaxed);
  device_.unjoinedQueues.fetch_sub(1, std::memory_order_release);
}

// The event that the next command has to wait for, as a wait list of one or none.
LZQueue::Links LZQueue::linksLocked() {
  // What is known to be complete need not be waited for.
  if (link_ && drained() >= submitted())
    link_ = {};
  return link_ ? Links{1, link_.ze()} : Links{0, nullptr};
}

// The list now ends with a command that signals the event after everything that precedes it.
void LZQueue::advanceLocked(const LZEventRef &event) {
  marker_ = {submitted(), event};
  if (inOrder_) {
    holdLocked(event);
  } else {
    LZEventRef previous = std::exchange(link_, event);
    if (previous)
      holdLocked(std::move(previous));
  }
}

void LZQueue::signalLocked(const LZEventRef &event, Counts counts) {
  Links links = linksLocked();
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (native_ && !inOrder_) // what the application has appended
    result = zeCommandListAppendBarrier(list_.get(), nullptr, 0, nullptr);
  if (result == ZE_RESULT_SUCCESS)
    result = zeCommandListAppendBarrier(list_.get(), event.ze(), links.count, links.list());
  if (lists_ && result == ZE_RESULT_SUCCESS)
    result = submitListLocked(submitted() + (counts == Counts::yes));
  if (result != ZE_RESULT_SUCCESS)
    throw HipError(failed(result, "zeCommandListAppendBarrier"), {}, result);
  if (counts == Counts::yes)
    countLocked();
  advanceLocked(event);
}

hipError_t LZQueue::appendWaitLocked(const LZEventRef &event) {
  hipError_t error = appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    // A barrier with a wait list waits for this list alone, so what precedes it has to be in the list.
    ze_event_handle_t both[] = {event.ze(), waitCount ? *waits : nullptr};
    return zeCommandListAppendBarrier(list_.get(), signal, 1 + waitCount, both);
  });
  if (!error)
    holdLocked(event);
  return error;
}

LZQueue::Held LZQueue::markerLocked() {
  if (!marker_.event || marker_.count != submitted())
    signalLocked(device_.driver().events().acquire(), Counts::no);
  return marker_;
}

LZQueue::Held LZQueue::marker() {
  std::lock_guard lock(mutex_);
  if (native_) // there may be commands of the application behind the last one
    signalLocked(device_.driver().events().acquire(), Counts::no);
  return markerLocked();
}

void LZQueue::holdLocked(LZEventRef event) {
  held_.push_back({submitted(), std::move(event)});
  const size_t holding = held_.size() - heldFirst_;
  if (holding < kHeldBeforeAsking || holding % kAskEvery != 0)
    return;
  if (milestone_.event && milestone_.event.query() == ZE_RESULT_SUCCESS) {
    raiseDrained(milestone_.count);
    milestone_ = {};
    releaseHeldLocked();
  }
  if (!milestone_.event)
    milestone_ = Held(markerLocked());
}

void LZQueue::releaseHeldLocked() {
  const uint64_t done = drained();
  while (heldFirst_ < held_.size() && held_[heldFirst_].count <= done)
    held_[heldFirst_++].event = {};
  if (heldFirst_ == held_.size()) {
    held_.clear();
    heldFirst_ = 0;
  } else if (heldFirst_ > held_.size() / 2) {
    held_.erase(held_.begin(), held_.begin() + heldFirst_);
    heldFirst_ = 0;
  }
}

void LZQueue::raiseDrained(uint64_t count) {
  uint64_t seen = drained_.load(std::memory_order_relaxed);
  while (seen < count && !drained_.compare_exchange_weak(seen, count, std::memory_order_release))
    ;
}

// A failed append or wait. A lost device stays lost: Level Zero has no way back but a new process.
hipError_t LZQueue::failed(ze_result_t result, const char *call) {
  hipError_t error = zeOutcome(result, call);
  if (result == ZE_RESULT_ERROR_DEVICE_LOST && !device_.lost()) {
    device_.setLost(error);
    constexpr const char *kMessage = "a kernel on device %d failed; this process cannot use the device any more";
    if (device_.properties().type == ZE_DEVICE_TYPE_CPU) // its driver has said more
      HIPLZ_LOG_INFO(kMessage, device_.ordinal());
    else
      logLine(kMessage, device_.ordinal());
  }
  return error;
}

hipError_t LZQueue::waitFor(const Held &mark) {
  if (ze_result_t result = mark.event.wait())
    return failed(result, "zeEventHostSynchronize");
  raiseDrained(mark.count);
  bool print;
  {
    std::lock_guard lock(mutex_);
    releaseHeldLocked();
    print = mayPrint_;
    mayPrint_ = mayPrint_ && drained() < submitted();
  }
  if (print)
    device_.printOutput();
  return waitedOutcome();
}

hipError_t LZQueue::waitedOutcome() const { return kind_ == Kind::internal ? device_.lost() : device_.fault(); }

hipError_t LZQueue::synchronize() noexcept {
  if (captured()) [[unlikely]] {
    try {
      return LZCapture::refuse(*this);
    } catch (const std::bad_alloc &) {
      return hipErrorOutOfMemory;
    }
  }
  return finish();
}

hipError_t LZQueue::finish() noexcept {
  try {
    if (hipError_t error = prepareWait())
      return error;
    const bool idle = !native_ && drained() >= submitted();
    const hipError_t outcome = idle ? waitedOutcome() : waitFor(marker());
    device_.pools().synchronised(id_, drained());
    return outcome;
  } catch (const HipError &error) {
    return error.code();
  } catch (const std::bad_alloc &) {
    return hipErrorOutOfMemory;
  }
}

hipError_t LZQueue::query() {
  if (captured()) [[unlikely]]
    return LZCapture::refuse(*this);
  if (hipError_t error = prepareWait())
    return error;
  if (native_)
    return queryNative();
  if (drained() >= submitted())
    return waitedOutcome();
  const Held mark = marker();
  ze_result_t result = mark.event.query();
  if (result == ZE_RESULT_NOT_READY)
    return hipErrorNotReady;
  return result ? failed(result, "zeEventQueryStatus") : waitFor(mark);
}

LZEventRef LZQueue::record(bool timed) {
  if (hipError_t error = prepare())
    throw HipError(error);
  LZEventRef event = (timed ? device_.driver().timedEvents() : device_.driver().events()).acquire();
  std::lock_guard lock(mutex_);
  signalLocked(event, Counts::yes);
  return event;
}

hipError_t LZQueue::wait(const LZEventRef &event) {
  // An event of another driver means nothing to this one; a thread of ours carries the news.
  if (event.pool().zeContext() != device_.zeContext())
    return hostStep(event, {});
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(mutex_);
  return appendWaitLocked(event);
}

hipError_t LZQueue::callback(std::function<void(hipError_t)> function) { return hostStep({}, std::move(function)); }

// The stream goes on when the callback thread has waited for the event, or if there is none for the stream to get here,
// has polled until there was something else than hipErrorNotReady, and has run the function.
hipError_t LZQueue::hostStep(LZEventRef awaited, std::function<void(hipError_t)> function,
                             std::function<hipError_t()> poll) {
  if (hipError_t error = prepare())
    return error;
  LZEventPool &events = device_.driver().events();
  const bool ownEvent = !awaited;
  if (ownEvent)
    awaited = events.acquire();
  LZCallbackThread::Task task{std::move(awaited), events.acquire(), std::move(poll), std::move(function)};
  std::lock_guard lock(mutex_);
  if (!callbacks_)
    callbacks_ = std::make_unique<LZCallbackThread>();
  if (ownEvent)
    signalLocked(task.arrived, Counts::yes);
  hipError_t error = appendWaitLocked(task.done);
  if (!error)
    callbacks_->add(std::move(task));
  return error;
}

hipError_t LZQueue::launch(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments) {
  if (captured()) [[unlikely]]
    return LZCapture::launch(*this, kernel, shape, arguments);
  // A grid that meets others cannot end before they have been launched.
  if (const Serialization &serial = Serialization::ofKernels(); serial.any() && !shape.gridState) [[unlikely]]
    return serial.around(*this, [&] { return launchNow(kernel, shape, arguments); });
  return launchNow(kernel, shape, arguments);
}

hipError_t LZQueue::launchNow(const LZKernel &kernel, const LaunchShape &shape, const LaunchArguments &arguments) {
  if (hipError_t error = prepare())
    return error;
  const uint64_t grid = !shape.cooperative ? 0 : shape.gridState ? shape.gridState : gridAddress();
  std::unique_lock lock(mutex_);
  KernelInstance *instance = kernels_.find(&kernel);
  if (!instance) [[unlikely]] {
    // Compiling may take long; the stream stays usable meanwhile, and another thread may be faster.
    lock.unlock();
    ZeKernel handle = kernel.createHandle(device_);
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    LZ_CALL(zeKernelGetProperties, (handle.get(), &properties));
    lock.lock();
    instance = kernels_.find(&kernel);
    if (!instance) {
      instance = &kernels_.add(kernel, std::move(handle));
      instance->fixedSharedBytes = properties.localMemSize;
    }
  }
  std::byte *memory = nullptr;
  if (const size_t bytes = kernel.argumentMemory()) [[unlikely]]
    memory = argumentMemory_.take(device_, bytes, [&] { return markerLocked().event; });
  if (hipError_t error = instance->set(device_, shape, arguments, grid, memory))
    return error;
  const ze_group_count_t groups{shape.grid[0], shape.grid[1], shape.grid[2]};
  if (shape.cooperative) [[unlikely]]
    if (hipError_t error = checkCooperative(*instance, groups))
      return error;
  if (kernel.prints())
    LZPrintf::of(device_).expect();
  hipError_t error = appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    return (shape.cooperative ? zeCommandListAppendLaunchCooperativeKernel : zeCommandListAppendLaunchKernel)(
        list_.get(), instance->ze.get(), &groups, signal, waitCount, waits);
  });
  if (error)
    return error;
  if (kernel.prints()) {
    mayPrint_ = true;
    device_.expectOutput();
  }
  return hipSuccess;
}

void LZQueue::forgetModule(const LZModule &module) noexcept {
  std::unique_lock lock(mutex_);
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
