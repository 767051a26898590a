// SPDX-License-Identifier: MIT
// How kernels that called assert, abort or __trap let the host know (docs/architecture.md, seam 1): a state in device memory,
// which stops kernels that begin afterwards, and a word in the host's memory, which costs one load to look at.
#pragma once
#include "lz/core/error.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hiplz {

class LZDevice;

/// The state of one device. Thread-safe: the mutex serialises creation and clearing; looking takes no lock.
class LZAbort {
public:
  explicit LZAbort(LZDevice &device) : device_(device) {}
  LZAbort(const LZAbort &) = delete;
  LZAbort &operator=(const LZAbort &) = delete;

  /// The address that the variable __hiplz_abort of a module receives; the first call allocates. The memory is never
  /// freed, like the device. Throws HipError.
  void *address();

  /// hipSuccess, or why a kernel gave up: hipErrorAssert, hipErrorLaunchFailure. The first reason stays until clear().
  hipError_t reason() const {
    const Reason *reason = reason_.load(std::memory_order_acquire);
    return reason ? errorOf(reason->load(std::memory_order_acquire)) : hipSuccess;
  }

  /// Forgets the reason. No kernel may be executing. Throws HipError.
  void clear();

private:
  using Reason = std::atomic<uint32_t>; // 0: none; numbered as in hip/spirv/assert.h
  static hipError_t errorOf(uint32_t reason) {
    return reason == 0 ? hipSuccess : reason == 1 ? hipErrorAssert : hipErrorLaunchFailure;
  }

  LZDevice &device_; // the owner
  std::mutex mutex_;
  void *state_ = nullptr; // guarded by mutex_
  std::atomic<Reason *> reason_{nullptr};
};

} // namespace hiplz
