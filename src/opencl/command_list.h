// SPDX-License-Identifier: MIT
// Command lists and queues. Each immediate list and each queue has an in-order queue of OpenCL, so that commands execute in order. An
// immediate list enqueues a command at once; a closed one keeps it and enqueues it whenever the list is executed, with what the
// events are then.
#pragma once
#include "opencl/event.h"
#include "opencl/module.h"

#include <atomic>
#include <functional>
#include <vector>

namespace hiplz::opencl {

/// The queue and events with which a command enqueues itself. OpenCL's in-order queues begin it after those before it. A command of several parts gives
/// the waits to the first and `done` to the last.
struct Enqueuing {
  cl_command_queue queue;
  const MemoryFunctions &memory;
  cl_uint waitCount;
  const cl_event *waits;
  cl_event *done; ///< null: nobody asks
};

/// A queue of OpenCL, and a second one for commands whose times somebody may ask for: a queue that takes times needs longer for each
/// command. The application uses it by one thread at a time, but others may wait meanwhile.
///
/// A command that nobody waits for gets no event of OpenCL's, so a signal behind it needs a marker. But programs do the same again and
/// again: if the last signal came behind so many commands, the command of that number gets an event now, and a signal behind it takes that.
/// Launch and wait takes 0.8 us less by it on Intel's runtime for processors.
class Queue {
public:
  Queue(Context &context, Device &device, ze_command_queue_mode_t mode);

  /// Enqueues a command behind these events and has it signal one, which may be null. `enqueue` takes an Enqueuing.
  template <class Enqueue>
  void run(const std::shared_ptr<EventState> *waits, size_t waitCount, EventState *signal, Enqueue &&enqueue) {
    std::vector<ClEvent> held;
    std::vector<cl_event> events;
    for (size_t index = 0; index < waitCount; ++index)
      if (ClEvent event = waits[index]->toAwait()) {
        events.push_back(event.get());
        held.push_back(std::move(event));
      }
    const bool isExpected = !signal && ++row_ == lastRow_;
    end_ = ClEvent();
    choose(signal && signal->isTimed());
    cl_event done = nullptr;
    enqueue(Enqueuing{now(), memory_, static_cast<cl_uint>(events.size()), events.empty() ? nullptr : events.data(),
                      signal || isExpected ? &done : nullptr});
    submitted(signal, ClEvent(done));
  }
  /// The same without events, which most launches are.
  template <class Enqueue> void run(Enqueue &&enqueue) {
    const bool isExpected = ++row_ == lastRow_;
    end_ = ClEvent();
    choose(false);
    cl_event done = nullptr;
    enqueue(Enqueuing{now(), memory_, 0, nullptr, isExpected ? &done : nullptr});
    end_ = ClEvent(done);
    if (flushes_ || isExpected)
      flush();
  }
  /// Signals an event behind everything before.
  void signal(EventState &event);
  /// Resets an event behind everything before. Its later waits and signals are about what comes then.
  void reset(EventState &event);
  /// Waits for everything, in nanoseconds. READY, NOT_READY or DEVICE_LOST.
  ze_result_t synchronize(uint64_t timeout);

  Context &context;
  Device &device;

private:
  ClQueue make(bool takesTimes) const;
  /// Commands go into the queue that takes times if the next one needs that, and back when many have not.
  void choose(bool takesTimes) {
    if (takesTimes)
      untimed_ = 0;
    else if (now() == first_.get() || ++untimed_ < kMostUntimed)
      return;
    if (takesTimes == (now() == first_.get()))
      change();
  }
  void change();
  cl_command_queue now() const { return now_.load(std::memory_order_acquire); }
  /// The command that has been enqueued now is the last one. `done` may be empty.
  void submitted(ClEvent done) {
    end_ = std::move(done);
    flush();
  }
  void submitted(EventState *signal, ClEvent done);
  void flush();
  void endRow() {
    if (row_ != 0)
      lastRow_ = std::exchange(row_, 0);
  }

