// The host's half of device printf (docs/architecture.md, seam 1): one ring for each device that has a module that prints.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace hiplz {

class LZDevice;

/// The ring of one device. Thread-safe: a mutex of the ring serialises the threads that drain it.
class LZPrintf {
public:
  /// The ring of the device, created (in device memory) at the first call. Throws HipError. Lives until the process ends.
  static LZPrintf &of(LZDevice &device);

  /// The address that the variable __hiplz_printf of a module receives.
  uint64_t address() const { return address_; }

  /// Prints every finished record to standard output, or the error stream where it says so, in the order in which the kernels began them, and frees its space.
  /// Call after a host thread has waited for kernels that print. Throws HipError if the ring cannot be read.
  void drain();

private:
  explicit LZPrintf(LZDevice &device);

  LZDevice &device_;
  uint64_t address_ = 0;
  uint64_t dropped_ = 0; // guarded by mutex_: how many dropped calls have been reported
  std::mutex mutex_;
};

} // namespace hiplz
