// SPDX-License-Identifier: MIT
// The origin of an address, as the checks know it (checks.h): a variable, a parameter, or anything.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace hiplz::cpu {

/// The origin of a pointer, as far as that can be followed.
struct Object {
  llvm::Value *base = nullptr; ///< null: anything
  uint64_t bytes = 0;
  uint32_t flags = 0;
  llvm::StringRef name;
  uint32_t parameter = 0; ///< of the kernel, from 1 on, if it points to global memory; `base` is its value then
  bool ours = false;      ///< of the runtime's own making; not checked
};

/// True if an access of `bytes` bytes is certain to be inside of the object, whose size is known.
bool staysInside(const llvm::Value &pointer, const Object &object, const llvm::Value &bytes,
                 const llvm::DataLayout &layout);

/// True if every offset into the object that the pointer can have is a multiple of the alignment. An index has the size of its elements.
bool staysAligned(const llvm::Value &pointer, const Object &object, llvm::Align align, const llvm::DataLayout &layout);

} // namespace hiplz::cpu
