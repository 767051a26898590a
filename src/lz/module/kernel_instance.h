// SPDX-License-Identifier: MIT
// Level Zero kernel handles and what has been set on them. A ze_kernel_handle_t carries the arguments and the group size
// of the next launch, so sharing one between queues would need a lock around set-arguments-and-launch; each queue has its
// own and its lock is enough. What was set last is remembered, and what did not change is not set again.
#pragma once
#include "lz/core/error.h"
#include "lz/core/ze_handle.h"
#include "lz/module/launch_parameters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hiplz {

class LZDevice;
class LZKernel;
class LZModule;

/// A handle and what has been set on it.
struct KernelInstance {
  const LZKernel *kernel = nullptr; // non-owning
  ZeKernel ze;
  uint32_t block[3] = {0, 0, 0};
  size_t sharedBytes = SIZE_MAX;
  size_t fixedSharedBytes = 0;         // the kernel's own, beside the dynamic ones
  bool argumentsSet = false;           // values holds what is set
  uint64_t grid = 0;                   // address of the GridState in the global offset
  uint64_t frees = 0;                  // AllocationTable::frees() when it was set
  std::unique_ptr<std::byte[]> values; // the arguments, one after the other
  std::vector<std::array<uint32_t, 3>>
      prepared; // block sizes for which the driver has code, or so many that it does not matter

  /// False if the driver may have to compile the kernel for blocks of this size.
  bool isPrepared(const uint32_t (&size)[3]) const;
  void notePrepared(const uint32_t (&size)[3]);
  /// Lets the driver compile the kernel for this block size. The next launch says what is wrong.
  void prepare(const uint32_t (&size)[3]);

  /// Sets geometry and arguments for the next launch; `gridState` is the address of the GridState of a cooperative launch, 0 of
  /// others. `memory` is kernel->argumentMemory() bytes that the device reads and that stay until the launch has ended.
  /// hipErrorInvalidValue if an argument is missing or the shared memory is more than the device has (of a cooperative
  /// launch: hipErrorCooperativeLaunchTooLarge).
  hipError_t set(const LZDevice &device, const LaunchShape &shape, const LaunchArguments &arguments, uint64_t gridState,
                 std::byte *memory);
};

/// The instances of one stream or executable graph, guarded by its lock. A lookup of a known kernel allocates nothing.
class KernelInstanceTable {
public:
  /// The instance for the kernel, or null if it has not been added.
  KernelInstance *find(const LZKernel *kernel) const;

  /// Adds an instance with this handle.
  KernelInstance &add(const LZKernel &kernel, ZeKernel ze);

  /// Drops the instances of the module's kernels.
  void forgetModule(const LZModule &module);

  /// Calls visit(const LZKernel &) for each kernel.
  template <class Visit> void forEach(Visit visit) const {
    for (const auto &instance : instances_)
      visit(*instance->kernel);
  }

private:
  void rehash();
  std::vector<std::unique_ptr<KernelInstance>> instances_;
  std::vector<KernelInstance *> table_; // open addressing, at most half full; its size is a power of two
};

} // namespace hiplz
