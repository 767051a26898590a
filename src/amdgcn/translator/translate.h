// SPDX-License-Identifier: MIT
// From the machine code of a kernel to LLVM IR of a wave.
#pragma once
#include "amdgcn/object/code_object.h"
#include "amdgcn/translator/wave.h"

namespace hiplz::amdgcn {

/// Properties of a translated kernel.
struct WaveTraits {
  bool hasBarrier = false;
  bool pauses = false; ///< lets others run in other places than loops that may wait for them
  bool traps = false;  ///< may trap
};

/// Code of a kernel, decoded and taken apart into blocks.
class KernelCode {
public:
  virtual ~KernelCode() = default;
  virtual const WaveTraits &traits() const = 0;
  /// Fills the function, whose last block makes the surroundings' values, with the code. False with a sentence in `error`,
  /// which names the operation and its address.
  virtual bool emit(llvm::Function &function, WaveSurroundings &surroundings, std::string &error) const = 0;
};

/// Null with a sentence in `error` if there is something in the code that cannot be decoded. Both arguments must outlive it.
std::unique_ptr<KernelCode> decodeKernel(const CodeObject &object, const MachineKernel &kernel, std::string &error);

} // namespace hiplz::amdgcn
