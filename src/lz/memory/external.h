// SPDX-License-Identifier: MIT
// Memory and semaphores of other APIs and processes, handed over as file descriptors.
#pragma once
#include "lz/core/error.h"
#include "lz/core/handle_table.h"
#include "lz/core/ze_memory.h"

#include <cstdint>
#include <span>

namespace hiplz {

class LZDevice;
class LZQueue;

/// A pointer to it is what hipExternalMemory_t is. Immutable; thread-safe.
class LZExternalMemory {
public:
  /// Takes over the descriptor; if the constructor throws, it stays the caller's. Throws HipError: hipErrorNotSupported if
  /// the driver imports no descriptors, else what is wrong with this one.
  LZExternalMemory(LZDevice &device, int descriptor, size_t bytes);
  ~LZExternalMemory();
  LZExternalMemory(const LZExternalMemory &) = delete;

  static HandleTable<LZExternalMemory> &handles() { return HandleTable<LZExternalMemory>::ofProcess(); }

  /// Maps a part of it. Mappings are independent of each other and of this object, and freed with unmap(). Throws HipError.
  void *map(size_t offset, size_t bytes) const;

  /// Waits for the devices and unmaps what map() has returned; false if it is not one of those.
  static bool unmap(void *pointer);

private:
  ZeMemory import() const;

  LZDevice &device_; // non-owning
  const int descriptor_;
  const size_t bytes_;
};

/// A pointer to it is what hipExternalSemaphore_t is. Immutable; thread-safe. Level Zero has such semaphores since
/// specification 1.12, as an extension.
class LZExternalSemaphore {
public:
  enum class Kind { binary, timeline };
  /// Like the constructor of LZExternalMemory.
  LZExternalSemaphore(LZDevice &device, Kind kind, int descriptor);
  ~LZExternalSemaphore();
  LZExternalSemaphore(const LZExternalSemaphore &) = delete;

  /// True if the device's driver can import semaphores, of both kinds.
  static bool supportedBy(const LZDevice &device);

  static HandleTable<LZExternalSemaphore> &handles() { return HandleTable<LZExternalSemaphore>::ofProcess(); }

  LZDevice &device() const { return device_; }
  void *native() const { return native_; }

private:
  LZDevice &device_; // non-owning
  void *native_ = nullptr;
};

} // namespace hiplz
