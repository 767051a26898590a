// SPDX-License-Identifier: MIT
// A kernel of a module: everything about it that does not depend on a launch, computed once.
#pragma once
#include "fatbin/reflection.h"
#include "lz/core/ze_handle.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace hiplz {

class LZDevice;
class LZModule;
struct ProfilerHooks;

/// The resources of a device that a compiled kernel needs.
struct KernelResources {
  uint32_t maxThreadsPerBlock; ///< what the driver would launch, or what __launch_bounds__ allows if that is less
  uint32_t sharedBytes;        ///< of a block, without dynamic shared memory
  uint32_t privateBytes;       ///< of a thread
  uint32_t maxDynamicSharedBytes;
  uint32_t subgroupSize; ///< threads that the hardware executes at a time
  uint32_t registers;    ///< of 32 bits that a thread has; 0: the driver does not tell
};

/// How many blocks of a kernel the device holds at the same time.
struct KernelOccupancy {
  uint32_t blocksPerMultiprocessor;
  uint32_t blocksOnDevice;
};

/// Immutable after construction, apart from the attributes that the application sets; every method may be called by any
/// thread. Owned by its LZModule; a pointer to it is what hipFunction_t is.
class LZKernel {
public:
  /// Services of the runtime that the module uses.
  struct Services {
    bool prints, callsHost, printsToBuffer;
  };
  LZKernel(LZModule &module, const spirv::Kernel &reflection, const Services &services);
  LZKernel(const LZKernel &) = delete;
  LZKernel &operator=(const LZKernel &) = delete;

  LZModule &module() const { return module_; }
  const std::string &name() const { return reflection_.name; }
  const spirv::Kernel &reflection() const { return reflection_; }

  /// The id of the name in the profile that is recorded.
  uint32_t nameInProfile(const ProfilerHooks &hooks) const;

  /// The parameters that the caller of a launch provides, in order; the dynamic shared memory is not among them.
  std::span<const spirv::Arg> args() const { return reflection_.args; }

  /// Bytes of memory that a launch needs for the arguments that the kernel takes through memory; 0 for nearly all
  /// kernels.
  size_t argumentMemory() const { return argumentMemory_; }

  /// The most threads that a block may have, as __launch_bounds__ promised; 0 if nothing was promised.
  uint32_t launchBounds() const { return reflection_.maxThreads; }

  /// Index of the hidden parameter for dynamic shared memory, or -1 if the kernel has none.
  int dynamicLocalIndex() const { return reflection_.dynamicLocalIndex; }

  /// Sets that parameter of a handle, if there is one, for so many of the `room` bytes that the static variables leave.
  ze_result_t setDynamicShared(ze_kernel_handle_t handle, size_t bytes, size_t room) const;

  /// True if the module prints: code that waits for a launch of it calls LZPrintf::drain afterwards.
  bool prints() const { return services_.prints; }
  /// True if a launch may call the host: LZHostcall::expect comes first.
  bool callsHost() const { return services_.callsHost; }
  /// True if the module's messages stand in a buffer when a launch has ended: an LZHostcall::Printing is around it.
  bool printsToBuffer() const { return services_.printsToBuffer; }

  /// A new ze_kernel_handle_t on the device with its indirect-access flags set. Compiles the module at its first use on
  /// that device (may take seconds, blocks only callers that need the same module). Each LZQueue keeps its own, so that
  /// arguments and group size are guarded by the queue's lock. Throws HipError.
  ZeKernel createHandle(LZDevice &device) const;

  /// The driver's description of the compiled kernel; compiles the module like createHandle. Throws HipError.
  KernelResources resources(LZDevice &device) const;

  /// With blocks of blockSize threads and dynamicBytes of dynamic shared memory; zero if not one block can be launched.
  /// Compiles the module like createHandle. Throws HipError.
  KernelOccupancy occupancy(LZDevice &device, uint32_t blockSize, size_t dynamicBytes) const;

  /// The block size, at most `limit`, with the most resident threads; `occupancy` is what it reaches. 0 if no size can be launched. Throws HipError.
  uint32_t bestBlockSize(LZDevice &device, uint32_t limit, size_t dynamicBytes, KernelOccupancy &occupancy) const;

  /// The attributes that hipFuncSetAttribute sets and hipFuncGetAttribute reads back; -1: not set. They are requests: no
  /// driver of Level Zero takes them.
  mutable std::atomic<int> dynamicSharedRequest{-1};
  mutable std::atomic<int> carveoutRequest{-1};

private:
  KernelResources resources(LZDevice &device, ze_kernel_handle_t kernel) const;
  KernelOccupancy occupancy(LZDevice &device, ze_kernel_handle_t kernel, const KernelResources &resources,
                            uint32_t blockSize, size_t dynamicBytes) const;

  LZModule &module_; // non-owning
  const spirv::Kernel &reflection_;
  size_t argumentMemory_ = 0;
  const Services services_;
  mutable std::atomic<uint32_t> nameInProfile_{0}; // 0: not asked for yet
};

} // namespace hiplz
