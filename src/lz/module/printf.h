// SPDX-License-Identifier: MIT
// The host's side of device printf (docs/design/kernel-services.md): one ring for each device that has a module that prints.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"
#include "lz/core/ze_memory.h"
#include "lz/module/printf_format.h"
#include "lz/module/serving_thread.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace hiplz {

class LZDevice;

/// The ring of one device. Thread-safe: a mutex of the ring serialises the threads that drain it. Where host and device may
/// use the same memory at the same time, a thread drains the ring while kernels run, and they wait for it; on other devices
/// it is drained after them, and what does not fit is lost.
class LZPrintf {
public:
  /// The ring of the device, created at the first call. Throws HipError. Lives until the process ends.
  static LZPrintf &of(LZDevice &device);

  /// hipLimitPrintfFifoSize: the size of a device's ring in bytes. It can be set freely until the ring exists, and then
  /// to no more than its size; otherwise hipErrorInvalidValue.
  static size_t bytes(LZDevice &device);
  static hipError_t resize(LZDevice &device, size_t bytes);

  /// The address that the variable __hiplz_printf of a module receives.
  uint64_t address() const { return memory_.address(); }

  /// Call before a kernel that prints is submitted: the ring is drained until the device is idle.
  void expect();

  /// Prints every finished record to standard output, or the error stream where it says so, in the order in which the
  /// kernels began them, and frees its space. Call after a host thread has waited for kernels that print. Throws HipError
  /// if the ring cannot be read.
  void drain();

  /// A kernel that prints has been launched on the device: from now on drainAfter() looks for output.
  static void launched(LZDevice &device);
  /// Prints what finished kernels of the device have printed. Call after the host has waited for them. A failure is only
  /// logged.
  static void drainAfter(LZDevice &device) noexcept;

  /// Ends the threads, at the end of the process. From then on kernels drop what does not fit.
  static void stopAll(std::span<LZDevice *const> devices) noexcept;

private:
  explicit LZPrintf(LZDevice &device);
  struct Drain {
    uint64_t dropped = 0; // how many dropped calls have been reported
    uint64_t printed = 0; // up to this place of the stream
    PrintfMessages messages;
  };
  bool drain(Drain &state);
  bool tryDrain() noexcept;
  static void print(Drain &state, std::span<const std::byte> record, std::string &text);
  bool answer(Drain &state, uint64_t head, uint64_t tail);
  void read(void *to, const std::byte *from, size_t bytes);
  void clear(std::byte *at, size_t bytes);
  void setHead(uint64_t head);

  LZDevice &device_;
  const uint64_t capacity_; // a power of two
  bool shared_ = false;     // the host reaches the ring at any time
  ZeMemory memory_;
  std::byte *ring_ = nullptr;               // memory_
  Lockable<Drain> drain_{LockRank::printf}; // locked while the ring is drained
  LZServingThread thread_;
};

} // namespace hiplz
