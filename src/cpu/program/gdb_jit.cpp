// SPDX-License-Identifier: MIT
// gdb puts a breakpoint on __jit_debug_register_code and reads __jit_debug_descriptor; both names and the layout are
// gdb's. The definitions are weak because other compilers in the process may bring the same ones.
#include "cpu/program/gdb_jit.h"
#include "base/mutex.h"

#include <cstdint>

extern "C" {

struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag; // 0: none, 1: registered, 2: unregistered
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

__attribute__((weak, visibility("default"))) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

__attribute__((weak, noinline, visibility("default"))) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace hiplz::cpu {
namespace {

Mutex listMutex{LockRank::cpuDebugger}; // guards the descriptor's list, whose definition is gdb's

void announce(uint32_t action, jit_code_entry *entry) HIPLZ_REQUIRES(listMutex) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = 0;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

} // namespace

void *registerWithDebugger(std::span<const std::byte> image) {
  auto *entry = new jit_code_entry{};
  entry->symfile_addr = reinterpret_cast<const char *>(image.data());
  entry->symfile_size = image.size();
  Lock lock(listMutex);
  entry->next_entry = __jit_debug_descriptor.first_entry;
  if (entry->next_entry)
    entry->next_entry->prev_entry = entry;
  __jit_debug_descriptor.first_entry = entry;
  announce(1, entry);
  return entry;
}

void unregisterFromDebugger(void *opaque) {
  auto *entry = static_cast<jit_code_entry *>(opaque);
  {
    Lock lock(listMutex);
    if (entry->prev_entry)
      entry->prev_entry->next_entry = entry->next_entry;
    else
      __jit_debug_descriptor.first_entry = entry->next_entry;
    if (entry->next_entry)
      entry->next_entry->prev_entry = entry->prev_entry;
    announce(2, entry);
  }
  delete entry;
}

} // namespace hiplz::cpu
