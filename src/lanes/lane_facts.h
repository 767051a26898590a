// SPDX-License-Identifier: MIT
// How a function in LLVM IR speaks of work-items. The analysis of lanes in step serves two forms of IR: bodies of the CPU device's
// compiler, which read a structure, and modules for GPUs, which call SPIR-V's built-in functions. Each has an implementation.
#pragma once
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace hiplz {

/// An id of the work-item: 0 to 2 for x, y and z, 3 for the linear id. In its block, or in the grid.
struct LaneId {
  unsigned id;
  bool isGlobal;
};
constexpr unsigned kLinearId = 3;

/// Accesses of code to memory that other work-items see.
struct Effects {
  bool reads = false, writes = false;

  bool any() const { return reads || writes; }
  bool operator==(const Effects &) const = default;
  Effects &operator|=(const Effects &other) {
    reads = reads || other.reads;
    writes = writes || other.writes;
    return *this;
  }
};

class LaneFacts {
public:
  virtual ~LaneFacts() = default;

  /// The id that the value is.
  virtual std::optional<LaneId> idOf(const llvm::Value &value) const = 0;
  /// True for other facts of the launch that all lanes of a block have in common.
  virtual bool isOfBlock(const llvm::Value &value) const = 0;
  virtual bool isBlockSizeX(const llvm::Value &value) const = 0;
  virtual bool isBarrier(const llvm::CallBase &call) const = 0;
  /// True if an object, from which addresses are made, is memory of the block.
  virtual bool isLocalObject(const llvm::Value &object) const = 0;
  /// True if no other work-item uses the memory, or nobody writes it.
  virtual bool isPrivate(const llvm::Value &pointer) const = 0;
  /// The accesses that a call of another function may make. It counts as one access to anything.
  virtual Effects effectsOf(const llvm::CallBase &call) const = 0;
  /// True for kernels: all lanes have the same arguments, and pointers among them are to different memory.
  virtual bool hasCommonArguments() const = 0;
  /// The ids in their block, as a set, that other functions of the kernel read.
  virtual unsigned idsElsewhere() const = 0;
};

} // namespace hiplz
