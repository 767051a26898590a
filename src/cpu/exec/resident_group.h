// SPDX-License-Identifier: MIT
// A work-group of a launch whose groups may wait for each other. It has its own local memory, fibers and stack, so that it can
// stop in the middle of the kernel, let other groups run on the same thread, and go on later, on any thread. All groups of such
// a launch are resident in this sense, however few threads there are.
#pragma once
#include "cpu/abi/kernel.h"
#include "cpu/exec/local_memory.h"
#include "cpu/exec/stack_slab.h"

#include <immintrin.h>
#include <sched.h>

namespace hiplz::cpu {

/// One thread at a time may use a group.
class ResidentGroup {
public:
  /// A group that has not begun, from those that are kept for reuse if there is one; null if there is no memory for it.
  static ResidentGroup *acquire() noexcept;

  /// Gives it back. If it has begun and not ended, what its work-items were doing is forgotten.
  void release() noexcept;

  /// Prepares for the work-group with this number, which looks so many times before it lets others run. The launch must live
  /// until the group has ended or is released.
  void prepare(const KernelCode &kernel, const LaunchState &launch, uint64_t index, uint32_t patience);

  /// Executes until the group has nothing to do but to wait for others (false) or has ended (true).
  bool run();

  /// Called on a stack of the group, when its work-items wait for other groups: goes back to run(), until that is called again.
  void suspend();

  uint32_t patience() const { return patience_; }

  WorkerState state{};
  ResidentGroup *next = nullptr; ///< in a list of groups

  ResidentGroup(const ResidentGroup &) = delete;
  ResidentGroup &operator=(const ResidentGroup &) = delete;

private:
  ResidentGroup();
  ~ResidentGroup();
  static void main(void *group);

  LocalMemory local_;
  StackSlab stack_;
  KernelFunction function_ = nullptr;
  const LaunchState *launch_ = nullptr;
  uint64_t index_ = 0;
  uint32_t patience_ = 1;
  bool ended_ = true;
  void *context_ = nullptr;  // where the group goes on
  void *returnTo_ = nullptr; // where run() goes on
};

/// Called by a work-group in which nobody can go on before somebody outside has done something. A resident one gives its thread away,
/// others look again soon, and let other threads run now and then: `turns` counts for them. In the header, so that it is compiled like
/// the callers: the call stack that ThreadSanitizer keeps would count it on the thread that it has left.
[[gnu::noinline]] inline void waitOutside(WorkerState &worker, uint32_t &turns) {
  constexpr uint32_t kTurnsBeforeSleep = 64;
  auto *const group = static_cast<ResidentGroup *>(worker.resident);
  if (++turns % (group ? group->patience() : kTurnsBeforeSleep) != 0)
    _mm_pause();
  else if (group)
    group->suspend();
  else
    ::sched_yield();
}

/// A list of groups, first in, first out. Not thread-safe.
class ResidentGroupList {
public:
  void push(ResidentGroup &group) {
    group.next = nullptr;
    (last_ ? last_->next : first_) = &group;
    last_ = &group;
  }
  /// Null if there is none.
  ResidentGroup *pop() {
    ResidentGroup *group = first_;
    if (group) {
      first_ = group->next;
      if (!first_)
        last_ = nullptr;
    }
    return group;
  }

private:
  ResidentGroup *first_ = nullptr, *last_ = nullptr;
};

} // namespace hiplz::cpu
