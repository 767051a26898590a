// SPDX-License-Identifier: MIT
// Fibers hand over to each other directly: a work-item that has to wait picks the next one that can run and jumps to it; the
// last one to arrive completes the operation and often goes on without a jump. The state of a sub-group is four 32-bit
// masks, so picking and completing are a few bit operations. What happens between arriving and leaving is inlined into one
// function (switch_stack.h says why).
#include "cpu/exec/fiber_group.h"
#include "base/log.h"
#include "cpu/abi/call_frame.h"
#include "cpu/exec/fiber_collectives.h"
#include "cpu/exec/resident_group.h"
#include "cpu/exec/stack_slab.h"
#include "cpu/exec/switch_stack.h"
#include "cpu/exec/warp_group.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace hiplz::cpu {
namespace {

constexpr uint32_t kMaxSubgroups = kMaxGroupItems / kSubgroupSize;
constexpr size_t kBaseStackBytes = 64 * 1024; // for the math library and this file, besides what the kernel asks for

struct Fiber {
  FiberCalls calls;
  void *context = nullptr; // where it goes on (switch_stack.h)
  WorkItem item;
  uint64_t value = 0;
  uint64_t operand = 0;
  uint64_t result = 0;
  uint32_t site = 0;
  uint32_t code = 0; // of the operation the fiber waits at; a plain barrier has kPlainBarrier
};
constexpr uint32_t kPlainBarrier = collectiveCode(CollectiveScope::workgroup, CollectiveKind::sync);

// Bit i belongs to lane i. A lane that runs at this moment is in live alone.
struct Subgroup {
  uint32_t live;      // not ended
  uint32_t ready;     // may run; not begun, or what it waited for is complete
  uint32_t begun;     // has a context
  uint32_t atOp;      // waits at a sub-group operation
  uint32_t atBarrier; // waits at a barrier or operation of the work-group
  uint32_t yielded;   // waits for somebody outside of the work-group, or for another work-item without an operation
};

// The order of two places where lanes wait: negative if the first one comes first. The outermost of the calls in progress that
// are different decides.
int comparePlaces(const Fiber &a, const Fiber &b) {
  const CallFrame *ofA = a.calls.innermost, *ofB = b.calls.innermost;
  uint64_t siteOfA = a.site, siteOfB = b.site; // of the operation, or of the call on the way to it
  if (ofA || ofB) {
    unsigned depthOfA = 0, depthOfB = 0;
    for (const CallFrame *frame = ofA; frame; frame = frame->caller)
      ++depthOfA;
    for (const CallFrame *frame = ofB; frame; frame = frame->caller)
      ++depthOfB;
    for (; depthOfA > depthOfB; --depthOfA, ofA = ofA->caller)
      siteOfA = ofA->site;
    for (; depthOfB > depthOfA; --depthOfB, ofB = ofB->caller)
      siteOfB = ofB->site;
    for (; ofA; ofA = ofA->caller, ofB = ofB->caller)
      if (ofA->site != ofB->site) {
        siteOfA = ofA->site;
        siteOfB = ofB->site;
      }
  }
  return siteOfA < siteOfB ? -1 : siteOfA > siteOfB;
}

} // namespace

class FiberPool {
public:
  static FiberPool &of(WorkerState &worker) {
    if (!worker.fibers)
      worker.fibers = new FiberPool;
    return *static_cast<FiberPool *>(worker.fibers);
  }

