// SPDX-License-Identifier: MIT
#include "lz/module/abort.h"
#include "lz/device/device.h"

#include <hip/spirv/abort_state.h>

#include <new>

namespace hiplz {

using __hiplz::AbortState;

void *LZAbort::address() {
  const auto memory = memory_.lock();
  if (memory->state)
    return memory->state.get();
  ZeMemory word = ZeMemory::onHost(device_.zeContext(), sizeof(LZDevice::GiveUpWord), 64);
  ZeMemory state = ZeMemory::onDevice(device_.zeContext(), device_.ze(), sizeof(AbortState), 64);
  const AbortState initial{0, 0, word.address()};
  device_.copyBlocking(state.get(), &initial, sizeof initial);
  device_.setGiveUpWord(*new (word.get()) LZDevice::GiveUpWord(0));
  *memory = {std::move(state), std::move(word)};
  return memory->state.get();
}

void LZAbort::raise(uint32_t reason) {
  address();
  uint32_t none = 0;
  memory_.lock()->giveUpWord().compare_exchange_strong(none, reason, std::memory_order_release);
}

void LZAbort::clear() {
  const auto memory = memory_.lock();
  if (!memory->state || device_.gaveUp() == hipSuccess)
    return;
  device_.fillBlocking(memory->state.get(), 0, 1, sizeof(AbortState::raised));
  memory->giveUpWord().store(0, std::memory_order_relaxed);
  device_.forgetReason();
}

} // namespace hiplz
