// SPDX-License-Identifier: MIT
// The __local memory of one work-group at a time. It lies between inaccessible pages, so that a kernel that leaves it faults.
#pragma once
#include "cpu/abi/compiled_code.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tools.h"
#include "cpu/exec/kernel_memory.h"

#include <new>
#include <sys/mman.h>

namespace hiplz::cpu {

class LocalMemory {
public:
  /// Throws std::bad_alloc.
  LocalMemory() {
    std::byte *memory = mapForKernels(kBytes, kGuardBytes, PROT_NONE, KernelMemory::tracked);
    if (!memory)
      throw std::bad_alloc();
    begin_ = memory + kGuardBytes;
    check::forbid(memory, kBytes); // has an owner who is told how much of it the launch uses
    // Code goes on after a report of memcheck's; the accesses beside the memory are left out, and nobody misses them.
    const bool open = check::tools().memory;
    if (::mprotect(open ? memory : begin_, open ? kBytes : kMaxLocalBytes, PROT_READ | PROT_WRITE) != 0) {
      unmapForKernels(memory, kBytes);
      throw std::bad_alloc();
    }
  }
  ~LocalMemory() { unmapForKernels(begin_ - kGuardBytes, kBytes); }
  LocalMemory(const LocalMemory &) = delete;
  LocalMemory &operator=(const LocalMemory &) = delete;

  std::byte *begin() const { return begin_; }

private:
  static constexpr size_t kGuardBytes = 64 << 10;
  static constexpr size_t kBytes = kMaxLocalBytes + 2 * kGuardBytes;
  std::byte *begin_;
};

} // namespace hiplz::cpu