  void runGroup(WorkItemFunction function, const LaunchState &launch, WorkerState &worker, const uint32_t group[3],
                uint32_t stackBytes) {
    uint32_t count = launch.groupSize[0] * launch.groupSize[1] * launch.groupSize[2];
    if (count > kMaxGroupItems || !stacks_.ensure(count, kBaseStackBytes + stackBytes + worker.frameBytes)) {
      HIPLZ_LOG_ERROR("out of memory for the stacks of a work-group of %u work-items", count);
      __builtin_trap(); // reported like every other fault of the kernel
    }
    function_ = function;
    worker_ = &worker;
    if (fibers_.size() < count)
      fibers_.resize(count);
    subgroupCount_ = (count + kSubgroupSize - 1) / kSubgroupSize;
    for (uint32_t s = 0; s < subgroupCount_; ++s) {
      uint32_t lanes = std::min(kSubgroupSize, count - s * kSubgroupSize);
      uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
      subgroups_[s] = {.live = mask, .ready = mask, .begun = 0, .atOp = 0, .atBarrier = 0, .yielded = 0};
    }
    fillItems(launch, worker, group);
    current_ = 0;
    anyYielded_ = false;
    worker.itemCount = 1; // kept up to date where fibers are switched
    switchTo(main_, pick());
    std::memset(worker.localId, 0, sizeof worker.localId);
  }

  [[gnu::always_inline]] void barrier(Fiber &self) { waitWithGroup(self, 0, kPlainBarrier, 0, 0); }

  [[gnu::always_inline]] uint64_t collective(Fiber &self, uint32_t site, uint32_t code, uint64_t value,
                                             uint64_t operand) {
    if (collectiveScope(code) == CollectiveScope::workgroup)
      return waitWithGroup(self, site, code, value, operand);
    announce(self, site, code, value, operand);
    Subgroup &subgroup = subgroupOf(self);
    uint32_t bit = laneBit(self);
    subgroup.atOp |= bit;
    completeIfAllWait(self.item.linearId / kSubgroupSize);
    waitUntilReady(self);
    return self.result;
  }

  // The work-item has found that it must wait and will check again: everybody else comes first.
  [[gnu::always_inline]] void yield(Fiber &self) {
    subgroupOf(self).yielded |= laneBit(self);
    anyYielded_ = true;
    waitUntilReady(self);
  }

private:
  static uint32_t laneBit(const Fiber &fiber) { return 1u << (fiber.item.linearId % kSubgroupSize); }
  Subgroup &subgroupOf(const Fiber &fiber) { return subgroups_[fiber.item.linearId / kSubgroupSize]; }

  void fillItems(const LaunchState &launch, WorkerState &worker, const uint32_t group[3]) {
    uint32_t linear = 0;
    for (uint32_t z = 0; z < launch.groupSize[2]; ++z)
      for (uint32_t y = 0; y < launch.groupSize[1]; ++y)
        for (uint32_t x = 0; x < launch.groupSize[0]; ++x, ++linear) {
          WorkItem &item = fibers_[linear].item;
          item.launch = &launch;
          item.worker = &worker;
          std::memcpy(item.groupId, group, sizeof item.groupId);
          item.localId[0] = x;
          item.localId[1] = y;
          item.localId[2] = z;
          item.linearId = linear;
          item.fiber = &fibers_[linear];
          fibers_[linear].calls = {};
        }
  }

  static void announce(Fiber &self, uint32_t site, uint32_t code, uint64_t value, uint64_t operand) {
    self.site = site;
    self.code = code;
    self.value = value;
    self.operand = operand;
  }

  [[gnu::always_inline]] uint64_t waitWithGroup(Fiber &self, uint32_t site, uint32_t code, uint64_t value,
                                                uint64_t operand) {
    announce(self, site, code, value, operand);
    subgroupOf(self).atBarrier |= laneBit(self);
    completeIfAllWait(self.item.linearId / kSubgroupSize);
    waitUntilReady(self);
    return self.result;
  }

  // Gives the thread away until the caller's lane is ready, then takes the lane out of the ready ones again.
  [[gnu::always_inline]] void waitUntilReady(Fiber &self) {
    Subgroup &subgroup = subgroupOf(self);
    if (subgroup.ready & laneBit(self)) {
      subgroup.ready &= ~laneBit(self);
      return;
    }
    Fiber &next = pick();
    if (&next != &self)
      switchTo(self, next);
  }

