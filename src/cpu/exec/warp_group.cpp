// SPDX-License-Identifier: MIT
// See warp_group.h. The warps that have not ended are a ring in the order of their turns. A barrier is an epoch: who comes to one may
// go on when the next epoch begins, which is when the last of them comes or ends. Where nobody yields that is the warp before the
// first in the ring, so that nobody has to look for one that may run.
#include "cpu/exec/warp_group.h"
#include "base/log.h"
#include "cpu/exec/kernel_memory.h"
#include "cpu/exec/resident_group.h"
#include "cpu/exec/stack_slab.h"
#include "cpu/exec/switch_stack.h"

#include <cstring>
#include <sys/mman.h>
#include <vector>

namespace hiplz::cpu {
namespace {

// For the math library, this file, and the registers that a long function stores, besides what the kernel asks for. What is not touched costs
// addresses only.
constexpr size_t kBaseStackBytes = 512 * 1024;

struct WarpFiber {
  void *context;
  WarpState *warp;
  WarpFiber *previous, *next; // in the ring
  uint64_t epoch;             // the first in which it may run
};

class WarpPool {
public:
  static WarpPool &of(WorkerState &worker) {
    if (!worker.warps)
      worker.warps = new WarpPool;
    return *static_cast<WarpPool *>(worker.warps);
  }

  WarpPool() = default;
  ~WarpPool() { releaseMemory(); }
  WarpPool(const WarpPool &) = delete;
  WarpPool &operator=(const WarpPool &) = delete;

  std::byte *memory(uint64_t bytes) {
    if (bytes > memoryBytes_) {
      releaseMemory();
      const size_t wanted = (bytes + pageSize() - 1) / pageSize() * pageSize();
      memory_ = mapForKernels(wanted, pageSize(), PROT_READ | PROT_WRITE, KernelMemory::privateMemory);
      if (!memory_) {
        HIPLZ_LOG_ERROR("out of memory for the warps of a work-group: %llu bytes",
                        static_cast<unsigned long long>(bytes));
        __builtin_trap(); // reported like every other fault of the kernel
      }
      memoryBytes_ = wanted;
    }
    return memory_;
  }

  void run(WarpFunction function, WarpState *first, uint32_t stride, uint32_t count, uint32_t stackBytes) {
    if (!stacks_.ensure(count, kBaseStackBytes + stackBytes + first->worker->frameBytes)) {
      HIPLZ_LOG_ERROR("out of memory for the stacks of the %u warps of a work-group", count);
      __builtin_trap();
    }
    function_ = function;
    if (fibers_.size() < count)
      fibers_.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      auto *warp = reinterpret_cast<WarpState *>(reinterpret_cast<std::byte *>(first) + uint64_t(i) * stride);
      fibers_[i] = {freshStack(stacks_.top(i), &WarpPool::enter, &fibers_[i]), warp,
                    &fibers_[i > 0 ? i - 1 : count - 1], &fibers_[i + 1 < count ? i + 1 : 0], 0};
      warp->fiber = &fibers_[i];
    }
    live_ = count;
    epoch_ = atBarrier_ = polls_ = 0;
    switchTo(main_, fibers_[0]);
    std::memset(first->worker->localId, 0, sizeof first->worker->localId);
  }

  [[gnu::always_inline]] void barrier(WarpFiber &self) {
    self.epoch = epoch_ + 1;
    ++atBarrier_;
    completeBarrier();
    handOver(self);
  }

  // The warp has found that it must wait and will check again: everybody else comes first.
  [[gnu::always_inline]] void yield(WarpFiber &self) {
    if (++polls_ >= live_ - atBarrier_) { // about as many as may run: all of them wait
      polls_ = 0;
      waitOutside(*self.warp->worker, idleTurns_);
    }
    handOver(self);
  }

  [[gnu::always_inline]] void turn(WarpFiber &self) { handOver(self); }

private:
  void releaseMemory() {
    if (memory_)
      unmapForKernels(memory_, memoryBytes_);
    memory_ = nullptr;
    memoryBytes_ = 0;
  }

  void completeBarrier() {
    if (atBarrier_ != live_)
      return;
    atBarrier_ = polls_ = 0;
    ++epoch_;
  }

  // The next in the ring that may run. One may, the caller if nobody else.
  WarpFiber &following(const WarpFiber &fiber) const {
    WarpFiber *next = fiber.next;
    while (next->epoch > epoch_)
      next = next->next;
    return *next;
  }

  [[gnu::always_inline]] void handOver(WarpFiber &self) {
    if (WarpFiber &next = following(self); &next != &self)
      switchTo(self, next);
  }

  [[gnu::always_inline]] static void switchTo(WarpFiber &from, WarpFiber &to) {
    if (to.warp)
      std::memcpy(to.warp->worker->localId, to.warp->firstId, sizeof to.warp->firstId);
    switchStack(&from.context, to.context);
  }

  // The first function on every stack. It never returns: the last switch leaves the stack for good.
  static void enter(void *fiber) {
    WarpFiber &self = *static_cast<WarpFiber *>(fiber);
    WarpPool &pool = *static_cast<WarpPool *>(self.warp->worker->warps);
    pool.function_(self.warp);
    self.previous->next = self.next;
    self.next->previous = self.previous;
    if (--pool.live_ > 0)
      pool.completeBarrier();
    switchTo(self, pool.live_ > 0 ? pool.following(self) : pool.main_);
    __builtin_unreachable();
  }

  StackSlab stacks_;
  std::vector<WarpFiber> fibers_;
  WarpFiber main_{};
  WarpFunction function_ = nullptr;
  uint64_t epoch_ = 0;     // barriers that all warps have passed
  uint32_t live_ = 0;      // warps that have not ended
  uint32_t atBarrier_ = 0; // of them
  uint32_t polls_ = 0;     // since somebody has come to a barrier or waited outside
  uint32_t idleTurns_ = 0;
  std::byte *memory_ = nullptr;
  uint64_t memoryBytes_ = 0;
};

} // namespace

void destroyWarps(WorkerState &worker) {
  delete static_cast<WarpPool *>(worker.warps);
  worker.warps = nullptr;
}

} // namespace hiplz::cpu

using namespace hiplz::cpu;

std::byte *hiplz_cpu_warp_memory(WorkerState *worker, uint64_t bytes) { return WarpPool::of(*worker).memory(bytes); }

void hiplz_cpu_run_warps(WarpFunction function, WarpState *first, uint32_t stride, uint32_t count,
                         uint32_t stackBytes) {
  WarpPool::of(*first->worker).run(function, first, stride, count, stackBytes);
}

void hiplz_cpu_warp_barrier(WarpState *warp) {
  WarpPool::of(*warp->worker).barrier(*static_cast<WarpFiber *>(warp->fiber));
}

void hiplz_cpu_warp_yield(WarpState *warp) {
  WarpPool::of(*warp->worker).yield(*static_cast<WarpFiber *>(warp->fiber));
}

void hiplz_cpu_warp_turn(WarpState *warp) { WarpPool::of(*warp->worker).turn(*static_cast<WarpFiber *>(warp->fiber)); }
