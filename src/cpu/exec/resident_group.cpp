// SPDX-License-Identifier: MIT
// See resident_group.h.
#include "cpu/exec/resident_group.h"
#include "base/lockable.h"
#include "base/sanitizer.h"
#include "cpu/check/group.h"
#include "cpu/exec/fiber_group.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/switch_stack.h"

namespace hiplz::cpu {
namespace {

// The stack for a kernel's loop over work-groups and the runtime below it; work-items have stacks of their own.
constexpr size_t kGroupStackBytes = 64 << 10;
// Groups kept for the next launch. Each holds on to the stacks that its work-items have touched.
constexpr unsigned kMaxKept = 64;

struct KeptGroups {
  ResidentGroupList groups;
  unsigned count = 0;
};
Lockable<KeptGroups, SpinLock> &keptGroups() {
  // Never destroyed: workers may be busy when the process ends.
  static auto *kept = new Lockable<KeptGroups, SpinLock>(LockRank::cpuResidentGroups);
  return *kept;
}

} // namespace

ResidentGroup::ResidentGroup() {
  state.local = local_.begin();
  state.resident = this;
  if (!stack_.ensure(1, kGroupStackBytes))
    throw std::bad_alloc();
}

ResidentGroup::~ResidentGroup() {
  destroyFibers(state);
  check::destroyGroup(state);
}

ResidentGroup *ResidentGroup::acquire() noexcept {
  {
    const auto kept = keptGroups().lock();
    if (ResidentGroup *group = kept->groups.pop()) {
      --kept->count;
      return group;
    }
  }
  try {
    return new ResidentGroup;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void ResidentGroup::release() noexcept {
  if (ended_) {
    const auto kept = keptGroups().lock();
    if (kept->count < kMaxKept) {
      ++kept->count;
      return kept->groups.push(*this);
    }
  }
  delete this;
}

void ResidentGroup::prepare(const KernelCode &kernel, const LaunchState &launch, uint64_t index, uint32_t patience) {
  function_ = kernel.function;
  state.frameBytes = kernel.frameBytes;
  launch_ = &launch;
  index_ = index;
  patience_ = patience;
  ended_ = false;
  check::beginCall(state);
  context_ = freshStack(stack_.top(0), main, this);
}

HIPLZ_NO_THREAD_SANITIZER void ResidentGroup::main(void *self) {
  auto *group = static_cast<ResidentGroup *>(self);
  group->function_(group->launch_, &group->state, group->index_, group->index_ + 1);
  group->ended_ = true;
  group->suspend();
  __builtin_unreachable();
}

[[gnu::noinline]] HIPLZ_NO_THREAD_SANITIZER bool ResidentGroup::run() {
  switchStack(&returnTo_, context_);
  return ended_;
}

[[gnu::noinline]] HIPLZ_NO_THREAD_SANITIZER void ResidentGroup::suspend() { switchStack(&context_, returnTo_); }

} // namespace hiplz::cpu