  // The next fiber to run, or main_ when all have ended. Sub-group operations complete as soon as they can, so if nobody is
  // ready, everybody who is left waits for the work-group.
  Fiber &pick() {
    for (;;) {
      bool anyLive = false;
      for (uint32_t i = 0; i < subgroupCount_; ++i) {
        uint32_t s = current_ + i < subgroupCount_ ? current_ + i : current_ + i - subgroupCount_;
        Subgroup &subgroup = subgroups_[s];
        anyLive = anyLive || subgroup.live;
        if (!subgroup.ready)
          continue;
        uint32_t lane = static_cast<uint32_t>(std::countr_zero(subgroup.ready));
        subgroup.ready &= ~(1u << lane);
        current_ = s;
        return fibers_[s * kSubgroupSize + lane];
      }
      if (!anyLive)
        return main_;
      if (anyYielded_) {
        const bool anyStep = completeSteps();
        if (!anyStep)
          waitOutside(*worker_, idleTurns_);
        resumeYielded();
      } else {
        completeGroup();
      }
    }
  }

  void resumeYielded() {
    for (uint32_t s = 0; s < subgroupCount_; ++s)
      subgroups_[s].ready |= std::exchange(subgroups_[s].yielded, 0);
    anyYielded_ = false;
    current_ = 0;
  }

  // Leaves the fiber `from` (or main_) and returns when somebody switches back to it.
  [[gnu::always_inline]] void switchTo(Fiber &from, Fiber &to) {
    if (&to != &main_) {
      std::memcpy(worker_->localId, to.item.localId, sizeof worker_->localId);
      Subgroup &subgroup = subgroupOf(to);
      if (!(subgroup.begun & laneBit(to))) {
        subgroup.begun |= laneBit(to);
        to.context = freshStack(stacks_.top(to.item.linearId), &FiberPool::enter, &to);
      }
    }
    switchStack(&from.context, to.context);
  }

  // The first function on every stack. It never returns: the last switch leaves the stack for good.
  static void enter(void *fiber) {
    Fiber &self = *static_cast<Fiber *>(fiber);
    FiberPool &pool = *static_cast<FiberPool *>(self.item.worker->fibers);
    pool.function_(&self.item);
    pool.end(self);
    pool.switchTo(self, pool.pick());
    __builtin_unreachable();
  }

  void end(Fiber &self) {
    subgroupOf(self).live &= ~laneBit(self);
    completeIfAllWait(self.item.linearId / kSubgroupSize);
  }

  // Completes the sub-group operation at the first place, if all live lanes wait.
  void completeIfAllWait(uint32_t index) {
    const Subgroup &subgroup = subgroups_[index];
    if (subgroup.atOp && (subgroup.atOp | subgroup.atBarrier) == subgroup.live)
      complete(index, firstPlace(index));
  }

  // All who are left wait, some of them in loops. Those may wait for lanes that have stopped only to stay in step.
  bool completeSteps() {
    bool any = false;
    for (uint32_t s = 0; s < subgroupCount_; ++s)
      if (subgroups_[s].atOp && subgroups_[s].yielded)
        if (const Fiber &first = firstPlace(s);
            collectiveKind(first.code) == CollectiveKind::sync && first.value == kStep) {
          complete(s, first);
          any = true;
        }
    return any;
  }

  const Fiber &firstPlace(uint32_t index) const {
    const uint32_t waiting = subgroups_[index].atOp;
    const Fiber *lanes = &fibers_[index * kSubgroupSize];
    const Fiber *first = &lanes[std::countr_zero(waiting)];
    for (uint32_t rest = waiting & (waiting - 1); rest; rest &= rest - 1)
      if (const Fiber *lane = &lanes[std::countr_zero(rest)]; comparePlaces(*lane, *first) < 0)
        first = lane;
    return *first;
  }

