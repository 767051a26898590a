// SPDX-License-Identifier: MIT
// The registrations that compiled programs make before main: fat binaries, and which host address stands for which kernel or variable
// in them. Also the modules that the application loads by itself, because both are destroyed the same way.
#pragma once
#include "base/mutex.h"
#include "lz/core/pointer_map.h"
#include "lz/module/module.h"

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hiplz {

/// The one registry of the process. It may be used by static constructors of any library before main and by their
/// destructors after it, so it is never destroyed. Registration touches nothing of Level Zero (managed variables
/// excepted) and reports nothing: what is wrong with a fat binary is thrown when one of its kernels or variables is
/// first used.
class LZRegistry {
public:
  static LZRegistry &instance();

  struct FatBinary;

  /// Registers the 24-byte wrapper that the compiler emits. The registry owns the result.
  FatBinary *registerFatBinary(const void *wrapper);
  /// Forgets all that was registered for it, waits for its kernels and destroys its module. Null is ignored.
  void unregisterFatBinary(FatBinary *binary);

  void registerFunction(FatBinary &binary, const void *hostFunction, const char *deviceName);
  void registerVariable(FatBinary &binary, const void *hostVariable, const char *deviceName, size_t size,
                        bool constant = false);
  /// Allocates the variable in shared memory, copies its initial value there and stores its address in *pointer. If
  /// there is no device, the variable stays in host memory and *pointer is its initial value.
  void registerManaged(FatBinary &binary, void **pointer, void *initialValue, const char *deviceName, size_t size,
                       size_t alignment);

  /// The kernel behind a host function, or behind a handle as findHandle() has it. Lock-free when warm. Throws HipError: hipErrorInvalidDeviceFunction if the
  /// address was never registered or its module lacks the kernel, else what is wrong with the fat binary.
  LZKernel &kernelFor(const void *hostFunction);

  struct Symbol {
    LZModule &module;
    const std::string &name;
    size_t size;
    void *managed; ///< where a __managed__ variable lives, on all devices; null for the others
  };
  /// The variable behind the address of its host shadow. Throws HipError (hipErrorInvalidSymbol, or what is wrong with
  /// the fat binary).
  Symbol symbolFor(const void *hostVariable);

  /// Takes over a module that the application loaded, and gives it back by destroying it. unload throws
  /// HipError: hipErrorInvalidHandle for null, hipErrorNotFound for what is not loaded.
  LZModule &load(std::unique_ptr<LZModule> module);
  void unload(const void *handle);
  /// The module behind a handle of the application; throws HipError as unload() does.
  LZModule &loaded(const void *handle);

  /// Makes every module start afresh on a device: its variables, managed ones if their memory is the device's, get
  /// their initial values, and may get other addresses. The device must be idle. Throws HipError.
  void reload(LZDevice &device);

  /// Makes everybody of one kind who has used a kernel of the module wait for it and drop the handles of it. Throws nothing;
  /// faults stay with their device.
  using KernelHolder = void (*)(const LZModule &module) noexcept;
  /// For LZContext, while it is made: queues and executable graphs, which stand above modules. They are called before the
  /// module's Level Zero objects are destroyed, and where the module goes with them, after its life() has expired.
  void addKernelHolder(KernelHolder holder);

  /// Makes the address of a kernel a handle of the application, valid until its module is destroyed.
  void addHandle(LZKernel &kernel);
  /// The kernel behind a handle; null if it is none. Lock-free.
  LZKernel *findHandle(const void *handle) const { return handle ? kernelHandles_.find(handle) : nullptr; }
  /// The kernel behind a handle. Lock-free. Throws HipError (hipErrorInvalidHandle) for anything else.
  LZKernel &kernelOf(const void *handle) const;

  /// The handle by which the application can call a kernel: its host function if it has one, else its handle. For cold paths.
  const void *nameOf(const LZKernel &kernel);

  /// The size of the __constant__ variables that the program registered with the module, in bytes; 0 for a module that
  /// the application loaded, which does not distinguish them from other variables. For cold paths.
  size_t constantBytes(const LZModule &module);

  /// The processor of AMD whose machine code the process runs: the one that HIPLZ_AMD_TARGET names, or that of the first fat binary
  /// that holds nothing else. Empty if there is none.
  std::string machineTarget();

private:
  struct Function;
  struct Variable;
  LZRegistry() = default;
  void destroyModule(std::unique_ptr<LZModule> module);
  void dropKernels(const LZModule &module) const noexcept;

  // The pointer maps are changed under the lock and read without it, so they cannot be members of what it guards.
  Mutex mutex_{LockRank::registry};
  PointerMap<Function> functions_;
  PointerMap<Variable> variables_;
  PointerMap<LZKernel> kernelHandles_;
  std::unordered_map<const void *, std::unique_ptr<LZModule>> loaded_ HIPLZ_GUARDED_BY(mutex_);
  std::unordered_map<FatBinary *, std::unique_ptr<FatBinary>> binaries_ HIPLZ_GUARDED_BY(mutex_);
  std::vector<FatBinary *> unseen_ HIPLZ_GUARDED_BY(mutex_); // machineTarget() has not looked at them
  std::string machineTarget_ HIPLZ_GUARDED_BY(mutex_);
  std::vector<KernelHolder> holders_;                                         // written before the runtime is usable
  std::vector<std::unique_ptr<LZModule>> abandoned_ HIPLZ_GUARDED_BY(mutex_); // outlived their drivers
};

} // namespace hiplz
