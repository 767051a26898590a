// SPDX-License-Identifier: MIT
// How kernels that called assert, abort or __trap let the host know (docs/design/kernel-services.md): a state in device
// memory, which stops kernels that begin afterwards, and a word in host memory, which costs one load to check.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"
#include "lz/core/ze_memory.h"
#include "lz/device/device.h"

namespace hiplz {

/// The state of one device. Thread-safe; looking (LZDevice::gaveUp) takes no lock.
class LZAbort {
public:
  static LZAbort &of(LZDevice &device) { return device.part<LZAbort>(); }
  static constexpr DevicePart kDevicePart = DevicePart::abort;

  explicit LZAbort(LZDevice &device) : device_(device) {}
  LZAbort(const LZAbort &) = delete;
  LZAbort &operator=(const LZAbort &) = delete;

  /// The address that the variable __hiplz_abort of a module receives; the first call allocates. The memory is never
  /// freed, like the device. Throws HipError.
  void *address();

  /// Leaves a reason (__hiplz_end_reason) as a kernel would, unless there is one. For what the host finds out while a kernel runs.
  void raise(uint32_t reason);

  /// After commands have ended: fetches the reason from a device whose kernels do not reach the host's memory.
  static void lookAfter(LZDevice &device) noexcept {
    if (!device.reachesHostMemory()) [[unlikely]]
      fetchFrom(device);
  }

  /// Forgets why a kernel gave up. No kernel may be executing. Throws HipError.
  void clear();

private:
  static void fetchFrom(LZDevice &device) noexcept;

  LZDevice &device_; // the owner
  struct Memory {
    ZeMemory state, word;
    LZDevice::GiveUpWord &giveUpWord() const { return *reinterpret_cast<LZDevice::GiveUpWord *>(word.get()); }
  };
  Lockable<Memory> memory_{LockRank::abort}; // empty until address(); locked while it is written
};

} // namespace hiplz