  void complete(uint32_t index, const Fiber &first) {
    Subgroup &subgroup = subgroups_[index];
    Fiber *lanes = &fibers_[index * kSubgroupSize];
    uint32_t members = 0;
    uint32_t count = 0;
    uint32_t code = 0;
    for (uint32_t rest = subgroup.atOp; rest; rest &= rest - 1) {
      uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
      const Fiber &fiber = lanes[lane];
      if (comparePlaces(fiber, first) != 0)
        continue;
      code = fiber.code;
      members |= 1u << lane;
      participants_[count++] = {lane, fiber.value, fiber.operand, 0};
    }
    performCollective(code, {participants_.data(), count});
    for (uint32_t i = 0; i < count; ++i)
      lanes[participants_[i].index].result = participants_[i].result;
    subgroup.atOp &= ~members;
    subgroup.ready |= members;
  }

  // Everybody who is left waits for the work-group: carries out their operations, one place after the other, and lets them go.
  void completeGroup() {
    for (uint32_t s = 0; s < subgroupCount_; ++s)
      for (uint32_t rest = subgroups_[s].atBarrier; rest; rest &= rest - 1) {
        Fiber &fiber = fibers_[s * kSubgroupSize + static_cast<uint32_t>(std::countr_zero(rest))];
        if (fiber.code != kPlainBarrier)
          completeGroupOperation(fiber.site, fiber.code);
      }
    for (uint32_t s = 0; s < subgroupCount_; ++s) {
      subgroups_[s].ready |= subgroups_[s].atBarrier;
      subgroups_[s].atBarrier = 0;
    }
    current_ = 0;
  }

  void completeGroupOperation(uint32_t site, uint32_t code) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < subgroupCount_; ++s)
      for (uint32_t rest = subgroups_[s].atBarrier; rest; rest &= rest - 1) {
        uint32_t linear = s * kSubgroupSize + static_cast<uint32_t>(std::countr_zero(rest));
        const Fiber &fiber = fibers_[linear];
        if (fiber.code == code && fiber.site == site)
          participants_[count++] = {linear, fiber.value, fiber.operand, 0};
      }
    performCollective(code, {participants_.data(), count});
    for (uint32_t i = 0; i < count; ++i) {
      Fiber &fiber = fibers_[participants_[i].index];
      fiber.result = participants_[i].result;
      fiber.code = kPlainBarrier; // done
    }
  }

  StackSlab stacks_;
  std::vector<Fiber> fibers_;
  std::array<Subgroup, kMaxSubgroups> subgroups_{};
  std::array<Participant, kMaxGroupItems> participants_;
  Fiber main_{};
  WorkItemFunction function_ = nullptr;
  WorkerState *worker_ = nullptr;
  uint32_t subgroupCount_ = 0;
  uint32_t current_ = 0; // sub-group that ran last
  bool anyYielded_ = false;
  uint32_t idleTurns_ = 0;
};

void destroyFibers(WorkerState &worker) {
  delete static_cast<FiberPool *>(worker.fibers);
  worker.fibers = nullptr;
  destroyWarps(worker);
}

namespace {
Fiber &fiberOf(WorkItem *item) { return *static_cast<Fiber *>(item->fiber); }
FiberPool &poolOf(WorkItem *item) { return *static_cast<FiberPool *>(item->worker->fibers); }
} // namespace

} // namespace hiplz::cpu

using namespace hiplz::cpu;

void hiplz_cpu_run_group(WorkItemFunction function, const LaunchState *launch, WorkerState *worker, uint32_t groupX,
                         uint32_t groupY, uint32_t groupZ, uint32_t stackBytes) {
  const uint32_t group[3] = {groupX, groupY, groupZ};
  FiberPool::of(*worker).runGroup(function, *launch, *worker, group, stackBytes);
}

void hiplz_cpu_barrier(WorkItem *item) { poolOf(item).barrier(fiberOf(item)); }

void hiplz_cpu_yield(WorkItem *item) { poolOf(item).yield(fiberOf(item)); }

uint64_t hiplz_cpu_collective(WorkItem *item, uint32_t site, uint32_t code, uint64_t value, uint64_t operand) {
  return poolOf(item).collective(fiberOf(item), site, code, value, operand);
}
