// SPDX-License-Identifier: MIT
// Memory of graphs. Its address must be known when the node that allocates it is made, so it comes from a pool of the
// device at that moment and goes back when the last graph that has the node is gone. Between the execution of the
// allocating node and its release it is in use, otherwise only reserved.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hiplz {

class LZDevice;

/// The figures of hipDeviceGetGraphMemAttribute.
struct GraphMemoryUse {
  uint64_t used = 0, usedHigh = 0;
  uint64_t reserved = 0, reservedHigh = 0;
};

/// One piece of memory. Thread-safe. While it is in use, it keeps itself alive.
class LZGraphMemory : public std::enable_shared_from_this<LZGraphMemory> {
public:
  /// Takes memory from the device's pool or allocates it, and enters it into the allocation table. Throws HipError
  /// (hipErrorOutOfMemory).
  LZGraphMemory(LZDevice &device, size_t bytes);
  LZGraphMemory(const LZGraphMemory &) = delete;
  LZGraphMemory &operator=(const LZGraphMemory &) = delete;
  /// Gives it back to the pool. Commands that use it may not be pending.
  ~LZGraphMemory();

  void *address() const { return block_.memory; }
  size_t bytes() const { return bytes_; }
  LZDevice &device() const { return device_; }

  /// A new piece that find() knows.
  static std::shared_ptr<LZGraphMemory> create(LZDevice &device, size_t bytes);
  /// The piece that begins at the address, kept alive by the result; null if there is none.
  static std::shared_ptr<LZGraphMemory> find(const void *address);

  /// A launch that allocates it, or one that frees it, has been submitted. False if it was so already.
  bool setUsed(bool used);
  bool used() const;

  /// Tells the checks of kernels that the memory is allocated or free: where the list comes to it, or at once without a list.
  ze_result_t mark(ze_command_list_handle_t list, bool allocated) const;

  /// For hipFree and hipFreeAsync: the piece that begins at the address, which is not in use any more. The caller keeps
  /// it alive until the work that uses it has finished. Throws HipError{hipErrorInvalidValue} if it was not in use.
  static std::shared_ptr<LZGraphMemory> free(const void *address);

  static GraphMemoryUse use(LZDevice &device);
  enum class HighWater { used, reserved };
  static void resetHighWater(LZDevice &device, HighWater which);
  /// Frees what the pool of the device keeps.
  static void trim(LZDevice &device);

private:
  struct Block {
    void *memory;
    size_t bytes;
  };
  struct Pool;
  struct DevicePool;
  static Lockable<Pool> &poolOf(LZDevice &device);

  LZDevice &device_; // non-owning
  const size_t bytes_;
  Block block_;
  bool used_ = false; // accessed under the lock of the pool, which clang cannot know to be that of this device
};

} // namespace hiplz