  const MemoryFunctions &memory_;
  const ClQueue first_;
  ClQueue timed_;                     // the second one; may be empty
  std::atomic<cl_command_queue> now_; // one of them
  static constexpr uint32_t kMostUntimed = 100;
  uint32_t untimed_ = 0; // commands in the second one, since the last that needed it
  const bool isSynchronous_;
  const bool flushes_;             // launches that nobody waits for as well
  ClEvent end_;                    // of the last command, if that has one that nothing else signals
  uint64_t row_ = 0, lastRow_ = 0; // commands since the last signal, and between the two before
};

/// The commands of a closed list, with what they need beyond their handles.
struct Command {
  std::vector<std::shared_ptr<EventState>> waits;
  std::shared_ptr<EventState> signal;
  std::shared_ptr<EventState> reset; ///< if the command is that; then without the others
  std::function<void(const Enqueuing &)> enqueue;

  void run(Queue &queue) const;
};

class CommandList : public driver::Object<CommandList, ze_command_list_handle_t> {
public:
  static constexpr uint64_t kKind = 0x105;
  CommandList(Context &context, Device &device) : context(context), device(device) {}
  CommandList(Context &context, Device &device, ze_command_queue_mode_t mode)
      : context(context), device(device), immediate_(std::make_unique<Queue>(context, device, mode)) {}

  /// The queue of an immediate list; null for others.
  Queue *immediate() const { return immediate_.get(); }
  /// `enqueue` must keep what it needs, if the list is not immediate. Throws Error(INVALID_ARGUMENT) if the list is closed.
  template <class Enqueue>
  void append(ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits, Enqueue enqueue) {
    std::vector<std::shared_ptr<EventState>> awaited;
    if (waitCount && !waits)
      throw Error{ZE_RESULT_ERROR_INVALID_SIZE};
    for (uint32_t index = 0; index < waitCount; ++index)
      awaited.push_back(Event::from(waits[index]).state);
    std::shared_ptr<EventState> signalled = signal ? Event::from(signal).state : nullptr;
    if (immediate_)
      immediate_->run(awaited.data(), awaited.size(), signalled.get(), enqueue);
    else
      record({std::move(awaited), std::move(signalled), nullptr, std::move(enqueue)});
  }
  /// The same for a command that is nothing but the order.
  void appendBarrier(ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits);
  void appendReset(const std::shared_ptr<EventState> &event);
  void close() { isClosed_ = true; }
  void reset();
  /// Enqueues the commands of a closed list.
  void execute(Queue &queue) const;

  Context &context;
  Device &device;

private:
  void record(Command command);

  const std::unique_ptr<Queue> immediate_;
  std::vector<Command> commands_;
  bool isClosed_ = false;
};

class CommandQueue : public driver::Object<CommandQueue, ze_command_queue_handle_t> {
public:
  static constexpr uint64_t kKind = 0x104;
  CommandQueue(Context &context, Device &device, ze_command_queue_mode_t mode) : queue(context, device, mode) {}
  Queue queue;
};

class Fence : public driver::Object<Fence, ze_fence_handle_t> {
public:
  static constexpr uint64_t kKind = 0x10b;
  explicit Fence(CommandQueue &queue) : state(std::make_shared<EventState>(queue.queue.context, false)) {}
  const std::shared_ptr<EventState> state;
};

// Commands that others consist of.

/// Nothing but the order.
void enqueueBarrier(const Enqueuing &with);
void enqueueCopy(const Enqueuing &with, void *to, const void *from, size_t size);
/// A box of bytes, row by row; OpenCL copies boxes of its buffers only.
struct CopyBox {
  std::byte *to;
  const std::byte *from;
  size_t toPitch, toSlicePitch, fromPitch, fromSlicePitch;
  size_t width, height, depth;
};
void enqueueCopy(const Enqueuing &with, const CopyBox &box);
/// The pattern is as long as it likes; `size` may end with a part of it. `isHost`: the memory is not OpenCL's.
void enqueueFill(const Enqueuing &with, void *to, bool isHost, const std::vector<std::byte> &pattern, size_t size);
void enqueueLaunch(const Enqueuing &with, cl_kernel kernel, const LaunchShape &shape, const ze_group_count_t &count);
/// Writes what `produce` returns when everything before has been executed, then.
void enqueueWrite(const Enqueuing &with, cl_context context, void *to, size_t size,
                  std::function<void(std::byte *)> produce);

} // namespace hiplz::opencl
