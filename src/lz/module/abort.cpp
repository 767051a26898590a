// SPDX-License-Identifier: MIT
#include "lz/module/abort.h"
#include "lz/device/device.h"

#include <new>

namespace hiplz {
namespace {

// What `__hiplz_abort` points to; llvm-passes/abort.cpp knows the offsets.
struct AbortState {
  uint32_t raised;
  uint32_t unused;
  uint64_t reason; // address of the word in the host's memory
};

} // namespace

void *LZAbort::address() {
  std::lock_guard lock(mutex_);
  if (state_)
    return state_;
  const ze_host_mem_alloc_desc_t hostDescription{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  const ze_device_mem_alloc_desc_t deviceDescription{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *word = nullptr, *state = nullptr;
  LZ_CALL(zeMemAllocHost, (device_.zeContext(), &hostDescription, sizeof(LZDevice::GiveUpWord), 64, &word));
  try {
    LZ_CALL(zeMemAllocDevice, (device_.zeContext(), &deviceDescription, sizeof(AbortState), 64, device_.ze(), &state));
    const AbortState initial{0, 0, reinterpret_cast<uint64_t>(word)};
    device_.copyBlocking(state, &initial, sizeof initial);
  } catch (...) {
    if (state)
      zeMemFree(device_.zeContext(), state);
    zeMemFree(device_.zeContext(), word);
    throw;
  }
  word_ = new (word) LZDevice::GiveUpWord(0);
  device_.setGiveUpWord(*word_);
  return state_ = state;
}

void LZAbort::clear() {
  std::lock_guard lock(mutex_);
  if (!state_ || device_.gaveUp() == hipSuccess)
    return;
  device_.fillBlocking(state_, 0, 1, sizeof(AbortState::raised));
  word_->store(0, std::memory_order_relaxed);
}

} // namespace hiplz
