// SPDX-License-Identifier: MIT
// The owner of memory that the runtime takes for itself. What the application gets stands in the table of allocations
// (memory/memory.h); what owns a handle is ZeHandle.
#pragma once
#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hiplz {

/// Memory of a Level Zero context, freed with its owner. Move-only; as thread-safe as a plain pointer. The only place in the
/// runtime that calls zeMemFree.
class ZeMemory {
public:
  ZeMemory() = default;
  /// Takes over what an allocating function has returned.
  ZeMemory(ze_context_handle_t context, void *memory) noexcept : context_(context), memory_(memory) {}
  ZeMemory(ZeMemory &&other) noexcept : context_(other.context_), memory_(std::exchange(other.memory_, nullptr)) {}
  ZeMemory &operator=(ZeMemory &&other) noexcept {
    if (this != &other) {
      reset();
      context_ = other.context_;
      memory_ = std::exchange(other.memory_, nullptr);
    }
    return *this;
  }
  ~ZeMemory() { reset(); }

  /// New memory of a device, or of the host, which all devices of the context reach. `alignment` is in bytes, 0 for the
  /// driver's own. Throws HipError.
  static ZeMemory onDevice(ze_context_handle_t context, ze_device_handle_t device, size_t bytes, size_t alignment);
  static ZeMemory onHost(ze_context_handle_t context, size_t bytes, size_t alignment);

  std::byte *get() const noexcept { return static_cast<std::byte *>(memory_); }
  /// The address as kernels get it.
  uint64_t address() const noexcept { return reinterpret_cast<uintptr_t>(memory_); }
  explicit operator bool() const noexcept { return memory_ != nullptr; }

  /// Gives the memory away: the caller frees it.
  void *release() noexcept { return std::exchange(memory_, nullptr); }

  /// Frees the memory now. Nothing may use it any more. Most callers can do nothing about the result.
  ze_result_t reset() noexcept;

private:
  ze_context_handle_t context_ = nullptr; // non-owning
  void *memory_ = nullptr;
};

} // namespace hiplz
