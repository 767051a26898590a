// SPDX-License-Identifier: MIT
#include "lz/module/abort.h"
#include "base/log.h"
#include "lz/device/device.h"

#include <hip/spirv/abort_state.h>

#include <new>

namespace hiplz {

using __hiplz::AbortState;

namespace {
// Where kernels that do not reach the host's memory leave the reason.
constexpr size_t kReasonOnDevice = offsetof(AbortState, unused);
} // namespace

void *LZAbort::address() {
  const auto memory = memory_.lock();
  if (memory->state)
    return memory->state.get();
  ZeMemory word = ZeMemory::onHost(device_.zeContext(), sizeof(LZDevice::GiveUpWord), 64);
  ZeMemory state = ZeMemory::onDevice(device_.zeContext(), device_.ze(), sizeof(AbortState), 64);
  const AbortState initial{0, 0, device_.reachesHostMemory() ? word.address() : state.address() + kReasonOnDevice};
  device_.copyBlocking(state.get(), &initial, sizeof initial);
  device_.setGiveUpWord(*new (word.get()) LZDevice::GiveUpWord(0));
  *memory = {std::move(state), std::move(word)};
  return memory->state.get();
}

void LZAbort::fetchFrom(LZDevice &device) noexcept {
  LZAbort *const abort = device.partIfCreated<LZAbort>();
  if (!abort)
    return;
  try {
    const std::byte *state;
    {
      const auto memory = abort->memory_.lock();
      state = memory->state.get();
    }
    uint32_t reason = 0;
    if (state)
      device.copyBlocking(&reason, state + kReasonOnDevice, sizeof reason);
    if (reason)
      abort->raise(reason);
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("it cannot be seen whether a kernel has called assert: %s", error.what());
  }
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
  device_.fillBlocking(memory->state.get(), 0, 1, offsetof(AbortState, reason)); // both places of the device
  memory->giveUpWord().store(0, std::memory_order_relaxed);
  device_.forgetReason();
}

} // namespace hiplz
