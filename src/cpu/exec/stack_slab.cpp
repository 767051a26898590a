// SPDX-License-Identifier: MIT
// See stack_slab.h.
#include "cpu/exec/stack_slab.h"
#include "base/log.h"
#include "cpu/exec/kernel_memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {
// Each needs two mappings; vm.max_map_count is 65530 unless somebody has changed it.
constexpr uint32_t kMaxGuards = 16384;
std::atomic<uint32_t> allGuards{0};
} // namespace

bool StackSlab::ensure(uint32_t count, size_t stackBytes) {
  if (count <= count_ && stackBytes <= stackBytes_)
    return true;
  const size_t page = pageSize();
  count = std::max(std::bit_ceil(count), count_);
  stackBytes = std::max((stackBytes + page - 1) / page * page, stackBytes_);
  release();
  stride_ = stackBytes + page;
  memory_ = mapForKernels(stride_ * count, page, PROT_READ | PROT_WRITE, KernelMemory::privateMemory);
  if (!memory_)
    return false;
  count_ = count;
  stackBytes_ = stackBytes;
  for (; guards_ < count; ++guards_) {
    if (allGuards.fetch_add(1, std::memory_order_relaxed) < kMaxGuards &&
        ::mprotect(memory_ + guards_ * stride_, page, PROT_NONE) == 0)
      continue;
    allGuards.fetch_sub(1, std::memory_order_relaxed);
    HIPLZ_LOG_INFO("%u of %u work-item stacks have no guard page: the process has too many mappings", count - guards_,
                   count);
    break;
  }
  return true;
}

void StackSlab::release() {
  if (memory_)
    unmapForKernels(memory_, stride_ * count_);
  allGuards.fetch_sub(guards_, std::memory_order_relaxed);
  memory_ = nullptr;
  guards_ = 0;
  count_ = 0;
  stackBytes_ = 0;
}

} // namespace hiplz::cpu
