// A kernel of a module: everything about it that does not depend on a launch, computed once.
#pragma once
#include "fatbin/reflection.h"
#include "lz/ze_handle.h"

#include <cstdint>
#include <span>
#include <string>

namespace hiplz {

class LZDevice;
class LZModule;

/// Immutable after construction; every method may be called by any thread. Owned by its LZModule; a pointer to it is
/// what hipFunction_t is.
class LZKernel {
public:
  LZKernel(LZModule &module, const spirv::Kernel &reflection);
  LZKernel(const LZKernel &) = delete;
  LZKernel &operator=(const LZKernel &) = delete;

  LZModule &module() const { return module_; }
  const std::string &name() const { return reflection_.name; }

  /// The parameters that the caller of a launch provides, in order; the dynamic shared memory is not among them.
  std::span<const spirv::Arg> args() const { return reflection_.args; }

  /// Index of the hidden parameter for dynamic shared memory, or -1 if the kernel has none.
  int dynamicLocalIndex() const { return reflection_.dynamicLocalIndex; }

  /// True if the module prints: whoever waits for a launch of it must drain the printf ring afterwards.
  bool prints() const;

  /// A new ze_kernel_handle_t on the device with its indirect-access flags set. Compiles the module at its first use on
  /// that device (may take seconds, blocks only callers that need the same module). Each LZQueue keeps its own, so that
  /// arguments and group size are guarded by the queue's lock. Throws HipError.
  ZeKernel createHandle(LZDevice &device) const;

  /// What the driver tells about the compiled kernel; compiles the module like createHandle. Throws HipError.
  ze_kernel_properties_t properties(LZDevice &device) const;

private:
  LZModule &module_; // non-owning
  const spirv::Kernel &reflection_;
};

} // namespace hiplz
